"""Atomic writing of files, shared by the commands."""

from __future__ import annotations

import errno
from pathlib import Path

from companion.core.errors import CompanionError, UsageError
from companion.core.replace_file import replace_file


class CannotWrite(CompanionError):
    """A file or folder that cannot be written."""


def write_file(path: Path, content: bytes) -> None:
    """Writes to a temporary file beside the target and renames it, so that an error leaves the old file."""
    try:
        replace_file(path, content)
    except OSError as error:
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
