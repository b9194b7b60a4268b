"""The fit of an array's directions: it prefers constants under which calls come from their seats."""

import numpy as np
import pytest
from msgspec.structs import replace

from bench.table_talk.seat_cases import DirectionCase, Maker
from bench.table_talk.seat_fit import hidden_shares, log_loss
from companion.speech.direction.seats import FITTED, SeatDirection

SEATS = {"Ida": SeatDirection(0.0, 8.0), "Jo": SeatDirection(120.0, 8.0)}
TELEVISION = 200.0


def heard(maker: Maker, degrees: float, found: bool = True) -> DirectionCase:
    """A sound while Ida's call is due."""
    return DirectionCase(maker, found, "Ida", (degrees % 360.0,), SEATS, (TELEVISION,) * 20)


def sounds(spread: float) -> list[DirectionCase]:
    """Calls of Ida, some of Jo, and a television."""
    rng = np.random.default_rng(3)
    found = [heard("caller", float(rng.normal(0.0, spread))) for _ in range(40)]
    found += [heard("player", float(rng.normal(120.0, spread))) for _ in range(10)]
    return found + [heard("loudspeaker", float(rng.normal(TELEVISION, 3.0)), False) for _ in range(40)]


def test_calls_from_their_seats_are_told_from_a_television() -> None:
    assert log_loss(sounds(8.0), FITTED) < 0.3
    assert log_loss(sounds(90.0), FITTED) > log_loss(sounds(8.0), FITTED) + 0.2


@pytest.mark.parametrize(("spread", "better", "worse"), [(3.0, 3.0, 25.0), (30.0, 25.0, 3.0)])
def test_the_loss_is_least_for_the_spread_of_the_calls(spread: float, better: float, worse: float) -> None:
    some = sounds(spread)
    losses = [log_loss(some, replace(FITTED, wander=wander)) for wander in (better, worse)]
    assert losses[0] < losses[1]


def test_calls_that_were_not_made_out_do_not_count_for_the_loss() -> None:
    some = sounds(8.0)
    assert log_loss([*some, heard("caller", TELEVISION, False)], FITTED) == log_loss(some, FITTED)


def test_how_many_calls_are_hidden() -> None:
    covered = [heard("caller", TELEVISION, False) for _ in range(20)]
    seen = [heard("caller", 0.0, False) for _ in range(20)]
    assert hidden_shares(seen, FITTED)[0] < 0.1
    assert hidden_shares(covered, FITTED)[0] > 0.9
    likely, at_most = hidden_shares([*covered[:10], *seen[:10]], FITTED)
    assert 0.1 < likely < at_most < 1.0
