"""When the camera rests, and what ends it."""

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.senses.idle_detector import QUIET_S, IdleDetector

RATE = 30


def pictures(seconds: float, noise: float = 8.0, seed: int = 1) -> list[NDArray[np.uint8]]:
    """A grey table in a camera's noise."""
    rng = np.random.default_rng(seed)
    some = [np.clip(rng.normal(128, noise, (360, 640, 3)), 0, 255).astype(np.uint8) for _ in range(4)]
    return [some[n % 4] for n in range(int(seconds * RATE))]


def rested(detector: IdleDetector, frames: list[NDArray[np.uint8]], first: float) -> list[bool]:
    answers = []
    for number, frame in enumerate(frames):
        detector.see(frame, first + number / RATE)
        answers.append(detector())
    return answers


def test_a_camera_rests_when_nothing_but_noise_has_moved_for_long() -> None:
    answers = rested(IdleDetector(), pictures(QUIET_S + 2), 100.0)
    assert answers.index(True) == pytest.approx(QUIET_S * RATE, abs=2)
    assert all(answers[answers.index(True) :])


def test_the_first_picture_with_something_new_ends_the_rest() -> None:
    detector = IdleDetector()
    assert rested(detector, pictures(QUIET_S + 1), 0.0)[-1]
    hand = pictures(0.1)[0].copy()
    hand[:30, 300:350] = 90  # a hand has just come over the edge
    detector.see(hand, QUIET_S + 1.1)
    assert not detector()
    assert not any(rested(detector, pictures(QUIET_S - 1), QUIET_S + 1.2)), "it rests anew only after as long"


def test_what_moves_slowly_is_movement() -> None:
    detector = IdleDetector()
    answers = []
    for number in range(int((QUIET_S + 3) * 5)):
        frame = np.full((360, 640, 3), 128, np.uint8)
        frame[100:150, 50 + 4 * number : 80 + 4 * number] = 60
        detector.see(frame, number / 5)
        answers.append(detector())
    assert not any(answers)


def test_time_that_jumps_back_wakes() -> None:
    detector = IdleDetector()
    assert rested(detector, pictures(QUIET_S + 1), 500.0)[-1]
    detector.see(pictures(0.1)[0], 3.0)
    assert not detector()
