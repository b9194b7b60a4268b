"""The picture of a card that came or went shows which card it is about."""

import cv2
import numpy as np
import pytest

from companion.core.observations import Landing, Removal, Sighting
from companion.evidence.photos import Photos
from companion.senses.annotated_pictures import AnnotatedPictures

CARD = Sighting("green 4", 0.9, ((300.0, 200.0), (360.0, 200.0), (360.0, 290.0), (300.0, 290.0)))
GREY = np.full((480, 640, 3), 128, np.uint8)


def shown(seen: Landing | Removal) -> np.ndarray:
    photos = Photos()
    jpeg = photos.get(AnnotatedPictures(photos).keep(GREY, seen))
    assert jpeg is not None
    return cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)


@pytest.mark.parametrize("kind", [Landing, Removal])
def test_the_outline_of_the_card_is_drawn(kind: type[Landing | Removal]) -> None:
    picture = shown(kind(1.0, "display:Jo", CARD)).astype(int)
    scale = picture.shape[1] / 640
    changed = np.abs(picture - 128).max(axis=2) > 40
    edge, middle = (round(330 * scale), round(200 * scale)), (round(330 * scale), round(245 * scale))
    assert changed[edge[1] - 3 : edge[1] + 4, edge[0]].any()
    assert not changed[middle[1] - 8 : middle[1] + 8, middle[0] - 8 : middle[0] + 8].any()
    assert not changed[: round(150 * scale)].any()


def test_a_card_without_a_name_is_not_outlined() -> None:
    assert np.abs(shown(Landing(1.0, "pile", None)).astype(int) - 128).max() < 10
    assert (GREY == 128).all(), "the picture itself is not drawn on"
