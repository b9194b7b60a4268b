"""Who spoke, by the direction of the sound: one more log-likelihood ratio when a call is weighed."""

from __future__ import annotations

from collections.abc import Sequence

from companion.speech.direction.array_recorder import ArrayRecorder
from companion.speech.direction.seats import FITTED, SeatModel, Seats


class SeatWitness:
    """Compares where a sound came from with the seat of the player who is to call.

    Args:
        array: the latest sound of the array.
        seats: those that were learned; read anew each time, since players may change seats in a game.
        players: of the game.
    """

    def __init__(
        self, array: ArrayRecorder, seats: Seats, players: Sequence[str], model: SeatModel = FITTED
    ) -> None:
        self._array, self._seats, self._players, self._model = array, seats, tuple(players), model

    def log_ratio(self, player: str, begin: float, end: float) -> float:
        """See companion.core.weighing.SpeakerWitness. 0 without an array or the player's seat."""
        if not self._array.has_array:
            return 0.0
        seats = self._seats.all_of(self._players)
        if player not in seats:
            return 0.0
        arrival = self._array.arrival(begin, end)
        return 0.0 if arrival is None else self._model.log_ratio(arrival.degrees, player, seats)
