"""Deletes games and names from the journal: it is written anew without them, and its copy is replaced.

Nobody else has the journal open meanwhile. Backups, kept evidence and recorded evenings are other files; they
still hold what was deleted here.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import msgspec

from companion.core.errors import Unavailable
from companion.core.replace_file import replace_file
from companion.store.healing import check, copy_path, put_in_place, write_rows
from companion.store.salvage import Key, Values, salvage

FORGOTTEN = "forgotten-games.json"
"""File beside the journal: see forgotten_games."""
MOST_FORGOTTEN = 1000
NAME_LETTERS = "bcdfghjkmnpqrstvwxz23456789"
"""No vowels: they make no words."""


def forget_games(journal: Path, games: Collection[int]) -> None:
    """Deletes these games with all their lines and questions.

    Raises:
        Unavailable: the journal is damaged, or the disk is full; nothing has changed.
    """
    rows = _sound_rows(journal)
    first = {"game": 0, "result": 0}  # a night stays while it has games

    def kept(key: Key, values: Values) -> bool:
        if key[0] in first:
            return key[1] not in games
        return key[0] == "night" or values[0] not in games

    left = {key: values for key, values in rows.items() if kept(key, values)}
    nights = {values[1] for key, values in left.items() if key[0] == "game"}
    deleted = [str(values[0]) for key, values in rows.items() if key[0] == "game" and key[1] in games]
    note_forgotten(journal, deleted)
    _write(journal, {key: one for key, one in left.items() if key[0] != "night" or key[1] in nights})


def forgotten_games(journal: Path) -> tuple[str, ...]:
    """The keys of the games that were deleted from a journal, the latest last: whoever else holds them has to
    delete them, too. They are random and say nothing about anybody. Empty if there is no readable file."""
    try:
        return msgspec.json.decode(journal.with_name(FORGOTTEN).read_bytes(), type=tuple[str, ...])
    except (OSError, msgspec.MsgspecError):
        return ()


def note_forgotten(journal: Path, games: Collection[str]) -> None:
    """Adds keys of games to those of `forgotten_games`; the latest MOST_FORGOTTEN are kept.

    Raises:
        Unavailable: the file cannot be written; nothing has changed.
    """
    path = journal.with_name(FORGOTTEN)
    keys = dict.fromkeys((*forgotten_games(journal), *games))
    try:
        replace_file(path, msgspec.json.encode(list(keys)[-MOST_FORGOTTEN:]))
    except OSError as error:
        raise Unavailable("data.cannot_write", path=path, why=error.strerror or str(error)) from error


def random_name() -> str:
    """A name for a person whose own name was deleted."""
    return f"Somebody {''.join(secrets.choice(NAME_LETTERS) for _ in range(6))}"


def forget_name(journal: Path, name: str, new_name: Callable[[], str] = random_name) -> str:
    """Replaces a player's name in every game by another one; returns that.

    Args:
        new_name: makes a name that no other person has, at this table or another one: a hub adds up the games
            of one name.

    Raises:
        Unavailable: the journal is damaged, or the disk is full; nothing has changed.
    """
    rows = _sound_rows(journal)
    games = [values for key, values in rows.items() if key[0] == "game"]
    players = {one for values in games for one in msgspec.json.decode(values[3])}
    while (other := new_name()) in players:
        pass
    _write(journal, {key: tuple(_renamed(one, name, other) for one in rows[key]) for key in rows})
    return other


def _renamed(value: Any, name: str, other: str) -> Any:
    """A column with the name replaced: it is the name itself, or JSON that holds it."""
    if not isinstance(value, str):
        return value
    if value == name:
        return other
    if value[:1] not in "[{":
        return value
    try:
        return msgspec.json.encode(_in_json(msgspec.json.decode(value), name, other)).decode()
    except msgspec.DecodeError:
        return value


def _in_json(value: Any, name: str, other: str) -> Any:
    if isinstance(value, str):
        return other if value == name else value
    if isinstance(value, list):
        return [_in_json(one, name, other) for one in value]
    if isinstance(value, dict):
        return {other if key == name else key: _in_json(one, name, other) for key, one in value.items()}
    return value


def _sound_rows(journal: Path) -> Mapping[Key, Values]:
    if not check(journal).sound:
        raise Unavailable("journal.damaged")
    return salvage(journal).rows


def _write(journal: Path, rows: Mapping[Key, Values]) -> None:
    part = journal.with_name(journal.name + ".new")
    try:
        write_rows(part, rows)
        ready = journal.with_name(journal.name + ".healed")
        os.replace(part, ready)
        put_in_place(ready, journal)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise Unavailable("journal.cannot_write", path=journal, why=error.strerror or str(error)) from error
    copy_path(journal).unlink(missing_ok=True)
