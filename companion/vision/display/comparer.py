"""Compares parts of columns with a deck: all cards by their pixels, the likeliest by the verifier."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.vision.cards.strips import StripReader
from companion.vision.deck.deck import Deck
from companion.vision.display.column_events import ColumnCards, ColumnEvent, cards_of
from companion.vision.display.counting import CountedColumn
from companion.vision.display.limits import CountLimits, EvidenceWeights, column_limits
from companion.vision.display.naming import ComparedColumn, ComparedPart, DeckMonsters
from companion.vision.display.straight import CardPart
from companion.vision.image.picture import Floats
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.match.limits import search_limits
from companion.vision.match.suppression import ExplainedMap


def with_evidence(
    counted: CountedColumn, compared: Mapping[float, ComparedPart], weights: EvidenceWeights
) -> ColumnCards:
    """The likeliest cards of a column, if what the deck and the finder say of its parts counts as well."""
    starts = []
    for one in counted.possible:
        evidence = compared[one.start.at].evidence(one.start.odds, one.seen)
        starts.append(ColumnEvent(one.start.at, weights.odds(evidence)))
    return cards_of(starts, counted.ends)


def asked_starts(cards: ColumnCards, limits: CountLimits) -> list[ColumnEvent]:
    """The starts to ask about, most doubtful first; none if the count is certain, else at least the last."""
    if cards.certainty >= limits.certain:
        return []
    sure = math.log(limits.certain / (1.0 - limits.certain))
    near = [one for one in (*cards.starts[:-1], *cards.unused) if abs(one.odds) < sure]
    return sorted(near, key=lambda one: abs(one.odds)) or [cards.starts[-1]]


class PartComparer:
    """Compares parts of one picture with a deck."""

    def __init__(
        self, scene: PicturePyramid, deck: Deck, explained: ExplainedMap, monsters: DeckMonsters
    ) -> None:
        """`explained` marks the cards compared, which cover others."""
        self._deck, self._explained, self._monsters = deck, explained, monsters
        self._limits = column_limits().cards
        self._reader = StripReader(scene, deck, explained, search_limits().strips)

    def column(self, counted: CountedColumn, limits: CountLimits) -> ComparedColumn:
        """The parts of a column compared with the deck, which counts for the number of its cards as well."""
        compared = self.parts(counted)
        cards = with_evidence(counted, compared, limits.weights)
        parts = self.cleared([compared[one.at] for one in cards.starts])
        known = dict(zip(cards.starts, parts, strict=True))
        asked = asked_starts(cards, limits)
        doubts = [known.get(one) or self.judged(compared[one.at]) for one in asked]
        first = min(one.at for one in (*cards.starts, *asked))
        return ComparedColumn(counted.column.between(first, cards.end).quad, tuple(parts), tuple(doubts))

    def parts(self, counted: CountedColumn) -> dict[float, ComparedPart]:
        """The parts by where they begin, each as what covers it leaves it, from the open card on. Cards of
        those that are not counted are not judged yet."""
        found: dict[float, ComparedPart] = {}
        cover = counted.possible[-1].part.quad
        for one in reversed(counted.possible):
            part, before = self._unjudged(one.part, cover), counted.before(one)
            if one.is_counted:
                if before is not None and one.start.odds < self._limits.clear_start:
                    part = replace(part, left_without=self._reader.left(before.part.quad, cover))
                part = self.judged(part)
                cover = part.place
                self._explained.add_whole(cover)
            found[one.start.at] = part
        for one in counted.possible:
            before = counted.before(one)
            if before is not None and not one.is_counted:
                left = found[before.start.at].left
                found[one.start.at] = replace(found[one.start.at], left_without=left)
        return found

    def cleared(self, parts: list[ComparedPart]) -> list[ComparedPart]:
        """The parts of a column with their cards judged, with more cards if its monster is not clear."""
        parts = [self.judged(part) for part in parts]
        if self._monsters.is_clear(parts):
            return parts
        return [self.judged(part, (self._limits.most_judged,)) for part in parts]

    def judged(self, part: ComparedPart, counts: Sequence[int] = ()) -> ComparedPart:
        """The part with so many cards judged: the first of `counts` after which one is clear, or the last."""
        for count in counts or (self._limits.judged, self._limits.more_judged):
            if part.strip is not None and part.known <= self._limits.clear:
                cards = {self._deck.labels[card.look]: card for card in part.strip.cards(count)}
                part = replace(part, cards=cards)
        return part

    def leftover(self, quad: Floats) -> ComparedPart:
        """A place outside of the columns (4, 2), compared as a card that is seen whole."""
        return self.judged(self._unjudged(CardPart(quad, 1.0), quad))

    def _unjudged(self, part: CardPart, cover: Floats) -> ComparedPart:
        """The part compared by its pixels alone."""
        return ComparedPart(part, self._reader.read([part.quad], cover), {})
