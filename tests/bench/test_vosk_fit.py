"""The calibration without a verifier is found again in scores that were drawn from one."""

import numpy as np

from bench.table_talk.vosk_fit import Scored, fit, log_loss
from companion.speech.recognition.verdict import Calibration

TRUE = Calibration(0.3, -1.0, 0.2, 0.0, 0.0)


def drawn(count: int) -> list[Scored]:
    """Calls whose truth is drawn with the probability that TRUE gives them."""
    rng = np.random.default_rng(5)
    some = []
    for _ in range(count):
        found = bool(rng.random() < 0.6)
        nats = float(rng.normal(2.0, 8.0)) if found else -float(rng.exponential(5.0))
        right = bool(rng.random() < 1.0 / (1.0 + np.exp(-TRUE.log_odds(nats, found))))
        some.append(Scored("silence", right, found, nats))
    return some


def balanced(some: list[Scored]) -> list[Scored]:
    """As many right as wrong calls: for so many the calibration counts."""
    right, wrong = ([one for one in some if one.right is truth] for truth in (True, False))
    count = min(len(right), len(wrong))
    return [*right[:count], *wrong[:count]]


def test_the_slope_of_calls_that_are_found_is_that_of_the_scores() -> None:
    found = fit(drawn(20000))
    assert abs(found.slope - TRUE.slope) < 0.05
    assert abs(found.missing_slope - TRUE.missing_slope) < 0.05
    assert found.verifier_slope == found.missing_verifier_slope == 0.0


def test_the_fitted_calibration_is_better_than_another_one() -> None:
    some = balanced(drawn(4000))
    other = Calibration(0.9, 2.0, 0.9, 0.0, 0.0)
    assert log_loss(some, fit(some)) < log_loss(some, other)


def test_the_log_loss_of_certain_mistakes_is_what_they_are_ahead() -> None:
    wrong = [Scored("rain", False, True, 20.0)]
    assert abs(log_loss(wrong, Calibration(1.0, 0.0, 0.0, 0.0, 0.0)) - 20.0) < 1e-6
