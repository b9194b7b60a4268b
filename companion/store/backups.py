"""Backup of the data folder in one file, and its restoration.

A backup is a zip. It holds `backup.json`, which describes it, and the journal (a consistent copy, also while
it is being written), the configuration, the decks, the zones, the data of camera and lens, the kept evidence,
the pages' key and the phones that are the referee's. Players' trained voices are left out: they stay on
the device. Added models and rendered phrases are left out because they can be installed and rendered
again.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import msgspec

from companion.core.archives import Budget, TooLarge, extract, member
from companion.core.errors import CompanionError, Unavailable, Unreadable
from companion.core.message import message
from companion.store.folder import DataFolder
from companion.store.healing import check
from companion.store.journal import read_journal
from companion.store.salvage import SIDE_FILES

FORMAT = 1
ABOUT = "backup.json"
FILES = ("journal.sqlite", "config.toml", "key", "phones.json", "zones.json", "view.npz", "lens.json")
FOLDERS = ("decks", "evidence")
BESIDE_THE_JOURNAL = tuple(f"journal.sqlite{ending}" for ending in (*SIDE_FILES, ".latest", ".copy"))
"""Files that belong to the journal that is replaced."""


MOST_BYTES = 4 * 2**30
"""No backup unpacks to more."""
RESERVE = 64 * 2**20
"""Bytes of the disk that stay free after a restoration."""

UNREADABLE = (
    KeyError,
    ValueError,
    zipfile.BadZipFile,
    zlib.error,
    RuntimeError,
    EOFError,
    msgspec.MsgspecError,
)
"""Errors of zipfile for damaged, encrypted and foreign files, and of msgspec for other JSON."""


class About(msgspec.Struct, frozen=True):
    """The content of `backup.json`."""

    format: int
    made: str
    version: str


SECRETS = frozenset({"key", "phones.json"})
"""What lets a phone decide about the table. Without them a restored table asks every phone for a code."""


def back_up(
    folder: DataFolder, file: Path, version: str, now: datetime, leave_out: Collection[str] = ()
) -> int:
    """Writes a backup atomically. Returns how many files it holds.

    Args:
        leave_out: names of FILES that the backup shall not hold.

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
                if name in leave_out:
                    continue
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


def unpack(file: Path, folder: Path) -> About:
    """Checks a backup whole: unpacks it into an empty folder and reads its journal.

    Raises:
        CompanionError: it is no backup, it is damaged, or the disk is full.
    """
    if not file.is_file():
        raise Unreadable("backup.missing", file=file)
    about = _looks_like_a_backup(file)
    try:
        _unpack(file, folder)
        _check(folder, file)
    except OSError as error:
        raise Unavailable("backup.cannot_restore", path=folder, why=_why(error)) from error
    return about


def restore(folder: DataFolder, file: Path, now: datetime, keep: Collection[str] = ()) -> Path | None:
    """Replaces the present data by a backup. The present data are moved to another folder, not deleted.

    Returns that folder; None if there were no data.

    Args:
        keep: names of FILES that stay as they are in the data folder, whatever the backup holds.

    Raises:
        CompanionError: it is no backup, it is damaged, or a service is using the data; nothing has changed.
    """
    if not file.is_file():
        raise Unreadable("backup.missing", file=file)
    _looks_like_a_backup(file)
    folder.lock("backup")
    try:
        # On the same disk: once the present data are moved, no step can fail for lack of space.
        with tempfile.TemporaryDirectory(prefix=".restoring-", dir=folder.path) as ready:
            _unpack(file, Path(ready))
            _check(Path(ready), file)
            for name in keep:
                (Path(ready) / name).unlink(missing_ok=True)
            _give_to_owner(Path(ready), folder.path)
            return _exchange(folder, Path(ready), now, keep)
    except OSError as error:
        raise Unavailable("backup.cannot_restore", path=folder.path, why=_why(error)) from error
    finally:
        folder.unlock()


def _looks_like_a_backup(file: Path) -> About:
    """Reads nothing but the archive's list and `backup.json`."""
    try:
        with zipfile.ZipFile(file) as backup:
            Budget(MOST_BYTES).check(backup)
            about = msgspec.json.decode(member(backup, ABOUT, 64 * 1024), type=About)
    except OSError as error:
        raise Unreadable("backup.cannot_read", file=file, why=_why(error)) from error
    except TooLarge as error:
        raise Unreadable("backup.too_large", file=file) from error
    except UNREADABLE as error:
        raise Unreadable("backup.no_backup", file=file) from error
    if about.format != FORMAT:
        raise Unreadable("backup.newer", file=file)
    return about


def _unpack(file: Path, ready: Path) -> None:
    """Unpacks what belongs to a backup, counted while it unpacks.

    Raises:
        Unreadable: it is damaged or too large.
        OSError: the disk is full or fails.
    """
    free = shutil.disk_usage(ready).free - RESERVE
    budget = Budget(min(MOST_BYTES, max(free, 0)))
    name = ABOUT
    try:
        with zipfile.ZipFile(file) as backup:
            for name in filter(_belongs, backup.namelist()):
                if not name.endswith("/"):
                    extract(backup, name, ready, budget)
    except TooLarge as error:
        if free < MOST_BYTES:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error
        raise Unreadable("backup.too_large", file=file) from error
    except UNREADABLE as error:
        raise Unreadable("backup.damaged", file=file, place=name) from error


def _give_to_owner(ready: Path, folder: Path) -> None:
    """Files for the owner of the data folder only, also when the superuser restores them for the service."""
    owner = folder.stat()
    for path in (ready, *ready.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)
        if os.geteuid() == 0:
            os.chown(path, owner.st_uid, owner.st_gid)


def _belongs(name: str) -> bool:
    """Whether a backup may hold this name; no path may lead outside the data folder."""
    parts = PurePosixPath(name).parts
    return name in FILES or (len(parts) > 1 and parts[0] in FOLDERS and ".." not in parts)


def _check(work: Path, file: Path) -> None:
    journal = work / "journal.sqlite"
    if not journal.exists():
        return
    try:
        found = check(journal)
        read_journal(journal).close()
    except CompanionError as error:
        raise Unreadable("backup.bad_journal", file=file, why=error.message) from error
    except sqlite3.Error as error:
        raise Unreadable("backup.bad_journal", file=file, why=str(error)) from error
    for ending in SIDE_FILES:
        journal.with_name(journal.name + ending).unlink(missing_ok=True)
    if not found.sound:
        raise Unreadable("backup.bad_journal", file=file, why=message("journal.damaged"))


def _exchange(folder: DataFolder, ready: Path, now: datetime, keep: Collection[str]) -> Path | None:
    """Moves the present data to a new folder and the prepared data into their place; all or nothing."""
    aside = folder.path / f"before-restore-{now:%Y%m%d-%H%M%S}"
    done: list[tuple[Path, Path]] = []
    try:
        for name in (*FILES, *BESIDE_THE_JOURNAL, *FOLDERS):
            if name not in keep and (folder.path / name).exists():
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


def _why(error: OSError) -> str:
    """The system's error text; shutil collects several errors into one without a text."""
    return error.strerror or str(error).rpartition("] ")[2].rstrip("')]\"") or "unknown"
