"""What is stored on this machine about people and games, to be listed and deleted."""

from __future__ import annotations

from typing import Literal

import msgspec

FileKind = Literal["evidence", "damaged", "replaced"]
"""Kept evidence, a damaged journal that was repaired, data that a backup has replaced."""


class StoredFile(msgspec.Struct, frozen=True):
    """A file or a folder in the data folder."""

    kind: FileKind
    name: str
    bytes: int


class StoredGame(msgspec.Struct, frozen=True):
    """A game in the journal."""

    id: int
    title: str
    started: str
    players: tuple[str, ...]
    on_table: bool


class StoredData(msgspec.Struct, frozen=True):
    """Everything that can be deleted here; recordings and decks have pages of their own."""

    folder: str
    """The data folder."""
    games: tuple[StoredGame, ...]
    """The latest first."""
    players: tuple[str, ...]
    """Every name in the journal."""
    voices: tuple[str, ...]
    """Players whose voices are stored."""
    files: tuple[StoredFile, ...]
    ok: bool = True
