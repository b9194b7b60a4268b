"""Draws the pictures of docs/hardware.md: `python docs/drawings.py`.

The wiring is what `companion wiring` draws of docs/companion.toml: picture and configuration cannot disagree.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

from companion.core.config import load
from companion.games import game_names
from companion.wiring.drawings import drawings as wiring_drawings

HERE = Path(__file__).resolve().parent
IMAGES = HERE / "images"

INK, PAPER, QUIET, BOARD, WOOD = "#1c2330", "#ffffff", "#8a94a6", "#2e7d4f", "#d9b98a"
SKY, YELLOW, BLUE = "#56B4E9", "#F0E442", "#0072B2"

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
    return {**wiring_drawings(load(HERE / "companion.toml", game_names())), "table.svg": table()}


def main() -> None:
    """Writes them."""
    IMAGES.mkdir(exist_ok=True)
    for name, picture in drawings().items():
        (IMAGES / name).write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
