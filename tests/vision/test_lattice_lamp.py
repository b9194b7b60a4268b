"""A lamp is as sure as what tells it from others, and no card of one colour is surer than the lamp."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.image.picture import Floats
from companion.vision.lattice import lamp as lamps_of_tables
from companion.vision.lattice.cells import Cell, LatticePicture
from companion.vision.lattice.colours import Illuminant, KnownLamp, templates_of
from companion.vision.lattice.lamp import LampEvidence, likely_lamps
from companion.vision.lattice.limits import LatticeEvidence, lattice_limits
from companion.vision.lattice.place_score import PlaceScore
from companion.vision.triangles.appearance import log_colours, sample_points

YELLOW, ORANGE = np.array([30, 200, 225], np.float32), np.array([30, 110, 225], np.float32)
PLACE = np.array([[[100, 60], [155, 155], [45, 155]]], np.float32)
COLOURS = (np.array([0.0, 0.0], np.float32), np.array([0.1, -0.35], np.float32))
"""Of two lamps: white, and one under which orange is as yellow as yellow."""


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> LatticePicture:
    """A place at which a network finds yellow under a white lamp and orange under the other, as surely."""
    points = len(sample_points())
    levels = np.stack([np.tile(tone, (points, 1)) for tone in (YELLOW, ORANGE)])
    looks = templates_of(("yellow", "orange"), np.arange(2), log_colours(levels, 225.0))
    lamps = [Illuminant(colour, 0.0) for colour in COLOURS]
    monkeypatch.setattr(lamps_of_tables, "likely_illuminants", lambda *_: lamps)

    def odds(seen: Floats, *given: object) -> Floats:
        own = [5.0, -5.0] if given[-1] is lamps[0] else [-5.0, 5.0]
        return np.tile(np.array(own, np.float32), (len(seen), 1))

    def costs(seen: Floats, *given: object) -> Floats:
        own = [0.1] * 3 + [0.4] * 3 if given[-1] is lamps[0] else [0.4] * 3 + [0.1] * 3
        return np.tile(np.array(own, np.float32), (len(seen), 1))

    monkeypatch.setattr(lamps_of_tables, "card_log_odds", odds)
    monkeypatch.setattr(lamps_of_tables, "template_costs", costs)
    return LatticePicture(np.full((240, 240, 3), 120, np.uint8), 110.0, looks)


def test_of_two_lamps_that_explain_the_cards_the_whiter_one_is_likelier_and_not_sure(
    table: LatticePicture,
) -> None:
    white, other = likely_lamps(table, PLACE, None)
    assert white.illuminant.colour is COLOURS[0]
    assert white.probability > other.probability > 0.1
    assert white.probability + other.probability == pytest.approx(1.0)


def test_a_lamp_that_is_known_decides(table: LatticePicture) -> None:
    best, other = likely_lamps(table, PLACE, KnownLamp(COLOURS[1], 0.0012))
    assert best.illuminant.colour is COLOURS[1]
    assert best.probability > 100 * other.probability


def test_a_lamp_under_which_cards_are_found_is_likelier() -> None:
    model = lattice_limits().lamp
    odds, costs = np.full((3, 2), -6.0, np.float32), np.full((3, 2), 0.5, np.float32)
    nothing = LampEvidence(np.repeat(PLACE, 3, axis=0), odds, costs, COLOURS[0])
    for cards in (
        LampEvidence(nothing.corners, odds + 12, costs, COLOURS[0]),
        LampEvidence(nothing.corners, odds, costs - 0.4, COLOURS[0]),
    ):
        assert model.log_odds(cards.columns()) > model.log_odds(nothing.columns()) + 1


@pytest.mark.parametrize(("share", "sure"), [(0.99, True), (0.7, False)])
def test_no_card_is_surer_than_its_lamp(share: float, sure: bool) -> None:
    evidence = LatticeEvidence(np.array([0.1, 0.5]), 0.7, 0.8, 0.9, 0.0, True)
    cell = Cell((0, 0), PLACE[0], evidence.costs, 0.9, 0.7)
    one = PlaceScore(cell, evidence, np.array([0.98, 0.01], np.float32), is_sure=True)
    found = one.shared_by(np.array([share, 1.0 - share], np.float32))
    assert found.is_sure == sure
    assert found.card == 0
    assert found.second == (None if sure else 1)
    assert found.log_odds == pytest.approx(one.log_odds, abs=0.01)
