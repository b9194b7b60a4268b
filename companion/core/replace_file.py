"""Replacing a file as a whole, so that a fault or a power cut leaves the old bytes or the new ones."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def replace_file(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Writes a file beside the old one, synchronises it to the disk and puts it in the old one's place.

    Args:
        path: its folder must exist.
        mode: the file's permissions.

    Raises:
        OSError: it cannot be written; the old file is still there and nothing is left beside it.
    """
    handle, part = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(part, mode)
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
