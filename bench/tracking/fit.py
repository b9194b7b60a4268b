"""Fits the limits of landings on drawn play and writes models/vision/landings.json.

    python -m bench --fit landings --work DIR [--only NAME ...] [--seeds N] [--passes N] [--to FILE]

Each limit is tried a fifth smaller and a quarter larger (bench.coordinate_search) on clips of bench.tracking:
one of each kind of trouble for each seed from SEED on. The pictures, and what each clip costs with which
limits, are kept in DIR: a fit that was stopped goes on where it was. A clip costs:

- 10 for each false landing, a wrong name included: a wrong score;
- 5 for each landing that is missed;
- 1 for each time that is off by more than 0.1 s;
- a tenth for each second by which landings are told later.

Limits of what has no landings (tables of triangles, dice) and promises to others are left as they are.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from bench.fitted_limits import LimitsFit, limits_of, limits_parser, names_of
from bench.tracking.__main__ import LandingTally, deck_of, score, watch
from bench.tracking.scenes import KINDS, PLAY, TableClip, clip
from companion.vision.cards.recognise import CardReading, recognise
from companion.vision.deck.deck import Deck
from companion.vision.image.picture import Array, Image
from companion.vision.models import FOLDER, limits_in_use
from companion.vision.tracking.limits import FILE, TrackingLimits, tracking_limits

FALSE, MISSED, LATE, TOLD = 10.0, 5.0, 1.0, 0.1
MARGIN = 1.5
"""What a step must save: more than one time that is off."""
BEHIND = 4.0
"""How much more a step may cost so far before it is given up."""
SEED = 401
HARDNESS = 0.4
TROUBLE = tuple(kind for kind in KINDS if kind not in PLAY)
NOT_FITTED = (
    "seconds.hold", "seconds.object", "seconds.too_few", "seconds.doubtful",
    "distances.beside", "distances.table",
)  # fmt: skip


@dataclass(frozen=True)
class FittedClip:
    """A clip of this kind, and the file in which its pictures are kept."""

    kind: str
    seed: int
    file: Path

    def drawn(self) -> TableClip:
        """The clip."""
        return clip(self.kind, np.random.default_rng([self.seed, list(KINDS).index(self.kind), 0]), HARDNESS)


@dataclass
class KnownReadings:
    """Names cards, and remembers what it said of a picture: other limits seldom look elsewhere."""

    _known: dict[bytes, CardReading] = field(default_factory=dict)

    def __call__(
        self, image: Image, deck: Deck, expected: frozenset[str] | None, changed: Array | None
    ) -> CardReading:
        asked = hashlib.blake2b(np.ascontiguousarray(image), digest_size=16)
        asked.update(repr((deck.names, image.shape)).encode())
        if changed is not None:
            asked.update(np.packbits(changed))
        if asked.digest() not in self._known:
            self._known[asked.digest()] = recognise(image, deck, expected, changed)
        return self._known[asked.digest()]


@dataclass
class LandingCost:
    """What a clip costs with some limits; known costs are kept in a file."""

    file: Path
    _costs: dict[str, float] = field(default_factory=dict)
    _read: KnownReadings = field(default_factory=KnownReadings)
    _decks: dict[str, Deck] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.file.is_file():
            self._costs = json.loads(self.file.read_text(encoding="utf-8"))

    def __call__(self, numbers: Mapping[str, float], one: FittedClip) -> float:
        """The cost of the clip."""
        asked = json.dumps([one.kind, one.seed, *sorted(numbers.items())])
        key = hashlib.blake2b(asked.encode(), digest_size=16).hexdigest()
        if key not in self._costs:
            self._costs[key] = self._measured(numbers, one)
            self.file.write_text(json.dumps(self._costs), encoding="utf-8")
        return self._costs[key]

    def _measured(self, numbers: Mapping[str, float], one: FittedClip) -> float:
        drawn, tally = one.drawn(), LandingTally()
        if drawn.game not in self._decks:
            self._decks[drawn.game] = deck_of(drawn.game)
        with limits_in_use(FILE, limits_of(numbers, TrackingLimits)):
            score(drawn, watch(drawn, one.file, self._decks[drawn.game], tally, self._read), tally)
        return cost_of(tally)


def cost_of(tally: LandingTally) -> float:
    """The cost of what was counted (see the module).

    >>> errors = [0.0, 0.2, float("nan")]
    >>> cost_of(LandingTally(landings=3, found=2, false=1, errors=errors, noticed=[0.6, 0.9]))
    16.15
    """
    late = int((np.abs(np.array(tally.errors)) > 0.1 + 1e-6).sum())
    told = sum(tally.noticed)
    missed = tally.landings - tally.found
    return round(FALSE * tally.false + MISSED * missed + LATE * late + TOLD * told, 3)


def main(arguments: Sequence[str]) -> int:
    """The command behind `python -m bench --fit landings`."""
    parser = limits_parser("landings", FOLDER / FILE)
    parser.add_argument("--work", type=Path, required=True, metavar="DIR", help="pictures and known costs")
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="clips of each kind")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    options.work.mkdir(parents=True, exist_ok=True)
    clips = [
        FittedClip(kind, seed, options.work / f"{kind.replace(' ', '_')}-{seed}.npz")
        for seed in range(SEED, SEED + options.seeds)
        for kind in TROUBLE
    ]
    names = names_of(tracking_limits(), options.only, NOT_FITTED)
    fit = LimitsFit(LandingCost(options.work / "costs.json"), clips, MARGIN, BEHIND, sample=0)
    found = fit.run(tracking_limits(), names, options.passes)
    found.write(options.to, "bench.tracking, drawn play", {"clips": len(clips), "tried": names})
    return 0
