"""How a straightened card lies in the picture that a network looks at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from companion.vision.image import geometry
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
        return geometry.rectangle(0, 0, *self.card) + self.margin - 0.5
