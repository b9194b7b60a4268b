"""Turns off what may still sound or shine after the service was killed: `python -m hardware.silence`.

A killed process leaves its pins to the kernel, and on some Pis they stay as they were.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from companion.config import Config, load
from companion.errors import CompanionError


def silence(config: Config) -> None:
    """Drives the pins of buzzer and lamps to off and gives them back.

    Raises:
        Unavailable: there are no pins, or another program has them.
    """
    from hardware.gpio import Buzzer, Lamp

    if config.buzzer.pin is not None:
        Buzzer(config.buzzer.pin, active_high=config.buzzer.active_high).close()
    if config.lamps.listening is not None:
        Lamp(config.lamps.listening, active_high=config.lamps.active_high).close()
    if config.lamps.pin is not None or config.lamps.rgb is not None:
        Lamp(config.lamps.pin, config.lamps.rgb, active_high=config.lamps.active_high).close()


def main() -> int:
    """Reads the configuration of the data folder (COMPANION_DATA) and silences what it names."""
    file = Path(os.environ.get("COMPANION_DATA", ".")) / "config.toml"
    try:
        silence(load(file if file.is_file() else None))
    except CompanionError as error:
        print(f"silence: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
