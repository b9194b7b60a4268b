"""What would do instead of a house rule that cannot be: the names of the settings, or the values of one."""

from __future__ import annotations

import re
import typing
from typing import Any, Literal


def remedy(complaint: str, settings_type: type[Any]) -> str:
    """What to add to a complaint about settings, "" where it already tells what would do.

    Args:
        complaint: msgspec's, or the settings' own.
        settings_type: the struct of a game's settings.
    """
    if "unknown field" in complaint:
        return f"; the settings are {', '.join(settings_type.__struct_fields__)}"
    at = re.search(r"`\$\.(\w+)|in `\$\.(\w+)", complaint)
    if "Invalid enum value" not in complaint or at is None:
        return ""
    hints = typing.get_type_hints(settings_type)
    values = _listed(hints[at.group(1) or at.group(2)])
    return f"; it is one of {', '.join(map(str, values))}"


def _listed(hint: Any) -> list[Any]:
    """The values that a type lists, however deep in it."""
    if typing.get_origin(hint) is Literal:
        return list(typing.get_args(hint))
    return [value for part in typing.get_args(hint) for value in _listed(part)]
