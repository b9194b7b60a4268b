"""Draws at random what an offer's choice allows. A choice of a new kind is registered with `draw`."""

from __future__ import annotations

from functools import singledispatch
from random import Random
from typing import Any

from companion.games.contract.choices import (
    AnyPlace,
    Collection,
    Dice,
    Monsters,
    Number,
    Objects,
    Parts,
    Text,
    Tiles,
)
from companion.games.contract.offers import Choice, Integer, OneOf, Several, Words
from companion.games.seven_merry_monsters.choices import Card, Cards, Columns

Json = dict[str, Any]

NOISE = ("eight", "one", "seven", "puh", "hmmrrr", "3", "ouch")
COLOURS = ("red", "blue", "green", "yellow", "black")


class NothingFits(Exception):
    """A choice that nothing drawn at random satisfies; another offer has to be tried."""


@singledispatch
def draw(choice: Choice, random: Random) -> Any:
    """A value that the choice allows.

    Raises:
        NothingFits: none was found.
    """
    raise NotImplementedError(type(choice).__name__)


@draw.register
def _(choice: OneOf, random: Random) -> Any:
    if not choice.values:
        raise NothingFits
    value = random.choice(choice.values)
    return list(value) if isinstance(value, tuple) else value


@draw.register
def _(choice: Integer, random: Random) -> Any:
    if not choice.examples():
        raise NothingFits
    low = 0 if choice.low is None else choice.low
    return random.randint(low, low + 9 if choice.high is None else choice.high)


@draw.register
def _(choice: Several, random: Random) -> Any:
    if not choice.values:
        raise NothingFits
    return random.sample(choice.values, random.randint(1, len(choice.values)))


@draw.register
def _(choice: Words, random: Random) -> Any:
    if choice.right and random.random() < 0.93:
        return list(random.choice(choice.right))
    return random.choices(NOISE, k=random.randint(1, 3))


@draw.register
def _(choice: Card, random: Random) -> Any:
    monsters = [monster for monster, left in choice.left.items() for _ in range(left)]
    if not monsters:
        raise NothingFits
    monster = random.choice(monsters)
    if monster == "joker":
        return {"monster": monster}
    if choice.numbers is None:
        return {"monster": monster, "number": random.randint(1, 7)}
    if not choice.numbers[monster]:
        raise NothingFits
    return {"monster": monster, "number": random.choice(choice.numbers[monster])}


@draw.register
def _(choice: Cards, random: Random) -> Any:
    for _attempt in range(60):
        cards = [draw(choice.card, random) for _ in range(choice.count)]
        if choice.showing and random.random() < 0.5:
            cards[0]["monster"] = random.choice(choice.showing)
        if choice.allows(cards):
            return cards
    raise NothingFits


@draw.register
def _(choice: Columns, random: Random) -> Any:
    plain = [monster for monster, left in choice.left.items() for _ in range(left)]
    total = random.randint(7, 13) if choice.total is None else choice.total
    jokers = random.randint(0, min(choice.jokers, max(0, total - 1), 4))
    if not 1 <= total - jokers <= len(plain):
        raise NothingFits
    display: Json = {}
    for monster in random.sample(plain, total - jokers):
        display.setdefault(monster, {"cards": 0, "jokers": 0})["cards"] += 1
    for _joker in range(jokers):
        column = random.choice(list(display.values()))
        column["cards"] += 1
        column["jokers"] += 1
    return display


@draw.register
def _(choice: Number, random: Random) -> Any:
    high = choice.low + 1.5 if choice.before is None else choice.before
    value = choice.low + random.random() * (high - choice.low)
    return value if choice.allows(value) else choice.low


@draw.register
def _(choice: Text, random: Random) -> Any:
    left = [colour for colour in COLOURS if colour not in choice.but]
    if not left:
        raise NothingFits
    return random.choice(left)


@draw.register
def _(choice: AnyPlace, random: Random) -> Any:
    return [random.randint(-9, 9), random.randint(-9, 9)]


@draw.register
def _(choice: Objects, random: Random) -> Any:
    if not choice.values:
        raise NothingFits
    return dict(random.choice(choice.values))


@draw.register
def _(choice: Collection, random: Random) -> Any:
    if len(choice.values) < choice.least:
        raise NothingFits
    count = choice.least + int(random.random() ** 3 * (len(choice.values) - choice.least + 1))
    return [dict(one) for one in random.sample(choice.values, count)]


@draw.register
def _(choice: Dice, random: Random) -> Any:
    return [random.randint(1, 6) for _ in range(choice.count)]


@draw.register
def _(choice: Parts, random: Random) -> Any:
    return [random.choice(layer) for layer in (choice.top, choice.eyes, choice.bottom)]


@draw.register
def _(choice: Monsters, random: Random) -> Any:
    layers = [random.sample(layer, len(layer)) for layer in (choice.top, choice.eyes, choice.bottom)]
    return [list(parts) for parts in zip(*layers, strict=False)]


@draw.register
def _(choice: Tiles, random: Random) -> Any:
    tiles: Json = {}
    left, fresh = choice.tiles, choice.symbols
    symbols = random.sample(range(30), random.randint(0, 9))
    for symbol in map(str, symbols):
        there = choice.counted.get(symbol, 0)
        count = min(random.randint(0, 3), 3 - there, left)
        if count and (there or fresh):
            tiles[symbol] = count
            left -= count
            fresh -= there == 0
    return tiles
