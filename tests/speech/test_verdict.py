"""The right call weighed against everything else: on the project's own voices, and on made-up scores."""

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
    words = grammar.listening_words(ENGLISH.calls(), known, ENGLISH)
    return verdict.score_call(
        sound, model, words, grammar.unasked(ENGLISH.calls(), known), right, prior=prior
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
    assert right.log_ratio > 5
    assert not wrong.fits
    assert wrong.said == (said,)
    assert wrong.probability < 0.1
    assert all(word.confidence == pytest.approx(1 - wrong.probability) for word in wrong.words)


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


@pytest.mark.parametrize(("rivals", "voiced"), [(("[unk]",), True), (("[cough]",), False), ((), False)])
def test_what_was_no_word_may_have_been_the_call_but_a_cough_was_not(
    rivals: tuple[str, ...], voiced: bool
) -> None:
    found = verdict.combined_score(Decoding(0.0, ()), False, Decoding(0.0, (), rivals), 0.9)
    assert not found.fits
    assert not found.words
    assert found.voiced is voiced
    assert 0.3 < found.probability < 0.9
