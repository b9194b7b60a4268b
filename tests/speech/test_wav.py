"""WAV files of every kind become 16 kHz mono; what is none says so in one line."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import Unreadable
from companion.speech.audio.wav import decode_wav, read_wav, resample, write_wav


def tone(rate: int, hertz: float = 440.0, seconds: float = 0.5) -> np.ndarray:
    return (0.5 * np.sin(2 * np.pi * hertz * np.arange(int(rate * seconds)) / rate)).astype(np.float32)


def packed(values: np.ndarray, bits: int, kind: int = 1) -> bytes:
    """Float samples as the bytes of an encoding."""
    if kind == 3:
        return values.astype(f"<f{bits // 8}").tobytes()
    if bits == 8:
        return (np.rint(values * 127) + 128).astype(np.uint8).tobytes()
    whole = np.rint(values * (2 ** (bits - 1) - 1)).astype("<i4")
    return b"".join(int(v).to_bytes(bits // 8, "little", signed=True) for v in whole)


def container(body: bytes, rate: int, channels: int, bits: int, kind: int = 1, before: bytes = b"") -> bytes:
    form = struct.pack(
        "<HHIIHH", kind, channels, rate, rate * channels * bits // 8, channels * bits // 8, bits
    )
    chunks = (
        before + b"fmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(body)) + body
    )
    return b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks


@pytest.mark.parametrize("rate", [8000, 11025, 16000, 22050, 44100, 48000, 96000])
@pytest.mark.parametrize(("bits", "kind"), [(8, 1), (16, 1), (24, 1), (32, 1), (32, 3), (64, 3)])
def test_every_rate_and_width_becomes_the_same_tone(tmp_path: Path, rate: int, bits: int, kind: int) -> None:
    file = tmp_path / "tone.wav"
    file.write_bytes(container(packed(tone(rate), bits, kind), rate, 1, bits, kind))
    heard = read_wav(file).astype(np.float32) / 32768
    assert heard.dtype == np.float32
    assert abs(heard.size - 8000) <= 1
    expected = tone(16000)[: heard.size]
    middle = slice(800, -800)
    assert np.abs(heard[: expected.size] - expected)[middle].max() < (0.01 if bits > 8 else 0.02)


def test_two_channels_are_averaged(tmp_path: Path) -> None:
    both = np.stack([tone(16000), np.zeros(8000, np.float32)], axis=1).reshape(-1)
    file = tmp_path / "stereo.wav"
    file.write_bytes(container(packed(both, 16), 16000, 2, 16))
    assert np.abs(read_wav(file) / 32768 - tone(16000) / 2).max() < 1e-3


def test_odd_chunks_before_the_sound_and_a_size_that_is_too_large_are_survived() -> None:
    body = packed(tone(16000), 16)
    data = container(body, 16000, 1, 16, before=b"LIST\x03\x00\x00\x00abc\x00")
    broken = data.replace(b"data" + struct.pack("<I", len(body)), b"data" + struct.pack("<I", 2**32 - 1))
    for variant in (data, broken):
        sound, rate = decode_wav(variant)
        assert (sound.size, rate) == (8000, 16000)


def test_what_lies_above_the_new_band_is_gone() -> None:
    loud = np.abs(resample(tone(48000, 12000.0), 48000, 16000))[400:-400].max()
    assert loud < 0.01


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "no WAV"),
        (b"ID3\x04this is an mp3 in truth, is it not?", "no WAV"),
        (container(b"", 16000, 1, 16), "no sound"),
        (container(b"\0\0", 16000, 0, 16), "impossible"),
        (container(b"\0" * 64, 16000, 1, 4, kind=17), "encoding"),
        (b"RIFF\x10\0\0\0WAVEdata\x04\0\0\0\0\0\0\0", "format chunk"),
    ],
)
def test_what_is_no_recording_says_so_in_one_line(tmp_path: Path, data: bytes, says: str) -> None:
    file = tmp_path / "broken.wav"
    file.write_bytes(data)
    with pytest.raises(Unreadable, match=says) as caught:
        read_wav(file)
    assert "\n" not in str(caught.value)
    assert "broken.wav" in str(caught.value)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(Unreadable, match=r"nowhere\.wav: no such recording"):
        read_wav("nowhere.wav")


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=120))
def test_any_bytes_are_a_recording_or_unreadable(junk: bytes) -> None:
    for data in (junk, b"RIFF" + junk[:4] + b"WAVE" + junk[4:]):
        try:
            sound, rate = decode_wav(data)
        except Unreadable:
            continue
        assert sound.ndim == 1
        assert rate > 0


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    samples = np.arange(-3000, 3000, dtype=np.int16)
    write_wav(tmp_path / "a.wav", samples)
    assert np.array_equal(read_wav(tmp_path / "a.wav"), samples)
