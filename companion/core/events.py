"""Names for the JSON objects whose fields a game's rules or a code decide, not a type of the companion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
