"""Fits the limits of the reader of dice on rendered pictures and writes models/vision/dice.json.

    python -m bench --fit dice [--only NAME ...] [--passes N] [--margin COST] [--every N] [--moved SEED]
                               [--to FILE]

Each limit is tried a fifth smaller and a quarter larger (bench.coordinate_search); the pictures are those of
bench.dice.development. A picture costs:

- 10 if a die is wrong or missed and nothing is asked: a wrong score;
- 2 if a die is wrong and something is asked, or if a leaning die is read and nothing is asked;
- 1 if it is asked about although all dice lie flat, and a tenth for each die that is not read.

A step is kept if it saves more than MARGIN. What the limits beside the fitted ones cost is measured on each
SAMPLE-th picture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from bench.coordinate_search import rounded
from bench.dice.__main__ import compared
from bench.dice.development import DicePicture, development_pictures
from bench.fitted_limits import LimitsFit, limits_of, limits_parser, names_of, numbers_of
from companion.vision.dice.layout import DiceLayout, best_layout
from companion.vision.dice.limits import FILE, DiceLimits, PipLimits, dice_limits
from companion.vision.dice.read import DiceReading, PipMarks, find_marks, judge_layout
from companion.vision.models import FOLDER

WRONG_UNASKED, WRONG_ASKED, LEANING_READ, ASKED, MISSED = 10.0, 2.0, 2.0, 1.0, 0.1
MARGIN = 10.0
"""What a step must save: more than one wrong score. Less may be the luck of a single picture."""
BEHIND = 6.0
"""How much more a step may cost so far before it is given up."""
SAMPLE = 4
PARTS = ("doubts", "faces", "sets", "pips")
"""The parts of the limits in the order in which they are tried: those of the last steps of the reader take
least time."""
DATA = "bench.dice.development, rendered pictures"
KEPT = 3
"""Results of a step of the reader that are kept for each picture."""


@dataclass
class DiceCost:
    """What a picture costs with some limits. The limits of a later step of the reader leave the earlier steps
    as they are: what these gave is kept."""

    _marks: dict[int, dict[PipLimits, PipMarks]] = field(default_factory=dict)
    _layouts: dict[int, dict[Any, DiceLayout]] = field(default_factory=dict)

    def reading(self, picture: DicePicture, limits: DiceLimits) -> DiceReading:
        """What the reader says of the picture (of pictures without marks, nothing)."""
        marks = _kept(
            self._marks.setdefault(id(picture), {}),
            limits.pips,
            lambda: find_marks(picture.image, limits.pips),
        )
        if not len(marks.pips):
            return DiceReading((), ())
        layout = _kept(
            self._layouts.setdefault(id(picture), {}),
            (limits.pips, limits.faces, limits.sets),
            lambda: best_layout(marks.pips, marks.around, picture.cameras, picture.count, limits),
        )
        return judge_layout(picture.image, marks, layout, picture.count, limits)

    def __call__(self, numbers: Mapping[str, float], picture: DicePicture) -> float:
        """The cost of the picture."""
        return cost_of(picture, self.reading(picture, limits_of(numbers, DiceLimits)))


def _kept(known: dict[Any, Any], key: object, make: Callable[[], Any]) -> Any:
    """The result that is kept by this key, or is made now. The results used longest ago are dropped."""
    result = known.pop(key) if key in known else make()
    while len(known) >= KEPT:
        del known[next(iter(known))]
    known[key] = result
    return result


def cost_of(picture: DicePicture, reading: DiceReading) -> float:
    """The cost of a reading (see the module)."""
    _, wrong, missed = compared(reading, picture.truth)
    asked = bool(reading.unsure)
    if picture.leaning and not asked:
        return LEANING_READ if wrong == 1 and not missed else WRONG_UNASKED
    if wrong:
        return WRONG_ASKED if asked else WRONG_UNASKED
    if asked:
        return (0.0 if picture.leaning else ASKED) + MISSED * missed
    return WRONG_UNASKED if missed else 0.0


def moved(numbers: Mapping[str, float], seed: int) -> dict[str, float]:
    """Each number times a factor of .85 to 1.18, drawn at random; whole numbers stay. Whether the fit comes
    back from there tells whether it depends on its start."""
    rng = np.random.default_rng(seed)
    factors = {name: float(rng.uniform(0.85, 1.18)) for name in numbers}
    return {
        name: value if isinstance(value, int) else rounded(value * factors[name])
        for name, value in numbers.items()
    }


def figures(pictures: Sequence[DicePicture], numbers: Mapping[str, float], cost: DiceCost) -> dict[str, int]:
    """How the dice and pictures come out with some limits."""
    limits, found = limits_of(numbers, DiceLimits), Counter[str]()
    for picture in pictures:
        reading = cost.reading(picture, limits)
        right, wrong, missed = compared(reading, picture.truth)
        asked = bool(reading.unsure)
        found.update(dice_right=right, dice_wrong=wrong, dice_not_read=missed, asked=asked)
        kind = "leaning" if picture.leaning else "wrong_or_not_whole"
        found[f"{kind}_and_nothing_asked"] += not asked and (wrong > 0 or missed > 0)
    return {"pictures": len(pictures), **found}


def main(arguments: Sequence[str]) -> int:
    """The command behind `python -m bench --fit dice`."""
    parser = limits_parser("dice", FOLDER / FILE, passes=2)
    parser.add_argument("--margin", type=float, default=MARGIN, help="what a step must save to be kept")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each N-th picture only")
    parser.add_argument(
        "--moved", type=int, metavar="SEED", help="start from limits that are moved at random"
    )
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    pictures = development_pictures()[:: options.every]
    cost, start = DiceCost(), dice_limits()
    if options.moved is not None:
        start = limits_of(moved(numbers_of(start), options.moved), DiceLimits)
    names = names_of(start, options.only, parts=PARTS)
    found = LimitsFit(cost, pictures, options.margin, BEHIND, SAMPLE).run(start, names, options.passes)
    found.write(options.to, DATA, figures(pictures, found.numbers.values, cost))
    return 0
