"""Seats of a table with an array of microphones, for the pages."""

from companion.api.devices import KnownSeat, SeatState


class StillSeats:
    """An array; Ida's seat is known."""

    def __init__(self) -> None:
        self.array = True
        self.known = {"Ida": KnownSeat("Ida", 40.0, 8.0)}
        self.player = ""
        self.finding = ""

    def state(self) -> SeatState:
        return SeatState(self.array, tuple(self.known.values()), self.player, self.finding)

    def begin(self, player: str) -> None:
        self.player = player

    def stop(self) -> None:
        self.player = self.finding = ""

    def forget(self, player: str) -> None:
        del self.known[player]
