"""A past game, event by event."""

from __future__ import annotations

import msgspec

from companion.api.photos import DisplayPoints
from companion.api.snapshot import GameOnTable, LogEntry
from companion.core.events import StateView


class GameStep(msgspec.Struct, frozen=True):
    """The game as it was after entry `n` of its log; after 0 it had just begun."""

    n: int
    entry: LogEntry | None
    """The entry with its sentences as they were then; `undone` says whether it was taken back later."""
    taken_back: tuple[int, ...]
    """Numbers of the entries that this one took back."""
    state: StateView
    scores: dict[str, int]
    winner: tuple[str, ...]
    phase: str | None
    turn: str | None
    worth: dict[str, DisplayPoints] = {}
    """What each display was worth; empty in a game without displays."""


class GameSteps(msgspec.Struct, frozen=True):
    """Some consecutive steps of a game."""

    game: GameOnTable
    started: str
    """ISO 8601 in UTC."""
    ended: str | None
    last: int
    """Number of the game's last step."""
    file: str
    """Name of the file with the whole game, at `/past/<id>.jsonl`."""
    steps: tuple[GameStep, ...]
    ok: bool = True
