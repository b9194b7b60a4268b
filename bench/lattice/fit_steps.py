"""Fits the limits of finding triangular cards and laying them into the picture
(companion.vision.triangles.limits) and writes models/vision/triangles.json.

    python -m bench --fit lattice --steps [--only NAME ...] [--every N] [--passes N] [--to FILE]

Each limit is tried a fifth smaller and a quarter larger (bench.coordinate_search) on BOARDS of the kinds that
the weights are fitted on, at seeds from SEED on. A board costs, added up:

- 10 for each wrong name, one where no card lies included;
- 3 for each card that is neither named nor asked about;
- 1 for each question, and for each right name what its probability lacks of 1.

A step is kept if it saves more than MARGIN. The weights and the probabilities from which a card is named stay
as they are. All limits take about 45 minutes of one core, on each second board about 20.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from bench.fitted_limits import LimitsFit, limits_of, limits_parser, names_of
from bench.lattice.boards import KINDS, card_at
from companion.vision.deck.deck import Deck
from companion.vision.lattice.read import LatticeReading, read_lattice
from companion.vision.models import FOLDER, limits_in_use
from companion.vision.triangles.limits import FILE, TriangleLimits, triangle_limits
from models.vision.triangles.tables import Board

SEED = 60_000
BOARDS = (6, 6, 3, 1)
"""So many boards of each of KINDS but the last."""
COSTS = {"wrong": 10.0, "silent": 3.0, "asked": 1.0, "doubt": 0.001}
MARGIN = 1.5
"""What a step must save: more than a card that is named instead of asked about."""
BEHIND = 4.0
"""How much more a step may cost so far before it is given up."""
SAMPLE = 4
"""The costs beside the fitted limits are measured on each SAMPLE-th board."""
NOT_FITTED = (
    "outlines.known_by", "lamps.drift", "lamps.card_deviation",
    "learned.edge_support", "learned.shared", "learned.cut_alike", "learned.white_share",
)  # fmt: skip
"""Limits of watched tables and of how decks are learned: single pictures tell nothing of them."""


@dataclass(frozen=True, eq=False)
class FittedTable:
    """The picture of a board with its truth, and its deck as it was enrolled."""

    board: Board
    deck: Deck


def fitted_tables() -> list[FittedTable]:
    """The boards that limits are fitted on."""
    counts = zip(KINDS, BOARDS, strict=False)
    return [FittedTable(*kind.drawn(SEED + kind.seed + at)) for kind, count in counts for at in range(count)]


def outcome(board: Board, reading: LatticeReading) -> Counter[str]:
    """How the cards of a board come out: `right`, and what COSTS names, doubt in thousandths. A card that a
    hand mostly hides need not be read."""
    found = Counter[str]()
    told = set()
    for card in (*reading.cards, *reading.unsure):
        at = card_at(np.array(card.corners, np.float32), board)
        new = at is not None and at not in told
        told.add(at)
        if card in reading.unsure:
            found["asked"] += 1
        elif new and board.cards[at] == card.card:
            found.update(right=1, doubt=round(1000 * (1 - card.confidence)))
        elif at not in board.hidden:
            found["wrong"] += 1
    found["silent"] = len(set(board.cards) - set(board.hidden) - told)
    return found


def cost_of(found: Mapping[str, int]) -> float:
    """The cost of an outcome (see the module)."""
    return sum(cost * found.get(name, 0) for name, cost in COSTS.items())


def table_cost(numbers: Mapping[str, float], table: FittedTable) -> float:
    """What a board costs with some limits."""
    return cost_of(_read(numbers, table))


def _read(numbers: Mapping[str, float], table: FittedTable) -> Counter[str]:
    with limits_in_use(FILE, limits_of(numbers, TriangleLimits)):
        return outcome(table.board, read_lattice(table.board.picture, table.deck))


def figures(tables: Iterable[FittedTable], numbers: Mapping[str, float]) -> dict[str, int]:
    """How the cards of boards come out with some limits."""
    found = Counter[str]()
    for table in tables:
        found.update(_read(numbers, table))
        found.update(boards=1, cards=len(table.board.cards))
    return dict(found)


def main(arguments: Sequence[str]) -> int:
    """The command behind `python -m bench --fit lattice --steps`."""
    parser = limits_parser("lattice --steps", FOLDER / FILE)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each N-th board only")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    tables = fitted_tables()[:: options.every]
    names = names_of(triangle_limits(), options.only, NOT_FITTED)
    found = LimitsFit(table_cost, tables, MARGIN, BEHIND, SAMPLE).run(
        triangle_limits(), names, options.passes
    )
    found.write(options.to, "bench.lattice.boards, drawn boards", figures(tables, found.numbers.values))
    return 0
