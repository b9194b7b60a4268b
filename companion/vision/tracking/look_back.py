"""Pictures of the last seconds, in which a card may be seen that another one covers by now.

Two cards that are laid within a second, with hands over both, come to rest as one place: the lower card is
never looked at. Its slivers beside the upper card remain, and differ from the table as it was. A picture in
which these look as they do now was taken once the lower card lay there, and may show more of it. If a hand
pushed the lower card until it was covered, no picture does: then it is found where it lay before, and its
slivers are those of that card, moved a little.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from companion.core.observations import Sighting
from companion.vision.image.picture import Array, Bytes
from companion.vision.tracking.card_tracker import PlaceChange
from companion.vision.tracking.limits import distances, seconds, shares, sizes
from companion.vision.tracking.place import ChangedPlace
from companion.vision.tracking.place_reader import PlaceReader
from companion.vision.tracking.recent_pictures import MOST_READ, WholePicture
from companion.vision.tracking.tracked_card import (
    LitImage,
    TrackedCard,
    corners_of,
    covered_share,
    share_in,
)


def most_kept() -> int:
    """Whole pictures that are kept: those of the time for which a report may wait."""
    return round(seconds().hold / seconds().moment)


def covered_card(
    pictures: Iterable[WholePicture[Bytes]], verdict: PlaceChange, now: ChangedPlace, reader: PlaceReader
) -> tuple[TrackedCard, float] | None:
    """The card of which only slivers are left beside those that have just landed, where it lies now, and when
    one of the earlier pictures shows it; None if none does. `pictures`: the earlier ones, each with its small
    picture in the background's light and place. `verdict`: what the place, as it is `now`, was found to show.
    """
    upper = [corners_of(card) for card in verdict.landed]
    over, slivers = now.mask(upper), now.unexplained(verdict.outlines)
    if not over.any() or slivers.sum() < sizes().fewest:
        return None
    for earlier in _before(pictures, over, slivers, now)[:MOST_READ]:
        for sighting in reader.earlier_cards(now, earlier.image):
            lies = _where_now(sighting, LitImage(earlier.image, now.picture.gain), verdict.landed, now)
            if lies is None:
                continue
            if share_in(now.mask([lies.quad], distances().outline), slivers) > 0.5:
                return lies, earlier.t
    return None


def _where_now(
    sighting: Sighting, earlier: LitImage, landed: Sequence[Sighting], now: ChangedPlace
) -> TrackedCard | None:
    """A card of an earlier picture as it lies now, below the cards that have landed: where it lay, or where a
    hand has pushed it since; None if it is not seen. A pushed card that is equal to an upper one may be that
    card in the hand that laid it; and most of a pushed card is hidden, otherwise it would have been read."""
    card, upper = TrackedCard.of(sighting, earlier), [corners_of(one) for one in landed]
    if card.is_unchanged(upper, now.picture):
        return card
    if any(one.label == sighting.label for one in landed):
        return None
    pushed = replace(card, held=True).nudged(upper, now.picture)
    return pushed if pushed is not None and covered_share(pushed.quad, upper) > 0.5 else None


def last_uncovered(
    pictures: Iterable[WholePicture[Bytes]], card: Sighting, beside: Sequence[Sighting], now: ChangedPlace
) -> float:
    """The time of the last picture that shows a card before the cards `beside` it, which came to rest at the
    same time, were laid on it; infinite if none lies on it, or if no picture shows that."""
    whole, upper = now.mask([corners_of(card)]), [corners_of(one) for one in beside if one is not card]
    over, left = whole & now.mask(upper), whole & ~now.mask(upper, distances().outline)
    if min(over.sum(), left.sum()) < sizes().fewest:
        return math.inf
    shown = now.change.picture  # a hand may be over some of what is left
    found = [one for one in _before(pictures, over, left, now) if _looks_alike(one.shown, shown, left)]
    return max((one.t for one in found), default=math.inf)


def _before(
    pictures: Iterable[WholePicture[Bytes]], over: Array, rest: Array, now: ChangedPlace
) -> list[WholePicture[Bytes]]:
    """The pictures since the place began to change in which nothing lies on the pixels `over` it yet: first
    the picture in which the `rest` looks most as it does now, of several that look alike the latest one."""
    found = [
        one
        for one in pictures
        if one.t >= now.blob.since and not _looks_alike(one.shown, now.change.picture, over)
    ]
    alike = {one.t: min(_alike(one.shown, now.change.picture, rest), 1.0 - shares().telling) for one in found}
    return sorted(found, key=lambda one: (alike[one.t], one.t), reverse=True)


def _looks_alike(one: Bytes, other: Bytes, where: Array) -> bool:
    """Whether enough of some pixels look alike; a hand may be over the others."""
    return _alike(one, other, where) >= 1.0 - shares().telling


def _alike(one: Bytes, other: Bytes, where: Array) -> float:
    """Share of some pixels that look alike."""
    off = np.abs(one[where].astype(np.int16) - other[where]).max(axis=1)
    return float(np.mean(off < sizes().same_levels))
