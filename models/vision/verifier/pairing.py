"""What the verifier is taught at a step: which cards a view is compared with, and how it lies upon them. The
training over many decks and the refinement on one draw it in the same way."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Bools, Floats, Image
from companion.vision.verifier.network import FRAME

OTHERS = 4
"""Other cards that each view is laid upon."""
ALIKE, NEXT = 0.75, 2.5
"""Share of those others that are chosen by how much they look like the card, and how far down the order of
likeness on average: a 3 and an 8 of one colour are what has to be told apart."""
FOREIGN = 0.12
"""Share of views that show another deck or no card."""
LEAST_VISIBLE = 0.1
"""Share of a card that a view must show."""
PRECISE, LOOSE, IS_LOOSE = 0.012, 0.04, 0.2
"""Deviations in card widths of the corners at which a view is laid upon a card: as a rule, and of loose
views, since a card that does not fit well cannot be laid more exactly; and the share of loose ones."""
IN_COLUMNS = 0.35
"""Share of the views of which only a strip sticks out from under other cards."""


def chosen_others(order: Array, rng: np.random.Generator) -> list[int]:
    """The cards, each once, that a view is laid upon although it shows another one, of all others in `order`
    (n,), most similar first."""
    near = np.minimum(rng.exponential(NEXT, OTHERS).astype(int), len(order) - 1)
    at = np.where(rng.random(OTHERS) < ALIKE, near, rng.integers(len(order), size=OTHERS))
    return sorted({int(order[index]) for index in at})


def laid(picture: Image, corners: Floats, hidden: Bools, rng: np.random.Generator) -> tuple[Image, Bools]:
    """A view as it lies upon a card, a little wrong, and what of it may show the card. `corners` (4, 2): the
    card's real corners less those that it should have, in card widths."""
    width = FRAME.card[0]
    real = FRAME.corners + width * corners
    deviation = LOOSE if rng.random() < IS_LOOSE else PRECISE
    quad = np.asarray(real + rng.normal(0, deviation, (4, 2)) * width, np.float32)
    matrix, size = geometry.homography(quad, FRAME.corners), (FRAME.width, FRAME.height)
    moved = cv2.warpPerspective(picture, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    if not hidden.any():
        return np.asarray(moved, np.uint8), ~hidden
    shown = cv2.warpPerspective((~hidden).astype(np.uint8), matrix, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8), np.asarray(shown > 0)
