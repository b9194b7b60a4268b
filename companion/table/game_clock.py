"""The time of a game: seconds since its start, without those in which it was paused."""

from __future__ import annotations

RESUMED = "resumed"
"""Reason of a pause that ends with the next move: the game was resumed or corrected, or a player trains an
invented sound."""

MOST_LEFT_OUT = 64
"""So many stretches of time that do not count are remembered; moments before the oldest one are of the past
and are not asked for."""


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
        self._reasons: set[str] = set()
        self._asked: float | None = None
        self._left_out: list[tuple[float, float]] = []

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
                self._leave_out(self._paused_at, now)

    def ask(self, now: float) -> None:
        """A question is open, or an observation has come that waits for its answer."""
        self._asked = now

    def answered(self, now: float) -> None:
        """The last open question was answered; without an open question nothing changes."""
        if self._asked is not None:
            since, self._asked = self._asked, None
            self._leave_out(since, now)

    def _leave_out(self, start: float, end: float) -> None:
        """These seconds do not count; those that are left out already are not left out twice."""
        if end <= start:
            return
        apart = [one for one in self._left_out if one[1] < start or one[0] > end]
        joined = [one for one in self._left_out if one not in apart]
        whole = (min([start, *(a for a, _ in joined)]), max([end, *(b for _, b in joined)]))
        self._left_out = sorted([*apart, whole])
        if len(self._left_out) > MOST_LEFT_OUT:
            oldest, self._left_out = self._left_out[0], self._left_out[1:]
            self._zero += oldest[1] - oldest[0]

    def time(self, moment: float) -> float:
        """Seconds of the game at a moment of the one clock, never negative, in whole milliseconds."""
        if self._reasons:
            moment = min(moment, self._paused_at)
        before = sum(min(end, moment) - start for start, end in self._left_out if start < moment)
        return max(0.0, round(moment - self._zero - before, 3))

    def moment(self, t: float) -> float:
        """The moment of the one clock at which the game's time is `t`, if it is not paused before."""
        moment = self._zero + t
        for start, end in self._left_out:
            if start < moment:
                moment += end - start
        return moment
