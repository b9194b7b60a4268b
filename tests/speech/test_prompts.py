"""What training takes from the recordings of others: what is ordinary speech, and where it is cut."""

from __future__ import annotations

import numpy as np
import pytest

from models.speech.train.packages import PackageMissing, read, resampled, unpacked
from models.speech.train.prompts import RESERVED, SOURCES, reserved, stamp_text
from models.speech.train.speech_pieces import NUMBER_SYLLABLE, ordinary, pieces, stretches

RATE = 16000


def tone(seconds: float, rate: int = RATE) -> np.ndarray:
    return (0.3 * np.sin(2 * np.pi * 300 * np.arange(int(rate * seconds)) / rate)).astype(np.float32)


@pytest.mark.parametrize("text", ["press one", "Anyone there?", "too late", "extension 42", "the fifteenth"])
def test_a_text_with_a_number_in_it_is_no_ordinary_speech(text: str) -> None:
    assert not ordinary(text)


def test_other_texts_are() -> None:
    assert ordinary("Please enter your password, followed by the pound key.")
    assert ordinary("Un éléphant.", "ga")
    assert not ordinary("Deux éléphants.", "fr")


def test_syllables_that_sound_like_english_numbers_are_left_out() -> None:
    assert [s for s in ("fo", "tu", "ten", "siks", "ball", "nase", "ml") if NUMBER_SYLLABLE.match(s)] == [
        "fo", "tu", "ten", "siks",
    ]  # fmt: skip


def test_a_recording_is_cut_at_its_pauses() -> None:
    gap = np.zeros(RATE // 2, np.float32)
    found = stretches(np.concatenate([gap, tone(0.6), gap, tone(1.0), gap]))
    assert [round(part.size / RATE, 1) for part in found] == [0.6, 1.0]


def test_long_speech_is_cut_short_and_nothing_of_it_is_lost() -> None:
    long = tone(5.0) * np.interp(np.arange(5 * RATE), [0, 2 * RATE, 5 * RATE], [1, 0.4, 1]).astype(np.float32)
    for short, longest in ((True, 0.8), (False, 3.0)):
        found = pieces(long, short)
        assert max(part.size for part in found) <= longest * RATE
        assert sum(part.size for part in found) >= 4.7 * RATE


@pytest.mark.parametrize("rate", [8000, 22050, 44100, 48000])
def test_a_tone_keeps_its_pitch_at_another_rate(rate: int) -> None:
    again = resampled(tone(1.0, rate), rate)
    assert abs(again.size - RATE) <= 2
    assert np.abs(again[500:15000] - tone(1.0)[500:15000]).max() < 0.01


def test_a_package_that_cannot_be_fetched_says_so_in_one_line(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PackageMissing, match="no apt-get here") as told:
        unpacked("klettres-data", tmp_path)
    assert "\n" not in str(told.value)


def test_what_stands_beside_a_drawing_is_read_in_its_language(tmp_path) -> None:
    (tmp_path / "cow.txt").write_text("A cow.\nfr.utf8=Une vache.\n", "utf-8")
    assert stamp_text(tmp_path / "cow_desc.ogg", "en") == "A cow."
    assert stamp_text(tmp_path / "cow_desc_fr.ogg", "fr") == "Une vache."
    assert stamp_text(tmp_path / "cow_desc_de.ogg", "de") == ""


def test_speakers_for_measuring_are_kept_apart() -> None:
    names = [source.speaker for source in SOURCES]
    assert len(set(names)) == len(names)
    assert set(RESERVED) <= set(names)
    assert {s.language for s in SOURCES if reserved(s)} == {"en", "it", "ru"}


def test_a_wav_is_read_as_mono_at_16_khz(tmp_path) -> None:
    soundfile = pytest.importorskip("soundfile", reason="soundfile comes with the train extra")
    soundfile.write(tmp_path / "a.wav", np.stack([tone(1.0, 8000), 0 * tone(1.0, 8000)], 1), 8000)
    assert read(tmp_path / "a.wav").size == RATE
