"""The schematic: the same circuit in the symbols of electronics, one small circuit for each part."""

from __future__ import annotations

from companion.wiring import header, svg
from companion.wiring.circuit import WiredPart, supplies
from companion.wiring.svg import INK

WIDTH, ROW, TALL = 430.0, 78.0, 230.0
"""Size of one small circuit; TALL is that of the buzzer with its transistor."""


def draw(found: list[WiredPart]) -> str:
    """The picture, as SVG: two columns."""
    shapes = [svg.text(20, 30, "Schematic", size=16, bold=True)]
    wired = ", ".join(f"{header.WORDS[name]} from pin {pin}" for name, pin in supplies(found).items())
    shapes.append(
        svg.text(
            20, 52, f"Numbers in brackets are pins of the header; {wired}." if wired else "", fill=svg.QUIET
        )
    )
    tops = [80.0, 80.0]
    for part in found:
        column = 0 if tops[0] <= tops[1] else 1
        tall = TALL if part.kind == "buzzer" else ROW
        x, y = 20 + WIDTH * column, tops[column]
        shapes += _circuit(part, x, y + tall - 40)
        tops[column] += tall
    return svg.sheet(2 * WIDTH + 40, max(tops) + 20, "Schematic of buttons, buzzer and lamps", shapes)


def _circuit(part: WiredPart, x: float, y: float) -> list[str]:
    ohms = f"{part.ohms // 1000} kΩ" if part.ohms >= 1000 else f"{part.ohms} Ω"
    begin = [
        svg.text(x, y - 12, f"GPIO {part.gpio} ({part.pin})", bold=True),
        svg.wire([(x, y), (x + 100, y)], INK, 2),
        svg.box(x + 100, y - 8, 46, 16, svg.PAPER, radius=0),
        svg.text(x + 123, y - 14, ohms, size=11, anchor="middle"),
        svg.wire([(x + 146, y), (x + 200, y)], INK, 2),
    ]
    return begin + _SYMBOLS[part.kind](part, x + 200, y)


def _end(part: WiredPart, x: float, y: float) -> list[str]:
    """The symbol of ground, or the name of a supply."""
    if part.far != header.GROUND:
        return [svg.text(x + 8, y + 4, header.WORDS[part.far], bold=True, fill=svg.SUPPLY_COLOURS[part.far])]
    return [svg.path(f"M{x} {y} v14 M{x - 12} {y + 14} h24 M{x - 8} {y + 19} h16 M{x - 4} {y + 24} h8")]


def _switch(part: WiredPart, x: float, y: float) -> list[str]:
    return [
        svg.path(f"M{x} {y} h8 M{x + 8} {y} L{x + 44} {y - 16} M{x + 46} {y} h50"),
        svg.disc(x + 8, y, 3, svg.PAPER),
        svg.disc(x + 46, y, 3, svg.PAPER),
        svg.text(x + 58, y - 10, part.name),
        *_end(part, x + 96, y),
    ]


def _diode(x: float, y: float, *, forward: bool = True) -> str:
    """A diode of 20 px that lets current pass to the right, or to the left."""
    tip, back = (x + 20, x) if forward else (x, x + 20)
    return svg.path(f"M{back} {y - 11} V{y + 11} L{tip} {y} Z M{tip} {y - 11} V{y + 11}", fill=svg.PAPER)


def _lamp(part: WiredPart, x: float, y: float) -> list[str]:
    return [
        svg.path(f"M{x} {y} h96"),
        _diode(x + 20, y, forward=part.far == header.GROUND),
        svg.path(f"M{x + 26} {y - 15} l8 -9 m-5 0 h5 v5 M{x + 36} {y - 13} l8 -9 m-5 0 h5 v5", width=1.5),
        svg.text(x + 52, y - 10, part.name),
        *_end(part, x + 96, y),
    ]


def _sounder(x: float, y: float) -> str:
    """The symbol of a buzzer, 40 px wide, with its legs at its sides."""
    legs = f"M{x} {y} h6 v8 h28 v-8 h6"
    return svg.path(f"{legs} M{x + 6} {y} A14 14 0 0 1 {x + 34} {y}")


def _piezo(part: WiredPart, x: float, y: float) -> list[str]:
    return [
        _sounder(x, y),
        svg.path(f"M{x + 40} {y} h56"),
        svg.text(x + 46, y - 10, "passive buzzer"),
        *_end(part, x + 96, y),
    ]


def _module(part: WiredPart, x: float, y: float) -> list[str]:
    return [
        svg.box(x, y - 24, 90, 48, svg.PAPER),
        svg.text(x + 45, y - 4, "buzzer", anchor="middle"),
        svg.text(x + 45, y + 12, "module", anchor="middle"),
        svg.path(f"M{x + 90} {y - 14} h24"),
        svg.text(x + 118, y - 10, "5 V", bold=True, fill=svg.SUPPLY_COLOURS["5V"]),
        svg.path(f"M{x + 90} {y + 12} h24"),
        *_end(part, x + 114, y + 12),
    ]


def _transistor(part: WiredPart, x: float, y: float) -> list[str]:
    """The buzzer between 5 V and the collector, the diode across it, the emitter to ground."""
    top, low, right = y - 130, y - 50, x + 90
    red = svg.SUPPLY_COLOURS["5V"]
    return [
        svg.disc(x + 32, y, 26, svg.PAPER),
        svg.path(f"M{x} {y} h22 M{x + 22} {y - 16} v32", width=2.5),
        svg.path(f"M{x + 22} {y - 7} L{x + 44} {y - 24} V{low} M{x + 22} {y + 7} L{x + 44} {y + 24} v2"),
        svg.path(f"M{x + 44} {y + 24} l-11 -2 l5 -7 Z", fill=INK),
        *_end(part, x + 44, y + 24),
        svg.text(x + 64, y - 6, "BC547 (NPN)"),
        svg.text(x + 50, y - 26, "C", size=11),
        svg.text(x - 6, y - 6, "B", size=11, anchor="middle"),
        svg.text(x + 50, y + 30, "E", size=11),
        svg.path(
            f"M{x + 44} {low} H{right} V{low - 14} M{right} {top + 14} V{top} H{x + 44} M{x + 44} {top} v-14"
        ),
        # the buzzer, standing
        svg.path(f"M{x + 44} {low} v-20 M{x + 44} {top} v20"),
        svg.disc(x + 44, (low + top) / 2, 20, svg.PAPER),
        svg.text(x + 44, (low + top) / 2 + 4, "BZ", anchor="middle", size=12, bold=True),
        svg.text(x + 20, (low + top) / 2 + 4, "buzzer", anchor="end"),
        svg.text(x + 32, low - 12, "-", anchor="end"),
        svg.text(x + 32, top + 18, "+", anchor="end"),
        # the diode, its band up
        svg.path(f"M{right} {low - 14} V{top + 14}"),
        svg.path(
            f"M{right - 11} {low - 28} h22 L{right} {low - 50} Z M{right - 11} {low - 50} h22", fill=svg.PAPER
        ),
        svg.text(right + 18, low - 34, "1N4148"),
        svg.joint(x + 44, low),
        svg.joint(x + 44, top),
        svg.text(x + 44, top - 18, "5 V", anchor="middle", bold=True, fill=red),
    ]


_SYMBOLS = {"button": _switch, "lamp": _lamp, "piezo": _piezo, "module": _module, "buzzer": _transistor}
