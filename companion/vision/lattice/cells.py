"""What a card that lies exactly so shows: its costs, its outline, its drawing (pose_search.py lays it)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats, Image
from companion.vision.lattice.colours import (
    Illuminant,
    TriangleTemplates,
    costs_by_card,
    likenesses,
    template_costs,
)
from companion.vision.lattice.fit import Place, corners_of, projected
from companion.vision.lattice.glare import fit_glare, pattern_under_glare
from companion.vision.triangles.appearance import (
    WHITE,
    SampledPicture,
    log_colours,
    sample_points,
)
from companion.vision.triangles.find import side_of

EDGE_CHANGE = 22.0
"""Levels (CIE L*a*b* as OpenCV scales it) between the two sides of an edge that is clearly one."""
EDGE_DISTANCE = 1.6
"""Pixels of the surface to each side of an outline at which the two are compared."""


@dataclass(frozen=True)
class Cell:
    """What a place shows: `corners` (3, 2) in pixels, `costs` (cards) from 0 (the very card) to 1, `edge` the
    share of the outline, 0 to 1, along which the picture changes, `like` how far the card's drawing is there,
    `off` the mean distance in sides of its corners from where the other cards let it be expected."""

    at: Place
    corners: Floats
    costs: Floats
    edge: float
    like: float
    off: float

    @property
    def card(self) -> int:
        """The card it is most like."""
        return int(self.costs.argmin())

    @property
    def cost(self) -> float:
        """How much it differs from that one."""
        return float(self.costs.min())


class LatticePicture:
    """A picture of the table, with the deck and the lamp by which its places are evaluated."""

    def __init__(self, image: Image, side: float, looks: TriangleTemplates) -> None:
        self.surface = SampledPicture(image, side)
        self.templates = looks
        self.white = WHITE
        self.illuminant = Illuminant(np.zeros(2, np.float32), 0.0)
        self._lab = np.asarray(cv2.cvtColor(self.surface.image, cv2.COLOR_BGR2LAB), np.float32)

    def sample(self, corners: Array) -> Floats:
        """What is compared (..., points, 4) of triangles (..., 3, 2)."""
        return log_colours(self.surface.colours(corners), self.white)

    def score_pose(self, at: Place, corners: Floats, view: Array) -> Cell:
        """The cell of a card in exactly this pose."""
        seen = self.sample(corners[None])
        costs = template_costs(seen, self.templates, self.illuminant)
        like = likenesses(seen, self.templates.only(costs[0].argmin(keepdims=True)))
        by = costs_by_card(costs, self.templates)[0]
        return Cell(at, corners, by, self._edge(corners), float(like[0]), offset(at, corners, view))

    def score_under_glare(self, at: Place, corners: Floats, view: Array, others: Sequence[Floats]) -> Cell:
        """The same if a lamp is mirrored in the card, or it lies in a shadow or partly under `others` (3, 2
        each, in pixels)."""
        costs, like = self._fit_under_glare(corners, others)
        by = costs_by_card(costs, self.templates)[0]
        return Cell(at, corners, by, self._edge(corners, others), like, offset(at, corners, view))

    def _edge(self, corners: Floats, others: Sequence[Floats] = ()) -> float:
        return float(self.edge_shares(corners[None], others)[0])

    def likeness_under_glare(self, corners: Floats, others: Sequence[Floats]) -> float:
        """How far a card that lies exactly so has the pattern of the likeliest look, if a lamp is mirrored in
        it or it lies partly under `others` (3, 2 each, in pixels)."""
        return self._fit_under_glare(corners, others)[1]

    def burnt(self, corners: Floats) -> Array:
        """Which points (..., points) of triangles (..., 3, 2; pixels) are burnt out."""
        return self.surface.burnt(self.surface.colours(corners))

    def side_contrast(self, corners: Floats, others: Sequence[Floats] = ()) -> Floats:
        """The share (3,) of each side of a triangle (3, 2; pixels), as far as it does not lie under `others`,
        along which inside and outside differ; of a side of which nothing is left, that of all."""
        steps, at = self._steps(corners[None])
        whole = geometry.to_original(at[1].reshape(-1, 2), self.surface.scale)
        free = ~covered_by(whole, others).reshape(3, -1)
        steps = steps.reshape(3, -1)
        each = (steps * free).sum(axis=1) / np.maximum(free.sum(axis=1), 1)
        all_ = (steps * free).sum() / max(free.sum(), 1)
        return np.asarray(np.where(free.any(axis=1), each, all_), np.float32)

    def costs_under_glare(
        self, corners: Floats, looks: TriangleTemplates, others: Sequence[Floats]
    ) -> Floats:
        """What cards that lie so (n, 3, 2; pixels) under veils or partly under `others` (3, 2 each) differ
        from these looks: (n, looks)."""
        return fit_glare(*self._open_points(corners, others), self.white, looks, self.illuminant)[0]

    def _fit_under_glare(self, corners: Floats, others: Sequence[Floats]) -> tuple[Floats, float]:
        """The costs (1, looks) of one card (3, 2; pixels) under veils, and how far it has the pattern of the
        likeliest look."""
        colours, there = self._open_points(corners[None], others)
        costs, shades = fit_glare(colours, there, self.white, self.templates, self.illuminant)
        best = int(costs[0].argmin())
        look, shade = self.templates.only(np.array([best])), float(shades[0, best])
        return costs, pattern_under_glare(colours[0], there[0], self.white, look, self.illuminant, shade)

    def _open_points(self, corners: Floats, others: Sequence[Floats]) -> tuple[Floats, Array]:
        """The colours (n, points, 3) of triangles (n, 3, 2; pixels), and which points are neither burnt out
        nor under `others`."""
        colours = self.surface.colours(corners)
        at = sample_points() @ corners
        return colours, np.asarray(~covered_by(at, others) & ~self.surface.burnt(colours))

    def edge_shares(self, triangles: Floats, others: Sequence[Floats] = ()) -> Floats:
        """The share of the outline of triangles (n, 3, 2), as far as it does not lie under `others`, along
        which inside and outside differ."""
        steps, at = self._steps(triangles)
        if not others:
            return np.asarray(steps.mean(axis=1), np.float32)
        whole = geometry.to_original(at[1].reshape(len(triangles), -1, 2), self.surface.scale)
        free = ~covered_by(whole, others)
        return np.asarray((steps * free).sum(axis=1) / np.maximum(free.sum(axis=1), 1), np.float32)

    def _steps(self, triangles: Floats) -> tuple[Floats, Floats]:
        """How clearly inside and outside of triangles (n, 3, 2) differ, 0 to 1, at points all along their
        outlines (n, points), and these points of the surface: inside, on and outside the outline (3, n, 3,
        points of a side, 2)."""
        small = geometry.to_resized(triangles, self.surface.scale)
        after = np.roll(small, -1, axis=1)
        out = np.stack([after[..., 1] - small[..., 1], small[..., 0] - after[..., 0]], axis=-1)
        out /= np.maximum(np.linalg.norm(out, axis=-1, keepdims=True), 1e-6)
        shares = np.linspace(0.12, 0.88, 12, dtype=np.float32)[:, None]
        along = small[:, :, None] + shares * (after - small)[:, :, None]
        at = np.stack([along + by * out[:, :, None] for by in (-EDGE_DISTANCE, 0, EDGE_DISTANCE)]).astype(
            np.float32
        )
        flat = at.reshape(3 * len(triangles), -1, 2)
        seen = cv2.remap(
            self._lab, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        inside, on, outside = seen.reshape(3, len(triangles), -1, 3)
        steps = np.maximum(np.linalg.norm(inside - outside, axis=2), np.linalg.norm(on - inside, axis=2))
        steps = np.minimum(steps / (EDGE_CHANGE * min(1.0, self.white / WHITE)), 1)
        return np.asarray(steps, np.float32), np.asarray(at)


def covered_by(at: Array, others: Sequence[Floats]) -> Array:
    """Which points (..., 2) lie within one of the triangles (3, 2; clockwise)."""
    found = np.zeros(at.shape[:-1], bool)
    for other in others:
        edge = np.roll(other, -1, axis=0) - other
        away = at[..., None, :] - other
        found |= (edge[:, 0] * away[..., 1] - edge[:, 1] * away[..., 0] >= 0).all(axis=-1)
    return found


def offset(at: Place, corners: Floats, view: Array) -> float:
    """Mean distance in sides of a card's corners (3, 2; pixels) from the place's."""
    return float(offsets(at, projected(np.linalg.inv(view), corners)[None])[0])


def offsets(at: Place, poses: Floats) -> Array:
    """Mean distances (n) of the corners of cards (n, 3, 2; in sides) from the place's."""
    return np.asarray(np.linalg.norm(poses - corners_of(at), axis=-1).mean(axis=-1))


def median_side(corners: Floats) -> float:
    """Median length of the sides of triangles (n, 3, 2)."""
    return float(np.median(side_of(corners)))
