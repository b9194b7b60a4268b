"""Trio Monsters: triangles in seven colours with their patterns, and black ones with a white rim.

Colour and pattern run to the edge, because the edges are what the
game compares.
"""

from __future__ import annotations

import math

from companion.art.decks.faces import MOODS, Anchors, Mood, face
from companion.art.decks.frame import halo
from companion.art.decks.monsters import NAMES, silhouette
from companion.art.draw.palette import INK, LIGHT, MONSTERS, NIGHT
from companion.art.draw.patterns import PATTERNS, diamonds
from companion.art.draw.vector import (
    Clip,
    Drawing,
    Node,
    Path,
    Shape,
    ellipse,
    moved,
    place,
    rounded,
)

SIDE = 64.0
"""Length of a side in mm."""
TALL = SIDE * math.sqrt(3) / 2
CARD_MM = (SIDE, TALL)
BLACK = "black"
MIDDLE = (SIDE / 2, TALL * 2 / 3)
_AREA = (0.0, 0.0, SIDE, TALL)


def draw(label: str) -> Drawing:
    """The triangle of a label, pointing up."""
    return _black() if label == BLACK else _coloured(label)


def back() -> Drawing:
    """Eyes in the dark, the same in all three directions."""
    eyes = _thrice([_pair(MIDDLE[0], MIDDLE[1] + 9.0, 2.6)])
    return _card(NIGHT, diamonds(_AREA, 8.0, "#37325c"), eyes)


def _coloured(name: str) -> Drawing:
    tone = MONSTERS[name]
    mood = MOODS[NAMES.index(name) + 1]
    pattern = PATTERNS[name](_AREA, 6.5, tone.deep)
    plate = Shape(ellipse(*MIDDLE, 13.5), fill=tone.body)
    look = moved(face(Anchors(0, -0.14, 0.36, 0.33, 0.42, 0.5), mood, tone.body), place(*MIDDLE, 13.0))
    small = moved([Shape(silhouette(name), fill=LIGHT, stroke=INK, width=0.22)], place(SIDE / 2, 14.0, 3.6))
    return _card(tone.body, pattern, [*_thrice([small]), plate, *look])


def _black() -> Drawing:
    heart = Shape(_inset(2.8), fill=INK)
    mood = Mood((0.0, 0.0), "grin", brows=18.0, lids=(0.35, 0.35), pupil=0.42)
    features = face(Anchors(0, -0.14, 0.36, 0.33, 0.42, 0.5), mood, "#4a4560")
    look = moved(features, place(*MIDDLE, 14.0))
    return _card(LIGHT, [], [heart, *halo(look, 0.6), *look])


def _card(ground: str, pattern: list[Shape], nodes: list[Node]) -> Drawing:
    edge = _inset(0.0)
    return Drawing(
        SIDE,
        TALL,
        (
            Shape(edge, fill=ground),
            Clip(edge, tuple(pattern)),
            Shape(_inset(0.5), stroke=INK, width=0.6),
            *nodes,
        ),
        edge,
    )


def _inset(by: float) -> Path:
    """The triangle's edge moved inwards by `by` mm, its corners rounded."""
    out = (TALL * 2 / 3 - 2 * by) / (TALL * 2 / 3)
    corners = [(SIDE / 2, 0.0), (SIDE, TALL), (0.0, TALL)]
    points = [(MIDDLE[0] + (x - MIDDLE[0]) * out, MIDDLE[1] + (y - MIDDLE[1]) * out) for x, y in corners]
    return rounded(points, 4.5 * out**3)


def _thrice(groups: list[list[Node]]) -> list[Node]:
    """The nodes as drawn and turned to the two other corners."""
    nodes: list[Node] = []
    for degrees in (0, 120, 240):
        turn = place(-MIDDLE[0], -MIDDLE[1]).then(place(*MIDDLE, degrees=degrees))
        for group in groups:
            nodes += moved(group, turn)
    return nodes


def _pair(x: float, y: float, radius: float) -> list[Node]:
    nodes: list[Node] = []
    for side in (-1, 1):
        nodes.append(Shape(ellipse(x + side * radius * 1.15, y, radius), fill=LIGHT, stroke=INK, width=0.5))
        nodes.append(Shape(ellipse(x + side * radius * 1.15 + 0.4, y + 0.4, radius * 0.45), fill=INK))
    return nodes
