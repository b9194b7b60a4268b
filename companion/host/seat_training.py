"""Seats: each player says the own name once, and an array of microphones finds where from.

Directions are stored, never sound. The array is used only while the page polls; the listening lamp is lit
then.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from companion.api.devices import KnownSeat, SeatState
from companion.core.clock import Clock
from companion.core.errors import Unavailable
from companion.host.watched_lesson import WatchedLesson, named
from companion.speech.direction.array_recorder import ArrayRecorder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.speech.direction.name_lesson import NameLesson
    from companion.speech.direction.seats import Seats


class SeatTraining:
    """The service behind the seats on the voices page. Every method may be called from any thread.

    Args:
        folder: stores the seats, beside the voices.
        array: knows whether the microphone is an array.
        on_listening: called with True when the use of sound begins and with False when it ends.
    """

    def __init__(
        self, folder: Path, array: ArrayRecorder, clock: Clock, on_listening: Callable[[bool], None]
    ) -> None:
        self._folder = folder
        self._array = array
        self._lessons: WatchedLesson[NameLesson] = WatchedLesson(clock, on_listening)

    def hear(self, samples: NDArray[np.int16], radius_m: float, t: float, rate: int) -> None:
        """Takes a block of the array; ignores it unless a name is listened for."""
        self._lessons.hear(lambda lesson: lesson.hear(samples, radius_m, rate), _is_over)

    def went_down(self) -> None:
        """The microphone went down: nobody is listened for any more."""
        self.stop()

    def state(self) -> SeatState:
        """The seats, and who is to say the own name; keeps a seat that was found.

        Raises:
            Unavailable: the seat cannot be stored.
        """
        lesson, over = self._lessons.watched(_is_over)
        if over is not None and over.seat is not None:
            self._seats.keep(over.player, over.seat)
        known = tuple(
            KnownSeat(player, seat.degrees, seat.spread) for player, seat in self._seats.known().items()
        )
        if lesson is None:
            return SeatState(self._array.has_array, known)
        return SeatState(self._array.has_array, known, lesson.player, lesson.finding)

    def players(self) -> list[str]:
        """Whose seats are known."""
        return sorted(self._seats.known())

    def begin(self, player: str) -> None:
        """Listens for this player's name.

        Raises:
            UsageError: the player has no name.
            Unavailable: the microphone is no array.
        """
        name = named(player)
        if not self._array.has_array:
            raise Unavailable("seats.no_array")
        from companion.speech.direction.name_lesson import NameLesson

        self._lessons.begin(NameLesson(name))

    def stop(self) -> None:
        """Stops listening; nothing of it is kept."""
        self._lessons.stop()

    def forget(self, player: str) -> None:
        """Deletes a seat.

        Raises:
            UsageError: the seat of this player is not known.
        """
        self._seats.forget(player)

    @property
    def _seats(self) -> Seats:
        from companion.speech.direction.seats import Seats

        return Seats(self._folder)


def _is_over(lesson: NameLesson) -> bool:
    """Whether the seat was found."""
    return lesson.seat is not None
