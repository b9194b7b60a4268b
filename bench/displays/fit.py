"""Fits when the number of cards of a column is certain, on displays of development decks, and writes
models/vision/displays.json.

    python -m bench --fit displays [--count N] [--seeds S ...]

Weights of evidence are those of the largest likelihood of the true numbers of cards (fit_counts). Of the
numbers that are certain one in a thousand may be wrong: as many as the probabilities say themselves, by
weights fitted without the deck, of columns that nothing else asks about. (The largest probability of a wrong
number would hang on one column.) From which area what is left over is asked about: see fit_leftover; how sure
the verifier is of cards: see fit_cards; when names are shown: see fit_names.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product

import cv2
import numpy as np

from bench.displays.__main__ import learned, scenes
from bench.displays.decks import DEVELOPMENT, DisplayDeck, deck_named
from bench.displays.fit_cards import FittedMonster, fit_card_model
from bench.displays.fit_counts import FittedCount, FittedStart, fit_evidence
from bench.displays.fit_leftover import FittedLeftover, fit_leftover
from bench.displays.fit_names import FittedName, fit_names, names_of
from bench.displays.scenes import DisplayScene, LaidCard
from bench.paths import default_shared
from companion.vision.deck.deck import Deck
from companion.vision.display.column_events import ColumnEvent
from companion.vision.display.comparer import PartComparer, with_evidence
from companion.vision.display.counting import CountedColumn, counted_display
from companion.vision.display.limits import (
    FILE,
    CardModel,
    CountLimits,
    EvidenceWeights,
    display_limits,
)
from companion.vision.display.naming import (
    ComparedColumn,
    ComparedPart,
    DeckMonsters,
    monster_of,
    name_columns,
)
from companion.vision.image import geometry
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.match.suppression import ExplainedMap
from companion.vision.models import FOLDER
from models.drawn.camera import Floats

SAME_START = 0.09
"""Card lengths between a start and the end of a card that is the same."""
FAR = 0.5
"""Card widths between the open card of a column and the nearest one that was laid from which there is no such
column."""
WRONG = 0.001
"""Share of certain numbers that may be wrong."""


@dataclass(frozen=True, eq=False)
class FittedColumn:
    """A column with its parts compared, what counts for its number of cards, and the labels of its cards by
    where they begin (none: it is no column)."""

    counted: CountedColumn
    compared: Mapping[float, ComparedPart]
    count: FittedCount
    labels: Mapping[float, str]

    @staticmethod
    def of(
        counted: CountedColumn, compared: Mapping[float, ComparedPart], cards: Sequence[LaidCard]
    ) -> FittedColumn:
        """A column in a display with these cards."""
        true = {_place(counted, card): card.label for card in _laid(counted, cards)}
        starts = tuple(
            FittedStart(one.start.at, compared[one.start.at].evidence(one.start.odds, one.seen))
            for one in counted.possible
        )
        return FittedColumn(counted, compared, FittedCount(starts, counted.ends, len(true)), true)

    def label_at(self, at: float) -> str | None:
        """The label of the card that begins there."""
        near = [place for place in self.labels if abs(place - at) < SAME_START]
        return self.labels[min(near, key=lambda place: abs(place - at))] if near else None

    @property
    def is_known(self) -> bool:
        """Whether a part that was counted shows a card of the deck more likely than not."""
        return any(self.compared[one.at].is_known for one in self.counted.cards.starts)

    def starts(self, limits: CountLimits) -> Sequence[ColumnEvent]:
        """Where the cards begin that are counted by these limits."""
        return with_evidence(self.counted, self.compared, limits.weights).starts


@dataclass(frozen=True, eq=False)
class FittedDisplay:
    """The columns of a display, what is left over beside them, and the monsters of its deck."""

    columns: tuple[FittedColumn, ...]
    leftover: FittedLeftover | None
    monsters: DeckMonsters

    @staticmethod
    def of(known: Deck, scene: DisplayScene, monsters: DeckMonsters) -> FittedDisplay:
        """What is found in a display, with what is true of it. Which cards are judged is decided by the
        shipped limits."""
        limits, explained = display_limits().limits, ExplainedMap(scene.image.shape[:2])
        display = counted_display(scene.image, known.aspect, limits.leftover)
        if display is None:
            return FittedDisplay((), None, monsters)
        comparer = PartComparer(PicturePyramid(scene.image), known, explained, monsters)
        columns, cards = [], []
        for counted in display.columns:
            compared = {at: comparer.judged(part) for at, part in comparer.parts(counted).items()}
            cards.append(with_evidence(counted, compared, limits.weights))
            taken = [one.at for one in cards[-1].starts]
            cleared = comparer.cleared([compared[at] for at in taken])
            compared |= dict(zip(taken, cleared, strict=True))
            columns.append(FittedColumn.of(counted, compared, scene.cards))
        return FittedDisplay(tuple(columns), FittedLeftover.of(display, cards, len(scene.cards)), monsters)

    def counted(self, limits: CountLimits) -> list[ComparedColumn]:
        """The parts that are counted by these limits."""
        return [
            ComparedColumn(
                one.counted.column.quad, tuple(one.compared[start.at] for start in one.starts(limits)), ()
            )
            for one in self.columns
        ]

    def fitted_monsters(self, limits: CountLimits) -> Iterator[FittedMonster]:
        """The columns of which a card tells the monster."""
        for one, counted in zip(self.columns, self.counted(limits), strict=True):
            labels = [label for label in one.labels.values() if label != self.monsters.joker]
            if labels:
                yield FittedMonster(counted.parts, self.monsters, monster_of(labels[0]))

    def names(self, limits: CountLimits, model: CardModel) -> Iterator[FittedName]:
        """The cards that are counted, with what is true of their names by a model."""
        columns = name_columns(self.counted(limits), replace(self.monsters, model=model))
        for one, named in zip(self.columns, columns, strict=True):
            yield from names_of(named, [one.label_at(start.at) for start in one.starts(limits)])


def _laid(counted: CountedColumn, cards: Sequence[LaidCard]) -> list[LaidCard]:
    """The cards of the column that was found; none if it lies elsewhere."""
    opened = {card.monster: card for card in cards}
    quad = counted.possible[-1].part.quad
    nearest = min(opened.values(), key=lambda card: _away(card, quad))
    if _away(nearest, quad) > FAR * geometry.width_of(quad):
        return []
    return [card for card in cards if card.monster == nearest.monster]


def _away(card: LaidCard, quad: Floats) -> float:
    return float(np.linalg.norm(card.corners.mean(axis=0) - quad.mean(axis=0)))


def _place(counted: CountedColumn, card: LaidCard) -> float:
    """Where a card begins along its column, in card lengths."""
    onto = geometry.homography(counted.column.quad, geometry.UNIT)
    ends = [float(geometry.transform(card.corners[pair], onto)[:, 1].mean()) for pair in ([0, 1], [2, 3])]
    return min(ends) * counted.column.lengths


def certain_from(certainties: Sequence[float]) -> float:
    """The least probability of a number so that of this and larger ones WRONG are wrong, by the
    probabilities.

    >>> certain_from([0.6, 0.9, *[1.0] * 100])
    0.9
    """
    ordered = np.sort(certainties)[::-1]
    wrong = np.cumsum(1.0 - ordered) / np.arange(1, len(ordered) + 1)
    return float(ordered[max(0, int(np.searchsorted(wrong, WRONG, side="right")) - 1)])


def fit(
    decks: Sequence[Sequence[FittedColumn]], leftover: Sequence[FittedLeftover]
) -> tuple[CountLimits, dict[str, object]]:
    """The limits of counting, and the figures of the data they come from: the columns of each deck, and what
    is left over in each display."""
    columns = [column for deck in decks for column in deck]
    evidence = fit_evidence([column.count for column in columns])
    alone = [column.count.certainty(EvidenceWeights()) for column in columns]
    checked = list(_left_out(decks))
    certain = round(certain_from([certainty for certainty, _ in checked]), 3)
    area, of_leftover = fit_leftover(leftover)
    limits = CountLimits(certain, area, evidence)
    about = {
        "data": "bench.displays, development decks",
        "columns": len(columns),
        "asked_for_another_reason": len(columns) - len(checked),
        "right_by_network": sum(right for _, right in alone),
        "right": sum(one.count.certainty(evidence)[1] for one in columns),
        "right_left_out": sum(right for _, right in checked),
        "certain_left_out": sum(certainty >= certain for certainty, _ in checked),
        "certain_and_wrong_left_out": sum(certainty >= certain and not whole for certainty, whole in checked),
        "expected_wrong_left_out": round(sum(1 - certainty for certainty, _ in checked), 2),
        "wrong_left_out": sum(not whole for _, whole in checked),
    }
    return limits, {**about, **of_leftover}


def _left_out(decks: Sequence[Sequence[FittedColumn]]) -> Iterator[tuple[float, bool]]:
    """The probability of the number of cards that is taken of each column that nothing else asks about, by
    weights that are fitted without its deck, and whether the number is right."""
    for at, own in enumerate(decks):
        others = [column.count for deck in (*decks[:at], *decks[at + 1 :]) for column in deck]
        evidence = fit_evidence(others)
        for one in own:
            if one.is_known:
                yield one.count.certainty(evidence)


def displays_of(deck: DisplayDeck, seed: int, count: int) -> list[FittedDisplay]:
    """So many displays of a deck, read."""
    known = learned(deck)
    monsters = DeckMonsters.of(known.names, deck.joker, display_limits().cards)
    return [FittedDisplay.of(known, scene, monsters) for scene in scenes(deck, seed, count)]


def fitted(decks: Sequence[Sequence[FittedDisplay]]) -> tuple[dict[str, object], dict[str, object]]:
    """All limits of displays, by their names in the file, and the figures of the data they come from."""
    displays = [one for deck in decks for one in deck]
    columns = [[column for one in of_deck for column in one.columns] for of_deck in decks]
    limits, about = fit(columns, [one.leftover for one in displays if one.leftover is not None])
    model, of_cards = fit_card_model([one for each in displays for one in each.fitted_monsters(limits)])
    names, of_names = fit_names([one for each in displays for one in each.names(limits, model)])
    made = {"limits": asdict(limits), "cards": asdict(model), "names": asdict(names)}
    return made, {**about, **of_cards, **of_names}


def main(given: Sequence[str]) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=10, help="displays of each deck")
    parser.add_argument("--seeds", type=int, nargs="+", default=[53, 61, 205, 206])
    options = parser.parse_args(given)
    cv2.setNumThreads(1)
    decks: list[list[FittedDisplay]] = []
    for seed, name in product(options.seeds, DEVELOPMENT):
        deck = deck_named(name, seed, default_shared())
        decks.append(displays_of(deck, seed, options.count))
        print(f"{deck.name}: {len(decks)} decks", flush=True)
    made, about = fitted(decks)
    about |= {"seeds": options.seeds, "displays": sum(len(displays) for displays in decks)}
    text = json.dumps({**made, "fit": about}, indent=1)
    (FOLDER / FILE).write_text(text + "\n", encoding="utf-8")
    print(text)
    return 0
