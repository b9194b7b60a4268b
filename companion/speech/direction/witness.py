"""Who spoke, by the direction of the sound: one more log-likelihood ratio when a call is weighed.

A television or a neighbour is heard from the same direction all the time. So the directions of the sound
before a call tell from where other sounds come now.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from companion.core.weighing import Span
from companion.speech.audio.speaker_sound import SpeakerSound
from companion.speech.direction.array_recorder import ArrayRecorder
from companion.speech.direction.seats import FITTED, SeatModel, Seats

EVERY_S, STRETCH_S = 1.0, 0.5
"""Every second the direction of half a second is taken for the background."""
LONGEST_S = 12.0
"""So far back the sound before a call is looked at."""
LATEST = 40
"""So many of the latest directions make the background."""
BEFORE_S = 0.1
"""The background ends so long before the sound that is asked about."""
NOISE_S = 6.0
"""So many seconds before a sound show what else is heard."""
LEAST_SOFTER_DB = 3.0
"""What else is heard must become softer by so much, or the sound of one microphone is as good."""


class DirectionBackground:
    """The directions of the sound before a call."""

    def __init__(self, array: ArrayRecorder) -> None:
        self._array = array
        self._degrees: deque[float] = deque(maxlen=LATEST)
        self._known_until = 0.0

    def before(self, begin: float) -> Sequence[float]:
        """Where the sound before a moment came from, in degrees; that of later moments is kept too."""
        until = begin - BEFORE_S
        at = max(self._known_until, until - LONGEST_S)
        while at + STRETCH_S <= until:
            arrival = self._array.arrival(at, at + STRETCH_S)
            if arrival is not None:
                self._degrees.append(arrival.degrees)
            at += EVERY_S
        self._known_until = max(self._known_until, at)
        return self._degrees


class SeatWitness:
    """Compares where a sound came from with the seat of the player who is to call, and makes the sound that
    came from that seat.

    Args:
        array: the latest sound of the array.
        seats: those that were learned; read anew each time, since players may change seats in a game.
        players: of the game.
    """

    def __init__(
        self, array: ArrayRecorder, seats: Seats, players: Sequence[str], model: SeatModel = FITTED
    ) -> None:
        self._array, self._seats, self._players, self._model = array, seats, tuple(players), model
        self._background = DirectionBackground(array)

    def log_ratios(self, player: str, spans: Sequence[Span]) -> list[float]:
        """See companion.core.weighing.SpeakerWitness. Zeros without an array or the player's seat."""
        nothing = [0.0] * len(spans)
        if not spans or not self._array.has_array:
            return nothing
        seats = self._seats.all_of(self._players)
        if player not in seats:
            return nothing
        background = self._background.before(min(begin for begin, _ in spans))
        arrivals = [self._array.arrival(*span) for span in spans]
        return [
            0.0 if one is None else self._model.log_ratio(one.degrees, player, seats, background)
            for one in arrivals
        ]

    def sound_of(self, player: str, begin: float, end: float) -> SpeakerSound | None:
        """The sound between two moments of the clock as it came from a player's seat; None without an array
        or the player's seat, or if nothing is gained by it."""
        seat = self._seats.all_of(self._players).get(player) if self._array.has_array else None
        if seat is None:
            return None
        found = self._array.sound_from(seat.degrees, begin, end, begin - NOISE_S)
        return found if found is not None and found.softer_db >= LEAST_SOFTER_DB else None
