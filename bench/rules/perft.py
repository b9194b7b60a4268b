"""Counts the distinct positions that legal events lead to, as chess engines do (perft).

    python -m bench.rules.perft             the table of all games
    python -m bench.rules.perft nasty_7 3   one game, to a depth

From a small set-up all events on offer are played, breadth first; equal positions count once. The numbers are
pinned by a test: a rule that changes changes them. Choices without an end are cut to a few values: a time is
the present one, words are the right ones and one wrong word, a throw shows all equal dice.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from typing import Any

import msgspec

from companion.core.errors import Rejected
from companion.games import rulebook
from companion.games.contract.choices import Collection, Dice, Number, Objects, Tiles
from companion.games.contract.offers import Choice, Integer, Offer, OneOf, Several, Words
from companion.games.contract.rulebook import Rulebook
from companion.games.seven_merry_monsters.choices import Card

Json = dict[str, Any]


def _set(monster: int, part: str) -> Json:
    return {"monster": monster, "part": part}


SMALL: dict[str, tuple[list[str], Json, int]] = {
    "seven_merry_monsters": (["Ida", "Jo", "Kai"], {"numbers": [1, 2, 3, 4, 5, 6, 7]}, 2),
    "trio_monsters": (["Ida", "Jo"], {"deck_size": 8, "colours": ["red", "black"]}, 4),
    "bugs_and_co": (["Ida", "Jo"], {"countdown": "companion"}, 5),
    "thirteen_monsters": (["Ida", "Jo"], {}, 4),
    "nasty_7": (["Ida", "Jo", "Kai"], {"deck_size": 6}, 4),
}
"""Players, settings and depth of each game's count."""


BEFORE: dict[str, list[Json]] = {
    "thirteen_monsters": [
        {
            "event": "sets_dealt",
            "player": "Ida",
            "sets": [_set(3, "top"), _set(6, "eyes"), _set(6, "bottom")],
        },
        {"event": "sets_dealt", "player": "Jo", "sets": [_set(9, "top")]},
        {"event": "attack_declared", "player": "Ida", "parts": [3, 6, 6], "set": _set(9, "top")},
    ]
}
"""What is played first. The field of 13 Monsters has thousands of beginnings, so a fight is counted."""


def positions(game: str, depth: int | None = None) -> list[int]:
    """The number of distinct positions after 0, 1, 2 ... events of the game's small set-up."""
    players, settings, usual = SMALL[game]
    book = rulebook(game)
    state = book.start(book.header(players, settings))
    for event in BEFORE.get(game, ()):
        state = book.play(state, event).state
    level = [state]
    counts, seen = [1], {fingerprint(book, level[0])}
    for _ in range(usual if depth is None else depth):
        following = []
        for state in level:
            for event in events(book, state):
                try:
                    after = book.play(state, event).state
                except Rejected:
                    continue
                mark = fingerprint(book, after)
                if mark not in seen:
                    seen.add(mark)
                    following.append(after)
        level = following
        counts.append(len(level))
    return counts


def fingerprint(book: Rulebook[Any], state: Any) -> bytes:
    """A position as bytes: the state that a `position` would restore."""
    return msgspec.json.encode(book.view(state), order="sorted")


def events(book: Rulebook[Any], state: Any) -> Iterator[Json]:
    """All events on offer, endless choices cut to a few values."""
    for offer in book.expects(state):
        if offer.after is None:
            yield from _events(book, state, offer)


def _events(book: Rulebook[Any], state: Any, offer: Offer) -> Iterator[Json]:
    names = [name for name in offer.fields if name not in offer.optional]
    now = state.time
    for values in itertools.product(*(list(values_of(offer.fields[name], now)) for name in names)):
        event: Json = {"event": offer.event, **dict(zip(names, values, strict=True))}
        for field in book.events[offer.event].fields:
            if field.name in ("t", "start", "end") and field.required:
                event[field.name] = now
        yield event


def values_of(choice: Choice, now: float) -> Iterator[Any]:
    """The values of a choice, or a few of them where there is no end."""
    match choice:
        case OneOf() | Objects():
            yield from (list(value) if isinstance(value, tuple) else value for value in choice.values)
        case Several() | Collection():
            yield from ([one] for one in choice.values)
        case Number():
            yield max(now, choice.low)
        case Integer():
            yield from range(choice.low or 0, (choice.low or 0) + 2)
        case Words():
            yield from (list(words) for words in choice.right)
            yield ["banana"]
        case Dice():
            yield from ([value] * choice.count for value in (1, 6))
        case Tiles():
            yield from ({}, {"claw": 3}, {"claw": 1})
        case Card():
            for monster in choice.left:
                numbers = (None,) if choice.numbers is None else choice.numbers.get(monster, (None,))
                for number in numbers:
                    yield {"monster": monster} if number is None else {"monster": monster, "number": number}


def main() -> None:
    if len(sys.argv) > 1:
        print(*positions(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else None))
        return
    for game in SMALL:
        print(game, *positions(game))


if __name__ == "__main__":
    main()
