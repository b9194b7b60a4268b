"""How the camera looks at the table, and the picture as a camera straight above the table would take it.

A camera that looks aslant shows far cards smaller and shorter. But all cards are of one size and lie on one
table. So the tilt of the camera is the likeliest one by the widths along all columns and by the lengths of
their open cards; seen from straight above, every card is as wide and as long as any other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.display.limits import column_limits
from companion.vision.finder.network import LONGEST, card_maps
from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats, Image

CARD_WIDTH = 38.0
"""Pixels of a card's width in the picture that the finder reads best."""
TILT_STEPS = ((0.1, 6), (0.04, 2), (0.016, 2))
"""Rounds of comparing tilts about the best one so far: step in radians, and steps each way."""
FINER = 2
"""How much finer than its maps the picture from above is made, before it is shrunk."""


@dataclass(frozen=True)
class TableView:
    """A way to look at the table: `onto` (3, 3) turns pixels of the picture into those of the picture from
    there, which has this `size` (width, height). `scale`: pixels of this for one of the picture, in its
    middle; `tilt` (2,): by how much the camera is tilted, in radians."""

    onto: Array
    size: tuple[int, int]
    scale: float
    tilt: Array

    @staticmethod
    def of_camera(shape: Sequence[int], scale: float) -> TableView:
        """The camera's own view of a picture with that shape (rows, columns, ...), resized."""
        return TableView._fitting(np.zeros(2), scale, shape)

    @staticmethod
    def from_above(shape: Sequence[int], cards: MeasuredCards, aspect: float) -> TableView:
        """The view from straight above cards of this aspect, which are CARD_WIDTH pixels wide in it."""
        tilt = likeliest_tilt(shape, cards, aspect)
        seen = _log_lengths(_levelling(shape, tilt[None]), cards.across)
        return TableView._fitting(tilt, CARD_WIDTH / math.exp(float(np.median(seen))), shape)

    def is_like(self, other: TableView) -> bool:
        """Whether both show nearly the same."""
        limits, away = column_limits().views, float(np.abs(self.tilt - other.tilt).max())
        return away < limits.like_tilt and abs(math.log(self.scale / other.scale)) < limits.like_scale

    @staticmethod
    def _fitting(tilt: Array, scale: float, shape: Sequence[int]) -> TableView:
        """The view of the whole picture if the camera is tilted so, resized by `scale` or less."""
        level, (height, width) = _levelling(shape, tilt[None])[0], shape[:2]
        corners = geometry.whole(width, height)
        seen = geometry.transform(corners, level) + 0.5
        scale = min(scale, LONGEST / float(np.ptp(seen, axis=0).max()))
        first = seen.min(axis=0)
        shift = np.array([[1, 0, -first[0]], [0, 1, -first[1]], [0, 0, 1.0]])
        onto = geometry.resizing(scale) @ shift @ level
        wide, high = (max(1, round(float(side) * scale)) for side in np.ptp(seen, axis=0))
        return TableView(onto, (wide, high), scale, tilt)

    def to_picture(self, points: Floats) -> Floats:
        """Points (n, 2) of this view in pixels of the picture."""
        return geometry.transform(points, np.linalg.inv(self.onto))

    def from_picture(self, points: Floats) -> Floats:
        """Points (n, 2) of the picture in pixels of this view."""
        return geometry.transform(points, self.onto)


@dataclass(frozen=True, eq=False)
class TableMaps:
    """What the card finder sees in a view of the table: probabilities 0 to 1 (rows, columns) that a card is
    seen, and that a visible part ends. Pixels of the maps are those of the view."""

    card: Floats
    edge: Floats
    view: TableView

    @staticmethod
    def of(image: Image, view: TableView, factor: float) -> TableMaps:
        """The maps of a picture that was shrunk by `factor`."""
        width, height = view.size
        onto = geometry.resizing(FINER) @ view.onto @ np.linalg.inv(geometry.resizing(factor))
        fine, flags = (FINER * width, FINER * height), cv2.INTER_LINEAR
        seen = cv2.warpPerspective(image, onto, fine, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        inside = cv2.warpPerspective(np.ones(image.shape[:2], np.uint8), onto, fine, flags=cv2.INTER_NEAREST)
        small = np.asarray(cv2.resize(seen, view.size, interpolation=cv2.INTER_AREA), np.uint8)
        maps = card_maps(small, 1.0)
        return TableMaps(maps.card * inside[::FINER, ::FINER], maps.edge, view)


@dataclass(frozen=True, eq=False)
class MeasuredCards:
    """What is measured of the cards of a column, in pixels of the picture: the ends (n, 2, 2) of lines across
    it, each as long as a card is wide; the ends (m, 2, 2) of lines along it, each as long as a card; and the
    weights of both, 1 for a card."""

    across: Array
    along: Array
    across_weights: Array
    along_weights: Array

    @staticmethod
    def together(several: Sequence[MeasuredCards]) -> MeasuredCards:
        """The measures of several columns."""
        return MeasuredCards(
            np.concatenate([one.across for one in several]),
            np.concatenate([one.along for one in several]),
            np.concatenate([one.across_weights for one in several]),
            np.concatenate([one.along_weights for one in several]),
        )


def likeliest_tilt(shape: Sequence[int], cards: MeasuredCards, aspect: float) -> Array:
    """The tilt (2,) of the camera, in radians, with which the measures are likeliest."""
    best, limits = np.zeros(2), column_limits().views
    for step, most in TILT_STEPS:
        steps = np.arange(-most, most + 1) * step
        tilts = best + np.stack(np.meshgrid(steps, steps), axis=2).reshape(-1, 2)
        costs = _unlikelihood(_levelling(shape, tilts), cards, aspect)
        usual = np.where(tilts > 0, (limits.away, limits.aside), limits.aside)
        best = tilts[int((costs + 0.5 * ((tilts / usual) ** 2).sum(axis=1)).argmin())]
    return np.asarray(best)


def _unlikelihood(levelling: Array, cards: MeasuredCards, aspect: float) -> Array:
    """How unlikely the measures are (n,) if these matrices (n, 3, 3) show the table from above; measures that
    are far off, of what is no card, count little."""
    wide, long = _log_lengths(levelling, cards.across), _log_lengths(levelling, cards.along)
    width, limits = np.median(wide, axis=1)[:, None], column_limits().views
    for _ in range(2):
        weight = cards.across_weights / (1.0 + ((wide - width) / limits.width) ** 2)
        width = ((wide * weight).sum(axis=1) / weight.sum(axis=1))[:, None]
    off = ((wide - width) / limits.width) ** 2
    short = ((long - width - math.log(aspect)) / limits.length) ** 2
    return np.asarray(
        np.log1p(off / 2) @ cards.across_weights + np.log1p(short / 2) @ cards.along_weights, np.float64
    )


def _log_lengths(matrices: Array, lines: Array) -> Array:
    """The logarithms of the lengths (n, m) of lines (m, 2, 2) under matrices (n, 3, 3)."""
    lifted = np.concatenate([lines, np.ones((*lines.shape[:2], 1))], axis=2)
    seen = np.einsum("nij,mkj->nmki", matrices, lifted)
    flat = seen[..., :2] / seen[..., 2:]
    return np.asarray(np.log(np.maximum(np.linalg.norm(flat[:, :, 1] - flat[:, :, 0], axis=2), 1e-6)))


def _levelling(shape: Sequence[int], tilts: Array) -> Array:
    """The matrices (n, 3, 3) to the pixels of a camera that is turned back by tilts (n, 2)."""
    height, width = shape[:2]
    focal = geometry.FOCAL * max(shape[:2])
    camera = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    turns = np.stack([cv2.Rodrigues(np.array([x, y, 0.0]))[0] for x, y in tilts])
    return np.asarray(camera @ turns @ np.linalg.inv(camera))
