"""What tests need to speak to a table as a phone does: commands from JSON, snapshots and replies as JSON."""

from typing import Any

import msgspec

from companion.announce.render import TableRenderer
from companion.api.commands import PHONE_COMMANDS, Caller, EnterEvent, Reply, Request, StopClock
from companion.api.snapshot import Snapshot, TableChange
from companion.table.story import phrases

REFEREE = Caller("referee")
RENDERER = TableRenderer(phrases)


def request(name: str, data: dict[str, Any]) -> Request:
    """The command of this name, decoded as the pages decode it."""
    if name == "event":
        return EnterEvent(data)
    shape: Any = {**PHONE_COMMANDS, "wait": StopClock}[name]
    decoded: Request = msgspec.json.decode(msgspec.json.encode(data), type=shape)
    return decoded


def as_json(value: object) -> Any:
    """A struct as the JSON that a page gets."""
    return msgspec.json.decode(msgspec.json.encode(value))


def shown(snapshot: Snapshot, language: str = "en") -> dict[str, Any]:
    """The snapshot as the JSON that a page in this language gets."""
    found: dict[str, Any] = as_json(RENDERER.snapshot(snapshot, language))
    return found


def changed(change: TableChange, language: str = "en") -> dict[str, Any]:
    """The change as the JSON that a page in this language gets."""
    found: dict[str, Any] = as_json(RENDERER.change(change, language))
    return found


def answered(reply: Reply, language: str = "en") -> dict[str, Any]:
    """The reply as the JSON that a page in this language gets."""
    found: dict[str, Any] = as_json(RENDERER.reply(reply, language))
    return found
