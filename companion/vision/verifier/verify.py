"""Whether places of a picture show enrolled cards: each is compared with the picture of the card as it was
enrolled."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Bytes, Floats
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.namer.network import CARD, HEIGHT, MARGIN, WIDTH, reference_view
from companion.vision.verifier.network import log_odds, planes_of

AROUND = geometry.UNIT + (2 * geometry.UNIT - 1) * MARGIN / np.array(CARD, np.float32)
"""Corners of what the verifier looks at, on the unit card."""


class EnrolledPictures:
    """The pictures of the cards as they were enrolled, each made again from its look when first asked for."""

    def __init__(self, looks: Bytes) -> None:
        self._looks = looks
        self._planes: dict[int, Floats] = {}

    def planes(self, look: int) -> Floats:
        """The picture of a look as the verifier takes it (6, HEIGHT, WIDTH)."""
        if look not in self._planes:
            self._planes[look] = planes_of(reference_view(self._looks[look])[None])[0]
        return self._planes[look]


def place_log_odds(
    scene: PicturePyramid, cards: EnrolledPictures, poses: Sequence[tuple[int, Floats]]
) -> Floats:
    """For each look in its quad (4, 2), from the card's own top left, the log odds (n,) that it is there and
    no other card."""
    if not poses:
        return np.zeros(0, np.float32)
    seen = planes_of(np.stack([_seen_at(scene, quad) for _, quad in poses]))
    return log_odds(seen, np.stack([cards.planes(look) for look, _ in poses]))


def _seen_at(scene: PicturePyramid, quad: Floats) -> Bytes:
    """What is in a quad and a little round it, (HEIGHT, WIDTH, 3); black beyond the picture's edge."""
    around = geometry.transform(AROUND, geometry.homography(geometry.UNIT, quad))
    seen = scene.warped(around, WIDTH, HEIGHT, cv2.BORDER_CONSTANT)
    return np.asarray(np.clip(np.rint(seen), 0, 255), np.uint8)
