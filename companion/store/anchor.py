"""The journal's latest seal, kept beside the journal in a small file of its own.

It is written after each transaction without waiting for the disk: after a power cut it may be older than the
journal. It is never newer: a journal that does not hold the seal has lost rows.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

from companion.store.chain import START, Seal

LENGTH = 128
"""Bytes of the file, padded with spaces."""


def anchor_path(journal: Path) -> Path:
    """The file beside this journal."""
    return journal.with_name(journal.name + ".latest")


class JournalAnchor:
    """The file of an open journal."""

    def __init__(self, journal: Path) -> None:
        self._file = os.open(anchor_path(journal), os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def write(self, seal: Seal) -> None:
        """Writes the latest seal. A full disk is no error here: the anchor is then older than the journal."""
        text = f"{seal.id} {seal.link.hex()}"
        with contextlib.suppress(OSError):
            os.pwrite(self._file, f"{text} {_check(text)}".ljust(LENGTH - 1).encode() + b"\n", 0)

    def close(self) -> None:
        """Closes the file; a second call is harmless."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def latest_seal(journal: Path) -> Seal | None:
    """The latest seal of a journal by its anchor; None: there is none, or it is damaged itself."""
    try:
        number, link, check = anchor_path(journal).read_text(encoding="ascii").split()
        if _check(f"{number} {link}") != check:
            return None
        return START._replace(id=int(number), link=bytes.fromhex(link))
    except (OSError, ValueError):
        return None


def _check(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()
