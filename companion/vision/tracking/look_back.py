"""Pictures of the last seconds, in which a card may be seen that another one covers by now.

Two cards that are laid within a second, with hands over both, come to rest as one place: the lower card is
never looked at. Its slivers beside the upper card remain, and differ from the table as it was. A picture in
which these look as they do now was taken once the lower card lay there, and may show more of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from companion.core.observations import Sighting
from companion.vision.image.picture import Array, Bytes, Floats, Image
from companion.vision.tracking.place import OUTLINE_MARGIN, ChangedPlace
from companion.vision.tracking.tracked_card import (
    FEWEST_PIXELS,
    SAME_LEVELS,
    LitImage,
    TrackedCard,
    is_unchanged,
    tracked_card,
)

EVERY_S = 0.2
"""Seconds between two pictures that are kept: a card lies open for as long between two hands."""
KEPT = 10
"""So many are kept, the latest ones: a picture takes some megabytes."""
MOST_READ = 3
"""So many are read at most: each costs as much as a landing."""
ALIKE_SHARE = 0.7
"""Share of the slivers that must look as they do now; a hand may be over the others."""


@dataclass(frozen=True, eq=False)
class KeptPicture:
    """A picture taken at `t`, and the same small, in the background's light and place."""

    t: float
    image: Image
    small: Bytes


@dataclass(frozen=True, eq=False)
class CoveredCard:
    """A card that is covered now, and until when it was seen."""

    card: TrackedCard
    until: float


class LatestPictures:
    """A picture of every EVERY_S while something differs from the table at rest."""

    def __init__(self) -> None:
        self._pictures: deque[KeptPicture] = deque(maxlen=KEPT)

    def add(self, t: float, image: Image, small: Bytes) -> None:
        """Keeps the picture if the latest one is old enough."""
        if not self._pictures or t - self._pictures[-1].t >= EVERY_S:
            self._pictures.append(KeptPicture(t, image.copy(), small))

    def clear(self) -> None:
        """The table is at rest, the camera has moved, or it sees another table."""
        self._pictures.clear()

    def covered_card(
        self,
        upper: Sequence[Floats],
        slivers: Array,
        now: ChangedPlace,
        read: Callable[[Image], Sequence[Sighting]],
    ) -> CoveredCard | None:
        """The card of which only slivers are left beside the cards that have just landed.

        Args:
            upper: the quads (4, 2) of those.
            slivers: the pixels (small, bool) that differ and that no card explains.
            now: the place as it is.
            read: the cards that a picture surely shows at the place.

        Returns:
            The card whose slivers these are, as an earlier picture shows it; None if no picture does.
        """
        over = now.shares.mask(upper).astype(bool)
        if not over.any() or slivers.sum() < FEWEST_PIXELS:
            return None
        for earlier in self._before(over, slivers, now):
            for sighting in read(earlier.image):
                card = tracked_card(sighting, LitImage(earlier.image, now.picture.gain))
                outline = now.shares.mask([card.quad], OUTLINE_MARGIN).astype(bool)
                if now.shares.share(outline, slivers) > 0.5 and is_unchanged(card, upper, now.picture):
                    return CoveredCard(card, earlier.t)
        return None

    def _before(self, over: Array, slivers: Array, now: ChangedPlace) -> list[KeptPicture]:
        """The pictures since the place began to change, at most MOST_READ and the latest first, in which the
        slivers look as they do now and the cards over the rest do not lie there."""
        found = [
            one
            for one in reversed(self._pictures)
            if one.t >= now.blob.since
            and _alike(one.small, now.change.picture, slivers) >= ALIKE_SHARE
            and _alike(one.small, now.change.picture, over) < ALIKE_SHARE
        ]
        return found[:MOST_READ]


def _alike(one: Bytes, other: Bytes, where: Array) -> float:
    """Share of some pixels that look alike."""
    off = np.abs(one[where].astype(np.int16) - other[where]).max(axis=1)
    return float(np.mean(off < SAME_LEVELS))
