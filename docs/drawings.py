"""Draws the pictures of docs/hardware.md: `python docs/drawings.py`.

The wiring is drawn from docs/companion.toml, so that picture and configuration cannot disagree.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path

from companion.core.config import Config, load
from companion.games import game_names

HERE = Path(__file__).resolve().parent
IMAGES = HERE / "images"

INK, PAPER, QUIET, BOARD, WOOD = "#1c2330", "#ffffff", "#8a94a6", "#2e7d4f", "#d9b98a"
ORANGE, SKY, GREEN, YELLOW, BLUE, VERMILION, PURPLE = (
    "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7",
)  # fmt: skip
SEAT_COLOURS = (ORANGE, SKY, GREEN, BLUE, PURPLE)

_ODD = "3V3 2 3 4 GND 17 27 22 3V3 10 9 11 GND 0 5 6 13 19 26 GND"
_EVEN = "5V 5V GND 14 15 18 GND 23 24 GND 25 8 7 1 GND 12 GND 16 20 21"
HEADER = [name for pair in zip(_ODD.split(" "), _EVEN.split(" "), strict=True) for name in pair]
"""What each of the forty pins is, pin 1 first; numbers are GPIO lines."""


@dataclass(frozen=True)
class Part:
    """Something on a wire: its GPIO, its name, its kind and its colour."""

    gpio: int
    name: str
    kind: str
    colour: str


def parts(config: Config) -> list[Part]:
    """What a configuration has wired, in the order in which it is drawn."""
    found = [
        Part(pin, f"seat {i}", "button", SEAT_COLOURS[(i - 1) % len(SEAT_COLOURS)])
        for i, pin in enumerate(config.buttons.seats, 1)
    ]
    if config.buttons.referee is not None:
        found.append(Part(config.buttons.referee, "referee", "button", INK))
    if config.buzzer.pin is not None:
        found.append(Part(config.buzzer.pin, "buzzer", "buzzer", VERMILION))
    if config.lamps.rgb is not None:
        colours = (("red", VERMILION), ("green", GREEN), ("blue", BLUE))
        found += [
            Part(pin, f"lamp {name}", "lamp", colour)
            for pin, (name, colour) in zip(config.lamps.rgb, colours, strict=True)
        ]
    if config.lamps.listening is not None:
        found.append(Part(config.lamps.listening, "listening lamp", "lamp", YELLOW))
    return sorted(found, key=lambda part: HEADER.index(str(part.gpio)))


# --- drawing ----------------------------------------------------------------------------------------------


def text(x: float, y: float, words: str, *, size: int = 13, anchor: str = "start", fill: str = INK) -> str:
    """A line of text."""
    where = f'x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="{fill}"'
    return f"<text {where}>{escape(words)}</text>"


def line(points: list[tuple[float, float]], colour: str, width: float = 3.0) -> str:
    """A wire."""
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    return (
        f'<polyline points="{path}" fill="none" stroke="{PAPER}" stroke-width="{width + 3:g}"/>'
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}" '
        'stroke-linejoin="round" stroke-linecap="round"/>'
    )


def box(x: float, y: float, width: float, height: float, fill: str, *, radius: float = 6.0) -> str:
    """A rectangle with round corners."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" fill="{fill}" '
        f'stroke="{INK}" stroke-width="1.5"/>'
    )


def dot(x: float, y: float, radius: float, fill: str) -> str:
    """A round thing."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{INK}" stroke-width="1.5"/>'


def sheet(width: int, height: int, title: str, shapes: list[str]) -> str:
    """A whole picture."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="system-ui, sans-serif" role="img" aria-label="{escape(title)}">\n'
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>\n' + "\n".join(shapes) + "\n</svg>\n"
    )


# --- the wiring -------------------------------------------------------------------------------------------

TOP, PITCH, LEFT = 70.0, 24.0, 330.0
FIRST_PART, LAST_PART = 60.0, 590.0


def wiring(config: Config) -> str:
    """The header of a Pi with every wire to its part; the common ground at the right."""
    wired = {part.gpio: part for part in parts(config)}
    shapes = [
        box(LEFT - 40, TOP - 34, 104, 20 * PITCH + 48, BOARD, radius=10),
        text(LEFT + 12, TOP - 46, "Raspberry Pi, header seen from above", anchor="middle"),
    ]
    shapes += [_pin(number, name, wired) for number, name in enumerate(HEADER, 1)]
    left = [part for part in wired.values() if _side(part.gpio) == 0]
    right = [part for part in wired.values() if _side(part.gpio) == 1]
    for side, column in ((0, left), (1, right)):
        ordered = sorted(column, key=lambda part: HEADER.index(str(part.gpio)))
        for place, part in enumerate(ordered):
            shapes.append(_wire(part, side, place, len(ordered)))
    shapes += _ground(len(left), len(right))
    shapes.append(
        text(
            20,
            640,
            "Buttons: between the GPIO and ground; no resistor, the Pi's own pull-up is used.",
            fill=QUIET,
        )
    )
    shapes.append(
        text(
            20,
            660,
            "Lamps: 330 ohm in series with each colour. Buzzer: active, over a transistor.",
            fill=QUIET,
        )
    )
    return sheet(780, 680, "Wiring of buttons, buzzer and lamps to the Raspberry Pi", shapes)


def _side(gpio: int) -> int:
    return HEADER.index(str(gpio)) % 2


def _at(number: int) -> tuple[float, float]:
    """The middle of a pin of the header, counted from 1."""
    return LEFT + 24.0 * ((number - 1) % 2), TOP + PITCH * ((number - 1) // 2)


def _pin(number: int, name: str, wired: dict[int, Part]) -> str:
    x, y = _at(number)
    part = wired.get(int(name)) if name.isdecimal() else None
    fill = part.colour if part is not None else INK if name == "GND" else "#c9ced8"
    label = f"GPIO {name}" if part is not None else "ground" if name == "GND" and number in (6, 39) else ""
    beside = LEFT - 44 if number % 2 else LEFT + 68
    anchor = "end" if number % 2 else "start"
    words = text(beside, y - 5, label, size=11, anchor=anchor, fill=INK) if label else ""
    return dot(x, y, 7, fill) + words


def _wire(part: Part, side: int, place: int, count: int) -> str:
    """From the pin to the part at its side of the sheet."""
    x, y = _at(HEADER.index(str(part.gpio)) + 1)
    gap = (LAST_PART - FIRST_PART) / max(1, count)
    py = FIRST_PART + gap * (place + 0.5)
    px = 130.0 if side == 0 else 580.0
    turn = (236.0 - 9 * place) if side == 0 else (452.0 + 9 * place)
    shape = line([(x, y), (turn, y), (turn, py), (px, py)], part.colour)
    return shape + _symbol(part, px, py, side)


def _symbol(part: Part, x: float, y: float, side: int) -> str:
    out = -1 if side == 0 else 1
    label_x = x + out * 26
    anchor = "end" if side == 0 else "start"
    if part.kind == "button":
        drawn = box(x - 16, y - 14, 32, 28, "#e8ebf1") + dot(x, y, 9, part.colour)
    elif part.kind == "buzzer":
        drawn = dot(x, y, 17, INK) + dot(x, y, 4, PAPER)
    else:
        drawn = dot(x, y, 11, part.colour)
    return drawn + text(label_x, y + 4, part.name, anchor=anchor)


def _ground(left: int, right: int) -> list[str]:
    """The wire that all parts share."""
    shapes = []
    x, y = _at(39)
    shapes.append(line([(x, y), (x, 612), (290, 612)], INK, 2))
    shapes.append(text(284, 616, "ground: the other leg of every part", anchor="end", size=11))
    return [shape for shape in shapes if left + right]


# --- the table --------------------------------------------------------------------------------------------


def table() -> str:
    """The table from the side, with the arm, and the picture that the camera has of it, in centimetres."""
    shapes = [
        text(20, 34, "From the side", size=16),
        box(60, 420, 380, 16, WOOD, radius=3),
        box(90, 436, 14, 120, WOOD, radius=2),
        box(396, 436, 14, 120, WOOD, radius=2),
        # clamp, post and arm
        box(404, 404, 30, 46, "#c9ced8"),
        line([(419, 404), (419, 178)], INK, 8),
        line([(419, 180), (250, 180)], INK, 8),
        box(232, 172, 36, 22, BOARD, radius=4),
        text(224, 180, "camera,", anchor="end", size=12),
        text(224, 196, "straight down", anchor="end", size=12),
        f'<path d="M250 194 L112 420 L388 420 Z" fill="{SKY}" fill-opacity="0.22"/>',
        line([(460, 190), (460, 418)], QUIET, 1.5),
        text(470, 308, "about 70 cm", fill=QUIET),
        text(280, 412, "90 x 50 cm of the table", anchor="middle", size=12),
        box(70, 398, 42, 22, BOARD, radius=4),
        text(20, 390, "Pi, microphone, buzzer", size=12),
        box(150, 414, 34, 6, "#e8ebf1", radius=2),
        text(167, 452, "seat button", anchor="middle", size=12),
        f'<circle cx="90" cy="110" r="20" fill="{YELLOW}" stroke="{INK}" stroke-width="1.5"/>',
        text(120, 114, "lamp from the side, not beside the camera", size=12),
        text(560, 34, "What the camera sees", size=16),
        box(560, 60, 380, 214, WOOD, radius=4),
        *_zone(690, 112, 120, 110, "trick or pile"),
        *_zone(575, 72, 100, 56, "display 1"),
        *_zone(825, 72, 100, 56, "display 2"),
        *_zone(575, 206, 100, 56, "display 4"),
        *_zone(825, 206, 100, 56, "display 3"),
        text(560, 300, "Zones are drawn on the phone: page Set-up.", size=12, fill=QUIET),
        text(560, 330, "A card should be 110 pixels wide: 1920 pixels over 90 cm give 134.", size=12),
        text(560, 350, "A mat without gloss, one colour, darker or lighter than the cards' rims.", size=12),
        text(560, 370, "The arm must not swing: clamp it to the table, not to a chair.", size=12),
    ]
    return sheet(1000, 580, "The table with the camera on its arm", shapes)


def _zone(x: float, y: float, width: float, height: float, name: str) -> list[str]:
    return [
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6" fill="{PAPER}" '
        f'fill-opacity="0.55" stroke="{BLUE}" stroke-width="2" stroke-dasharray="6 4"/>',
        text(x + width / 2, y + height / 2 + 4, name, anchor="middle", size=12),
    ]


def drawings() -> dict[str, str]:
    """File name -> picture."""
    return {"wiring.svg": wiring(load(HERE / "companion.toml", game_names())), "table.svg": table()}


def main() -> None:
    """Writes them."""
    IMAGES.mkdir(exist_ok=True)
    for name, picture in drawings().items():
        (IMAGES / name).write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
