"""Debian packages as a source of sound: downloads, unpacks and reads them.

Downloads are made by apt, once each. Nothing is installed.
"""

from __future__ import annotations

import math
import shutil
import subprocess
from pathlib import Path

import numpy as np

from companion.core.errors import CompanionError
from models.speech.train.warp import good_size

RATE = 16000


class PackageMissing(CompanionError):
    """A package, or a program or library that is needed to read it, is not available."""


def unpacked(package: str, work: Path) -> Path:
    """The folder with the package's files, downloaded by `apt-get download` into `work`/deb if it is not
    there.

    Raises:
        PackageMissing: there is no apt-get or dpkg-deb, or no such package.
    """
    folder = work / "deb" / package
    if folder.exists():
        return folder
    for tool in ("apt-get", "dpkg-deb"):
        if shutil.which(tool) is None:
            raise PackageMissing("training.no_tool", tool=tool, folder=folder)
    archives = work / "deb" / "archives"
    archives.mkdir(parents=True, exist_ok=True)
    if not list(archives.glob(f"{package}_*.deb")):
        fetch = subprocess.run(["apt-get", "download", package], cwd=archives, capture_output=True, text=True)
        if fetch.returncode:
            said = (fetch.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise PackageMissing("training.cannot_fetch", package=package, why=said)
    half = folder.with_suffix(".half")
    shutil.rmtree(half, ignore_errors=True)
    archive = sorted(archives.glob(f"{package}_*.deb"))[-1]
    subprocess.run(["dpkg-deb", "-x", str(archive), str(half)], check=True, capture_output=True)
    half.rename(folder)
    return folder


def version(package: str, work: Path) -> str:
    """The version of the downloaded package; empty if there is only its unpacked folder."""
    found = sorted((work / "deb" / "archives").glob(f"{package}_*.deb"))
    return found[-1].name.split("_")[1].replace("%3a", ":") if found else ""


def read(file: Path, seconds: float = 0.0, start: float = 0.0) -> np.ndarray:
    """A sound file (WAV, Ogg Vorbis, Opus, headerless GSM or mu-law) as mono float32 at 16 kHz.

    Args:
        seconds: length; 0: to the end.
        start: in seconds.

    Raises:
        PackageMissing: the library soundfile is not installed.
    """
    try:
        import soundfile
    except ImportError as error:
        raise PackageMissing("training.no_soundfile") from error
    bare = {"format": "RAW", "samplerate": 8000, "channels": 1}
    subtype = {".gsm": "GSM610", ".au": "ULAW"}.get(file.suffix)
    with soundfile.SoundFile(file, **({"subtype": subtype, **bare} if subtype else {})) as opened:
        rate = opened.samplerate
        if start:
            opened.seek(min(int(start * rate), max(0, opened.frames - 1)))
        count = int(seconds * rate) if seconds else opened.frames
        sound = opened.read(count, dtype="float32", always_2d=True)
    mono = sound.mean(axis=1)
    if mono.size < rate // 50:
        return np.zeros(0, np.float32)
    return mono if rate == RATE else resampled(mono, rate)


def resampled(sound: np.ndarray, rate: int) -> np.ndarray:
    """From `rate` Hz to 16 kHz through the frequency domain, in blocks of at most 30 s."""
    common = math.gcd(rate, RATE)
    down, up = rate // common, RATE // common
    block = 30 * rate
    parts = []
    for at in range(0, sound.size, block):
        part = sound[at : at + block]
        count = good_size(-(-part.size // down))
        spectrum = np.fft.rfft(part, count * down)[: count * min(up, down) // 2 + 1]
        parts.append(np.fft.irfft(spectrum, count * up)[: part.size * up // down] * (up / down))
    return np.concatenate(parts).astype(np.float32)
