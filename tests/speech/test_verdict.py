"""The right call weighed against everything else: on the project's own voices, and on made-up scores."""

import math
import wave
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.core.observations import HeardWord
from companion.speech.model import grammar, models
from companion.speech.recognition import verdict
from companion.speech.recognition.decoder import Decoding

CALLS = Path(__file__).parents[2] / "models" / "demo" / "calls"
ENGLISH = grammar.language("en")


@pytest.fixture(scope="module")
def opened() -> Any:
    return models.open_model(models.find_model("en"))


def take(voice: str, *names: str) -> NDArray[np.int16]:
    parts = []
    for name in names:
        with wave.open(str(CALLS / voice / f"{name}.wav"), "rb") as file:
            parts.append(np.frombuffer(file.readframes(file.getnframes()), "<i2"))
    return np.concatenate(parts)


def weigh(
    model: Any, sound: NDArray[np.int16], *right: tuple[str, ...], prior: float = 0.5
) -> verdict.CallScore:
    known = models.vocabulary(models.find_model("en"))
    words = grammar.with_competing_words(ENGLISH.calls(), known, ENGLISH)
    return verdict.score_call(
        sound, model, words, grammar.competing_words(ENGLISH.calls(), known), right, prior=prior
    )


@pytest.mark.parametrize("voice", ["ada", "ben", "cleo"])
@pytest.mark.parametrize(("said", "other"), [("five", "four"), ("two", "three"), ("seven", "six")])
def test_the_right_call_is_right_and_its_neighbour_is_not(
    opened: Any, voice: str, said: str, other: str
) -> None:
    sound = take(voice, said)
    right, wrong = weigh(opened, sound, (said,)), weigh(opened, sound, (other,))
    assert right.fits
    assert right.said == (said,)
    assert right.probability > 0.9
    assert right.log_ratio >= 5
    assert not wrong.fits
    assert wrong.said == (said,)
    assert wrong.probability < 0.1


def test_a_call_of_two_words_and_its_beginning(opened: Any) -> None:
    sound = take("ada", "two-three")
    both = weigh(opened, sound, ("two", "three"))
    assert (both.said, both.fits) == (("two", "three"), True)
    assert weigh(opened, sound, ("two", "four")).probability < 0.5
    beginning = weigh(opened, take("ada", "two"), ("two", "three"))
    assert (beginning.said, beginning.fits) == (("two",), True)


def test_the_right_call_and_more_is_not_the_right_call(opened: Any) -> None:
    found = weigh(opened, take("ada", "one-two"), ("one",))
    assert not found.fits
    assert found.said == ("one", "two")


@pytest.mark.parametrize("voice", ["ada", "ben", "cleo"])
def test_the_second_of_two_wrong_numbers_does_not_excuse_them(opened: Any, voice: str) -> None:
    """ "Two three" holds "three", the beginning of "three four"; the first word speaks against it."""
    found = weigh(opened, take(voice, "two-three"), ("three", "four"), prior=0.9)
    assert (found.said, found.fits) == (("two", "three"), False)
    assert found.probability < 0.02


def test_silence_is_nothing(opened: Any) -> None:
    quiet = np.random.default_rng(1).normal(0, 8, 16000).astype(np.int16)
    found = weigh(opened, quiet, ("five",))
    assert not found.fits
    assert not found.words


def word(name: str) -> HeardWord:
    return HeardWord(name, 0.1, 0.4, 1.0)


def test_the_farther_ahead_the_surer_and_the_prior_shifts_the_doubt() -> None:
    def outcome(ahead: float, prior: float = 0.5, heard: bool = True) -> verdict.CallScore:
        mine = Decoding(ahead, (word("five"),) if heard else ())
        return verdict.combined_score(mine, heard, Decoding(0.0, (word("nine"),)), prior)

    found = [outcome(ahead).probability for ahead in (-20, -6, -2, 0, 2, 6, 20)]
    assert found == sorted(found)
    assert found[0] < 0.01
    assert found[-1] > 0.99
    assert (
        outcome(-1, prior=0.95).probability
        > outcome(-1, prior=0.5).probability
        > outcome(-1, prior=0.1).probability
    )
    assert outcome(-1, prior=0.95).fits
    assert not outcome(-1, prior=0.1).fits
    assert outcome(0.0, heard=False).probability < outcome(0.0).probability
    assert outcome(-5.0, heard=False).said == ("nine",)


@pytest.mark.parametrize(("competing", "voiced"), [(("[unk]",), True), (("[cough]",), False), ((), False)])
def test_what_was_no_word_may_have_been_the_call_but_a_cough_was_not(
    competing: tuple[str, ...], voiced: bool
) -> None:
    found = verdict.combined_score(Decoding(0.0, ()), False, Decoding(0.0, (), competing), 0.9)
    assert not found.fits
    assert not found.words
    assert found.voiced is voiced
    assert 0.3 < found.probability < 0.9


NINE = (word("nine"),)
FIVE = (word("five"),)


def log_odds(score: verdict.CallScore) -> float:
    return math.log(score.probability / (1.0 - score.probability))


@pytest.mark.parametrize(
    ("mine", "found", "other", "evidence", "expected"),
    [
        (4.0, True, NINE, None, 0.4 * 4.0),
        (-4.0, True, NINE, None, 0.4 * -4.0),
        (90.0, True, NINE, None, 0.4 * 20.0),
        (-90.0, True, NINE, None, 0.4 * -20.0),
        (-4.0, False, NINE, None, -0.4 + 0.22 * -4.0),
        (4.0, False, NINE, None, -0.4),
        (-4.0, False, (), None, -0.4),
        (4.0, True, NINE, 2.0, 0.27 * 4.0 + 0.35 * 2.0),
        (4.0, True, NINE, -2.0, 0.27 * 4.0 - 0.35 * 2.0),
        (-4.0, False, NINE, 2.0, 0.95 + 0.2 * -4.0 + 0.85 * 2.0),
        (0.5, False, NINE, -1.0, 0.95 - 0.85),
    ],
)
@pytest.mark.parametrize("prior", [0.5, 0.9])
@pytest.mark.parametrize("shift", [0.0, 1.5])
def test_the_log_odds_are_the_calibrated_sum_of_the_evidence(
    mine: float, found: bool, other: Any, evidence: float | None, expected: float, prior: float, shift: float
) -> None:
    seen = None if evidence is None else verdict.VerifierEvidence(evidence, FIVE)
    score = verdict.combined_score(Decoding(mine, FIVE), found, Decoding(0.0, other), prior, shift, seen)
    assert log_odds(score) == pytest.approx(expected + shift + math.log(prior / (1 - prior)), abs=1e-6)
    assert score.log_ratio == max(-20.0, min(20.0, mine))
    assert score.verifier_log_odds == (evidence or 0.0)
    assert score.found is found
    if shift == 0.0:
        again = verdict.combined_score(
            Decoding(mine, FIVE), found, Decoding(0.0, other), prior, evidence=seen
        )
        assert again == score


def test_even_odds_are_the_right_call() -> None:
    even = verdict.combined_score(Decoding(0.0, FIVE), True, Decoding(0.0, NINE), 0.5)
    assert (even.fits, even.said, even.probability) == (True, ("five",), 0.5)
    below = verdict.combined_score(Decoding(-0.01, FIVE), True, Decoding(0.0, NINE), 0.5)
    assert (below.fits, below.said) == (False, ("nine",))
    alone = verdict.combined_score(Decoding(-9.0, FIVE), True, Decoding(0.0, ()), 0.5)
    assert (alone.fits, alone.said) == (True, ("five",)), "nothing else was heard"


@pytest.mark.parametrize(("seen", "prior", "fits"), [(0.1, 0.9, True), (0.0, 0.9, False), (0.1, 0.02, False)])
def test_a_missed_call_is_the_verifiers_only_if_it_speaks_for_it(
    seen: float, prior: float, fits: bool
) -> None:
    evidence = verdict.VerifierEvidence(seen, FIVE)
    score = verdict.combined_score(Decoding(0.0, ()), False, Decoding(0.0, ()), prior, 0.0, evidence)
    assert (score.fits, score.said) == (fits, ("five",) if fits else ())


@pytest.mark.parametrize(
    ("found", "words", "competing", "voiced"),
    [
        (True, NINE, (), True),
        (False, NINE, ("[cough]",), True),
        (False, (), ("[cough]", "[unk]"), True),
        (False, (), ("[cough]", "[laughter]"), False),
        (False, (), ("eight",), True),
    ],
)
def test_what_counts_as_speech(found: bool, words: Any, competing: tuple[str, ...], voiced: bool) -> None:
    score = verdict.combined_score(Decoding(-20.0, FIVE), found, Decoding(0.0, words, competing), 0.1)
    assert score.voiced is voiced


def test_log_odds_are_the_reverse_of_the_logistic_function() -> None:
    assert verdict.log_odds_of(0.5) == 0.0
    assert verdict.log_odds_of(verdict.logistic(2.5)) == pytest.approx(2.5)
    assert verdict.log_odds_of(1.0) == pytest.approx(verdict.MAX_LOG_ODDS, abs=0.001)
    assert verdict.log_odds_of(0.0) == pytest.approx(-verdict.MAX_LOG_ODDS, abs=0.001)


def test_the_logistic_function_and_its_limits() -> None:
    assert verdict.logistic(0.0) == 0.5
    assert verdict.logistic(2.0) == pytest.approx(1 / (1 + math.exp(-2)))
    assert verdict.logistic(1e9) == verdict.logistic(30.0) < 1.0
    assert verdict.logistic(-1e9) == verdict.logistic(-30.0) > 0.0


def test_fillers_stand_beside_a_call_and_never_replace_it() -> None:
    throat = word("hmmrrr")
    assert verdict._fillers("hmmrrr", ("five",)) == ("hmmrrr",)
    assert verdict._fillers("hmmrrr", ("hmmrrr",)) == verdict._fillers("", ("five",)) == ()
    both = Decoding(1.0, (throat, *FIVE))
    assert verdict._without(both, "hmmrrr", ("five",)).said == ("five",)
    assert verdict._without(both, "hmmrrr", ("hmmrrr",)).said == ("hmmrrr", "five")
    assert verdict._without(Decoding(1.0, (throat,)), "hmmrrr", ("five",)).said == ("hmmrrr",)


def test_a_word_is_cut_out_with_a_margin() -> None:
    samples = np.arange(1000, dtype=np.int16)
    found = verdict._cut(samples, HeardWord("five", 0.4, 0.5, 1.0), 1000)
    assert (found[0], found[-1]) == (370, 529)
    assert verdict._cut(samples, HeardWord("five", 0.01, 0.1, 1.0), 1000)[0] == 0
