"""Finds when a card landed by going back through the pictures since its place began to change.

A landing is noticed after the hand has gone, but happened before. The card as it lies now is searched in each
earlier picture: it had landed if it stood within about a millimetre of its place (normalised correlation) and
the picture resembles it more than what lay there before, over the parts that no hand covers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Bytes, Floats
from companion.vision.tracking.recent_pictures import SmallPicture
from companion.vision.tracking.tracked_card import LEAST_SEEN

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


def onset_of(
    pictures: Iterable[SmallPicture], quad: Floats, ground: Bytes, since: float, until: float = math.inf
) -> float:
    """When the card that lies at `quad` (small pixels) in the latest picture, up to the moment `until`, came
    to lie there.

    `ground` is what lay there before, `since` when the place began to differ. It is the first of two pictures
    in a row that show the card at its place; hands may hide it afterwards. Without such a pair it is the
    latest picture.
    """
    onto = _rectifier(quad)
    kept = [picture for picture in pictures if picture.t <= until]
    latest = kept[-1]
    card, former = _without_margin(onto(latest.grey)), _without_margin(onto(ground))
    distinct = np.abs(card - former) > SAME_LEVELS
    previous = latest.t
    at_place = False
    for picture in kept:
        if picture.t < since - 1e-6:
            continue
        look = np.minimum(onto(picture.grey) * np.float32(latest.light / picture.light), 255)
        was_at_place = at_place
        visible = _card_share(_without_margin(look), card, former, distinct)
        at_place = visible > LEAST_SEEN and _is_at_place(look, card)
        # One picture alone may show a hand that happens to look alike.
        if at_place and was_at_place:
            return previous
        previous = picture.t
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
    steps = (MARGIN - 1, MARGIN, MARGIN + 1)
    parts = {(y, x): look[y : y + tall, x : x + wide] for y in steps for x in steps}
    agree = {at: np.count_nonzero(np.abs(part - card) < SAME_LEVELS) for at, part in parts.items()}
    return bool(agree[MARGIN, MARGIN] >= BEST_AGREEMENT * max(agree.values()))


def _offset(look: Floats, card: Floats) -> float:
    """Pixels between the card's place and where the picture shows it; large where it shows none."""
    scores = cv2.matchTemplate(look, np.ascontiguousarray(card), cv2.TM_CCOEFF_NORMED)
    _, best, _, at = cv2.minMaxLoc(scores)
    if best < 0.25:
        return float(MARGIN)
    return float(np.hypot(at[0] - MARGIN, at[1] - MARGIN))
