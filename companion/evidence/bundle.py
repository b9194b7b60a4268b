"""A bundle: one zip with pictures, sound and the script of a game, enough to reproduce a finding.

about.json     what was asked, when, by which version
script.jsonl   the game so far, for `companion replay`
sound.wav      the seconds of sound; silence where the microphone was down
frames/*.jpg   pictures, named by their time in milliseconds relative to the finding
"""

from __future__ import annotations

import contextlib
import io
import os
import wave
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.core.errors import Unavailable
from companion.evidence.ring import Slice, SoundBlock

FORMAT = 1
"""Version of the bundle's layout."""


def write(path: Path, evidence: Slice, script: Sequence[Mapping[str, Any]], about: Mapping[str, Any]) -> None:
    """Writes a bundle atomically: a failure leaves no file.

    Raises:
        Unavailable: it cannot be written.
    """
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as bundle:
            _fill(bundle, evidence, script, about)
        os.replace(part, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise Unavailable("evidence.cannot_write", path=path, why=error.strerror) from error


def _fill(
    bundle: zipfile.ZipFile, evidence: Slice, script: Sequence[Mapping[str, Any]], about: Mapping[str, Any]
) -> None:
    sound_start = evidence.sounds[0].t - evidence.t if evidence.sounds else None
    whole = {"format": FORMAT, **about, "sound_start": sound_start}
    bundle.writestr("about.json", msgspec.json.format(msgspec.json.encode(whole), indent=1))
    lines = b"".join(msgspec.json.encode(line) + b"\n" for line in script)
    bundle.writestr("script.jsonl", lines)
    if evidence.sounds:
        bundle.writestr("sound.wav", wav(evidence.sounds))
    for picture in evidence.pictures:
        name = f"frames/{round((picture.t - evidence.t) * 1000):+07d}.jpg"
        bundle.writestr(zipfile.ZipInfo(name), picture.jpeg)


def wav(sounds: Sequence[SoundBlock]) -> bytes:
    """One WAV of blocks of sound, each at its time; gaps between blocks become silence."""
    rate, start = sounds[0].rate, sounds[0].t
    pieces: list[NDArray[np.int16]] = []
    count = 0
    for sound in sounds:
        missing = round((sound.t - start) * rate) - count
        if missing > rate // 20:
            pieces.append(np.zeros(missing, np.int16))
            count += missing
        pieces.append(np.frombuffer(sound.data, dtype="<i2").astype(np.int16))
        count += len(pieces[-1])
    target = io.BytesIO()
    with wave.open(target, "wb") as recording:
        recording.setnchannels(1)
        recording.setsampwidth(2)
        recording.setframerate(rate)
        recording.writeframes(np.concatenate(pieces).astype("<i2").tobytes())
    return target.getvalue()
