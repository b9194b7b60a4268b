"""What training the English model needs, and where each thing comes from:

    python -m models.speech.train.needs [--data FOLDER]

Lists each thing with its version here, and ends with status 1 if one is missing or another version. Debian's
packages of recordings are not among them: `prompts.py` fetches them (their versions: VOICES.md).
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDERS = {
    "fsdd": (
        "41dda4a91995af31fdc2a6f938e405dc86678c47e2033210b84ca47672fc66f1",
        "github.com/Jakobovski/free-spoken-digit-dataset: george, lucas, nicolas, yweweler, takes 0 to 49",
    ),
    "noises": (
        "8b6b72ec423dfb46d36d1c797ff814e82536598779e5012a73e3a61869eaef12",
        "_background_noise_ of the Speech Commands data set: doing_the_dishes, dude_miaowing, exercise_bike, "
        "running_tap",
    ),
}
"""Folders of recordings in `--data`: digest of all files (`digest`), and where they come from."""
PROGRAMS = {
    "espeak-ng": "1.51+dfsg-10+deb12u2",
    "flite": "2.2-5",
    "festival": "1:2.5.0-9",
    "festvox-kallpc16k": "2.4-1",
    "festvox-kdlpc16k": "1.4.0-6.1",
    "festvox-us-slt-hts": "0.2010.10.25-4",
}
"""Debian packages (apt install) with the voices, and their versions in Debian 12: others speak otherwise."""
LIBRARIES = {"torch": "2.13.0", "kaldi-native-fbank": "", "onnx": "", "soundfile": ""}
"""Python packages (pip install -e '.[train]'); empty: any version gives the same numbers."""


@dataclass(frozen=True)
class Need:
    """One thing that training needs. `found` and `wanted` are versions or digests; empty `found`: missing."""

    name: str
    wanted: str
    found: str
    source: str

    @property
    def met(self) -> bool:
        """Whether it is there in the version with which the same model follows."""
        return bool(self.found) and self.wanted in ("", self.found)


def needs(data: Path) -> Iterator[Need]:
    """All of them; `data` is the folder that holds fsdd/ and noises/."""
    for name, (wanted, source) in FOLDERS.items():
        yield Need(name, wanted, digest(data / name), source)
    for name, wanted in PROGRAMS.items():
        yield Need(name, wanted, debian_version(name), f"apt install {name}")
    for name, wanted in LIBRARIES.items():
        yield Need(name, wanted, library_version(name), "pip install -e '.[train]'")


def digest(folder: Path) -> str:
    """SHA-256 over the names and contents of a folder's recordings; empty without any."""
    files = sorted(folder.glob("*.wav"))
    whole = hashlib.sha256()
    for file in files:
        whole.update(file.name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest() if files else ""


def debian_version(package: str) -> str:
    """The version of an installed Debian package; empty if it is not installed."""
    command = ["dpkg-query", "--show", "--showformat=${db:Status-Status} ${Version}", package]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    status, _, version = done.stdout.partition(" ")
    return version if status == "installed" else ""


def library_version(name: str) -> str:
    """The version of an installed Python package, without its build (`+cpu`); empty if it is missing."""
    try:
        return importlib.metadata.version(name).partition("+")[0]
    except importlib.metadata.PackageNotFoundError:
        return ""


def listed(found: list[Need]) -> str:
    """One line for each thing."""
    lines = []
    for one in found:
        state = "ok" if one.met else "MISSING" if not one.found else f"other version: {one.found[:16]}"
        lines.append(f"{one.name} {one.wanted[:16]}: {state} ({one.source})")
    return "\n".join(lines)


def main() -> int:
    """The command; its exit status."""
    parser = argparse.ArgumentParser(description="Lists what training the English model needs.")
    default = Path(os.environ.get("COMPANION_SHARED", "../shared")) / "speech"
    parser.add_argument("--data", type=Path, default=default, help="folder with fsdd/ and noises/")
    found = list(needs(parser.parse_args().data))
    print(listed(found))
    return 0 if all(one.met for one in found) else 1


if __name__ == "__main__":
    raise SystemExit(main())
