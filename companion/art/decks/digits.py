"""Numbers as drawn lines: our own rounded figures, so that no font is needed anywhere.

A digit lives in a box 1 high (y 0 to 1, down) and WIDTHS wide; it is a centre line that is stroked twice,
wide in ink and narrower in the light colour, which gives an outlined figure that reads across a table.
"""

from __future__ import annotations

from companion.art.draw.vector import Node, Path, Shape, curve, ellipse, line, place

WIDTHS = {"1": 0.34, "4": 0.66, "7": 0.58, "0": 0.62}
WIDTH = 0.6
"""Width of a digit that WIDTHS does not name, in heights."""

_LINES: dict[str, Path] = {
    "0": ellipse(0.31, 0.5, 0.31, 0.5),
    "1": line((0.0, 0.24), (0.3, 0.0), (0.3, 1.0)),
    "2": curve(
        (0.03, 0.27),
        ((0.03, 0.11), (0.15, 0.0), (0.3, 0.0)),
        ((0.46, 0.0), (0.57, 0.11), (0.57, 0.27)),
        ((0.57, 0.52), (0.14, 0.72), (0.02, 1.0)),
        ((0.6, 1.0),),
    ),
    "3": curve(
        (0.04, 0.0),
        ((0.56, 0.0),),
        ((0.27, 0.38),),
        ((0.46, 0.37), (0.6, 0.51), (0.6, 0.68)),
        ((0.6, 0.87), (0.46, 1.0), (0.29, 1.0)),
        ((0.15, 1.0), (0.05, 0.94), (0.0, 0.82)),
    ),
    "4": curve((0.5, 1.0), ((0.5, 0.0),), ((0.0, 0.7),), ((0.66, 0.7),)),
    "5": curve(
        (0.55, 0.0),
        ((0.11, 0.0),),
        ((0.06, 0.45),),
        ((0.12, 0.39), (0.21, 0.36), (0.3, 0.36)),
        ((0.48, 0.36), (0.6, 0.49), (0.6, 0.67)),
        ((0.6, 0.87), (0.47, 1.0), (0.29, 1.0)),
        ((0.16, 1.0), (0.05, 0.94), (0.0, 0.84)),
    ),
    "6": curve((0.44, 0.0), ((0.24, 0.12), (0.0, 0.38), (0.0, 0.69))) + ellipse(0.3, 0.69, 0.3, 0.31),
    "7": line((0.0, 0.0), (0.58, 0.0), (0.2, 1.0)),
    "8": ellipse(0.3, 0.24, 0.25, 0.24) + ellipse(0.3, 0.74, 0.3, 0.26),
    "9": ellipse(0.3, 0.31, 0.3, 0.31) + curve((0.6, 0.31), ((0.6, 0.62), (0.36, 0.88), (0.16, 1.0))),
}
_GAP = 0.34


def number(
    value: int, x: float, y: float, height: float, *, ink: str, light: str, weight: float = 0.21
) -> list[Node]:
    """The number with its top left corner at (x, y), outlined; 6 (and 9) carry a bar below it.

    `height` is that of the centre lines, `weight` the light stroke's width in heights; strokes add to it.
    """
    lines: list[Path] = []
    left = 0.0
    for digit in str(value):
        lines.append(_LINES[digit].moved(place(x + left * height, y, height)))
        left += WIDTHS.get(digit, WIDTH) + _GAP
    if value in (6, 9):
        below = y + height * 1.27
        lines.append(line((x, below), (x + WIDTH * height, below)))
    wide, narrow = height * (weight + 0.15), height * weight
    return [
        *(Shape(path, stroke=ink, width=wide) for path in lines),
        *(Shape(path, stroke=light, width=narrow) for path in lines),
    ]


def number_width(value: int, height: float) -> float:
    """Width of the number's centre lines."""
    widths = [WIDTHS.get(digit, WIDTH) for digit in str(value)]
    return (sum(widths) + _GAP * (len(widths) - 1)) * height
