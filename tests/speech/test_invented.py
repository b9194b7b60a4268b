"""InventedSounds sounds: learnt from one voice, known in another, told from others; in the live ears too."""

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.core.observations import Listened, Utterance
from companion.core.weighing import EVEN, CallDue
from companion.speech.model import models
from companion.speech.recognition.invented import OTHER_SOUND, InventedSounds
from companion.speech.recognition.recogniser import Listener
from companion.speech.voices import dtw

RATE = 16000
MOO = (("voice", 0.5, (300, 900)),)
RING = (("voice", 0.12, (500, 2200)), ("gap", 0.05, ()), ("voice", 0.12, (500, 2200)), ("gap", 0.05, ()),
        ("voice", 0.3, (400, 1200)))  # fmt: skip
PFFT = (("noise", 0.06, (900, 1800)), ("noise", 0.35, (2400, 3600)))


def make(pattern: tuple[tuple[str, float, tuple[int, ...]], ...], voice: int) -> NDArray[np.int16]:
    """A pattern of buzzes and hisses by one of several voices: pitch, vocal tract and pace differ."""
    rng = np.random.default_rng(voice)
    pitch, tract, pace = 95 * 1.22**voice, 1 + 0.06 * voice, 1 + 0.12 * (voice % 3)
    parts = []
    for kind, seconds, formants in pattern:
        t = np.arange(int(seconds * pace * RATE)) / RATE
        if kind == "gap":
            parts.append(np.zeros(t.size))
            continue
        fall = pitch * (1 - 0.15 * t)
        source = (
            np.sign(np.sin(2 * np.pi * np.cumsum(fall) / RATE))
            if kind == "voice"
            else rng.normal(0, 1, t.size)
        )
        spectrum, hz = np.fft.rfft(source), np.fft.rfftfreq(t.size, 1 / RATE)
        shape = sum(np.exp(-(((hz - f * tract) / 180) ** 2)) for f in formants) + 0.01
        shaped = np.fft.irfft(spectrum * shape, t.size) * np.hanning(t.size) ** 0.3
        parts.append(shaped / np.abs(shaped).max())
    sound = np.concatenate([np.zeros(RATE // 4), *parts, np.zeros(RATE // 4)]) * 9000
    return (sound + rng.normal(0, 6, sound.size)).astype(np.int16)


def course(pattern: tuple[tuple[str, float, tuple[int, ...]], ...], voice: int) -> dtw.SoundFeatures:
    found = dtw.features(make(pattern, voice))
    assert found is not None
    return found


@pytest.mark.parametrize("pattern", [MOO, RING, PFFT], ids=["moo", "ring", "pfft"])
def test_a_sound_is_nearer_to_itself_in_another_mouth_than_to_any_other(
    pattern: tuple[tuple[str, float, tuple[int, ...]], ...],
) -> None:
    example = course(pattern, 0)
    assert dtw.distance(example, example) == pytest.approx(0.0, abs=1e-5)
    same = [dtw.distance(example, course(pattern, voice)) for voice in (1, 2, 3)]
    other = [
        dtw.distance(example, course(p, v)) for p in (MOO, RING, PFFT) if p != pattern for v in (0, 1, 2)
    ]
    assert max(same) < min(other)


def test_the_same_sound_is_right_and_another_is_called_another() -> None:
    sounds = InventedSounds(prior=0.5)
    (learnt,) = sounds.learn("sound 2", make(RING, 0), RATE)
    assert learnt.word == "sound 2"
    assert 0.2 < learnt.start < 0.3 < learnt.end
    assert sounds.knows(("sound 2",))
    assert not sounds.knows(("sound 3",))
    again = sounds.match(make(RING, 2), RATE, [("sound 2",)])
    assert again is not None
    assert [word.word for word in again.words] == ["sound 2"]
    assert again.probability > 0.6
    other = sounds.match(make(PFFT, 2), RATE, [("sound 2",)])
    assert other is not None
    assert [word.word for word in other.words] == [OTHER_SOUND]
    assert other.probability < 0.1


def test_a_twin_phone_makes_the_sound_twice_in_one_breath() -> None:
    sounds = InventedSounds(prior=0.5)
    twice = np.concatenate([make(MOO, 0), make(MOO, 0)])
    assert [word.word for word in sounds.learn("sound 2", twice, RATE)] == ["sound 2", "sound 2"]
    found = sounds.match(np.concatenate([make(MOO, 1), make(MOO, 1)]), RATE, [("sound 2", "sound 2")])
    assert found is not None
    assert [word.word for word in found.words] == ["sound 2", "sound 2"]


def test_silence_and_a_knock_are_no_sounds() -> None:
    sounds = InventedSounds(prior=0.9)
    quiet = np.random.default_rng(1).normal(0, 4, RATE).astype(np.int16)
    knock = quiet.copy()
    knock[8000:8400] += (np.hanning(400) * 12000).astype(np.int16)
    assert sounds.learn("sound 2", quiet, RATE) == ()
    assert sounds.learn("sound 2", knock, RATE) == ()
    assert not sounds.knows(("sound 2",))


def test_the_live_ears_learn_a_sound_and_know_it_again() -> None:
    ears = Listener(models.find_model("en"), ("one", "two"))
    pause = np.random.default_rng(3).normal(0, 4, RATE).astype(np.int16)
    (first,) = hear(ears, [pause, make(RING, 0), pause], 0.0)
    assert ears.weigh(first, CallDue(learn="sound 2")).said == ("sound 2",)
    second = hear(ears, [make(RING, 2), pause, make(PFFT, 1), pause], 2.0 + len(make(RING, 0)) / RATE)
    found = [ears.weigh(one, CallDue((("sound 2",),))) for one in second]
    assert [one.said for one in found] == [("sound 2",), (OTHER_SOUND,)]
    assert found[0].right > 0.6
    assert found[1].wrong <= EVEN


def hear(ears: Listener, parts: list[NDArray[np.int16]], start: float) -> list[Utterance]:
    sound = np.concatenate(parts)
    told: list[Utterance | Listened] = []
    for at in range(0, sound.size, 320):
        told += ears.feed(sound[at : at + 320], start + at / RATE)
    return [one for one in told if isinstance(one, Utterance)]


def test_said_three_times_a_sound_is_known_better_and_nothing_is_told_meanwhile() -> None:
    sounds = InventedSounds(prior=0.5)
    ears = Listener(models.find_model("en"), ("one", "two"), invented=sounds)
    pause = np.random.default_rng(3).normal(0, 4, RATE).astype(np.int16)
    ears.repeat_sound(2)
    assert ears.repeats_left == 0, "no sound has been invented yet"
    (first,) = hear(ears, [pause, make(RING, 0), pause], 0.0)
    ears.weigh(first, CallDue(learn="sound 2"))
    before = sounds.match(make(RING, 4), RATE, [("sound 2",)])
    ears.repeat_sound(2)
    more = [make(PFFT, 0), pause, make(RING, 1), pause, make(RING, 3), pause]
    assert hear(ears, more, 2.0 + len(make(RING, 0)) / RATE) == []
    assert ears.repeats_left == 0, "the hiss was another sound and did not count"
    after = sounds.match(make(RING, 4), RATE, [("sound 2",)])
    assert before is not None
    assert after is not None
    assert after.probability > before.probability


def test_the_next_call_ends_the_repetitions() -> None:
    sounds = InventedSounds(prior=0.5)
    sounds.learn("sound 2", make(RING, 0), RATE)
    ears = Listener(models.find_model("en"), ("one", "two"), invented=sounds)
    ears.repeat_sound(2)
    said = Utterance((), 1.0, 1.5, 0.0)
    ears.weigh(said, CallDue())
    assert ears.repeats_left == 2
    ears.weigh(said, CallDue((("two",),)))
    assert ears.repeats_left == 0
