"""Tops of the thirteen monsters, in the order of their numbers."""

from __future__ import annotations

from companion.art.decks.halves.parts import CHEEK, Part, fill, ink, mirrored
from companion.art.draw.palette import INK, LIGHT, mix
from companion.art.draw.vector import (
    Clip,
    Node,
    Point,
    Shape,
    arc,
    box,
    curve,
    ellipse,
    joined,
    line,
    polygon,
    smooth,
)


def _skull(skin: str, height: float = 22.0) -> list[Node]:
    dome = curve(
        (-CHEEK, 60.0),
        ((-CHEEK, 40.0), (-20.0, height), (0.0, height)),
        ((20.0, height), (CHEEK, 40.0), (CHEEK, 60.0)),
        closed=True,
    )
    return [fill(dome, skin)]


def horns(skin: str, accent: str) -> list[Node]:
    """Two curved horns."""
    nodes = [
        fill(smooth(side, 0.9), accent)
        for side in mirrored([(10, 32), (20, 20), (24, 4), (34, 18), (30, 36), (20, 42)])
    ]
    return [*nodes, *_skull(skin)]


def ridge(skin: str, accent: str) -> list[Node]:
    """A row of stones over the crown."""
    stones = [
        polygon([(x - 6, 44), (x - 4, y), (x + 4, y - 2), (x + 7, 44)])
        for x, y in ((-22, 24), (-8, 14), (8, 12), (22, 25))
    ]
    return [*(fill(stone, accent) for stone in stones), *_skull(skin)]


def sprout(skin: str, accent: str) -> list[Node]:
    """A stalk with two leaves."""
    nodes: list[Node] = [ink(smooth([(0, 26), (1, 16), (-1, 8)], closed=False), 3.0)]
    for side in mirrored([(0, 14), (10, 2), (24, 4), (16, 16)]):
        nodes.append(fill(smooth(side, 0.9), accent))
    return [*nodes, *_skull(skin)]


def feathers(skin: str, accent: str) -> list[Node]:
    """Five feathers in a fan."""
    tips = ((-24, 12), (-13, 5), (0, 3), (13, 5), (24, 12))
    nodes = [
        fill(smooth([(x * 0.25 - 3, 30), (x - 4, y + 4), (x, y), (x + 4, y + 4), (x * 0.25 + 3, 30)]), accent)
        for x, y in tips
    ]
    return [*nodes, *_skull(skin)]


def propeller(skin: str, accent: str) -> list[Node]:
    """A cap with a propeller."""
    cap = joined(arc(0, 42, 29, 190, 350, 24))
    blades = [ellipse(side * 12, 10, 11, 4) for side in (-1, 1)]
    panel = polygon([(-9, 18), (9, 18), (12, 38), (-12, 38)])
    return [
        *_skull(skin),
        fill(cap, accent),
        Clip(cap, (Shape(panel, fill=LIGHT, stroke=INK, width=1.0),)),
        ink(cap),
        ink(line((0, 18), (0, 10)), 2.0),
        *(fill(blade, LIGHT) for blade in blades),
    ]


def curls(skin: str, accent: str) -> list[Node]:
    """Hair like a cloud."""
    balls = ((-24, 32, 10), (-14, 20, 11), (2, 14, 12), (17, 20, 11), (25, 33, 10))
    return [*_skull(skin), *(fill(ellipse(*ball), accent) for ball in balls)]


def fire(skin: str, accent: str) -> list[Node]:
    """Flames for hair."""
    points: list[Point] = [
        (-28, 46),
        (-27, 24),
        (-19, 32),
        (-14, 8),
        (-5, 24),
        (2, 2),
        (9, 22),
        (18, 9),
        (20, 31),
        (28, 22),
        (28, 46),
    ]
    small = [(x * 0.6, 46 - (46 - y) * 0.55) for x, y in points]
    return [
        *_skull(skin),
        fill(smooth(points, 0.5), accent),
        Shape(smooth(small, 0.5), fill=mix(accent, LIGHT, 0.6)),
    ]


def imp(skin: str, accent: str) -> list[Node]:
    """Pointed ears and two small horns."""
    ears = [polygon(side) for side in mirrored([(26, 52), (43, 22), (18, 36)])]
    spikes = [polygon(side) for side in mirrored([(6, 28), (12, 8), (18, 30)])]
    return [*(fill(ear, skin) for ear in ears), *(fill(spike, accent) for spike in spikes), *_skull(skin)]


def candle(skin: str, accent: str) -> list[Node]:
    """A burning candle, wax running down."""
    wax = curve(
        (-9, 8),
        ((9, 8),),
        ((9, 24),),
        ((18, 30), (20, 40), (15, 40)),
        ((10, 40), (10, 32), (4, 32)),
        ((0, 32), (0, 44), (-5, 44)),
        ((-10, 44), (-10, 30), (-15, 34)),
        ((-20, 38), (-18, 24), (-9, 24)),
        closed=True,
    )
    flame = curve((0, -1), ((5, 4), (4, 9), (0, 9)), ((-4, 9), (-5, 4), (0, -1)), closed=True)
    return [*_skull(skin), fill(wax, LIGHT), fill(flame, accent, 1.0)]


def fin(skin: str, accent: str) -> list[Node]:
    """A shark's fin with rays."""
    sail = smooth([(-14, 32), (-10, 12), (6, 3), (20, 6), (13, 18), (20, 34)], 0.7)
    rays = [line((x, 30), (x * 0.6 + 4, 12)) for x in (-6, 3, 12)]
    return [fill(sail, accent), *(ink(ray, 1.0) for ray in rays), *_skull(skin)]


def lure(skin: str, accent: str) -> list[Node]:
    """A lantern on a rod, as fish of the deep carry it."""
    rod = smooth([(0, 28), (-3, 12), (12, 4), (24, 12)], closed=False)
    return [
        ink(rod, 2.6),
        *_skull(skin),
        fill(ellipse(25, 17, 8), accent),
        Shape(ellipse(22.5, 14.5, 2.2), fill=LIGHT),
    ]


def coral(skin: str, accent: str) -> list[Node]:
    """Branches of coral."""
    nodes: list[Node] = []
    for width, colour in ((6.5, INK), (3.8, accent)):
        for side in (
            mirrored([(8, 32), (13, 18), (10, 5)])
            + mirrored([(13, 18), (24, 8)])
            + mirrored([(11, 24), (2, 12)])
        ):
            nodes.append(Shape(smooth(side, closed=False), stroke=colour, width=width))
    return [*nodes, *_skull(skin)]


def nightcap(skin: str, accent: str) -> list[Node]:
    """A nightcap that hangs to one side."""
    cap = curve(
        (-29, 42),
        ((-24, 12), (-2, -2), (14, 8)),
        ((26, 14), (34, 26), (36, 38)),
        ((26, 30), (20, 28), (28, 42)),
        closed=True,
    )
    return [
        *_skull(skin),
        fill(cap, accent),
        fill(ellipse(36, 41, 5.5), LIGHT),
        fill(box(-32, 38, 64, 8, 4), LIGHT),
    ]


TOPS: tuple[Part, ...] = (
    horns,
    ridge,
    sprout,
    feathers,
    propeller,
    curls,
    fire,
    imp,
    candle,
    fin,
    lure,
    coral,
    nightcap,
)
