"""Fits how columns of displays are found and looked at (companion.vision.display.limits.ColumnLimits) on
displays of development decks, and writes models/vision/columns.json.

    python -m bench --fit columns [--only NAME ...] [--count N] [--seeds S ...] [--passes N] [--to FILE]

The limits of what is certain (models/vision/displays.json) stay as they are. A display costs, added up, what
COSTS says; each limit is tried a fifth smaller and a quarter larger (bench.coordinate_search), and a step is
kept if it saves more than MARGIN. Limits that only bound the time (BOUNDS) are left as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import cv2

from bench.displays.__main__ import learned, scenes
from bench.displays.decks import DEVELOPMENT, deck_named
from bench.displays.outcomes import outcome
from bench.displays.scenes import DisplayScene
from bench.fitted_limits import LimitsFit, limits_of, limits_parser, names_of
from bench.paths import default_shared
from bench.surrogates.sets import OWN
from companion.games import game_named
from companion.vision.deck.deck import Deck
from companion.vision.display.limits import COLUMNS_FILE, ColumnLimits, column_limits
from companion.vision.display.read import read_display
from companion.vision.models import FOLDER, limits_in_use

COSTS = {"wrong": 10.0, "phantoms": 10.0, "unasked": 2.0, "misnamed": 0.5, "questions": 0.2, "unnamed": 0.1}
"""Of a wrong score without a mark; of each card that is counted where none lies and each that is missed, if
nothing asks about it; of each wrong name, each question, and each card without a name."""
MARGIN, BEHIND = 2.0, 4.0
"""The last: how much more a step may cost so far before it is given up."""
SAMPLE = 6
"""What the limits beside the fitted ones cost is measured on each sixth display."""
BOUNDS = (
    "regions.same_place", "views.like", "looks.good", "looks.sure", "looks.clear_way",
    "cards.clear", "cards.judged", "cards.more_judged", "cards.most_judged",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class LearnedDisplay:
    """A display, its deck as it was learned, and the joker's label."""

    scene: DisplayScene
    deck: Deck
    joker: str

    def counts(self, limits: ColumnLimits) -> Counter[str]:
        """How often each of COSTS occurs in a reading with these limits, beside the `cards` that lie there
        and how many displays are `right` and `open`."""
        with limits_in_use(COLUMNS_FILE, limits):
            reading = read_display(self.scene.image, self.deck, self.joker)
        found = outcome(self.scene, reading, game_named(OWN), 0.0)
        return found.kinds + Counter(
            cards=found.cards,
            phantoms=found.phantoms,
            unasked=found.unasked,
            questions=len(reading.unsure),
            misnamed=found.misnamed,
            unnamed=found.cards - found.named - found.misnamed,
        )


def cost_of(numbers: Mapping[str, float], display: LearnedDisplay) -> float:
    """What a reading costs with some limits."""
    counts = display.counts(limits_of(numbers, ColumnLimits))
    return sum(counts[name] * cost for name, cost in COSTS.items())


def learned_displays(seeds: Sequence[int], count: int) -> list[LearnedDisplay]:
    """So many displays of each development deck of each seed."""
    found = []
    for seed, name in product(seeds, DEVELOPMENT):
        deck = deck_named(name, seed, default_shared())
        known = learned(deck)
        found += [LearnedDisplay(scene, known, deck.joker) for scene in scenes(deck, seed, count)]
    return found


def main(arguments: Sequence[str]) -> int:
    """The command behind `python -m bench --fit columns`."""
    parser = limits_parser("columns", FOLDER / COLUMNS_FILE)
    parser.add_argument("--count", type=int, default=3, help="displays of each deck")
    parser.add_argument("--seeds", type=int, nargs="+", default=[53, 205, 801])
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    return fit(learned_displays(options.seeds, options.count), options.only, options.passes, options.to)


def fit(displays: Sequence[LearnedDisplay], only: Sequence[str], passes: int, file: Path) -> int:
    """Fits the limits whose names begin with one of `only`, and writes them."""
    names = names_of(column_limits(), only, BOUNDS)
    found = LimitsFit(cost_of, displays, MARGIN, BEHIND, SAMPLE).run(column_limits(), names, passes)
    figures = sum((one.counts(found.limits) for one in displays), Counter[str]())
    about = {"displays": len(displays), "fitted": names, **figures}
    found.write(file, "bench.displays, development decks", about)
    return 0
