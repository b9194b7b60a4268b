"""The circuit of a configuration: every part with its resistor, and what happens if the plug is turned round.

No two pins of the header are joined without a resistor, except over the coil of the buzzer: a wrong plug
damages nothing, and `turned_round` reports the currents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.core.config import Config
from companion.wiring import header

Kind = Literal["button", "lamp", "buzzer", "piezo", "module"]
"""`buzzer`: an active one with a transistor; `piezo`: a passive one; `module`: a buzzer with its own
transistor that sounds while the pin is low."""

OHMS: dict[Kind, int] = {"button": 1000, "lamp": 330, "buzzer": 1000, "piezo": 330, "module": 1000}
"""The resistor between GPIO and part. A button works without one (the pull-up is 50 kilohm); it limits the
current if the plug is wrong or the pin is an output."""
MOST_MA = 16.0
"""The most that a pin of a Pi may give or take."""


@dataclass(frozen=True)
class WiredPart:
    """One part on one GPIO.

    `far`: what its other end is joined to, `GND`, `5V` or `3V3`. The buzzer with a transistor has its emitter
    there and gets 5 V besides.
    """

    gpio: int
    name: str
    kind: Kind
    far: str
    colour: str = ""

    @property
    def pin(self) -> int:
        """The number of its pin."""
        return header.pin_of(self.gpio)

    @property
    def ohms(self) -> int:
        """Its resistor."""
        return OHMS[self.kind]

    @property
    def needs_5v(self) -> bool:
        """Whether it also gets the 5 V wire."""
        return self.kind in ("buzzer", "module")


def parts(config: Config) -> list[WiredPart]:
    """What a configuration has wired, in the order of the header's pins."""
    buttons, buzzer, lamps = config.buttons, config.buzzer, config.lamps
    closes = header.SUPPLY_3V3 if buttons.active_high else header.GROUND
    shines = header.GROUND if lamps.active_high else header.SUPPLY_3V3
    found = [WiredPart(gpio, f"seat {i}", "button", closes) for i, gpio in enumerate(buttons.seats, 1)]
    if buttons.referee is not None:
        found.append(WiredPart(buttons.referee, "referee", "button", closes))
    found += [
        WiredPart(gpio, f"trophy {value}", "button", closes) for value, gpio in buttons.trophies.items()
    ]
    if buzzer.pin is not None:
        kind: Kind = "piezo" if buzzer.kind == "passive" else "buzzer" if buzzer.active_high else "module"
        found.append(WiredPart(buzzer.pin, "buzzer", kind, header.GROUND))
    if lamps.pin is not None:
        found.append(WiredPart(lamps.pin, "lamp", "lamp", shines, "white"))
    for gpio, colour in zip(lamps.rgb or (), ("red", "green", "blue"), strict=False):
        found.append(WiredPart(gpio, f"lamp, {colour}", "lamp", shines, colour))
    if lamps.listening is not None:
        found.append(WiredPart(lamps.listening, "listening lamp", "lamp", shines, "yellow"))
    return sorted(found, key=lambda part: part.pin)


def supplies(found: list[WiredPart]) -> dict[str, int]:
    """The pins that the supply and ground wires are on: `GND`, `5V`, `3V3` -> pin; one wire each."""
    taken = {part.pin for part in found}
    used = {part.far for part in found}
    wired: dict[str, int] = {}
    if header.GROUND in used:
        free = [pin for pin in header.GROUNDS if header.turned(pin) not in taken]
        wired[header.GROUND] = (free or list(header.GROUNDS))[0]
    if any(part.needs_5v for part in found):
        wired[header.SUPPLY_5V] = header.FIVE_VOLTS
    if header.SUPPLY_3V3 in used:
        wired[header.SUPPLY_3V3] = header.THREE_VOLTS
    return wired


@dataclass(frozen=True)
class TurnedWire:
    """A wire with the plug turned round: `pin` is the wrong pin, `ma` the most that flows through it."""

    wire: str
    pin: int
    ma: float


def turned_round(found: list[WiredPart]) -> list[TurnedWire]:
    """What each wire meets if the plug of forty is turned by 180 degrees, with the most current in mA.

    The bound of a wire with a resistor is 5 V over the resistor. Ground is then on an input, which takes
    current only from wires on 5 V, as it is never above 3.3 V itself. 5 V is on ground and carries nothing.
    """
    wires = [TurnedWire(part.name, header.turned(part.pin), 5000 / part.ohms) for part in found]
    on_5v = [part for part in found if header.name(header.turned(part.pin)) == header.SUPPLY_5V]
    for name, pin in supplies(found).items():
        clamped = sum((5000 - 3300) / part.ohms for part in on_5v if part.far == name)
        wires.append(TurnedWire(header.WORDS[name], header.turned(pin), clamped))
    return wires


def steps(found: list[WiredPart]) -> list[str]:
    """The wiring as a list of connections, one line a wire."""
    lines = [
        f"pin {pin:>2}  {header.WORDS[name]}: one wire to the board" for name, pin in supplies(found).items()
    ]
    for part in found:
        far = header.WORDS[part.far]
        via = f"pin {part.pin:>2}  GPIO {part.gpio}: resistor {part.ohms} ohm"
        if part.kind == "buzzer":
            lines.append(f"{via}, base of a BC547; emitter to {far}; collector to the minus of the buzzer")
            lines.append("        plus of the buzzer to 5 V; diode 1N4148 across the buzzer, its band at 5 V")
        elif part.kind == "module":
            lines.append(f"{via}, input of the buzzer module; the module also to 5 V and ground")
        elif part.kind == "lamp":
            order = "long leg (+), short leg" if part.far == header.GROUND else "short leg (-), long leg"
            lines.append(f"{via}, {part.name}: {order} to {far}")
        else:
            lines.append(f"{via}, {part.name}, {far}")
    return lines
