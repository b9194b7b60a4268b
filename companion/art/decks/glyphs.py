"""The 25 creatures of Bugs & Co: each has its own body; outlines distinguish them, not colours.

A glyph is drawn round (0, 0), about 2 units high: outlines in ink, filled with the creature's colour, then
one, two or three eyes. `GLYPHS` names for each how many eyes it has and where they sit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from companion.art.draw.palette import INK, LIGHT
from companion.art.draw.vector import (
    Node,
    Path,
    Point,
    Shape,
    arc,
    box,
    closed,
    curve,
    ellipse,
    joined,
    line,
    polygon,
    rounded,
    smooth,
)

EDGE = 0.1
"""Width of the ink outline."""
Build = Callable[[str], list[Node]]


@dataclass(frozen=True)
class Glyph:
    """One creature: how its body is drawn in a colour, its eyes (x, y, radius)."""

    body: Build
    eyes: tuple[tuple[float, float, float], ...]


def glyph(name: str, colour: str) -> list[Node]:
    """The creature in the colour, eyes and all."""
    drawn = GLYPHS[name]
    return [*drawn.body(colour), *(node for eye in drawn.eyes for node in _eye(*eye))]


def _eye(x: float, y: float, radius: float) -> list[Node]:
    return [
        Shape(ellipse(x, y, radius), fill=LIGHT, stroke=INK, width=EDGE * 0.8),
        Shape(ellipse(x + radius * 0.15, y + radius * 0.15, radius * 0.48), fill=INK),
        Shape(ellipse(x + radius * 0.3, y - radius * 0.02, radius * 0.15), fill=LIGHT),
    ]


def _filled(path: Path, colour: str) -> list[Node]:
    return [Shape(path, fill=colour, stroke=INK, width=EDGE)]


def _limb(path: Path, colour: str, thick: float = 0.16) -> list[Node]:
    return [Shape(path, stroke=INK, width=thick + EDGE), Shape(path, stroke=colour, width=thick)]


def _inked(path: Path, thick: float = EDGE) -> list[Node]:
    return [Shape(path, stroke=INK, width=thick)]


def _round(count: int, inner: float, outer: float, start: float = -90.0) -> list[Point]:
    """Corners of a star with `count` points."""
    points = []
    for index in range(2 * count):
        radius = outer if index % 2 == 0 else inner
        angle = math.radians(start + index * 180 / count)
        points.append((radius * math.cos(angle), radius * math.sin(angle)))
    return points


def _both(points: list[Point]) -> list[list[Point]]:
    """The points and their mirror image."""
    return [points, [(-x, y) for x, y in points]]


def _limbs(points: list[Point], colour: str, thick: float = 0.16) -> list[Node]:
    nodes: list[Node] = []
    for side in _both(points):
        nodes += _limb(smooth(side, closed=False), colour, thick)
    return nodes


# --- two eyes ---------------------------------------------------------------------------------------


def spiral(colour: str) -> list[Node]:
    """A snail that is mostly shell."""
    turns = [
        (r * math.cos(a), r * math.sin(a) - 0.12)
        for r, a in ((0.12 + 0.62 * i / 26, i * math.pi / 5.5) for i in range(27))
    ]
    foot = smooth(
        [(-0.95, 0.78), (-0.7, 0.6), (0.5, 0.62), (0.72, 0.1), (0.98, 0.12), (0.9, 0.8), (0.2, 0.88)], 0.8
    )
    return [
        *_filled(foot, colour),
        *_filled(ellipse(-0.1, -0.12, 0.78), colour),
        *_inked(smooth(turns, closed=False)),
    ]


def antenna(colour: str) -> list[Node]:
    """A drop with two long feelers."""
    nodes = _limbs([(0.22, -0.2), (0.3, -0.7), (0.75, -0.95)], colour, 0.1)
    for side in (-1, 1):
        nodes += _filled(ellipse(side * 0.78, -0.92, 0.16), colour)
    return [*nodes, *_filled(ellipse(0, 0.3, 0.62, 0.66), colour)]


def claw(colour: str) -> list[Node]:
    """A crab with raised claws."""
    nodes = _limbs([(0.6, 0.4), (0.98, 0.2), (0.78, -0.3)], colour, 0.14)
    nodes += _limbs([(0.5, 0.6), (0.8, 0.72), (0.92, 0.95)], colour, 0.1)
    for side in (-1, 1):
        pincer = joined(arc(side * 0.66, -0.6, 0.32, -60, 240), line((side * 0.66, -0.52)))
        nodes += _filled(pincer, colour)
    return [*nodes, *_filled(ellipse(0, 0.4, 0.74, 0.5), colour)]


def wing(colour: str) -> list[Node]:
    """A butterfly."""
    nodes: list[Node] = []
    for side in _both([(0.05, -0.05), (0.5, -0.95), (1.0, -0.7), (0.85, -0.05), (0.1, 0.15)]):
        nodes += _filled(smooth(side, 0.9), colour)
    for side in _both([(0.05, 0.1), (0.7, 0.1), (0.75, 0.75), (0.35, 0.9), (0.05, 0.4)]):
        nodes += _filled(smooth(side, 0.9), colour)
    return [*nodes, *_filled(box(-0.17, -0.62, 0.34, 1.5, 0.17), colour)]


def shell(colour: str) -> list[Node]:
    """A beetle with a split back."""
    nodes: list[Node] = []
    for y in (-0.15, 0.25, 0.62):
        nodes += _limbs([(0.5, y), (0.82, y - 0.06), (0.98, y + 0.16)], colour, 0.08)
    nodes += _filled(ellipse(0, -0.5, 0.5, 0.42), colour)
    nodes += _filled(ellipse(0, 0.3, 0.7, 0.68), colour)
    spots = [
        Shape(ellipse(x, y, 0.12), fill=INK)
        for x, y in ((-0.36, 0.1), (0.36, 0.1), (-0.3, 0.56), (0.3, 0.56))
    ]
    return [*nodes, *_inked(line((0, -0.36), (0, 0.96))), *spots]


def spike(colour: str) -> list[Node]:
    """A ball of spikes."""
    return _filled(polygon(_round(12, 0.64, 1.0)), colour)


def worm(colour: str) -> list[Node]:
    """A worm that stands in a wave."""
    body = smooth(
        [(-0.9, 0.75), (-0.5, 0.45), (-0.1, 0.75), (0.4, 0.7), (0.45, 0.1), (0.1, -0.4)], closed=False
    )
    nodes = _limb(body, colour, 0.38)
    return [*nodes, *_filled(ellipse(0.08, -0.45, 0.5, 0.44), colour)]


def spider(colour: str) -> list[Node]:
    """Eight legs."""
    nodes: list[Node] = []
    for x, y, tip in ((0.7, -0.75, -0.35), (0.95, -0.3, 0.1), (0.95, 0.25, 0.6), (0.7, 0.6, 0.98)):
        for side in _both([(0.2, 0.05), (x, y), (x * 1.02, tip)]):
            nodes += _inked(line(*side), 0.11)
    return [*nodes, *_filled(ellipse(0, 0.05, 0.52, 0.46), colour)]


def squid(colour: str) -> list[Node]:
    """A pointed head over tentacles."""
    nodes: list[Node] = []
    for x, sway in ((-0.45, -0.2), (-0.15, -0.05), (0.15, 0.05), (0.45, 0.2)):
        arm = smooth([(x, 0.2), (x + sway, 0.55), (x - sway * 0.4, 0.92)], closed=False)
        nodes += _limb(arm, colour, 0.14)
    mantle = rounded(
        [(0, -1.05), (0.72, -0.2), (0.55, 0.4), (-0.55, 0.4), (-0.72, -0.2)], [0.2, 0.3, 0.2, 0.2, 0.3]
    )
    return [*nodes, *_filled(mantle, colour)]


def bat(colour: str) -> list[Node]:
    """Wings with scallops and two ears."""
    right = [
        (0.0, -0.2),
        (0.5, -0.55),
        (1.02, -0.3),
        (0.86, 0.4),
        (0.62, 0.2),
        (0.42, 0.55),
        (0.22, 0.3),
        (0.0, 0.7),
    ]
    left = [(-x, y) for x, y in reversed(right[1:-1])]
    nodes = _filled(polygon([*right, *left]), colour)
    for side in (-1, 1):
        nodes += _filled(polygon([(side * 0.08, -0.5), (side * 0.36, -0.5), (side * 0.34, -0.92)]), colour)
    return [*nodes, *_filled(ellipse(0, -0.2, 0.42, 0.4), colour)]


def mushroom(colour: str) -> list[Node]:
    """A hat on a stalk."""
    stalk = rounded([(-0.34, 0.0), (0.34, 0.0), (0.46, 0.95), (-0.46, 0.95)], 0.2)
    cap = joined(
        arc(0, 0.05, 0.98, 180, 360, 0.98), curve((0.98, 0.05), ((0.5, 0.3), (-0.5, 0.3), (-0.98, 0.05)))
    )
    spots = [
        Shape(ellipse(x, y, r), fill=LIGHT)
        for x, y, r in ((-0.5, -0.3, 0.16), (0.1, -0.66, 0.18), (0.6, -0.25, 0.13))
    ]
    return [*_filled(stalk, LIGHT), *_filled(cap, colour), *spots]


def flame(colour: str) -> list[Node]:
    """Three tongues of fire."""
    outer = curve(
        (-0.66, 0.4),
        ((-0.8, -0.1), (-0.5, -0.3), (-0.6, -0.8)),
        ((-0.25, -0.6), (-0.2, -0.4), (-0.16, -0.25)),
        ((-0.1, -0.6), (0.0, -0.85), (0.2, -1.05)),
        ((0.2, -0.65), (0.3, -0.5), (0.4, -0.3)),
        ((0.5, -0.4), (0.55, -0.5), (0.58, -0.68)),
        ((0.8, -0.2), (0.8, 0.1), (0.66, 0.45)),
        ((0.5, 1.1), (-0.5, 1.1), (-0.66, 0.4)),
        closed=True,
    )
    return _filled(outer, colour)


def crystal(colour: str) -> list[Node]:
    """A cut stone on feet."""
    stone = polygon([(-0.45, -0.9), (0.45, -0.9), (0.85, -0.35), (0.0, 0.75), (-0.85, -0.35)])
    facets = [line((-0.85, -0.35), (0.85, -0.35)), line((-0.3, -0.35), (0, 0.75), (0.3, -0.35))]
    feet = _limbs([(0.22, 0.45), (0.36, 0.8), (0.6, 0.92)], colour, 0.1)
    return [*feet, *_filled(stone, colour), *(Shape(facet, stroke=INK, width=EDGE * 0.6) for facet in facets)]


def ant(colour: str) -> list[Node]:
    """Three balls in a row."""
    nodes: list[Node] = []
    for y in (0.0, 0.2, 0.4):
        nodes += _limbs([(0.2, 0.15), (0.62, y), (0.85, y * 2.2 - 0.1)], colour, 0.06)
    nodes += _limbs([(0.12, -0.8), (0.3, -1.0), (0.55, -1.02)], colour, 0.05)
    nodes += _filled(ellipse(0, 0.68, 0.42, 0.34), colour)
    nodes += _filled(ellipse(0, 0.16, 0.28, 0.24), colour)
    return [*nodes, *_filled(ellipse(0, -0.46, 0.5, 0.42), colour)]


def fish(colour: str) -> list[Node]:
    """Two fins and a forked tail, swimming up."""
    tail = polygon([(0, 0.4), (0.55, 1.0), (0.0, 0.82), (-0.55, 1.0)])
    nodes = _filled(tail, colour)
    for side in (-1, 1):
        nodes += _filled(polygon([(side * 0.4, -0.1), (side * 0.98, 0.3), (side * 0.36, 0.4)]), colour)
    body = curve(
        (0, -1.0), ((0.8, -0.6), (0.7, 0.3), (0, 0.66)), ((-0.7, 0.3), (-0.8, -0.6), (0, -1.0)), closed=True
    )
    scales = [arc(x, y, 0.15, 20, 160) for x, y in ((-0.17, 0.1), (0.17, 0.1), (0.0, 0.32))]
    return [*nodes, *_filled(body, colour), *(Shape(scale, stroke=INK, width=EDGE * 0.6) for scale in scales)]


# --- one eye ----------------------------------------------------------------------------------------


def ring(colour: str) -> list[Node]:
    """A ring with legs, the eye in its hole."""
    legs = _limbs([(0.4, 0.7), (0.5, 0.9), (0.72, 0.96)], colour, 0.1)
    return [*legs, *_filled(ellipse(0, -0.05, 0.92), colour), *_filled(ellipse(0, -0.05, 0.52), LIGHT)]


def tadpole(colour: str) -> list[Node]:
    """A head with a curled tail."""
    tail = smooth([(0.1, 0.1), (0.5, 0.6), (0.1, 0.95), (-0.4, 0.8), (-0.3, 0.55)], closed=False)
    return [*_limb(tail, colour, 0.24), *_filled(ellipse(-0.1, -0.35, 0.66, 0.6), colour)]


def tower(colour: str) -> list[Node]:
    """Three blocks, each smaller."""
    nodes = _filled(box(-0.85, 0.45, 1.7, 0.5, 0.1), colour)
    nodes += _filled(box(-0.6, -0.1, 1.2, 0.55, 0.1), colour)
    return [*nodes, *_filled(box(-0.4, -0.95, 0.8, 0.85, 0.12), colour)]


def slug(colour: str) -> list[Node]:
    """A flat body and one stalk."""
    body = smooth([(-1.0, 0.85), (-0.75, 0.45), (0.0, 0.3), (0.7, 0.4), (1.0, 0.85)], 0.8, closed=False)
    stalk = smooth([(0.35, 0.5), (0.42, 0.0), (0.2, -0.4)], closed=False)
    stripes = [line((x, 0.48), (x - 0.08, 0.8)) for x in (-0.55, -0.25, 0.05)]
    return [
        *_limb(stalk, colour, 0.2),
        *_filled(closed(body), colour),
        *(s for p in stripes for s in _inked(p, 0.06)),
    ]


def cactus(colour: str) -> list[Node]:
    """A stem with two raised arms."""
    nodes = _limbs([(0.2, 0.45), (0.72, 0.4), (0.78, -0.15)], colour, 0.28)
    stem = box(-0.38, -0.95, 0.76, 1.9, 0.36)
    thorns = [line((x, y), (x + 0.1, y + 0.12)) for x, y in ((-0.2, 0.3), (0.1, 0.2), (-0.05, 0.6))]
    return [*nodes, *_filled(stem, colour), *(s for p in thorns for s in _inked(p, 0.06))]


# --- three eyes -------------------------------------------------------------------------------------


def clover(colour: str) -> list[Node]:
    """Three leaves on a stem."""
    nodes = _limb(smooth([(0, 0.2), (0.08, 0.6), (-0.1, 0.98)], closed=False), colour, 0.14)
    for x, y in ((0, -0.48), (-0.48, 0.18), (0.48, 0.18)):
        nodes += _filled(ellipse(x, y, 0.48), colour)
    return nodes


def tripod(colour: str) -> list[Node]:
    """A wide head on three long legs."""
    nodes: list[Node] = []
    for x in (-0.8, 0.0, 0.8):
        nodes += _limb(line((x * 0.4, -0.3), (x, 0.92)), colour, 0.12)
    return [*nodes, *_filled(ellipse(0, -0.45, 0.98, 0.48), colour)]


def crown(colour: str) -> list[Node]:
    """Three points with balls on them."""
    base = polygon(
        [(-0.9, -0.5), (-0.42, 0.0), (0.0, -0.75), (0.42, 0.0), (0.9, -0.5), (0.74, 0.85), (-0.74, 0.85)]
    )
    nodes = _filled(base, colour)
    for x, y in ((-0.9, -0.58), (0.0, -0.84), (0.9, -0.58)):
        nodes += _filled(ellipse(x, y, 0.14), colour)
    return nodes


def caterpillar(colour: str) -> list[Node]:
    """Five balls in an arch."""
    nodes: list[Node] = []
    for x, y in ((-0.78, 0.66), (-0.62, 0.12)):
        for side in (-1, 1):
            nodes += _filled(ellipse(side * x, y, 0.3), colour)
    return [*nodes, *_filled(ellipse(0, -0.3, 0.66, 0.56), colour)]


def gem_bug(colour: str) -> list[Node]:
    """A diamond body on six legs."""
    nodes: list[Node] = []
    for y in (-0.3, 0.1, 0.5):
        nodes += _limbs([(0.3, y), (0.72, y - 0.1), (0.95, y + 0.25)], colour, 0.08)
    return [*nodes, *_filled(rounded([(0, -1.0), (0.62, 0.0), (0, 1.0), (-0.62, 0.0)], 0.12), colour)]


def _two(y: float, apart: float, radius: float, x: float = 0.0) -> tuple[tuple[float, float, float], ...]:
    return ((x - apart, y, radius), (x + apart, y, radius))


GLYPHS: dict[str, Glyph] = {
    "spiral": Glyph(spiral, _two(0.1, 0.14, 0.17, 0.86)),
    "antenna": Glyph(antenna, _two(0.2, 0.26, 0.23)),
    "claw": Glyph(claw, _two(0.2, 0.26, 0.24)),
    "wing": Glyph(wing, _two(-0.5, 0.17, 0.19)),
    "shell": Glyph(shell, _two(-0.55, 0.23, 0.2)),
    "spike": Glyph(spike, _two(-0.05, 0.27, 0.25)),
    "worm": Glyph(worm, _two(-0.5, 0.21, 0.2, 0.08)),
    "spider": Glyph(spider, _two(0.0, 0.2, 0.18)),
    "squid": Glyph(squid, _two(-0.08, 0.26, 0.22)),
    "bat": Glyph(bat, _two(-0.24, 0.18, 0.16)),
    "mushroom": Glyph(mushroom, _two(0.5, 0.17, 0.16)),
    "flame": Glyph(flame, _two(0.3, 0.26, 0.24)),
    "crystal": Glyph(crystal, _two(-0.12, 0.24, 0.21)),
    "ant": Glyph(ant, _two(-0.5, 0.21, 0.19)),
    "fish": Glyph(fish, _two(-0.34, 0.24, 0.2)),
    "ring": Glyph(ring, ((0.0, -0.05, 0.36),)),
    "tadpole": Glyph(tadpole, ((-0.1, -0.38, 0.36),)),
    "tower": Glyph(tower, ((0.0, -0.5, 0.28),)),
    "slug": Glyph(slug, ((0.2, -0.52, 0.36),)),
    "cactus": Glyph(cactus, ((0.0, -0.4, 0.3),)),
    "clover": Glyph(clover, ((0.0, -0.5, 0.24), (-0.48, 0.18, 0.24), (0.48, 0.18, 0.24))),
    "tripod": Glyph(tripod, ((-0.52, -0.45, 0.22), (0.0, -0.5, 0.26), (0.52, -0.45, 0.22))),
    "crown": Glyph(crown, ((-0.44, 0.38, 0.2), (0.0, 0.3, 0.22), (0.44, 0.38, 0.2))),
    "caterpillar": Glyph(caterpillar, ((-0.3, -0.28, 0.19), (0.3, -0.28, 0.19), (0.0, -0.6, 0.19))),
    "gem_bug": Glyph(gem_bug, ((0.0, -0.5, 0.18), (-0.24, -0.02, 0.2), (0.24, -0.02, 0.2))),
}
