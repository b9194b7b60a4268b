"""The seven monsters: a silhouette, a pattern and a colour each.

Red star with dots, orange cloud with stripes, yellow half moon (plain), green tall box with checks, blue
ball with rings, purple drop with waves, pink triangle with crosses. Every monster is drawn round (0, 0),
about 2 units high; the same silhouette is the small sign in a card's corner.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from companion.art.decks.faces import LINE, MOODS, Anchors, Mood, face
from companion.art.draw.palette import INK, MONSTERS
from companion.art.draw.patterns import PATTERNS, ripples
from companion.art.draw.vector import (
    Clip,
    Contour,
    Node,
    Path,
    Point,
    Shape,
    arc,
    box,
    curve,
    ellipse,
    joined,
    rounded,
    smooth,
)

NAMES = tuple(MONSTERS)
"""red, orange, yellow, green, blue, purple, pink: also the order on sheets and in the joker's ring."""


@dataclass(frozen=True)
class Body:
    """A silhouette with what hangs on it: face anchors, shoulders (left; mirrored unless `right`), feet."""

    path: Path
    face: Anchors
    shoulder: Point
    right: Point
    feet: tuple[Point, Point]
    step: float = 0.34


def _star() -> Path:
    points = []
    for index in range(10):
        radius = 1.1 if index % 2 == 0 else 0.62
        angle = math.radians(-90 + 36 * index)
        points.append((radius * math.cos(angle), radius * math.sin(angle) + 0.08))
    return rounded(points, [0.16, 0.22] * 5)


def _cloud() -> Path:
    knobs = [
        (-0.72, 0.4, 0.42),
        (-0.74, -0.14, 0.4),
        (-0.3, -0.5, 0.44),
        (0.3, -0.54, 0.46),
        (0.76, -0.16, 0.4),
        (0.72, 0.4, 0.42),
        (0.26, 0.56, 0.36),
        (-0.26, 0.56, 0.36),
    ]
    return _scallops(knobs)


def _scallops(knobs: list[tuple[float, float, float]]) -> Path:
    """The outer edge of a ring of overlapping circles, given clockwise round the origin."""
    arcs = []
    for index, (x, y, r) in enumerate(knobs):
        before, after = knobs[index - 1], knobs[(index + 1) % len(knobs)]
        start, end = _outer_meeting(before, (x, y, r)), _outer_meeting((x, y, r), after)
        first = math.degrees(math.atan2(start[1] - y, start[0] - x))
        last = math.degrees(math.atan2(end[1] - y, end[0] - x))
        arcs.append(arc(x, y, r, first, last if last > first else last + 360))
    return joined(*arcs)


def _outer_meeting(one: tuple[float, float, float], two: tuple[float, float, float]) -> Point:
    """Of the two points where the circles cut each other, the one farther from the origin."""
    (x0, y0, r0), (x1, y1, r1) = one, two
    d = math.dist((x0, y0), (x1, y1))
    a = (r0 * r0 - r1 * r1 + d * d) / (2 * d)
    h = math.sqrt(r0 * r0 - a * a)
    ux, uy = (x1 - x0) / d, (y1 - y0) / d
    candidates = [(x0 + a * ux + s * h * uy, y0 + a * uy - s * h * ux) for s in (-1, 1)]
    return max(candidates, key=lambda p: math.hypot(*p))


def _moon() -> Path:
    outer = arc(0.0, 0.0, 1.05, 52, 292)
    tip, end = _ends(outer)
    inner = curve(end, ((0.02, -0.62), (-0.02, 0.3), tip))
    return joined(outer, inner)


def _ends(path: Path) -> tuple[Point, Point]:
    contour: Contour = path.contours[0]
    return contour.start, contour.commands[-1][-1]


def _drop() -> Path:
    return curve(
        (0.1, -1.15),
        ((0.16, -0.72), (0.88, -0.3), (0.88, 0.26)),
        ((0.88, 0.72), (0.5, 1.02), (0.0, 1.02)),
        ((-0.5, 1.02), (-0.88, 0.72), (-0.88, 0.26)),
        ((-0.88, -0.3), (-0.1, -0.6), (0.1, -1.15)),
        closed=True,
    )


BODIES: dict[str, Body] = {
    "red": Body(
        _star(),
        Anchors(0, -0.1, 0.27, 0.25, 0.42, 0.34),
        (-0.62, 0.1),
        (0.62, 0.1),
        ((-0.52, 0.93), (0.52, 0.93)),
    ),
    "orange": Body(
        _cloud(),
        Anchors(0, -0.22, 0.34, 0.29, 0.36, 0.44),
        (-1.0, 0.15),
        (1.0, 0.15),
        ((-0.4, 0.95), (0.4, 0.95)),
    ),
    "yellow": Body(
        _moon(),
        Anchors(-0.42, -0.24, 0.27, 0.25, 0.36, 0.34, mouth_x=-0.4, tilt=-6),
        (-0.97, 0.2),
        (0.02, 0.36),
        ((-0.38, 1.0), (0.2, 1.04)),
    ),
    "green": Body(
        box(-0.64, -1.08, 1.28, 2.1, 0.16),
        Anchors(0, -0.42, 0.3, 0.27, 0.22, 0.42),
        (-0.6, 0.2),
        (0.6, 0.2),
        ((-0.34, 1.06), (0.34, 1.06)),
        0.42,
    ),
    "blue": Body(
        ellipse(0, 0, 1.0),
        Anchors(0, -0.2, 0.36, 0.31, 0.4, 0.48),
        (-0.94, 0.2),
        (0.94, 0.2),
        ((-0.42, 0.98), (0.42, 0.98)),
    ),
    "purple": Body(
        _drop(),
        Anchors(0, 0.02, 0.32, 0.28, 0.56, 0.42),
        (-0.84, 0.35),
        (0.84, 0.35),
        ((-0.38, 1.02), (0.38, 1.02)),
    ),
    "pink": Body(
        rounded([(0, -1.2), (1.12, 0.94), (-1.12, 0.94)], 0.26),
        Anchors(0, 0.08, 0.29, 0.27, 0.58, 0.42),
        (-0.66, 0.3),
        (0.66, 0.3),
        ((-0.5, 0.98), (0.5, 0.98)),
    ),
}


ARMS: dict[int, tuple[float, float]] = {
    1: (68, 68),
    2: (40, -50),
    3: (-28, -28),
    4: (15, 15),
    5: (-60, 45),
    6: (52, 20),
    7: (-62, -62),
}
"""Number -> how the left and the right arm point, in degrees below the horizontal."""


def silhouette(name: str) -> Path:
    """The monster's outline, about 2 units high round (0, 0)."""
    return BODIES[name].path


def sign(name: str) -> list[Node]:
    """The small monster of a card's corner: silhouette in colour with ink outline and two eyes."""
    body, tone = BODIES[name], MONSTERS[name]
    at = body.face
    eyes: list[Node] = []
    for side in (-1, 1):
        eyes.append(Shape(ellipse(at.x + side * at.apart * 1.05, at.y + 0.06, 0.16), fill=INK))
    return [
        Shape(body.path, fill=tone.body),
        Shape(body.path, stroke=INK, width=0.15),
        *eyes,
    ]


def monster(name: str, number: int) -> list[Node]:
    """The big monster: limbs, patterned body, face and arms in the mood of the number (1 to 7)."""
    body = BODIES[name]
    return [*_limbs(name, ARMS[number]), *trunk(name), *face(body.face, MOODS[number], MONSTERS[name].body)]


def bust(name: str, mood: Mood) -> list[Node]:
    """The monster without limbs."""
    return [*trunk(name), *face(BODIES[name].face, mood, MONSTERS[name].body)]


def trunk(name: str) -> list[Node]:
    """The patterned body without a face."""
    body, tone = BODIES[name], MONSTERS[name]
    if name == "blue":
        pattern = ripples((-1.0, -1.0, 2.0, 2.0), 0.3, tone.deep)
    else:
        pattern = PATTERNS[name]((-1.3, -1.3, 2.6, 2.6), body.step, tone.deep)
    return [
        Shape(body.path, fill=tone.body),
        Clip(body.path, tuple(pattern)),
        Shape(body.path, stroke=INK, width=LINE * 1.2),
        *_tuft(name),
    ]


def _tuft(name: str) -> list[Node]:
    """What grows on the head of those whose silhouette leaves room for it."""
    if name == "blue":
        hairs = [
            smooth([(x, -0.98), (x * 1.2, -1.14), (x * 2.6, -1.28)], closed=False) for x in (-0.14, 0.0, 0.14)
        ]
        return [Shape(hair, stroke=INK, width=LINE * 1.1) for hair in hairs]
    return []


def _limbs(name: str, angles: tuple[float, float]) -> list[Node]:
    body, tone = BODIES[name], MONSTERS[name]
    nodes: list[Node] = []
    for foot in body.feet:
        nodes.append(
            Shape(ellipse(foot[0], foot[1] + 0.06, 0.24, 0.15), fill=tone.deep, stroke=INK, width=LINE)
        )
    for side, shoulder, angle in ((-1, body.shoulder, angles[0]), (1, body.right, angles[1])):
        turn = math.radians(angle)
        hand = (shoulder[0] + side * 0.5 * math.cos(turn), shoulder[1] + 0.5 * math.sin(turn))
        bend = ((shoulder[0] + hand[0]) / 2 + side * 0.05, (shoulder[1] + hand[1]) / 2 + 0.09)
        arm = smooth([shoulder, bend, hand], closed=False)
        nodes.append(Shape(arm, stroke=INK, width=0.26))
        nodes.append(Shape(ellipse(*hand, 0.16), fill=tone.body, stroke=INK, width=LINE))
        nodes.append(Shape(arm, stroke=tone.body, width=0.13))
    return nodes
