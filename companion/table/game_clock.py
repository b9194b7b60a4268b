"""The time of a game: seconds since its start, without those in which it was paused."""

from __future__ import annotations

RESUMED = "resumed"
"""Reason of a pause that ends with the next move: the game was resumed or corrected, or a player trains an
invented sound."""


class GameClock:
    """Translates between the one clock (CLOCK_MONOTONIC) and the seconds of a game.

    Time in which nobody could act does not count, so that no deadline expires in it:

    - a pause (a restart, an unplugged microphone): the time stops until every reason for it is gone;
    - a question: what happens before the answer keeps its time, because it is judged after the answer; only
      the time between the last observation and the answer does not count.
    """

    def __init__(self, now: float, elapsed: float = 0.0) -> None:
        self._zero = now - elapsed
        self._paused_at = now
        self._paused_for = 0.0
        self._reasons: set[str] = set()
        self._asked: tuple[float, float] | None = None

    @property
    def paused(self) -> str | None:
        """Why the time is stopped; None while it runs."""
        return min(self._reasons, default=None if self._asked is None else "question")

    def pause(self, now: float, why: str) -> None:
        """Stops the time at `now` for this reason; if it is stopped already, adds the reason."""
        if not self._reasons:
            self._paused_at = now
        self._reasons.add(why)

    def rewind(self, now: float, t: float, why: str) -> None:
        """Sets the time of the game back to `t` (it never goes forward) and stops it there."""
        current = self.time(now)
        self.pause(now, why)
        self._zero += max(0.0, current - t)

    def skip_to(self, now: float, t: float) -> None:
        """Sets the time of the game forward to `t`; it never goes back."""
        self._zero -= max(0.0, t - self.time(now))

    def go_on(self, now: float, why: str) -> None:
        """Removes a reason; without another one the time goes on where it stopped."""
        if why in self._reasons:
            self._reasons.remove(why)
            if not self._reasons:
                length = max(0.0, now - self._paused_at)
                self._zero += length
                self._paused_for += length

    def ask(self, now: float) -> None:
        """A question is open, or an observation has come that waits for its answer."""
        self._asked = (now, self._pauses(now))

    def answered(self, now: float) -> None:
        """The last open question was answered; without an open question nothing changes."""
        if self._asked is not None:
            since, pauses = self._asked
            self._asked = None
            self._zero += max(0.0, now - since - (self._pauses(now) - pauses))

    def _pauses(self, now: float) -> float:
        """All pauses so far, in seconds: a question during a pause must not be subtracted twice."""
        return self._paused_for + (max(0.0, now - self._paused_at) if self._reasons else 0.0)

    def time(self, moment: float) -> float:
        """Seconds of the game at a moment of the one clock, never negative, in whole milliseconds."""
        if self._reasons:
            moment = min(moment, self._paused_at)
        return max(0.0, round(moment - self._zero, 3))

    def moment(self, t: float) -> float:
        """The moment of the one clock at which the game's time is `t`, if it is not paused before."""
        return self._zero + t
