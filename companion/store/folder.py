"""The data folder, which holds journals, decks and keys, and its lock, which keeps out a second service."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import TextIO

from companion.core.errors import Unavailable


def default_folder(environ: Mapping[str, str]) -> Path:
    """`COMPANION_DATA`, otherwise `companion` in the user's data folder (XDG base directories)."""
    if environ.get("COMPANION_DATA"):
        return Path(environ["COMPANION_DATA"]).expanduser()
    base = environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(base).expanduser() / "companion"


class DataFolder:
    """One folder with everything that must survive: `journal.sqlite`, `decks/`, `evidence/`,
    `models/`, `voice/`, `voices/`, `key`, `phones.json`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.journal = path / "journal.sqlite"
        self.decks = path / "decks"
        self.evidence = path / "evidence"
        self.models = path / "models"
        self.voice = path / "voice"
        self.voices = path / "voices"
        self._lock: TextIO | None = None

    def create(self) -> None:
        """Makes the folder if it does not exist.

        Raises:
            Unavailable: it cannot be made or written.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise Unavailable("data.cannot_make", path=self.path, why=error.strerror) from error
        if not os.access(self.path, os.W_OK | os.X_OK):
            raise Unavailable("data.read_only", path=self.path)

    def lock(self, who: str = "serve") -> None:
        """Locks the folder for this process; the kernel releases the lock when the process ends.

        Raises:
            Unavailable: another process holds the lock.
        """
        self.create()
        held = (self.path / "lock").open("a+", encoding="utf-8")
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            held.seek(0)
            holder = held.read().strip()
            held.close()
            if holder:
                raise Unavailable("data.in_use_by", path=self.path, holder=holder) from error
            raise Unavailable("data.in_use", path=self.path) from error
        self._lock = held
        if os.geteuid() == 0:  # so that the service, which is another user, can lock it later
            owner = self.path.stat()
            os.fchown(held.fileno(), owner.st_uid, owner.st_gid)
        with contextlib.suppress(OSError):  # on a full disk the owner is not written; the lock still holds
            os.truncate(held.fileno(), 0)
            os.write(held.fileno(), f"companion {who}, process {os.getpid()}\n".encode())

    def unlock(self) -> None:
        """Releases the lock; harmless without one."""
        if self._lock is not None:
            with contextlib.suppress(OSError):
                os.truncate(self._lock.fileno(), 0)
            self._lock.close()
            self._lock = None

    def key(self) -> bytes:
        """The secret that signs the pages' cookies: random, made once, readable by the owner only."""
        return bytes.fromhex(self._secret("key", secrets.token_hex(32)))

    def _secret(self, name: str, fresh: str) -> str:
        self.create()
        path = self.path / name
        try:
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as new:
                new.write(fresh + "\n")
        except FileExistsError:
            pass
        except OSError as error:
            path.unlink(missing_ok=True)
            raise Unavailable("data.cannot_write", path=path, why=error.strerror) from error
        kept = path.read_text(encoding="utf-8").strip()
        if not kept:
            raise Unavailable("data.empty", path=path)
        return kept
