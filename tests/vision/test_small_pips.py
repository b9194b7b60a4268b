"""Where pips are found in a small picture, which is enlarged before it is looked through."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.dice.limits import dice_limits
from companion.vision.dice.pips import find_pips


@pytest.mark.parametrize("size", [(90, 160), (180, 320), (480, 640), (960, 1280)])
def test_a_pip_lies_where_it_was_drawn_however_far_its_picture_is_enlarged(size: tuple[int, int]) -> None:
    fine, radius = 8, 3.0
    x, y = size[1] / 2 + 0.25, size[0] / 2 - 0.25
    large = np.full((size[0] * fine, size[1] * fine, 3), 215, np.uint8)
    at = (round((x + 0.5) * fine - 0.5), round((y + 0.5) * fine - 0.5))
    cv2.circle(large, at, round(radius * fine), (40, 40, 40), -1)
    pips = find_pips(cv2.resize(large, size[::-1], interpolation=cv2.INTER_AREA), dice_limits().pips)
    assert len(pips) == 1
    assert pips.at[0].tolist() == pytest.approx([x, y], abs=0.15)
