"""The card finder: a small network that says where cards are seen and where their visible parts end.

It was trained on invented decks and tables (models/vision/finder) for cards about 40 pixels wide, so a
picture is looked at twice: small, to learn how large its cards are, and then at the size at which they are as
wide as that.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Floats, Image, cut_around
from companion.vision.models import shipped_network

FILE = "finder/finder.onnx"
STEP = 32
"""The network takes pictures whose sides are multiples of this."""
OTHER_SCALES = (0.7, 1.4)
"""Scales, by that of the first look, at which a picture is looked at as well: what one look takes for the
table, as a large plain part of a drawing, the others see as part of a card."""
PLACE_WIDTH = 40.0
"""Width of a place, in pixels, at the first look."""
AROUND = 0.8
"""Part of a place's height and width that is looked at beyond it on each side, to see whether a card lies
there."""
MIDDLE, SAMPLED = 0.6, (8, 10)
"""The part of it that counts, since a card beside it may lie askew, and at how many points of that across and
down the finder's map is read."""
LONGEST = 1024
"""Longer side of a picture that the network looks at, whatever the size of its cards."""


@dataclass(frozen=True, eq=False)
class PartMaps:
    """Probabilities 0 to 1 (rows, columns) that a card is seen and that a visible part ends; `scale` is the
    size of the maps divided by the picture's."""

    card: Floats
    edge: Floats
    scale: float

    def to_picture(self, points: Floats) -> Floats:
        """Points of the maps in pixels of the picture."""
        return geometry.to_original(points, self.scale)


def card_maps(image: Image, scale: float) -> PartMaps:
    """What the network sees in a picture (BGR, uint8) that is resized by `scale` for it."""
    scale = min(scale, LONGEST / max(image.shape[:2]))
    size = tuple(max(STEP, round(side * scale)) for side in image.shape[1::-1])
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    right, below = (-side % STEP for side in size)
    padded = cv2.copyMakeBorder(small, 0, below, 0, right, cv2.BORDER_REPLICATE)
    odds = shipped_network(FILE).forward(cv2.dnn.blobFromImage(padded, 1 / 255.0))[0]
    # Twice as fine: the places of edges between the pixels of the network count.
    fine = [cv2.resize(plane, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR) for plane in odds]
    card, edge = (1.0 / (1.0 + np.exp(-plane[: size[1], : size[0]])) for plane in fine)
    return PartMaps(np.asarray(card, np.float32), np.asarray(edge, np.float32), scale)


def card_seen(image: Image, quad: Floats) -> float:
    """The mean probability that a card of any deck is seen in a quad (4, 2) of a picture (BGR, uint8), by
    looks at several scales."""
    part, begin = cut_around(image, quad, AROUND)
    counted = geometry.grown(quad, MIDDLE) - begin
    scale = PLACE_WIDTH / geometry.width_of(quad)
    looks = (card_maps(part, scale * factor) for factor in (1.0, *OTHER_SCALES))
    return float(np.mean([_mean_in(maps, counted) for maps in looks]))


def _mean_in(maps: PartMaps, quad: Floats) -> float:
    """The mean probability of a card in a quad of the picture."""
    shown = geometry.to_resized(quad, maps.scale)
    matrix = geometry.homography(shown, geometry.rectangle(0, 0, *SAMPLED))
    return float(cv2.warpPerspective(maps.card, matrix, SAMPLED).mean())
