"""A card's picture is made again from its descriptor."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.match import descriptor
from companion.vision.match.descriptor import HEIGHT, WIDTH
from companion.vision.match.reconstruction import reconstruct

SIZE = (240, 360)
YELLOW = (40, 200, 235)


def test_a_picture_is_made_again_from_its_descriptor() -> None:
    card = np.full((SIZE[1], SIZE[0], 3), 245, np.uint8)
    cv2.rectangle(card, (14, 14), (SIZE[0] - 15, SIZE[1] - 15), YELLOW, -1)
    cv2.putText(card, "5", (24, 72), cv2.FONT_HERSHEY_SIMPLEX, 1.9, (245, 245, 245), 9)
    small = cv2.resize(card, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA).astype(np.float32)
    wanted = small * descriptor.white_balance(small).reshape(3)
    away = (reconstruct(descriptor.describe(small[None])[0]) - wanted)[2:-2, 2:-2]
    assert float(np.abs(away).mean()) < 12.0
    assert abs(float(np.median(away))) < 6.0
