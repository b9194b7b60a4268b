"""What an error of SQLite means for the user."""

from __future__ import annotations

import sqlite3

from companion.core.message import Message, message


def reason(error: sqlite3.Error) -> Message:
    """SQLite's error text, with what to do about it where that is known."""
    code = getattr(error, "sqlite_errorname", "")
    if code == "SQLITE_FULL":
        return message("disk.full")
    if code.startswith("SQLITE_READONLY"):
        return message("disk.read_only")
    if code.startswith("SQLITE_IOERR"):
        return message("disk.unusable")
    if code.startswith("SQLITE_BUSY"):
        return message("disk.busy")
    return message("disk.check", why=str(error))
