"""Turns off what may still sound or shine after the service was killed: `python -m hardware.silence`.

A killed process leaves its pins to the kernel, and on some Pis they stay as they were. This runs before the
service is started again, so it loads as little as it can: no gpiozero, no pathlib and no checked
configuration, only the pins by name and lgpio, which drives them.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Mapping
from typing import Any

CHIPS = range(5)
"""Numbers of the chips among which the one with the Pi's pins is: 0, on some systems 4."""
PI = "pinctrl-"
"""How the kernel labels the chip with the Pi's pins: pinctrl-bcm2835, pinctrl-bcm2711, pinctrl-rp1."""


def outputs(config: Mapping[str, Any]) -> dict[int, int]:
    """The pins of buzzer and lamps that a configuration names, each with the level that is off."""
    buzzer, lamps = config.get("buzzer", {}), config.get("lamps", {})
    pins = [(buzzer.get("pin"), buzzer)]
    pins += [(pin, lamps) for pin in (lamps.get("pin"), lamps.get("listening"), *(lamps.get("rgb") or ()))]
    return {pin: int(not table.get("active_high", True)) for pin, table in pins if pin is not None}


def silence(pins: Mapping[int, int]) -> list[str]:
    """Drives pins to levels and gives them back; what could not be driven, in words."""
    if not pins:
        return []
    try:
        import lgpio
    except (ImportError, OSError) as error:
        return [f"no pin can be turned off ({error}): sudo apt install python3-lgpio"]
    chip = _chip(lgpio)
    if chip is None:
        return ["no pin can be turned off: there is no chip with a Pi's pins"]
    failed = []
    for pin, level in pins.items():
        try:
            lgpio.gpio_claim_output(chip, pin, level)
            lgpio.gpio_free(chip, pin)
        except lgpio.error as error:
            failed.append(f"GPIO {pin} cannot be turned off ({error})")
    lgpio.gpiochip_close(chip)
    return failed


def _chip(lgpio: Any) -> int | None:
    """The open chip with the Pi's pins, None if there is none."""
    for number in CHIPS:
        try:
            chip: int = lgpio.gpiochip_open(number)
        except lgpio.error:
            continue
        if lgpio.gpio_get_chip_info(chip)[3].startswith(PI):
            return chip
        lgpio.gpiochip_close(chip)
    return None


def main() -> int:
    """Reads the configuration of the data folder (COMPANION_DATA) and silences what it names."""
    file = os.path.join(os.environ.get("COMPANION_DATA", "."), "config.toml")
    try:
        with open(file, "rb") as text:
            failed = silence(outputs(tomllib.load(text)))
    except FileNotFoundError:
        return 0
    except (OSError, tomllib.TOMLDecodeError) as error:
        failed = [f"{file} cannot be read ({error})"]
    for line in failed:
        print(f"silence: {line}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
