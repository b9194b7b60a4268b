"""Backup of the data folder in one file, and its restoration.

A backup is a zip. It holds `backup.json`, which describes it, and the journal (a consistent copy, also while
it is being written), the configuration, the decks, the zones, the data of camera and lens, the kept evidence,
the pages' key and the referee's PIN. Players' trained voices are left out: they stay on the device. Added
models and rendered phrases are left out because they can be installed and rendered again.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import zipfile
import zlib
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import msgspec

from companion.core.errors import CompanionError, Unavailable, Unreadable
from companion.store.folder import DataFolder
from companion.store.journal import read_journal

FORMAT = 1
ABOUT = "backup.json"
FILES = ("journal.sqlite", "config.toml", "key", "pin", "zones.json", "view.npz", "lens.json")
FOLDERS = ("decks", "evidence")
SECRET = ("key", "pin")


UNREADABLE = (OSError, KeyError, zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, msgspec.MsgspecError)
"""Errors of zipfile for damaged, encrypted and foreign files, and of msgspec for other JSON."""


class About(msgspec.Struct, frozen=True):
    """The content of `backup.json`."""

    format: int
    made: str
    version: str


def back_up(folder: DataFolder, file: Path, version: str, now: datetime) -> int:
    """Writes a backup atomically. Returns how many files it holds.

    Raises:
        Unavailable: there is nothing to back up, or it cannot be written.
    """
    if not any((folder.path / name).exists() for name in (*FILES, *FOLDERS)):
        raise Unavailable("backup.no_data", path=folder.path)
    part = file.with_name(file.name + ".part")
    try:
        with (
            tempfile.TemporaryDirectory() as work,
            zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as backup,
        ):
            about = About(FORMAT, now.astimezone(UTC).isoformat(timespec="seconds"), version)
            backup.writestr(ABOUT, msgspec.json.encode(about))
            count = 0
            for name, path in _contents(folder, Path(work)):
                backup.write(path, name)
                count += 1
        part.chmod(0o600)
        os.replace(part, file)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise Unavailable("backup.cannot_write", file=file, why=_why(error)) from error
    return count


def _contents(folder: DataFolder, work: Path) -> list[tuple[str, Path]]:
    found = [(name, folder.path / name) for name in FILES if (folder.path / name).is_file()]
    if folder.journal.is_file():
        with read_journal(folder.journal) as journal:
            journal.copy_to(work / "journal.sqlite")
        found[0] = ("journal.sqlite", work / "journal.sqlite")
    for name in FOLDERS:
        for path in sorted((folder.path / name).rglob("*")):
            if path.is_file():
                found.append((path.relative_to(folder.path).as_posix(), path))
    return found


def restore(folder: DataFolder, file: Path, now: datetime) -> Path | None:
    """Replaces the present data by a backup. The present data are moved to another folder, not deleted.

    Returns that folder; None if there were no data.

    Raises:
        CompanionError: it is no backup, it is damaged, or a service is using the data; nothing has changed.
    """
    with tempfile.TemporaryDirectory(prefix="companion-restore-") as work:
        _unpack(file, Path(work))
        _check(Path(work), file)
        folder.lock("backup")
        try:
            # On the same disk: once the present data are moved, no step can fail for lack of space.
            with tempfile.TemporaryDirectory(prefix=".restoring-", dir=folder.path) as ready:
                for name in (*FILES, *FOLDERS):
                    if (Path(work) / name).exists():
                        _copy(Path(work) / name, Path(ready) / name)
                return _exchange(folder, Path(ready), now)
        except OSError as error:
            raise Unavailable("backup.cannot_restore", path=folder.path, why=_why(error)) from error
        finally:
            folder.unlock()


def _unpack(file: Path, work: Path) -> None:
    try:
        with zipfile.ZipFile(file) as backup:
            about = msgspec.json.decode(backup.read(ABOUT), type=About)
            if about.format != FORMAT:
                raise Unreadable("backup.newer", file=file)
            for name in backup.namelist():
                if _belongs(name):
                    backup.extract(name, work)
            damaged = backup.testzip()
    except FileNotFoundError as error:
        raise Unreadable("backup.missing", file=file) from error
    except UNREADABLE as error:
        raise Unreadable("backup.no_backup", file=file) from error
    if damaged is not None:
        raise Unreadable("backup.damaged", file=file, place=damaged)


def _belongs(name: str) -> bool:
    """Whether a backup may hold this name; no path may lead outside the data folder."""
    parts = PurePosixPath(name).parts
    return name in FILES or (len(parts) > 1 and parts[0] in FOLDERS and ".." not in parts)


def _check(work: Path, file: Path) -> None:
    journal = work / "journal.sqlite"
    if journal.exists():
        try:
            read_journal(journal).close()
        except CompanionError as error:
            raise Unreadable("backup.bad_journal", file=file, why=error.message) from error


def _exchange(folder: DataFolder, ready: Path, now: datetime) -> Path | None:
    """Moves the present data to a new folder and the prepared data into their place; all or nothing."""
    aside = folder.path / f"before-restore-{now:%Y%m%d-%H%M%S}"
    done: list[tuple[Path, Path]] = []
    try:
        for name in (*FILES, "journal.sqlite-wal", "journal.sqlite-shm", *FOLDERS):
            if (folder.path / name).exists():
                aside.mkdir(exist_ok=True)
                done.append(_moved(folder.path / name, aside / name))
        for path in sorted(ready.iterdir()):
            done.append(_moved(path, folder.path / path.name))
    except OSError:
        for before, after in reversed(done):
            os.replace(after, before)
        with contextlib.suppress(OSError):
            aside.rmdir()
        raise
    return aside if aside.exists() else None


def _moved(before: Path, after: Path) -> tuple[Path, Path]:
    os.replace(before, after)
    return before, after


def _copy(source: Path, target: Path) -> None:
    """Copies a file or a folder; the temporary folder may be on another disk."""
    if source.is_dir():
        shutil.copytree(source, target)
        return
    shutil.copyfile(source, target)
    if target.name in SECRET:
        target.chmod(0o600)


def _why(error: OSError) -> str:
    """The system's error text; shutil collects several errors into one without a text."""
    return error.strerror or str(error).rpartition("] ")[2].rstrip("')]\"") or "unknown"
