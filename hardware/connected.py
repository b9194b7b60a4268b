"""What is plugged in and can be chosen in the settings: cameras, microphones, loudspeakers. Opens nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from companion.core.errors import CompanionError
from hardware.microphone import microphones
from hardware.speaker import loudspeakers

_CARD = re.compile(r"card \d+: (?P<card>\S+) \[(?P<name>[^]]*)\], device (?P<device>\d+): ")
_ON_USB = re.compile(r"/usb\d+/")


def usb_cameras(sys: Path = Path("/sys/class/video4linux")) -> list[tuple[int, str]]:
    """Number and name of each USB camera. A camera's further video devices, which give no pictures, are left
    out, and so are the parts of the Pi's own camera interface."""
    return sorted(_usb_cameras(sys))


def _usb_cameras(sys: Path) -> Iterator[tuple[int, str]]:
    for folder in sys.glob("video*"):
        try:
            first = (folder / "index").read_text().strip() == "0"
            name = (folder / "name").read_text().strip()
            on_usb = _ON_USB.search(str((folder / "device").resolve())) is not None
        except OSError:
            continue  # unplugged meanwhile
        if first and on_usb:
            yield int(folder.name.removeprefix("video")), name


def microphone_names() -> list[str]:
    """The names of the microphones; none without PortAudio."""
    try:
        return list(dict.fromkeys(microphones()))
    except CompanionError:
        return []


def loudspeaker_names(listed: list[str] | None = None) -> list[tuple[str, str]]:
    """Each loudspeaker: the name by which ALSA opens it whatever its rate, and what it is called.

    Args:
        listed: lines of `aplay -l`; None: it is asked.
    """
    found = []
    for line in loudspeakers() if listed is None else listed:
        if match := _CARD.match(line):
            card, name, device = match["card"], match["name"], match["device"]
            found.append((f"plughw:CARD={card},DEV={device}", name))
    return found
