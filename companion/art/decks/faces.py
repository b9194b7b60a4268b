"""Two eyes and a mood: the faces of the monsters, by the number on the card.

1 sleepy, 2 pleased, 3 astonished, 4 grinning, 5 cheeky, 6 grumpy, 7 roaring with laughter. A face is
drawn in the monster's own unit (its body is about 2 high) round the anchors that its silhouette gives it.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.art.draw.palette import INK, LIGHT
from companion.art.draw.vector import (
    Clip,
    Node,
    Path,
    Point,
    Shape,
    arc,
    box,
    closed,
    curve,
    ellipse,
    line,
    moved,
    place,
    polygon,
)

TONGUE = "#f2647a"
MAW = "#5a1230"
LINE = 0.075
"""Outline width in the monster's unit."""


@dataclass(frozen=True)
class Anchors:
    """Where a face sits: the eyes' middle, half their distance, their radius; mouth and half its width."""

    x: float
    y: float
    apart: float
    eye: float
    mouth_y: float
    mouth: float
    mouth_x: float | None = None
    tilt: float = 0.0


@dataclass(frozen=True)
class Mood:
    """Eyes and mouth of one mood: where the pupils look, how far lids hang, how brows slope, which mouth."""

    look: Point
    mouth: str
    lids: tuple[float, float] = (0.0, 0.0)
    brows: float | None = None
    pupil: float = 0.5
    lift: float = 0.0


MOODS: dict[int, Mood] = {
    1: Mood((0.0, 0.35), "dash", lids=(0.95, 0.95), pupil=0.45),
    2: Mood((0.2, 0.15), "smile"),
    3: Mood((0.0, 0.0), "o", brows=-12.0, pupil=0.36, lift=0.5),
    4: Mood((-0.25, 0.1), "grin", lids=(0.3, 0.3)),
    5: Mood((0.3, -0.2), "tongue", lids=(0.0, 0.85)),
    6: Mood((0.0, 0.2), "scowl", brows=22.0, lids=(0.55, 0.55)),
    7: Mood((0.0, -0.3), "roar", brows=-16.0, pupil=0.58, lift=0.35),
}


def face(at: Anchors, mood: Mood, skin: str) -> list[Node]:
    """The nodes of a face; `skin` is the colour of its eyelids."""
    mouth_x = at.x if at.mouth_x is None else at.mouth_x
    nodes: list[Node] = []
    for side, lid in ((-1, mood.lids[0]), (1, mood.lids[1])):
        nodes += _eye((at.x + side * at.apart, at.y), at.eye, mood, lid, skin, side)
    mouth = moved(_MOUTHS[mood.mouth](at.mouth), place(mouth_x, at.mouth_y))
    nodes += mouth
    if at.tilt:
        turn = place(-at.x, -at.y).then(place(at.x, at.y, degrees=at.tilt))
        nodes = moved(nodes, turn)
    return nodes


def _eye(at: Point, radius: float, mood: Mood, lid: float, skin: str, side: int) -> list[Node]:
    x, y = at
    white = ellipse(x, y, radius, radius * 1.08)
    px, py = x + mood.look[0] * radius * 0.6, y + mood.look[1] * radius * 0.6
    pupil = radius * mood.pupil
    parts = [Shape(ellipse(px, py, pupil), fill=INK)]
    parts.append(Shape(ellipse(px + pupil * 0.35, py - pupil * 0.35, pupil * 0.3), fill=LIGHT))
    if lid:
        edge = y - radius * 1.2 + lid * radius * 1.15
        slope = 0.0 if mood.brows is None else mood.brows / 60 * side * radius
        cover = polygon(
            [
                (x - 2 * radius, y - 3 * radius),
                (x + 2 * radius, y - 3 * radius),
                (x + 2 * radius, edge - slope * 2),
                (x - 2 * radius, edge + slope * 2),
            ]
        )
        parts.append(Shape(cover, fill=skin, stroke=INK, width=LINE * 0.8))
    nodes: list[Node] = [
        Shape(white, fill=LIGHT),
        Clip(white, tuple(parts)),
        Shape(white, stroke=INK, width=LINE),
    ]
    if mood.brows is not None:
        height = y - radius * (1.35 + mood.lift * 0.3)
        brow = line((-radius * 0.8, 0), (radius * 0.8, 0)).moved(place(x, height, degrees=-side * mood.brows))
        nodes.append(Shape(brow, stroke=INK, width=LINE * 1.7))
    return nodes


def _open(path: Path, teeth: list[Path], tongue: Path | None) -> list[Node]:
    inside = [Shape(tongue, fill=TONGUE)] if tongue else []
    inside += [Shape(tooth, fill=LIGHT, stroke=INK, width=LINE * 0.5) for tooth in teeth]
    return [Shape(path, fill=MAW), Clip(path, tuple(inside)), Shape(path, stroke=INK, width=LINE)]


def _dash(w: float) -> list[Node]:
    return [
        Shape(
            curve((-w * 0.45, 0), ((-w * 0.2, 0.06), (w * 0.2, 0.06), (w * 0.45, -0.02))),
            stroke=INK,
            width=LINE,
        )
    ]


def _smile(w: float) -> list[Node]:
    lips = arc(0, -w * 0.35, w * 0.85, 20, 160, w * 0.75)
    return [Shape(lips, stroke=INK, width=LINE * 1.2), *_dimples(w)]


def _dimples(w: float) -> list[Node]:
    return [
        Shape(line((side * w * 0.9, -w * 0.14), (side * w * 0.72, -w * 0.06)), stroke=INK, width=LINE)
        for side in (-1, 1)
    ]


def _o(w: float) -> list[Node]:
    return _open(ellipse(0, 0.04, w * 0.36, w * 0.46), [], ellipse(0, w * 0.42, w * 0.3, w * 0.22))


def _grin(w: float) -> list[Node]:
    path = box(-w, -w * 0.28, 2 * w, w * 0.62, w * 0.28)
    teeth = [box(-w + index * w * 0.4, -w * 0.4, w * 0.4, w * 0.9) for index in range(5)]
    return [Shape(path, fill=LIGHT), *_open(path, teeth, None)]


def _tongue(w: float) -> list[Node]:
    tongue = box(-w * 0.05, -w * 0.1, w * 0.52, w * 0.85, w * 0.26)
    lips = arc(0, -w * 0.45, w * 0.85, 25, 155, w * 0.72)
    return [
        Shape(tongue, fill=TONGUE, stroke=INK, width=LINE),
        Shape(line((w * 0.21, w * 0.2), (w * 0.21, w * 0.48)), stroke=INK, width=LINE * 0.6),
        Shape(lips, stroke=INK, width=LINE * 1.2),
    ]


def _scowl(w: float) -> list[Node]:
    lips = arc(0, w * 0.5, w * 0.85, 200, 340, w * 0.62)
    nodes: list[Node] = []
    for side in (-1, 1):
        x = side * w * 0.42
        fang = polygon([(x - w * 0.16, -w * 0.04), (x + w * 0.16, -w * 0.04), (x, -w * 0.42)])
        nodes.append(Shape(fang, fill=LIGHT, stroke=INK, width=LINE * 0.7))
    return [*nodes, Shape(lips, stroke=INK, width=LINE * 1.2)]


def _roar(w: float) -> list[Node]:
    path = closed(arc(0, -w * 0.3, w * 0.95, 0, 180, w * 1.0))
    upper = [
        polygon([(x - w * 0.19, -w * 0.32), (x + w * 0.19, -w * 0.32), (x, w * 0.08)])
        for x in (-w * 0.57, -w * 0.19, w * 0.19, w * 0.57)
    ]
    return _open(path, upper, ellipse(0, w * 0.75, w * 0.5, w * 0.4))


_MOUTHS = {
    "dash": _dash,
    "smile": _smile,
    "o": _o,
    "grin": _grin,
    "tongue": _tongue,
    "scowl": _scowl,
    "roar": _roar,
}
