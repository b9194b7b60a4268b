"""The choices for fields of an offered event that are not lists of values: places, dice, sets, counted tiles.

Each describes as data what it allows, so that pages can draw buttons for it (docs/events.md lists them).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from companion.games.contract.fields import identical, is_integer, is_number
from companion.games.contract.offers import Choice

FARTHEST = 1_000_000
"""Largest row and column of a place, and with a minus the smallest: no table is larger."""


def is_place(value: Any) -> bool:
    """Whether a value is [row, column] on a table of sensible size."""
    if not isinstance(value, list) or len(value) != 2:
        return False
    row, column = value
    return (
        is_integer(row)
        and is_integer(column)
        and -FARTHEST <= row <= FARTHEST
        and -FARTHEST <= column <= FARTHEST
    )


class Number(Choice, frozen=True):
    """A number (an integer or not) of at least `low`, and less than `before` (None: no bound)."""

    low: float = 0.0
    before: float | None = None

    def allows(self, value: Any) -> bool:
        return is_number(value) and value >= self.low and (self.before is None or value < self.before)

    def examples(self) -> Sequence[Any]:
        return (self.low,) if self.before is None or self.low < self.before else ()


class Text(Choice, frozen=True):
    """Any text of at least one letter, except those listed."""

    but: tuple[str, ...] = ()

    def allows(self, value: Any) -> bool:
        return isinstance(value, str) and value != "" and value not in self.but

    def examples(self) -> Sequence[Any]:
        return ("*" * (1 + max(map(len, self.but), default=0)),)


class AnyPlace(Choice, frozen=True):
    """Any place of the lattice."""

    def allows(self, value: Any) -> bool:
        return is_place(value)

    def examples(self) -> Sequence[Any]:
        return ([0, 0],)


class Objects(Choice, frozen=True):
    """One of the listed objects; further keys of the object are ignored."""

    values: tuple[dict[str, Any], ...]

    def allows(self, value: Any) -> bool:
        return index_of(value, self.values) is not None

    def examples(self) -> Sequence[Any]:
        return self.values

    def only(self, examples: Sequence[Any]) -> Self:
        return type(self)(tuple(examples))


class Collection(Choice, frozen=True):
    """A list of at least `least` different objects of those listed."""

    values: tuple[dict[str, Any], ...]
    least: int = 0

    def allows(self, value: Any) -> bool:
        if not isinstance(value, list) or len(value) < self.least:
            return False
        found = [index_of(one, self.values) for one in value]
        return None not in found and len(set(found)) == len(found)

    def examples(self) -> Sequence[Any]:
        if not self.values:
            return ([],) if self.least == 0 else ()
        return [[one] for one in self.values]

    def only(self, examples: Sequence[Any]) -> Self:
        return type(self)(tuple(value for (value,) in examples), self.least)


class Dice(Choice, frozen=True):
    """The values of `count` dice."""

    count: int

    def allows(self, value: Any) -> bool:
        return (
            isinstance(value, list)
            and len(value) == self.count
            and all(is_integer(one) and 1 <= one <= 6 for one in value)
        )

    def examples(self) -> Sequence[Any]:
        return ([1] * self.count,)


class Parts(Choice, frozen=True):
    """One monster [top, eyes, bottom], each layer from the numbers listed for it."""

    top: tuple[int, ...]
    eyes: tuple[int, ...]
    bottom: tuple[int, ...]

    def allows(self, value: Any) -> bool:
        hands = (self.top, self.eyes, self.bottom)
        return (
            isinstance(value, list)
            and len(value) == len(hands)
            and all(is_integer(one) and one in hand for one, hand in zip(value, hands, strict=True))
        )

    def examples(self) -> Sequence[Any]:
        hands = (self.top, self.eyes, self.bottom)
        return ([hand[0] for hand in hands],) if all(hands) else ()


class Monsters(Choice, frozen=True):
    """Monsters built from the player's sets, so that no other could be built from the rest (M13-R17).

    A monster is [top, eyes, bottom]; the numbers that the player has are listed for each layer.
    """

    top: tuple[int, ...]
    eyes: tuple[int, ...]
    bottom: tuple[int, ...]

    def allows(self, value: Any) -> bool:
        if not isinstance(value, list) or len(value) != min(map(len, (self.top, self.eyes, self.bottom))):
            return False
        left = (set(self.top), set(self.eyes), set(self.bottom))
        for parts in value:
            if not isinstance(parts, list) or len(parts) != len(left):
                return False
            for one, hand in zip(parts, left, strict=True):
                if not is_integer(one) or one not in hand:
                    return False
                hand.remove(one)
        return True

    def examples(self) -> Sequence[Any]:
        return ([list(parts) for parts in zip(self.top, self.eyes, self.bottom, strict=False)],)


class Tiles(Choice, frozen=True):
    """Counted tiles {symbol: how many}: what can still be among those not yet counted (BUGS-2, BUGS-7)."""

    counted: dict[str, int]
    """How many of a symbol have been counted already; there are three of each."""
    symbols: int
    """How many symbols may still be new."""
    tiles: int
    """How many tiles may still come."""

    def allows(self, value: Any) -> bool:
        if not isinstance(value, dict) or not all(is_integer(n) and n >= 0 for n in value.values()):
            return False
        fresh = sum(n > 0 and self.counted.get(symbol, 0) == 0 for symbol, n in value.items())
        return (
            all(n + self.counted.get(symbol, 0) <= 3 for symbol, n in value.items())
            and fresh <= self.symbols
            and sum(value.values()) <= self.tiles
        )

    def examples(self) -> Sequence[Any]:
        return ({},)


def index_of(value: Any, objects: tuple[dict[str, Any], ...]) -> int | None:
    """Index of the listed object that the value equals in its keys; None if there is none."""
    if not isinstance(value, dict):
        return None
    for i, one in enumerate(objects):
        if all(key in value and identical(value[key], one[key]) for key in one):
            return i
    return None
