"""`companion watch`: lists the cards that land in a video, with their times."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands import deck_files
from companion.commands.reports import Report
from companion.core.errors import Unreadable

if TYPE_CHECKING:
    from companion.core.observations import Landing
    from companion.vision.deck.deck import Deck
    from companion.vision.image.picture import Image

WHOLE = {"picture": [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]}
"""One zone: the whole picture."""


@click.command()
@click.argument("video", metavar="VIDEO")
@click.option("--deck", "deck_name", required=True, help="A deck's name, or a path to its folder.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each landing.")
def command(video: str, deck_name: str, as_json: bool) -> None:
    """Report each card that lands in a video, with its time."""
    deck = deck_files.open_deck(deck_name)
    deck_files.note_triangles(deck)
    for landing in landings(Path(video), deck):
        found = _object(landing)
        click.echo(json.dumps(found, ensure_ascii=False) if as_json else _readable(found))


def landings(video: Path, deck: Deck) -> Iterator[Landing]:
    """The landings of a video in the order in which they are noticed.

    Raises:
        Unreadable: there is no video, none that can be decoded, or one that breaks off.
    """
    from companion.core.observations import Landing
    from companion.vision.tracking.landing import LandingWatcher

    watcher = LandingWatcher(deck, WHOLE)
    for t, image in pictures(video):
        for seen in watcher.feed(image, t):
            if isinstance(seen, Landing):
                yield seen


def pictures(video: Path) -> Iterator[tuple[float, Image]]:
    """The pictures of a video with their times in seconds.

    Raises:
        Unreadable: as `landings`; of a video that breaks off once all its pictures have been given.
    """
    # What is wrong with a video is said below, not by the decoder.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    import cv2
    import numpy as np

    if not video.is_file():
        raise Unreadable("video.folder" if video.is_dir() else "video.missing", path=video)
    if not os.access(video, os.R_OK):
        raise Unreadable("video.forbidden", path=video)
    source = cv2.VideoCapture(str(video))
    try:
        fps, length = 0.0, 0.0
        if source.isOpened():
            fps, length = source.get(cv2.CAP_PROP_FPS), source.get(cv2.CAP_PROP_FRAME_COUNT)
        count = 0
        while True:
            good, image = source.read()
            if not good or image is None:
                break
            # A camera that drops pictures writes their true times; the frame rate is the second choice.
            t = source.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
            yield t if t > 0 or count == 0 else count / (fps or 30.0), np.asarray(image, np.uint8)
            count += 1
    finally:
        source.release()
    if count == 0:
        raise Unreadable("video.no_picture", path=video)
    # The length of some kinds of video is estimated: a second or a tenth off is no damage.
    if length - count > max(fps or 30.0, 0.1 * length):
        raise Unreadable("video.incomplete", path=video, count=count, length=round(length))


def _object(landing: Landing) -> Report:
    """A landing as JSON; label and confidence are null for a card that could not be named."""
    card = landing.sighting
    return {
        "t": round(landing.t, 3),
        "label": None if card is None else card.label,
        "confidence": None if card is None else round(card.confidence, 3),
        "corners": None if card is None else [[round(x, 1), round(y, 1)] for x, y in card.corners],
    }


def _readable(found: Report) -> str:
    """A landing as text."""
    if found["label"] is None:
        return f"{found['t']:8.2f} s  a card that is none of the deck"
    (x, y), (u, v) = found["corners"][0], found["corners"][2]
    at = f"{(x + u) / 2:.0f}, {(y + v) / 2:.0f}"
    return f"{found['t']:8.2f} s  {found['label']:<20} {found['confidence']:4.0%} at {at}"
