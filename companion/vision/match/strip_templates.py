"""The looks of a deck, ready to be compared pixel by pixel with the part of a card that is visible, such as
what sticks out from under another.

The blocks of the descriptor are too coarse for the corner of a covered card, whose number is five pixels
wide. Here light and colours are compared with the looks as they are, after the gain that fits best. Of a
strip only the first rows are seen. So those of every look, as it lies and upside down, sharp and out of
focus, are held as rows of a table, and a place of the strip is compared with all looks by a few products of
matrices.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image.picture import Array, Bytes, Floats
from companion.vision.match.descriptor import (
    COLUMNS,
    HEIGHT,
    ROWS,
    WIDTH,
    RectifiedCard,
    cell_means,
    colours_of,
    defocused,
    light_of,
)
from companion.vision.match.limits import StripLimits
from companion.vision.match.suppression import weights_beside_cover

ALL = slice(None)
"""All entries of StripTemplates."""


@dataclass(frozen=True)
class StripSample:
    """What n places show: light (n, pixels), both colours (n, 2, cells), how much each pixel (n, pixels) and
    each cell (n, cells) counts, summing up to 1 and to the weight of colour, and the share of a card that is
    seen."""

    light: Floats
    colour: Floats
    light_weights: Floats
    colour_weights: Floats
    area: Floats

    def total(self) -> Floats:
        """How much there is to explain (n,)."""
        light = (self.light**2 * self.light_weights).sum(axis=1)
        return np.asarray(light + (self.colour**2 * self.colour_weights[:, None]).sum(axis=(1, 2)))


class StripTemplates:
    """The looks of a deck to compare strips with, each as it lies and upside down, sharp and soft."""

    def __init__(self, looks: Bytes, cards: Array) -> None:
        """`looks` are descriptors (n, VALUES), `cards[i]` the card that look i shows."""
        count = len(looks)
        both = np.concatenate([looks, defocused(looks)])
        light, colour = light_of(both), np.moveaxis(colours_of(both), -1, 0)
        self._light = np.concatenate([light, light[:, ::-1, ::-1]]).reshape(4 * count, -1)
        self._colour = np.concatenate([colour, colour[:, :, ::-1, ::-1]], axis=1).reshape(2, 4 * count, -1)
        self._light_squares, self._colour_squares = self._light**2, self._colour**2
        self.look_of_entry = np.tile(np.arange(count), 4)
        """The look of each entry."""
        self.cards = np.tile(cards, 4)
        """The card of each entry."""
        self.is_upside_down = np.repeat([False, True], 2 * count)
        """Whether each entry lies upside down."""

    def residuals(
        self, shown: StripSample, limits: StripLimits, entries: Array | slice = ALL
    ) -> tuple[Floats, Floats]:
        """What each entry leaves unexplained of n places (n, entries), and all there is to explain (n,)."""
        pixels, cells = shown.light.shape[1], shown.colour.shape[2]
        light, squares = self._light[entries, :pixels], self._light_squares[entries, :pixels]
        left = _residuals(shown.light, shown.light_weights, light, squares, (limits.palest_light, np.inf))
        gains = limits.palest_colour, limits.strongest_colour
        for i in (0, 1):
            colour, squares = self._colour[i][entries, :cells], self._colour_squares[i][entries, :cells]
            left += _residuals(shown.colour[:, i], shown.colour_weights, colour, squares, gains)
        return left, shown.total()

    def fit(self, card: RectifiedCard, visible: Array, look: int, limits: StripLimits) -> float:
        """The share of the pattern in the visible blocks (BLOCKS,) of a card that a look explains."""
        grid = visible.reshape(ROWS, COLUMNS).astype(np.float32)
        mask = np.asarray(cv2.resize(grid, (WIDTH, HEIGHT), interpolation=cv2.INTER_NEAREST), np.float32)
        light, colour = card.planes
        shown = sample_strip(light[None], colour[None], weights_beside_cover(mask)[None], limits)
        left, total = self.residuals(shown, limits, np.array([look, look + len(self.cards) // 4]))
        return 1.0 - float(left.min()) / max(float(total[0]), 1e-6)


def sample_strip(light: Floats, colour: Floats, seen: Floats, limits: StripLimits) -> StripSample:
    """What is seen of places: light (n, rows, WIDTH), colours (n, rows, WIDTH, 2) and how much of every pixel
    (n, rows, WIDTH), 0 to 1; `rows` is a multiple of CELL."""
    many = len(light)
    weights = seen.reshape(many, -1)
    area = weights.sum(axis=1)
    cells = cell_means(seen).reshape(many, -1)
    cells = cells * (limits.colour_weight / np.maximum(cells.sum(axis=1, keepdims=True), 1e-6))
    return StripSample(
        light.reshape(many, -1),
        np.stack([cell_means(colour[..., i]).reshape(many, -1) for i in (0, 1)], axis=1),
        weights / np.maximum(area, 1e-6)[:, None],
        np.asarray(cells, np.float32),
        area / (WIDTH * HEIGHT),
    )


def _residuals(
    own: Floats, weights: Floats, looks: Floats, squares: Floats, gains: tuple[float, float]
) -> Floats:
    """What looks (m, values), each with its best gain, leave of what was seen (n, values): (n, m)."""
    weighted = weights * own
    cross, square = weighted @ looks.T, weights @ squares.T
    gain = np.clip((cross + 1e-3) / (square + 1e-3), *gains)
    whole = (weighted * own).sum(axis=1)[:, None]
    return np.asarray(whole - 2.0 * gain * cross + gain * gain * square, np.float32)
