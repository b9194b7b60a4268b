"""What the table says back, as a code with its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.announce.codes import MEANINGS, Meaning, Priority
from companion.announce.phrases import Phrases
from companion.announce.rhythms import Rhythm

_UNKNOWN = Meaning("", Priority.NOTE)


class Announcement(msgspec.Struct, frozen=True):
    """A code with its parameters: never prose."""

    code: str
    params: dict[str, Any] = {}

    @property
    def priority(self) -> Priority:
        """How urgent it is."""
        return MEANINGS.get(self.code, _UNKNOWN).priority

    @property
    def rhythm(self) -> Rhythm | None:
        """How buzzer and lamps give it, None for silence."""
        return MEANINGS.get(self.code, _UNKNOWN).rhythm

    def as_json(self, phrases: Phrases) -> dict[str, Any]:
        """Code, text, parameters, priority and rhythm, as the pages get it."""
        return {
            "code": self.code,
            "text": phrases.text(self.code, self.params),
            "params": msgspec.to_builtins(self.params),
            "priority": int(self.priority),
            "rhythm": self.rhythm,
        }


def finding(verdict: Mapping[str, Any], event: Mapping[str, Any], limit: float | None = None) -> Announcement:
    """The announcement of one verdict of the referee, with what was said and what the limit was."""
    params = {key: value for key, value in verdict.items() if key not in ("n", "verdict", "rule")}
    if "words" in event:
        params["said"] = list(event["words"])
    if "cards" in verdict:
        params["count"] = len(verdict["cards"])
    if limit is not None:
        params["limit"] = limit
    return Announcement(str(verdict["verdict"]), params)
