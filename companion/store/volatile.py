"""A data folder in memory for a service whose disk cannot be written: it plays, and stores nothing.

The service's runtime folder is a file system in memory. Small files are copied there, folders that are only
read are linked. Nothing of it survives the end of the service.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from pathlib import Path

from companion.core.message import Message, message
from companion.store.folder import DataFolder

PROBE = ".probe"
PROBE_BYTES = 256 * 1024
"""The journal needs about as much free space to open."""
COPIED = ("journal.sqlite", "journal.sqlite-wal", "key", "phones.json", "zones.json", "view.npz", "lens.json")
LINKED = ("decks", "models", "voice", "voices")
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
FOREIGN = (errno.EACCES, errno.EPERM)


def usable(folder: DataFolder, runtime: Path | None) -> tuple[DataFolder, Message | None]:
    """The data folder that the service uses, and why it is not the given one.

    Args:
        runtime: the service's runtime folder; None: outside a service the given folder is used in any case,
            and locking it raises the error.
    """
    if runtime is None:
        return folder, None
    error = _write_error(folder.path)
    if error is None:
        return folder, None
    copy = DataFolder(runtime / "data")
    _fill(folder.path, copy.path)
    return copy, message("disk.not_stored", why=_reason(error, folder.path))


def _write_error(path: Path) -> OSError | None:
    """Why the folder or one of its files cannot be written; None: it can."""
    probe = path / PROBE
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        with probe.open("wb") as file:
            file.write(bytes(PROBE_BYTES))
            file.flush()
            os.fsync(file.fileno())
        for name in COPIED:  # after the probe: on a read-only disk no file can be written either
            if (path / name).exists() and not os.access(path / name, os.R_OK | os.W_OK):
                return PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        return error
    finally:
        with contextlib.suppress(OSError):
            probe.unlink(missing_ok=True)
    return None


def _fill(source: Path, target: Path) -> None:
    """Copies and links what can be read and has room. A journal that is too large is left out."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True, mode=0o700)
    room = shutil.disk_usage(target).free // 2
    for name in COPIED:
        with contextlib.suppress(OSError):
            if (source / name).stat().st_size < room:
                shutil.copyfile(source / name, target / name)
                (target / name).chmod(0o600)
                room -= (target / name).stat().st_size
    for name in LINKED:
        if (source / name).is_dir():
            (target / name).symlink_to((source / name).absolute())


def _reason(error: OSError, path: Path) -> Message:
    if error.errno in FULL:
        return message("disk.full_at_start")
    if error.errno == errno.EROFS:
        return message("disk.read_only_card", path=path)
    if error.errno in FOREIGN:
        return message("disk.foreign", path=path)
    return message("disk.check", why=error.strerror or str(error))
