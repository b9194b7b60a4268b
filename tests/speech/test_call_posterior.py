"""The posterior of right call, wrong call and none: each piece of evidence counts; and what may be a slip."""

import numpy as np
import pytest
from msgspec.structs import replace

from companion.core.call_policy import DEFAULT, Decision
from companion.core.observations import HeardWord
from companion.core.weighing import WeighedCall
from companion.speech.audio.wav import RATE
from companion.speech.recognition import call_posterior
from companion.speech.recognition.call_posterior import FITTED, CallEvidence, CallWeights, Found, features
from companion.speech.recognition.kept_sounds import MIN_ROOM_S, KeptSounds
from companion.speech.recognition.mistakes import mistake
from companion.speech.recognition.weigher import judge_for

NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven")
RIGHT = CallEvidence("right", 20.0, 0.0, right_log_odds=3.0)
WRONG = CallEvidence("other", 20.0, 0.0, right_log_odds=-6.0, verifier_log_odds=4.0)


def test_levels_are_limited() -> None:
    assert call_posterior.above_room_db(-20.0, -32.0) == 12.0
    assert call_posterior.above_room_db(-20.0, -10.0) == 0.0
    assert call_posterior.above_room_db(-20.0, -70.0) == call_posterior.MAX_ABOVE_ROOM_DB
    assert call_posterior.softer_db(-20.0, -10.0) == 10.0
    assert call_posterior.softer_db(-20.0, -30.0) == 0.0
    assert call_posterior.softer_db(-20.0, None) is None


def test_there_is_a_weight_for_every_feature() -> None:
    assert len(features(RIGHT)) == len(CallWeights.__struct_fields__)


def test_the_clear_cases() -> None:
    assert FITTED.probabilities(RIGHT).right > 0.9
    assert FITTED.probabilities(WRONG).wrong > 0.9
    talk = CallEvidence("other", 1.0, 12.0, right_log_odds=-2.0, verifier_log_odds=-2.0)
    assert sum(FITTED.probabilities(talk)) < 0.1


def test_the_three_probabilities_sum_to_one() -> None:
    right, wrong = FITTED.probabilities(replace(WRONG, above_room_db=6.0))
    assert 0.0 < right < 1.0
    assert 0.0 < wrong < 1.0
    assert right + wrong < 1.0


@pytest.mark.parametrize(
    "changed",
    [
        {"above_room_db": 5.0},
        {"softer_db": 15.0},
        {"right_log_odds": 2.0},
        {"verifier_log_odds": -4.0},
        {"mistake": "misheard"},
    ],
    ids=lambda one: next(iter(one)),
)
def test_each_piece_of_evidence_makes_a_wrong_call_less_probable(changed: dict[str, float]) -> None:
    assert FITTED.probabilities(replace(WRONG, **changed)).wrong < FITTED.probabilities(WRONG).wrong


def test_a_number_that_the_right_one_is_taken_for_accuses_nobody() -> None:
    """However clear it is: "six" is as clear a "three" in some mouths."""
    assert FITTED.probabilities(replace(WRONG, mistake="misheard")).wrong < 0.9
    assert FITTED.probabilities(replace(WRONG, mistake="far", right_log_odds=-10.0)).wrong > 0.9


@pytest.mark.parametrize("found", ["right", "other", "on gun"])
def test_a_faint_sound_is_less_probably_a_call_before_any_call_is_known(found: Found) -> None:
    """Then nothing but the room tells what is faint."""
    sound = replace(RIGHT, found=found, above_room_db=4.0, right_log_odds=1.7)
    first = replace(sound, softer_db=None)
    assert sum(FITTED.probabilities(first)) < sum(FITTED.probabilities(sound))
    loud, loud_first = replace(sound, above_room_db=20.0), replace(first, above_room_db=20.0)
    assert FITTED.probabilities(loud) == FITTED.probabilities(loud_first)


def test_the_first_sound_of_an_evening_that_hardly_rises_above_the_room_is_not_accepted() -> None:
    """Talk before the first call, 3 dB above the room, in which "one" was found. A player who is known to
    call as softly is believed."""
    talk = CallEvidence("right", 3.0, None, right_log_odds=1.7)
    words = (HeardWord("one", 0.0, 0.4, 1.0),)

    def decided(evidence: CallEvidence) -> Decision:
        return DEFAULT.decide(WeighedCall(words, *FITTED.probabilities(evidence)), fits=True, due=True)

    assert decided(talk) is not Decision.ACCEPT
    assert decided(replace(talk, softer_db=0.0)) is Decision.ACCEPT


def test_on_a_gun_no_call_is_right() -> None:
    shout = replace(WRONG, found="on gun", right_log_odds=0.0)
    assert FITTED.probabilities(shout).right == 0.0
    assert FITTED.probabilities(shout).wrong > 0.5
    assert FITTED.probabilities(replace(shout, above_room_db=2.0, verifier_log_odds=-2.0)).wrong < 0.5


def test_a_table_that_errs_more_often_is_believed_to_have_erred() -> None:
    unsure = replace(WRONG, right_log_odds=0.0, above_room_db=10.0)
    careful, careless = judge_for(0.99)(unsure), judge_for(0.5)(unsure)
    assert careful.wrong < judge_for(0.9)(unsure).wrong < careless.wrong
    assert judge_for(0.9)(unsure) == pytest.approx(FITTED.probabilities(unsure))


def test_a_cough_is_no_wrong_call() -> None:
    assert FITTED.probabilities(replace(WRONG, spoken=False)).wrong == 0.0
    shout = replace(WRONG, found="on gun", spoken=False)
    assert FITTED.probabilities(shout) == (0.0, 0.0)


def test_a_throat_sound_where_a_number_is_due_is_not_the_number() -> None:
    sound = CallEvidence("nothing", 20.0, None, right_log_odds=-3.7, spoken=False)
    assert FITTED.probabilities(sound).right < 0.3


def test_who_miscounts_is_near_the_right_number() -> None:
    assert mistake(["four"], [("five",)], NUMBERS) == "near"
    assert mistake(["five", "six"], [("four", "five")], NUMBERS) == "near"
    assert mistake(["seven"], [("four",), ("six",)], NUMBERS) == "near", "one of several right calls is near"
    assert mistake(["four", "five"], [("five", "six")], NUMBERS) == "near"
    assert mistake(["three"], [("hmmrrr",)], NUMBERS) == "near", "no number is due"
    assert mistake(["three"], [], NUMBERS) == "near", "nothing may be said"
    assert mistake(["two"], [("five",)], NUMBERS) == "far"
    assert mistake(["two", "four"], [("five", "six")], NUMBERS) == "far"


def test_what_one_of_several_right_calls_is_taken_for_is_that_call() -> None:
    """No card was seen, and the call of a phone would be a sound: compared with it, each number is near."""
    assert mistake(["three"], [("six",), ("six", "seven"), ("hmmrrr",)], NUMBERS) == "misheard"


def test_half_a_right_call_is_hardly_a_mistake() -> None:
    assert mistake(["two", "hmmrrr"], [("hmmrrr", "hmmrrr")], NUMBERS) == "misheard"
    assert mistake(["four", "six"], [("five", "six")], NUMBERS) == "misheard"
    assert mistake(["six"], [("five", "six")], NUMBERS) == "misheard", "the first word was lost"
    assert mistake(["four", "five"], [("five", "six")], NUMBERS) == "near", "one off, both"


def test_what_a_right_call_is_often_taken_for_is_hardly_a_mistake() -> None:
    assert mistake(["three"], [("six",)], NUMBERS) == "misheard"
    assert mistake(["six"], [("three",)], NUMBERS) == "far", "not the other way round"
    assert mistake(["three", "three"], [("five", "six")], NUMBERS) == "misheard", "both of two"
    assert mistake(["four", "five"], [("two", "three")], NUMBERS) == "far", "three is not taken for five"
    assert mistake(["four", "five"], [("four",)], NUMBERS) == "misheard", "another voice perhaps"


def hiss(seconds: float, amplitude: float, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return (rng.normal(size=round(seconds * RATE)) * amplitude).astype(np.int16)


def test_the_room_is_what_is_heard_between_the_calls() -> None:
    sounds = KeptSounds()
    assert sounds.room_level(5.0, []) is None
    parts = [hiss(1.0, 3000 if place in (4, 6) else 30, place) for place in range(10)]
    for place, part in enumerate(parts):
        sounds.hear(part, RATE, 100.0 + place)
    calls = [(104.0, 105.0), (106.0, 107.0)]
    quiet = sounds.room_level(109.5, calls)
    talk = sounds.room_level(109.5, calls[:1])
    assert quiet is not None
    assert talk is not None
    assert quiet == pytest.approx(20 * np.log10(30 / 32768), abs=2.0)
    assert talk > quiet + 30.0, "what nobody called counts"
    assert sounds.room_level(100.0 + MIN_ROOM_S / 2, []) is None
