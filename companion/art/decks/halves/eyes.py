"""Eyes of the thirteen monsters, in the order of their numbers."""

from __future__ import annotations

from companion.art.decks.halves.parts import CHEEK, Part, fill, ink
from companion.art.draw.palette import INK, LIGHT
from companion.art.draw.vector import (
    Clip,
    Node,
    Point,
    Shape,
    arc,
    box,
    curve,
    ellipse,
    line,
    polygon,
)


def _band(skin: str) -> list[Node]:
    """The middle of the head, bulging a little."""
    side = curve(
        (-CHEEK, -4),
        ((-33, 16), (-33, 40), (-CHEEK, 60)),
        ((CHEEK, 60),),
        ((33, 40), (33, 16), (CHEEK, -4)),
        closed=True,
    )
    return [fill(side, skin)]


def _ball(x: float, y: float, r: float, look: Point = (0.0, 0.0), pupil: float = 0.48) -> list[Node]:
    px, py = x + look[0] * r * 0.4, y + look[1] * r * 0.4
    return [
        fill(ellipse(x, y, r), LIGHT),
        Shape(ellipse(px, py, r * pupil), fill=INK),
        Shape(ellipse(px + r * 0.17, py - r * 0.17, r * 0.14), fill=LIGHT),
    ]


def round_eyes(skin: str, accent: str) -> list[Node]:
    """Two round eyes and freckles."""
    freckles = [Shape(ellipse(x, y, 1.4), fill=accent) for x, y in ((-26, 46), (-21, 49), (26, 46), (21, 49))]
    return [*_band(skin), *_ball(-15, 26, 12), *_ball(15, 26, 12), *freckles]


def cyclops(skin: str, accent: str) -> list[Node]:
    """One great eye."""
    lashes = [line((x, 8), (x * 1.35, 1)) for x in (-12, -4, 4, 12)]
    iris = Shape(ellipse(0, 29, 12), fill=accent, stroke=INK, width=1.0)
    return [
        *_band(skin),
        *(ink(lash, 2.0) for lash in lashes),
        fill(ellipse(0, 29, 21), LIGHT),
        iris,
        Shape(ellipse(0, 29, 6), fill=INK),
        Shape(ellipse(3, 25, 2.4), fill=LIGHT),
    ]


def triple(skin: str, accent: str) -> list[Node]:
    """Three eyes."""
    return [
        *_band(skin),
        *_ball(-18, 34, 10, (0.4, 0)),
        *_ball(18, 34, 10, (-0.4, 0)),
        *_ball(0, 17, 11, (0, 0.4)),
    ]


def drowsy(skin: str, accent: str) -> list[Node]:
    """Two eyes under heavy lids."""
    nodes = _band(skin)
    for x in (-15, 15):
        white = ellipse(x, 28, 13)
        lid = polygon([(x - 20, 0), (x + 20, 0), (x + 20, 27), (x - 20, 27)])
        inside = (Shape(ellipse(x, 33, 6), fill=INK), Shape(lid, fill=accent, stroke=INK, width=1.2))
        nodes += [Shape(white, fill=LIGHT), Clip(white, inside), ink(white)]
    return nodes


def goggles(skin: str, accent: str) -> list[Node]:
    """A flyer's goggles."""
    strap = box(-40, 22, 80, 9)
    nodes = [*_band(skin), fill(strap, accent)]
    for x in (-15, 15):
        nodes += [fill(ellipse(x, 26.5, 15), accent), *_ball(x, 26.5, 10.5, (0, 0.3))]
    return nodes


def many(skin: str, accent: str) -> list[Node]:
    """Five small eyes."""
    spots = ((-22, 18, 7), (0, 12, 7.5), (22, 18, 7), (-11, 35, 8), (12, 36, 8))
    nodes = _band(skin)
    for index, (x, y, r) in enumerate(spots):
        nodes += _ball(x, y, r, ((index % 3 - 1) * 0.6, (index % 2) * 0.5))
    return nodes


def furious(skin: str, accent: str) -> list[Node]:
    """Two eyes under one angry brow."""
    brow = polygon([(-33, 6), (0, 20), (33, 6), (33, 14), (0, 28), (-33, 14)])
    return [
        *_band(skin),
        *_ball(-15, 30, 12, (0.5, 0.2), 0.36),
        *_ball(15, 30, 12, (-0.5, 0.2), 0.36),
        fill(brow, accent),
    ]


def slits(skin: str, accent: str) -> list[Node]:
    """A cat's eyes."""
    nodes = _band(skin)
    for side in (-1, 1):
        almond = curve(
            (side * 3, 32),
            ((side * 10, 14), (side * 24, 14), (side * 30, 22)),
            ((side * 26, 40), (side * 12, 42), (side * 3, 32)),
            closed=True,
        )
        nodes += [fill(almond, accent), Shape(ellipse(side * 17, 28, 2.4, 9), fill=INK)]
    return nodes


def embers(skin: str, accent: str) -> list[Node]:
    """Dark sockets in which something glows."""
    nodes = _band(skin)
    for x in (-15, 15):
        nodes += [
            Shape(ellipse(x, 27, 13, 11), fill=INK),
            Shape(ellipse(x, 28, 7), fill=accent),
            Shape(ellipse(x, 28, 3), fill=LIGHT),
        ]
    return nodes


def stalks(skin: str, accent: str) -> list[Node]:
    """Eyes that stand out at the sides."""
    nodes: list[Node] = []
    for x in (-33, 33):
        nodes += _ball(x, 40, 8.0, (-0.5 if x > 0 else 0.5, 0))
    gills = [arc(side * 14, 34, 8, 60, 120) for side in (-1, 1)]
    return [*_band(skin), *nodes, *_ball(-12, 24, 9), *_ball(12, 24, 9), *(ink(gill, 2.0) for gill in gills)]


def spectacles(skin: str, accent: str) -> list[Node]:
    """Square spectacles."""
    nodes = [*_band(skin), ink(line((-40, 22), (40, 22)), 3.0)]
    for x in (-16, 16):
        nodes += [
            Shape(box(x - 13, 14, 26, 24, 4), fill=LIGHT, stroke=accent, width=4.6),
            ink(box(x - 15, 12, 30, 28, 5), 1.0),
            Shape(ellipse(x, 27, 5), fill=INK),
        ]
    return nodes


def dizzy(skin: str, accent: str) -> list[Node]:
    """Two whirls."""
    nodes = _band(skin)
    for x in (-15, 15):
        nodes.append(fill(ellipse(x, 27, 13.5), LIGHT))
        nodes += [ink(ellipse(x, 27, r), 2.0) for r in (9.4, 5.4)]
        nodes.append(Shape(ellipse(x, 27, 2.0), fill=accent, stroke=INK, width=1.0))
    return nodes


def hollow(skin: str, accent: str) -> list[Node]:
    """A ghost's black holes."""
    nodes = _band(skin)
    for side in (-1, 1):
        nodes += [
            Shape(ellipse(side * 14, 26, 8, 14), fill=INK),
            Shape(ellipse(side * 14 + 2, 19, 2, 3), fill=accent),
        ]
    return nodes


EYES: tuple[Part, ...] = (
    round_eyes,
    cyclops,
    triple,
    drowsy,
    goggles,
    many,
    furious,
    slits,
    embers,
    stalks,
    spectacles,
    dizzy,
    hollow,
)
