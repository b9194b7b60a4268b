"""What is said aloud, how long it may take, and what is kept of it."""

from pathlib import Path

import pytest

from companion.announce.announcement import Announcement
from companion.announce.phrases import Phrases
from companion.announce.voice import LONGEST_S, Voice, file_name, load, save
from companion.core.errors import Unreadable
from companion.core.sound import Sound

RATE = 1000


class Synthesiser:
    """Speaks fifteen letters a second."""

    def __init__(self) -> None:
        self.said: list[tuple[str, float]] = []

    def __call__(self, text: str, speed: float) -> Sound:
        self.said.append((text, speed))
        return Sound(b"\1\0" * round(RATE * len(text) / 15 / speed), RATE)


def test_a_finding_is_said_and_what_goes_as_expected_is_not() -> None:
    synthesiser = Synthesiser()
    voice = Voice(Phrases("en"), synthesiser)
    assert voice.speech(Announcement("correct", {"player": "Jo"})) is None
    speech = voice.speech(Announcement("counted", {"number": 9}))
    assert speech is not None
    assert synthesiser.said == [("nine", 1.0)]
    voice.speech(Announcement("counted", {"number": 9}))
    assert len(synthesiser.said) == 1, "what was said once is kept"


def test_no_phrase_takes_longer_than_two_seconds() -> None:
    synthesiser = Synthesiser()
    voice = Voice(Phrases("en"), synthesiser)
    said = {"player": "Jo", "said": ["six"], "expected": [5]}
    speech = voice.speech(Announcement("wrong_number", said))
    assert speech is not None
    assert speech.seconds <= LONGEST_S
    assert synthesiser.said == [("Jo said six. It was five.", 1.0)]
    long = voice.speech(Announcement("wrong_number", said | {"player": "Bartholomew Maximilian"}))
    assert long is not None
    assert long.seconds <= LONGEST_S
    assert [text for text, _ in synthesiser.said[2:]] == ["Bartholomew Maximilian said six."] * 2


def test_what_was_rendered_at_the_installation_needs_no_synthesiser(tmp_path: Path) -> None:
    count = Voice(Phrases("en"), Synthesiser()).prepare(tmp_path / "voice")
    assert count == len(list((tmp_path / "voice").glob("en-*.wav"))) > 40

    def missing(text: str, speed: float) -> Sound:
        raise AssertionError(f"{text!r} was not prepared")

    voice = Voice(Phrases("en"), missing, tmp_path / "voice")
    for code, params in (("counted", {"number": 10}), ("countdown_over", {}), ("game_resumed", {})):
        assert voice.speech(Announcement(code, params)) is not None


def test_speech_is_kept_as_it_was_and_a_broken_file_is_named(tmp_path: Path) -> None:
    sound = Sound(b"\1\0\2\0", 22050)
    save(sound, tmp_path / "a.wav")
    assert load(tmp_path / "a.wav") == sound
    (tmp_path / "b.wav").write_bytes(b"RIFF")
    with pytest.raises(Unreadable, match=r"b\.wav cannot be read"):
        load(tmp_path / "b.wav")
    assert file_name("en", "nine") != file_name("en", "eight") != file_name("de", "eight")
