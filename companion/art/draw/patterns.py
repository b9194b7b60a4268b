"""The seven patterns: dots, stripes, plain, checks, rings, waves, crosses.

A pattern is a list of shapes that covers the box it is asked for; the caller clips it to a silhouette or to
a card's ground. It distinguishes two monsters where colour cannot: for colour-blind eyes, on a
black-and-white printer, under a bad lamp."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from companion.art.draw.vector import Path, Point, Shape, curve, ellipse, line, place, polygon

Box = tuple[float, float, float, float]
"""x, y, width, height."""


def dots(area: Box, step: float, colour: str) -> list[Shape]:
    """Dots in a triangular lattice."""
    return [Shape(ellipse(x, y, step * 0.27), fill=colour) for x, y in _lattice(area, step, step * 0.86)]


def stripes(area: Box, step: float, colour: str) -> list[Shape]:
    """Bands that rise to the right."""
    x, y, width, height = area
    shapes = []
    for index in range(-1, int((width + height) / step) + 2):
        left = x + index * step
        band = polygon(
            [
                (left, y),
                (left + step * 0.5, y),
                (left + step * 0.5 - height, y + height),
                (left - height, y + height),
            ]
        )
        shapes.append(Shape(band, fill=colour))
    return shapes


def plain(area: Box, step: float, colour: str) -> list[Shape]:
    """No pattern, which is a distinction as well."""
    return []


def checks(area: Box, step: float, colour: str) -> list[Shape]:
    """A chequered board."""
    x, y, width, height = area
    side = step * 0.5
    return [
        Shape(_square(x + column * side, y + row * side, side), fill=colour)
        for row in range(math.ceil(height / side))
        for column in range(math.ceil(width / side))
        if (row + column) % 2 == 0
    ]


def rings(area: Box, step: float, colour: str) -> list[Shape]:
    """Targets in a lattice: a ring round a dot."""
    shapes = []
    for x, y in _lattice(area, step * 1.5, step * 1.3):
        shapes.append(Shape(ellipse(x, y, step * 0.5), stroke=colour, width=step * 0.2))
        shapes.append(Shape(ellipse(x, y, step * 0.16), fill=colour))
    return shapes


def ripples(area: Box, step: float, colour: str) -> list[Shape]:
    """Rings round the middle of the area."""
    x, y, width, height = area
    count = int(math.hypot(width, height) / 2 / step) + 1
    middle = (x + width / 2, y + height / 2)
    return [
        Shape(ellipse(*middle, step * (index + 0.5)), stroke=colour, width=step * 0.36)
        for index in range(count)
    ]


def waves(area: Box, step: float, colour: str) -> list[Shape]:
    """Rows of waves."""
    x, y, width, height = area
    half, rise = step * 0.62, step * 0.28
    shapes = []
    for row in range(int(height / (step * 0.92)) + 2):
        level = y + row * step * 0.92
        left = x - step
        points: list[tuple[Point, ...]] = []
        side = 1 if row % 2 else -1
        while left < x + width + step:
            points.append(
                (
                    (left + half * 0.37, level + side * rise * 1.3),
                    (left + half * 0.63, level + side * rise * 1.3),
                    (left + half, level),
                )
            )
            left, side = left + half, -side
        shapes.append(Shape(curve((x - step, level), *points), stroke=colour, width=step * 0.27))
    return shapes


def crosses(area: Box, step: float, colour: str) -> list[Shape]:
    """Upright crosses in a triangular lattice."""
    arm = step * 0.27
    return [
        Shape(path, stroke=colour, width=step * 0.2)
        for x, y in _lattice(area, step * 1.1, step * 0.95)
        for path in (line((x - arm, y), (x + arm, y)), line((x, y - arm), (x, y + arm)))
    ]


def pinstripes(area: Box, step: float, colour: str) -> list[Shape]:
    """Thin upright lines."""
    x, y, width, height = area
    return [
        Shape(
            line((x + (index + 0.5) * step, y), (x + (index + 0.5) * step, y + height)),
            stroke=colour,
            width=step * 0.2,
        )
        for index in range(math.ceil(width / step))
    ]


def diamonds(area: Box, step: float, colour: str) -> list[Shape]:
    """Rhombs in a lattice."""
    rhomb = polygon([(0, -0.42 * step), (0.28 * step, 0), (0, 0.42 * step), (-0.28 * step, 0)])
    return [Shape(rhomb.moved(place(x, y)), fill=colour) for x, y in _lattice(area, step * 0.95, step * 0.62)]


def _square(x: float, y: float, side: float) -> Path:
    return polygon([(x, y), (x + side, y), (x + side, y + side), (x, y + side)])


def _lattice(area: Box, across: float, down: float) -> Iterator[Point]:
    x, y, width, height = area
    for row in range(int(height / down) + 2):
        shift = across / 2 if row % 2 else 0.0
        for column in range(-1, int(width / across) + 2):
            yield x + column * across + shift, y + row * down


Pattern = Callable[[Box, float, str], list[Shape]]
PATTERNS: dict[str, Pattern] = {
    "red": dots,
    "orange": stripes,
    "yellow": plain,
    "green": checks,
    "blue": rings,
    "purple": waves,
    "pink": crosses,
}
