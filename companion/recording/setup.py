"""Copies what the service has when a recording begins: journal, zones, lens, voices and the owner's decks."""

from __future__ import annotations

import hashlib
import importlib.metadata
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.recording import format as files
from companion.store.folder import DataFolder
from companion.store.journal import read_journal

COPIED = ("zones.json", "lens.json", "view.npz")
"""Files of the data folder that are copied where they exist."""
DECK = "deck.npz"
LIBRARIES = ("msgspec", "numpy", "opencv-python-headless", "vosk")
"""Libraries whose version may change what eyes and ears find."""


@dataclass(frozen=True)
class Equipment:
    """The folders of decks (by game) and of speech models (by language) that the service uses."""

    decks: Mapping[str, Path]
    models: Mapping[str, Path]
    shipped: Path
    """Decks below this folder come with the companion and are not copied."""


def copy_setup(folder: Path, data: DataFolder, equipment: Equipment) -> Mapping[str, files.DeckUsed]:
    """Copies the setup into the folder of an evening; returns the decks that are used.

    Raises:
        OSError: it cannot be written.
        CompanionError: the journal cannot be read.
    """
    setup = folder / files.SETUP
    setup.mkdir(parents=True)
    for name in COPIED:
        if (data.path / name).is_file():
            shutil.copyfile(data.path / name, setup / name)
    if data.voices.is_dir():
        shutil.copytree(data.voices, setup / data.voices.name)
    if data.journal.exists():
        with read_journal(data.journal) as journal:
            if journal.games():
                journal.copy_to(setup / files.START_JOURNAL)
    used = {}
    for game, path in equipment.decks.items():
        copied = not path.resolve().is_relative_to(equipment.shipped)
        if copied:
            (setup / "decks" / game).mkdir(parents=True)
            shutil.copyfile(path / DECK, setup / "decks" / game / DECK)
        used[game] = files.DeckUsed(file_hash(path / DECK), copied)
    return used


def file_hash(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def folder_hash(folder: Path) -> str:
    """SHA-256 of the names and contents of all files below a folder, in hexadecimal."""
    whole = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        whole.update(f"{path.relative_to(folder).as_posix()} {file_hash(path)}\n".encode())
    return whole.hexdigest()


def libraries() -> Mapping[str, str]:
    """The versions of the libraries that are installed."""
    found = {}
    for name in LIBRARIES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # from apt, or not there
    return found
