"""Pictures of the last seconds, in which a card may be seen that another one covers by now.

Two cards that are laid within a second, with hands over both, come to rest as one place: the lower card is
never looked at. Its slivers beside the upper card remain, and differ from the table as it was. A picture in
which these look as they do now was taken once the lower card lay there, and may show more of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from companion.vision.image.picture import Array, Bytes
from companion.vision.tracking.card_tracker import PlaceChange
from companion.vision.tracking.place import OUTLINE_MARGIN, ChangedPlace
from companion.vision.tracking.place_reader import PlaceReader
from companion.vision.tracking.recent_pictures import WholePicture
from companion.vision.tracking.tracked_card import (
    FEWEST_PIXELS,
    SAME_LEVELS,
    LitImage,
    TrackedCard,
    corners_of,
    is_unchanged,
    tracked_card,
)

EVERY_S = 0.2
"""Seconds between two pictures that are kept: a card lies open for as long between two hands."""
MOST_KEPT = 10
"""So many are kept, the latest ones."""
MOST_READ = 3
"""So many are read at most: each costs as much as a landing."""
ALIKE_SHARE = 0.7
"""Share of the slivers that must look as they do now; a hand may be over the others."""


@dataclass(frozen=True, eq=False)
class CoveredCard:
    """A card that is covered now, and until when it was seen."""

    card: TrackedCard
    until: float


def covered_card(
    pictures: Iterable[WholePicture[Bytes]], verdict: PlaceChange, now: ChangedPlace, reader: PlaceReader
) -> CoveredCard | None:
    """The card of which only slivers are left beside those that have just landed, as one of the earlier
    pictures shows it; None if none does. `pictures` have the small one in the background's light and place.
    `verdict`: what the place `now` was found to show."""
    upper = [corners_of(card) for card in verdict.landed]
    over, slivers = now.shares.mask(upper), now.unexplained(verdict.outlines)
    if not over.any() or slivers.sum() < FEWEST_PIXELS:
        return None
    for earlier in _before(pictures, over, slivers, now):
        for sighting in reader.earlier_cards(now, earlier.image):
            card = tracked_card(sighting, LitImage(earlier.image, now.picture.gain))
            explained = now.shares.share(now.shares.mask([card.quad], OUTLINE_MARGIN), slivers)
            if explained > 0.5 and is_unchanged(card, upper, now.picture):
                return CoveredCard(card, earlier.t)
    return None


def _before(
    pictures: Iterable[WholePicture[Bytes]], over: Array, slivers: Array, now: ChangedPlace
) -> list[WholePicture[Bytes]]:
    """The pictures since the place began to change, at most MOST_READ and the latest first, in which the
    slivers look as they do now and the cards over the rest do not lie there."""
    found = [
        one
        for one in pictures
        if one.t >= now.blob.since
        and _alike(one.shown, now.change.picture, slivers) >= ALIKE_SHARE
        and _alike(one.shown, now.change.picture, over) < ALIKE_SHARE
    ]
    return found[: -MOST_READ - 1 : -1]


def _alike(one: Bytes, other: Bytes, where: Array) -> float:
    """Share of some pixels that look alike."""
    off = np.abs(one[where].astype(np.int16) - other[where]).max(axis=1)
    return float(np.mean(off < SAME_LEVELS))
