"""Pictures of a table of triangles while a hand rested on it.

Who catches cards often takes them with the other hand before the first has left the card that caught them:
the table never lies open with that card on it. But a hand that has laid a card rests for a moment and covers
only part of it. One picture of every such rest is kept in memory until the table has been read.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from companion.vision.image.picture import Image
from companion.vision.lattice.changed import ChangedTable

RESTS_S = 0.2
"""A hand rests if nothing has moved for so long; one that carries a card stops for less."""
KEPT = 3
"""So many rests are kept, the latest ones: a picture takes some megabytes."""


@dataclass(frozen=True, eq=False)
class CoveredPicture:
    """The table under a hand that rests, and where cards may lie in it (None: everywhere)."""

    image: Image
    changed: ChangedTable | None


class RestingHands:
    """The pictures of the latest rests since the table was read."""

    def __init__(self) -> None:
        self._pictures: deque[CoveredPicture] = deque(maxlen=KEPT)
        self._rest = float("-inf")

    @property
    def pictures(self) -> tuple[CoveredPicture, ...]:
        """One picture of every rest, in order."""
        return tuple(self._pictures)

    def begins(self, t: float, still: float) -> bool:
        """Whether a picture taken at `t`, in which nothing has moved for `still` seconds, shows a rest of
        which none is kept."""
        if still < RESTS_S or t - still <= self._rest:
            return False
        self._rest = t
        return True

    def keep(self, picture: CoveredPicture) -> None:
        """Keeps the picture of a rest; the oldest one goes."""
        self._pictures.append(picture)

    def clear(self) -> None:
        """The table has been read, or the camera moved."""
        self._pictures.clear()
