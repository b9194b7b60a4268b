"""Fits the limits by which the camera is judged on drawn tables and writes models/vision/camera.json.

    python -m bench --fit camera [--tables N] [--first SEED] [--only NAME ...] [--passes N] [--margin COST]
                                 [--to FILE]

Each limit is tried a fifth smaller and a quarter larger (bench.coordinate_search). What is judged is drawn:
faults put into pictures of tables, motions of the camera, changes of the light, mats and lenses
(bench.setup.development). What is there and is not found, or not rightly, costs 1; what is not
there, but is found, costs FALSE. How many pictures and markers a lens needs is what is asked of the people at
the table, and is not fitted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import cv2

from bench.fitted_limits import LimitsFit, limits_of, limits_parser, names_of
from bench.setup.development import CameraCase, development_cases
from companion.vision.image.limits import FILE, CameraLimits, camera_limits
from companion.vision.models import FOLDER, limits_in_use

FALSE = 3.0
MARGIN = 3.0
"""What a step must save: as much as something false costs."""
BEHIND = 9.0
"""How much more a step may cost so far before it is given up."""
FIRST, TABLES = 700, 8
NOT_FITTED = ("mat.markers", "mat.pictures")
DATA = "bench.setup.development, drawn tables"


class CameraCost:
    """What a case costs with some limits. A case depends on some parts of the limits only: what it cost with
    these is kept."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, tuple[object, ...]], float] = {}

    def __call__(self, numbers: Mapping[str, float], case: CameraCase) -> float:
        """The cost of a case."""
        limits = limits_of(numbers, CameraLimits)
        key = (id(case), tuple(getattr(limits, part) for part in case.parts))
        if key not in self._known:
            with limits_in_use(FILE, limits):
                verdict = case.verdict()
            self._known[key] = {"right": 0.0, "missed": 1.0, "false": FALSE}[verdict]
        return self._known[key]


def figures(cases: Sequence[CameraCase], limits: CameraLimits) -> dict[str, dict[str, int]]:
    """How the cases of each kind come out with some limits."""
    found: dict[str, Counter[str]] = {}
    with limits_in_use(FILE, limits):
        for case in cases:
            found.setdefault(case.kind, Counter())[case.verdict()] += 1
    return {kind: dict(counts) for kind, counts in found.items()}


def main(arguments: Sequence[str]) -> int:
    """The command behind `python -m bench --fit camera`."""
    parser = limits_parser("camera", FOLDER / FILE, passes=2)
    parser.add_argument("--tables", type=int, default=TABLES, metavar="N")
    parser.add_argument("--first", type=int, default=FIRST, metavar="SEED", help="of the first table")
    parser.add_argument("--margin", type=float, default=MARGIN, help="what a step must save to be kept")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    cases = list(development_cases(range(options.first, options.first + options.tables)))
    names = names_of(camera_limits(), options.only, NOT_FITTED)
    fit = LimitsFit(CameraCost(), cases, options.margin, BEHIND, sample=1 if options.passes else 0)
    found = fit.run(camera_limits(), names, options.passes)
    counts = figures(cases, found.limits)
    print(f"{counts}, cost {found.numbers.cost:g}, at the start {found.numbers.cost_at_start:g}")
    found.write(options.to, DATA, {"tables": options.tables, "found": counts})
    return 0
