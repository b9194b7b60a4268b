"""The folder of recorded evenings: lists them, deletes them, keeps it below its limit."""

from __future__ import annotations

import contextlib
import fcntl
import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import msgspec

from companion.core.errors import CompanionError, Unavailable
from companion.recording import format as files


class ListedEvening(msgspec.Struct, frozen=True):
    """One evening of the folder."""

    folder: Path
    manifest: files.Manifest
    size: int
    """Bytes of all its files."""
    running: bool
    """Whether it is being recorded now."""

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.folder.name


def evenings(folder: Path) -> list[ListedEvening]:
    """The evenings of a folder, oldest first. What is no evening is left out."""
    found = []
    for one in sorted(folder.iterdir()) if folder.is_dir() else ():
        with contextlib.suppress(CompanionError, OSError):
            found.append(ListedEvening(one, files.read_manifest(one), _size(one), is_running(one)))
    return sorted(found, key=lambda one: (one.manifest.began, one.name))


def new_folder(folder: Path, began: datetime) -> Path:
    """Makes the folder of a new evening, named by its local time.

    Raises:
        OSError: it cannot be made.
    """
    name = began.astimezone().strftime("%Y-%m-%d_%H-%M-%S")
    for path in (folder / name, *(folder / f"{name}_{n}" for n in range(2, 100))):
        try:
            path.mkdir(parents=True, mode=0o700)
        except FileExistsError:
            continue
        return path
    raise FileExistsError(folder / name)


def forget(folder: Path, name: str) -> None:
    """Deletes an evening.

    Raises:
        Unavailable: there is no such evening, it is being recorded, or it cannot be deleted.
    """
    chosen = next((one for one in evenings(folder) if one.name == name), None)
    if chosen is None:
        raise Unavailable("evening.unknown", name=name)
    if chosen.running:
        raise Unavailable("evening.running", name=name)
    try:
        shutil.rmtree(chosen.folder)
    except OSError as error:
        raise Unavailable("evening.cannot_delete", folder=chosen.folder, why=error.strerror) from error


def prune(folder: Path, limit: int) -> int:
    """Deletes the oldest evenings until all together have at most `limit` bytes, but never one that is being
    recorded. Returns the bytes that are left."""
    kept = evenings(folder)
    total = sum(one.size for one in kept)
    for one in kept:
        if total <= limit:
            break
        if not one.running:
            shutil.rmtree(one.folder, ignore_errors=True)
            total -= one.size
    return total


def is_running(evening: Path) -> bool:
    """Whether a process is recording it: that process has its log locked."""
    try:
        with (evening / files.LOG).open("rb") as log:
            fcntl.flock(log, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _size(folder: Path) -> int:
    return sum(_sizes(folder))


def _sizes(folder: Path) -> Iterator[int]:
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):  # deleted meanwhile
            if path.is_file():
                yield path.stat().st_size
