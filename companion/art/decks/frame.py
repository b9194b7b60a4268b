"""What all cards share: size, white border with a thin dark line, ground, corner signs."""

from __future__ import annotations

from collections.abc import Sequence

from companion.art.draw.palette import INK, LIGHT, PAPER
from companion.art.draw.vector import Clip, Drawing, Node, Path, Shape, box, moved, place

WIDTH, HEIGHT = SIZE = 63.0, 88.0
"""A card in mm: the size that sleeves are made for."""
CORNER = 3.5
"""Radius of the cut corner."""
BORDER = 3.0
INNER = (BORDER, BORDER, WIDTH - 2 * BORDER, HEIGHT - 2 * BORDER)
"""The printed field inside the white border: x, y, width, height."""


def outline() -> Path:
    """The card's edge, its corners rounded."""
    return box(0, 0, WIDTH, HEIGHT, CORNER)


def card(ground: str, pattern: Sequence[Shape], nodes: Sequence[Node], corner: Sequence[Node]) -> Drawing:
    """A card: patterned ground, `nodes` in the middle, `corner` top left and, turned, bottom right."""
    field = box(*INNER, 2.2)
    turned = place(WIDTH, HEIGHT, degrees=180)
    return Drawing(
        WIDTH,
        HEIGHT,
        (
            Shape(box(0, 0, WIDTH, HEIGHT), fill=PAPER),
            Shape(field, fill=ground),
            Clip(field, tuple(pattern)),
            *nodes,
            *corner,
            *moved(corner, turned),
            Shape(field, stroke=INK, width=0.5),
        ),
        outline(),
    )


def back(ground: str, pattern: Sequence[Shape], nodes: Sequence[Node]) -> Drawing:
    """A card's reverse: the same whichever way up it is held."""
    field = box(*INNER, 2.2)
    turned = place(WIDTH, HEIGHT, degrees=180)
    return Drawing(
        WIDTH,
        HEIGHT,
        (
            Shape(box(0, 0, WIDTH, HEIGHT), fill=PAPER),
            Shape(field, fill=ground),
            Clip(field, tuple(pattern)),
            *nodes,
            *moved(nodes, turned),
            Shape(field, stroke=INK, width=0.5),
        ),
        outline(),
    )


def halo(nodes: Sequence[Node], width: float) -> list[Node]:
    """A light rim of `width` round the nodes, to be painted below them: it lifts a figure off its ground."""
    shapes = [node for node in nodes if isinstance(node, Shape)]
    return [Shape(shape.path, stroke=LIGHT, width=shape.width + 2 * width) for shape in shapes]
