"""`companion listen` as it is called from a shell."""

from __future__ import annotations

import json
import subprocess
import sys
import wave
from pathlib import Path

import numpy as np
from voice_takes import file_of, take

from companion.speech.audio.wav import resample

COMPANION = [sys.executable, "-c", "from companion.commands.cli import main; main()", "listen"]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMPANION, *arguments], capture_output=True, text=True, timeout=120)


def test_one_object_a_line_with_calls_and_words() -> None:
    files = [str(file_of("ada", "two three")), str(file_of("ben", "hmmrrr"))]
    done = run(*files, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["audio"] for one in found] == files
    assert [word["word"] for word in found[0]["words"]] == ["two", "three"]
    assert found[0]["calls"][0]["words"] == ["two", "three"]
    assert found[1]["calls"][0]["words"] == ["hmmrrr"]
    for one in found:
        assert one["ms"] > 0
        for part in (*one["calls"], *one["words"]):
            assert 0 <= part["start"] < part["end"]
            assert 0 < part["confidence"] <= 1


def test_another_rate_and_two_channels_are_converted(tmp_path: Path) -> None:
    faster = resample(take("cleo", "four").astype(np.float32) / 32768, 16000, 44100)
    with wave.open(str(tmp_path / "stereo.wav"), "wb") as file:
        file.setparams((2, 2, 44100, 0, "NONE", ""))
        file.writeframes(np.repeat((faster * 32767).astype("<i2"), 2).tobytes())
    done = run(str(tmp_path / "stereo.wav"), "--json")
    assert [word["word"] for word in json.loads(done.stdout)["words"]] == ["four"]


def test_the_words_can_be_chosen_and_what_is_none_of_them_is_left_out() -> None:
    done = run(str(file_of("ada", "six")), "--words", "stop,six,ten", "--json")
    assert [word["word"] for word in json.loads(done.stdout)["words"]] == ["six"]


def test_a_broken_recording_is_one_line_and_the_others_are_heard(tmp_path: Path) -> None:
    broken = tmp_path / "broken.wav"
    broken.write_bytes(b"\x00" * 100)
    done = run(str(broken), str(file_of("ada", "one")), "--json")
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr.strip().splitlines() == [
        f"companion: {broken}: is no WAV file; record or convert it to WAV (PCM) first"
    ]


def test_a_word_that_the_model_does_not_know_is_wrong_use() -> None:
    done = run(str(file_of("ada", "one")), "--words", "purple")
    assert done.returncode == 2
    assert "does not know 'purple'" in done.stderr
