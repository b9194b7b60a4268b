"""A hand that lays cards: forearm, fingers and thumb seen from above, drawn by code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.art.draw.palette import mix
from companion.art.draw.raster import Pixels, rasterise
from companion.art.draw.vector import (
    Affine,
    Drawing,
    Node,
    Shape,
    box,
    line,
    moved,
    place,
    smooth,
)

WIDTH_MM, LENGTH_MM = 150.0, 620.0
TIP = (75.0, 26.0)
"""Where the fingertips meet, in mm from the picture's top left; the arm goes down from there."""
DENSITY = 1.5

SKINS = ("#f1c7a5", "#d9a07a", "#a8714b", "#6b432c", "#f6d7c0")
SLEEVES = ("#39506b", "#8c2f39", "#e8e4da", "#2f2f36", "#5c7a4f")


@dataclass(frozen=True)
class Hand:
    """Pixels (BGR) and coverage (0 to 255, one channel) of an arm, `DENSITY` pixels to the mm."""

    colour: Pixels
    cover: Pixels

    @property
    def to_mm(self) -> Affine:
        """Pixels of the picture -> mm with the fingertips at (0, 0), the arm towards +y."""
        return Affine(1 / DENSITY, 0, 0, 1 / DENSITY, -TIP[0], -TIP[1])


def hand(rng: np.random.Generator) -> Hand:
    """An arm with a skin, a sleeve and a handedness drawn at random."""
    skin = SKINS[int(rng.integers(len(SKINS)))]
    sleeve = SLEEVES[int(rng.integers(len(SLEEVES)))]
    bare = float(rng.uniform(60, 210))
    mirror = bool(rng.random() < 0.5)
    arm = _arm(skin, mix(skin, "#402010", 0.35), sleeve, bare)
    colour = _raster(arm, mirror, mix(skin, "#402010", 0.2))
    flat = _raster([_blackened(node) for node in arm], mirror, "#ffffff")
    cover = np.asarray(255 - flat[..., 0], np.uint8)
    shade = _relief(cover)
    return Hand(np.clip(colour * shade[..., None], 0, 255).astype(np.uint8), cover)


def _arm(skin: str, crease: str, sleeve: str, bare: float) -> list[Shape]:
    """Nodes round the fingertips at (0, 0): sleeve, forearm, palm, four fingers, thumb."""
    edge = mix(sleeve, "#101018", 0.4)
    forearm = smooth(
        [(-34, 96), (-27, 150), (-31, 240), (-40, 620), (40, 620), (31, 240), (27, 150), (34, 96)], 0.6
    )
    palm = smooth([(-40, 62), (-43, 96), (-30, 138), (0, 148), (30, 138), (42, 98), (38, 60), (0, 48)])
    nodes = [Shape(forearm, fill=skin), Shape(palm, fill=skin)]
    for knuckle, tip in (
        ((-30, 70), (-24, 14)),
        ((-11, 60), (-9, 4)),
        ((9, 60), (8, 2)),
        ((28, 70), (23, 16)),
    ):
        finger = smooth(
            [knuckle, ((knuckle[0] + tip[0]) / 2 * 1.06, (knuckle[1] + tip[1]) / 2), tip], closed=False
        )
        nodes += [Shape(finger, stroke=crease, width=19.5), Shape(finger, stroke=skin, width=17.5)]
        nail = line((tip[0], tip[1] - 5), (tip[0], tip[1] - 2))
        nodes.append(Shape(nail, stroke=mix(skin, "#ffe8e8", 0.55), width=8))
    thumb = smooth([(40, 104), (52, 78), (46, 46)], closed=False)
    nodes += [Shape(thumb, stroke=crease, width=22.5), Shape(thumb, stroke=skin, width=20.5)]
    nodes.append(Shape(smooth([(36, 108), (24, 116), (20, 130)], closed=False), stroke=crease, width=1.4))
    cuff = box(-46, 140 + bare, 92, 500, 10)
    nodes += [
        Shape(cuff, fill=sleeve),
        Shape(line((-44, 154 + bare), (44, 154 + bare)), stroke=edge, width=2.0),
    ]
    return nodes


def _blackened(shape: Shape) -> Shape:
    return Shape(shape.path, shape.fill and "#000000", shape.stroke and "#000000", shape.width)


def _raster(nodes: Sequence[Node], mirror: bool, ground: str) -> Pixels:
    at = place(TIP[0], TIP[1], mirror=mirror)
    sheet = Shape(box(0, 0, WIDTH_MM, LENGTH_MM), fill=ground)
    drawing = Drawing(WIDTH_MM, LENGTH_MM, (sheet, *moved(nodes, at)))
    return rasterise(drawing, round(LENGTH_MM * DENSITY))


def _relief(cover: Pixels) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Roundness: darker towards the edges and on the side away from the lamp."""
    depth = cv2.GaussianBlur(cover.astype(np.float32) / 255, (0, 0), 14)
    lean = cv2.Sobel(depth, cv2.CV_32F, 1, 0, ksize=5)
    return np.asarray(0.72 + 0.32 * depth + np.clip(lean * 0.5, -0.12, 0.12), np.float32)
