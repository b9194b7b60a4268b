"""What landings that are reported wrongly or late cost, and the limits that are tried for that."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.fitted_limits import limits_of, numbers_of
from bench.tracking.__main__ import LandingTally
from bench.tracking.fit import NOT_FITTED, FittedClip, LandingCost, cost_of
from companion.vision.models import limits_in_use
from companion.vision.tracking.limits import FILE, TrackingLimits, seconds, tracking_limits


@pytest.mark.parametrize(
    ("tally", "cost"),
    [
        (LandingTally(landings=2, found=2, errors=[0.0, 0.1], noticed=[0.5, 0.5]), 0.1),
        (LandingTally(landings=2, found=2, errors=[0.0, -0.2], noticed=[0.5, 0.5]), 1.1),
        (LandingTally(landings=2, found=1, errors=[0.0, float("nan")], noticed=[1.0]), 5.1),
        (LandingTally(landings=2, found=1, false=1, errors=[0.0, float("nan")], noticed=[1.0]), 15.1),
    ],
)
def test_a_wrong_score_costs_most_and_a_late_one_least(tally: LandingTally, cost: float) -> None:
    assert cost_of(tally) == pytest.approx(cost)


def test_limits_are_numbers_by_name_and_back() -> None:
    numbers = numbers_of(tracking_limits())
    assert numbers["seconds.still"] == tracking_limits().seconds.still
    assert limits_of(numbers, TrackingLimits) == tracking_limits()
    assert set(NOT_FITTED) <= set(numbers)


def test_limits_that_are_tried_are_used_and_the_shipped_ones_afterwards() -> None:
    shipped = tracking_limits()
    other = limits_of({**numbers_of(shipped), "seconds.still": 7.0}, TrackingLimits)
    with limits_in_use(FILE, other):
        assert seconds().still == 7.0
    assert tracking_limits() is shipped


def test_a_cost_that_is_known_is_not_measured_again(tmp_path: Path) -> None:
    """A fit that was stopped goes on where it was."""
    one, numbers = FittedClip("lamp", 1, tmp_path / "none.npz"), numbers_of(tracking_limits())

    class Counted(LandingCost):
        def _measured(self, numbers: object, one: FittedClip) -> float:
            measured.append(one)
            return 3.0

    measured: list[FittedClip] = []
    assert Counted(tmp_path / "costs.json")(numbers, one) == 3.0
    assert Counted(tmp_path / "costs.json")(numbers, one) == 3.0
    assert Counted(tmp_path / "costs.json")({**numbers, "seconds.still": 7.0}, one) == 3.0
    assert len(measured) == 2
    assert len(json.loads((tmp_path / "costs.json").read_text())) == 2
