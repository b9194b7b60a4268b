"""Moves a quad until what the verifier sees in it lies on the card as it was enrolled.

Lucas-Kanade on learned features in place of light (Chang, Chou, Wang and Chen, "CLKN: Cascaded Lucas-Kanade
Networks for Image Alignment", 2017): Gauss-Newton with the card's own gradients (inverse roles, Baker and
Matthews, "Lucas-Kanade 20 years on", 2004). Blur, lamps and pale colours change the features little, and they
are of 4 x 4 pixels, so a card is found from a seventh of its width away and exactly. Where fingers, glare or
another card differ from the card weighs little (Geman and McClure, 1987).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.verifier.network import FEATURES_SHAPE, FRAME, features_of
from companion.vision.verifier.verify import seen_at

STEP = FRAME.height // FEATURES_SHAPE[1]
"""Pixels of FRAME that one place of the features stands for, in each direction."""
STAGES = ((1.5, 6, 4), (0.0, 8, 4))
"""The Gaussian radius, in places, by which features are smoothed, by how many degrees of freedom the quad is
moved (see _motions), and how often at most; from coarse to fine."""
LARGEST_STEP = 0.12
"""Card widths by which a corner moves in one step at most."""
LEAST_STEP = 0.004
"""Card widths of a step after which no other is made."""
TYPICAL = 1.2
"""Differences weigh half where they are so many times their median."""
DAMPING = 0.02
"""Share of the mean curvature that is added to every motion's (Levenberg)."""
LEAST_WIDTH, ASPECTS = 8.0, (0.8, 2.8)
"""Pixels of a side, and heights by widths, of what may be a card."""


@dataclass(frozen=True, eq=False)
class _PlaceMotions:
    """Corner motions (freedom, 4, 2) in card widths, and how far each moves the places of the features, in
    places (freedom, rows, columns), to the right and down."""

    corners: Floats
    right: Floats
    down: Floats


@cache
def _places() -> tuple[Floats, Floats]:
    """The middles of the places of the features on the unit card (rows, columns), across and down."""
    _, rows, columns = FEATURES_SHAPE
    across = ((np.arange(columns) + 0.5) * STEP - FRAME.margin) / FRAME.card[0]
    down = ((np.arange(rows) + 0.5) * STEP - FRAME.margin) / FRAME.card[1]
    u, v = np.meshgrid(across, down)
    return np.asarray(u, np.float32), np.asarray(v, np.float32)


@cache
def _on_card() -> Floats:
    """Which places lie on the card (rows, columns): 1, beside it 0."""
    u, v = _places()
    return np.asarray((u > 0) & (u < 1) & (v > 0) & (v < 1), np.float32)


@cache
def _motions(freedom: int) -> _PlaceMotions:
    """The motions by degrees of freedom: 6 affine, 8 any."""
    aspect = FRAME.card[1] / FRAME.card[0]
    corners = geometry.corner_motions(*(geometry.UNIT - 0.5).T * np.array([[1.0], [aspect]]))[:freedom]
    moved = np.einsum("rck,fkd->frcd", geometry.corner_shares(*_places()), corners) * np.float32(
        FRAME.card[0] / STEP
    )
    return _PlaceMotions(corners, np.ascontiguousarray(moved[..., 0]), np.ascontiguousarray(moved[..., 1]))


@dataclass(frozen=True, eq=False)
class _CardLevel:
    """The features of a card (planes, rows, columns) and their gradients; the products of those, summed over
    the planes (rows, columns)."""

    blur: float
    features: Floats
    across: Floats
    down: Floats
    products: tuple[Floats, Floats, Floats]

    @staticmethod
    def of(features: Floats, blur: float) -> _CardLevel:
        smooth = _smoothed(features, blur)
        across, down = np.zeros_like(smooth), np.zeros_like(smooth)
        across[:, :, 1:-1] = (smooth[:, :, 2:] - smooth[:, :, :-2]) / 2
        down[:, 1:-1] = (smooth[:, 2:] - smooth[:, :-2]) / 2
        pairs = ((across, across), (across, down), (down, down))
        xx, xy, yy = (np.einsum("prc,prc->rc", *pair) for pair in pairs)
        return _CardLevel(blur, smooth, across, down, (xx, xy, yy))

    def motion(self, seen: Floats, visible: Floats, motions: _PlaceMotions) -> Floats:
        """The motion (4, 2), in card widths, of the card's corners that brings it nearer to what is `seen`
        (planes, rows, columns) where it is `visible` (rows, columns), 0 to 1."""
        away = _smoothed(seen, self.blur) - self.features
        far = np.sqrt(np.einsum("prc,prc->rc", away, away))
        typical = TYPICAL * float(np.median(far[visible >= 0.5])) + 1e-6
        weight = visible / (1.0 + (far / typical) ** 2)
        pull = [np.einsum("prc,prc->rc", one, away) * weight for one in (self.across, self.down)]
        right, down = (one.reshape(len(one), -1) for one in (motions.right, motions.down))
        xx, xy, yy = (one * weight for one in self.products)
        curvature = (
            (right * xx.ravel()) @ right.T
            + (right * xy.ravel()) @ down.T
            + (down * xy.ravel()) @ right.T
            + (down * yy.ravel()) @ down.T
        )
        curvature += np.eye(len(curvature)) * (DAMPING * float(np.trace(curvature)) / len(curvature) + 1e-6)
        towards = right @ pull[0].ravel() + down @ pull[1].ravel()
        corners = np.einsum("f,fkd->kd", np.linalg.solve(curvature, towards), motions.corners)
        farthest = max(float(np.abs(corners).max()), LARGEST_STEP)
        return np.asarray(corners * (LARGEST_STEP / farthest), np.float32)


def _smoothed(features: Floats, blur: float) -> Floats:
    if blur == 0.0:
        return features
    return np.stack([cv2.GaussianBlur(plane, (0, 0), blur) for plane in features])


def align_quad(scene: PicturePyramid, quad: Floats, features: Floats) -> Floats:
    """The quad (4, 2; pixels), from the card's own top left, moved onto the card of these `features`
    (FEATURES_SHAPE), in 15 ms; as far as it came where it would be no card's quad any more or has left the
    picture. It says nothing of whether the card is there: the verifier does, when it looks again."""
    for blur, freedom, steps in STAGES:
        level = _CardLevel.of(features, blur)
        for _ in range(steps):
            seen, visible = _seen(scene, quad)
            if visible.max() < 0.5:
                return quad
            motion = level.motion(seen, visible, _motions(freedom))
            widths = np.array([1.0, FRAME.card[0] / FRAME.card[1]], np.float32)
            unit = np.asarray(geometry.UNIT - motion * widths, np.float32)
            moved = geometry.transform(unit, geometry.homography(geometry.UNIT, quad))
            if not geometry.is_card_like(moved, LEAST_WIDTH, ASPECTS):
                return quad
            quad = moved
            if float(np.abs(motion).max()) < LEAST_STEP:
                break
    return quad


def _seen(scene: PicturePyramid, quad: Floats) -> tuple[Floats, Floats]:
    """The features of what is seen in a quad, and where the card is visible (rows, columns), 0 to 1."""
    picture, visible = seen_at(scene, quad)
    shown: Array = cv2.resize(visible.astype(np.float32), FEATURES_SHAPE[:0:-1], interpolation=cv2.INTER_AREA)
    return features_of(picture[None], visible[None])[0], np.asarray(shown * _on_card(), np.float32)
