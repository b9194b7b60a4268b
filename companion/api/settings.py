"""The configuration as the page *Settings* shows and changes it."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from companion.core.message import Message

FieldKind = Literal[
    "flag",
    "choice",
    "integer",
    "number",
    "text",
    "pin",
    "pins",
    "colours",
    "trophies",
    "channels",
    "secret",
]
"""How a value is entered. `pin`: a GPIO or none; `pins`: a list of them; `colours`: three or none;
`trophies`: trophy -> GPIO; `channels`: a list of numbers; `secret`: a password, which no page gets."""


class SettingChoice(msgspec.Struct, frozen=True):
    """A value that a field may have; `text`: what was found on the machine, such as a camera's name."""

    value: Any
    text: str = ""


class SettingField(msgspec.Struct, frozen=True):
    """One key of the configuration."""

    key: str
    """Section and key: `camera.backend`."""
    kind: FieldKind
    value: Any
    """The value in force; of a secret, whether there is one."""
    default: Any
    help: str
    """Its meaning, in the reader's language."""
    choices: tuple[SettingChoice, ...] | None = None
    """The possible values; None where they cannot be listed."""
    low: float | None = None
    high: float | None = None


class OwnerSettings(msgspec.Struct, frozen=True):
    """What the page *Settings* shows."""

    fields: tuple[SettingField, ...]
    file: str
    """Path of the configuration file."""
    version: str
    """Changes whenever the file changes."""
    run: str
    """Changes whenever the service starts."""
    previous: bool
    """Whether there are earlier settings that can be put back."""
    playing: bool
    """Whether a game is on the table: it goes on after the restart."""
    ok: bool = True


class SettingsChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """New values by key; null: the default. `version`: that of the settings which the page shows."""

    values: dict[str, Any]
    version: str


class SettingProblem(msgspec.Struct, frozen=True):
    """Why a value cannot be taken; `key` is "" where no single field is to blame. The host gives messages, a
    page gets sentences."""

    key: str
    text: Message | str


class SettingsCheck(msgspec.Struct, frozen=True):
    """What a change would do. With problems it can not be saved."""

    problems: tuple[SettingProblem, ...]
    lines: tuple[str, ...]
    """The changed lines of the file as a unified diff without its head."""
    ok: bool = True


class Restarting(msgspec.Struct, frozen=True):
    """It was done and the service starts again; `run` is that of the service that ends."""

    run: str
    ok: bool = True
