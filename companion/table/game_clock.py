"""The time of a game: seconds since it was started, standing still while the game is interrupted."""

from __future__ import annotations

RESUMED = "resumed"
"""Why the time of a game stands still until the next move: it was taken up again or corrected, or a player
makes an invented sound again."""


class GameClock:
    """Translates between the one clock (CLOCK_MONOTONIC) and the seconds of a game.

    Time in which nobody could act is taken out of the game, so that no deadline can run out in it:

    - a pause (a restart, a microphone that is unplugged): the time stands still until every reason is gone;
    - a question: what happens meanwhile keeps its time, because it is judged after the answer; only the time
      between the last thing that happened and the answer is taken out.
    """

    def __init__(self, now: float, elapsed: float = 0.0) -> None:
        self._zero = now - elapsed
        self._paused_at = now
        self._paused_for = 0.0
        self._reasons: set[str] = set()
        self._asked: tuple[float, float] | None = None

    @property
    def paused(self) -> str | None:
        """Why no deadline runs out now, None if they do."""
        return min(self._reasons, default=None if self._asked is None else "question")

    def pause(self, now: float, why: str) -> None:
        """Stops the time at `now` for this reason; while it stands still already, the reason is added."""
        if not self._reasons:
            self._paused_at = now
        self._reasons.add(why)

    def rewind(self, now: float, t: float, why: str) -> None:
        """Sets the time of the game back to `t` (it never goes forward) and stops it there."""
        current = self.time(now)
        self.pause(now, why)
        self._zero += max(0.0, current - t)

    def go_on(self, now: float, why: str) -> None:
        """The reason is gone: without another one the time goes on where it stopped."""
        if why in self._reasons:
            self._reasons.remove(why)
            if not self._reasons:
                length = max(0.0, now - self._paused_at)
                self._zero += length
                self._paused_for += length

    def ask(self, now: float) -> None:
        """A question is open, or something has happened that waits for its answer."""
        self._asked = (now, self._pauses(now))

    def answered(self, now: float) -> None:
        """No question is open any more; without one before, nothing changes."""
        if self._asked is not None:
            since, pauses = self._asked
            self._asked = None
            self._zero += max(0.0, now - since - (self._pauses(now) - pauses))

    def _pauses(self, now: float) -> float:
        """All pauses so far, in seconds: a question in a pause must not take the same time out twice."""
        return self._paused_for + (max(0.0, now - self._paused_at) if self._reasons else 0.0)

    def time(self, moment: float) -> float:
        """Seconds of the game at a moment of the one clock, never negative, in whole milliseconds."""
        if self._reasons:
            moment = min(moment, self._paused_at)
        return max(0.0, round(moment - self._zero, 3))

    def moment(self, t: float) -> float:
        """The moment of the one clock that is `t` in the game, if the time runs on."""
        return self._zero + t
