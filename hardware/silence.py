"""Switches off outputs that are still on after the service was killed: `python3 -I -S silence.py FILE`.

On some Pis the pins of a killed process keep their levels. The next start waits for this script, so it uses
only the kernel's interface (linux/gpio.h, version 2, since Linux 5.10): importing lgpio and reading the
configuration would take three times as long as the whole script. FILE was written by the service at its
start.
"""

from __future__ import annotations

import fcntl
import os
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would take longer than the script itself
    from collections.abc import Callable, Mapping
    from typing import Any

    Ioctl = Callable[[int, int, bytearray], Any]

DEVICES = "/dev"
CHIP = "gpiochip"
PI = b"pinctrl-"
"""Start of the kernel's label of the chip with the Pi's pins: pinctrl-bcm2835, -bcm2711, -rp1."""

CHIP_INFO = struct.Struct("=32s32sI")
"""struct gpiochip_info: name, label, number of lines."""
LINE_REQUEST = struct.Struct("=64I 32s Q I5I IIQQ 216x I I5I i")
"""struct gpio_v2_line_request: 64 offsets, consumer; of its config the flags, the number of attributes and
the first of ten (which, padding, values, mask); number of lines, the events' buffer, file descriptor."""
GET_CHIP_INFO = 2 << 30 | CHIP_INFO.size << 16 | 0xB4 << 8 | 0x01
GET_LINE = 3 << 30 | LINE_REQUEST.size << 16 | 0xB4 << 8 | 0x07
OUTPUT = 1 << 3
OUTPUT_VALUES = 2


def note(file: str | os.PathLike[str], pins: Mapping[int, int]) -> None:
    """Writes the pins with their off levels, for use after a kill."""
    with open(file, "w", encoding="ascii") as text:
        text.writelines(f"{pin} {level}\n" for pin, level in pins.items())


def noted(file: str | os.PathLike[str]) -> dict[int, int]:
    """The pins and levels that `note` has written.

    Raises:
        OSError: there is no such file.
        ValueError: it was not written by `note`.
    """
    with open(file, encoding="ascii") as text:
        return {int(pin): int(level) for pin, level in (line.split() for line in text)}


def silence(pins: Mapping[int, int], devices: str = DEVICES, ioctl: Ioctl = fcntl.ioctl) -> list[str]:
    """Drives pins to levels and releases them; returns a text for each pin that could not be driven."""
    if not pins:
        return []
    chip = _chip(devices, ioctl)
    if chip is None:
        return ["no pin can be turned off: there is no chip with a Pi's pins that this user may open"]
    failed = []
    for pin, level in pins.items():
        try:
            _drive(chip, pin, level, ioctl)
        except OSError as error:
            failed.append(f"GPIO {pin} cannot be turned off ({error.strerror})")
    os.close(chip)
    return failed


def _chip(devices: str, ioctl: Ioctl) -> int | None:
    """File descriptor of the open chip with the Pi's pins; None on another machine."""
    for name in sorted(name for name in os.listdir(devices) if name.startswith(CHIP)):
        info = bytearray(CHIP_INFO.size)
        try:
            chip = os.open(os.path.join(devices, name), os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            continue
        try:
            ioctl(chip, GET_CHIP_INFO, info)
        except OSError:
            info = bytearray(CHIP_INFO.size)
        if CHIP_INFO.unpack(info)[1].startswith(PI):
            return chip
        os.close(chip)
    return None


def _drive(chip: int, pin: int, level: int, ioctl: Ioctl) -> None:
    """Makes a line an output with a level, then releases it.

    Raises:
        OSError: the kernel refuses; another program has it, or there is no such line.
    """
    offsets = [pin] + [0] * 63
    values = (OUTPUT, 1, *[0] * 5, OUTPUT_VALUES, 0, level, 1)
    request = bytearray(LINE_REQUEST.pack(*offsets, b"companion-silence", *values, 1, 0, *[0] * 5, -1))
    ioctl(chip, GET_LINE, request)
    os.close(LINE_REQUEST.unpack(request)[-1])


def main(file: str) -> int:
    """Switches off the pins in the file. Without a file the service was killed before it opened its
    outputs."""
    try:
        failed = silence(noted(file))
    except FileNotFoundError:
        return 0
    except (OSError, ValueError) as error:
        failed = [f"{file} cannot be read ({error})"]
    for line in failed:
        print(f"silence: {line}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
