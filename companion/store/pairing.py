"""The code that makes a phone the referee's: six digits, for one phone, valid for some minutes.

It is in a file of the data folder, so that `companion pair` can make one while the service runs. Its time
is that of the machine since it was switched on: the wall clock has no say.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import secrets
import time
from pathlib import Path

import msgspec

from companion.core.clock import Clock

VALID_S = 600.0
"""Seconds for which a code is valid."""
MOST_WRONG = 10
"""A code is void after so many wrong ones."""
BOOT = Path("/proc/sys/kernel/random/boot_id")


class _Kept(msgspec.Struct, frozen=True):
    code: str
    until: float
    boot: str
    wrong: int = 0


class PairingFile:
    """The file with the present code. Several processes may use it.

    Wrong codes are also counted in memory: on a disk that has become read-only or full the count in the file
    no longer grows.
    """

    def __init__(self, folder: Path, clock: Clock = time.monotonic) -> None:
        self._path = folder / "pairing"
        self._clock = clock
        self._code = ""
        self._wrong = 0

    def fresh(self) -> tuple[str, float]:
        """Makes a new code, which replaces the one before. Returns it and for how many seconds it is valid.

        Raises:
            OSError: it cannot be written.
        """
        kept = _Kept(f"{secrets.randbelow(1_000_000):06d}", self._clock() + VALID_S, _boot())
        self._write(kept)
        return kept.code, VALID_S

    def shown(self) -> tuple[str, float]:
        """The code for a screen at the table, and the seconds until another one replaces it. A new one is
        made when there is none or the one before was used or has expired. After MOST_WRONG wrong codes there
        is none ("") until its time has passed, so that a screen makes guessing no easier.

        Raises:
            OSError: a new one cannot be written.
        """
        kept = self._read()
        if kept is None:
            return self.fresh()
        return "" if self._void(kept) else kept.code, max(0.0, kept.until - self._clock())

    def use(self, code: str) -> bool:
        """Whether this is the code; a right one is void from then on, and so is one after MOST_WRONG wrong
        ones."""
        kept = self._read()
        if kept is None or self._void(kept):
            return False
        if hmac.compare_digest(code.encode(), kept.code.encode()):
            self._code, self._wrong = kept.code, MOST_WRONG  # void, also if the file cannot be deleted
            with contextlib.suppress(OSError):
                self._path.unlink(missing_ok=True)
            return True
        self._wrong = self._counted(kept) + 1
        self._code = kept.code
        with contextlib.suppress(OSError):
            self._write(msgspec.structs.replace(kept, wrong=self._wrong))
        return False

    def _counted(self, kept: _Kept) -> int:
        return max(kept.wrong, self._wrong) if kept.code == self._code else kept.wrong

    def _void(self, kept: _Kept) -> bool:
        return self._counted(kept) >= MOST_WRONG

    def _read(self) -> _Kept | None:
        try:
            kept = msgspec.json.decode(self._path.read_bytes(), type=_Kept)
        except (OSError, msgspec.MsgspecError):
            return None
        valid = kept.boot == _boot() and 0.0 <= kept.until - self._clock() <= VALID_S
        return kept if valid else None

    def _write(self, kept: _Kept) -> None:
        part = self._path.with_name(f"pairing.{os.getpid()}.part")
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(msgspec.json.encode(kept))
        if os.geteuid() == 0:  # `sudo companion pair`: the service is another user
            owner = self._path.parent.stat()
            os.chown(part, owner.st_uid, owner.st_gid)
        os.replace(part, self._path)


def _boot() -> str:
    try:
        return BOOT.read_text(encoding="ascii").strip()
    except OSError:
        return ""
