"""The pictures of the last seconds, for what can be understood only later.

Every picture is kept small and grey, and a few are kept whole. The whole pictures are read for a card that
another one covers by now (`look_back`), and under a hand that rested (`lattice_watch`).

The small pictures date a card. A landing is noticed after the hand has gone, but happened before. The card as
it lies now is searched in each earlier picture: it had landed if it stood within about a millimetre of its
place (normalised correlation) and the picture resembles it more than what lay there before, over the parts
that no hand covers. And they tell from where the arm came that laid it: the side of the picture tells the
players apart.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.image import geometry, masks
from companion.vision.image.picture import Array, Bytes, Floats, Image
from companion.vision.tracking.camera_view import warped
from companion.vision.tracking.change import CELL, Blob, Change
from companion.vision.tracking.limits import seconds, shares, sizes

MOST_READ = 3
"""Whole pictures that are read later at most: to read one costs as much as a landing."""
CARD_HEIGHT = 66
"""Pixels of the card's height when it is compared."""
MARGIN = 8
"""Pixels round the card in which it is looked for."""

Shown = TypeVar("Shown")


@dataclass(frozen=True, eq=False)
class SmallPicture:
    """A small grey picture in the background's place, the background's brightness then, and the `arms`: parts
    of the picture that differ and reach its edge."""

    t: float
    grey: Bytes
    light: float
    arms: tuple[Blob, ...] = ()

    @staticmethod
    def of(change: Change, light: float) -> SmallPicture:
        """The latest picture."""
        return SmallPicture(change.t, change.grey, light, tuple(one for one in change.blobs if one.edge))


@dataclass(frozen=True, eq=False)
class WholePicture(Generic[Shown]):
    """A picture of the camera, and what its reader has to know of it."""

    t: float
    image: Image
    shown: Shown


class RecentPictures(Generic[Shown]):
    """The small pictures of some seconds, and the latest whole ones."""

    def __init__(self, most: int) -> None:
        """`most`: whole pictures that are kept; each takes some megabytes."""
        self.small: deque[SmallPicture] = deque()
        self.whole: deque[WholePicture[Shown]] = deque(maxlen=most)

    def add(self, picture: SmallPicture) -> None:
        """Keeps a small picture and forgets those that are too old: a landing is reported later than it
        happens, by the seconds to `hold` and those for which a hand stays."""
        self.small.append(picture)
        while self.small[0].t < picture.t - 2 * seconds().hold:
            self.small.popleft()

    def keep(self, t: float, image: Image, shown: Shown, every_s: float = 0.0) -> None:
        """Keeps a whole picture if the latest one is so old; if there are too many, the oldest one goes."""
        if not self.whole or t - self.whole[-1].t >= every_s:
            self.whole.append(WholePicture(t, image.copy(), shown))

    def move(self, motion: Floats) -> None:
        """The background is elsewhere from now on, by `motion` (2 x 3, small pixels): the small pictures are
        moved with it, the whole ones are forgotten."""
        small = [replace(one, grey=warped(one.grey, motion)) for one in self.small]
        self.clear()
        self.small.extend(small)

    def clear(self) -> None:
        """Forgets everything."""
        self.small.clear()
        self.whole.clear()


# --- when a card came ---------------------------------------------------------------------------------------


def onset_of(
    pictures: Iterable[SmallPicture], quad: Floats, ground: Bytes, since: float, until: float = math.inf
) -> float:
    """When the card came that lies at `quad` (small pixels) in the latest picture up to the moment `until`.

    That is the time of the first of two pictures in a row that show the card at its place; hands may hide it
    afterwards. Without such a pair it is the time of the latest picture. `ground` shows what lay there
    before, `since` is when the place began to differ.
    """
    onto = _rectifier(quad)
    kept = [picture for picture in pictures if picture.t <= until]
    latest = kept[-1]
    card, former = _without_margin(onto(latest.grey)), _without_margin(onto(ground))
    distinct = np.abs(card - former) > sizes().same_levels
    previous = latest.t
    at_place = False
    for picture in kept:
        if picture.t < since - 1e-6:
            continue
        look = np.minimum(onto(picture.grey) * np.float32(latest.light / picture.light), 255)
        was_at_place = at_place
        visible = _card_share(_without_margin(look), card, former, distinct)
        at_place = visible > shares().least_seen and _is_at_place(look, card)
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
    if distinct.sum() < sizes().fewest:
        return 1.0
    to_card, to_former = np.abs(look - card)[distinct], np.abs(look - former)[distinct]
    return float(((to_card < sizes().same_levels) & (to_card < to_former)).mean())


def _is_at_place(look: Floats, card: Floats) -> bool:
    """Whether the picture shows the card at its final place.

    A hand on the card draws the best correlation towards itself, but agrees with the card nowhere: counted
    are the pixels that agree.
    """
    scores = cv2.matchTemplate(look, np.ascontiguousarray(card), cv2.TM_CCOEFF_NORMED)
    near = slice(MARGIN - sizes().near, MARGIN + sizes().near + 1)
    if scores[near, near].max() < scores.max():
        return False
    tall, wide = card.shape
    steps = (MARGIN - 1, MARGIN, MARGIN + 1)
    parts = {(y, x): look[y : y + tall, x : x + wide] for y in steps for x in steps}
    agree = {at: np.count_nonzero(np.abs(part - card) < sizes().same_levels) for at, part in parts.items()}
    return bool(agree[MARGIN, MARGIN] >= shares().agreement * max(agree.values()))


# --- who laid it --------------------------------------------------------------------------------------------


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
