"""What the parts of the thirteen monsters share: the width at which they meet, ink and fill."""

from __future__ import annotations

from collections.abc import Callable

from companion.art.draw.palette import INK
from companion.art.draw.vector import Node, Path, Point, Shape

CHEEK = 29.0
"""Half the width of the head where two parts meet, mm."""
EDGE = 1.5
Part = Callable[[str, str], list[Node]]
"""(skin, accent) -> nodes."""


def ink(path: Path, width: float = EDGE) -> Node:
    """A line."""
    return Shape(path, stroke=INK, width=width)


def fill(path: Path, colour: str, width: float = EDGE) -> Node:
    """A filled outline."""
    return Shape(path, fill=colour, stroke=INK, width=width)


def mirrored(points: list[Point]) -> list[list[Point]]:
    """The points and their mirror image."""
    return [points, [(-x, y) for x, y in points]]
