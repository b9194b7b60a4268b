"""Events a second of a rulebook, beside legal pushes of python-chess in the same run.

Random games are played beforehand (one legal event after the other, one in ten sent twice, which is mostly
refused), then their events are pushed through a record as live play and replay do: checked, judged and kept
with the way back. Each game's fastest run counts, in seconds that the process was computing: what is left out
is the time that a busy machine takes for itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from importlib import util
from random import Random
from typing import Any, TypeVar

from bench.rules.play import header_of, whole_game
from companion.games import rulebook
from companion.table.record import opened

Json = dict[str, Any]
Script = tuple[Json, list[Json]]
T = TypeVar("T")
GAMES = 30
MINIMUM_S = 2.0
"""The games of each rulebook are repeated for at least so many seconds."""


def scripts_of(game: str, number: int = GAMES) -> list[Script]:
    """Random games as scripts: header and events, every tenth event sent twice so that some are rejected."""
    found = []
    for seed in range(number):
        random = Random(seed)
        header = header_of(rulebook(game), random)
        events: list[Json] = []
        for entry in whole_game(header, random).entries:
            events.append(entry.event)
            if len(events) % 10 == 0:
                events.append(dict(entry.event))
        found.append((header, events))
    return found


def events_a_second(scripts: Sequence[Script]) -> float:
    """Events a second through the record, over all scripts."""
    return _rate(scripts, _replayed)


def _replayed(script: Script) -> int:
    header, events = script
    record = opened(header)
    for event in events:
        record.push(event)
    return len(events)


def _rate(items: Sequence[T], work: Callable[[T], int]) -> float:
    """Units of work a second, each item at its fastest."""
    fastest, units, spent = [float("inf")] * len(items), 0, 0.0
    while spent < MINIMUM_S:
        units = 0
        for i, item in enumerate(items):
            begin = time.process_time()
            units += work(item)
            took = time.process_time() - begin
            fastest[i] = min(fastest[i], took)
            spent += took
    return units / sum(fastest) if units else 0.0


def chess_pushes_a_second() -> float | None:
    """Legal pushes of python-chess, each move checked first as our events are; None without it."""
    if util.find_spec("chess") is None:
        return None
    import chess

    games = []
    for seed in range(10):
        random, board = Random(seed), chess.Board()
        moves: list[chess.Move] = []
        while not board.is_game_over() and len(moves) < 120:
            moves.append(random.choice(list(board.legal_moves)))
            board.push(moves[-1])
        games.append(moves)

    def played(moves: list[chess.Move]) -> int:
        board = chess.Board()
        for move in moves:
            if board.is_legal(move):
                board.push(move)
        return len(moves)

    return _rate(games, played)
