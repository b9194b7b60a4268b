"""Vectors: the one model of a drawing that SVG, PDF and pixels are made from.

A drawing is a flat sequence of shapes in millimetres, y down, painted in order. Every curve is a cubic
Bezier, so that a path can be moved, turned and scaled by its control points and means the same to a
printer, a browser and the camera's test pictures. Filling is even-odd everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Point = tuple[float, float]
Command = tuple[Point, ...]
"""One point = line to it, three points = cubic Bezier (two controls, end)."""

CIRCLE = 0.5522847498
"""Control length of a quarter circle of radius 1 as a cubic Bezier."""


@dataclass(frozen=True)
class Affine:
    """x' = a x + c y + e, y' = b x + d y + f (the order of SVG's matrix and of PDF's cm)."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def __call__(self, point: Point) -> Point:
        x, y = point
        return (self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f)

    def then(self, after: Affine) -> Affine:
        """The transform that applies this one first and `after` next."""
        return Affine(
            after.a * self.a + after.c * self.b,
            after.b * self.a + after.d * self.b,
            after.a * self.c + after.c * self.d,
            after.b * self.c + after.d * self.d,
            after.a * self.e + after.c * self.f + after.e,
            after.b * self.e + after.d * self.f + after.f,
        )

    @property
    def scale(self) -> float:
        """What a line's width is multiplied by: the root of the change of area."""
        return math.sqrt(abs(self.a * self.d - self.b * self.c))


def place(x: float, y: float, scale: float = 1.0, degrees: float = 0.0, *, mirror: bool = False) -> Affine:
    """Scales, turns clockwise (y is down), moves to (x, y); `mirror` swaps left and right first."""
    turn = math.radians(degrees)
    cos, sin = scale * math.cos(turn), scale * math.sin(turn)
    side = -1.0 if mirror else 1.0
    return Affine(side * cos, side * sin, -sin, cos, x, y)


@dataclass(frozen=True)
class Contour:
    """A start and the commands from it; `closed` joins the end to the start."""

    start: Point
    commands: tuple[Command, ...]
    closed: bool = True

    def moved(self, by: Affine) -> Contour:
        commands = tuple(tuple(by(point) for point in command) for command in self.commands)
        return Contour(by(self.start), commands, self.closed)


@dataclass(frozen=True)
class Path:
    """Contours that are filled (even-odd) or stroked together."""

    contours: tuple[Contour, ...]

    def moved(self, by: Affine) -> Path:
        return Path(tuple(contour.moved(by) for contour in self.contours))

    def __add__(self, other: Path) -> Path:
        return Path(self.contours + other.contours)


@dataclass(frozen=True)
class Shape:
    """A path with paint. Colours are "#rrggbb"; `width` is the stroke's, in the drawing's units."""

    path: Path
    fill: str | None = None
    stroke: str | None = None
    width: float = 0.0

    def moved(self, by: Affine) -> Shape:
        return Shape(self.path.moved(by), self.fill, self.stroke, self.width * by.scale)


@dataclass(frozen=True)
class Clip:
    """Nodes of which only what lies inside `path` is painted."""

    path: Path
    nodes: tuple[Shape | Clip, ...]

    def moved(self, by: Affine) -> Clip:
        return Clip(self.path.moved(by), tuple(node.moved(by) for node in self.nodes))


Node = Shape | Clip


@dataclass(frozen=True)
class Drawing:
    """A card on its sheet: `width` x `height` mm, its nodes painted in order, cut along `edge`."""

    width: float
    height: float
    nodes: tuple[Node, ...]
    edge: Path | None = None
    """None = the rectangle itself."""


def moved(nodes: Iterable[Node], by: Affine) -> list[Node]:
    """The nodes under a transformation, lines scaled with them."""
    return [node.moved(by) for node in nodes]


def polygon(points: Sequence[Point], *, closed: bool = True) -> Path:
    """Straight lines through the points."""
    return Path((Contour(points[0], tuple((point,) for point in points[1:]), closed),))


def line(*points: Point) -> Path:
    """An open line through the points."""
    return polygon(points, closed=False)


def curve(start: Point, *commands: Command, closed: bool = False) -> Path:
    """One contour of lines (one point) and Beziers (three points)."""
    return Path((Contour(start, commands, closed),))


def ellipse(x: float, y: float, rx: float, ry: float | None = None) -> Path:
    """An ellipse (a circle without `ry`) round (x, y)."""
    ry = rx if ry is None else ry
    kx, ky = CIRCLE * rx, CIRCLE * ry
    return curve(
        (x + rx, y),
        ((x + rx, y + ky), (x + kx, y + ry), (x, y + ry)),
        ((x - kx, y + ry), (x - rx, y + ky), (x - rx, y)),
        ((x - rx, y - ky), (x - kx, y - ry), (x, y - ry)),
        ((x + kx, y - ry), (x + rx, y - ky), (x + rx, y)),
        closed=True,
    )


def box(x: float, y: float, width: float, height: float, radius: float = 0.0) -> Path:
    """A rectangle from its top left corner, its corners rounded by `radius`."""
    corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    return rounded(corners, radius) if radius else polygon(corners)


def rounded(points: Sequence[Point], radius: float | Sequence[float]) -> Path:
    """The closed polygon with its corners rounded off; a corner takes at most half of its shorter side."""
    count = len(points)
    radii = [radius] * count if isinstance(radius, (int, float)) else list(radius)
    contour: list[Command] = []
    start: Point | None = None
    for index, corner in enumerate(points):
        before, after = points[index - 1], points[(index + 1) % count]
        reach = min(radii[index], math.dist(corner, before) / 2, math.dist(corner, after) / 2)
        enter, leave = _towards(corner, before, reach), _towards(corner, after, reach)
        if start is None:
            start = enter
        else:
            contour.append((enter,))
        hold = 1 - CIRCLE
        contour.append((_towards(corner, before, reach * hold), _towards(corner, after, reach * hold), leave))
    assert start is not None
    return Path((Contour(start, tuple(contour)),))


def smooth(points: Sequence[Point], tension: float = 1.0, *, closed: bool = True) -> Path:
    """A Catmull-Rom spline through the points as Beziers; `tension` 0 = straight lines, 1 = the usual."""
    count = len(points)
    commands: list[Command] = []
    for index in range(count if closed else count - 1):
        here, there = points[index], points[(index + 1) % count]
        before = points[index - 1] if closed or index else here
        beyond = points[(index + 2) % count] if closed or index + 2 < count else there
        k = tension / 6
        first = (here[0] + (there[0] - before[0]) * k, here[1] + (there[1] - before[1]) * k)
        second = (there[0] - (beyond[0] - here[0]) * k, there[1] - (beyond[1] - here[1]) * k)
        commands.append((first, second, there))
    return Path((Contour(points[0], tuple(commands), closed),))


def arc(x: float, y: float, radius: float, start: float, end: float, ry: float | None = None) -> Path:
    """An open arc from `start` to `end` degrees, clockwise from the right (y is down)."""
    ry = radius if ry is None else ry
    pieces = max(1, math.ceil(abs(end - start) / 90))
    step = math.radians(end - start) / pieces
    k = 4 / 3 * math.tan(step / 4)
    angle = math.radians(start)
    commands: list[Command] = []
    for _ in range(pieces):
        c0, s0, c1, s1 = math.cos(angle), math.sin(angle), math.cos(angle + step), math.sin(angle + step)
        commands.append(
            (
                (x + radius * (c0 - k * s0), y + ry * (s0 + k * c0)),
                (x + radius * (c1 + k * s1), y + ry * (s1 - k * c1)),
                (x + radius * c1, y + ry * s1),
            )
        )
        angle += step
    first = (x + radius * math.cos(math.radians(start)), y + ry * math.sin(math.radians(start)))
    return Path((Contour(first, tuple(commands), closed=False),))


def closed(path: Path) -> Path:
    """The same path with every contour joined to its start."""
    return Path(tuple(Contour(c.start, c.commands, True) for c in path.contours))


def joined(*paths: Path) -> Path:
    """Open contours end to end as one closed contour (a gap is bridged by a straight line)."""
    contours = [contour for path in paths for contour in path.contours]
    commands: list[Command] = list(contours[0].commands)
    for contour in contours[1:]:
        commands.append((contour.start,))
        commands.extend(contour.commands)
    return Path((Contour(contours[0].start, tuple(commands), True),))


def _towards(start: Point, end: Point, reach: float) -> Point:
    length = math.dist(start, end)
    part = reach / length if length else 0.0
    return (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part)
