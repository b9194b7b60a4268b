"""From where the arm came that laid a card: the side of the picture tells the players apart."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from companion.vision.image import masks
from companion.vision.image.picture import Floats
from companion.vision.tracking.change import CELL, Blob
from companion.vision.tracking.limits import seconds, shares
from companion.vision.tracking.recent_pictures import SmallPicture


def arm_direction(pictures: Iterable[SmallPicture], quad: Floats, t: float) -> float | None:
    """From where the arm came that laid the card in `quad` (4, 2), in pixels of the small picture, at the
    moment `t`, by the pictures since just before then.

    It is where the arm crosses the picture's edge, seen from the card: degrees from 0 to 360, clockwise from
    the right of the picture. None if no arm was over the card, or if another one was there as well since
    then: a hand that fidgets may have misled the date of the landing.
    """
    seen = (arm for picture in pictures if t - seconds().still <= picture.t for arm in picture.arms)
    ways = [_ways_out(arm, quad) for arm in seen if _is_over(arm, quad)]
    if not ways:
        return None
    mean = np.mean([way.mean() for way in ways])
    return None if abs(mean) < shares().agreed else math.degrees(np.angle(mean)) % 360.0


def _is_over(arm: Blob, quad: Floats) -> bool:
    """Whether an arm covers some of a card."""
    return bool((arm.cells & masks.drawn([quad / CELL], arm.cells.shape)).any())


def _ways_out(arm: Blob, quad: Floats) -> NDArray[np.complex128]:
    """The directions (complex, of length 1) from a card to the cells where an arm leaves the picture."""
    at_edge = arm.cells.copy()
    at_edge[1:-1, 1:-1] = False
    rows, columns = np.nonzero(at_edge)
    x, y = quad.mean(axis=0) / CELL
    ways = (columns + 0.5 - x) + 1j * (rows + 0.5 - y)
    return np.asarray(ways / np.maximum(np.abs(ways), 1.0))
