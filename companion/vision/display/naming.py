"""Names the parts of columns: every part is compared with every card of the deck, all columns together.

A part alone may be like two cards. But the cards of a column are of one monster, or jokers; no two columns
are of the same monster; and a card of a monster is there once. So each column gets the monster that leaves
least unexplained of all its parts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.deck.deck import Deck
from companion.vision.display.columns import FoundColumn
from companion.vision.display.straight import CardPart
from companion.vision.image import geometry
from companion.vision.image.picture import Floats
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.match.strip_match import StripComparison, StripMatcher
from companion.vision.match.suppression import ExplainedMap

WELL_EXPLAINED, EXPLAINED, HARDLY_EXPLAINED, UNEXPLAINED = 0.2, 0.35, 0.5, 0.75
"""What the likeliest card leaves unexplained up to which a card lies there for certain, likely, perhaps, and
from which none seems to lie there. Of 76 parts of development displays half left less than 0.15, nine tenths
less than 0.45; of wrong places half more than 0.7, one in twenty less than 0.3."""
SHORT_STEP, REGULAR, LONG_STEP = 0.6, (0.7, 1.35), 1.5
"""Usual steps below which two cards cannot follow each other, between which a step is regular, and from
which a card may be missing."""
UNCOMPARED = 1.0
"""What a card that was not compared leaves unexplained."""
LIKELY = 4
"""Names that are offered for an unsure part."""


@dataclass(frozen=True, eq=False)
class ComparedPart:
    """A part with what each card of the deck (by name) leaves unexplained of it, 0 to 1, and its place."""

    part: CardPart
    cards: Mapping[str, StripComparison]

    def left(self, name: str) -> float:
        """What a card leaves unexplained."""
        found = self.cards.get(name)
        return UNCOMPARED if found is None else found.left

    @property
    def place(self) -> Floats:
        """The whole card, where the likeliest card lies if that explains the part."""
        best = min(self.cards.values(), key=_left, default=None)
        return self.part.quad if best is None or best.left > EXPLAINED else best.quad

    @property
    def likeliest(self) -> tuple[str, ...]:
        """The cards that leave least unexplained."""
        return tuple(sorted(self.cards, key=self.left)[:LIKELY])

    @property
    def least(self) -> float:
        """What the likeliest card leaves unexplained."""
        return min((one.left for one in self.cards.values()), default=UNCOMPARED)


@dataclass(frozen=True, eq=False)
class Start:
    """A place where a card begins in a column: the part compared, and whether an edge shows clearly there."""

    compared: ComparedPart
    certain: bool


@dataclass(frozen=True, eq=False)
class ComparedColumn:
    """A column with its parts compared, the open card last, and the parts that must be asked about."""

    column: FoundColumn
    parts: tuple[ComparedPart, ...]
    doubts: tuple[ComparedPart, ...]


@dataclass(frozen=True, eq=False)
class NamedPart:
    """A part with its name, by how much more the next card of its column leaves unexplained, and the names
    that are likely, likeliest first."""

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
    """A column with its monster, its parts, by how much more of a part, on average, another monster would
    leave unexplained, and the monster that explains it best if another column may be the same."""

    column: FoundColumn
    monster: str
    parts: tuple[NamedPart, ...]
    doubts: tuple[NamedPart, ...]
    lead: float
    alone: str


class PartComparer:
    """Compares parts of one picture with a deck."""

    def __init__(self, scene: PicturePyramid, deck: Deck, explained: ExplainedMap) -> None:
        """`explained` marks the cards compared, which cover others."""
        self._deck, self._explained = deck, explained
        self._matcher = StripMatcher(scene, deck.strip_templates, explained)

    def column(self, column: FoundColumn, step: float) -> ComparedColumn:
        """The parts of a column compared with the deck, and which of them count; `step` is the usual one from
        card to card, in card lengths."""
        uncertain = {id(doubt) for doubt in column.doubts}
        cover, below = column.parts[-1].quad, math.inf
        found: list[Start] = []
        for part in sorted([*column.parts, *column.doubts], key=_start, reverse=True):
            compared = self._compared(part, cover)
            start = Start(compared, id(part) not in uncertain)
            found.append(start)
            if start.certain or (compared.least < EXPLAINED and below - part.start > SHORT_STEP * step):
                cover, below = compared.place, part.start
                self._explained.add_whole_quad(cover)
        parts, doubts = settled(found, step, divided=column.divided)
        beyond = self._compared(_further(parts[-1].part, step), cover)
        if beyond.least < EXPLAINED:
            doubts.append(beyond)
        return ComparedColumn(column, tuple(parts[::-1]), tuple(doubts))

    def leftover(self, quad: Floats) -> ComparedPart:
        """A place outside of the columns (4, 2), compared as a card that is seen whole."""
        return self._compared(CardPart(quad, 1.0), quad)

    def _compared(self, part: CardPart, cover: Floats) -> ComparedPart:
        best: dict[str, StripComparison] = {}
        for one in self._matcher.compare(part.quad, cover):
            name = self._deck.labels[one.look]
            if name not in best or one.left < best[name].left:
                best[name] = one
        return ComparedPart(part, best)


def settled(
    starts: Sequence[Start], step: float, *, divided: bool
) -> tuple[list[ComparedPart], list[ComparedPart]]:
    """Which parts of a column are counted, and which must be asked about (counted or not). `starts`: from the
    open card to the covered end; `divided`: the open card must be checked. Cards lie at nearly equal steps,
    and a card of the deck explains each."""
    parts, doubts = [starts[0].compared], []
    if divided and starts[0].compared.least > EXPLAINED:
        doubts.append(starts[0].compared)
    for at, one in enumerate(starts[1:], start=1):
        least, away = one.compared.least, (parts[-1].part.start - one.compared.part.start) / step
        if one.compared.part.start == 0.0:
            counted, asked = True, least > EXPLAINED and not REGULAR[0] < away < REGULAR[1]
        elif away < SHORT_STEP:
            counted, asked = False, least < WELL_EXPLAINED
        elif one.certain:
            counted, asked = True, least > UNEXPLAINED
        else:
            regular, counted = REGULAR[0] < away < REGULAR[1], least < HARDLY_EXPLAINED
            missing = (parts[-1].part.start - _next_start(starts[at + 1 :])) / step > LONG_STEP
            asked = EXPLAINED < least < UNEXPLAINED and (missing if not counted else not regular)
        if counted:
            parts.append(one.compared)
        if asked:
            doubts.append(one.compared)
    return parts, doubts


def _next_start(starts: Sequence[Start]) -> float:
    """Where the next card begins that is not in doubt."""
    sure = (one.compared.part.start for one in starts if one.certain or one.compared.least < EXPLAINED)
    return next(sure, 0.0)


def name_columns(
    columns: Sequence[ComparedColumn], groups: Mapping[str, Sequence[str]], joker: str
) -> list[NamedColumn]:
    """The columns named together. `groups`: the cards of each monster; `joker` is the label of the joker, or
    empty."""
    monsters = list(groups)
    costs = np.array(
        [
            [np.mean([_best(part, groups[m], joker) for part in one.parts]) for m in monsters]
            for one in columns
        ]
    )
    found = []
    for at, (column, own) in enumerate(zip(columns, assigned(costs), strict=True)):
        others = np.delete(costs[at], own)
        lead = float(others.min() - costs[at, own]) if others.size else 1.0
        parts = _named(column.parts, groups[monsters[own]], joker)
        free = [name for name in groups[monsters[own]] if name not in {part.name for part in parts}]
        by_part = {id(part.compared): part for part in parts}
        doubts = [by_part.get(id(one)) or _unnamed(one, free, joker) for one in column.doubts]
        alone = monsters[int(costs[at].argmin())]
        found.append(NamedColumn(column.column, monsters[own], tuple(parts), tuple(doubts), lead, alone))
    return found


def _unnamed(part: ComparedPart, names: Sequence[str], joker: str) -> NamedPart:
    """A part that is not counted, with the cards of its column that may lie there."""
    likely = sorted(names, key=part.left)[: LIKELY - 1]
    return NamedPart(part, "", 0.0, (*likely, joker) if joker else tuple(likely))


def assigned(costs: Floats) -> list[int]:
    """For each row another column of the costs so that the sum is least; with more rows than columns, columns
    are used again. Rows are taken by how much they would lose."""
    rows, count = costs.shape
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
    reuse = rows > count
    for row in range(rows):
        after: dict[int, tuple[float, tuple[int, ...]]] = {}
        for used, (total, path) in best.items():
            for column in range(count):
                if used >> column & 1 and not reuse:
                    continue
                key, value = used | 1 << column, total + float(costs[row, column])
                if key not in after or value < after[key][0]:
                    after[key] = (value, (*path, column))
        best = after
    return list(min(best.values())[1])


def _left(one: StripComparison) -> float:
    return one.left


def _further(part: CardPart, step: float) -> CardPart:
    """Where another card would begin, a step before the first one of a column."""
    corner = np.array([[0, -step], [1, -step], [1, 1 - step], [0, 1 - step]], np.float32)
    quad = geometry.transform(corner, geometry.homography(geometry.UNIT, part.quad))
    return CardPart(quad, min(1.0, step), part.start - step)


def _start(part: CardPart) -> float:
    return part.start


def _best(part: ComparedPart, names: Sequence[str], joker: str) -> float:
    return min([part.left(name) for name in names] + ([part.left(joker)] if joker else []))


def _named(parts: Sequence[ComparedPart], names: Sequence[str], joker: str) -> list[NamedPart]:
    """Each part by a card of the column, no card of the monster twice."""
    possible = [*names, *([joker] if joker else [])]
    order = sorted(range(len(parts)), key=lambda at: min(parts[at].left(name) for name in possible))
    taken: set[str] = set()
    found: dict[int, NamedPart] = {}
    for at in order:
        free = [name for name in possible if name == joker or name not in taken] or possible
        ranked = sorted(free, key=parts[at].left)
        lead = parts[at].left(ranked[1]) - parts[at].left(ranked[0]) if len(ranked) > 1 else 1.0
        taken.add(ranked[0])
        found[at] = NamedPart(parts[at], ranked[0], lead, tuple(ranked[:LIKELY]))
    return [found[at] for at in range(len(parts))]
