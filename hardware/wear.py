"""Temperature of the processor and wear of the card, as the kernel tells them."""

from __future__ import annotations

import os
from pathlib import Path

from companion.core.finding import Finding
from companion.core.message import message

TEMPERATURE, CARD = message("doctor.name_temperature"), message("doctor.name_card")
WARM_C, HOT_C = 70, 80
"""A Pi slows down from 80 °C on."""
MANY_WRITES = 300
"""How often a whole card may have been written before its owner is told: cards endure some hundreds to some
thousands of times."""
WORN_STEPS = 9
"""Of ten steps of wear that a card or an eMMC may tell of itself."""


def temperature(sys: Path = Path("/sys")) -> Finding | None:
    """How warm the processor is; None: this machine does not tell."""
    try:
        degrees = int((sys / "class/thermal/thermal_zone0/temp").read_text()) // 1000
    except (OSError, ValueError):
        return None
    if degrees >= HOT_C:
        return Finding(TEMPERATURE, False, message("doctor.hot", degrees=degrees), message("doctor.cool_it"))
    if degrees >= WARM_C:
        return Finding(TEMPERATURE, True, message("doctor.warm", degrees=degrees), message("doctor.cool_it"))
    return Finding(TEMPERATURE, True, message("doctor.cool", degrees=degrees))


def card(folder: Path, sys: Path = Path("/sys"), device: int | None = None) -> Finding | None:
    """How much the disk below a folder was written, and whether its file system has found errors.

    Args:
        device: the number of the disk (st_dev) if it is not that of the folder.

    Returns None where the disk does not tell: another file system than ext4, or no disk of its own.
    """
    try:
        number = folder.stat().st_dev if device is None else device
        partition = (sys / f"dev/block/{os.major(number)}:{os.minor(number)}").resolve(strict=True)
        about = sys / "fs/ext4" / partition.name
        written = int((about / "lifetime_write_kbytes").read_text()) * 1024
        errors = int((about / "errors_count").read_text())
        size = int((partition / "size").read_text()) * 512
    except (OSError, ValueError):
        return None
    if errors:
        return Finding(CARD, False, message("doctor.card_errors", n=errors), message("doctor.replace_card"))
    times = written // max(size, 1)
    what = message("doctor.card_written", gigabytes=written // 10**9, times=times)
    if times >= MANY_WRITES or _worn(partition):
        return Finding(CARD, False, what, message("doctor.card_worn"))
    return Finding(CARD, True, what)


def _worn(partition: Path) -> bool:
    """Whether the disk itself says that it is nearly worn out (eMMC and some cards: steps of ten percent)."""
    for place in (partition / "device/life_time", partition.parent / "device/life_time"):
        try:
            return max(int(step, 16) for step in place.read_text().split()) >= WORN_STEPS
        except (OSError, ValueError):
            continue
    return False
