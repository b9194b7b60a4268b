"""How a straightened card lies in the picture that a network looks at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Floats, Image

AROUND = 128.0
"""Grey level round an enrolled card, whose surroundings are unknown."""


@dataclass(frozen=True)
class CardFrame:
    """`width` and `height` of the picture, in pixels, and the `margin` round the card on each side."""

    width: int
    height: int
    margin: int

    @property
    def card(self) -> tuple[int, int]:
        """Width and height of the card itself."""
        return self.width - 2 * self.margin, self.height - 2 * self.margin

    @cached_property
    def corners(self) -> Floats:
        """The card's corners in the picture (4, 2), from its top left."""
        return geometry.rectangle(0, 0, *self.card) + self.margin - 0.5

    @cached_property
    def around(self) -> Floats:
        """The corners of the picture (4, 2) on the unit card."""
        beyond = self.margin / np.array(self.card, np.float32)
        return np.asarray(geometry.UNIT + (2 * geometry.UNIT - 1) * beyond, np.float32)

    def framed(self, card: Floats) -> Image:
        """The picture (height, width, 3) of an enrolled card, made from one of any size."""
        view = np.full((self.height, self.width, 3), AROUND, np.float32)
        inner = slice(self.margin, -self.margin)
        view[inner, inner] = cv2.resize(card, self.card, interpolation=cv2.INTER_AREA)
        return np.asarray(np.clip(view, 0, 255), np.uint8)
