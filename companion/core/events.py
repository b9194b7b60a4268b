"""Names for the JSON objects whose fields a game's rules or a code decide, not a type of the companion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

Event = Mapping[str, Any]
"""One event as it stands in a script: a JSON object with `event` and the fields of docs/events.md."""

Params = Mapping[str, Any]
"""The parameters of a code: what the braces of its sentence are filled with."""

StateView = Mapping[str, Any]
"""The JSON state of a game (docs/events.md), made by `Rulebook.view`."""

HouseRules = Mapping[str, Any]
"""The settings of a game as a script's header holds them; `Rulebook.header` checks them."""

MutableEvent = dict[str, Any]
"""An event that is being put together."""

MutableParams = dict[str, Any]
"""Parameters that are being put together."""


class Agreement(msgspec.Struct, frozen=True):
    """What a `position` is about, if the table counts an event that the rules refused (`agreed`)."""

    n: int
    """Number of the refused event in the script."""
    code: str
    """Why it was refused."""
    rule: str = ""
    """Id of the rule that is set aside, if one is known."""


def agreement_of(event: Event) -> Agreement | None:
    """The agreement that a `position` names; None if it names none, or something else."""
    try:
        return msgspec.convert(event.get("agreed"), Agreement)
    except msgspec.ValidationError:
        return None
