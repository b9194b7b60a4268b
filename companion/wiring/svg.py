"""Shapes of an SVG drawing, as text."""

from __future__ import annotations

from html import escape

INK, PAPER, QUIET, BOARD = "#1c2330", "#ffffff", "#5b6577", "#2e7d4f"
WIRES = ("#E69F00", "#0072B2", "#009E73", "#CC79A7", "#56B4E9", "#8C564B", "#6A5ACD", "#B8860B")
"""Colours of the wires to GPIOs; red, orange-red and black are for 5 V, 3.3 V and ground."""
SUPPLY_COLOURS = {"GND": INK, "5V": "#C62828", "3V3": "#EF6C00"}
Point = tuple[float, float]


def text(
    x: float,
    y: float,
    words: str,
    *,
    size: int = 13,
    anchor: str = "start",
    fill: str = INK,
    bold: bool = False,
) -> str:
    """A line of text on a white edge, so that wires behind it do not hide it."""
    where = f'x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="{fill}"'
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text {where}{weight} paint-order="stroke" stroke="{PAPER}" stroke-width="3">{escape(words)}</text>'
    )


def label(
    x: float, y: float, words: str, *, size: int = 11, fill: str = PAPER, anchor: str = "middle"
) -> str:
    """A line of text without an edge, for coloured ground."""
    where = f'x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="{fill}"'
    return f"<text {where}>{escape(words)}</text>"


def wire(points: list[Point], colour: str, width: float = 3.0) -> str:
    """A wire with a white edge: where two cross, they are not joined."""
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    return (
        f'<polyline points="{path}" fill="none" stroke="{PAPER}" stroke-width="{width + 4:g}"/>'
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}" '
        'stroke-linejoin="round" stroke-linecap="round"/>'
    )


def path(d: str, *, fill: str = "none", stroke: str = INK, width: float = 2.0) -> str:
    """Any outline."""
    return f'<path d="{d}" fill="{fill}" stroke="{stroke}" stroke-width="{width:g}" stroke-linejoin="round"/>'


def box(
    x: float, y: float, width: float, height: float, fill: str, *, radius: float = 4.0, edge: float = 1.5
) -> str:
    """A rectangle."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" fill="{fill}" '
        f'stroke="{INK}" stroke-width="{edge:g}"/>'
    )


def disc(x: float, y: float, radius: float, fill: str, *, edge: float = 1.5) -> str:
    """A disc."""
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{INK}" stroke-width="{edge:g}"/>'
    )


def joint(x: float, y: float, colour: str = INK) -> str:
    """The dot where wires are joined."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="4.5" fill="{colour}"/>'


def sheet(width: float, height: float, title: str, shapes: list[str]) -> str:
    """A whole picture."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="system-ui, sans-serif" role="img" aria-label="{escape(title)}">\n'
        f'<rect width="{width:g}" height="{height:g}" fill="{PAPER}"/>\n' + "\n".join(shapes) + "\n</svg>\n"
    )
