"""Atomic writing of files, shared by the commands."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

from companion.core.errors import CompanionError, UsageError


class CannotWrite(CompanionError):
    """A file or folder that cannot be written."""


def write_file(path: Path, content: bytes) -> None:
    """Writes to a temporary file beside the target and renames it, so that an error leaves the old file."""
    temporary: str | None = None
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError as error:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)
        raise CannotWrite(_code(path, error), path=path, why=why(error)) from error


def _code(path: Path, error: OSError) -> str:
    """The code of the message for a file that could not be written."""
    if not path.parent.is_dir():
        return "files.no_folder"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "files.disk_full"
    return "files.forbidden"


def pdf_named(path: Path) -> None:
    """Refuses a file name without the ending of a PDF.

    Raises:
        UsageError: it does not end in .pdf.
    """
    if path.suffix.lower() != ".pdf":
        raise UsageError("files.only_pdf", path=path, name=path.with_suffix(".pdf").name)


def why(error: OSError) -> str:
    """The system's error text, for use inside a sentence."""
    return (error.strerror or str(error)).lower()
