"""Short ways to write scripts of events for the tests of the rulebooks."""

import os
from pathlib import Path
from typing import Any

import pytest

from companion.table.record import Record, opened

Json = dict[str, Any]
ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("COMPANION_SHARED") or ROOT.parent / "shared")


def replay(header: Json, events: list[Json | str]) -> Record[Any]:
    record = opened(header)
    for event in events:
        record.push(event)
    return record


def codes(record: Record[Any]) -> list[tuple[int, str]]:
    return [(one["n"], one["code"]) for one in record.rejected]


def found(record: Record[Any]) -> list[tuple[int, str, str]]:
    return [(one["n"], one["player"], one["verdict"]) for one in record.verdicts]


def view(record: Record[Any]) -> Json:
    return record.book.view(record.state)


# --- Seven Merry Monsters ---------------------------------------------------------------------------------

ABC = ["Anna", "Ben", "Conny"]
ABCD = [*ABC, "Dora"]


def monsters(*events: Json | str, players: list[str] | None = None, **settings: Any) -> Record[Any]:
    return replay(
        {"game": "seven_merry_monsters", "players": players or ABC, "settings": settings}, list(events)
    )


def a_card(text: str) -> Json:
    """`red 5`, `red` or `joker`."""
    monster, _, number = text.partition(" ")
    return {"monster": monster, "number": int(number)} if number else {"monster": monster}


def played(player: str, card: str) -> Json:
    return {"event": "card_played", "player": player, "card": a_card(card)}


def trick(*cards: tuple[str, str]) -> list[Json]:
    return [played(player, card) for player, card in cards]


def placed(player: str, card: str, column: str | None = None) -> Json:
    event: Json = {"event": "card_placed", "player": player, "card": a_card(card)}
    return event if column is None else {**event, "column": column}


def hid(player: str, column: Any) -> Json:
    return {"event": "card_placed", "player": player, "face_down": True, "column": column}


def bared(player: str, column: int, *cards: str) -> Json:
    return {
        "event": "card_revealed",
        "player": player,
        "column": column,
        "cards": [a_card(card) for card in cards],
    }


def awarded(player: str, to: str) -> Json:
    return {"event": "trick_awarded", "player": player, "to": to}


def scanned(player: str, aside: int | None = None, **columns: int | tuple[int, int]) -> Json:
    """`red=3` for three plain cards, `red=(3, 1)` for three of which one is a joker."""
    display = {}
    for monster, column in columns.items():
        cards, jokers = column if isinstance(column, tuple) else (column, 0)
        display[monster] = {"cards": cards, "jokers": jokers}
    event: Json = {"event": "display_scanned", "player": player, "display": display}
    return event if aside is None else {**event, "aside": aside}


TAKEN_IN_TURN = (
    ("Anna red 7", "Ben red 2", "Conny blue 1"),
    ("Anna green 6", "Ben green 1", "Conny yellow 3"),
    ("Anna orange 1", "Ben purple 5", "Conny pink 2"),
    ("Ben pink 3", "Conny pink 6", "Anna blue 2"),
    ("Conny purple 4", "Anna purple 7", "Ben orange 2"),
    ("Anna yellow 2", "Ben yellow 6", "Conny yellow 4"),
    ("Ben blue 3", "Conny green 7", "Anna green 2"),
    ("Conny orange 3", "Anna orange 4", "Ben red 5"),
)
"""Eight tricks of three players without a tie."""
LAST = ("Anna red 1", "Anna pink 4", "Ben blue 4", "Ben purple 2", "Conny yellow 1", "Conny red 3")
"""The two cards that each of them has left."""


def eight_tricks(players: list[str] | None = None) -> list[Json]:
    """Eight tricks; with `players` the same cards by others, the first of them leading."""
    names = dict(zip(ABC, players or ABC, strict=True))
    return [
        played(names[who], card)
        for cards in TAKEN_IN_TURN
        for who, _, card in (text.partition(" ") for text in cards)
    ]


def last_cards(players: list[str] | None = None) -> list[Json]:
    names = dict(zip(ABC, players or ABC, strict=True))
    return [placed(names[who], card) for who, _, card in (text.partition(" ") for text in LAST)]


# --- The Nasty 7 ------------------------------------------------------------------------------------------

NASTY = ["Abby", "Beth", "Carter", "Debbie"]


def nasty(*events: Json | str, players: list[str] | None = None, **settings: Any) -> Record[Any]:
    return replay({"game": "nasty_7", "players": players or NASTY, "settings": settings}, list(events))


def falls(player: str, card: str, t: float) -> Json:
    return {"event": "card_played", "player": player, "card": card, "t": t}


def says(words: str, start: float, end: float | None = None, player: str | None = None) -> Json:
    event: Json = {"event": "heard", "words": words.split(), "start": start, "end": end or start + 0.5}
    return event if player is None else {**event, "player": player}


def doubts(by: list[str], t: float, player: str | None = None) -> Json:
    event: Json = {"event": "accused", "by": by, "t": t}
    return event if player is None else {**event, "player": player}


def passes(t: float) -> Json:
    return {"event": "time_passed", "t": t}


UNDONE = {"event": "undone"}
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "six", "five", "four", "three", "two")


def counted(count: int, players: list[str] | None = None, start: float = 10.0) -> list[Json]:
    """So many racketeers by the players in turn, each called right half a second after it falls, two seconds
    apart: the k-th falls at start + 2k and its call ends a second later."""
    names = players or NASTY
    events = []
    for k in range(count):
        t = start + 2 * k
        events += [falls(names[k % len(names)], "racketeer", t), says(NUMBERS[k % 12], t + 0.5)]
    return events


def needs(path: Path) -> Path:
    """The path, or a skipped test if it is not there."""
    if not path.exists():
        pytest.skip(f"needs {path.name} of the shared folder (set COMPANION_SHARED)")
    return path
