"""Bottoms of the thirteen monsters, in the order of their numbers."""

from __future__ import annotations

from companion.art.decks.faces import MAW, TONGUE
from companion.art.decks.halves.parts import CHEEK, Part, fill, ink, mirrored
from companion.art.draw.palette import INK, LIGHT, mix
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
    polygon,
    rounded,
    smooth,
)


def _jaw(skin: str) -> list[Node]:
    """Chin and two feet."""
    chin = curve(
        (-CHEEK, -4), ((-32, 26), (-24, 44), (0, 44)), ((24, 44), (32, 26), (CHEEK, -4)), closed=True
    )
    feet = [ellipse(x, 47, 11, 6) for x in (-15, 15)]
    return [*(fill(foot, mix(skin, INK, 0.25)) for foot in feet), fill(chin, skin)]


def _mouth(path: Path, teeth: list[Path], tongue: Path | None = None) -> list[Node]:
    inside = [Shape(tongue, fill=TONGUE)] if tongue else []
    inside += [Shape(tooth, fill=LIGHT, stroke=INK, width=0.9) for tooth in teeth]
    return [Shape(path, fill=MAW), Clip(path, tuple(inside)), ink(path)]


def tusks(skin: str, accent: str) -> list[Node]:
    """Two tusks."""
    lips = arc(0, 2, 20, 30, 150, 20)
    fangs = [polygon(side) for side in mirrored([(9, 20), (17, 16), (15, 4)])]
    return [*_jaw(skin), ink(lips, 2.0), *(fill(fang, LIGHT, 1.2) for fang in fangs)]


def grin(skin: str, accent: str) -> list[Node]:
    """A wide grin of square teeth."""
    teeth = [box(-24 + index * 8, 4, 8, 9) for index in range(6)] + [
        box(-20 + index * 8, 13, 8, 12) for index in range(5)
    ]
    return [*_jaw(skin), *_mouth(box(-22, 6, 44, 16, 7), teeth)]


def pout(skin: str, accent: str) -> list[Node]:
    """Lips like a flower bud."""
    bud = smooth([(-10, 16), (-4, 10), (0, 13), (4, 10), (10, 16), (0, 24)], 0.8)
    blush = [Shape(ellipse(x, 14, 5, 3.4), fill=mix(skin, accent, 0.6)) for x in (-21, 21)]
    return [
        *_jaw(skin),
        *blush,
        fill(bud, accent),
        ink(smooth([(-10, 16), (0, 17), (10, 16)], closed=False), 1.0),
    ]


def beak(skin: str, accent: str) -> list[Node]:
    """A beak."""
    upper = polygon([(-16, 6), (16, 6), (0, 26)])
    return [
        *_jaw(skin),
        fill(upper, accent),
        ink(line((-10, 13), (10, 13)), 1.2),
        Shape(ellipse(-4, 9.5, 1.1), fill=INK),
        Shape(ellipse(4, 9.5, 1.1), fill=INK),
    ]


def whistle(skin: str, accent: str) -> list[Node]:
    """A round mouth that blows."""
    puffs = [ink(arc(22, y, 7, 200, 330, 4), 1.8) for y in (8, 16)]
    return [*_jaw(skin), *_mouth(ellipse(-2, 16, 8, 9), [], ellipse(-2, 24, 6, 5)), *puffs]


def moustache(skin: str, accent: str) -> list[Node]:
    """A twirled moustache."""
    half = [(0.0, 9.0), (10.0, 5.0), (22.0, 14.0), (29.0, 5.0), (25.0, 20.0), (11.0, 18.0), (0.0, 14.0)]
    sides = [smooth(side, 0.9) for side in mirrored(half)]
    return [
        *_jaw(skin),
        *_mouth(closed(arc(0, 17, 9, 0, 180, 12)), [], ellipse(0, 29, 6, 4)),
        *(fill(side, accent) for side in sides),
    ]


def roar(skin: str, accent: str) -> list[Node]:
    """A roaring mouth."""
    teeth = [polygon([(x - 5, 2), (x + 5, 2), (x, 15)]) for x in (-16, -5.5, 5.5, 16)]
    teeth += [polygon([(x - 4, 36), (x + 4, 36), (x, 25)]) for x in (-9, 9)]
    return [*_jaw(skin), *_mouth(closed(arc(0, 5, 22, 0, 180, 28)), teeth, ellipse(0, 31, 9, 7))]


def tongue(skin: str, accent: str) -> list[Node]:
    """A long tongue, forked at its end."""
    strip = polygon([(-10, 14), (10, 14), (10, 32), (15, 44), (0, 36), (-15, 44), (-10, 32)])
    return [
        *_jaw(skin),
        fill(strip, TONGUE),
        ink(line((0, 18), (0, 32)), 0.9),
        ink(arc(0, 4, 20, 20, 160, 12), 2.2),
    ]


def zipper(skin: str, accent: str) -> list[Node]:
    """A mouth that is zipped up."""
    teeth = [ink(line((x, 12), (x, 20)), 1.6) for x in range(-18, 19, 6)]
    return [*_jaw(skin), ink(line((-22, 16), (22, 16)), 2.6), *teeth, fill(box(20, 11, 6, 10, 2), accent)]


def fish_lips(skin: str, accent: str) -> list[Node]:
    """Thick lips."""
    return [
        *_jaw(skin),
        fill(ellipse(0, 11, 15, 6.5), accent),
        fill(ellipse(0, 20, 13, 6.5), accent),
        ink(line((-15, 15.5), (15, 15.5)), 2.0),
    ]


def tentacles(skin: str, accent: str) -> list[Node]:
    """Arms instead of a chin."""
    nodes: list[Node] = [fill(box(-CHEEK, -6, 2 * CHEEK, 20, 8), skin)]
    for width, colour in ((11.5, INK), (8.5, skin)):
        for x, sway in ((-24, -7), (-8, 4), (8, -4), (24, 7)):
            arm = smooth([(x, 8), (x + sway, 26), (x - sway * 0.6, 40), (x + sway, 49)], closed=False)
            nodes.append(Shape(arm, stroke=colour, width=width))
    suckers = [Shape(ellipse(x, y, 1.5), fill=accent) for x in (-24, -8, 8, 24) for y in (16, 24)]
    return [*nodes, *suckers, ink(arc(0, -4, 14, 30, 150, 12), 2.2)]


def underbite(skin: str, accent: str) -> list[Node]:
    """Teeth of the lower jaw that stick up."""
    teeth = [
        polygon([(x - 4, 20), (x + 4, 20), (x, y)]) for x, y in ((-18, 5), (-9, 10), (0, 7), (9, 10), (18, 5))
    ]
    lip = smooth([(-24, 17), (0, 21), (24, 17)], closed=False)
    return [
        *_jaw(skin),
        *(fill(tooth, LIGHT, 1.0) for tooth in teeth),
        ink(lip, 2.4),
        fill(ellipse(0, 33, 5, 3), accent, 1.0),
    ]


def hem(skin: str, accent: str) -> list[Node]:
    """A ghost's hem."""
    points: list[tuple[Point, ...]] = [((CHEEK, -4.0),), ((34, 20), (36, 34), (34, 50))]
    for index in range(4):
        x = 34 - index * 17
        points.append(((x - 3, 38), (x - 6, 38), (x - 8.5, 42)))
        points.append(((x - 11, 48), (x - 14, 54), (x - 17, 50)))
    sheet = curve((-CHEEK, -4.0), *points, ((-36, 34), (-34, 20), (-CHEEK, -4)), closed=True)
    wail = rounded([(-12, 8), (12, 8), (10, 30), (-10, 30)], 8)
    return [fill(sheet, skin), Shape(wail, fill=INK), Shape(ellipse(0, 24, 3.4, 2.4), fill=accent)]


BOTTOMS: tuple[Part, ...] = (
    tusks,
    grin,
    pout,
    beak,
    whistle,
    moustache,
    roar,
    tongue,
    zipper,
    fish_lips,
    tentacles,
    underbite,
    hem,
)
