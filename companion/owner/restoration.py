"""Restoring a backup that a phone has sent: examined at once, restored at the next start.

The data cannot be exchanged while the table uses them. So the backup waits beside them, the service starts
again, and `restore_waiting` runs before anything is opened.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import msgspec

from companion.api.machine import BackupContents, RestoreResult
from companion.api.settings import Restarting
from companion.core.errors import CompanionError, Unavailable
from companion.core.message import Message
from companion.core.replace_file import replace_file
from companion.owner.restarter import Restarter
from companion.owner.uploads import Uploads
from companion.store import backups
from companion.store.folder import DataFolder
from companion.store.journal import read_journal

WAITING = "restore.zip"
"""The backup that the next start restores."""
RESULT = "restored.json"
"""What became of the latest one."""


class Restoration:
    """Every method may be called from any thread.

    Args:
        startable: raises a CompanionError if the service could not start with this configuration file and
            these data.
    """

    def __init__(
        self,
        data: DataFolder,
        uploads: Uploads,
        startable: Callable[[Path, DataFolder], None],
        restarter: Restarter,
    ) -> None:
        self._data = data
        self._uploads = uploads
        self._startable = startable
        self._restarter = restarter

    def examine(self) -> BackupContents:
        """Checks the backup that was sent, whole, and tells what it holds.

        Raises:
            CompanionError: there is none, it is damaged, or this version could not start with it.
        """
        with self._unpacked() as (about, folder):
            return _contents(about, folder)

    def restore(self) -> Restarting:
        """Checks the backup once more and starts the service again, which restores it first.

        Raises:
            CompanionError: as `examine`; nothing has changed.
        """
        with self._unpacked():
            pass
        try:
            self._uploads.file("backup").replace(self._data.path / WAITING)
        except OSError as error:
            raise Unavailable("backup.cannot_restore", path=self._data.path, why=error.strerror) from error
        return self._restarter.restart()

    def result(self) -> RestoreResult | None:
        """What became of the latest backup that was restored from a phone."""
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            return msgspec.json.decode((self._data.path / RESULT).read_bytes(), type=RestoreResult)
        return None

    @contextlib.contextmanager
    def _unpacked(self) -> Iterator[tuple[backups.About, DataFolder]]:
        file = self._uploads.file("backup")
        with tempfile.TemporaryDirectory(prefix=".examining-", dir=self._data.path) as work:
            about = backups.unpack(file, Path(work))
            folder = DataFolder(Path(work))
            if (folder.path / "config.toml").is_file():
                self._startable(folder.path / "config.toml", folder)
            yield about, folder


def _contents(about: backups.About, folder: DataFolder) -> BackupContents:
    rows = []
    if folder.journal.is_file():
        with read_journal(folder.journal) as journal:
            rows = journal.games()
    decks = sorted(one.name for one in folder.decks.iterdir()) if folder.decks.is_dir() else []
    return BackupContents(
        about.made,
        about.version,
        len(rows),
        tuple(sorted({player for row in rows for player in row.players})),
        rows[-1].started if rows else "",
        tuple(decks),
        (folder.path / "config.toml").is_file(),
    )


def restore_waiting(folder: DataFolder, now: datetime) -> RestoreResult | None:
    """Restores the backup that a phone has sent, before the service opens its data; None: none is waiting.

    The phones that the table knows stay known. A backup that cannot be restored is deleted, and the data stay
    as they are.
    """
    waiting = folder.path / WAITING
    if not waiting.is_file():
        return None
    try:
        aside = backups.restore(folder, waiting, now, keep=backups.SECRETS)
        result = RestoreResult(True, before="" if aside is None else aside.name)
    except CompanionError as error:
        result = RestoreResult(False, _plain(error.message))
    waiting.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        replace_file(folder.path / RESULT, msgspec.json.encode(result), 0o600)
    return result


def _plain(why: Message) -> Message:
    """The message with the backup's name as its owner knows it."""
    return why.replacing(WAITING, "backup.zip")
