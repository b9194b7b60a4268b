"""The racketeers of The Nasty 7: one figure, three postures, drawn round (0, 0), about 2 units high.

Postures tell the cards apart: arms folded, a telephone at the ear, a pointing gun; one hat or two.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.art.decks.faces import LINE
from companion.art.draw.palette import INK, LIGHT, mix
from companion.art.draw.vector import (
    Clip,
    Node,
    Path,
    Point,
    Shape,
    arc,
    box,
    curve,
    ellipse,
    line,
    moved,
    place,
    polygon,
    rounded,
    smooth,
)


@dataclass(frozen=True)
class RacketeerLook:
    """One racketeer's colours and build."""

    hat: str
    band: str
    coat: str
    skin: str
    tie: str
    moustache: bool = False


BOSS = RacketeerLook("#4a4e69", "#e02f38", "#3d405b", "#f2c9a1", "#e02f38")
COUSIN = RacketeerLook("#7a5230", "#fbd22c", "#8a5a34", "#c98f62", "#35a457", moustache=True)
CALLER = RacketeerLook("#1f6f78", "#fffaf0", "#2a7f86", "#e6b48a", "#f68a1f")
GUNMAN = RacketeerLook("#5b3f8c", "#fbd22c", "#6a4a9e", "#f4d3b3", "#e02f38", moustache=True)

Posture = Callable[[RacketeerLook], list[Node]]


def racketeer(looks: RacketeerLook, posture: Posture) -> list[Node]:
    """A whole figure: coat, head, hat and the arms of the posture."""
    return [*_coat(looks), *_head(looks), *_hat(looks), *posture(looks)]


def folded(looks: RacketeerLook) -> list[Node]:
    """Arms folded over the chest."""
    left = smooth([(-0.7, 0.62), (-0.72, 0.94), (-0.1, 0.9), (0.3, 0.86)], closed=False)
    right = smooth([(0.7, 0.62), (0.72, 1.0), (0.1, 1.0), (-0.3, 0.98)], closed=False)
    return [
        *_sleeve(right, looks),
        *_hand((-0.36, 0.96), looks),
        *_sleeve(left, looks),
        *_hand((0.36, 0.84), looks),
    ]


def telephone(looks: RacketeerLook) -> list[Node]:
    """One arm up, a telephone at the ear, the other in the pocket."""
    raised = smooth([(0.68, 0.62), (1.0, 0.66), (0.84, 0.28), (0.66, 0.06)], closed=False)
    pocket = smooth([(-0.7, 0.62), (-0.82, 0.86), (-0.6, 1.02)], closed=False)
    phone = moved(handset(), place(0.62, -0.12, 0.44, 12))
    return [*_sleeve(pocket, looks), *_sleeve(raised, looks), *phone, *_hand((0.68, 0.02), looks)]


def pointing(looks: RacketeerLook) -> list[Node]:
    """One arm stretched out with a gun."""
    pocket = smooth([(0.7, 0.62), (0.82, 0.86), (0.6, 1.02)], closed=False)
    arm = smooth([(-0.62, 0.66), (-0.86, 0.74), (-1.06, 0.62)], closed=False)
    gun = moved(pistol(), place(-1.46, 0.42, 0.52))
    return [*_sleeve(pocket, looks), *_sleeve(arm, looks), *gun, *_hand((-1.1, 0.58), looks)]


def hat_sign() -> list[Node]:
    """A hat alone, for the corner."""
    return moved(_hat(BOSS), place(0, 0.78, 1.1))


def handset() -> list[Node]:
    """A mobile telephone, 2 high."""
    body = box(-0.42, -0.8, 0.84, 1.7, 0.2)
    keys = [Shape(ellipse(x, y, 0.075), fill=LIGHT) for y in (0.16, 0.4, 0.64) for x in (-0.2, 0.0, 0.2)]
    return [
        Shape(line((0.28, -0.8), (0.28, -1.2)), stroke=INK, width=0.2),
        Shape(body, fill="#3b3b4a", stroke=INK, width=0.14),
        Shape(box(-0.26, -0.6, 0.52, 0.52, 0.06), fill="#9fe0c8", stroke=INK, width=0.06),
        *keys,
    ]


def pistol() -> list[Node]:
    """A gun that points to the left, 2 wide."""
    steel = "#8d93a6"
    grip = rounded([(0.34, 0.0), (0.86, -0.04), (1.02, 0.78), (0.56, 0.84)], 0.12)
    barrel = rounded(
        [(-1.1, -0.4), (0.86, -0.4), (0.94, -0.26), (0.9, 0.06), (-0.2, 0.06), (-1.1, -0.08)], 0.07
    )
    guard = arc(0.22, 0.08, 0.22, 0, 180, 0.26)
    return [
        Shape(guard, stroke=INK, width=0.12),
        Shape(grip, fill="#7a5230", stroke=INK, width=0.13),
        Shape(barrel, fill=steel, stroke=INK, width=0.13),
        Shape(box(0.02, -0.46, 0.5, 0.44, 0.12), fill=mix(steel, INK, 0.25), stroke=INK, width=0.1),
        Shape(line((-1.0, -0.5), (-0.92, -0.5)), stroke=INK, width=0.14),
    ]


def _coat(looks: RacketeerLook) -> list[Node]:
    body = curve(
        (-0.92, 1.14),
        ((-0.98, 0.8), (-0.9, 0.44), (-0.5, 0.36)),
        ((-0.2, 0.22),),
        ((0.2, 0.22),),
        ((0.5, 0.36),),
        ((0.9, 0.44), (0.98, 0.8), (0.92, 1.14)),
        ((0.4, 1.26), (-0.4, 1.26), (-0.92, 1.14)),
        closed=True,
    )
    shirt = polygon([(-0.26, 0.26), (0.26, 0.26), (0.0, 0.98)])
    knot = polygon([(-0.09, 0.42), (0.09, 0.42), (0.13, 0.84), (0.0, 0.98), (-0.13, 0.84)])
    dark = mix(looks.coat, INK, 0.4)
    nodes: list[Node] = [
        Shape(body, fill=looks.coat, stroke=INK, width=LINE * 1.2),
        Shape(shirt, fill=LIGHT, stroke=INK, width=LINE * 0.6),
        Shape(knot, fill=looks.tie, stroke=INK, width=LINE * 0.6),
    ]
    for side in (-1, 1):
        lapel = [(0.2, 0.2), (0.54, 0.34), (0.5, 0.66), (0.34, 0.66), (0.0, 1.0)]
        shape = polygon([(side * x, y) for x, y in lapel])
        nodes.append(Shape(shape, fill=dark, stroke=INK, width=LINE * 0.7))
    return nodes


def _head(looks: RacketeerLook) -> list[Node]:
    jaw = curve(
        (-0.46, -0.4),
        ((-0.48, 0.0), (-0.46, 0.2), (-0.34, 0.32)),
        ((-0.2, 0.46), (0.2, 0.46), (0.34, 0.32)),
        ((0.46, 0.2), (0.48, 0.0), (0.46, -0.4)),
        closed=True,
    )
    shadow = box(-0.5, -0.5, 1.0, 0.26)
    stubble = ellipse(0.0, 0.34, 0.5, 0.26)
    nodes: list[Node] = []
    for side in (-1, 1):
        nodes.append(
            Shape(ellipse(side * 0.48, -0.08, 0.09, 0.13), fill=looks.skin, stroke=INK, width=LINE * 0.8)
        )
    nodes += [
        Shape(jaw, fill=looks.skin),
        Clip(
            jaw,
            (
                Shape(stubble, fill=mix(looks.skin, "#6b6f80", 0.45)),
                Shape(shadow, fill=mix(looks.skin, INK, 0.45)),
            ),
        ),
        Shape(jaw, stroke=INK, width=LINE),
    ]
    for side in (-1, 1):
        white = ellipse(side * 0.19, -0.16, 0.14, 0.12)
        lid = polygon([(-0.5, -0.6), (0.5, -0.6), (0.5, -0.2), (0.0, -0.14), (-0.5, -0.2)])
        inside = (
            Shape(ellipse(side * 0.19 - 0.04, -0.13, 0.062), fill=INK),
            Shape(lid, fill=mix(looks.skin, INK, 0.55)),
        )
        nodes += [Shape(white, fill=LIGHT), Clip(white, inside), Shape(white, stroke=INK, width=LINE * 0.7)]
    nodes.append(
        Shape(
            ellipse(0.02, 0.03, 0.12, 0.09),
            fill=mix(looks.skin, "#e02f38", 0.25),
            stroke=INK,
            width=LINE * 0.7,
        )
    )
    return [*nodes, *_mouth(looks)]


def _mouth(looks: RacketeerLook) -> list[Node]:
    if looks.moustache:
        tache = curve(
            (0.0, 0.13),
            ((0.12, 0.08), (0.24, 0.1), (0.34, 0.24)),
            ((0.2, 0.22), (0.1, 0.24), (0.0, 0.2)),
            ((-0.1, 0.24), (-0.2, 0.22), (-0.34, 0.24)),
            ((-0.24, 0.1), (-0.12, 0.08), (0.0, 0.13)),
            closed=True,
        )
        return [Shape(tache, fill=INK, stroke=INK, width=LINE * 0.4)]
    smirk = curve((-0.2, 0.22), ((-0.06, 0.27), (0.1, 0.26), (0.22, 0.16)))
    return [Shape(smirk, stroke=INK, width=LINE)]


def _hat(looks: RacketeerLook) -> list[Node]:
    crown = curve(
        (-0.5, -0.4),
        ((-0.5, -0.7), (-0.46, -0.98), (-0.3, -1.02)),
        ((-0.16, -1.04), (-0.08, -0.94), (0.0, -0.93)),
        ((0.08, -0.94), (0.16, -1.04), (0.3, -1.02)),
        ((0.46, -0.98), (0.5, -0.7), (0.5, -0.4)),
        closed=True,
    )
    brim = curve(
        (-0.9, -0.4),
        ((-0.6, -0.52), (-0.3, -0.5), (0.0, -0.5)),
        ((0.3, -0.5), (0.6, -0.52), (0.9, -0.4)),
        ((0.6, -0.2), (0.3, -0.22), (0.0, -0.22)),
        ((-0.3, -0.22), (-0.6, -0.2), (-0.9, -0.4)),
        closed=True,
    )
    return [
        Shape(crown, fill=looks.hat),
        Clip(crown, (Shape(box(-0.7, -0.66, 1.4, 0.2), fill=looks.band, stroke=INK, width=LINE * 0.6),)),
        Shape(crown, stroke=INK, width=LINE * 1.1),
        Shape(brim, fill=looks.hat, stroke=INK, width=LINE * 1.1),
    ]


def _sleeve(path: Path, looks: RacketeerLook) -> list[Node]:
    return [Shape(path, stroke=INK, width=0.36), Shape(path, stroke=looks.coat, width=0.26)]


def _hand(at: Point, looks: RacketeerLook) -> list[Node]:
    return [Shape(ellipse(*at, 0.15), fill=looks.skin, stroke=INK, width=LINE)]
