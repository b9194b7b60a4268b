"""An announcement of the table: a code with its parameters."""

from __future__ import annotations

import msgspec

from companion.announce.codes import MEANINGS, Meaning, Priority
from companion.announce.rhythms import Rhythm
from companion.api.snapshot import Announced
from companion.core.events import Event, Params

_UNKNOWN = Meaning("", Priority.NOTE)


class Announcement(msgspec.Struct, frozen=True):
    """A code with its parameters: never prose."""

    code: str
    params: Params = {}
    at: float | None = None
    """The moment of the one clock at which it happened; None: now, whenever it is announced."""
    about: str = ""
    """What it is about, unique within a game: it is announced once while that lasts. Empty: no limit."""

    @property
    def content(self) -> bytes:
        """Code and parameters alone, to compare two announcements."""
        return msgspec.json.encode((self.code, self.params), order="deterministic")

    @property
    def priority(self) -> Priority:
        """How urgent it is."""
        return MEANINGS.get(self.code, _UNKNOWN).priority

    @property
    def rhythm(self) -> Rhythm | None:
        """The rhythm that buzzer and lamps play; None: silence."""
        return MEANINGS.get(self.code, _UNKNOWN).rhythm

    def announced(self) -> Announced:
        """The announcement as pages get it; its text is made later, in each reader's language."""
        return Announced(self.code, self.params, int(self.priority), self.rhythm)


def finding(
    verdict: str, player: str, details: Params, event: Event, limit: float | None = None
) -> Announcement:
    """The announcement of one verdict of the referee.

    Args:
        verdict: its code.
        details: the parameters of its kind (`expected`, `cards` ...).
        event: the event that it is about; it holds the words that were said.
        limit: the game's time limit in seconds, where it has one.
    """
    params = {"player": player, **details}
    if "words" in event:
        params["said"] = list(event["words"])
    if "cards" in details:
        params["count"] = len(details["cards"])
    if limit is not None:
        params["limit"] = limit
    return Announcement(verdict, params)
