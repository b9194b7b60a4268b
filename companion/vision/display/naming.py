"""Names the parts of columns: the verifier says which cards of the deck each may show, and all columns are
named together.

A part alone may be like two cards. But the cards of a column are of one monster, or jokers; no two columns
are of the same monster; and a card of a monster is there once.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.cards.strips import Strip
from companion.vision.cards.verified_places import VerifiedCard
from companion.vision.display.limits import CardModel, StartEvidence, column_limits
from companion.vision.display.straight import CardPart
from companion.vision.image.picture import Array, Floats

LIKELY = 4
"""Names that are offered for an unsure part."""


@dataclass(frozen=True, eq=False)
class ComparedPart:
    """A part with what it shows (None if too little of it is seen), and the cards of the deck (by name) that
    the verifier was asked about. `left_without`: what the deck leaves unexplained of the card before if no
    card begins here, 1 if there is none."""

    part: CardPart
    strip: Strip | None
    cards: Mapping[str, VerifiedCard]
    left_without: float = 1.0

    @property
    def left(self) -> float:
        """What the deck leaves unexplained of it, 1 if too little is seen."""
        return 1.0 if self.strip is None else self.strip.left

    @property
    def likeliest(self) -> tuple[str, ...]:
        """The likeliest cards, the most likely first."""
        return tuple(sorted(self.cards, key=lambda name: -self.cards[name].log_odds)[:LIKELY])

    @property
    def known(self) -> float:
        """The log odds of the likeliest card; minus infinity if there is none."""
        return max((card.log_odds for card in self.cards.values()), default=-math.inf)

    @property
    def is_known(self) -> bool:
        """Whether it shows a card of the deck more likely than not."""
        return self.known > 0.0

    @property
    def place(self) -> Floats:
        """The whole card, where the likeliest card lies if it is likely."""
        return self.cards[self.likeliest[0]].quad if self.is_known else self.part.quad

    def evidence(self, odds: float, seen: float) -> StartEvidence:
        """What speaks for a card that begins here, with the network's log-odds and what the finder sees."""
        return StartEvidence(odds, seen, self.left_without - self.left)


@dataclass(frozen=True, eq=False)
class ComparedColumn:
    """A column whose parts were compared with the deck: the quad (4, 2) round all of them, the parts that are
    counted, the open card last, and the parts that must be asked about, most doubtful first."""

    quad: Floats
    parts: tuple[ComparedPart, ...]
    doubts: tuple[ComparedPart, ...]


@dataclass(frozen=True, eq=False)
class NamedPart:
    """A part with its name; `lead`: by how much less likely the next card of its column is, as log odds; and
    the names that are likely, likeliest first."""

    compared: ComparedPart
    name: str
    lead: float
    likely: tuple[str, ...]

    @property
    def quad(self) -> Floats:
        """The whole card in pixels of the picture, clockwise from its own top left."""
        found = self.compared.cards.get(self.name)
        return self.compared.part.quad if found is None else found.quad


@dataclass(frozen=True, eq=False)
class NamedColumn:
    """The monster of a column and its probability; the parts that are counted and those that must be asked
    about; and `same`: by how much likelier another monster is by the cards of this column alone, as log odds,
    less than 0 if none is likelier. (That monster was given to another column.)"""

    monster: str
    probability: float
    parts: tuple[NamedPart, ...]
    doubts: tuple[NamedPart, ...]
    same: float


@dataclass(frozen=True)
class DeckMonsters:
    """The cards of each monster, the joker's label (empty: none), and how sure the verifier is of cards."""

    cards: Mapping[str, Sequence[str]]
    joker: str
    model: CardModel

    @staticmethod
    def of(names: Sequence[str], joker: str, model: CardModel) -> DeckMonsters:
        """The monsters of a deck with these labels, "<monster> <number>"."""
        found: dict[str, list[str]] = {}
        for name in names:
            if name != joker:
                found.setdefault(monster_of(name), []).append(name)
        return DeckMonsters(found, joker, model)

    def possible(self, monster: str) -> list[str]:
        """The cards that a column of a monster may have."""
        return [*self.cards[monster], *([self.joker] if self.joker else [])]

    def shares(self, part: ComparedPart) -> dict[str, float]:
        """The probability that a part shows each card of the deck, if it shows one."""
        names = [name for own in self.cards.values() for name in own] + ([self.joker] if self.joker else [])
        odds = [part.cards[name].log_odds if name in part.cards else -math.inf for name in names]
        return dict(zip(names, self.model.shares(np.array(odds)).tolist(), strict=True))

    def log_likelihoods(self, parts: Sequence[ComparedPart]) -> Array:
        """For each monster (n,) the logarithm of how likely the cards of a column are of it or jokers."""
        found = np.zeros(len(self.cards))
        for part in parts:
            shares = self.shares(part)
            found += np.log([sum(shares[name] for name in self.possible(one)) for one in self.cards])
        return found

    def is_clear(self, parts: Sequence[ComparedPart]) -> bool:
        """Whether the cards of a column are of one monster for sure, and one is likely a card of the deck."""
        logs = self.log_likelihoods(parts)
        sure = 1.0 / np.exp(logs - logs.max()).sum() > column_limits().cards.clear_monster
        return bool(sure) and any(part.is_known for part in parts)


def monster_of(label: str) -> str:
    """The monster of a card's label, "<monster> <number>"."""
    return label.rsplit(" ", 1)[0]


def name_columns(columns: Sequence[ComparedColumn], monsters: DeckMonsters) -> list[NamedColumn]:
    """The columns named together."""
    if not columns:
        return []
    logs = np.array([monsters.log_likelihoods(one.parts) for one in columns])
    probabilities = posterior(logs)
    chosen, found = assigned(probabilities), []
    for at, (column, own) in enumerate(zip(columns, chosen, strict=True)):
        monster = list(monsters.cards)[own]
        parts = _named(column.parts, monster, monsters)
        free = [name for name in monsters.cards[monster] if name not in {part.name for part in parts}]
        by_part = {id(part.compared): part for part in parts}
        doubts = [by_part.get(id(one)) or _unnamed(one, free, monsters) for one in column.doubts]
        others = np.delete(logs[at], own)
        same = float(others.max(initial=-math.inf) - logs[at, own])
        likely = float(probabilities[at, own])
        found.append(NamedColumn(monster, likely, tuple(parts), tuple(doubts), same))
    return found


# --- which monsters the columns show ------------------------------------------------------------------------


def posterior(logs: Array) -> Floats:
    """The probability (columns, monsters) of each monster for each column, by all assignments of monsters to
    columns in which no two columns show the same one; with more columns than monsters any column may show any
    monster. `logs` (columns, monsters) are the logarithms of how likely each column alone shows each monster.

    >>> posterior(np.log([[0.9, 0.1], [0.6, 0.4]])).round(3).tolist()
    [[0.8569999933242798, 0.14300000667572021], [0.14300000667572021, 0.8569999933242798]]
    """
    columns, monsters = logs.shape
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    # The weights of all assignments of the first columns, by the monsters that they use, as bits of a number.
    before = [{0: 1.0}]
    for column in range(columns):
        extended: dict[int, float] = {}
        for used, weight in before[-1].items():
            for monster in _free(used, columns, monsters):
                key = used | 1 << monster
                extended[key] = extended.get(key, 0.0) + weight * float(weights[column, monster])
        before.append(extended)
    # The weights of all assignments of the other columns, by the monsters that are used already.
    after = dict.fromkeys(before[columns], 1.0)
    found = np.zeros((columns, monsters), np.float32)
    for column in reversed(range(columns)):
        rest: dict[int, float] = {}
        for used, weight in before[column].items():
            for monster in _free(used, columns, monsters):
                later = float(weights[column, monster]) * after[used | 1 << monster]
                rest[used] = rest.get(used, 0.0) + later
                found[column, monster] += weight * later
        after = rest
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def assigned(likely: Floats) -> list[int]:
    """For each column its likeliest monster that no surer column shows; `likely` (columns, monsters) are the
    probabilities by `posterior`.

    >>> assigned(posterior(np.log([[0.9, 0.1], [0.6, 0.4]])))
    [0, 1]
    """
    columns, monsters = likely.shape
    found, used = [0] * columns, 0
    for column in np.argsort(-likely.max(axis=1)).tolist():
        free = _free(used, columns, monsters)
        found[column] = free[int(likely[column, free].argmax())]
        used |= 1 << found[column]
    return found


def _free(used: int, columns: int, monsters: int) -> list[int]:
    """The monsters that one more column may show besides those that are `used`, as bits of a number."""
    return [monster for monster in range(monsters) if columns > monsters or not used >> monster & 1]


# --- which cards a column shows -----------------------------------------------------------------------------


def _unnamed(part: ComparedPart, names: Sequence[str], monsters: DeckMonsters) -> NamedPart:
    """A part that is not counted, with the cards of its column that may lie there."""
    shares = monsters.shares(part)
    likely = sorted(names, key=lambda name: -shares[name])[: LIKELY - 1]
    return NamedPart(part, "", 0.0, (*likely, monsters.joker) if monsters.joker else tuple(likely))


def _named(parts: Sequence[ComparedPart], monster: str, monsters: DeckMonsters) -> list[NamedPart]:
    """Each part by a card of the column, no card of the monster twice: the surest first."""
    possible, shares = monsters.possible(monster), [monsters.shares(part) for part in parts]
    order = sorted(range(len(parts)), key=lambda at: -max(shares[at][name] for name in possible))
    taken: set[str] = set()
    found: dict[int, NamedPart] = {}
    for at in order:
        free = [name for name in possible if name == monsters.joker or name not in taken] or possible
        ranked = sorted(free, key=lambda name: -shares[at][name])
        # no other card of the column is left: one that the verifier was not asked about is no likelier
        first, second = ([shares[at][name] for name in ranked] + [min(shares[at].values())])[:2]
        lead = math.log(first / second)
        taken.add(ranked[0])
        found[at] = NamedPart(parts[at], ranked[0], lead, tuple(ranked[:LIKELY]))
    return [found[at] for at in range(len(parts))]
