"""Soft talk before or behind a call makes one sound with it, and is not taken for the call."""

from pathlib import Path
from typing import Any

import pytest
from voice_takes import Samples, take, track

from companion.core.observations import LATEST_SOUND, Utterance
from companion.core.weighing import EVEN, CallDue, WeighedCall, Words
from companion.speech.audio.wav import RATE
from companion.speech.model import grammar
from companion.speech.recognition.recogniser import Listener

CALLS = grammar.language("en").calls()


def soft(call: str) -> Samples:
    """A call from afar."""
    return (take("ben", call) // 8).astype("int16")


def weighed(
    english: Path, opened: Any, takes: list[tuple[float, Samples]], due: Words = ("five",)
) -> WeighedCall:
    """All that was heard in four seconds, against the call of Ben, whose calls are known to be loud."""
    ear = Listener(english, CALLS, opened=opened)
    samples = track(
        12.0,
        [*((at, take("ben", "five")) for at in (0.5, 2.5, 4.5)), *((7.0 + at, one) for at, one in takes)],
    )
    for at in range(0, samples.size, 320):
        for sound in ear.feed(samples[at : at + 320], at / RATE):
            if isinstance(sound, Utterance) and sound.start < 6.0:
                ear.weigh(sound, CallDue((("five",),), speaker="ben"))
    return ear.weigh(Utterance((), 6.5, 10.5, 0.0, sound=LATEST_SOUND), CallDue((due,), speaker="ben"))


@pytest.mark.parametrize("talk", ["six", "four", "seven"])
def test_a_call_behind_soft_talk_is_heard(english: Path, opened: Any, talk: str) -> None:
    found = weighed(english, opened, [(0.5, soft(talk)), (1.2, take("ben", "five"))])
    assert found.said == ("five",)
    assert found.right > 0.9


def test_a_wrong_call_behind_soft_talk_is_heard(english: Path, opened: Any) -> None:
    found = weighed(english, opened, [(0.5, soft("six")), (1.2, take("ben", "four"))])
    assert found.said == ("four",)
    assert found.wrong > 0.9


def test_soft_talk_alone_is_no_call(english: Path, opened: Any) -> None:
    found = weighed(english, opened, [(0.5, soft("six")), (1.2, soft("four"))])
    assert found.right + found.wrong < 0.2


@pytest.mark.parametrize("talk", ["three", "four", "five", "six"])
def test_the_right_number_in_soft_talk_is_not_as_loud_as_the_wrong_call_behind_it(
    english: Path, opened: Any, talk: str
) -> None:
    found = weighed(english, opened, [(0.5, soft(talk)), (1.2, take("ben", "hmmrrr"))], (talk,))
    assert found.right < EVEN
