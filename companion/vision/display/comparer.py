"""Compares the parts of columns with the cards of a deck: all by their pixels, the likeliest by the
verifier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.vision.cards.strips import StripReader
from companion.vision.deck.deck import Deck
from companion.vision.display.column_events import ColumnEvent
from companion.vision.display.counting import CountedColumn
from companion.vision.display.limits import CountLimits, asked_starts
from companion.vision.display.naming import ComparedColumn, ComparedPart, DeckMonsters
from companion.vision.display.straight import CardPart
from companion.vision.image.picture import Floats
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.match.suppression import ExplainedMap

CLEAR_START = 4.0
"""Log-odds by the network from which a start is not compared with a table without it, which takes time."""
JUDGED, MOST_JUDGED = (3, 8), 24
"""Cards that the verifier is asked about: so many of each part, one number after the other until one card is
clear; and so many of such a part if the monster of its column is not clear then."""
CLEAR_ODDS = 6.0
"""Log odds of a card by the verifier from which it is clear."""


def with_evidence(
    counted: CountedColumn, compared: Mapping[float, ComparedPart], limits: CountLimits
) -> CountedColumn:
    """The column with the number of cards that is likeliest if what the deck and the finder say of its parts,
    by where they begin, counts as well."""
    starts = [
        ColumnEvent(one.at, limits.weights.odds(compared[one.at].evidence(one.odds, counted.seen_at(one))))
        for one in (*counted.cards.starts, *counted.cards.unused)
    ]
    return counted.revised(sorted(starts, key=lambda start: start.at))


class PartComparer:
    """Compares parts of one picture with a deck."""

    def __init__(
        self, scene: PicturePyramid, deck: Deck, explained: ExplainedMap, monsters: DeckMonsters
    ) -> None:
        """`explained` marks the cards compared, which cover others."""
        self._deck, self._explained, self._monsters = deck, explained, monsters
        self._reader = StripReader(scene, deck, explained)

    def column(self, counted: CountedColumn, limits: CountLimits) -> ComparedColumn:
        """The parts of a column compared with the deck. What the deck leaves unexplained of each part counts
        for its number of cards as well."""
        compared = self.parts(counted)
        column = with_evidence(counted, compared, limits)
        compared |= self.cleared(compared, column)
        asked = asked_starts(column.cards, limits)
        uncounted = [one.at for one in asked if one not in column.cards.starts]
        compared |= {at: self.judged(compared[at]) for at in uncounted}
        parts = tuple(compared[one.at] for one in column.cards.starts)
        doubts = [compared[one.at] for one in asked]
        if column.seen_beyond > limits.beyond:
            doubts.insert(0, self._compared(column.further, parts[0].place))
        return ComparedColumn(parts, tuple(doubts))

    def parts(self, counted: CountedColumn) -> dict[float, ComparedPart]:
        """The parts by where they begin, each as what covers it leaves it, from the open card on. Cards of
        those that are not counted are not judged yet."""
        cards, found = counted.cards, {}
        before: dict[float, CardPart] = {
            one.at: part for one, part in zip(cards.starts[1:], counted.parts, strict=False)
        }
        events, parts = (*cards.starts, *cards.unused), (*counted.parts, *counted.doubts)
        cover = counted.parts[-1].quad
        for event, part in sorted(zip(events, parts, strict=True), key=lambda one: -one[0].at):
            without = 1.0
            if event.at in before and event.odds < CLEAR_START:
                without = self._reader.left(before[event.at].quad, cover)
            found[event.at] = replace(self._unjudged(part, cover), left_without=without)
            if event in cards.starts:
                found[event.at] = self.judged(found[event.at])
                cover = found[event.at].place
                self._explained.add_whole(cover)
        for event in cards.unused:
            taken = [one.at for one in cards.starts if one.at < event.at]
            if taken:
                found[event.at] = replace(found[event.at], left_without=found[max(taken)].left)
        return found

    def cleared(
        self, compared: Mapping[float, ComparedPart], column: CountedColumn
    ) -> dict[float, ComparedPart]:
        """The parts that the column has, by where they begin, with their cards judged, and with more cards if
        its monster is not clear."""
        parts = {one.at: self.judged(compared[one.at]) for one in column.cards.starts}
        if self._monsters.is_clear([*parts.values()]):
            return parts
        return {at: self.judged(part, (MOST_JUDGED,)) for at, part in parts.items()}

    def judged(self, part: ComparedPart, counts: Sequence[int] = JUDGED) -> ComparedPart:
        """The part with its likeliest cards judged: as many as the first of these numbers after which one is
        clear, or the last."""
        for count in counts:
            if part.strip is not None and part.known <= CLEAR_ODDS:
                cards = {self._deck.labels[card.look]: card for card in part.strip.cards(count)}
                part = replace(part, cards=cards)
        return part

    def leftover(self, quad: Floats) -> ComparedPart:
        """A place outside of the columns (4, 2), compared as a card that is seen whole."""
        return self._compared(CardPart(quad, 1.0), quad)

    def _compared(self, part: CardPart, cover: Floats) -> ComparedPart:
        """The part compared by its pixels, with its likeliest cards judged."""
        return self.judged(self._unjudged(part, cover))

    def _unjudged(self, part: CardPart, cover: Floats) -> ComparedPart:
        """The part compared by its pixels alone."""
        return ComparedPart(part, self._reader.read([part.quad], cover), {})
