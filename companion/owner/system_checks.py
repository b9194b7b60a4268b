"""Checks of the machine's clock and of the data folder."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence

from companion.core.errors import CompanionError, reason
from companion.core.finding import Finding
from companion.core.message import Message, message
from companion.store.folder import DataFolder
from companion.store.ownership import foreign_files, give_back

CLOCK, DATA_FOLDER = message("doctor.name_clock"), message("doctor.name_data_folder")
RELEASED = 1_790_000_000
"""Seconds since 1970; an earlier system time is wrong, because this program did not exist then."""
FREE_MB = 200
"""Free disk space in MB below which doctor warns: on a full disk no game can be continued."""
Run = Callable[[Sequence[str]], str]
"""Runs a command and returns its output. Raises OSError or subprocess.SubprocessError."""


def run(command: Sequence[str]) -> str:
    """Runs a command for at most three seconds."""
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=3).stdout


def clock_findings(now: float, ask: Run = run) -> Iterator[Finding]:
    """The dates of games come from the system clock; a Pi without a network starts with a past date.

    Args:
        now: seconds since 1970.
        ask: runs `timedatectl`, which knows whether the clock is synchronised.
    """
    text = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    if now < RELEASED:
        yield Finding(CLOCK, False, message("doctor.clock_past", time=text), message("doctor.set_clock"))
    elif _synchronised(ask) is False:
        what = message("doctor.clock_unsynchronised", time=text)
        yield Finding(CLOCK, False, what, message("doctor.synchronise_clock"))
    else:
        yield Finding(CLOCK, True, message("library.words", words=text))


def _synchronised(ask: Run) -> bool | None:
    """Whether the clock follows a time server; None: this machine does not say."""
    try:
        answer = ask(["timedatectl", "show", "--property=NTPSynchronized", "--value"]).strip()
    except (OSError, subprocess.SubprocessError):
        return None
    return {"yes": True, "no": False}.get(answer)


def data_findings(folder: DataFolder) -> Iterator[Finding]:
    """Whether the data folder can be written, belongs to one user, and has room."""
    if not folder.path.exists():
        yield Finding(DATA_FOLDER, True, message("doctor.no_folder_yet", path=folder.path))
        return
    try:
        folder.create()
        free = shutil.disk_usage(folder.path).free // 2**20
        foreign = [one.name for one in foreign_files(folder.path)]
    except (CompanionError, OSError) as error:
        yield Finding(DATA_FOLDER, False, _why(folder, error), message("doctor.as_owner"), needed=True)
        return
    what = message("doctor.free_space", path=folder.path, free=free)
    if free < FREE_MB:
        yield Finding(DATA_FOLDER, False, what, message("doctor.free_some", megabytes=FREE_MB), needed=True)
        return
    yield Finding(DATA_FOLDER, True, what, needed=True)
    if foreign:
        names = message("doctor.foreign_files", path=folder.path, names=tuple(foreign[:3]))
        yield Finding(DATA_FOLDER, False, names, message("doctor.give_back", path=folder.path), needed=True)


def _why(folder: DataFolder, error: Exception) -> Message:
    """Names the owner of a folder that the present user may not use."""
    about = folder.path.stat()
    if about.st_uid == os.geteuid():
        return reason(error)
    try:
        owner = pwd.getpwuid(about.st_uid).pw_name
    except KeyError:
        owner = str(about.st_uid)
    return message("doctor.others_folder", path=folder.path, owner=owner)


def fix(folder: DataFolder, now: float, ask: Run = run) -> list[Message]:
    """Corrects what can be corrected without a decision of the owner; returns what was done. Needs the rights
    of root for files of other users and for the clock."""
    done: list[Message] = []
    if count := give_back(folder.path):
        done.append(message("doctor.gave_back", n=count, path=folder.path))
    if now >= RELEASED and os.geteuid() == 0 and _synchronised(ask) is False:
        try:
            ask(["timedatectl", "set-ntp", "true"])
        except (OSError, subprocess.SubprocessError):
            return done  # the finding remains
        done.append(message("doctor.clock_follows"))
    return done
