"""Turns off what may still sound or shine after the service was killed: `python3 -I -S silence.py FILE`.

A killed process leaves its pins to the kernel, and on some Pis they stay as they were. The next start waits
for this, so it is a script that loads nothing but what speaks to the kernel (linux/gpio.h, second version,
since Linux 5.10): importing lgpio and reading the configuration would take three times as long as all of it.
FILE is what the service has noted at its start.
"""

from __future__ import annotations

import fcntl
import os
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # so spelt, because importing typing takes longer than silencing
    from collections.abc import Callable, Mapping
    from typing import Any

    Ioctl = Callable[[int, int, bytearray], Any]

DEVICES = "/dev"
CHIP = "gpiochip"
PI = b"pinctrl-"
"""How the kernel labels the chip with the Pi's pins: pinctrl-bcm2835, pinctrl-bcm2711, pinctrl-rp1."""

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
    """Writes down pins with the level that is off, for the time after a kill."""
    with open(file, "w", encoding="ascii") as text:
        text.writelines(f"{pin} {level}\n" for pin, level in pins.items())


def noted(file: str | os.PathLike[str]) -> dict[int, int]:
    """What `note` has written.

    Raises:
        OSError: there is no such file.
        ValueError: it was not written by `note`.
    """
    with open(file, encoding="ascii") as text:
        return {int(pin): int(level) for pin, level in (line.split() for line in text)}


def silence(pins: Mapping[int, int], devices: str = DEVICES, ioctl: Ioctl = fcntl.ioctl) -> list[str]:
    """Drives pins to levels and gives them back; what could not be driven, in words."""
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
    """The open chip with the Pi's pins, None if there is none."""
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
    """Makes a line an output with a level, then lets go of it.

    Raises:
        OSError: the kernel refuses; another program has it, or there is no such line.
    """
    offsets = [pin] + [0] * 63
    values = (OUTPUT, 1, *[0] * 5, OUTPUT_VALUES, 0, level, 1)
    request = bytearray(LINE_REQUEST.pack(*offsets, b"companion-silence", *values, 1, 0, *[0] * 5, -1))
    ioctl(chip, GET_LINE, request)
    os.close(LINE_REQUEST.unpack(request)[-1])


def main(file: str) -> int:
    """Silences what the service has noted; without a note it has not come as far as its outputs."""
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
