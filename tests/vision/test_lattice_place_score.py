"""A card is named where its pattern, its outline and its colours speak for it, and asked about otherwise."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from companion.vision.lattice.cells import Cell
from companion.vision.lattice.limits import AddedLightFit, LatticeEvidence, lattice_limits
from companion.vision.lattice.place_score import PlaceScore
from companion.vision.triangles.limits import triangle_limits

CORNERS = np.array([[50, 0], [100, 87], [0, 87]], np.float32)
PLAIN = LatticeEvidence(np.array([0.15, 0.5, 0.6], np.float32), 0.7, 0.8, 0.95, 0.0, True)
UNDER_GLARE = replace(PLAIN, costs=np.array([0.4, 0.42, 0.6], np.float32), pattern=0.1, burnt=0.5)
BARE = replace(
    PLAIN, costs=np.array([0.5, 0.55, 0.6], np.float32), pattern=0.0, pattern_under_glare=0.1, side=0.1
)


def added(*costs: float, single: float = 0.4) -> AddedLightFit:
    return AddedLightFit(np.array(costs, np.float32), single)


def scored(evidence: LatticeEvidence) -> PlaceScore:
    limits = lattice_limits()
    model = limits.first if evidence.added is None else limits.last
    found = model.probabilities(evidence)
    cell = Cell((0, 0), CORNERS, evidence.costs, 0.95, evidence.pattern, 0.05)
    return PlaceScore(cell, evidence, found, float(found.max()) >= limits.named)


def test_a_plain_card_is_sure() -> None:
    one = scored(replace(PLAIN, added=added(0.05, 0.5, 0.6)))
    assert one.is_sure
    assert one.card == 0
    assert one.confidence > 0.95
    assert one.second is None


@pytest.mark.parametrize(
    "change",
    [
        {"added": added(0.25, 0.25, 0.6), "costs": np.array([0.2, 0.2, 0.6], np.float32)},
        {"added": added(0.3, 0.6, 0.6, single=0.02), "pattern": 0.2, "pattern_under_glare": 0.3},
        {"added": added(0.3, 0.5, 0.6, single=0.2), "pattern": 0.0, "pattern_under_glare": 0.0},
    ],
    ids=["two cards alike", "one colour", "no pattern"],
)
def test_what_may_be_another_card_or_none_is_not_named(change: dict[str, Any]) -> None:
    assert not scored(replace(PLAIN, **change)).is_sure


def test_a_card_that_may_be_two_is_asked_about_with_both() -> None:
    one = scored(replace(PLAIN, costs=np.array([0.2, 0.2, 0.6], np.float32), added=added(0.05, 0.05, 0.6)))
    assert {one.card, one.second} == {0, 1}
    assert one.confidence == pytest.approx(0.5, abs=0.05)


def test_bare_table_is_not_even_asked_about() -> None:
    assert scored(BARE).log_odds < triangle_limits().doubts.asked
    assert (
        scored(replace(BARE, added=added(0.5, 0.5, 0.6, single=0.1))).log_odds
        < triangle_limits().doubts.asked
    )


def test_added_light_tells_what_plain_light_does_not() -> None:
    assert scored(UNDER_GLARE).confidence < 0.8
    told = scored(replace(UNDER_GLARE, added=added(0.03, 0.4, 0.6)))
    assert told.card == 0
    assert told.confidence > 0.9
    other = scored(replace(UNDER_GLARE, added=added(0.4, 0.03, 0.6)))
    assert other.card == 1


def test_probabilities_and_that_of_no_card_are_one_and_plain_costs_say_nothing_of_what_is_burnt_out() -> None:
    burnt = replace(PLAIN, burnt=1.0)
    model = lattice_limits().first
    found = model.probabilities(burnt)
    assert 0.0 < found.sum() < 1.0
    assert found == pytest.approx(np.full(3, found[0]))
