"""What speaks for a card at a place of the lattice is fitted on drawn boards."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bench.fitted_limits import numbers_of
from bench.lattice import fit as lattice_fit
from bench.lattice import fit_steps
from bench.lattice.fit import HIDDEN, NONE, FittedBoard, FittedLatticePlace, fit, fitted_board
from companion.core.observations import LatticeCard
from companion.vision.lattice.limits import FILE, lattice_limits
from companion.vision.lattice.read import LatticeReading
from companion.vision.models import FOLDER
from companion.vision.triangles.limits import FILE as TRIANGLES
from companion.vision.triangles.limits import triangle_limits
from models.vision.triangles.tables import Board

FEATURES = 10


def place(seed: int, costs: tuple[float, ...], truth: int) -> FittedLatticePlace:
    """A place of which only the costs speak for a card."""
    shown = np.zeros((len(costs), FEATURES), np.float32)
    shown[:, 0] = 1.0
    shown[:, 1] = shown[:, 8] = np.log(costs)
    return FittedLatticePlace(seed, True, shown, lighted=True, truth=truth)


def boards(rng: np.random.Generator) -> list[FittedBoard]:
    """Boards of cards that cost little, bare places at which each card costs much, and a card that a hand
    hides."""
    found = []
    for seed in range(60):
        card = int(rng.integers(3))
        own = tuple(float(rng.uniform(0.05, 0.2) if k == card else rng.uniform(0.4, 0.7)) for k in range(3))
        scored = (
            place(seed, own, card),
            place(seed, tuple(rng.uniform(0.4, 0.7, 3).tolist()), NONE),
            place(seed, own, HIDDEN),
        )
        tried = (
            FittedLatticePlace(seed, True, np.array([[1.0, 0.9, 0.8, 0.1, 0.05]], np.float32), False, 0),
            FittedLatticePlace(seed, True, np.array([[1.0, 0.3, 0.1, 0.5, 0.05]], np.float32), False, NONE),
        )
        wrong_lamp = np.array([[-float(rng.uniform(1, 4)), 0.5, 0.3]], np.float32)
        found.append(FittedBoard(tried, scored, (FittedLatticePlace(seed, True, wrong_lamp, False, NONE),)))
    return found


def test_costs_tell_the_card_and_a_hidden_one_counts_for_nothing() -> None:
    found = fit(boards(np.random.default_rng(3)))
    last, search, lamp, about = found["last"], found["search"], found["lamp"], found["fit"]
    assert isinstance(last, dict)
    assert isinstance(search, dict)
    assert isinstance(lamp, dict)
    assert isinstance(about, dict)
    assert last["by_cost"] < 0
    assert search["by_outline"] > 0
    assert lamp["by_cost"] < 0 < lamp["by_network"]
    assert about["lamps"] == 60
    assert (about["places"], about["cards"]) == (120, 60)
    assert about["named_and_right_left_out"] == 60
    assert about["named_and_wrong_left_out"] == 0


@pytest.mark.parametrize(("kind", "cards"), [(lattice_fit.KINDS[2], True), (lattice_fit.KINDS[3], False)])
def test_a_drawn_board_gives_places_with_what_lies_there(kind: lattice_fit.BoardKind, cards: bool) -> None:
    board = fitted_board((kind, 40_002))
    assert any(one.truth >= 0 for one in board.scored) == cards
    assert all(one.shown.shape[1] == (FEATURES if one.lighted else FEATURES - 2) for one in board.scored)


def test_of_cards_of_one_colour_only_the_lamp_is_fitted() -> None:
    kind = next(kind for kind in lattice_fit.KINDS if kind.one_colour)
    board = fitted_board((kind, 48_002))
    assert (board.tried, board.scored) == ((), ())
    (lattice,) = board.lamps
    assert lattice.truth == NONE
    assert lattice.shown.shape[1] == 3
    assert np.median(lattice.shown[:, 0]) < 0


def test_the_shipped_limits_can_be_read_and_say_what_they_were_fitted_on() -> None:
    limits = lattice_limits()
    assert 0.5 < limits.named < 1.0
    assert limits.last.by_added_light < 0 < limits.last.by_single_colour
    assert '"boards"' in (FOLDER / FILE).read_text()


CORNERS = np.array([[50, 0], [100, 87], [0, 87]], np.float32)


def seen(card: str, right: float, confidence: float = 0.9) -> LatticeCard:
    """A card as a reading tells it, moved to the right by pixels."""
    a, b, c = ((float(x) + right, float(y)) for x, y in CORNERS)
    return LatticeCard((0, 0), card, confidence, (a, b, c))


def laid(*cards: str, hidden: frozenset[tuple[int, int]] = frozenset()) -> Board:
    """A board of cards 200 pixels apart."""
    corners = {(0, at): np.asarray(CORNERS + np.array([200 * at, 0]), np.float32) for at in range(len(cards))}
    named = {(0, at): card for at, card in enumerate(cards)}
    return Board(np.zeros((9, 9, 3), np.uint8), named, {}, hidden, corners)


def test_a_wrong_name_costs_most_and_silence_more_than_a_question() -> None:
    board = laid("red", "blue", "pink", "black", "green", hidden=frozenset([(0, 4)]))
    sure = (seen("red", 0), seen("red", 5), seen("pink", 200), seen("red", 700))
    found = fit_steps.outcome(board, LatticeReading(sure, (seen("pink", 400, 0.6),)))
    assert found == {"right": 1, "doubt": 100, "wrong": 3, "asked": 1, "silent": 1}
    assert fit_steps.cost_of(found) == pytest.approx(30 + 3 + 1 + 0.1)


def test_a_board_costs_what_other_limits_make_of_it() -> None:
    table = fit_steps.FittedTable(*lattice_fit.KINDS[2].drawn(64_001))
    numbers = numbers_of(triangle_limits())
    found = fit_steps.figures([table], numbers)
    assert found["boards"] == 1
    assert found["cards"] == sum(found.get(name, 0) for name in ("right", "asked", "silent"))
    assert fit_steps.table_cost(numbers, table) == pytest.approx(fit_steps.cost_of(found))
    nothing = {**numbers, "outlines.likeness": 2.0}
    assert fit_steps.table_cost(nothing, table) == fit_steps.COSTS["silent"] * found["cards"]


def test_the_shipped_limits_of_triangles_say_what_they_were_fitted_on() -> None:
    about = json.loads((FOLDER / TRIANGLES).read_text())["fit"]
    names = set(numbers_of(triangle_limits()))
    assert set(about["neighbours"]) <= names - set(fit_steps.NOT_FITTED)
    assert set(fit_steps.NOT_FITTED) < names
    assert about["boards"] >= 10
    assert about["cost"] <= about["cost_at_start"]
