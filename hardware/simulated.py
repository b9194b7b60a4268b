"""Streams without a device: pictures from an iterator or a video, sound from WAV files or arrays.

They follow a clock: an item is delivered when its time has come, so a faster clock plays them faster.
"""

from __future__ import annotations

import math
import wave
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core.clock import Clock
from companion.core.errors import Unreadable
from hardware.microphone import BLOCK, RATE
from hardware.streams import Block, Frame, IsIdle, Picture, can_skip, never_idle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Wait = Callable[[float], None]
"""Waits until the clock shows this moment."""


class SimulatedCamera:
    """Pictures from an iterator of (seconds from the start, picture)."""

    def __init__(self, pictures: Iterable[tuple[float, Picture]], start: float, wait: Wait) -> None:
        self._pictures = pictures
        self._start = start
        self._wait = wait
        self._closed = False

    def __iter__(self) -> Iterator[Frame]:
        for seconds, image in self._pictures:
            t = self._start + seconds
            self._wait(t)
            if self._closed:
                return
            yield Frame(image, t)

    def close(self) -> None:
        self._closed = True


class SimulatedMicrophone:
    """Sound from an iterator of blocks of 16 kHz samples; a block is delivered at the time of its last
    sample."""

    def __init__(self, blocks: Iterable[NDArray[np.int16]], start: float, wait: Wait) -> None:
        self._blocks = blocks
        self._start = start
        self._wait = wait
        self._closed = False

    def __iter__(self) -> Iterator[Block]:
        count = 0
        for samples in self._blocks:
            t = self._start + count / RATE
            count += len(samples)
            self._wait(self._start + count / RATE)
            if self._closed:
                return
            yield Block(samples, t, RATE)

    def close(self) -> None:
        self._closed = True


def recorded_pictures(
    path: Path, fps: float, is_idle: IsIdle = never_idle
) -> Iterator[tuple[float, Picture]]:
    """The pictures of a video, or of a folder of pictures at `fps` a second; a video idles as a camera does.

    Raises:
        Unreadable: it cannot be read.
    """
    return folder_pictures(path, fps) if path.is_dir() else video_pictures(path, is_idle)


def video_pictures(path: Path, is_idle: IsIdle = never_idle) -> Iterator[tuple[float, Picture]]:
    """The pictures of a video with their time in it; one in IDLE_INTERVAL_S while `is_idle()` is true.

    Raises:
        Unreadable: OpenCV cannot read it.
    """
    import cv2
    import numpy as np

    video = _opened(path)
    if not video.isOpened():
        video.release()
        raise Unreadable("recording.no_video", path=path)
    try:
        fps = video.get(cv2.CAP_PROP_FPS) or 30.0
        number, given = -1, -math.inf
        while video.grab():
            number += 1
            if can_skip(number / fps, given, is_idle):
                continue
            good, image = video.retrieve()
            if not good or image is None:
                return
            given = number / fps
            yield given, np.asarray(image, dtype=np.uint8)
    finally:
        video.release()


def _opened(path: Path) -> Any:
    """OpenCV's reader; for Motion JPEG the one that can skip pictures without decoding them."""
    import cv2

    try:
        with path.open("rb") as file:
            head = file.read(256)
    except OSError as error:
        raise Unreadable("recording.unreadable", path=path, why=error.strerror) from error
    if head[8:12] == b"AVI " and b"MJPG" in head:
        return cv2.VideoCapture(str(path), cv2.CAP_OPENCV_MJPEG)
    return cv2.VideoCapture(str(path))


def folder_pictures(path: Path, fps: float) -> Iterator[tuple[float, Picture]]:
    """The pictures of a folder in the order of their names.

    Raises:
        Unreadable: the folder has no picture, or one is damaged.
    """
    import cv2
    import numpy as np

    names = sorted(one for one in path.iterdir() if one.suffix.lower() in (".jpg", ".jpeg", ".png"))
    if not names:
        raise Unreadable("recording.no_pictures", path=path)
    for number, name in enumerate(names):
        image = cv2.imread(str(name), cv2.IMREAD_COLOR)
        if image is None:
            raise Unreadable("recording.bad_picture", path=name)
        yield number / fps, np.asarray(image, dtype=np.uint8)


def wav_blocks(path: Path) -> Iterator[NDArray[np.int16]]:
    """A recording in blocks of 60 ms.

    Raises:
        Unreadable: it is not a WAV of one channel, 16 bits and 16 kHz.
    """
    import numpy as np

    try:
        with wave.open(str(path), "rb") as recording:
            shape = (recording.getnchannels(), recording.getsampwidth(), recording.getframerate())
            if shape != (1, 2, RATE):
                raise Unreadable("recording.wrong_format", path=path, rate=RATE)
            while data := recording.readframes(BLOCK):
                yield np.frombuffer(data, dtype="<i2").astype(np.int16)
    except (wave.Error, EOFError, OSError) as error:
        raise Unreadable("recording.no_wav", path=path, why=str(error)) from error


def waiting(clock: Clock, sleep: Callable[[float], None], rate: float = 1.0) -> Wait:
    """Waits on a clock that runs `rate` times as fast as `sleep` counts."""

    def wait(moment: float) -> None:
        while (left := moment - clock()) > 0:
            sleep(left / rate)

    return wait
