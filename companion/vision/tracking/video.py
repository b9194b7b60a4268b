"""The landings of cards in a recorded video."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from companion.core.errors import Unreadable
from companion.core.observations import Landing
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Image
from companion.vision.tracking.landing import LandingWatcher

WHOLE = {"picture": geometry.corner_points(geometry.UNIT)}
"""One zone: the whole picture."""


def landings(video: Path, deck: Deck) -> Iterator[Landing]:
    """The landings of a video in the order in which they are detected.

    Raises:
        Unreadable: there is no such video, it cannot be decoded, or it is incomplete.
    """
    watcher = LandingWatcher(deck, WHOLE)
    for t, image in pictures(video):
        for seen in watcher.feed(image, t):
            if isinstance(seen, Landing):
                yield seen


def pictures(video: Path) -> Iterator[tuple[float, Image]]:
    """The pictures of a video with their times in seconds.

    Raises:
        Unreadable: as `landings`; for an incomplete video after its last picture.
    """
    # The decoder's own messages are switched off: the errors below replace them.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    import cv2

    if not video.is_file():
        raise Unreadable("video.folder" if video.is_dir() else "video.missing", path=video)
    if not os.access(video, os.R_OK):
        raise Unreadable("video.forbidden", path=video)
    source = cv2.VideoCapture(str(video))
    try:
        fps, length = source.get(cv2.CAP_PROP_FPS), source.get(cv2.CAP_PROP_FRAME_COUNT)
        count = 0
        while True:
            good, image = source.read()
            if not good or image is None:
                break
            # A camera that drops pictures writes their true times; without times the frame rate must do.
            t = source.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
            yield t if t > 0 or count == 0 else count / (fps or 30.0), np.asarray(image, np.uint8)
            count += 1
    finally:
        source.release()
    if count == 0:
        raise Unreadable("video.no_picture", path=video)
    # For some kinds of video the length is an estimate: a difference of 1 s or a tenth is no error.
    if length - count > max(fps or 30.0, 0.1 * length):
        raise Unreadable("video.incomplete", path=video, count=count, length=round(length))
