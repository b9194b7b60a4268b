"""The fit of the call posterior: it separates what differs, and what is gathered does not depend on it."""

import numpy as np
from msgspec.structs import replace

from bench.table_talk.fit import first_of_evening, fit
from bench.table_talk.streams import KnownTruth, Truth, WeighedCase
from companion.core.observations import HeardWord
from companion.speech.recognition.call_posterior import CallEvidence, CallProbabilities

WORD = (HeardWord("six", 0.0, 0.4, 1.0),)


def gathered(count: int = 60) -> list[WeighedCase]:
    """Sounds of every kind that differ as real ones do, with noise."""
    rng = np.random.default_rng(4)
    found: list[WeighedCase] = []

    def add(truth: Truth, evidence: CallEvidence) -> None:
        found.append(WeighedCase("rain", 10.0, truth, WORD, evidence))

    for _ in range(count):
        loud, soft = float(rng.uniform(10, 20)), float(rng.uniform(0, 6))
        odds = rng.normal(0.0, 1.0, 4)
        add("right", CallEvidence("right", loud, 0.0, 3.0 + odds[0]))
        add("wrong", CallEvidence("other", loud, 0.0, -5.0 + odds[1], 3.0 + odds[2]))
        add("none", CallEvidence("other", soft, 0.0, -3.0 + odds[3], -2.0))
        add("call on gun", CallEvidence("on gun", loud, 0.0, 0.0, 3.0 + odds[2]))
        add("none on gun", CallEvidence("on gun", soft, 0.0, 0.0, -2.0))
    return found


def test_what_differs_is_told_apart() -> None:
    made = fit(gathered())
    right = made.probabilities(CallEvidence("right", 15.0, 0.0, 3.0))
    wrong = made.probabilities(CallEvidence("other", 15.0, 0.0, -5.0, 3.0))
    talk = made.probabilities(CallEvidence("other", 3.0, 0.0, -3.0, -2.0))
    gun = made.probabilities(CallEvidence("on gun", 15.0, 0.0, 0.0, 3.0))
    assert right.right > 0.8
    assert wrong.wrong > 0.8
    assert sum(talk) < 0.2
    assert (gun.right, gun.wrong > 0.8) == (0.0, True)


def test_a_first_sound_is_judged_by_how_far_it_rises_above_the_room() -> None:
    """Each sound counts a second time, as if it were not known how loud the players call."""
    made = fit(gathered())
    assert made.right.near_room == made.wrong.near_room < 0.0
    loud = made.probabilities(CallEvidence("right", 15.0, None, 3.0))
    faint = made.probabilities(CallEvidence("right", 2.0, None, 3.0))
    assert loud.right > faint.right


def test_voices_from_afar_are_never_the_first_sound() -> None:
    """A stream has none before it is known how loud the players call."""
    some = gathered(2)
    assert len(first_of_evening(some)) == len(some)
    assert all(one.evidence and one.evidence.softer_db is None for one in first_of_evening(some))
    assert first_of_evening([replace(one, afar=True) for one in some]) == []
    assert first_of_evening(first_of_evening(some)) == []


def test_a_second_fit_gives_the_same_weights() -> None:
    assert fit(gathered()) == fit(gathered())


def test_sounds_are_gathered_with_the_truth_in_place_of_probabilities() -> None:
    known, anything = KnownTruth(), CallEvidence("nothing", 0.0, 0.0)
    expected: dict[Truth, tuple[int, int]] = {
        "right": (1, 0),
        "wrong": (0, 1),
        "call on gun": (0, 1),
        "none": (0, 0),
        "none on gun": (0, 0),
    }
    for truth, probabilities in expected.items():
        known.truth = truth
        assert known.probabilities(anything) == CallProbabilities(*probabilities)
