"""The last seconds stay in memory, whatever is asked for is whole, and nothing is written unasked."""

import io
import json
import wave
import zipfile
from pathlib import Path

import numpy as np
import pytest

from companion.core.errors import Unavailable
from companion.evidence import bundle
from companion.evidence.ring import Evidence, SoundBlock


def filled(seconds: float = 30.0, findings: int = 2) -> Evidence:
    evidence = Evidence(15.0, 4.0, findings, encode=lambda image: bytes([image]))
    for i in range(int(seconds * 30)):
        evidence.see(i % 256, i / 30)
    for i in range(int(seconds * 50)):
        evidence.hear(np.full(320, i, np.int16), i / 50, 16_000)
    return evidence


def test_only_the_last_seconds_and_few_pictures_are_kept() -> None:
    kept = filled().slice(None, 30.0)
    assert kept.pictures[0].t >= 14.9
    assert kept.sounds[0].t >= 14.9
    gaps = [b.t - a.t for a, b in zip(kept.pictures, kept.pictures[1:], strict=False)]
    assert min(gaps) >= 0.247
    assert len(kept.pictures) == pytest.approx(60, abs=4)


def test_a_findings_seconds_stay_when_time_goes_on() -> None:
    evidence = filled(20.0)
    evidence.keep(7, 20.0)
    for i in range(20 * 50, 60 * 50):
        evidence.hear(np.zeros(320, np.int16), i / 50, 16_000)
    kept = evidence.slice(7, 60.0)
    assert (kept.t, kept.sounds[-1].t) == (20.0, pytest.approx(19.98))
    assert evidence.slice(8, 60.0).sounds[-1].t == pytest.approx(59.98)


def test_only_the_latest_findings_are_remembered() -> None:
    evidence = filled(20.0, findings=2)
    for n in (1, 2, 3):
        evidence.keep(n, float(n))
    assert [evidence.slice(n, 99.0).t for n in (1, 2, 3)] == [99.0, 2.0, 3.0]
    evidence.clear()
    assert evidence.slice(3, 99.0).sounds == ()


def test_a_bundle_holds_pictures_sound_and_script(tmp_path: Path) -> None:
    evidence = filled(20.0)
    evidence.keep(2, 20.0)
    script = [{"game": "nasty_7", "players": ["Ida", "Jo"], "settings": {}}, {"event": "undone"}]
    path = tmp_path / "evidence" / "why.zip"
    bundle.write(path, evidence.slice(2, 0.0), script, {"game": "nasty_7", "n": 2})
    with zipfile.ZipFile(path) as opened:
        names = opened.namelist()
        about = json.loads(opened.read("about.json"))
        lines = [json.loads(line) for line in opened.read("script.jsonl").splitlines()]
        with wave.open(io.BytesIO(opened.read("sound.wav"))) as recording:
            shape = (recording.getframerate(), recording.getnchannels(), recording.getnframes())
    assert about["n"] == 2
    assert about["sound_start"] == pytest.approx(-15.0, abs=0.1)
    assert lines == script
    assert shape == (16_000, 1, pytest.approx(15 * 16_000, abs=700))
    assert sum(name.startswith("frames/-") for name in names) > 50
    assert [one.name for one in path.parent.iterdir()] == ["why.zip"]


def test_what_the_microphone_missed_is_silence_in_its_own_time() -> None:
    one = np.full(1600, 5, "<i2").tobytes()
    data = bundle.wav(
        [SoundBlock(10.0, 16_000, one), SoundBlock(10.1, 16_000, one), SoundBlock(10.5, 16_000, one)]
    )
    with wave.open(io.BytesIO(data)) as recording:
        samples = np.frombuffer(recording.readframes(-1), "<i2")
    assert len(samples) == 9600
    assert (samples[:3200] == 5).all()
    assert (samples[3200:8000] == 0).all()
    assert (samples[8000:] == 5).all()


def test_a_bundle_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "evidence").write_text("a file, no folder")
    with pytest.raises(Unavailable, match="cannot write the evidence"):
        bundle.write(tmp_path / "evidence" / "why.zip", filled(1.0).slice(None, 1.0), [], {})
