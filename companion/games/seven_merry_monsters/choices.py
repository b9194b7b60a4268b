"""The choices for cards, hidden columns and displays that can still turn up in Seven Merry Monsters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from companion.games.contract.fields import is_integer
from companion.games.contract.offers import Choice
from companion.games.seven_merry_monsters.state import JOKER


class Card(Choice, frozen=True):
    """A card {"monster", "number"?} that has not been seen yet in the round."""

    left: dict[str, int]
    """How many of each monster (and joker) can still turn up; those that cannot are not listed."""
    numbers: dict[str, tuple[int, ...]] | None = None
    """The numbers left of each monster; None where the numbers are not known."""
    number_required: bool = False
    """A monster without its number is not enough."""

    def allows(self, value: Any) -> bool:
        if not isinstance(value, dict):
            return False
        monster = value.get("monster")
        if not isinstance(monster, str) or monster not in self.left:
            return False
        if "number" not in value:
            return monster == JOKER or not self.number_required
        number = value["number"]
        if not (is_integer(number) and number >= 0):
            return False
        return monster == JOKER or self.numbers is None or number in self.numbers.get(monster, ())

    def examples(self) -> Sequence[Any]:
        for monster in self.left:
            if monster == JOKER or not self.number_required:
                return ({"monster": monster},)
            for number in (0,) if self.numbers is None else self.numbers.get(monster, ()):
                return ({"monster": monster, "number": number},)
        return ()


class Cards(Choice, frozen=True):
    """All cards of a hidden column."""

    count: int
    card: Card
    showing: tuple[str, ...] | None = None
    """One of the monsters has to be one of these; None where it need not."""

    def allows(self, value: Any) -> bool:
        if not isinstance(value, list) or len(value) != self.count or not all(map(self.card.allows, value)):
            return False
        monsters = Counter(card["monster"] for card in value)
        if any(count > self.card.left[monster] for monster, count in monsters.items()):
            return False
        known = [(card["monster"], card["number"]) for card in value if "number" in card]
        known = [] if self.card.numbers is None else [face for face in known if face[0] != JOKER]
        if len(set(known)) < len(known):
            return False
        return self.showing is None or any(monster in self.showing for monster in monsters)

    def examples(self) -> Sequence[Any]:
        cards = [monster for monster, count in self.card.left.items() for _ in range(count)]
        if self.showing is not None:
            cards.sort(key=lambda monster: monster not in (self.showing or ()))
        example = [{"monster": monster} for monster in cards[: self.count]]
        return (example,) if self.allows(example) else ()


class Columns(Choice, frozen=True):
    """A display {monster: {"cards", "jokers"}} with at least one column."""

    left: dict[str, int]
    """How many cards of each monster there can be."""
    jokers: int
    """How many jokers there can be."""
    total: int | None = None
    """How many cards there must be, if all others have been counted."""

    def allows(self, value: Any) -> bool:
        if not isinstance(value, dict) or not value or not value.keys() <= self.left.keys():
            return False
        if not all(self._is_column(monster, column) for monster, column in value.items()):
            return False
        cards = sum(column["cards"] for column in value.values())
        jokers = sum(column["jokers"] for column in value.values())
        return jokers <= self.jokers and self.total in (None, cards)

    def _is_column(self, monster: str, column: Any) -> bool:
        if not isinstance(column, dict):
            return False
        cards, jokers = column.get("cards"), column.get("jokers")
        if not (is_integer(cards) and is_integer(jokers)):
            return False
        return 0 <= jokers < cards and cards - jokers <= self.left[monster]

    def examples(self) -> Sequence[Any]:
        columns: dict[str, dict[str, int]] = {}
        missing = 1 if self.total is None else self.total
        for monster, count in self.left.items():
            if min(count, missing) > 0:
                columns[monster] = {"cards": min(count, missing), "jokers": 0}
                missing -= min(count, missing)
        for column in list(columns.values())[:1]:
            column["cards"] += missing
            column["jokers"] += missing
        return (columns,) if self.allows(columns) else ()
