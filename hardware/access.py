"""Devices of this machine that the present user may not open, with the group that may."""

from __future__ import annotations

import getpass
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from companion.core.finding import Finding
from companion.core.message import message

PLACES: Mapping[str, str] = {"audio": "snd/pcm*c", "video": "video*", "gpio": "gpiochip*"}
"""Group of Raspberry Pi OS and Debian -> its devices below /dev."""
ACCESS = message("doctor.name_access")


def forbidden(group: str, dev: Path = Path("/dev")) -> list[str]:
    """The devices of a group that exist and may not be opened by the present user."""
    found = sorted(dev.glob(PLACES[group]))
    return [str(one) for one in found if not os.access(one, os.R_OK | os.W_OK)]


def access_findings(dev: Path = Path("/dev")) -> Iterator[Finding]:
    """A finding for each group that the user lacks."""
    for group in PLACES:
        if closed := forbidden(group, dev):
            user = getpass.getuser()
            what = message("doctor.no_access", user=user, devices=tuple(closed[:3]))
            yield Finding(ACCESS, False, what, message("doctor.join_group", user=user, group=group))
