"""A connection that pages without a server hand over: it keeps what is sent."""

from typing import Any

from web.streams import HAND_OVER, Taker


class KeptConnection:
    """A `Connection` whose phone reads everything, or nothing while `unread` is set."""

    def __init__(self) -> None:
        self.unread = 0
        self.sent: list[bytes] = []
        self.ended = False
        self.taker: Taker | None = None

    @property
    def environ(self) -> dict[str, Any]:
        """What a test client adds to the request."""
        return {HAND_OVER: self._take}

    def send_part(self, data: bytes) -> None:
        self.sent.append(data)

    def end(self) -> None:
        self.ended = True
        self.leave()

    def leave(self) -> None:
        """The phone is gone."""
        taker, self.taker = self.taker, None
        if taker is not None:
            taker.closed()

    def _take(self, taker: Taker) -> None:
        self.taker = taker
        taker.begin(self)
