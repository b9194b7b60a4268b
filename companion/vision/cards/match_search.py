"""Searches a picture for matches of a deck's cards: outlines first, then local features where structure is
left unexplained. Which of the matches stand, and what the verifier says of them, is decided in
cards.recognise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.cards.evaluator import Candidate, Evaluator
from companion.vision.cards.residual import ChangedArea, Residual
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats, Image
from companion.vision.image.quads import find_quads
from companion.vision.image.sharpness import steepness
from companion.vision.match.features import Features, find_features
from companion.vision.match.limits import SearchLimits
from companion.vision.match.score import CardMatch
from companion.vision.match.suppression import same_place

SOFT_SIDE = 900
"""Longer side of a picture up to which it may be a webcam's."""
SOFT_STEEPNESS = 0.23
"""Steepness (companion.vision.image.sharpness) up to which a small picture counts as a webcam's: empty
pictures of one reach 0.21, photographs of cards on a table that were shrunk to its size have 0.25 and
more."""
MOST_FEATURES = 2000
"""Features of a picture that are looked at, those of highest contrast."""
STRETCH_PERCENTILES, LARGEST_GAIN = (1.0, 99.0), 3.0
"""Percentiles that a dim picture's light is spread between, and the most that it is strengthened."""
FEATURE_SIDE, SOFT_FEATURE_SIDE = 1120, 540
"""Longer side of the picture in which local features are searched for, and of a webcam's."""


@dataclass(frozen=True, eq=False)
class FoundMatches:
    """What the search has found in a picture."""

    evaluator: Evaluator
    is_soft: bool
    """Whether it is a webcam's picture: places of the networks are looked at beside its matches."""
    outlines: tuple[Floats, ...]
    """The quads (4, 2) of all outlines of a card's shape, in pixels."""
    matches: tuple[CardMatch, ...]
    """All matches, also such as do not stand."""


class MatchSearch:
    """The matches of one picture. Cheap methods run first; more expensive ones only where structure is left
    unexplained.

    Args:
        image: BGR, uint8, (height, width, 3).
        deck: the enrolled cards.
        expected: labels that may be there.
        changed: bool, see recognise; None: the whole picture is searched.
        limits: how much is searched, and when the search ends.
    """

    def __init__(
        self,
        image: Image,
        deck: Deck,
        expected: frozenset[str] | None,
        changed: Array | None,
        limits: SearchLimits,
    ) -> None:
        self._image, self._deck, self._limits = image, deck, limits
        small = max(image.shape) <= SOFT_SIDE
        self._is_soft = small and changed is None and steepness(image) < SOFT_STEEPNESS
        self._evaluator = Evaluator(image, deck, expected, soft=self._is_soft, limits=limits)
        self._matches: list[CardMatch] = []
        self._residual = Residual(image, changed, limits.structure)
        self._changed = None if changed is None else ChangedArea(changed, image.shape, limits.structure)
        self._settled: list[CardMatch] = []

    def run(self) -> FoundMatches:
        """Evaluates outlines, then features where structure is left unexplained."""
        outlines = find_quads(self._image, wanted=self._has_changed)
        self._by_outline(outlines)
        box = None if self._is_explained else self._residual.box()
        if box is not None:
            self._by_features(box)
        return FoundMatches(self._evaluator, self._is_soft, tuple(outlines), tuple(self._matches))

    @property
    def _is_explained(self) -> bool:
        """Whether settled cards explain everything that has changed."""
        return self._changed is not None and self._changed.is_explained

    def _has_changed(self, quad: Floats) -> bool:
        """Whether enough of a place has changed, where only a changed area is searched."""
        return self._changed is None or self._changed.share(quad) >= self._limits.outlines.changed

    def _is_settled_at(self, quad: Floats) -> bool:
        """Whether a settled match is at the place, so that nothing else is tried there."""
        return any(same_place(match.quad, quad) for match in self._settled)

    def _by_outline(self, quads: Sequence[Floats]) -> None:
        """Evaluate outlines, most promising first, skipping places already settled."""
        limits = self._limits.outlines
        glances = sorted(self._evaluator.rank_outlines(quads), key=lambda candidates: candidates[0].cost)
        for candidates in glances[: limits.most]:
            quad = candidates[0].quad
            if self._is_explained:
                break
            typical = self._typical_area()
            if typical and not limits.smallest < geometry.area(quad) / typical < limits.largest:
                continue
            if self._is_settled_at(quad):
                continue
            if not self._is_found_already(candidates):
                self._keep(self._evaluator.evaluate(candidates))

    def _is_found_already(self, candidates: Sequence[Candidate]) -> bool:
        """Whether the likeliest card has been found at the same place, from another outline."""
        looks = {candidate.look for candidate in candidates[:2]}
        return any(
            j.look in looks and same_place(j.quad, candidates[0].quad) for j in self._matches if j.is_likely
        )

    def _keep(self, match: CardMatch | None) -> None:
        """Keeps a match, if there is one; a clear one settles its place."""
        if match is None:
            return
        self._matches.append(match)
        if match.is_clear(self._limits.ends):
            self._settled.append(match)
            self._residual.cover(match.quad)
            if self._changed is not None:
                self._changed.cover(match.quad)

    def _typical_area(self) -> float | None:
        """The area of the cards settled, in pixels."""
        return float(np.median([geometry.area(j.quad) for j in self._settled])) if self._settled else None

    def _by_features(self, box: tuple[int, int, int, int]) -> None:
        """Evaluate what local features propose within the box of the picture."""
        left, top, right, bottom = box
        limits, typical = self._limits.features, self._typical_area()
        longest = SOFT_FEATURE_SIDE if self._is_soft else FEATURE_SIDE
        scale = min(1.0, longest / max(self._image.shape))
        if typical is not None:
            scale = min(scale, limits.card_width / math.sqrt(typical / self._deck.aspect))
        part = np.ascontiguousarray(self._image[top:bottom, left:right])
        size = (max(16, round(part.shape[1] * scale)), max(16, round(part.shape[0] * scale)))
        small = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
        offset = np.array([left, top], np.float32)
        small = self._residual.painted(stretch_contrast(small) if self._is_soft else small, scale, offset)
        where = None if self._changed is None else self._changed.mask_within(box, size)
        contrast = limits.soft_contrast if self._is_soft else limits.contrast
        features = find_features(small, MOST_FEATURES, contrast, where)
        widths = (0.0, float(max(small.shape)))
        if typical is not None:
            width = scale * math.sqrt(typical / self._deck.aspect)
            outlines = self._limits.outlines
            widths = (width * math.sqrt(outlines.smallest), width * math.sqrt(outlines.largest))
        self._by_votes(features, widths, scale, offset)

    def _by_votes(
        self, features: Features, widths: tuple[float, float], scale: float, offset: Floats
    ) -> None:
        """Evaluates the poses on which the features of a part of the picture agree. The part begins at
        `offset` and is shown at `scale` times its size; there cards have `widths` (least, largest)."""
        bounded, limits, poses = self._changed is not None, self._limits.features, self._limits.poses
        most = limits.most_if_changed if bounded else limits.most_proposed
        for proposal in self._deck.feature_matcher.hypotheses(features, widths, most, poses):
            quad = geometry.to_original(proposal.quad, scale) + offset
            if self._is_settled_at(quad) or not self._has_changed(quad):
                continue
            if self._is_explained:
                break
            inliers, distinct = proposal.inliers, proposal.distinct
            if distinct >= poses.own:
                self._keep(self._evaluator.identified(quad, proposal.looks[0], inliers, distinct))
            else:
                candidates = self._evaluator.rank_proposals(quad, proposal.looks)
                self._keep(self._evaluator.evaluate(candidates, inliers))


def stretch_contrast(image: Image) -> Image:
    """The picture with its darkest and lightest parts brought further apart, for a dim webcam."""
    low, high = np.percentile(image[::4, ::4].max(axis=2), STRETCH_PERCENTILES)
    gain = min(LARGEST_GAIN, 220.0 / max(float(high - low), 1.0))
    if gain < 1.1:
        return image
    levels = np.clip((np.arange(256) - float(low)) * gain + 10.0, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(image, levels), np.uint8)
