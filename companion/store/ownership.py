"""Files that a command run as root leaves in the data folder of another user: the service could not read
them."""

from __future__ import annotations

import os
from pathlib import Path


def foreign_files(folder: Path) -> list[Path]:
    """Everything in the folder that belongs to another user than the folder. Links are not followed."""
    owner = folder.stat().st_uid
    return sorted(one for one in folder.rglob("*") if one.lstat().st_uid != owner)


def give_back(folder: Path) -> int:
    """Gives files that belong to another user to the folder's owner and group; returns how many. Does nothing
    without the rights of root, and in a folder of root.

    Raises:
        OSError: the folder cannot be read.
    """
    if os.geteuid() != 0 or not folder.is_dir():
        return 0
    owner = folder.stat()
    if owner.st_uid == 0:
        return 0
    found = foreign_files(folder)
    for path in found:
        os.lchown(path, owner.st_uid, owner.st_gid)
    return len(found)
