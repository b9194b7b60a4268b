"""What a card looks like, as 96 blocks of light and colour that survive lamps and shadows.

A card is warped to 48 x 72 pixels and cut into 8 x 12 blocks of 6 x 6. Of each block stay 36 values of light,
normalised by the mean and spread of their surroundings (a shadow or a brighter lamp cancels out), and 4 x 2
ratios of colour, after the card's own white has been made white (exposure and tint cancel out). The distance
of two blocks is cut off at `FAR`, so that a thumb, a coin or a covering card costs no more than its area.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision import geometry
from companion.vision.picture import Array, Bytes, Floats, Image

WIDTH, HEIGHT, SIDE = 48, 72, 6
COLUMNS, ROWS = WIDTH // SIDE, HEIGHT // SIDE
BLOCKS = COLUMNS * ROWS
LIGHT, COLOUR = SIDE * SIDE, 8
VALUES = BLOCKS * (LIGHT + COLOUR)
"""Bytes of one card's descriptor."""

FAR = 0.55
"""Distance at which two blocks have nothing in common."""
SPREAD = 4.0
"""Gaussian radius, in pixels of the 48 x 72 picture, of the surroundings that light is normalised by."""
FLOOR = 12.0
"""Grey levels (of 255, white card) of spread below which a surrounding counts as flat."""
COLOUR_WEIGHT = 1.0
GAINS = (0.6, 1.6)
"""How much paler or stronger than enrolled a card's colours may look."""


class Scene:
    """A picture, halved again and again, out of which cards are warped at the size they are compared at."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self._levels = [image]

    def rectified(self, quad: Array) -> Floats:
        """The card within `quad` (pixels of the picture) as a float32 picture (72, 48, 3)."""
        return self.warped(quad, WIDTH, HEIGHT)

    def warped(self, quad: Array, width: int, height: int) -> Floats:
        """What lies within `quad` as a float32 picture (height, width, 3), smoothed as it is shrunk."""
        lengths = geometry.sides(quad)
        across = max(float(lengths[0] + lengths[2]) / 2, 1.0)
        level = max(0, min(6, int(np.log2(across / (2.0 * width)) + 0.4)))
        image = self._level(level)
        small = (quad + 0.5) / (1 << level) - 0.5
        if across / (1 << level) < 1.3 * width:
            return _warped(image, small, width, height)
        card = _warped(image, small, 2 * width, 2 * height)
        return np.asarray(cv2.resize(card, (width, height), interpolation=cv2.INTER_AREA), np.float32)

    def _level(self, level: int) -> Image:
        while len(self._levels) <= level and min(self._levels[-1].shape[:2]) >= 2:
            last = self._levels[-1]
            size = (last.shape[1] // 2, last.shape[0] // 2)
            even = last[: 2 * size[1], : 2 * size[0]]
            self._levels.append(np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), np.uint8))
        return self._levels[min(level, len(self._levels) - 1)]


def _warped(image: Image, quad: Array, width: int, height: int) -> Floats:
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    matrix = geometry.homography(quad, frame)
    flags = cv2.INTER_LINEAR
    card = cv2.warpPerspective(image, matrix, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(card, np.float32)


def picture_of(image: Image, quad: Array, width: int, height: int) -> Image:
    """The card within `quad` as a picture of the size wanted, smoothed as its shrinking demands."""
    lengths = geometry.sides(quad)
    finer = max(1, min(6, int(max(lengths[0] + lengths[2], 1.0) / 2 / width + 0.4)))
    card = _warped(image, quad, width * finer, height * finer)
    if finer > 1:
        card = np.asarray(cv2.resize(card, (width, height), interpolation=cv2.INTER_AREA), np.float32)
    return np.asarray(card + 0.5, np.uint8)


def describe(card: Floats) -> Bytes:
    """The descriptor of a rectified card (72, 48, 3): VALUES bytes, per block 36 of light and 8 of colour."""
    return packed(*planes(card))


def packed(light: Floats, colour: Floats) -> Bytes:
    """The descriptor made of normalised light and colour ratios."""
    light_blocks = light.reshape(ROWS, SIDE, COLUMNS, SIDE).transpose(0, 2, 1, 3).reshape(BLOCKS, LIGHT)
    half = SIDE // 2
    cells = cv2.resize(colour, (WIDTH // half, HEIGHT // half), interpolation=cv2.INTER_AREA)
    colour_blocks = cells.reshape(ROWS, 2, COLUMNS, 2, 2).transpose(0, 2, 1, 3, 4).reshape(BLOCKS, COLOUR)
    values = np.concatenate([light_blocks, colour_blocks], axis=1)
    return np.asarray(np.clip(values * 127.5 + 127.5, 0, 255) + 0.5, np.uint8).ravel()


def planes(card: Floats) -> tuple[Floats, Floats]:
    """Normalised light (h, w) and colour ratios (h, w, 2) of a card, both within -1 ... 1."""
    rank = int(0.92 * card.shape[0] * card.shape[1])
    white = np.partition(card.reshape(-1, 3).T.copy(), rank, axis=1)[:, rank]
    balanced = card / np.maximum(white, 8.0) * 230.0
    grey = balanced @ np.array([0.15, 0.55, 0.30], np.float32)
    mean = cv2.GaussianBlur(grey, (0, 0), SPREAD)
    spread = np.sqrt(np.maximum(cv2.GaussianBlur(grey * grey, (0, 0), SPREAD) - mean * mean, 0.0))
    light = np.clip((grey - mean) / (spread + FLOOR) / 2.0, -1.0, 1.0)
    total = balanced.sum(axis=2) + 60.0
    red = (balanced[..., 2] - balanced[..., 1]) / total * 1.8
    blue = (balanced[..., 0] - balanced[..., 1]) / total * 1.8
    return np.asarray(light, np.float32), np.clip(np.stack([red, blue], axis=2), -1.0, 1.0).astype(np.float32)


def turned(look: Bytes) -> Bytes:
    """The descriptor of the same card the other way up."""
    blocks = look.reshape(BLOCKS, LIGHT + COLOUR)[::-1]
    light = blocks[:, :LIGHT][:, ::-1]
    colour = blocks[:, LIGHT:].reshape(BLOCKS, COLOUR // 2, 2)[:, ::-1].reshape(BLOCKS, COLOUR)
    return np.ascontiguousarray(np.concatenate([light, colour], axis=1)).ravel()


class Gallery:
    """The looks of a deck, ready to be compared with a card."""

    def __init__(self, looks: Bytes) -> None:
        """`looks` are descriptors (n, VALUES)."""
        blocks = looks.reshape(len(looks), BLOCKS, LIGHT + COLOUR)
        self._light = np.ascontiguousarray(blocks[..., :LIGHT].transpose(2, 0, 1))
        colour = blocks[..., LIGHT:].transpose(2, 0, 1).astype(np.float32) / 127.5 - 1.0
        self._colour = np.ascontiguousarray(colour)
        self._red = np.ascontiguousarray(colour[0::2].mean(axis=0))
        self._blue = np.ascontiguousarray(colour[1::2].mean(axis=0))

    def costs(self, card: Bytes) -> Floats:
        """Cost of every block of the card against every look: (n, BLOCKS), 0 same, 1 nothing in common.

        What lamps and enrolment make of saturated colours is taken out first: of both colour ratios the
        gain that fits best, within `GAINS`, over the blocks whose light agrees.
        """
        blocks = card.reshape(BLOCKS, LIGHT + COLOUR)
        own = np.ascontiguousarray(blocks[:, :LIGHT].T)[:, None, :]
        difference = np.maximum(self._light, own) - np.minimum(self._light, own)
        light = difference.sum(axis=0, dtype=np.uint16).astype(np.float32) * (1.0 / (LIGHT * 127.5 * FAR))
        colour = blocks[:, LIGHT:].T.astype(np.float32) / 127.5 - 1.0
        agrees = np.clip(1.5 - 1.5 * light, 0.0, 1.0)
        reddish = _gain(agrees, self._red, colour[0::2].mean(axis=0))
        blueish = _gain(agrees, self._blue, colour[1::2].mean(axis=0))
        cost = light
        weight = COLOUR_WEIGHT / (COLOUR * FAR)
        for i in range(COLOUR):
            gain = blueish if i % 2 else reddish
            cost += np.abs(self._colour[i] * gain - colour[i]) * weight
        return np.asarray(np.minimum(cost, 1.0), np.float32)


def _gain(agrees: Floats, looks: Floats, own: Floats) -> Floats:
    """The factor (n, 1) by which the colour of each look (n, BLOCKS) comes closest to the card's own."""
    weighted = agrees * looks
    cross = weighted @ own
    square = np.sum(weighted * looks, axis=1)
    return np.asarray(np.clip((cross + 1.0) / (square + 1.0), *GAINS)[:, None], np.float32)
