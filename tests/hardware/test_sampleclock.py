"""The moment of a sample, from blocks that arrive late, drift and get lost."""

import random

import pytest

from hardware.sampleclock import SampleClock

RATE, BLOCK = 16_000, 320


def run(
    seconds: float, late: object, drift: float = 0.0, lost_at: float | None = None
) -> list[tuple[float, bool]]:
    """Errors of the mapping (s) and gaps, for blocks that arrive late() seconds after their last sample."""
    clock = SampleClock(RATE)
    found = []
    count, lost = 0, 0.0
    while count / RATE < seconds:
        if lost_at is not None and not lost and count / RATE >= lost_at:
            lost = 0.5
        true = 1000.0 + lost + count / RATE * (1 + drift)
        count += BLOCK
        arrival = 1000.0 + lost + count / RATE * (1 + drift) + late()  # type: ignore[operator]
        t, gap = clock.block(BLOCK, arrival)
        found.append((t - true, gap))
    return found


def test_jitter_of_the_arrival_does_not_reach_the_time_of_the_samples() -> None:
    random.seed(7)
    errors = [error for error, _ in run(30, lambda: 0.002 + random.expovariate(1 / 0.004))][100:]
    assert max(errors) - min(errors) < 0.005
    assert min(errors) > 0.0


def test_a_drifting_sound_card_is_followed() -> None:
    random.seed(7)
    errors = [error for error, _ in run(120, lambda: random.expovariate(1 / 0.003), drift=100e-6)][500:]
    assert max(abs(error) for error in errors) < 0.005


def test_a_single_late_block_is_no_gap() -> None:
    delays = iter([0.001] * 200 + [0.4, 0.38, 0.36] + [0.001] * 2000)
    assert not any(gap for _, gap in run(10, lambda: next(delays)))


def test_lost_samples_are_found_and_the_time_is_right_again() -> None:
    random.seed(7)
    found = run(20, lambda: 0.002 + random.expovariate(1 / 0.002), lost_at=8.0)
    gaps = [i * BLOCK / RATE for i, (_, gap) in enumerate(found) if gap]
    assert len(gaps) == 1
    assert gaps[0] == pytest.approx(8.0, abs=0.2)
    assert max(abs(error) for error, _ in found[-200:]) < 0.02


def test_a_device_that_owns_up_to_a_loss_is_believed_at_once() -> None:
    clock = SampleClock(RATE)
    for i in range(100):
        clock.block(BLOCK, 1000.02 + i * 0.02)
    clock.lost()
    t, gap = clock.block(BLOCK, 1000.02 + 100 * 0.02 + 3.0)
    assert t == pytest.approx(1000.0 + 100 * 0.02 + 3.0)
    assert not gap
