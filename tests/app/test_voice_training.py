"""Teaching a voice through the microphone: cut into words, proven, kept, and never longer than is asked."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.api.devices import LessonOutcome, LessonState
from companion.core.errors import UsageError
from companion.core.message import message
from companion.host.voice_training import VoiceTraining
from companion.host.watched_lesson import WATCHED_S
from companion.speech.audio.wav import RATE, read_wav
from companion.speech.voices.profiles import VoiceProfiles

CALLS = Path(__file__).resolve().parents[2] / "models" / "demo" / "calls"
BLOCK = RATE // 50


class Room:
    """A microphone, a lamp, and a page that asks on."""

    def __init__(self, folder: Path, busy: bool = False) -> None:
        self.now = 100.0
        self.lamp: list[bool] = []
        self.voice_training = VoiceTraining(
            folder, ("one", "five"), lambda: self.now, self.lamp.append, lambda: busy
        )
        self.rng = np.random.default_rng(4)

    def sounds(self, samples: NDArray[np.int16], noise: float = 20.0) -> None:
        quiet = np.zeros(int(0.7 * RATE))
        whole = np.concatenate([quiet, samples, quiet])
        whole = np.clip(whole + self.rng.normal(size=whole.size) * noise, -32768, 32767).astype(np.int16)
        for at in range(0, whole.size, BLOCK):
            self.voice_training.hear(whole[at : at + BLOCK], RATE)
            self.now += 0.02

    def says(self, word: str, pace: float = 1.0, noise: float = 20.0) -> None:
        take = read_wav(CALLS / "ada" / f"{word}.wav").astype(np.float64)
        self.sounds(
            np.interp(np.arange(0, take.size - 1, pace), np.arange(take.size), take).astype(np.int16), noise
        )


def test_a_lesson_that_helps_is_kept(tmp_path: Path) -> None:
    room = Room(tmp_path / "voices")
    room.voice_training.begin(" Ida ")
    for pace in (0.95, 1.0, 1.05):
        for word in ("one", "five"):
            lesson = room.voice_training.state().lesson
            assert (lesson.player, lesson.word) == ("Ida", word)
            room.says(word, pace)
    state = room.voice_training.state()
    assert state.lesson is None
    assert state.outcome == LessonOutcome("Ida", True, message("teaching.helps", right=6, of=6))
    assert state.taught == ("Ida",)
    assert room.lamp == [True, False]
    voice = VoiceProfiles(tmp_path / "voices").of("Ida")
    assert voice is not None
    assert {word: len(sounds) for word, sounds in voice.examples.items()} == {"one": 3, "five": 3}
    room.voice_training.forget("Ida")
    assert room.voice_training.state().taught == ()


def test_the_same_word_all_the_time_is_refused(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.voice_training.begin("Ida")
    for pace in (0.9, 0.92, 0.98, 1.0, 1.06, 1.08):
        room.voice_training.state()
        room.says("five", pace)
    outcome = room.voice_training.state().outcome
    assert outcome.helps is False
    assert "too few to help" in str(outcome.text)
    assert room.voice_training.state().taught == ()


def test_knocks_and_noise_are_asked_for_again(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.voice_training.begin("Ida")
    room.voice_training.state()
    room.sounds((np.sin(np.arange(RATE // 20)) * 9000).astype(np.int16))
    assert room.voice_training.state().lesson == LessonState("Ida", "one", 0, 6, "again")
    room.says("one", noise=1800.0)
    lesson = room.voice_training.state().lesson
    assert (lesson.said, lesson.finding) == (0, "noisy")


def test_nobody_is_listened_to_longer_than_a_page_asks(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.says("one")
    assert room.lamp == []
    room.voice_training.begin("Ida")
    room.now += WATCHED_S + 0.1
    room.says("one")
    assert room.lamp == [True, False]
    assert room.lamp[-1] is False
    room.voice_training.begin("Ida")
    room.voice_training.stop()
    assert room.lamp == [True, False, True, False]


def test_no_lesson_without_a_name_or_during_a_game(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="name the player"):
        Room(tmp_path).voice_training.begin("  ")
    with pytest.raises(UsageError, match="before it or after it"):
        Room(tmp_path, busy=True).voice_training.begin("Ida")
