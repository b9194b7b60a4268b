"""The position in the journal up to which the broker has acknowledged its messages, in a file of its own.

The file is replaced as a whole and synchronised to the disk, so after a power cut it is an old position or
the new one. An old position costs messages that are sent twice; their ids make them count once.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from pathlib import Path

import msgspec

from companion.core.errors import Unavailable
from companion.core.replace_file import replace_file


class OutboxPosition(msgspec.Struct, frozen=True):
    """A position in the journal's chain of seals (companion.store.chain)."""

    series: str
    number: int = 0
    """Number of the message made from the entry there; 0: before the first."""
    seal: int = 0
    link: str = ""
    """Link of the seal in hexadecimal digits: another journal, or one that was written anew, has another."""


def new_series() -> str:
    """A name for a new series of numbers."""
    return uuid.uuid4().hex


class CursorFile:
    """The acknowledged position of one table.

    Args:
        make_series: makes the name of a new series.
    """

    def __init__(self, path: Path, make_series: Callable[[], str] = new_series) -> None:
        self._path = path
        self._make_series = make_series

    def read(self) -> OutboxPosition:
        """The position; the start of a new series if there is no readable file."""
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=OutboxPosition)
        except (OSError, msgspec.MsgspecError):
            return self.restart()

    def restart(self) -> OutboxPosition:
        """The start of a new series; nothing is written yet."""
        return OutboxPosition(self._make_series())

    def write(self, position: OutboxPosition) -> None:
        """Writes the position; it is on disk when this returns.

        Raises:
            Unavailable: it cannot be written; the old position is still there.
        """
        try:
            replace_file(self._path, msgspec.json.encode(position))
        except OSError as error:
            raise Unavailable("data.cannot_write", path=self._path, why=error.strerror) from error
