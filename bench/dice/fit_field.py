"""Fits the limits of the field of 13 Monsters on drawn fields and writes models/vision/field.json.

    python -m bench --fit field [--fields N] [--first SEED] [--only NAME ...] [--passes N] [--margin COST]
                                [--to FILE]

Each limit is tried a fifth smaller and a quarter larger (bench.coordinate_search). A field is two pictures of
one table: as it was laid, and after cards were turned over, taken away and frozen. Every third one has a lamp
mirrored in it. It costs, added up over both:

- 10 for each place that is read wrongly;
- 1 for each place that is asked about;
- REFUSED if no field is found.

Which probability shows a card is fitted by `python -m bench --fit eyes --only field`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from bench.dice.__main__ import judged
from bench.dice.scenes import GAP, Place, field_photo
from bench.fitted_limits import LimitsFit, limits_of, limits_parser, names_of
from companion import art
from companion.core.errors import Unreadable
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.grid.limits import FILE, GridLimits, grid_limits
from companion.vision.grid.read import GridReading, read_grid
from companion.vision.image.picture import Array, Image
from companion.vision.models import FOLDER, limits_in_use
from models.drawn.rooms import ground

WRONG, ASKED, REFUSED = 10.0, 1.0, 30.0
MARGIN = 10.0
"""What a step must save: as much as a wrong place costs."""
BEHIND = 12.0
"""How much more a step may cost so far before it is given up."""
SAMPLE = 4
"""The costs beside the fitted limits are measured on each SAMPLE-th field."""
FIRST, FIELDS = 5200, 12
SIZE = (720, 1280)
GROUNDS = ("wood", "cloth", "white", "checked", "mat")
DATA = "bench.dice.fit_field, drawn fields"


@dataclass(frozen=True)
class LaidField:
    """What lies on a table: the cards face up, the places without a card, and the dice on cards."""

    up: Mapping[Place, str]
    empty: frozenset[Place]
    dice: Mapping[Place, int]


@dataclass(frozen=True)
class FieldPictures:
    """A field in pictures that follow each other, with what lies there."""

    seed: int

    def pictures(self, labels: Sequence[str]) -> Iterator[tuple[Image, LaidField]]:
        """The field as it was laid, and later."""
        rng = np.random.default_rng(self.seed)
        free = [(r, c) for r in range(9) for c in range(9) if (r, c) not in GAP]
        order = [free[i] for i in rng.permutation(len(free))]
        faces = list(map(str, rng.choice(labels, 4, replace=False)))
        gone = frozenset({*GAP, *order[12 : 12 + int(rng.integers(0, 25))]})
        first = LaidField({order[0]: faces[0]}, gone, {at: int(rng.integers(1, 7)) for at in order[4:7]})
        later = replace(
            first,
            up=dict(zip(order[1:4], faces[1:], strict=True)),
            empty=gone | {order[0], order[10]},
            dice={at: int(rng.integers(1, 7)) for at in order[6:9]},
        )
        table = np.asarray(np.clip(ground(SIZE[1], SIZE[0], rng, GROUNDS), 0, 255), np.uint8)
        tilt = float(rng.uniform(0, 25))
        for laid in (first, later):
            image, corners = field_photo(
                laid.up, set(laid.empty), laid.dice, np.random.default_rng(self.seed),
                tilt=tilt, size=SIZE, lay=self.seed, table=table.copy(),
            )  # fmt: skip
            noise = rng.normal(0.0, 1.5, image.shape)
            yield (
                _lamp(np.asarray(np.clip(image + noise, 0, 255), np.uint8), corners[order[11]], self.seed),
                laid,
            )


def _lamp(image: Image, quad: Array, seed: int) -> Image:
    """The picture, every third with a lamp mirrored in a card."""
    if seed % 3:
        return image
    (x, y), reach = quad.mean(axis=0), 0.3 * math.dist(*quad[:2])
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]]
    light = 600.0 * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * reach**2))
    return np.asarray(np.clip(image + light[..., None], 0, 255), np.uint8)


@cache
def deck() -> Deck:
    """The cards of 13 Monsters as they are drawn."""
    labels = art.card_labels("thirteen_monsters")
    pictures = [art.draw_card("thirteen_monsters", label, 440) for label in labels]
    return enrol_pictures("thirteen_monsters", labels, pictures).deck


def outcome(field: FieldPictures, limits: GridLimits) -> Counter[str]:
    """Places right, wrong and asked about; `refused` if there is no field."""
    found, before = Counter[str](), None
    with limits_in_use(FILE, limits):
        for image, laid in field.pictures(art.card_labels("thirteen_monsters")):
            try:
                before = read_grid(image, deck(), before)
            except Unreadable:
                found["refused"] += 1
                break
            found += places(before, laid)
    return found


def places(reading: GridReading, laid: LaidField) -> Counter[str]:
    """How the places of one picture were read."""
    return Counter(judged(place, laid.up, laid.empty, laid.dice) for place in reading.places)


def cost_of(found: Mapping[str, int]) -> float:
    """The cost of an outcome (see the module).

    >>> cost_of({"right": 80, "wrong": 1, "asked": 2})
    12.0
    """
    costs = {"wrong": WRONG, "asked": ASKED, "refused": REFUSED}
    return sum(cost * found.get(name, 0) for name, cost in costs.items())


def main(arguments: Sequence[str]) -> int:
    """The command behind `python -m bench --fit field`."""
    parser = limits_parser("field", FOLDER / FILE)
    parser.add_argument("--fields", type=int, default=FIELDS, metavar="N")
    parser.add_argument("--first", type=int, default=FIRST, metavar="SEED", help="of the first field")
    parser.add_argument("--margin", type=float, default=MARGIN, help="what a step must save to be kept")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    fields = [FieldPictures(seed) for seed in range(options.first, options.first + options.fields)]
    outcomes: dict[tuple[int, GridLimits], Counter[str]] = {}

    def cost(numbers: Mapping[str, float], field: FieldPictures) -> float:
        limits = limits_of(numbers, GridLimits)
        outcomes[field.seed, limits] = outcome(field, limits)
        return cost_of(outcomes[field.seed, limits])

    names = names_of(grid_limits(), options.only)
    fit = LimitsFit(cost, fields, options.margin, BEHIND, SAMPLE if options.passes else 0)
    found = fit.run(grid_limits(), names, options.passes)
    counts = sum((outcomes[field.seed, found.limits] for field in fields), Counter[str]())
    print(f"{dict(counts)}, cost {found.numbers.cost:g}, at the start {found.numbers.cost_at_start:g}")
    found.write(options.to, DATA, {"fields": len(fields), **counts})
    return 0
