"""Errors in a game's settings, with the remedy: the names of the settings, or the values of one."""

from __future__ import annotations

import re
import typing
from typing import Any, Literal

from companion.core.errors import CompanionError
from companion.core.message import Message, message


def explained(error: Exception, settings_type: type[Any]) -> Message:
    """The message of an error about settings.

    Args:
        error: a BadSetting, or msgspec's error, which may have a BadSetting as its cause.
        settings_type: the struct of a game's settings.
    """
    for one in (error, error.__cause__):
        if isinstance(one, CompanionError):
            return one.message
    complaint = str(error)
    if "unknown field" in complaint:
        return message("setting.unknown", complaint=complaint, settings=settings_type.__struct_fields__)
    at = re.search(r"`\$\.(\w+)|in `\$\.(\w+)", complaint)
    if "Invalid enum value" not in complaint or at is None:
        return message("library.words", words=complaint)
    hints = typing.get_type_hints(settings_type)
    values = _listed(hints[at.group(1) or at.group(2)])
    return message("setting.one_of", complaint=complaint, values=tuple(map(str, values)))


def _listed(hint: Any) -> list[Any]:
    """The values of all literals in a type, at any depth."""
    if typing.get_origin(hint) is Literal:
        return list(typing.get_args(hint))
    return [value for part in typing.get_args(hint) for value in _listed(part)]
