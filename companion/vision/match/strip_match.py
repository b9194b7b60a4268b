"""Compares all cards of a deck with the visible part of a card, the strip that sticks out from under another.

A fifth of a covered card may be visible: a border, plain colour and a number five pixels wide. Laying one
likely card upon the strip and then asking which card it is favours that one; a digit is recognised only at
the right place. But few places are possible: the card lies on the same table as its cover, so it may be
shifted, rotated a little and hardly differ in size. At each of those places all cards, in both orientations,
are compared over the pixels that nothing else explains (strip_templates); each card has its best place.
Which of the likeliest it is the verifier decides (companion.vision.cards.strips).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats
from companion.vision.match import descriptor
from companion.vision.match.descriptor import CELL, HEIGHT, WIDTH, PicturePyramid
from companion.vision.match.refine import FRAME
from companion.vision.match.strip_templates import StripSample, StripTemplates, TemplateTable, sample_strip
from companion.vision.match.suppression import ExplainedMap

DEEPEST_ROW = 42
"""Rows (of 72) of a strip that are compared at most."""
RESIDUAL_WEIGHT = 2.0
"""What is explained wrongly counts so many times what is explained."""
CENTRE = (WIDTH / 2, 10.0)
"""Pixel of the card that stays where it is when the card is turned or grows."""
SEARCHED = (
    np.array([(x, y, 0, 0) for x in (-2.5, 0, 2.5) for y in (-4, -2, 0, 2, 4)]),
    np.array([(0, 0, turn, size) for turn in (-0.04, 0, 0.04) for size in (-0.05, 0, 0.05)]),
    np.array([(x, y, 0, 0) for x in (-1, 0, 1) for y in (-1, 0, 1)]),
)
"""Motions (see moved) at which cards are compared, those of each array about the best place of the one
before."""
SURVEYED = 400
"""Cards at places that are noted of an array of motions, the likeliest first."""
MOST_ENTRIES = 700
"""Entries (see StripTemplates) that are compared of a deck which has more, after the first array."""
LEAST_VISIBLE = 0.03
"""Share of a card that must be seen."""


@dataclass(frozen=True, eq=False)
class StripComparison:
    """A card at the visible part of a card: its look, the quad of the whole card as it lies, whether it is
    upside down there (its lower end is what is seen), and the share of what is seen that it leaves
    unexplained."""

    look: int
    quad: Floats
    is_upside_down: bool
    left: float


@dataclass(frozen=True, eq=False)
class _Place:
    """An entry laid upon a place: the quad, the share of what is seen there that the entry leaves
    unexplained, and what it explains less what it explains wrongly, by how much is seen."""

    entry: int
    quad: Floats
    left: float
    worth: float


class StripMatcher:
    """Compares strips in one picture. `explained` is kept up to date by the caller."""

    def __init__(self, scene: PicturePyramid, looks: StripTemplates, explained: ExplainedMap) -> None:
        self._scene, self._templates, self._explained = scene, looks, explained

    def compare(self, starts: Sequence[Floats], cover: Floats) -> list[StripComparison]:
        """What each card of the deck, in either orientation, leaves unexplained of the visible part of a card
        near one of `starts` (4, 2), the visible end first: that which explains most first. Empty if too
        little is seen. `cover`: a quad whose white is white."""
        white = descriptor.white_balance(self._scene.rectified_fast(cover))
        search = _StripSearch(self._scene, self._templates, self._explained, white)
        for start in starts:
            search.run(start)
        found = sorted(search.best.values(), key=lambda place: -place.worth)
        return [self._comparison(place) for place in found]

    def _comparison(self, place: _Place) -> StripComparison:
        turned = bool(self._templates.is_upside_down[place.entry])
        quad = geometry.rotated_half_turn(place.quad) if turned else place.quad
        return StripComparison(int(self._templates.look_of_entry[place.entry]), quad, turned, place.left)


class _StripSearch:
    """Finds the place of each card where it explains most of a strip. `white` are the factors that make white
    white (1, 1, 3)."""

    def __init__(
        self, scene: PicturePyramid, looks: StripTemplates, explained: ExplainedMap, white: Floats
    ) -> None:
        self._scene, self._templates, self._explained, self._white = scene, looks, explained, white
        self._entries: Array | None = None
        self._table: TemplateTable | None = None
        self.best: dict[int, _Place] = {}
        """The best place known for each card and orientation (StripTemplates.kinds)."""

    def run(self, quad: Floats) -> None:
        """Compares all cards at the places round one."""
        for motions in SEARCHED:
            found = self._survey(quad, motions)
            if found is None:
                return
            quad = found.quad

    def _survey(self, start: Floats, motions: Array) -> _Place | None:
        """The best of the places at which the card in `start` lies after each of these motions (n, 4); None
        if too little is seen at all of them."""
        rows = self._visible_rows(start)
        quads = [moved(start, motion) for motion in motions]
        seen = np.stack([self._explained.visible_weights(quad, rows) for quad in quads])
        enough = seen.sum(axis=(1, 2)) > LEAST_VISIBLE * WIDTH * HEIGHT
        if not enough.any():
            return None
        shown = self._sample(quads, seen)
        left, total = self._residuals(shown)
        worth = (total[:, None] - RESIDUAL_WEIGHT * left) * shown.area[:, None]
        worth = np.where(enough[:, None], worth, -np.inf)
        at, entries = np.unravel_index(_largest(worth, SURVEYED), worth.shape)
        first = np.unique(self._templates.kinds[entries], return_index=True)[1]
        found: dict[int, _Place] = {}
        for index in np.sort(first):
            place, entry = int(at[index]), int(entries[index])
            unexplained = float(left[place, entry]) / max(float(total[place]), 1e-6)
            kind = int(self._templates.kinds[entry])
            found[kind] = _Place(entry, quads[place], unexplained, float(worth[place, entry]))
        for kind, one in found.items():
            if kind not in self.best or self.best[kind].worth < one.worth:
                self.best[kind] = one
        return next(iter(found.values()))

    def _residuals(self, shown: StripSample) -> tuple[Floats, Floats]:
        """What entries leave unexplained of places (n, entries), and how much there is to explain (n,); of a
        large deck only those that were likeliest at the first places."""
        if self._entries is None:
            left, total = self._templates.residuals(shown)
            if left.shape[1] > MOST_ENTRIES:
                self._entries = np.argpartition(left.min(axis=0), MOST_ENTRIES)[:MOST_ENTRIES]
                self._table = self._templates.table.select(self._entries, DEEPEST_ROW)
            return left, total
        some, total = self._templates.residuals(shown, self._table)
        left = np.full((len(some), len(self._templates.kinds)), np.inf, np.float32)
        left[:, self._entries] = some
        return left, total

    def _visible_rows(self, quad: Floats) -> int:
        """How many rows of the strip are looked at."""
        weights = self._explained.visible_weights(quad, DEEPEST_ROW)
        rows = np.flatnonzero(weights.max(axis=1) > 0.05)
        last = int(rows[-1]) + 1 if len(rows) else CELL
        return -(-last // CELL) * CELL

    def _sample(self, quads: Sequence[Floats], seen: Floats) -> StripSample:
        """What is seen of the strips of cards in these quads; `seen` (n, rows, WIDTH) is how much each pixel
        counts."""
        rows = seen.shape[1]
        part = geometry.rectangle(0, 0, 1, rows / HEIGHT)
        strips = [
            self._scene.warped(
                geometry.transform(part, geometry.homography(geometry.UNIT, quad)), WIDTH, rows
            )
            for quad in quads
        ]
        return sample_strip(*descriptor.normalised_planes(np.stack(strips), self._white), seen)


def moved(quad: Floats, motion: Array) -> Floats:
    """The quad of a card after a motion (4,) in its own plane: shifted across and along the card (in pixels
    of 48 x 72), turned (radians) and grown (logarithm)."""
    across, along, turn, size = (float(v) for v in motion)
    cos, sin = np.cos(turn) * np.exp(size), np.sin(turn) * np.exp(size)
    points = (FRAME - CENTRE) @ np.array([[cos, sin], [-sin, cos]]) + CENTRE + [across, along]
    return geometry.transform(np.asarray(points, np.float32), geometry.homography(FRAME, quad))


def _largest(values: Floats, count: int) -> Array:
    """The indices of the largest of all values, largest first."""
    flat = values.ravel()
    some = np.argpartition(-flat, count)[:count] if flat.size > count else np.arange(flat.size)
    return np.asarray(some[np.argsort(-flat[some])])
