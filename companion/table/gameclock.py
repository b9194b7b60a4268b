"""The time of a game: seconds since it was started, standing still while the game is interrupted."""

from __future__ import annotations


class GameClock:
    """Translates between the one clock (CLOCK_MONOTONIC) and the seconds of a game.

    A pause takes time out of the game: after it the game's time goes on where it stopped, so that no deadline
    can run out while nobody could act (a restart, an open question, a microphone that is unplugged). There
    may be several reasons at once; the time runs again when none is left.
    """

    def __init__(self, now: float, elapsed: float = 0.0) -> None:
        self._zero = now - elapsed
        self._paused_at = now
        self._reasons: set[str] = set()

    @property
    def paused(self) -> str | None:
        """A reason for which the time stands still, None while it runs."""
        return min(self._reasons, default=None)

    def pause(self, now: float, why: str) -> None:
        """Stops the time at `now` for this reason; while it stands still already, only the reason is added."""
        if not self._reasons:
            self._paused_at = now
        self._reasons.add(why)

    def go_on(self, now: float, why: str) -> None:
        """The reason is gone: without another one the time goes on where it stopped."""
        if why in self._reasons:
            self._reasons.remove(why)
            if not self._reasons:
                self._zero += max(0.0, now - self._paused_at)

    def time(self, moment: float) -> float:
        """Seconds of the game at a moment of the one clock, never negative, in whole milliseconds."""
        if self._reasons:
            moment = min(moment, self._paused_at)
        return max(0.0, round(moment - self._zero, 3))

    def moment(self, t: float) -> float:
        """The moment of the one clock that is `t` in the game, if the time runs on."""
        return self._zero + t
