"""Compares the visible part of a card with every look, pixel by pixel.

The blocks of the descriptor are too coarse for the corner of a covered card, whose number is five pixels
wide. Here light and colours are compared with every look as they are, after the gain that fits best. The
winner is compared with each other card by the position of the visible part between the two: 1 as the winner,
-1 as the other (linear discriminant of two known signals in white noise; e.g. Kay, "Fundamentals of
Statistical Signal Processing II", 1998, section 4). Pixels beside a cover count less, because light is
normalised by its surroundings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image.picture import Array, Bytes, Floats
from companion.vision.match.descriptor import (
    COLOUR_GAINS,
    COLUMNS,
    HEIGHT,
    ROWS,
    VALUES,
    WIDTH,
    RectifiedCard,
    cells_of,
    colours_of,
    defocused,
    light_of,
)

LIGHT_GAINS = (0.55, 1.5)
COLOUR_WEIGHT = 0.8
"""What a difference of colour counts against one of light, over the same area."""
COVER_RADIUS = 2.5
"""Gaussian radius in pixels (of 48 x 72) within which a cover spoils what is seen beside it."""
RIVALS_COMPARED = 12
"""Looks that the winner is measured against."""


@dataclass(frozen=True)
class PixelMatch:
    """How a look compares with what is seen: how much of that it explains (1 all, 0 nothing) and its lead
    over the closest look of another card (1: like this one, -1: like that one)."""

    fit: float
    lead: float


@dataclass(frozen=True, eq=False)
class _Plane:
    """What is seen of light or of one colour: values (n,), where they are in the looks' tables (n,), how much
    each counts (n,), and the bounds of the gain."""

    own: Floats
    at: Array
    weight: Floats
    gains: tuple[float, float]


@dataclass(frozen=True, eq=False)
class _Residuals:
    """What m looks leave unexplained (m,) of a total, each times the gain that suits it best: planes, the
    looks there (m, n) and their gains (m,)."""

    left: Floats
    total: float
    parts: list[tuple[_Plane, Floats, Floats]]

    @staticmethod
    def of(pairs: Sequence[tuple[_Plane, Floats]]) -> _Residuals:
        left, total, parts = [], 0.0, []
        for plane, looks in pairs:
            weighted = plane.weight * plane.own
            cross, square = looks @ weighted, (looks * looks) @ plane.weight
            gain = np.asarray(np.clip((cross + 1e-3) / (square + 1e-3), *plane.gains), np.float32)
            whole = float(weighted @ plane.own)
            left.append(whole - 2.0 * gain * cross + gain * gain * square)
            total += whole
            parts.append((plane, looks, gain))
        return _Residuals(np.asarray(np.sum(left, axis=0), np.float32), total, parts)

    def fitted(self, which: Array) -> tuple[Floats, Floats, Floats]:
        """Some looks as they come closest, light and both colours, so that squared distances count."""
        light, one, two = (
            np.asarray(looks[which] * gain[which, None] * np.sqrt(plane.weight), np.float32)
            for plane, looks, gain in self.parts
        )
        return light, one, two


class PixelMatcher:
    """The looks of a deck, sharp and out of focus, ready to be compared with strips."""

    def __init__(self, looks: Bytes, cards: Array) -> None:
        """`looks` are descriptors (n, VALUES), `cards[i]` the card that look i shows."""
        self._cards = np.concatenate([cards, cards])
        both = np.concatenate([looks, defocused(looks)])
        self._light: Floats = light_of(both).reshape(len(both), -1)
        self._colour: Floats = np.moveaxis(colours_of(both), -1, 0).reshape(2, len(both), -1)
        assert looks.shape[1] == VALUES

    def match(self, card: RectifiedCard, visible: Array, among: Array, look: int) -> PixelMatch:
        """How well a look fits the visible blocks (BLOCKS,) of what is in a quad, and its lead over the looks
        `among` (indices, its own included) of other cards."""
        count = len(self._cards) // 2
        chosen = np.concatenate([among, among + count])
        compared = self._residuals(self._sample(card, visible), chosen)
        left, cards = compared.left, self._cards[chosen]
        own = np.flatnonzero(chosen % count == look)
        best = int(own[left[own].argmin()])
        others = [i for i in np.argsort(left) if cards[i] != cards[best]][:RIVALS_COMPARED]
        fitted = np.concatenate(compared.fitted(np.array([best, *others])), axis=1)
        apart = np.maximum(((fitted[1:] - fitted[0]) ** 2).sum(axis=1), 1e-6)
        leads = (left[others] - left[best]) / apart
        fit = 1.0 - float(left[best]) / max(compared.total, 1e-6)
        return PixelMatch(fit, float(leads.min()) if len(others) else 1.0)

    def residual(self, card: RectifiedCard, visible: Array, look: int) -> float:
        """The share of the pattern of the visible blocks (BLOCKS,) of what is in a quad that a look, sharp or
        soft as fits, leaves unexplained."""
        chosen = np.array([look, look + len(self._cards) // 2])
        both = self._residuals(self._sample(card, visible), chosen)
        return float(both.left.min()) / max(both.total, 1e-6)

    def _sample(self, card: RectifiedCard, visible: Array) -> tuple[_Plane, _Plane, _Plane]:
        """Light and both colours of the visible blocks of what is in a quad."""
        light, colour = card.planes[0], card.cell_colours
        weight = _pixel_weights(visible).ravel()
        pixels = np.flatnonzero(weight > 0.02)
        w = weight[pixels]
        cells = np.flatnonzero(cells_of(visible))
        share = np.full(len(cells), COLOUR_WEIGHT / len(cells), np.float32)
        one, two = (_Plane(colour[..., i].ravel()[cells], cells, share, COLOUR_GAINS) for i in (0, 1))
        return _Plane(light.ravel()[pixels], pixels, w / w.sum(), LIGHT_GAINS), one, two

    def _table(self, plane: int) -> Floats:
        return self._light if plane == 0 else self._colour[plane - 1]

    def _residuals(self, seen: tuple[_Plane, _Plane, _Plane], chosen: Array) -> _Residuals:
        tables = enumerate(seen)
        return _Residuals.of([(plane, self._table(i)[chosen[:, None], plane.at]) for i, plane in tables])


def _pixel_weights(visible: Array) -> Floats:
    """How much each pixel (72, 48) counts: fully in the bare blocks, less beside those that are covered."""
    grid = visible.reshape(ROWS, COLUMNS).astype(np.float32)
    mask = cv2.resize(grid, (WIDTH, HEIGHT), interpolation=cv2.INTER_NEAREST)
    near = cv2.GaussianBlur(mask, (0, 0), COVER_RADIUS, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(mask * np.clip(2.0 * near - 1.0, 0.0, 1.0), np.float32)
