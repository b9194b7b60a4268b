"""Fits when the number of cards of a column is certain, on displays of development decks, and writes
models/vision/displays.json.

    python -m bench --fit displays [--count N] [--seed S]

What the deck leaves unexplained of a part is turned into log-odds by the logistic regression of largest
likelihood over all starts whose log-odds by the network are small. One more card is asked about where the
finder sees more of one beyond the covered end than in all right columns but one in a hundred, and half of
what is left to 1. The probability from which a number is certain is the one that one column in a hundred has
that is wrong and not asked about for that reason, and seven eighths of what is left to 1.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from bench.displays.__main__ import learned, scenes
from bench.displays.decks import DEVELOPMENT, DisplayDeck, deck_named
from bench.displays.scenes import DisplayScene, LaidCard
from bench.paths import default_shared
from bench.surrogates.camera import Floats
from companion.vision.deck.deck import Deck
from companion.vision.display.column_events import ColumnEvent
from companion.vision.display.counting import CountedColumn, counted_display
from companion.vision.display.limits import FILE, CountLimits
from companion.vision.display.naming import PartComparer
from companion.vision.image import geometry
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.match.suppression import ExplainedMap

SMALL_ODDS = 6.0
"""Log-odds up to which starts are learned from."""
SAME_START = 0.09
"""Card lengths between a start and the end of a card that is the same."""
FAR = 0.5
"""Card widths between the open card of a column and the nearest one that was laid from which there is no such
column."""
RARE = 0.01
"""Share of columns that may be beyond a limit."""
STEPS, RATE, SHRINK = 3000, 0.05, 1e-2


@dataclass(frozen=True)
class FittedStart:
    """A start with its log-odds by the network, what the deck leaves unexplained, and whether a card begins
    there."""

    odds: float
    left: float
    right: bool


@dataclass(frozen=True, eq=False)
class FittedColumn:
    """A column with its starts, in their order, and how many cards it has (0: it is none)."""

    counted: CountedColumn
    starts: tuple[FittedStart, ...]
    truth: int

    def certainty(self, limits: CountLimits) -> tuple[float, bool]:
        """The probability of the number of cards that is taken, and whether it is right."""
        cards = self.counted.cards
        if cards.certainty < limits.certain:
            events = sorted((*cards.starts, *cards.unused), key=lambda one: one.at)
            cards = self.counted.revised(
                [
                    ColumnEvent(event.at, event.odds + limits.evidence(start.left))
                    for event, start in zip(events, self.starts, strict=True)
                ]
            ).cards
        return cards.certainty, len(cards.starts) == self.truth


def columns_of(deck: DisplayDeck, known: Deck, scene: DisplayScene) -> Iterator[FittedColumn]:
    """The columns that are found in a display, with what is true of them."""
    display = counted_display(scene.image, known.aspect)
    comparer = PartComparer(PicturePyramid(scene.image), known, ExplainedMap(scene.image.shape[:2]))
    for counted in display.columns if display else ():
        own = _laid(counted, scene.cards)
        compared = comparer.parts(counted)
        events = sorted((*counted.cards.starts, *counted.cards.unused), key=lambda one: one.at)
        true = [_place(counted, card) for card in own]
        starts = [
            FittedStart(
                event.odds,
                compared[event.at].least,
                any(abs(event.at - place) < SAME_START for place in true),
            )
            for event in events
        ]
        yield FittedColumn(counted, tuple(starts), len(own))


def _laid(counted: CountedColumn, cards: Sequence[LaidCard]) -> list[LaidCard]:
    """The cards of the column that was found; none if it lies elsewhere."""
    opened = {card.monster: card for card in cards}
    quad = counted.parts[-1].quad
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


def fit_evidence(starts: Sequence[FittedStart]) -> tuple[float, float]:
    """Intercept and slope by which what is left unexplained adds to the log-odds of a start."""
    odds, left = (np.array([getattr(one, name) for one in starts]) for name in ("odds", "left"))
    right = np.array([one.right for one in starts], float)
    weights, first, second = (np.zeros(2) for _ in range(3))
    parts = np.stack([np.ones(len(starts)), left])
    for step in range(1, STEPS + 1):
        wrong = 1.0 / (1.0 + np.exp(-(odds + weights @ parts))) - right
        slope = parts @ wrong / len(starts) + SHRINK * weights / len(starts)
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        weights -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return float(weights[0]), float(weights[1])


def _halfway(share: float) -> float:
    return share + (1.0 - share) / 2


def fit(columns: Sequence[FittedColumn]) -> tuple[CountLimits, dict[str, object]]:
    """The limits, and the figures of the data they come from."""
    small = [one for column in columns for one in column.starts if abs(one.odds) < SMALL_ODDS]
    intercept, slope = fit_evidence(small)
    alone = [column.certainty(CountLimits(0.0, 0.0, 0.0, 0.0, 1.0)) for column in columns]
    right = [column.counted.seen_beyond for column, (_, whole) in zip(columns, alone, strict=True) if whole]
    beyond = round(_halfway(float(np.quantile(right, 1.0 - RARE))), 3)
    inside = [column for column in columns if column.counted.seen_beyond <= beyond]
    checked = [one.certainty(CountLimits(1.1, 0.0, intercept, slope, beyond)) for one in inside]
    worst = sorted((certainty for certainty, whole in checked if not whole), reverse=True)
    rank = int(RARE * len(columns))
    certain = round(_halfway(_halfway(_halfway(worst[rank] if rank < len(worst) else 0.5))), 3)
    doubtful = round(float(np.log(certain / (1.0 - certain))), 3)
    limits = CountLimits(certain, doubtful, round(intercept, 3), round(slope, 3), beyond)
    last = [column.certainty(limits) for column in inside]
    about = {
        "data": "bench.displays, development decks",
        "columns": len(columns),
        "starts": len(small),
        "asked_for_beyond": len(columns) - len(inside),
        "right_by_network": sum(right for _, right in alone),
        "right": sum(right for _, right in last),
        "certain": sum(certainty >= certain for certainty, _ in last),
        "certain_and_wrong": sum(certainty >= certain and not right for certainty, right in last),
    }
    return limits, about


def main(given: Sequence[str]) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=20, help="displays of each deck")
    parser.add_argument("--seed", type=int, default=21)
    options = parser.parse_args(given)
    cv2.setNumThreads(1)
    columns: list[FittedColumn] = []
    for name in DEVELOPMENT:
        deck = deck_named(name, options.seed, default_shared())
        known = learned(deck)
        for scene in scenes(deck, options.seed, options.count):
            columns += columns_of(deck, known, scene)
        print(f"{deck.name}: {len(columns)} columns", flush=True)
    limits, about = fit(columns)
    about |= {"seed": options.seed, "displays": options.count * len(DEVELOPMENT)}
    fields = {name: getattr(limits, name) for name in ("certain", "doubtful", "intercept", "slope", "beyond")}
    FILE.write_text(json.dumps({"limits": fields, "fit": about}, indent=1) + "\n", encoding="utf-8")
    print(json.dumps({"limits": fields, "fit": about}))
    return 0
