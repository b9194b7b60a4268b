"""Which announcements still have to be given: none too late, none twice.

An announcement is dropped if its moment has passed, if what it is about has ended or was announced already,
if a correction of the same batch has made it out of date, or if the same words were announced just before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.announce.announcement import Announcement
from companion.announce.codes import CORRECTING, Priority

REPEAT_S = 2.0
"""Seconds within which the same code with the same parameters is not announced again."""
LATEST_S: Mapping[Priority, float] = {
    Priority.NOTE: 6.0,
    Priority.SCORE: 15.0,
    Priority.QUESTION: 15.0,
    Priority.FINDING: 15.0,
}
"""Seconds after which an announcement of this urgency is not given any more. Findings may come later than
notes: a deadline waits up to ten seconds for slow ears. Alarms have no limit, because what they are about
lasts; what is routine is only written down."""


class Timeliness:
    """Selects the announcements of a batch that are given. It has no clock; the time is a parameter."""

    def __init__(self, repeat_s: float = REPEAT_S) -> None:
        self._repeat_s = repeat_s
        self._recent: dict[bytes, float] = {}
        self._known: set[str] = set()

    def select(
        self, batch: Sequence[Announcement], now: float, ended: Iterable[str] = ()
    ) -> list[Announcement]:
        """The announcements to give, in their order.

        Args:
            batch: in the order in which they were made.
            now: the moment of the one clock.
            ended: what some announcements were about and is so no longer, e.g. questions that were answered.
                It may be announced again when it returns.
        """
        over = set(ended)
        self._known -= over
        self._recent = {key: t for key, t in self._recent.items() if now - t < self._repeat_s}
        corrected = max((i for i, one in enumerate(batch) if one.code in CORRECTING), default=0)
        found = []
        for number, one in enumerate(batch):
            outdated = number < corrected and one.priority < Priority.ALARM
            if outdated or one.about in over - {""} or is_late(one, now):
                continue
            if one.content in self._recent or one.about in self._known:
                continue
            self._recent[one.content] = now
            self._known |= {one.about} - {""}
            found.append(one)
        return found

    def correct(self) -> None:
        """Earlier events were changed: the same finding may be announced again at once. What is known to last
        is not."""
        self._recent.clear()

    def begin(self) -> None:
        """Another game is on the table: nothing has been announced of it."""
        self._recent.clear()
        self._known.clear()


def is_late(one: Announcement, now: float) -> bool:
    """Whether the moment of an announcement has passed."""
    limit = LATEST_S.get(one.priority)
    return one.at is not None and limit is not None and now - one.at > limit
