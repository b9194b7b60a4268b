"""Files that a phone sends in pieces: no request is large, and a piece that was lost is sent again."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Mapping
from pathlib import Path

from companion.api.machine import UploadKind, UploadPiece, UploadProgress
from companion.core.errors import Unavailable, UsageError

MOST_BYTES: Mapping[UploadKind, int] = {"backup": 2 * 2**30, "update": 2**30}
"""The largest file of each kind."""
RESERVE = 64 * 2**20
"""Bytes of the disk that stay free."""


class Uploads:
    """One file of each kind; a new one replaces the old one. Every method may be called from any thread.

    Args:
        folder: holds them; it is made when the first piece arrives.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()

    def file(self, kind: UploadKind) -> Path:
        """Where the file is, whether or not it has arrived."""
        return self._folder / kind

    def take(self, piece: UploadPiece) -> UploadProgress:
        """Appends a piece.

        Raises:
            UsageError: the piece does not continue what has arrived, or the file is too large.
            Unavailable: it cannot be written.
        """
        path = self.file(piece.kind)
        with self._lock:
            try:
                self._folder.mkdir(mode=0o700, exist_ok=True)
                size = path.stat().st_size if piece.offset and path.is_file() else 0
                if size and _has(path, piece, size):  # sent again: the answer to it was lost
                    return UploadProgress(size)
                if piece.offset != size:
                    raise UsageError("upload.gap", size=size)
                if size + len(piece.data) > MOST_BYTES[piece.kind]:
                    raise UsageError("upload.too_large")
                if shutil.disk_usage(self._folder).free < len(piece.data) + RESERVE:
                    raise Unavailable("upload.no_room")
                with path.open("ab" if size else "wb") as file:
                    file.write(piece.data)
            except OSError as error:
                raise Unavailable("data.cannot_write", path=path, why=error.strerror) from error
        return UploadProgress(size + len(piece.data))

    def forget(self, kind: UploadKind) -> None:
        """Deletes the file; harmless if there is none."""
        self.file(kind).unlink(missing_ok=True)


def _has(path: Path, piece: UploadPiece, size: int) -> bool:
    """Whether a file of `size` bytes ends with the piece, at its offset."""
    if not piece.data or piece.offset + len(piece.data) != size:
        return False
    with path.open("rb") as file:
        file.seek(piece.offset)
        return file.read() == piece.data
