"""Names the parts of columns: every part is compared with every card of the deck, all columns together.

A part alone may be like two cards. But the cards of a column are of one monster, or jokers; no two columns
are of the same monster; and a card of a monster is there once. So each column gets the monster that makes all
its parts likeliest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.vision.cards.strips import NOTHING, StripReader
from companion.vision.cards.verified_places import VerifiedCard
from companion.vision.deck.deck import Deck
from companion.vision.display.column_events import ColumnEvent
from companion.vision.display.counting import CountedColumn
from companion.vision.display.limits import CountLimits, StartEvidence, asked_starts
from companion.vision.display.straight import CardPart
from companion.vision.image.picture import Floats
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.match.suppression import ExplainedMap

CLEAR_START = 4.0
"""Log-odds by the network from which a start is not compared with a table without it, which takes time."""
CLEAR_ODDS = 6.0
"""Log odds of a card by the verifier from which it is asked about no further ones."""
LEAST_ODDS, MOST_ODDS = -2.0, 8.0
"""Log odds count as these beyond them. A card that the verifier was not asked about has the least. Of 1,636
cards of development decks 1,339 get a name, with -8 as the least 1,287, two in a hundred of them wrong."""
LIKELY = 4
"""Names that are offered for an unsure part."""


@dataclass(frozen=True, eq=False)
class ComparedPart:
    """A part with the cards of the deck (by name) that are likeliest there. `left`: what the deck leaves
    unexplained of it; `left_without`: what it leaves of the card before if no card begins here, 1 if there is
    none."""

    part: CardPart
    cards: Mapping[str, VerifiedCard]
    left: float = NOTHING
    left_without: float = NOTHING

    def log_odds(self, name: str) -> float:
        """The log odds that the part shows a card."""
        found = self.cards.get(name)
        return LEAST_ODDS if found is None else min(max(found.log_odds, LEAST_ODDS), MOST_ODDS)

    @property
    def likeliest(self) -> tuple[str, ...]:
        """The likeliest cards, the most likely first."""
        return tuple(sorted(self.cards, key=self.log_odds, reverse=True)[:LIKELY])

    @property
    def known(self) -> float:
        """The log odds of the likeliest card."""
        return max((self.log_odds(name) for name in self.cards), default=LEAST_ODDS)

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
    """The parts of a column compared, the open card last, and the parts that must be asked about, most
    doubtful first."""

    parts: tuple[ComparedPart, ...]
    doubts: tuple[ComparedPart, ...]


@dataclass(frozen=True, eq=False)
class NamedPart:
    """A part with its name, by how much less likely the next card of its column is, as log odds, and the
    names that are likely, likeliest first."""

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
    """The monster of a column, its parts, by how much less likely another monster is, as log odds, and the
    monster that is likeliest if another column may be the same."""

    monster: str
    parts: tuple[NamedPart, ...]
    doubts: tuple[NamedPart, ...]
    lead: float
    alone: str


def with_evidence(
    counted: CountedColumn, compared: Mapping[float, ComparedPart], limits: CountLimits
) -> CountedColumn:
    """The column with the number of cards that is likeliest if what the deck and the finder say of its parts,
    by where they begin, counts as well."""
    starts = [
        ColumnEvent(one.at, limits.weights.odds(compared[one.at].evidence(one.odds, counted.seen_at(one))))
        for one in (*counted.cards.starts, *counted.cards.unused)
    ]
    return counted.revised(sorted(starts, key=_place))


class PartComparer:
    """Compares parts of one picture with a deck."""

    def __init__(self, scene: PicturePyramid, deck: Deck, explained: ExplainedMap) -> None:
        """`explained` marks the cards compared, which cover others."""
        self._deck, self._explained = deck, explained
        self._reader = StripReader(scene, deck, explained)

    def column(self, counted: CountedColumn, limits: CountLimits) -> ComparedColumn:
        """The parts of a column compared with the deck. What the deck leaves unexplained of each part counts
        for its number of cards as well."""
        compared = self.parts(counted)
        column = with_evidence(counted, compared, limits)
        parts = tuple(compared[one.at] for one in column.cards.starts)
        doubts = [compared[one.at] for one in asked_starts(column.cards, limits)]
        if column.seen_beyond > limits.beyond:
            doubts.insert(0, self._compared(column.further, parts[0].place))
        return ComparedColumn(parts, tuple(doubts))

    def parts(self, counted: CountedColumn) -> dict[float, ComparedPart]:
        """The parts by where they begin, each as what covers it leaves it, from the open card on."""
        cards, found = counted.cards, {}
        before: dict[float, CardPart] = {
            one.at: part for one, part in zip(cards.starts[1:], counted.parts, strict=False)
        }
        events, parts = (*cards.starts, *cards.unused), (*counted.parts, *counted.doubts)
        cover = counted.parts[-1].quad
        for event, part in sorted(zip(events, parts, strict=True), key=lambda one: -one[0].at):
            without = NOTHING
            if event.at in before and event.odds < CLEAR_START:
                without = self._reader.left(before[event.at].quad, cover)
            found[event.at] = replace(self._compared(part, cover), left_without=without)
            if event in cards.starts:
                cover = found[event.at].place
                self._explained.add_whole_quad(cover)
        for event in cards.unused:
            taken = [one.at for one in cards.starts if one.at < event.at]
            if taken:
                found[event.at] = replace(found[event.at], left_without=found[max(taken)].left)
        return found

    def leftover(self, quad: Floats) -> ComparedPart:
        """A place outside of the columns (4, 2), compared as a card that is seen whole."""
        return self._compared(CardPart(quad, 1.0), quad)

    def _compared(self, part: CardPart, cover: Floats) -> ComparedPart:
        found = self._reader.read([part.quad], cover, CLEAR_ODDS)
        return ComparedPart(part, {self._deck.labels[card.look]: card for card in found.cards}, found.left)


def name_columns(
    columns: Sequence[ComparedColumn], groups: Mapping[str, Sequence[str]], joker: str
) -> list[NamedColumn]:
    """The columns named together. `groups`: the cards of each monster; `joker` is the label of the joker, or
    empty."""
    monsters = list(groups)
    costs = np.array(
        [[-sum(_best(part, groups[m], joker) for part in one.parts) for m in monsters] for one in columns]
    )
    found = []
    for at, (column, own) in enumerate(zip(columns, assigned(costs), strict=True)):
        others = np.delete(costs[at], own)
        lead = float(others.min() - costs[at, own]) if others.size else MOST_ODDS
        parts = _named(column.parts, groups[monsters[own]], joker)
        free = [name for name in groups[monsters[own]] if name not in {part.name for part in parts}]
        by_part = {id(part.compared): part for part in parts}
        doubts = [by_part.get(id(one)) or _unnamed(one, free, joker) for one in column.doubts]
        alone = monsters[int(costs[at].argmin())]
        found.append(NamedColumn(monsters[own], tuple(parts), tuple(doubts), lead, alone))
    return found


def _unnamed(part: ComparedPart, names: Sequence[str], joker: str) -> NamedPart:
    """A part that is not counted, with the cards of its column that may lie there."""
    likely = sorted(names, key=part.log_odds, reverse=True)[: LIKELY - 1]
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


def _place(event: ColumnEvent) -> float:
    return event.at


def _best(part: ComparedPart, names: Sequence[str], joker: str) -> float:
    """The log odds of the likeliest of these cards and the joker."""
    return max(part.log_odds(name) for name in (*names, *([joker] if joker else [])))


def _named(parts: Sequence[ComparedPart], names: Sequence[str], joker: str) -> list[NamedPart]:
    """Each part by a card of the column, no card of the monster twice."""
    possible = [*names, *([joker] if joker else [])]
    order = sorted(range(len(parts)), key=lambda at: -max(parts[at].log_odds(name) for name in possible))
    taken: set[str] = set()
    found: dict[int, NamedPart] = {}
    for at in order:
        free = [name for name in possible if name == joker or name not in taken] or possible
        ranked = sorted(free, key=parts[at].log_odds, reverse=True)
        odds = [parts[at].log_odds(name) for name in ranked]
        lead = odds[0] - odds[1] if len(odds) > 1 else MOST_ODDS
        taken.add(ranked[0])
        found[at] = NamedPart(parts[at], ranked[0], lead, tuple(ranked[:LIKELY]))
    return [found[at] for at in range(len(parts))]
