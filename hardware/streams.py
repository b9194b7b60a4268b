"""The interfaces that cameras and microphones share: pictures and blocks of sound, each with its time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from companion.core.errors import Unavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T_co = TypeVar("T_co", covariant=True)

IDLE_INTERVAL_S = 0.09
"""Seconds between two pictures in the idle state: every third one at 30 fps, every second one at 15 fps."""
IsIdle = Callable[[], bool]
"""Whether pictures may be skipped now."""

Picture: TypeAlias = "NDArray[np.uint8]"
"""Height x width x 3, blue green red."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture and the moment of its exposure on the one clock."""

    image: Picture
    t: float


@dataclass(frozen=True, slots=True, eq=False)
class ArraySound:
    """The single microphones of an array over one block: samples x microphones, in their order round a circle
    of `radius_m`."""

    samples: NDArray[np.int16]
    radius_m: float


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Consecutive samples of one channel; `t` is the moment of the first one on the one clock.

    `gap`: samples were lost before this block; the present utterance ends. `array`: the same stretch of each
    microphone of an array; None: there is one microphone.
    """

    samples: NDArray[np.int16]
    t: float
    rate: int
    gap: bool = False
    array: ArraySound | None = None


def never_idle() -> bool:
    """For a camera that never skips pictures."""
    return False


def can_skip(t: float, given: float, is_idle: IsIdle) -> bool:
    """Whether the picture of the moment `t` may be skipped; `given` is the moment of the last one
    delivered."""
    return 0.0 <= t - given <= IDLE_INTERVAL_S and is_idle()


class Stream(Protocol[T_co]):
    """An opened source. Iteration blocks until the next item; it raises when the device fails and ends only
    at the end of a recording."""

    def __iter__(self) -> Iterator[T_co]: ...

    def close(self) -> None:
        """Closes the device; a second call is harmless."""


class Stalled(Unavailable):
    """The device is connected but delivers nothing any more."""


Opener = Callable[[], Stream[Any]]
"""Opens a source. Raises Unavailable, with the remedy, if it cannot be opened."""
