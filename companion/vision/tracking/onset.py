"""Finds when a card landed by going back through the pictures since its place began to change.

A landing is noticed after the hand has gone, but happened before. The card as it lies now is searched in each
earlier picture: it had landed if it stood within about a millimetre of its place (normalised correlation) and
the picture resembles it more than what lay there before, over the parts that no hand covers.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Bytes, Floats
from companion.vision.tracking.alignment import warped

KEPT_S = 4.0
"""Seconds of pictures that are kept."""
CARD_HEIGHT = 66
"""Pixels of the card's height when it is compared."""
MARGIN = 8
"""Pixels round it in which it is looked for."""
LARGEST_OFFSET = 2.9
"""Pixels within which a rough search must find it."""
BEST_AGREEMENT = 0.97
"""At its place a card agrees in so much of the pixels that agree a pixel away."""
SAME_LEVELS = 20.0
"""Levels within which a pixel is the same."""
DISTINCT_LEVELS = 24.0
"""Levels by which card and former ground must differ for a pixel to be compared."""


LEAST_VISIBLE = 0.12
"""Share of the card that must be seen."""


@dataclass(frozen=True)
class _Moment:
    t: float
    grey: Bytes
    light: float


class RecentPictures:
    """The small grey pictures of the last seconds, in the background's place and in the light it had then."""

    def __init__(self) -> None:
        self._moments: deque[_Moment] = deque()

    def add(self, t: float, grey: Bytes, light: float) -> None:
        """Keeps a picture, with the background's brightness, and forgets those that are too old."""
        self._moments.append(_Moment(t, grey, light))
        while self._moments and self._moments[0].t < t - KEPT_S:
            self._moments.popleft()

    def move(self, motion: Floats) -> None:
        """The background is elsewhere from now on, by `motion` (2 x 3, small pixels): so are the pictures."""
        self._moments = deque(
            _Moment(one.t, np.asarray(warped(one.grey, motion, cv2.INTER_LINEAR), np.uint8), one.light)
            for one in self._moments
        )

    def clear(self) -> None:
        """Forgets everything."""
        self._moments.clear()

    def onset_of(self, quad: Floats, ground: Bytes, since: float, until: float = math.inf) -> float:
        """When the card that lies at `quad` (small pixels) in the latest picture, up to the moment `until`,
        came to lie there.

        `ground` is what lay there before, `since` when the place began to differ. It is the first of two
        pictures in a row that show the card at its place; hands may hide it afterwards. Without such a pair
        it is the latest picture.
        """
        onto = _rectifier(quad)
        moments = [moment for moment in self._moments if moment.t <= until]
        latest = moments[-1]
        final, before = onto(latest.grey), onto(ground)
        card, former = _without_margin(final), _without_margin(before)
        distinct = np.abs(card - former) > DISTINCT_LEVELS
        seen = [moment for moment in moments if moment.t >= since - 1e-6]
        previous, light = latest.t, latest.light
        at_place = False
        for moment in seen:
            look = np.minimum(onto(moment.grey) * np.float32(light / moment.light), 255)
            was_at_place = at_place
            at_place = _card_share(
                _without_margin(look), card, former, distinct
            ) > LEAST_VISIBLE and _is_at_place(look, card)
            # One picture alone may show a hand that happens to look alike.
            if at_place and was_at_place:
                return previous
            previous = moment.t
        return previous


def _rectifier(quad: Floats) -> Callable[[Bytes], Floats]:
    """Flattens the card at `quad`, upright, with a margin round it."""
    size = geometry.sides(quad)
    wide = max(16, round(CARD_HEIGHT * float(size[[0, 2]].mean()) / max(1.0, float(size[[1, 3]].mean()))))
    frame = geometry.rectangle(0, 0, wide, CARD_HEIGHT) + MARGIN - 0.5
    matrix = geometry.homography(quad, frame)
    whole = (wide + 2 * MARGIN, CARD_HEIGHT + 2 * MARGIN)

    def onto(grey: Bytes) -> Floats:
        flat = cv2.warpPerspective(grey, matrix, whole, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(flat, np.float32)

    return onto


def _without_margin(flat: Array) -> Array:
    return flat[MARGIN:-MARGIN, MARGIN:-MARGIN]


def _card_share(look: Floats, card: Floats, former: Floats, distinct: Array) -> float:
    """Share of the telling pixels that look like the card and not like what lay there before."""
    if distinct.sum() < 20:
        return 1.0
    to_card, to_former = np.abs(look - card)[distinct], np.abs(look - former)[distinct]
    return float(((to_card < SAME_LEVELS) & (to_card < to_former)).mean())


def _is_at_place(look: Floats, card: Floats) -> bool:
    """Whether the picture shows the card at its final place.

    A hand on the card draws the best correlation towards itself, but agrees with the card nowhere: counted
    are the pixels that agree.
    """
    if _offset(look, card) > LARGEST_OFFSET:
        return False
    tall, wide = card.shape
    here, best = 0, 0
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            part = look[MARGIN + dy : MARGIN + dy + tall, MARGIN + dx : MARGIN + dx + wide]
            agree = int(np.count_nonzero(np.abs(part - card) < SAME_LEVELS))
            best = max(best, agree)
            here = agree if dx == dy == 0 else here
    return here >= BEST_AGREEMENT * best


def _offset(look: Floats, card: Floats) -> float:
    """Pixels between the card's place and where the picture shows it; large where it shows none."""
    scores = cv2.matchTemplate(look, np.ascontiguousarray(card), cv2.TM_CCOEFF_NORMED)
    _, best, _, at = cv2.minMaxLoc(scores)
    if best < 0.25:
        return float(MARGIN)
    return float(np.hypot(at[0] - MARGIN, at[1] - MARGIN))
