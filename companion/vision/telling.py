"""Which card a visible strip belongs to, told pixel by pixel.

The blocks of the descriptor are too coarse for the corner of a covered card, whose number is five pixels wide
there. Here the strip's light and colours are compared with every look as they are, after the gain that fits
best, and the winner is measured against each other card by where between the two the strip lies: 1 if it is
as the winner says, -1 if it is as the other one says (the linear discriminant of two known signals in white
noise; e.g. Kay, "Fundamentals of Statistical Signal Processing II", 1998, section 4). Pixels next to what
covers the card count less, because light is normalised by its surroundings.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.descriptor import (
    BLOCKS,
    COLOUR,
    COLUMNS,
    HEIGHT,
    LIGHT,
    ROWS,
    SIDE,
    VALUES,
    WIDTH,
    planes,
    softened,
)
from companion.vision.picture import Array, Bytes, Floats

LIGHT_GAINS = (0.55, 1.5)
COLOUR_GAINS = (0.6, 1.6)
COLOUR_WORTH = 0.8
"""What a difference of colour counts against one of light, over the same area."""
NEAR_COVER = 2.5
"""Gaussian radius in pixels (of 48 x 72) within which a cover spoils what is seen beside it."""
LIKE = 12
"""Looks that the winner is measured against."""
RIVALS = 3


@dataclass(frozen=True)
class Told:
    """What a strip shows: the look, how much of the strip it explains (1 all, 0 nothing) and its lead over
    the
    closest look of another card (1 as this one says, -1 as that one says). `rivals` are the closest ones."""

    look: int
    fit: float
    lead: float
    rivals: tuple[int, ...]


@dataclass(frozen=True)
class Compared:
    """What n looks leave unexplained of a card's `total` (n,), and the looks as they came closest: light and
    both colours, each (n, values) and in the order of the card, so that reversed they are those of the card
    turned round."""

    left: Floats
    fitted: tuple[Floats, Floats, Floats]
    total: float

    def apart(self, other: Compared, *, turned: bool = False) -> Floats:
        """How much each look of `other` (n,) differs from the first one here; `turned` if those were compared
        with the card turned round."""
        way = -1 if turned else 1
        parts = zip(self.fitted, other.fitted, strict=True)
        return np.asarray(sum(((theirs[:, ::way] - own[0]) ** 2).sum(axis=1) for own, theirs in parts))


class Teller:
    """The looks of a deck, sharp and out of focus, ready to be compared with strips."""

    def __init__(self, looks: Bytes, cards: Array) -> None:
        """`looks` are descriptors (n, VALUES), `cards[i]` the card that look i shows."""
        self._cards = np.concatenate([cards, cards])
        blocks = np.concatenate([looks, softened(looks)]).reshape(-1, BLOCKS, LIGHT + COLOUR)
        values = blocks.astype(np.float32) * (1.0 / 127.5) - 1.0
        light = values[..., :LIGHT].reshape(-1, ROWS, COLUMNS, SIDE, SIDE).swapaxes(2, 3)
        self._light: Floats = light.reshape(-1, HEIGHT * WIDTH)
        colour = values[..., LIGHT:].reshape(-1, BLOCKS, COLOUR // 2, 2).transpose(3, 0, 1, 2)
        self._colour: Floats = np.ascontiguousarray(colour.reshape(2, len(values), -1))
        assert looks.shape[1] == VALUES

    def tell(self, card: Floats, bare: Array, among: Array | None = None, known: int | None = None) -> Told:
        """Which card the bare blocks (BLOCKS,) of a rectified picture (72, 48, 3) belong to; of all looks or
        those `among` (indices). `known` is the look to be measured against the others, if that is settled."""
        count = len(self._cards) // 2
        chosen = np.arange(2 * count) if among is None else np.concatenate([among, among + count])
        return self._verdict(self._compared(card, bare, chosen), chosen, known)

    def compared(self, card: Floats, bare: Array, looks: Array) -> Compared:
        """The bare blocks of a rectified picture compared with looks (n,), each sharp or soft as fits; left
        and total as shares of the total."""
        count = len(looks)
        both = self._compared(card, bare, np.concatenate([looks, looks + len(self._cards) // 2]))
        best = np.arange(count) + count * (both.left[count:] < both.left[:count])
        total = max(both.total, 1e-6)
        light, one, two = (part[best] / np.sqrt(total) for part in both.fitted)
        return Compared(both.left[best] / total, (light, one, two), 1.0)

    def _compared(self, card: Floats, bare: Array, chosen: Array) -> Compared:
        light, colour = planes(card)
        weight = _weights(bare)
        pixels = np.flatnonzero(weight.ravel() > 0.02)
        w = weight.ravel()[pixels]
        w = w / w.sum()
        own, looks = light.ravel()[pixels], self._light[chosen[:, None], pixels]
        left, fitted = [], []
        gained = _gained(own, looks, w, LIGHT_GAINS)
        left.append(((own - gained) ** 2) @ w)
        fitted.append(gained * np.sqrt(w))
        total = float((own * own) @ w)
        cells = np.flatnonzero(np.repeat(bare, COLOUR // 2))
        share = np.full(len(cells), COLOUR_WORTH / len(cells), np.float32)
        for channel in (0, 1):
            seen = _cells(colour[..., channel])[cells]
            gained = _gained(seen, self._colour[channel][chosen[:, None], cells], share, COLOUR_GAINS)
            left.append(((seen - gained) ** 2) @ share)
            fitted.append(gained * np.sqrt(share))
            total += float((seen * seen) @ share)
        return Compared(np.sum(left, axis=0), (fitted[0], fitted[1], fitted[2]), total)

    def _verdict(self, compared: Compared, chosen: Array, known: int | None) -> Told:
        """Which of the looks `chosen` explains most, or `known` if that is settled."""
        left, fitted, total = compared.left, np.concatenate(compared.fitted, axis=1), compared.total
        looks, cards = len(self._cards) // 2, self._cards[chosen]
        own = np.arange(len(chosen)) if known is None else np.flatnonzero(chosen % looks == known)
        best = int(own[left[own].argmin()])
        others = [i for i in np.argsort(left)[: 4 * LIKE] if cards[i] != cards[best]][:LIKE]
        leads = []
        for other in others:
            apart = float(((fitted[other] - fitted[best]) ** 2).sum())
            leads.append(float(left[other] - left[best]) / max(apart, 1e-6))
        closest = dict.fromkeys(int(chosen[others[int(i)]]) % looks for i in np.argsort(leads)[:RIVALS])
        fit = 1.0 - float(left[best]) / max(total, 1e-6)
        return Told(int(chosen[best]) % looks, fit, min(leads, default=1.0), tuple(closest))


def _gained(own: Floats, looks: Floats, weight: Floats, gains: tuple[float, float]) -> Floats:
    """The looks (n, values), each times the gain that brings it closest to what was seen (values,)."""
    weighted = looks * weight
    cross, square = weighted @ own, (weighted * looks).sum(axis=1)
    return np.asarray(looks * np.clip((cross + 1e-3) / (square + 1e-3), *gains)[:, None], np.float32)


def _cells(plane: Floats) -> Floats:
    """The means of 3 x 3 pixels of a plane (72, 48), in the order of the descriptor."""
    half = SIDE // 2
    cells = plane.reshape(HEIGHT // half, half, WIDTH // half, half).mean(axis=(1, 3))
    blocks = cells.reshape(ROWS, 2, COLUMNS, 2).swapaxes(1, 2)
    return np.asarray(blocks.reshape(-1), np.float32)


def _weights(bare: Array) -> Floats:
    """How much each pixel (72, 48) counts: fully in the bare blocks, less beside those that are covered."""
    grid = bare.reshape(ROWS, COLUMNS).astype(np.float32)
    mask = cv2.resize(grid, (WIDTH, HEIGHT), interpolation=cv2.INTER_NEAREST)
    near = cv2.GaussianBlur(mask, (0, 0), NEAR_COVER, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(mask * np.clip(2.0 * near - 1.0, 0.0, 1.0), np.float32)
