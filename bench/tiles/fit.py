"""Fits the limits of reading symbols and tiles (companion.vision.symbols.limits) and writes
models/vision/symbols.json.

    python -m bench --fit symbols --work DIR [--only NAME ...] [--passes N] [--every N] [--to FILE]

DIR is that of models.vision.symbols.samples; the pictures are those of bench.tiles.development. Each limit is
tried a fifth smaller and a quarter larger (bench.coordinate_search). A picture costs, added up:

- 10 for each wrong name, a symbol that is counted twice included;
- 3 for each symbol or hidden tile that is neither named nor asked about: the count is too low in silence;
- 1 for each question that is about no symbol, .3 for one that is.

A step is kept if it saves more than MARGIN. Which probability a fit means comes from the training of the
network.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from bench.fitted_limits import LimitsFit, limits_of, limits_parser, names_of, numbers_of
from bench.tiles.development import TilesPicture, deck_pictures, laid_pictures
from companion.vision.models import FOLDER
from companion.vision.symbols.limits import FILE, SymbolLimits, symbol_limits
from companion.vision.symbols.polar import SymbolMatch
from companion.vision.symbols.search import SymbolPicture, upright_picture, with_tiles
from companion.vision.tiles.read import SymbolReading, judge_places

DECKS, LAID = 40, 30
"""Photographs of either kind."""
COSTS = {"wrong": 10.0, "silent": 3.0, "asked_about_nothing": 1.0, "asked": 0.3}
MARGIN = 25.0
"""What a step must save: more than a single tile of eight symbols costs if all are missed in silence."""
BEHIND = 8.0
"""How much more a step may cost so far before it is given up."""
SAMPLE = 4
"""The costs beside the fitted limits are measured on each SAMPLE-th picture."""
PARTS = ("names", "circles", "slant", "places")
"""The parts of the limits in the order in which they are tried: those of the last steps take least time."""


Compared = tuple[SymbolPicture, list[SymbolMatch]]
"""A picture as a step left it, and what its places show."""


@dataclass
class TilesCost:
    """What a picture costs with some limits. The limits of a later step leave the earlier steps as they are:
    what these gave is kept."""

    _kept: dict[tuple[int, str], tuple[Hashable, Compared]] = field(default_factory=dict)

    def reading(self, picture: TilesPicture, limits: SymbolLimits) -> SymbolReading:
        """What is read of the picture and asked about."""
        first = (limits.places, limits.slant)
        upright, found = self._step(
            (id(picture), "upright"),
            first,
            lambda: upright_picture(picture.image, picture.looks, limits),
            picture,
        )
        ready, more = self._step(
            (id(picture), "tiles"),
            (first, limits.circles),
            lambda: with_tiles(upright, limits.circles),
            picture,
        )
        return judge_places(ready, sorted([*found, *more], key=lambda one: -one.probability), limits.names)

    def _step(
        self, place: tuple[int, str], key: Hashable, make: Callable[[], SymbolPicture], picture: TilesPicture
    ) -> Compared:
        """What a step made with the limits of `key`: without its places, which take much memory, but with
        what these show."""
        known = self._kept.get(place)
        if known is None or known[0] != key:
            ready = make()
            known = (key, (replace(ready, places=()), picture.album.matches(ready.places)))
            self._kept[place] = known
        return known[1]

    def __call__(self, numbers: Mapping[str, float], picture: TilesPicture) -> float:
        """The cost of the picture."""
        return cost_of(outcome(picture, self.reading(picture, limits_of(numbers, SymbolLimits))))


def outcome(picture: TilesPicture, reading: SymbolReading) -> Counter[str]:
    """How the symbols of a picture come out: `right`, and what COSTS names. A symbol is named or asked about
    by what lies on it, a hidden tile by an outline that it lies in."""
    named, asked = (np.zeros(len(picture.circles), bool) for _ in range(2))
    found = Counter[str]()
    for card in reading.cards:
        own = picture.under(card.centre) & (np.array(picture.symbols) == card.label) & ~named
        found["right" if own.any() else "wrong"] += 1
        named[np.flatnonzero(own)[:1]] = True
    places = [picture.under(one.centre) for one in reading.unidentified]
    places += [one.far(picture.circles[:, :2]) < one.radius for one in reading.hidden]
    for place in places:
        about = place & ~named
        found["asked" if about.any() else "asked_about_nothing"] += 1
        asked |= about
    found["silent"] = int((picture.to_find & ~named & ~asked).sum())
    return found


def cost_of(found: Mapping[str, int]) -> float:
    """The cost of an outcome (see the module)."""
    return sum(cost * found.get(name, 0) for name, cost in COSTS.items())


def figures(
    pictures: Iterable[TilesPicture], numbers: Mapping[str, float], cost: TilesCost
) -> dict[str, int]:
    """How the symbols of pictures come out with some limits."""
    found = Counter[str]()
    for picture in pictures:
        found.update(outcome(picture, cost.reading(picture, limits_of(numbers, SymbolLimits))))
        found.update(pictures=1, symbols=int(picture.to_find.sum()))
    return dict(found)


def main(arguments: Sequence[str]) -> int:
    """The command behind `python -m bench --fit symbols`."""
    parser = limits_parser("symbols", FOLDER / FILE)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each N-th picture only")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    pictures = [*deck_pictures(options.work, DECKS), *laid_pictures(LAID)][:: options.every]
    cost, start = TilesCost(), symbol_limits()
    names = names_of(start, options.only, parts=PARTS)
    fit = LimitsFit(cost, pictures, MARGIN, BEHIND, SAMPLE)
    found = fit.run(start, names, options.passes, beside=list(numbers_of(start)))
    about = figures(pictures, found.numbers.values, cost)
    found.write(options.to, "bench.tiles.development, composed photographs", about)
    return 0
