"""Fits which outlines are cards that can be learned (companion.vision.finder.limits) on drawn pictures of
development decks, and writes models/vision/enrolment.json.

    python -m bench --fit enrolment [--only NAME ...] [--count N] [--seed S] [--passes N] [--to FILE]

A picture costs, added up, what COSTS says; each limit is tried a fifth smaller and a quarter larger
(bench.coordinate_search), and a step is kept if it saves more than MARGIN. What the pictures do not show, as
square tiles and folders of pictures, is left as it is (UNSEEN).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from bench.enrolment.__main__ import outcomes
from bench.enrolment.scenes import DEVELOPMENT_DECKS, GROUNDS, EnrolmentScene, enrolment_scene, printed_cards
from bench.fitted_limits import LimitsFit, limits_of, limits_parser, names_of
from bench.paths import default_shared
from companion.vision.deck.collect import collect_cards
from companion.vision.finder.limits import FILE, EnrolmentLimits, enrolment_limits
from companion.vision.models import FOLDER, limits_in_use

COSTS = {"good": 1.0, "good learned": -1.0, "false": 5.0, "mirrored learned": 2.0, "cut learned": 2.0}
"""Of each card that can be learned and is not, of each outline that is no card's, and of each card that is
learned although it mirrors a lamp or is cut off."""
MARGIN, BEHIND = 3.0, 6.0
"""The last: how much more a step may cost so far before it is given up."""
UNSEEN = ("learned.square", "learned.tile", "learned.largest", "learned.softer", "folders.", "known.")


def cost_of(numbers: Mapping[str, float], scene: EnrolmentScene) -> float:
    """What a picture costs with some limits."""
    counts = counted(scene, limits_of(numbers, EnrolmentLimits))
    return sum(counts[name] * cost for name, cost in COSTS.items())


def counted(scene: EnrolmentScene, limits: EnrolmentLimits) -> Counter[str]:
    """What is found in a picture with some limits, in the words of bench.enrolment."""
    with limits_in_use(FILE, limits):
        return outcomes(scene, collect_cards(scene.image))


def development_scenes(seed: int, count: int) -> Iterator[EnrolmentScene]:
    """So many pictures of each development deck on each ground."""
    for deck, name in enumerate(DEVELOPMENT_DECKS):
        cards = printed_cards(name, seed, default_shared())
        for place, ground in enumerate(GROUNDS):
            for number in range(count):
                yield enrolment_scene(cards, ground, np.random.default_rng([seed, deck, place, number]))


def main(arguments: Sequence[str]) -> int:
    """The command behind `python -m bench --fit enrolment`."""
    parser = limits_parser("enrolment", FOLDER / FILE)
    parser.add_argument("--count", type=int, default=2, help="pictures of each deck on each ground")
    parser.add_argument("--seed", type=int, default=77)
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    scenes = list(development_scenes(options.seed, options.count))
    return fit(scenes, options.only, options.passes, options.to)


def fit(scenes: Sequence[EnrolmentScene], only: Sequence[str], passes: int, file: Path) -> int:
    """Fits the limits whose names begin with one of `only`, and writes them."""
    names = names_of(enrolment_limits(), only, UNSEEN)
    found = LimitsFit(cost_of, scenes, MARGIN, BEHIND, sample=2).run(enrolment_limits(), names, passes)
    figures = sum((counted(one, found.limits) for one in scenes), Counter[str]())
    about = {"pictures": len(scenes), "fitted": names, **figures}
    found.write(file, "bench.enrolment, development decks", about)
    return 0
