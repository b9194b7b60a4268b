"""How fast right calls came, from the journal of a game."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.events import Event
from companion.store.rows import GameRow, Line
from companion.table.record import opened

RIGHT = "correct"
LISTENED = "microphone"
"""Only what was heard has the time at which it was said; a phone is tapped later."""


def reaction_times(row: GameRow, lines: Sequence[Line]) -> dict[str, tuple[float, ...]]:
    """Player -> seconds from the card to the beginning of each right call, in their order.

    A call is about the latest card on the pile, and counts if whoever laid it was judged right.

    Raises:
        BadHeader: the game is not known.
    """
    record = opened(row.header())
    card: Event | None = None
    found: dict[str, list[float]] = {}
    for line in lines:
        entry = record.push(line.event)
        if entry.code is not None:
            continue
        kind = line.event.get("event")
        if kind == "card_played":
            card = line.event
        elif kind == "heard" and line.source == LISTENED and card is not None:
            player = card.get("player")
            right = any(one.player == player and one.verdict == RIGHT for one in entry.findings)
            if right and "start" in line.event and "t" in card:
                found.setdefault(str(player), []).append(round(max(0.0, line.event["start"] - card["t"]), 2))
    return {player: tuple(times) for player, times in found.items()}
