"""The machine as its owner sees it: its state, backups that are restored, updates."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.api.devices import DeviceFinding
from companion.core.message import Message

UploadKind = Literal["backup", "update"]
UpdateAction = Literal["update", "install", "back"]
UpdateResult = Literal["", "running", "done", "current", "went_back", "failed"]


class UploadPiece(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A piece of a file that a phone sends; `offset` 0 begins a new file. `data` is base64 in JSON."""

    kind: UploadKind
    offset: int
    data: bytes


class UploadProgress(msgspec.Struct, frozen=True):
    """How many bytes of the file have arrived."""

    size: int
    ok: bool = True


class BackupContents(msgspec.Struct, frozen=True):
    """What a backup holds."""

    made: str
    """Time of day in UTC, as ISO 8601."""
    version: str
    """The program's version that wrote it."""
    games: int
    players: tuple[str, ...]
    last_game: str
    """When the latest game began; "": there is none."""
    decks: tuple[str, ...]
    settings: bool
    """Whether it holds a configuration."""
    ok: bool = True


class RestoreResult(msgspec.Struct, frozen=True):
    """What became of a backup that was to be restored at the start.

    `why`: of the host a message, of a page a sentence; `before`: the folder with the data that were replaced.
    """

    done: bool
    why: Message | str = ""
    before: str = ""


class UpdateState(msgspec.Struct, frozen=True):
    """Updates of an appliance. `available`: whether this machine can be updated from a phone; `from_file`:
    whether a phone may send the new version."""

    available: bool
    from_file: bool = False
    versions: tuple[str, ...] = ()
    """Versions that can be installed again without a network."""
    result: UpdateResult = ""
    """What became of the latest request; `went_back`: the new version did not answer."""
    why: str = ""


class UpdateRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be done: installing the newest version, the one that was sent, or the one before."""

    action: UpdateAction


class MachineState(msgspec.Struct, frozen=True):
    """What the page *This machine* shows."""

    version: str
    health: tuple[DeviceFinding, ...]
    restored: RestoreResult | None
    updates: UpdateState
    run: str
    ok: bool = True
