"""The keys of the configuration that a phone may change, as fields of the page *Settings*.

The page gets no key that could make the pages unreachable (address and port of the web server), and none that
names a file: a phone must not choose what the service reads or writes.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from companion.api.settings import FieldKind, SettingChoice, SettingField
from companion.core.config import Config, Pin
from companion.core.field_docs import field_help
from companion.core.message import Message, message

LEFT_OUT = frozenset(
    {
        "pages.host",
        "pages.port",
        "pages.threads",
        "camera.file",
        "microphone.file",
        "recording.folder",
        "mqtt.ca_file",
    }
)
"""Keys that only the file itself has."""
SECRET = "mqtt.password_file"
"""The one key whose value is entered as a password: the service keeps it in a file of its own."""
_LISTS: Mapping[Any, FieldKind] = {
    list[Pin]: "pins",
    dict[str, Pin]: "trophies",
    tuple[Pin, Pin, Pin]: "colours",
}


@dataclass(frozen=True)
class ConfigKey:
    """A key of the configuration: its type, its kind of field, its bounds, its meaning in English."""

    key: str
    hint: Any
    kind: FieldKind
    default: Any
    help: str
    allowed: tuple[Any, ...] | None = None
    low: float | None = None
    high: float | None = None

    def problem(self, value: Any) -> Message | None:
        """Why a value of JSON cannot be taken; None: it can."""
        try:
            msgspec.convert(value, self.hint)
        except msgspec.ValidationError as error:
            if self.kind in ("pin", "pins", "colours", "trophies"):
                return message("settings.pins")
            if (
                self.kind in ("integer", "number", "channels")
                and self.low is not None
                and self.high is not None
            ):
                return message("settings.between", low=f"{self.low:g}", high=f"{self.high:g}")
            if self.kind in ("integer", "number") and self.low is not None:
                return message("settings.from", low=f"{self.low:g}")
            return message("settings.impossible", why=str(error))
        return None

    def converted(self, value: Any) -> Any:
        """The value as TOML has it: 15 becomes 15.0 where a number may have a fraction."""
        return msgspec.to_builtins(msgspec.convert(value, self.hint))


@functools.cache
def config_keys() -> Mapping[str, ConfigKey]:
    """All keys that a phone may change, in the order of the configuration."""
    return {one.key: one for one in _found()}


def fields(
    config: Config, found: Mapping[str, Sequence[SettingChoice]], written: Callable[[str], str] = str
) -> tuple[SettingField, ...]:
    """The fields with the values of a configuration.

    Args:
        found: key -> what is there on this machine to choose from.
        written: translates a key's meaning.
    """
    values = msgspec.to_builtins(config)
    shown = []
    for one in config_keys().values():
        section, _, name = one.key.partition(".")
        value = values[section][name]
        choices = found.get(one.key)
        if choices is None and one.allowed is not None:
            choices = [SettingChoice(allowed) for allowed in one.allowed]
        if choices is not None and all(choice.value != value for choice in choices):
            choices = [*choices, SettingChoice(value, str(value))]
        shown.append(
            SettingField(
                one.key,
                one.kind,
                bool(value) if one.kind == "secret" else value,
                one.default,
                written(one.help),
                None if choices is None else tuple(choices),
                one.low,
                one.high,
            )
        )
    return tuple(shown)


def _found() -> Iterator[ConfigKey]:
    for section, hint in get_type_hints(Config, include_extras=True).items():
        if not (isinstance(hint, type) and issubclass(hint, msgspec.Struct)):
            continue
        texts, defaults = field_help(hint), msgspec.to_builtins(hint())
        for name, kind in get_type_hints(hint, include_extras=True).items():
            key = f"{section}.{name}"
            if key not in LEFT_OUT:
                yield _key(key, kind, defaults[name], texts[name])


def _key(key: str, hint: Any, default: Any, help_: str) -> ConfigKey:
    if key == SECRET:
        return ConfigKey(key, str, "secret", False, help_)
    inner = _without_none(hint)
    if inner is not hint:
        kind: FieldKind = "colours" if get_origin(inner) is tuple else "pin"
        return ConfigKey(key, hint, kind, default, help_, None, *_bounds(Pin))
    if hint in _LISTS:
        return ConfigKey(key, hint, _LISTS[hint], default, help_, None, *_bounds(Pin))
    if get_origin(hint) is list:
        return ConfigKey(key, hint, "channels", default, help_, None, *_bounds(get_args(hint)[0]))
    if get_origin(hint) is Literal:
        return ConfigKey(key, hint, "choice", default, help_, get_args(hint))
    plain = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if get_origin(plain) is Literal:
        return ConfigKey(key, hint, "choice", default, help_, get_args(plain))
    simple: Mapping[Any, FieldKind] = {bool: "flag", int: "integer", float: "number", str: "text"}
    return ConfigKey(key, hint, simple[plain], default, help_, None, *_bounds(hint))


def _without_none(hint: Any) -> Any:
    if get_origin(hint) in (Union, types.UnionType):
        return next(one for one in get_args(hint) if one is not type(None))
    return hint


def _bounds(hint: Any) -> tuple[float | None, float | None]:
    """The least and the greatest value; a bound that is excluded counts as the least."""
    low: float | None = None
    high: float | None = None
    for extra in get_args(hint)[1:] if get_origin(hint) is Annotated else ():
        if isinstance(extra, Meta):
            low = next((one for one in (extra.ge, extra.gt) if one is not None), low)
            high = next((one for one in (extra.le, extra.lt) if one is not None), high)
    return low, high
