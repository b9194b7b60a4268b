"""The board view: the header as it is seen from above, and every wire with its parts as they look."""

from __future__ import annotations

from dataclasses import dataclass

from companion.wiring import header, svg
from companion.wiring.circuit import WiredPart, supplies, turned_round
from companion.wiring.svg import INK, Point

CENTRE, PITCH, TOP = 640.0, 28.0, 150.0
COLUMN = {0: CENTRE - 14, 1: CENTRE + 14}
"""x of the odd and of the even pins."""
CORRIDOR, LANE = CENTRE + 96, 13.0
"""Between labels and lanes a supply wire runs down; each wire to a part has its own lane."""
RESISTOR, PART, FIVE_VOLTS, RAIL = CENTRE + 270, CENTRE + 380, CENTRE + 496, CENTRE + 536
THREE_VOLTS = RAIL + 46
ROW, BUZZER_ROWS = 54.0, 4.0


@dataclass(frozen=True)
class Side:
    """One side of the sheet: x is measured to the right of the header and mirrored for the left."""

    right: bool

    def x(self, x: float) -> float:
        """x on the sheet."""
        return x if self.right else 2 * CENTRE - x

    def points(self, points: list[Point]) -> list[Point]:
        """Points on the sheet."""
        return [(self.x(x), y) for x, y in points]

    def wire(self, points: list[Point], colour: str, width: float = 3.0) -> str:
        """A wire."""
        return svg.wire(self.points(points), colour, width)

    def text(self, x: float, y: float, words: str, *, size: int = 12, bold: bool = False) -> str:
        """Text centred at a point."""
        return svg.text(self.x(x), y, words, size=size, anchor="middle", bold=bold)

    def box(self, x: float, y: float, width: float, height: float, fill: str) -> str:
        """A rectangle."""
        return svg.box(self.x(x) if self.right else self.x(x) - width, y, width, height, fill)


def draw(found: list[WiredPart]) -> str:
    """The picture, as SVG."""
    colours = {part.gpio: svg.WIRES[i % len(svg.WIRES)] for i, part in enumerate(found)}
    columns = {right: [part for part in found if (part.pin % 2 == 0) == right] for right in (False, True)}
    height = max(20 * PITCH, *(_rows(column) * ROW for column in columns.values()))
    bottom = TOP + height + 26
    wired = supplies(found)
    shapes = _supply_wires(wired, found, columns, bottom)
    for right, column in columns.items():
        shapes += _column(Side(right), column, colours, height)
    shapes += _header(found, wired, colours)
    shapes += _notes(found, bottom + 52)
    return svg.sheet(2 * CENTRE, bottom + 188, "Wiring: header of the Raspberry Pi and all parts", shapes)


def _rows(column: list[WiredPart]) -> float:
    return sum(BUZZER_ROWS if part.kind == "buzzer" else 1.0 for part in column)


def _pin_at(pin: int) -> Point:
    return COLUMN[(pin + 1) % 2], TOP + PITCH * ((pin - 1) // 2)


def _header(found: list[WiredPart], wired: dict[str, int], colours: dict[int, str]) -> list[str]:
    """The forty pins with their numbers; names of those that have a wire."""
    end = TOP + 19 * PITCH
    shapes = [
        svg.text(CENTRE, 28, "Raspberry Pi from above", size=16, anchor="middle", bold=True),
        svg.text(
            CENTRE, 48, "The end with the memory card is up, the USB sockets are down.", anchor="middle"
        ),
        svg.box(CENTRE - 36, TOP - 24, 72, end - TOP + 48, svg.BOARD, radius=8),
        svg.text(CENTRE - 44, TOP - 20, "pin 1 (square)", anchor="end", bold=True),
    ]
    gpio_of = {part.pin: part.gpio for part in found}
    supply_of = {pin: name for name, pin in wired.items()}
    for pin, name in enumerate(header.HEADER, 1):
        x, y = _pin_at(pin)
        fill = colours[gpio_of[pin]] if pin in gpio_of else svg.SUPPLY_COLOURS.get(name, "#d5dae3")
        used = pin in gpio_of or pin in supply_of
        shapes.append(
            svg.box(x - 10, y - 10, 20, 20, fill, radius=2) if pin == 1 else svg.disc(x, y, 10, fill)
        )
        light = pin not in gpio_of and name not in svg.SUPPLY_COLOURS
        shapes.append(svg.label(x, y + 4, str(pin), fill=INK if light else svg.PAPER))
        side = -1 if pin % 2 else 1
        if used or name in svg.SUPPLY_COLOURS:
            anchor = "start" if side > 0 else "end"
            fill = INK if used else svg.QUIET
            words = header.what(pin)
            shapes.append(svg.text(x + side * 26, y - 4, words, size=11, anchor=anchor, fill=fill, bold=used))
    return shapes


def _supply_wires(
    wired: dict[str, int], found: list[WiredPart], columns: dict[bool, list[WiredPart]], bottom: float
) -> list[str]:
    """Ground and 3.3 V: down from the pin and to the rails at both sides; 5 V: over the top to the buzzer."""
    shapes = []
    for name, rail, level in ((header.GROUND, RAIL, bottom), (header.SUPPLY_3V3, THREE_VOLTS, bottom + 18)):
        if name not in wired:
            continue
        side, colour = Side(wired[name] % 2 == 0), svg.SUPPLY_COLOURS[name]
        y = _pin_at(wired[name])[1]
        shapes.append(side.wire([(CENTRE + 14, y), (CORRIDOR, y), (CORRIDOR, level)], colour, 4))
        used = [Side(right) for right, column in columns.items() if any(part.far == name for part in column)]
        shapes += [each.wire([(CENTRE, level), (rail, level), (rail, TOP - 10)], colour, 4) for each in used]
        if side not in used:
            shapes.append(side.wire([(CENTRE, level), (CORRIDOR, level)], colour, 4))
        shapes.append(svg.joint(side.x(CORRIDOR), level, colour))
        shapes += [each.text(rail, TOP - 18, header.WORDS[name], bold=True) for each in used]
    if header.SUPPLY_5V in wired:
        x, y = _pin_at(wired[header.SUPPLY_5V])
        for right, column in columns.items():
            if any(part.needs_5v for part in column):
                side = Side(right)
                points = [(x, y), (x, TOP - 48), (side.x(FIVE_VOLTS), TOP - 48), (side.x(FIVE_VOLTS), TOP)]
                shapes += [
                    svg.wire(points, svg.SUPPLY_COLOURS["5V"], 4),
                    side.text(FIVE_VOLTS, TOP - 58, "5 V", bold=True),
                ]
    return shapes


def _column(side: Side, column: list[WiredPart], colours: dict[int, str], height: float) -> list[str]:
    """The parts of one side from top to bottom, each at the end of its wire."""
    shapes: list[str] = []
    row = height / max(_rows(column), 1.0)
    y = TOP - row / 2
    rows = []
    for part in column:
        y += row * (BUZZER_ROWS if part.kind == "buzzer" else 1.0)
        rows.append(y)
    lanes = _lanes([_pin_at(part.pin)[1] for part in column], rows)
    for part, at, lane in zip(column, rows, lanes, strict=True):
        start = _pin_at(part.pin)[1]
        x = CORRIDOR + 16 + LANE * lane
        colour = colours[part.gpio]
        shapes.append(side.wire([(CENTRE + 14, start), (x, start), (x, at), (RESISTOR, at)], colour))
        shapes += _resistor(side, part, at, colour)
        shapes += _PARTS[part.kind](side, part, at, colour)
    return shapes


def _lanes(pins: list[float], rows: list[float]) -> list[int]:
    """Lanes that cross as little as possible: of wires that go up the lower one is farther out, of wires
    that go down the upper one."""
    up = [i for i, (pin, row) in enumerate(zip(pins, rows, strict=True)) if row < pin]
    down = [i for i in range(len(pins)) if i not in up]
    lanes = [0] * len(pins)
    for place, i in enumerate(up):
        lanes[i] = place
    for place, i in enumerate(reversed(down)):
        lanes[i] = place
    return lanes


def _resistor(side: Side, part: WiredPart, y: float, colour: str) -> list[str]:
    ohms = f"{part.ohms // 1000} kΩ" if part.ohms >= 1000 else f"{part.ohms} Ω"
    return [
        side.box(RESISTOR, y - 7, 46, 14, "#f3e3c3"),
        side.text(RESISTOR + 23, y - 12, ohms, size=11),
        side.wire([(RESISTOR + 47, y), (PART - 18, y)], colour),
    ]


def _rail_of(part: WiredPart) -> float:
    return RAIL if part.far == header.GROUND else THREE_VOLTS


def _to_rail(side: Side, part: WiredPart, x: float, y: float) -> list[str]:
    colour = svg.SUPPLY_COLOURS[part.far]
    return [side.wire([(x, y), (_rail_of(part), y)], colour), svg.joint(side.x(_rail_of(part)), y, colour)]


def _button(side: Side, part: WiredPart, y: float, colour: str) -> list[str]:
    return [
        *_to_rail(side, part, PART + 16, y),
        side.box(PART - 17, y - 15, 34, 30, "#e8ebf1"),
        svg.disc(side.x(PART), y, 10, colour),
        side.text(PART + 63, y - 8, part.name, bold=True),
    ]


def _lamp(side: Side, part: WiredPart, y: float, colour: str) -> list[str]:
    fill = {"red": "#E53935", "green": "#43A047", "blue": "#1E88E5", "yellow": "#FDD835"}.get(
        part.colour, "#ffffff"
    )
    near, far = ("+", "-") if part.far == header.GROUND else ("-", "+")
    return [
        *_to_rail(side, part, PART + 13, y),
        svg.disc(side.x(PART), y, 13, fill),
        side.text(PART - 22, y - 6, near, size=13),
        side.text(PART + 22, y - 6, far, size=13),
        side.text(PART + 65, y - 8, part.name, bold=True, size=11),
    ]


def _piezo(side: Side, part: WiredPart, y: float, colour: str) -> list[str]:
    return [
        *_to_rail(side, part, PART + 18, y),
        svg.disc(side.x(PART), y, 18, "#d8b24a"),
        svg.disc(side.x(PART), y, 9, "#f2efe6"),
        side.text(PART + 63, y - 8, "passive buzzer", bold=True, size=11),
    ]


def _module(side: Side, part: WiredPart, y: float, colour: str) -> list[str]:
    five = svg.SUPPLY_COLOURS["5V"]
    return [
        *_to_rail(side, part, PART + 24, y + 10),
        side.wire([(PART + 24, y - 10), (FIVE_VOLTS, y - 10), (FIVE_VOLTS, TOP)], five),
        side.box(PART - 25, y - 20, 50, 40, "#e8ebf1"),
        svg.disc(side.x(PART), y, 12, INK),
        side.text(PART, y - 25, "buzzer module", bold=True, size=11),
    ]


def _buzzer(side: Side, part: WiredPart, y: float, colour: str) -> list[str]:
    """The transistor as it looks, the buzzer above it, the diode across the buzzer."""
    base, collector, emitter = PART + 6, PART - 16, PART + 28
    left, five = PART - 44, svg.SUPPLY_COLOURS["5V"]
    view = "flat side to you" if side.right else "round side to you"
    legs = [side.wire([(x, y - 64), (x, y - 34)], "#9aa3b2", 3) for x in (base, collector, emitter)]
    names = [side.text(x, y - 22 if x != base else y - 20, name, size=11, bold=True)
             for x, name in ((collector - 10, "C"), (base - 9, "B"), (emitter + 9, "E"))]  # fmt: skip
    return [
        side.wire([(PART - 18, y), (base, y), (base, y - 34)], colour),
        side.wire([(emitter, y - 34), (emitter, y), (RAIL, y)], INK),
        svg.joint(side.x(RAIL), y),
        side.wire([(collector, y - 34), (left, y - 34), (left, y - 186)], "#6b4f2a"),
        side.wire([(left, y - 138), (PART - 26, y - 138)], "#6b4f2a"),
        svg.joint(side.x(left), y - 138, "#6b4f2a"),
        side.wire([(FIVE_VOLTS, TOP - 48), (FIVE_VOLTS, y - 138), (PART + 26, y - 138)], five),
        side.wire([(left, y - 186), (PART - 24, y - 186)], "#6b4f2a"),
        side.wire([(PART + 24, y - 186), (FIVE_VOLTS, y - 186)], five),
        svg.joint(side.x(FIVE_VOLTS), y - 186, five),
        side.box(PART - 24, y - 193, 48, 14, "#d98c5f"),
        side.box(PART + 10, y - 193, 7, 14, INK),
        side.text(PART, y - 199, "diode 1N4148, band to 5 V", size=11),
        svg.disc(side.x(PART), y - 138, 26, INK),
        svg.disc(side.x(PART), y - 138, 5, svg.PAPER),
        side.text(PART - 36, y - 143, "-", size=14),
        side.text(PART + 36, y - 143, "+", size=14),
        side.text(PART, y - 103, "buzzer", bold=True),
        *legs,
        side.box(collector - 8, y - 94, emitter - collector + 16, 32, "#3a4152"),
        svg.label(side.x(base), y - 74, "BC547"),
        *names,
        side.text(PART + 78, y - 74, view, size=10),
    ]


_PARTS = {"button": _button, "lamp": _lamp, "piezo": _piezo, "module": _module, "buzzer": _buzzer}


def _notes(found: list[WiredPart], y: float) -> list[str]:
    wires = turned_round(found)
    most = max((wire.ma for wire in wires), default=0.0)
    lines = [
        "Switch the Raspberry Pi off before you wire. Wires are joined at dots only, not where they cross.",
        "Buttons: either leg to either side. Lamps: + is the long leg. Leave no resistor out.",
        "One wire to ground and one to 5 V, at these pins: the others of the same name are not used.",
        "Plugged in turned round (pin 1 on pin 40) nothing works and nothing burns: "
        f"{', '.join(_met(found))},",
        f"and any other wire has its resistor: at most {most:.0f} mA flow. Switch off, turn the plug.",
    ]
    return [svg.text(40, y + 21 * i, line, size=13, fill=svg.QUIET) for i, line in enumerate(lines)]


def _met(found: list[WiredPart]) -> list[str]:
    """What each supply wire is on with the plug turned round, in words."""
    return [
        f"{header.WORDS[name]} is then on {header.what(header.turned(pin))}"
        for name, pin in supplies(found).items()
    ]
