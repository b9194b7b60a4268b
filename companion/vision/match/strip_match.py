"""Compares all cards of a deck with the visible part of a card, the strip that sticks out from under another.

A fifth of a covered card may be visible: a border, plain colour and a number five pixels wide. Laying one
likely card upon the strip and then asking which card it is favours that one; a digit is recognised only at
the right place. But few places are possible: the card lies on the same table as its cover, so it may be
shifted, rotated a little and hardly differ in size. At each of those places all cards, in both orientations,
are compared over the pixels that nothing else explains (strip_templates).
Which of the likeliest it is the verifier decides (companion.vision.cards.strips).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats
from companion.vision.match import descriptor
from companion.vision.match.descriptor import CELL, HEIGHT, WIDTH, PicturePyramid
from companion.vision.match.limits import StripLimits
from companion.vision.match.refine import FRAME
from companion.vision.match.strip_templates import StripTemplates, sample_strip
from companion.vision.match.suppression import ExplainedMap

DEEPEST_ROW = 42
"""Rows (of 72) of a strip that are compared at most."""
CENTRE = (WIDTH / 2, 10.0)
"""Pixel of the card that stays where it is when the card is turned or grows."""
SEARCHED = (
    np.array([(x, y, 0, 0) for x in (-2.5, 0, 2.5) for y in (-4, -2, 0, 2, 4)]),
    np.array([(0, 0, turn, size) for turn in (-0.04, 0, 0.04) for size in (-0.05, 0, 0.05)]),
    np.array([(x, y, 0, 0) for x in (-1, 0, 1) for y in (-1, 0, 1)]),
)
"""Motions (see `moved`) at which cards are compared: each array about the best place of the one before."""

StripPlace = tuple[Floats, Floats, Floats]
"""The best of some places of a strip: the quad (4, 2) of the whole card, its visible end first; and for each
entry of StripTemplates (entries,), where that entry fits best, by how much it explains more than it explains
wrongly, and the share of what is seen that it leaves unexplained."""


@dataclass(frozen=True, eq=False)
class StripFit:
    """The cards of a deck compared with a strip: `quad`, where the one that explains most lies, the visible
    end first; `looks` (n,), each card once, the one that explains most first; which of them lie upside down
    (n,); and the least share of what is seen that a card leaves unexplained, each where it fits best."""

    quad: Floats
    looks: Array
    is_upside_down: Array
    left: float


class StripMatcher:
    """Compares strips in one picture. `explained` is kept up to date by the caller."""

    def __init__(
        self,
        scene: PicturePyramid,
        looks: StripTemplates,
        explained: ExplainedMap,
        limits: StripLimits,
    ) -> None:
        self._scene, self._templates, self._explained = scene, looks, explained
        self._limits = limits

    def compare(self, starts: Sequence[Floats], cover: Floats) -> StripFit | None:
        """Compares all cards, in both orientations, with the visible part of a card near one of `starts`
        (4, 2), the visible end first. None if too little is seen. `cover`: a quad whose white is white."""
        white = descriptor.white_balance(self._scene.rectified_fast(cover))
        found = [place for start in starts for place in self._search(start, white)]
        if not found:
            return None
        quads, worth, left = (np.stack(part) for part in zip(*found, strict=True))
        quad = quads[int(worth.max(axis=1).argmax())]
        left = np.take_along_axis(left, worth.argmax(axis=0)[None], 0)
        order = np.argsort(-worth.max(axis=0))
        order = order[np.sort(np.unique(self._templates.cards[order], return_index=True)[1])]
        looks, upside_down = self._templates.look_of_entry[order], self._templates.is_upside_down[order]
        return StripFit(quad, looks, upside_down, float(left.min()))

    def _search(self, quad: Floats, white: Floats) -> Iterator[StripPlace]:
        """The best place of each array of motions. `white`: the factors that make white white (1, 1, 3)."""
        for motions in SEARCHED:
            place = self._best_place(quad, motions, white)
            if place is None:
                break
            yield place
            quad = place[0]

    def _best_place(self, start: Floats, motions: Array, white: Floats) -> StripPlace | None:
        """The best place of the card in `start` after these motions (n, 4); None if too little is seen."""
        rows = self._visible_rows(start)
        quads = [moved(start, motion) for motion in motions]
        seen = np.stack([self._explained.visible_weights(quad, rows) for quad in quads])
        enough = seen.sum(axis=(1, 2)) > self._limits.least_visible * WIDTH * HEIGHT
        if not enough.any():
            return None
        part = geometry.rectangle(0, 0, 1, rows / HEIGHT)
        parts = [geometry.transform(part, geometry.homography(geometry.UNIT, quad)) for quad in quads]
        strips = np.stack([self._scene.warped(one, WIDTH, rows) for one in parts])
        shown = sample_strip(*descriptor.normalised_planes(strips, white), seen, self._limits)
        left, total = self._templates.residuals(shown, self._limits)
        worth = (total[:, None] - self._limits.wrong_weight * left) * shown.area[:, None]
        worth[~enough] = -np.inf
        best = worth.argmax(axis=0)
        unexplained = np.take_along_axis(left / np.maximum(total, 1e-6)[:, None], best[None], 0)[0]
        return quads[int(worth.max(axis=1).argmax())], worth.max(axis=0), unexplained

    def _visible_rows(self, quad: Floats) -> int:
        """How many rows of the strip are looked at."""
        weights = self._explained.visible_weights(quad, DEEPEST_ROW)
        rows = np.flatnonzero(weights.max(axis=1) > 0.05)
        last = int(rows[-1]) + 1 if len(rows) else CELL
        return -(-last // CELL) * CELL


def moved(quad: Floats, motion: Array) -> Floats:
    """The quad of a card after a motion (4,) in its own plane: shifted across and along the card (in pixels
    of 48 x 72), turned (radians) and grown (logarithm)."""
    across, along, turn, size = (float(v) for v in motion)
    cos, sin = np.cos(turn) * np.exp(size), np.sin(turn) * np.exp(size)
    points = (FRAME - CENTRE) @ np.array([[cos, sin], [-sin, cos]]) + CENTRE + [across, along]
    return geometry.transform(np.asarray(points, np.float32), geometry.homography(FRAME, quad))
