"""The house rules of a game as a form shows them: each setting with type, default, choices and meaning."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from companion.core.field_docs import field_help, type_words


class HouseRule(msgspec.Struct, frozen=True):
    """One house rule."""

    name: str
    type: str
    """The type in words: `text`, `integer`, `one of a, b`."""
    default: Any
    """As JSON; None where there is none."""
    choices: tuple[Any, ...] | None
    """What may be chosen, for a setting that is one of a few; None for any other."""
    keys: tuple[str, ...] | None
    """What is counted, for a table of known things; None for any other."""
    help: str
    """What it means, in English (a msgid)."""


def settings_of(struct: type[msgspec.Struct]) -> tuple[HouseRule, ...]:
    """The settings of a game, in the order of its settings struct."""
    help_ = field_help(struct)
    hints = get_type_hints(struct, include_extras=True)
    return tuple(
        HouseRule(
            field.name,
            type_words(hints[field.name]),
            _default(field),
            _choices(hints[field.name]),
            _keys(hints[field.name]),
            help_.get(field.name, ""),
        )
        for field in msgspec.structs.fields(struct)
    )


def _default(field: msgspec.structs.FieldInfo) -> Any:
    default = None if field.required else field.default
    if default is msgspec.NODEFAULT:
        default = field.default_factory() if callable(field.default_factory) else None
    return msgspec.json.decode(msgspec.json.encode(default))


def _choices(hint: Any) -> tuple[Any, ...] | None:
    if get_origin(hint) is Literal:
        return tuple(get_args(hint))
    return (True, False) if hint is bool else None


def _keys(hint: Any) -> tuple[str, ...] | None:
    for part in (hint, *get_args(hint)):
        if get_origin(part) is dict and get_origin(get_args(part)[0]) is Literal:
            return tuple(get_args(get_args(part)[0]))
    return None
