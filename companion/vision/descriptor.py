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


def rectified(image: Image, quad: Array, width: int = WIDTH, height: int = HEIGHT) -> Floats:
    """The card within `quad` as a float32 picture (height, width, 3), smoothed as its shrinking demands."""
    lengths = geometry.sides(quad)
    finer = max(1, min(6, int(max(lengths[0] + lengths[2], 1.0) / 2 / width + 0.4)))
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) * finer - 0.5
    matrix = geometry.homography(quad, frame)
    size = (width * finer, height * finer)
    card = cv2.warpPerspective(image, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if finer > 1:
        card = cv2.resize(card, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(card, np.float32)


def describe(card: Floats) -> Bytes:
    """The descriptor of a rectified card (72, 48, 3): VALUES bytes, per block 36 of light and 8 of colour."""
    return packed(*planes(card))


def packed(light: Floats, colour: Floats) -> Bytes:
    """The descriptor made of normalised light and colour ratios."""
    light_blocks = light.reshape(ROWS, SIDE, COLUMNS, SIDE).transpose(0, 2, 1, 3).reshape(BLOCKS, LIGHT)
    half = SIDE // 2
    cells = colour.reshape(ROWS, 2, half, COLUMNS, 2, half, 2).mean(axis=(2, 5))
    colour_blocks = cells.transpose(0, 2, 1, 3, 4).reshape(BLOCKS, COLOUR)
    values = np.concatenate([light_blocks, colour_blocks], axis=1)
    return np.asarray(np.clip(values * 127.5 + 127.5, 0, 255) + 0.5, np.uint8).ravel()


def planes(card: Floats) -> tuple[Floats, Floats]:
    """Normalised light (h, w) and colour ratios (h, w, 2) of a card, both within -1 ... 1."""
    white = np.percentile(card.reshape(-1, 3), 92, axis=0)
    balanced = card / np.maximum(white, 8.0) * 230.0
    grey = balanced @ np.array([0.15, 0.55, 0.30], np.float32)
    mean = cv2.GaussianBlur(grey, (0, 0), SPREAD)
    spread = np.sqrt(np.maximum(cv2.GaussianBlur(grey * grey, (0, 0), SPREAD) - mean * mean, 0.0))
    light = np.clip((grey - mean) / (spread + FLOOR) / 2.0, -1.0, 1.0)
    total = balanced.sum(axis=2) + 60.0
    red = (balanced[..., 2] - balanced[..., 1]) / total * 1.8
    blue = (balanced[..., 0] - balanced[..., 1]) / total * 1.8
    return np.asarray(light, np.float32), np.clip(np.stack([red, blue], axis=2), -1.0, 1.0).astype(np.float32)


class Gallery:
    """The looks of a deck, ready to be compared with a card."""

    def __init__(self, looks: Bytes) -> None:
        """`looks` are descriptors (n, VALUES)."""
        blocks = looks.reshape(len(looks), BLOCKS, LIGHT + COLOUR)
        self._light = np.ascontiguousarray(blocks[..., :LIGHT]).reshape(len(looks), BLOCKS * LIGHT)
        colour = blocks[..., LIGHT:].astype(np.float32) / 127.5 - 1.0
        self._colour = colour.reshape(len(looks), BLOCKS, COLOUR // 2, 2)

    def costs(self, card: Bytes) -> Floats:
        """Cost of every block of the card against every look: (n, BLOCKS), 0 same, 1 nothing in common.

        What lamps and enrolment make of saturated colours is taken out first: of both colour ratios the gain
        that fits best, within `GAINS`, over the blocks whose light agrees.
        """
        blocks = card.reshape(BLOCKS, LIGHT + COLOUR)
        own = np.ascontiguousarray(blocks[:, :LIGHT]).reshape(1, BLOCKS * LIGHT)
        difference = np.maximum(self._light, own) - np.minimum(self._light, own)
        summed = difference.reshape(-1, BLOCKS, LIGHT).sum(axis=2, dtype=np.uint16)
        light = summed.astype(np.float32) / (LIGHT * 127.5)
        colour = (blocks[:, LIGHT:].astype(np.float32) / 127.5 - 1.0).reshape(BLOCKS, COLOUR // 2, 2)
        agrees = np.clip(1.5 - light * (1.5 / FAR), 0.0, 1.0)
        cross = np.einsum("nb,nbcx,bcx->nx", agrees, self._colour, colour, optimize=False)
        square = np.einsum("nb,nbcx,nbcx->nx", agrees, self._colour, self._colour, optimize=False)
        gain = np.clip((cross + 1.0) / (square + 1.0), *GAINS)
        apart = np.abs(self._colour * gain[:, None, None, :] - colour).mean(axis=(2, 3))
        return np.asarray(np.minimum((light + COLOUR_WEIGHT * apart) / FAR, 1.0), np.float32)
