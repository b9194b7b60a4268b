"""The time of a game: seconds since it was started, standing still while the game is interrupted."""

from __future__ import annotations


class GameClock:
    """Translates between the one clock (CLOCK_MONOTONIC) and the seconds of a game.

    A pause takes time out of the game: after it the game's time goes on where it stopped, so that no deadline
    can run out while nobody could act (a restart, a microphone that is unplugged).
    """

    def __init__(self, now: float, elapsed: float = 0.0) -> None:
        self._zero = now - elapsed
        self._paused_at: float | None = None
        self.why = ""

    @property
    def paused(self) -> bool:
        """Whether the time stands still."""
        return self._paused_at is not None

    def pause(self, now: float, why: str) -> None:
        """Stops the time at `now`; `why` is a code for the pages. While it stands still nothing changes."""
        if self._paused_at is None:
            self._paused_at = now
            self.why = why

    def go_on(self, now: float) -> None:
        """Lets the time run again as if nothing had passed since the pause began."""
        if self._paused_at is not None:
            self._zero += max(0.0, now - self._paused_at)
            self._paused_at = None
            self.why = ""

    def time(self, moment: float) -> float:
        """Seconds of the game at a moment of the one clock, never negative, in whole milliseconds."""
        if self._paused_at is not None:
            moment = min(moment, self._paused_at)
        return max(0.0, round(moment - self._zero, 3))

    def moment(self, t: float) -> float:
        """The moment of the one clock that is `t` in the game."""
        return self._zero + t
