"""Ring buffers of the last seconds: pictures as small JPEGs, sound as samples. No disk is touched."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from companion.evidence.jpeg import small_jpeg

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Samples: TypeAlias = "NDArray[np.int16]"


class EvidencePicture(msgspec.Struct, frozen=True):
    """One kept picture."""

    t: float
    jpeg: bytes


class SoundBlock(msgspec.Struct, frozen=True):
    """One kept block of sound; `data` is 16-bit little-endian, one channel."""

    t: float
    rate: int
    data: bytes


class Slice(msgspec.Struct, frozen=True):
    """The seconds round one finding."""

    t: float
    pictures: tuple[EvidencePicture, ...]
    sounds: tuple[SoundBlock, ...]


class Evidence:
    """The last `seconds` of both senses, and the slices of the latest findings.

    Written by the senses' threads, read by the table's and the pages' threads.

    Args:
        seconds: how much is kept.
        pictures_per_s: how many of the camera's pictures are kept.
        findings: the number of latest findings whose slices are kept.
        encode: makes a small JPEG of a picture.
    """

    def __init__(
        self,
        seconds: float,
        pictures_per_s: float,
        findings: int,
        encode: Callable[[Any], bytes] = small_jpeg,
    ) -> None:
        self._seconds = seconds
        self._every = 1.0 / pictures_per_s
        self._findings = findings
        self._encode = encode
        self._lock = threading.Lock()
        self._pictures: deque[EvidencePicture] = deque()
        self._sounds: deque[SoundBlock] = deque()
        self._kept: OrderedDict[int, Slice] = OrderedDict()

    def see(self, image: Any, t: float) -> None:
        """Takes a picture of the camera; most are not kept (see `pictures_per_s`)."""
        with self._lock:
            if self._pictures and t - self._pictures[-1].t < self._every * 0.99:
                return
        picture = EvidencePicture(t, self._encode(image))
        with self._lock:
            self._pictures.append(picture)
            self._forget(self._pictures, t)

    def hear(self, samples: Samples, t: float, rate: int) -> None:
        """Takes a block of the microphone's sound; `t` is the moment of its first sample."""
        sound = SoundBlock(t, rate, samples.astype("<i2").tobytes())
        with self._lock:
            self._sounds.append(sound)
            self._forget(self._sounds, t)

    def keep(self, n: int, t: float) -> None:
        """Keeps the last seconds as the slice of entry `n`, about which a finding was made."""
        with self._lock:
            self._kept[n] = Slice(t, tuple(self._pictures), tuple(self._sounds))
            self._kept.move_to_end(n)
            while len(self._kept) > self._findings:
                self._kept.popitem(last=False)

    def slice(self, n: int | None, now: float) -> Slice:
        """The slice of entry `n`; for an entry without one, the last seconds."""
        with self._lock:
            if n is not None and n in self._kept:
                return self._kept[n]
            return Slice(now, tuple(self._pictures), tuple(self._sounds))

    def clear(self) -> None:
        """Deletes everything: another game begins."""
        with self._lock:
            self._pictures.clear()
            self._sounds.clear()
            self._kept.clear()

    def _forget(self, ring: deque[Any], now: float) -> None:
        while ring and ring[0].t < now - self._seconds:
            ring.popleft()
