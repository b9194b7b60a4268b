"""How loud a player's calls are: a far softer voice is doubted, a soft player is not wronged."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from voice_takes import take

from companion.core.call_policy import DOUBTFUL
from companion.core.observations import HeardWord, Utterance
from companion.speech.audio.levels import frame_levels
from companion.speech.model.grammar import language
from companion.speech.recognition.loudness_baseline import MIN_CALLS, LoudnessBaseline
from companion.speech.recognition.recogniser import Listener
from companion.speech.recognition.verdict import CallScore

RATE = 16000
FIVE = (HeardWord("five", 0.2, 0.6, 0.97),)


def call(level_db: float, fits: bool) -> tuple[CallScore, Any]:
    """A call of that loudness, right or not, and the levels of its sound."""
    rng = np.random.default_rng(1)
    loud = 10 ** (level_db / 20) * 32768
    sound = np.concatenate([rng.normal(0, 3, 3200), rng.normal(0, loud, 6400), rng.normal(0, 3, 3200)])
    found = CallScore(FIVE, 0.98 if fits else 0.03, 5.0 if fits else -5.0, fits, True, fits, 0.0)
    return found, frame_levels(sound.astype(np.int16))


def told(usual: LoudnessBaseline, player: str, level_db: float, fits: bool = False) -> float:
    found, levels = call(level_db, fits)
    (word,) = usual.update(player, found, found.words, levels)
    return word.confidence


@pytest.fixture
def usual() -> LoudnessBaseline:
    """A table that has heard Ida call loudly and Jo softly."""
    found = LoudnessBaseline()
    for _ in range(MIN_CALLS):
        assert told(found, "Ida", -20.0, fits=True) == 0.97
        assert told(found, "Jo", -40.0, fits=True) == 0.97
    return found


def test_far_softer_words_are_doubted(usual: LoudnessBaseline) -> None:
    assert told(usual, "Ida", -34.0) == DOUBTFUL
    assert told(usual, "Ida", -27.0) == 0.97


def test_a_soft_player_is_measured_by_the_own_calls(usual: LoudnessBaseline) -> None:
    assert told(usual, "Jo", -40.0) == 0.97


def test_a_soft_call_that_is_right_stays_right_and_is_learnt_from(usual: LoudnessBaseline) -> None:
    for _ in range(2 * MIN_CALLS):
        assert told(usual, "Ida", -34.0, fits=True) == 0.97
    assert told(usual, "Ida", -34.0) == 0.97


def test_without_a_name_or_calls_before_it_nothing_is_doubted(usual: LoudnessBaseline) -> None:
    assert told(usual, "Kai", -60.0) == 0.97
    for _ in range(MIN_CALLS):
        told(usual, "", -20.0, fits=True)
    assert told(usual, "", -60.0) == 0.97


def test_a_voice_from_afar_accuses_nobody(english: Path, opened: Any) -> None:
    ear = Listener(english, language("en").calls(), opened=opened)
    heard: list[Utterance] = []
    start = 0.0
    said = (
        ("ada", "one", 1.0),
        ("ada", "two", 1.0),
        ("ada", "three", 1.0),
        ("ben", "seven", 0.08),
        ("ada", "seven", 1.0),
    )
    for (voice, word, gain), due in zip(said, ("one", "two", "three", "four", "four"), strict=True):
        ear.expect((), [(due,)], speaker="Ada")
        clip = take(voice, word)
        sound = np.random.default_rng(2).normal(0, 8, 2 * RATE + clip.size)
        sound[RATE : RATE + clip.size] += gain * clip
        for at in range(0, sound.size, 1600):
            block = sound[at : at + 1600].astype(np.int16)
            heard += [one for one in ear.feed(block, start + at / RATE) if isinstance(one, Utterance)]
        start += sound.size / RATE
    assert [[word.word for word in one.words] for one in heard] == [
        ["one"],
        ["two"],
        ["three"],
        ["seven"],
        ["seven"],
    ]
    assert heard[3].confidence == DOUBTFUL
    assert heard[4].confidence > 0.92
