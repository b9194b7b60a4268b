"""Words that are not the right call are corrected by the verifier before they are weighed."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from companion.core.observations import HeardWord
from companion.core.weighing import CallDue
from companion.speech.audio.levels import FRAME_S
from companion.speech.model import grammar
from companion.speech.model.verifier import WordPosteriors
from companion.speech.recognition.invented import InventedSounds
from companion.speech.recognition.weigher import CallWeigher

WORDS = ("one", "two", "three", "four", "five", "six", "seven", "hmmrrr", "nine")
LEVELS = np.where(np.abs(np.arange(200) * FRAME_S - 1.0) < 0.25, -20.0, -70.0).astype(np.float32)
"""A word at 1 s."""


def weigher() -> CallWeigher:
    model: Any = None
    return CallWeigher(
        model, WORDS, frozenset({"nine"}), grammar.language("en"), 0.9, {}, InventedSounds(0.9)
    )


def heard_by_verifier(word: str, probability: float) -> Any:
    """A decoder whose verifier hears a word at 1 s."""
    times = np.arange(50) * 0.04
    near = np.abs(times - 1.0) < 0.1
    table = np.zeros((50, len(WORDS) + 1), np.float32)
    table[:, WORDS.index(word) + 1] = np.where(near, probability, 0.0)
    table[:, 0] = 1.0 - table.sum(axis=1)
    return SimpleNamespace(posteriors=WordPosteriors(WORDS, times, table))


def said(decoder: Any, words: tuple[HeardWord, ...], *right: str) -> list[str]:
    found = weigher()._confirmed(decoder, words, LEVELS, CallDue((right,)))
    return [word.word for word in found]


@pytest.mark.parametrize(("probability", "expected"), [(0.9, ["five"]), (0.3, [])])
def test_a_number_that_vosk_does_not_find_is_found(probability: float, expected: list[str]) -> None:
    assert said(heard_by_verifier("five", probability), (), "six") == expected


def test_a_number_is_renamed() -> None:
    three = (HeardWord("three", 0.8, 1.2, 1.0),)
    assert said(heard_by_verifier("five", 0.9), three, "six") == ["five"]


def test_a_word_is_never_corrected_to_the_right_call() -> None:
    three = (HeardWord("three", 0.8, 1.2, 1.0),)
    assert said(heard_by_verifier("five", 0.9), three, "five") == ["three"]
    assert said(heard_by_verifier("five", 0.9), (), "five", "six") == []


def test_numbers_that_are_not_listened_for_and_idle_throat_sounds_are_not_found() -> None:
    assert said(heard_by_verifier("nine", 0.9), (), "six") == []
    assert said(heard_by_verifier("hmmrrr", 0.9), (), "six") == []
    assert said(heard_by_verifier("hmmrrr", 0.9), (), "hmmrrr", "hmmrrr") == []


def test_without_a_verifier_nothing_changes() -> None:
    three = (HeardWord("three", 0.8, 1.2, 1.0),)
    assert said(SimpleNamespace(posteriors=None), three, "six") == ["three"]
