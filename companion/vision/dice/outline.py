"""Whether a die is to be seen round a face: the outline of the whole cube, as its view lets it be expected.

A lone mark may be anything, and the five on a die's side may pass for a top face where the view is steep. But
below a top face hangs a body, and all round that the picture changes: a face is a die's top if the outline of
such a body is there. Its edge is searched for a little larger and smaller than the pips say, and for a one,
which shows no direction, at several turns."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np

from companion.vision.dice.faces import Face
from companion.vision.dice.layout import die_body
from companion.vision.dice.view import PlaneView
from companion.vision.image.picture import Array, Floats, Image

SIZES = (0.8, 0.88, 0.96, 1.04, 1.12, 1.2, 1.3)
"""A die's edge, as shares of what its pips let expect."""
TURNS = 6
"""So many turns of a one are tried over a quarter of a circle."""
SIDE_SHARES = np.linspace(0.15, 0.85, 8)[:, None]
"""Shares of each side of the outline at which it is looked for: the corners are round."""
EDGE_DISTANCE, EDGE_BLUR = 0.06, 0.02
"""How far inside and outside are apart from the outline, and how much the picture is softened: edges."""
CLEAR_CHANGE = 14.0
"""Levels (CIE L*a*b* as OpenCV scales it) between both sides of what is clearly an outline."""
SHORTEST_SIDE = 0.25
"""Sides of the outline shorter than this many edges are left out."""


class CubeOutlines:
    """A picture in which the outlines of dice are looked for."""

    def __init__(self, image: Image, view: PlaneView) -> None:
        self._image = image
        self._view = view

    def visible_share(self, face: Face) -> float:
        """The share of the outline of this face's die along which the picture changes, 0 to 1."""
        x, y = face.centre
        ends = self._view.pixels(np.array([[x, y], [x + face.edge, y]]))
        edge = float(np.linalg.norm(ends[1] - ends[0]))
        hulls = [
            cv2.convexHull(die_body(turned, self._view).astype(np.float32))[:, 0]
            for turned in _cube_variants(face)
        ]
        low = np.floor(np.min([hull.min(axis=0) for hull in hulls], axis=0) - 0.2 * edge).astype(int)
        high = np.ceil(np.max([hull.max(axis=0) for hull in hulls], axis=0) + 0.2 * edge).astype(int)
        low, high = np.maximum(low, 0), np.minimum(high, self._image.shape[1::-1])
        if (high - low < 4).any():
            return 0.0
        cut = cv2.GaussianBlur(
            self._image[low[1] : high[1], low[0] : high[0]], (0, 0), max(0.8, EDGE_BLUR * edge)
        )
        lab = np.asarray(cv2.cvtColor(cut, cv2.COLOR_BGR2LAB), np.float32)
        return max(_changing_share(lab, hull - low, edge) for hull in hulls)


def _cube_variants(face: Face) -> list[Face]:
    """The face with the edges and turns that its die may have."""
    sized = [replace(face, edge=face.edge * size) for size in SIZES]
    if face.value > 1:
        return sized
    turns = [k * math.pi / (2 * TURNS) for k in range(TURNS)]
    return [replace(one, value=2, along=(math.cos(t), math.sin(t))) for one in sized for t in turns]


def _changing_share(lab: Floats, hull: Array, edge: float) -> float:
    """The share of an outline (n, 2; pixels) along which the picture changes."""
    after = np.roll(hull, -1, axis=0)
    length = np.linalg.norm(after - hull, axis=1)
    long = length > SHORTEST_SIDE * edge
    if not long.any():
        return 0.0
    begin, along, length = hull[long], (after - hull)[long], length[long]
    out = np.stack([along[:, 1], -along[:, 0]], axis=1) / length[:, None]
    outwards = ((begin + along / 2 - hull.mean(axis=0)) * out).sum(axis=1, keepdims=True)
    out *= np.sign(outwards)
    points = begin[:, None] + SIDE_SHARES * along[:, None]
    at = np.stack([points + by * EDGE_DISTANCE * edge * out[:, None] for by in (-1, 1)])
    at = at.astype(np.float32).reshape(2, -1, 2)
    seen = cv2.remap(lab, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    change = np.minimum(np.linalg.norm(seen[0] - seen[1], axis=1) / CLEAR_CHANGE, 1.0)
    weight = np.repeat(length, len(SIDE_SHARES))
    return float((change * weight).sum() / weight.sum())
