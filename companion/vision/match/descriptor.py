"""What a card looks like, as 96 blocks of light and colour that survive lamps and shadows.

A card is warped to 48 x 72 pixels and cut into 8 x 12 blocks of 6 x 6. A block is kept as 36 values of light,
normalised by the mean and spread of their surroundings (a shadow or a brighter lamp cancels out), and 4 x 2
ratios of colour, after the card's own white has been made white (exposure and tint cancel out). The distance
of two blocks is cut off at `FAR`, so that a thumb, a coin or a covering card costs no more than its area.
"""

from __future__ import annotations

import math
from functools import cached_property, lru_cache

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Bytes, Floats, Image

WIDTH, HEIGHT, SIDE = 48, 72, 6
COLUMNS, ROWS = WIDTH // SIDE, HEIGHT // SIDE
CELL = SIDE // 2
"""Pixels of the cells in which colour is compared."""
BLOCKS = COLUMNS * ROWS
LIGHT, COLOUR = SIDE * SIDE, 2 * (SIDE // CELL) ** 2
"""Values of light and of colour that a block has: one for each pixel, and two for each cell."""
VALUES = BLOCKS * (LIGHT + COLOUR)
"""Bytes of one card's descriptor."""

FAR = 0.55
"""Distance at which two blocks have nothing in common."""
NORMALISING_RADIUS = 4.0
"""Gaussian radius, in pixels of the 48 x 72 picture, of the surroundings that light is normalised by."""
SPREAD_FLOOR = 12.0
"""Grey levels (of 255, white card) of spread below which a surrounding counts as flat."""
GREY_WEIGHTS = np.array([0.15, 0.55, 0.30], np.float32)
WHITE, WHITE_SHARE = 230.0, 0.92
"""The level to which a card's white is brought, and the share of its pixels that are darker."""
SOFTNESS, CONTRAST = 1.3, 80.0
"""How a card out of focus is made: the Gaussian radius in pixels of the 48 x 72 picture, and the grey levels
that a normalised light of 1 stands for."""
CARDS_KEPT = 16
"""Cards of a picture that are kept for being needed again."""
COLOUR_GAINS = (0.6, 1.6)
"""How much paler or stronger than enrolled a card's colours may look."""


class RectifiedCard:
    """The card within a quad as a picture (72, 48, 3), with its planes and descriptor, made on first use."""

    def __init__(self, picture: Floats) -> None:
        self.picture = picture

    @cached_property
    def planes(self) -> tuple[Floats, Floats]:
        """The normalised light (72, 48) and the colour ratios (72, 48, 2) of the picture."""
        return normalised_planes(self.picture)

    @cached_property
    def descriptor(self) -> Bytes:
        """The descriptor (VALUES,) of the picture."""
        return pack(*self.planes)


class PicturePyramid:
    """A picture, halved again and again, out of which cards are warped at the size they are compared at."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self._levels = [image]
        self._cards: dict[bytes, RectifiedCard] = {}

    def card_at(self, quad: Floats) -> RectifiedCard:
        """The card within `quad`; a place is asked about several times in a row, so the last are kept."""
        key = quad.tobytes()
        if key not in self._cards:
            if len(self._cards) >= CARDS_KEPT:
                self._cards.clear()
            self._cards[key] = RectifiedCard(self.rectified(quad))
        return self._cards[key]

    def rectified(self, quad: Array) -> Floats:
        """The card within `quad` (pixels of the picture) as a float32 picture (72, 48, 3)."""
        return self.warped(quad, WIDTH, HEIGHT)

    def rectified_fast(self, quad: Array) -> Floats:
        """The card as `rectified` gives it, less carefully smoothed: for a first look."""
        image, small = self._at(quad, 1.4 * WIDTH)
        card = geometry.rectified(image, small, (WIDTH, HEIGHT), cv2.BORDER_REPLICATE)
        return card.astype(np.float32)

    def warped(self, quad: Array, width: int, height: int, beyond: int = cv2.BORDER_REPLICATE) -> Floats:
        """What is within `quad` as a float32 picture (height, width, 3), smoothed as it is shrunk. `beyond`:
        OpenCV's kind of border beyond the picture's edge."""
        image, small = self._at(quad, 2.0 * width)
        if geometry.width_of(small) < 1.3 * width:
            return geometry.rectified(image, small, (width, height), beyond).astype(np.float32)
        card = geometry.rectified(image, small, (2 * width, 2 * height), beyond)
        return cv2.resize(card, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)

    def _at(self, quad: Array, width: float) -> tuple[Image, Floats]:
        """The halved picture in which the quad is about so wide, and the quad in it."""
        across = max(geometry.width_of(quad), 1.0)
        level = max(0, min(6, int(math.log2(across / width) + 0.4)))
        image = self._level(level)
        return image, geometry.to_original(quad, 1 << level)

    def _level(self, level: int) -> Image:
        while len(self._levels) <= level and min(self._levels[-1].shape[:2]) >= 2:
            last = self._levels[-1]
            size = (last.shape[1] // 2, last.shape[0] // 2)
            even = last[: 2 * size[1], : 2 * size[0]]
            self._levels.append(np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), np.uint8))
        return self._levels[min(level, len(self._levels) - 1)]


def picture_of(image: Image, quad: Array, width: int, height: int) -> Image:
    """The card within `quad` as a picture of the size wanted, smoothed as its shrinking demands."""
    lengths = geometry.sides(quad)
    finer = max(1, min(6, int(max(lengths[0] + lengths[2], 1.0) / 2 / width + 0.4)))
    card = geometry.rectified(image, quad, (width * finer, height * finer), cv2.BORDER_REPLICATE)
    return card if finer == 1 else np.asarray(cv2.resize(card, (width, height), interpolation=cv2.INTER_AREA))


def describe(card: Floats) -> Bytes:
    """The descriptors (..., VALUES) of rectified cards (..., 72, 48, 3)."""
    return pack(*normalised_planes(card))


def pack(light: Floats, colour: Floats) -> Bytes:
    """The descriptors (..., VALUES) made of normalised light (..., 72, 48) and colours (..., 72, 48, 2)."""
    many = light.shape[:-2]
    half = SIDE // 2
    rows = colour[..., 0::half, :, :] + colour[..., 1::half, :, :] + colour[..., 2::half, :, :]
    cells = (rows[..., 0::half, :] + rows[..., 1::half, :] + rows[..., 2::half, :]) * (1.0 / (half * half))
    ratios = cells.reshape(*many, ROWS, 2, COLUMNS, 2, 2).swapaxes(-4, -3).reshape(*many, BLOCKS, COLOUR)
    values = np.concatenate([_cut(light), ratios], axis=-1)
    values *= 127.5
    values += 128.0
    return np.asarray(values.astype(np.uint8)).reshape(*many, VALUES)


def _cut(light: Floats) -> Floats:
    """Normalised light (..., 72, 48) cut into blocks (..., BLOCKS, LIGHT)."""
    many = light.shape[:-2]
    return light.reshape(*many, ROWS, SIDE, COLUMNS, SIDE).swapaxes(-3, -2).reshape(*many, BLOCKS, LIGHT)


def blocks_of(looks: Array) -> tuple[Array, Array]:
    """The light (..., BLOCKS, LIGHT) and the colours (..., BLOCKS, COLOUR) of descriptors (..., VALUES)."""
    blocks = looks.reshape(*looks.shape[:-1], BLOCKS, LIGHT + COLOUR)
    return blocks[..., :LIGHT], blocks[..., LIGHT:]


def normalised_planes(card: Floats, white: Floats | None = None) -> tuple[Floats, Floats]:
    """Normalised light (..., h, w) and colour ratios (..., h, w, 2) of cards (..., h, w, 3), within -1 ... 1;
    `white` are the factors that make their white white, if those are known."""
    balanced = card * (white_balance(card) if white is None else white)
    light = normalise_light(np.asarray(balanced @ GREY_WEIGHTS, np.float32))
    green = balanced[..., 1]
    scale = 1.8 / (balanced.sum(axis=-1) + 60.0)
    colour = np.empty((*card.shape[:-1], 2), np.float32)
    colour[..., 0] = (balanced[..., 2] - green) * scale
    colour[..., 1] = (balanced[..., 0] - green) * scale
    return light, np.clip(colour, -1.0, 1.0, out=colour)


def white_balance(card: Floats) -> Floats:
    """The factors (..., 1, 1, 3) that make a card's white, the level that 8 % of its pixels exceed, white."""
    many, pixels = card.shape[:-3], card.shape[-3] * card.shape[-2]
    channels = np.ascontiguousarray(np.moveaxis(card.reshape(*many, pixels, 3), -1, -2))
    darker = int(WHITE_SHARE * pixels)
    channels.partition(darker, axis=-1)
    white = channels[..., darker].reshape(*many, 1, 1, 3)
    return np.asarray(WHITE / np.maximum(white, 8.0), np.float32)


def normalise_light(grey: Floats) -> Floats:
    """Grey levels (..., h, w) less the mean of their surroundings, by their spread; within -1 ... 1."""
    mean, spread = surroundings(grey)
    light = (grey - mean) / (spread + SPREAD_FLOOR) * 0.5
    return np.asarray(np.clip(light, -1.0, 1.0, out=light), np.float32)


def surroundings(grey: Floats) -> tuple[Array, Array]:
    """The mean and the spread of the grey levels (..., h, w) round each pixel, by NORMALISING_RADIUS."""
    down, across = _smoothing_matrix(grey.shape[-2]), _smoothing_matrix(grey.shape[-1]).T
    mean = down @ grey @ across
    square = down @ (grey * grey) @ across
    return mean, np.sqrt(np.maximum(square - mean * mean, 0.0))


@lru_cache(maxsize=8)
def _smoothing_matrix(length: int) -> Floats:
    """The matrix (length, length) that smooths a line of pixels by NORMALISING_RADIUS."""
    one = np.eye(length, dtype=np.float32)
    return np.asarray(
        cv2.GaussianBlur(
            one, (1, 2 * round(4 * NORMALISING_RADIUS) + 1), NORMALISING_RADIUS, sigmaY=NORMALISING_RADIUS
        ),
        np.float32,
    )


def light_of(looks: Bytes) -> Floats:
    """The normalised light (..., 72, 48) that descriptors (..., VALUES) hold."""
    many = looks.shape[:-1]
    light = blocks_of(looks)[0].astype(np.float32)
    grid = light.reshape(*many, ROWS, COLUMNS, SIDE, SIDE).swapaxes(-3, -2)
    return np.asarray(grid.reshape(*many, HEIGHT, WIDTH) / 127.5 - 1.0, np.float32)


def colours_of(looks: Bytes) -> Floats:
    """The two colour ratios of each cell (..., 24, 16, 2) that descriptors (..., VALUES) hold."""
    many = looks.shape[:-1]
    cells = blocks_of(looks)[1].astype(np.float32)
    grid = cells.reshape(*many, ROWS, COLUMNS, 2, 2, 2).swapaxes(-4, -3)
    return np.asarray(grid.reshape(*many, 2 * ROWS, 2 * COLUMNS, 2) / 127.5 - 1.0, np.float32)


def cell_means(planes: Floats) -> Floats:
    """The means of the cells (..., h / CELL, w / CELL) of planes (..., h, w)."""
    high, wide = planes.shape[-2:]
    cells = planes.reshape(*planes.shape[:-2], high // CELL, CELL, wide // CELL, CELL)
    return np.asarray(cells.mean(axis=(-3, -1)), np.float32)


def rotated_half_turn(look: Bytes) -> Bytes:
    """The descriptors (..., VALUES) of the same cards upside down."""
    light, colour = blocks_of(look)
    cells = colour.reshape(*colour.shape[:-1], COLOUR // 2, 2)[..., ::-1, ::-1, :]
    turned = np.concatenate([light[..., ::-1, ::-1], cells.reshape(colour.shape)], axis=-1)
    return turned.reshape(look.shape)


def coarse_values(looks: Bytes) -> Floats:
    """Values of a rough comparison (..., BLOCKS, 11): light on 3 x 3 points and two colours a block."""
    many = looks.shape[:-1]
    light, colour = blocks_of(looks.astype(np.float32) * (1.0 / 127.5) - 1.0)
    light = light.reshape(*many, BLOCKS, 3, 2, 3, 2)
    points = light[..., 0, :, :] + light[..., 1, :, :]
    points = (points[..., 0] + points[..., 1]).reshape(*many, BLOCKS, 9) * (1.0 / 12.0)
    colour = colour.reshape(*many, BLOCKS, COLOUR // 2, 2).mean(axis=-2) * 0.7
    return np.asarray(np.concatenate([points, colour], axis=-1), np.float32)


def defocused(looks: Bytes) -> Bytes:
    """The descriptors (n, VALUES) of the same cards as a camera out of focus would see them."""
    greys = light_of(looks) * CONTRAST
    soft = normalise_light(np.stack([cv2.GaussianBlur(grey, (0, 0), SOFTNESS) for grey in greys]))
    light = (_cut(soft) * 127.5 + 128.0).astype(np.uint8)
    return np.concatenate([light, blocks_of(looks)[1]], axis=-1).reshape(looks.shape)


class Gallery:
    """The looks of a deck, ready to be compared with a card, each both sharp and out of focus."""

    def __init__(self, looks: Bytes) -> None:
        """`looks` are descriptors (n, VALUES)."""
        light, colour = blocks_of(looks)
        both = np.stack([light, blocks_of(defocused(looks))[0]], axis=1)
        self._light = np.ascontiguousarray(both.transpose(0, 1, 3, 2))
        self._colour = np.ascontiguousarray(colour.transpose(0, 2, 1).astype(np.float32) / 127.5 - 1.0)
        points = coarse_values(looks)
        self._rough = np.ascontiguousarray(points.reshape(len(looks), -1))
        self._squares = np.ascontiguousarray((points * points).sum(axis=2))

    def ranked(self, cards: Bytes, seen: Array | None = None) -> Floats:
        """Rough differences (m, n) of the looks from cards (m, VALUES), by the blocks `seen` (m, BLOCKS)."""
        points = coarse_values(cards)
        if seen is None:
            return np.asarray(
                self._squares.sum(axis=1) - 2.0 * (points.reshape(len(cards), -1) @ self._rough.T)
            )
        points = points * seen[..., None]
        cross = points.reshape(len(cards), -1) @ self._rough.T
        return np.asarray(seen.astype(np.float32) @ self._squares.T - 2.0 * cross, np.float32)

    def costs_of(self, cards: Bytes, looks: Array) -> Floats:
        """The costs (m, BLOCKS) of each of the cards (m, VALUES) against one look each (m,)."""
        light, colour = (part.transpose(0, 2, 1) for part in blocks_of(cards))
        return self._costs(light[:, None], colour, self._light[looks], self._colour[looks])

    def mean_costs(self, card: Bytes) -> Floats:
        """The mean cost of the card against every look, as it lies and upside down: (2, n)."""
        return np.stack([self.costs(way).mean(axis=1) for way in (card, rotated_half_turn(card))])

    def costs(self, card: Bytes, looks: Array | None = None) -> Floats:
        """Cost of every block of the card against every look, or those of `looks` (indices), sharp or out of
        focus as fits better: (n, BLOCKS), 0 same, 1 nothing in common.

        What lamps and enrolment make of saturated colours is taken out first: of both colour ratios the
        gain that fits best, within COLOUR_GAINS, over the blocks whose light agrees.
        """
        light, colour = blocks_of(card)
        theirs = self._light if looks is None else self._light[looks]
        colours = self._colour if looks is None else self._colour[looks]
        return self._costs(np.ascontiguousarray(light.T), colour.T[None], theirs, colours)

    @staticmethod
    def _costs(own: Bytes, own_colour: Bytes, theirs: Bytes, colours: Floats) -> Floats:
        """The costs (n, BLOCKS) of light (1 or n, 1, LIGHT, BLOCKS) and colour (1 or n, COLOUR, BLOCKS)
        against the light (n, 2, LIGHT, BLOCKS) and colour (n, COLOUR, BLOCKS) of looks."""
        difference = np.maximum(theirs, own) - np.minimum(theirs, own)
        both = (_ONES @ difference.astype(np.float32))[..., 0, :] * np.float32(1.0 / (LIGHT * 127.5 * FAR))
        fits = np.maximum(1.0 - both, 0.0)
        sharper = (fits * fits).sum(axis=2).argmax(axis=1)
        light = both[np.arange(len(both)), sharper]
        colour = own_colour.astype(np.float32) * (1.0 / 127.5) - 1.0
        agrees = np.clip(1.5 - 1.5 * light, 0.0, 1.0)
        gains = np.empty((len(light), COLOUR, 1), np.float32)
        for i in (0, 1):
            means = colours[:, i::2].mean(axis=1)
            gains[:, i::2] = _gain(agrees, means, colour[:, i::2].mean(axis=1))[:, None]
        away = np.abs(colours * gains - colour).sum(axis=1)
        return np.asarray(np.minimum(light + away * (1.0 / (COLOUR * FAR)), 1.0), np.float32)


_ONES = np.ones((1, LIGHT), np.float32)


def _gain(agrees: Floats, looks: Floats, own: Floats) -> Floats:
    """The factors (n, 1) that bring the colours of looks (n, BLOCKS) closest to a card's `own`."""
    weighted = agrees * looks
    cross = (weighted * own).sum(axis=1)
    square = np.sum(weighted * looks, axis=1)
    return np.asarray(np.clip((cross + 1.0) / (square + 1.0), *COLOUR_GAINS)[:, None], np.float32)
