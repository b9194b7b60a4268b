"""Whether places of a picture show enrolled cards: each is compared with the card as it was enrolled."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Bools, Bytes, Floats
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.match.suppression import ExplainedMap
from companion.vision.verifier.enrolled import EnrolledCards
from companion.vision.verifier.network import FRAME, features_of


def place_log_odds(
    scene: PicturePyramid,
    cards: EnrolledCards,
    poses: Sequence[tuple[int, Floats]],
) -> Floats:
    """For each look in its quad (4, 2), from the card's own top left, the log odds (n,) that it is there and
    no other card."""
    if not poses:
        return np.zeros(0, np.float32)
    quads = {id(quad): quad for _, quad in poses}  # many cards are laid upon one quad
    numbers = {name: number for number, name in enumerate(quads)}
    shown = [seen_at(scene, quad) for quad in quads.values()]
    seen = features_of(np.stack([one for one, _ in shown]), np.stack([visible for _, visible in shown]))
    places = [numbers[id(quad)] for _, quad in poses]
    return cards.log_odds(seen[places], [look for look, _ in poses])


def seen_at(
    scene: PicturePyramid, quad: Floats, explained: ExplainedMap | None = None
) -> tuple[Bytes, Bools]:
    """What is in a quad and a little round it (FRAME.height, FRAME.width, 3), and where that is not beyond
    the picture's edge or `explained`."""
    around = geometry.transform(FRAME.around, geometry.homography(geometry.UNIT, quad))
    size = (FRAME.width, FRAME.height)
    seen = scene.warped(around, *size, cv2.BORDER_CONSTANT)
    rows, columns = scene.image.shape[:2]
    if around.min() >= 0 and (around <= (columns - 1, rows - 1)).all():
        visible = np.ones(size[::-1], bool)
    else:
        inside = geometry.homography(around, geometry.whole(*size))
        visible = cv2.warpPerspective(np.ones((rows, columns), np.uint8), inside, size) > 0
    if explained is not None:
        visible = visible & explained.visible_within(around, size)
    return np.asarray(np.clip(np.rint(seen), 0, 255), np.uint8), np.asarray(visible)
