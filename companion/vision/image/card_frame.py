"""How a straightened card lies in the picture that a network looks at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from companion.vision.image.picture import Floats


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
        width, height = self.card
        return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) + self.margin - 0.5
