"""The header with forty pins: what each pin is, and which pin takes its place if the plug is turned round."""

from __future__ import annotations

_ODD = "3V3 2 3 4 GND 17 27 22 3V3 10 9 11 GND 0 5 6 13 19 26 GND"
_EVEN = "5V 5V GND 14 15 18 GND 23 24 GND 25 8 7 1 GND 12 GND 16 20 21"
HEADER = [name for pair in zip(_ODD.split(" "), _EVEN.split(" "), strict=True) for name in pair]
"""What each of the forty pins is, pin 1 first; numbers are GPIO lines (BCM)."""
GROUND, SUPPLY_5V, SUPPLY_3V3 = "GND", "5V", "3V3"
WORDS = {GROUND: "ground", SUPPLY_5V: "5 V", SUPPLY_3V3: "3.3 V"}

FIVE_VOLTS = 2
"""The 5 V pin that is used: turned round it is on a ground pin (39), so that nothing has power."""
THREE_VOLTS = 17
"""The 3.3 V pin that is used: turned round it is on a GPIO (8), not on another supply."""
GROUNDS = (34, 30, 20, 25, 9, 6)
"""Ground pins whose opposite pin is a GPIO, not a supply. Pin 39 is left out: turned round it is on 5 V."""


def pin_of(gpio: int) -> int:
    """The number of a GPIO's pin, 1 to 40."""
    return HEADER.index(str(gpio)) + 1


def name(pin: int) -> str:
    """What a pin is: `5` for a GPIO, `GND`, `5V` or `3V3`."""
    return HEADER[pin - 1]


def what(pin: int) -> str:
    """What a pin is, in words: `GPIO 5`, `ground`, `5 V`."""
    return WORDS.get(name(pin), f"GPIO {name(pin)}")


def turned(pin: int) -> int:
    """The pin that a wire is on if the plug of forty is turned by 180 degrees."""
    return 41 - pin
