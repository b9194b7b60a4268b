"""Unpacks ZIP files that somebody sent: sizes are counted while they unpack; a header may state any size."""

from __future__ import annotations

import zipfile
from pathlib import Path

CHUNK = 1 << 20


class TooLarge(ValueError):
    """A file holds more than it may."""


class Budget:
    """How many bytes an archive may still unpack to.

    Args:
        most: bytes in all.
        entries: the most files that it may hold.
    """

    def __init__(self, most: int, entries: int = 20_000) -> None:
        self._left = most
        self._entries = entries

    def take(self, size: int) -> None:
        """Counts bytes.

        Raises:
            TooLarge: there are too many.
        """
        self._left -= size
        if self._left < 0:
            raise TooLarge

    def check(self, archive: zipfile.ZipFile) -> None:
        """Checks what the headers state, before anything is unpacked.

        Raises:
            TooLarge: too many files, or too many bytes.
        """
        stated = [item.file_size for item in archive.infolist()]
        if len(stated) > self._entries or sum(stated) > self._left:
            raise TooLarge


def member(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """The content of a file in an archive.

    Raises:
        KeyError: there is no such file.
        TooLarge: it is longer than `most` bytes.
        zipfile.BadZipFile: it is damaged.
    """
    with archive.open(name) as packed:
        data = packed.read(most + 1)
    if len(data) > most:
        raise TooLarge
    return data


def extract(archive: zipfile.ZipFile, name: str, target: Path, budget: Budget) -> None:
    """Unpacks a file of an archive below the folder `target`; the caller has checked its name.

    Raises:
        TooLarge: the budget is used up.
        zipfile.BadZipFile: it is damaged.
        OSError: it cannot be written.
    """
    path = target / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(name) as packed, path.open("wb") as unpacked:
        while chunk := packed.read(CHUNK):
            budget.take(len(chunk))
            unpacked.write(chunk)
