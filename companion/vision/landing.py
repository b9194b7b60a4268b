"""When a card came down on the table, and which: what changed for good is looked at once, when it lies still."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.observations import Landing, Point, Sighting, Watched
from companion.vision import geometry
from companion.vision.deck import Deck
from companion.vision.motion import Motion, Region
from companion.vision.picture import Bytes, Floats, Image
from companion.vision.recognise import recognise

TABLE = "table"
"""The zone of a watcher without zones: the whole picture."""
MARGIN = 0.35
"""Width of the rim round a change that is looked at as well, in shares of its longer side."""
SAME = 0.04
"""Shift, in card widths, up to which a card of the same name at the same place is the one that lay there."""
FRESH = 0.3
"""Share of a card that must have changed for it to be the one that landed."""
SURE = 0.5
"""Confidence below which a card that landed is reported without a name."""

Zones = Mapping[str, Sequence[Point]]


@dataclass(frozen=True)
class Lying:
    """A card known to lie on the table since `t`."""

    sighting: Sighting
    t: float


class LandingWatcher:
    """Watches a camera's pictures for cards that land.

    `zones` are named polygons, corners as shares of the picture's width and height; a card that lands in none
    of them is not reported. Without zones the whole picture is one, called `table`.
    """

    def __init__(
        self, deck: Deck, zones: Zones | None = None, expected: frozenset[str] | None = None
    ) -> None:
        self._deck = deck
        self._zones = {name: np.asarray(corners, np.float32) for name, corners in (zones or {}).items()}
        self._motion = Motion()
        self._lying: list[Lying] = []
        self._begun = False
        self.expected = expected
        """The cards that may land next; None = any."""

    @property
    def lying(self) -> tuple[Lying, ...]:
        """The cards known to lie on the table, those on top last."""
        return tuple(self._lying)

    def feed(self, frame: Image, t: float) -> list[Landing | Watched]:
        """Takes the next picture, exposed at `t`; returns what landed, dated back, and the watermark."""
        if not self._begun:
            self._begun = True
            self._lying = [Lying(card, t) for card in recognise(frame, self._deck).cards]
        look = self._motion.look(frame, t)
        seen: list[Landing | Watched] = []
        for region in sorted(look.regions, key=lambda r: r.since):
            seen.extend(self._examined(frame, region))
            self._motion.accept(region)
        seen.append(Watched(look.watermark))
        return seen

    def _examined(self, frame: Image, region: Region) -> list[Landing]:
        """What landed in a settled region: new cards there, or one landing without a name."""
        patch, left, top = _cut(frame, region)
        reading = recognise(patch, self._deck, self.expected)
        cards = [_shifted(card, left, top) for card in reading.cards]
        changed = cv2.resize(region.mask, (frame.shape[1] // 4, frame.shape[0] // 4)) > 0
        touched = [card for card in cards if _share(changed.astype(np.uint8), _quad(card) / 4) > FRESH]
        new = [card for card in touched if not self._known(card)]
        self._lying = [
            lying for lying in self._lying if not self._gone(lying, touched, changed.astype(np.uint8))
        ]
        landings = []
        for card in new:
            self._lying.append(Lying(card, region.since))
            zone = self._zone(card.centre, frame)
            if zone is not None:
                landings.append(Landing(region.since, zone, card if card.confidence >= SURE else None))
        if not touched and reading.unknown and self._card_sized(region, frame):
            x, y, w, h = region.box
            zone = self._zone(((x + w / 2) * frame.shape[1], (y + h / 2) * frame.shape[0]), frame)
            if zone is not None:
                landings.append(Landing(region.since, zone, None))
        return landings

    def _known(self, card: Sighting) -> bool:
        """True if this very card lay here before."""
        return any(
            lying.sighting.label == card.label and _apart(lying.sighting, card) < SAME
            for lying in self._lying
        )

    def _gone(self, lying: Lying, touched: Sequence[Sighting], changed: Bytes) -> bool:
        """True if a card that lay in the changed region is not there any more and nothing covers it."""
        quad = _quad(lying.sighting)
        if _share(changed, quad / 4) < 0.5:
            return False
        if any(c.label == lying.sighting.label and _apart(lying.sighting, c) < 3 * SAME for c in touched):
            return False
        x, y = lying.sighting.centre
        return not any(geometry.contains(_quad(card), (x, y)) for card in touched)

    def _zone(self, point: Point, frame: Image) -> str | None:
        if not self._zones:
            return TABLE
        share = (point[0] / frame.shape[1], point[1] / frame.shape[0])
        return next(
            (name for name, corners in self._zones.items() if geometry.contains(corners, share)), None
        )

    def _card_sized(self, region: Region, frame: Image) -> bool:
        """True if the change is about as large as the cards seen so far (any size while none was seen)."""
        size = float(region.mask.sum()) / region.mask.size * frame.shape[0] * frame.shape[1]
        if not self._lying:
            return True
        usual = float(np.median([geometry.area(_quad(lying.sighting)) for lying in self._lying]))
        return 0.5 * usual < size < 1.8 * usual


def _cut(frame: Image, region: Region) -> tuple[Image, int, int]:
    """The part of the frame round a region, and where its corner lies."""
    height, width = frame.shape[:2]
    x, y, w, h = region.box
    rim = MARGIN * max(w * width, h * height)
    left, top = max(0, int(x * width - rim)), max(0, int(y * height - rim))
    right, bottom = min(width, int((x + w) * width + rim)), min(height, int((y + h) * height + rim))
    return frame[top:bottom, left:right], left, top


def _shifted(card: Sighting, left: int, top: int) -> Sighting:
    a, b, c, d = ((x + left, y + top) for x, y in card.corners)
    return Sighting(card.label, card.confidence, (a, b, c, d))


def _quad(card: Sighting) -> Floats:
    return np.asarray(card.corners, np.float32)


def _share(changed: Bytes, quad: Floats) -> float:
    """Share of a quad that has changed."""
    inside = np.zeros(changed.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.round(quad).astype(np.int32), 1)
    total = int(inside.sum())
    return float((inside & changed).sum()) / total if total else 0.0


def _apart(first: Sighting, second: Sighting) -> float:
    """Mean distance of the corners of two cards, in card widths, whichever way up."""
    a, b = _quad(first), _quad(second)
    width = float(geometry.sides(a)[[0, 2]].mean())
    return min(float(np.linalg.norm(a - q, axis=1).mean()) for q in (b, geometry.turned(b))) / max(width, 1.0)
