"""How loud a player's calls are: a far softer voice is doubted, a soft player is not wronged."""

from pathlib import Path
from typing import Any

import numpy as np
from voice_takes import take

from companion.core.call_policy import DEFAULT
from companion.core.observations import Utterance
from companion.core.weighing import CallDue, WeighedCall
from companion.speech.model.grammar import language
from companion.speech.recognition.loudness_baseline import LATEST, MIN_CALLS, LoudnessBaseline
from companion.speech.recognition.recogniser import Listener

RATE = 16000
ACCUSED = 1.0 - 1.0 / DEFAULT.accusation
"""From this probability on a wrong call accuses."""


def test_each_player_is_measured_by_the_own_latest_calls() -> None:
    usual = LoudnessBaseline()
    for _ in range(MIN_CALLS):
        usual.learn("Ida", 0.95, -20.0)
        usual.learn("Jo", 0.95, -40.0)
    assert (usual.usual_db("Ida"), usual.usual_db("Jo")) == (-20.0, -40.0)
    for _ in range(LATEST):
        usual.learn("Ida", 0.95, -30.0)
    assert usual.usual_db("Ida") == -30.0


def test_few_calls_unsure_ones_and_those_of_nobody_tell_nothing() -> None:
    usual = LoudnessBaseline()
    for _ in range(MIN_CALLS - 1):
        usual.learn("Ida", 0.95, -20.0)
    usual.learn("Ida", 0.89, -20.0)
    assert usual.usual_db("Ida") is None
    assert usual.usual_db("Jo") is None
    usual.learn("Ida", 0.9, -20.0)
    assert usual.usual_db("Ida") == -20.0
    for _ in range(MIN_CALLS):
        usual.learn("", 0.95, -80.0)
    assert usual.usual_db("") == -20.0


def test_who_has_not_called_yet_is_measured_by_the_other_players() -> None:
    usual = LoudnessBaseline()
    usual.learn("Ida", 0.95, -20.0)
    usual.learn("Jo", 0.95, -30.0)
    usual.learn("Jo", 0.95, -26.0)
    assert usual.usual_db("Kai") == usual.usual_db("Ida") == -26.0


def test_a_voice_from_afar_accuses_nobody(english: Path, opened: Any) -> None:
    ear = Listener(english, language("en").calls(), opened=opened)
    found: list[WeighedCall] = []
    start = 0.0
    said = (
        ("ada", "one", 1.0),
        ("ada", "two", 1.0),
        ("ada", "three", 1.0),
        ("ben", "five", 0.08),
        ("ada", "five", 1.0),
    )
    for (voice, word, gain), due in zip(said, ("one", "two", "three", "four", "four"), strict=True):
        clip = take(voice, word)
        sound = np.random.default_rng(2).normal(0, 8, 2 * RATE + clip.size)
        sound[RATE : RATE + clip.size] += gain * clip
        for at in range(0, sound.size, 1600):
            block = sound[at : at + 1600].astype(np.int16)
            for one in ear.feed(block, start + at / RATE):
                if isinstance(one, Utterance):
                    found.append(ear.weigh(one, CallDue(((due,),), speaker="Ada")))
        start += sound.size / RATE
    assert [one.said for one in found] == [("one",), ("two",), ("three",), ("five",), ("five",)]
    assert found[3].wrong < ACCUSED <= found[4].wrong
