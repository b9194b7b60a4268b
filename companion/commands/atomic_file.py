"""What the commands that write a file share: whole or not at all, and under a name that says what it is."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

from companion.core.errors import CompanionError, UsageError


class CannotWrite(CompanionError):
    """A file or folder that cannot be written."""


def write_file(path: Path, content: bytes) -> None:
    """Writes to a temporary name beside the target and renames: never half a file, never an old one lost."""
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
    """The message with what to do about a file that could not be written."""
    if not path.parent.is_dir():
        return "files.no_folder"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "files.disk_full"
    return "files.forbidden"


def pdf_named(path: Path) -> None:
    """Refuses a name under which nobody would look for a PDF.

    Raises:
        UsageError: it does not end in .pdf.
    """
    if path.suffix.lower() != ".pdf":
        raise UsageError("files.only_pdf", path=path, name=path.with_suffix(".pdf").name)


def why(error: OSError) -> str:
    """What the system says, as the middle of a sentence."""
    return (error.strerror or str(error)).lower()
