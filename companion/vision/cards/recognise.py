"""Names the cards in a picture: outlines and local features propose places, the looks of the deck decide.

Each part of the picture is explained once, by the card that explains most of it. What is no card of the deck
gets no label: a foreign object, the back of a card, a card of another deck.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.core.observations import Sighting
from companion.vision.cards.candidates import Candidate
from companion.vision.cards.evaluator import Evaluator
from companion.vision.cards.occluded import find_occluded
from companion.vision.cards.residual import ChangedArea, Residual
from companion.vision.cards.selection import select_matches
from companion.vision.cards.unlabelled import count_unlabelled, has_visible_edge
from companion.vision.cards.verified_places import LikelyPlace, places_of, verified_cards
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import LONGEST, Array, Floats, Image, shrunk, validated
from companion.vision.image.quads import find_quads
from companion.vision.image.sharpness import steepness
from companion.vision.match.features import Features, find_features
from companion.vision.match.score import CardMatch, confidence, is_likely
from companion.vision.match.suppression import by_strength, same_place
from companion.vision.verifier.limits import PlaceEvidence, verifier_limits
from companion.vision.verifier.verify import place_log_odds

LARGEST_FIRST_COST = 0.88
"""Cost in the first comparison above which an outline is not looked at again."""
BURIED_SHARE = 0.8
"""Share of a place covered by a settled card above which no other card is searched for there."""
FIRM_VOTES = 8
"""Features that must agree for a pose to be tried although almost nothing there looks like the card."""
FAINT_COST, FAINT_COST_SOFT = 0.74, 0.85
"""Cost above which almost nothing looks like the card; the pose of a soft one is often too far off."""
LEAST_CHANGED = 0.1
"""Least share of a place that has changed, where only a changed area is searched."""
MOST_OUTLINES = 24
MOST_BESIDE = 3
"""Places without a name that the verifier is asked about beside named cards, 30 ms each."""
MOST_COVERED = 0.6
"""Share of such a place that a named card may cover."""
SOFT_SIDE = 900
"""Longer side of a picture up to which fainter features are searched for: it is small, and may be a
webcam's."""
WEBCAM_SIDE = 1280
"""Longer side of the largest picture that may be a webcam's."""
SOFT_STEEPNESS = 0.23
"""Steepness (companion.vision.image.sharpness) up to which a small picture counts as a webcam's: empty
pictures of one reach 0.21, photographs of cards on a table that were shrunk to its size have 0.25 and
more."""
CONTRAST, SMALL_CONTRAST, WEBCAM_CONTRAST = 0.02, 0.012, 0.008
"""The faintest features searched for in a picture, in a small one (or a part of one), and in a webcam's."""
MOST_FEATURES = 2000
"""Features of a picture that are looked at, those of highest contrast."""
MOST_PROPOSED, MOST_IF_CHANGED = 40, 16
"""Most proposals of features that are evaluated; the second where only a changed area is searched. There,
once a card is found, only proposals with FIRM_VOTES are evaluated; the others come from the hand that laid
it."""
PER_PLACE = 3
"""Proposals of features that are evaluated at one place, unless one is clear."""
SAME_OUTLINE = 0.1
"""Card widths by which the corners of two outlines of one card differ."""
LIKE_SIZE = (0.4, 2.5)
"""Area of an outline that may be a card, against that of the cards already found in the picture."""
STRETCH_PERCENTILES, LARGEST_GAIN = (1.0, 99.0), 3.0
"""Percentiles that a dim picture's light is spread between, and the most that it is strengthened."""
LEAST_WIDTH = 40.0
"""Width in pixels of the smallest card searched for by features."""
FEATURE_SIDE = 1120
"""Longer side of the picture in which local features are searched for."""
SOFT_SCALE, SOFT_LEAST = 0.6, 400
"""The same for a small picture: a share of its longer side, and at least that many pixels."""
FEATURE_WIDTH = 130.0
"""Width in pixels of a card that is enough for its features."""


@dataclass(frozen=True)
class CardReading:
    """The cards found in one picture. `unknown`: number of outlines of a card's size that got no label."""

    cards: tuple[Sighting, ...]
    unknown: int


def recognise(
    image: Image, deck: Deck, expected: frozenset[str] | None = None, changed: Array | None = None
) -> CardReading:
    """Finds the cards of a deck in a picture, any number of copies, covered ones included.

    >>> from pathlib import Path
    >>> import numpy as np
    >>> from companion.art.scene import Conditions, Placed, Scene, View
    >>> from companion.vision.deck.deck import Deck
    >>> deck = Deck.load(Path("models/decks/seven_merry_monsters"))
    >>> cards = [Placed("red 5", -60.0, 0.0, 10.0), Placed("blue 2", 60.0, 0.0, -20.0)]
    >>> rng = np.random.default_rng(1)
    >>> table = Scene("seven_merry_monsters", View(960, 640, span=420.0), Conditions(), rng)
    >>> match = recognise(np.asarray(table.render(cards).image, np.uint8), deck)
    >>> sorted(card.label for card in match.cards)
    ['blue 2', 'red 5']
    >>> all(card.confidence > 0.9 for card in match.cards)
    True

    Args:
        image: BGR, uint8, (height, width, 3). The time grows with its size: hand over the part that matters.
        deck: the enrolled cards.
        expected: labels that may be there. Other cards are still named, if they fit clearly better.
        changed: bool, (rows, columns) of the picture or smaller in proportion: only what has changed must be
            explained. Cards elsewhere are named only at next to no cost, and covered cards are not searched.

    Returns:
        The cards with label, confidence (0 to 1) and corners in pixels of `image`, strongest first, and the
        number of outlines of a card's size without a label.

    Raises:
        Unreadable: it is no picture.
    """
    small, scale = worked_on(validated(image), whole=changed is None)
    search = CardSearch(small, deck, expected, changed)
    accepted = search.read()
    cards = tuple(to_sighting(match, scale) for match in accepted)
    soft = np.asarray(cv2.blur(small, (5, 5)), np.uint8)
    distinct = [quad for quad in search.outlines if has_visible_edge(soft, quad)]
    return CardReading(cards, count_unlabelled(distinct, accepted))


def worked_on(image: Image, *, whole: bool = True) -> tuple[Image, float]:
    """The picture as it is searched, and by what it was shrunk: a soft one of a webcam to SOFT_SIDE, because
    a webcam of 1280 x 720 shows no more than that. `whole`: not only a changed area is searched."""
    if whole and SOFT_SIDE < max(image.shape) <= WEBCAM_SIDE:
        small, scale = shrunk(image, SOFT_SIDE)
        if steepness(small) < SOFT_STEEPNESS:
            return small, scale
    return shrunk(image, LONGEST)


class CardSearch:
    """The search for cards in one picture. Cheap methods run first; more expensive ones only where structure
    is left unexplained."""

    def __init__(
        self,
        image: Image,
        deck: Deck,
        expected: frozenset[str] | None = None,
        changed: Array | None = None,
    ) -> None:
        self.image = image
        self.deck = deck
        self._small = max(image.shape) <= SOFT_SIDE
        self.is_soft = self._small and changed is None and steepness(image) < SOFT_STEEPNESS
        """Whether this is a webcam's picture, whose likeliest places are named instead of its matches."""
        self.evaluator = Evaluator(image, deck, expected, soft=self.is_soft)
        self.outlines: list[Floats] = []
        self._residual = Residual(image)
        self._changed = None if changed is None else ChangedArea(changed, image.shape)
        if changed is not None:
            self._residual.only(changed)
        self._matches: list[CardMatch] = []
        self._settled: list[CardMatch] = []

    def read(self) -> list[CardMatch]:
        """The matches that stand, strongest first, then covered cards."""
        named = self.named()
        if self._changed is not None or not self.deck.suits_networks:
            return named
        return find_occluded(self.image.shape[:2], self.deck, self.evaluator, named)

    def named(self) -> list[CardMatch]:
        """The names that stand, of cards that are not covered. Where nothing else is known, the verifier
        names places only if it can tell the deck's cards apart, or if the picture is a webcam's."""
        self._find()
        if not self.deck.suits_networks:
            return [match for match in self._selected() if is_likely(match)]
        if self.is_soft:
            return self._verified(self._places())
        named = self._confirmed(self._selected())
        similar = self.deck.enrolled.likeness > verifier_limits().places.similar
        if self._changed is not None or similar:
            return named
        if named:
            return [*named, *self._verified_beside(named)]
        return [] if self._has_refused else self._verified(self._places())

    @property
    def _has_refused(self) -> bool:
        """Whether a match that is good enough has been found, if none stands: a card lies there that is not
        enrolled."""
        return any(is_likely(match) for match in self._matches)

    def unconfirmed(self) -> list[CardMatch]:
        """The names of a picture that is not soft, before the verifier is asked about them."""
        self._find()
        return self._selected()

    @property
    def matches(self) -> tuple[CardMatch, ...]:
        """All matches that the search has found, also such as do not stand."""
        return tuple(self._matches)

    def _selected(self) -> list[CardMatch]:
        return select_matches(self.deck, self._matches, self.image.shape[:2])

    def likely_places(self) -> list[LikelyPlace]:
        """The places that the verifier is asked about, if this is a webcam's picture."""
        self._find()
        return self._places()

    def _find(self) -> None:
        """Evaluates outlines, then features where structure is left unexplained."""
        self.outlines = find_quads(self.image, wanted=self._has_changed)
        self._by_outline(self.outlines)
        box = None if self._is_explained else self._residual.box()
        if box is not None:
            self._by_features(box)

    @property
    def _is_explained(self) -> bool:
        """Whether settled cards explain everything that has changed."""
        return self._changed is not None and self._changed.is_explained

    def _has_changed(self, quad: Floats) -> bool:
        """Whether enough of a place has changed, where only a changed area is searched."""
        return self._changed is None or self._changed.share(quad) >= LEAST_CHANGED

    def _by_outline(self, quads: Sequence[Floats]) -> None:
        """Evaluate outlines, most promising first, skipping places already settled."""
        glances = sorted(self.evaluator.rank_outlines(quads), key=lambda candidates: candidates[0].cost)
        for candidates in glances[:MOST_OUTLINES]:
            quad = candidates[0].quad
            if candidates[0].cost > LARGEST_FIRST_COST or self._is_explained:
                break
            typical = self._typical_area()
            if typical is not None and not LIKE_SIZE[0] < geometry.area(quad) / typical < LIKE_SIZE[1]:
                continue
            if _is_settled_at(quad, self._settled) or _is_buried(quad, self._settled):
                continue
            if not self._is_found_already(candidates):
                self._keep(self.evaluator.evaluate(candidates))

    def _is_found_already(self, candidates: Sequence[Candidate]) -> bool:
        """Whether the likeliest card has been found at the same place, from another outline."""
        looks = {candidate.look for candidate in candidates[:2]}
        return any(
            j.look in looks and same_place(j.quad, candidates[0].quad, SAME_OUTLINE)
            for j in self._matches
            if is_likely(j)
        )

    def _keep(self, match: CardMatch | None) -> bool:
        """Keeps a match; true if it settles its place."""
        if match is None:
            return False
        self._matches.append(match)
        if match.is_settled:
            self._settled.append(match)
            self._residual.cover(match.quad)
            if self._changed is not None:
                self._changed.cover(match.quad)
        return match.is_settled

    def _typical_area(self) -> float | None:
        """The area of the cards settled, in pixels."""
        return float(np.median([geometry.area(j.quad) for j in self._settled])) if self._settled else None

    def _by_features(self, box: tuple[int, int, int, int]) -> None:
        """Evaluate what local features propose within the box of the picture."""
        left, top, right, bottom = box
        typical = self._typical_area()
        longest = max(self.image.shape)
        scale = min(1.0, max(SOFT_SCALE, SOFT_LEAST / longest) if self._small else FEATURE_SIDE / longest)
        if typical is not None:
            scale = min(scale, FEATURE_WIDTH / math.sqrt(typical / self.deck.aspect))
        part = np.ascontiguousarray(self.image[top:bottom, left:right])
        size = (max(16, round(part.shape[1] * scale)), max(16, round(part.shape[0] * scale)))
        small = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
        offset = np.array([left, top], np.float32)
        small = self._residual.painted(stretch_contrast(small) if self.is_soft else small, scale, offset)
        where = None if self._changed is None else self._changed.mask_within(box, size)
        features = find_features(small, MOST_FEATURES, self._contrast, where)
        self._by_votes(features, float(max(small.shape)), scale, offset, bounded=where is not None)

    @property
    def _contrast(self) -> float:
        """The faintest features that are searched for."""
        return WEBCAM_CONTRAST if self.is_soft else SMALL_CONTRAST if self._small else CONTRAST

    def _verified(self, places: Sequence[LikelyPlace]) -> list[CardMatch]:
        """The cards that the verifier names: held, half hidden, pale, under glare."""
        return verified_cards(self.evaluator.scene, self.deck, places, self.evaluator.matched)

    def _confirmed(self, named: Sequence[CardMatch]) -> list[CardMatch]:
        """The named cards less those that the verifier contradicts: a card that is not enrolled may have the
        frame, the colours and most marks of one that is."""
        if not named:
            return []
        limits = verifier_limits().table
        names = limits.of(self.deck.enrolled.likeness)
        chances = limits.model.each_alone(self.evidence_of(named))
        return [
            replace(match, probability=float(chance))
            for match, chance in zip(named, chances, strict=True)
            if names.is_named(float(chance), match.margin)
        ]

    def evidence_of(self, matches: Sequence[CardMatch]) -> PlaceEvidence:
        """What speaks for each of these matches, by the verifier too."""
        poses = [(match.look, match.quad) for match in matches]
        odds = place_log_odds(self.evaluator.scene, self.deck.enrolled, poses)
        features = [match.telling_features for match in matches]
        support = [match.support for match in matches]
        none = np.zeros_like(odds)
        return PlaceEvidence(odds, np.array(features, np.float32), np.array(support, np.float32), none)

    def _verified_beside(self, named: Sequence[CardMatch]) -> list[CardMatch]:
        """The cards that the verifier names at the likeliest places that no named card covers."""
        taken = [match.quad for match in named]
        places: list[LikelyPlace] = []
        for match in by_strength(self._matches):
            if _is_free(match.quad, [*taken, *(place.quad for place in places)]):
                places.append(LikelyPlace.of(match))
        found = self._verified(places[:MOST_BESIDE])
        return [match for match in found if _is_free(match.quad, taken)]

    def _places(self) -> list[LikelyPlace]:
        return places_of(self.evaluator.scene, self.deck, by_strength(self._matches))

    def _by_votes(
        self, features: Features, side: float, scale: float, offset: Floats, *, bounded: bool
    ) -> None:
        """Evaluate the poses on which the features of a part of the picture agree, from `offset` on and
        `scale` times its size, its longer side; `bounded` if they are of what has changed alone."""
        typical = self._typical_area()
        widths = (LEAST_WIDTH * scale, side)
        if typical is not None:
            width = scale * math.sqrt(typical / self.deck.aspect)
            widths = (width * math.sqrt(LIKE_SIZE[0]), width * math.sqrt(LIKE_SIZE[1]))
        tried: list[Floats] = []
        most = MOST_IF_CHANGED if bounded else MOST_PROPOSED
        for proposal in self.deck.feature_matcher.hypotheses(features, widths, most=most):
            quad = geometry.to_original(proposal.quad, scale) + offset
            if (
                _is_settled_at(quad, self._settled)
                or _is_buried(quad, self._settled)
                or not self._has_changed(quad)
            ):
                continue
            if self._is_explained:
                break
            if bounded and proposal.votes < FIRM_VOTES and any(is_likely(j) for j in self._matches):
                continue
            if sum(same_place(place, quad, 0.25) for place in tried) >= PER_PLACE:
                continue
            identified = proposal.is_identified
            candidates = self.evaluator.rank_proposals(quad, proposal.looks, identified=identified)
            if (
                candidates[0].cost > (FAINT_COST_SOFT if self.is_soft else FAINT_COST)
                and proposal.votes < FIRM_VOTES
            ):
                continue
            tried.append(quad)
            distinct = proposal.distinct if identified else 0
            self._keep(self.evaluator.evaluate(candidates, proposal.inliers, distinct=distinct))


def stretch_contrast(image: Image) -> Image:
    """The picture with its darkest and lightest parts brought further apart, for a dim webcam."""
    low, high = np.percentile(image[::4, ::4].max(axis=2), STRETCH_PERCENTILES)
    gain = min(LARGEST_GAIN, 220.0 / max(float(high - low), 1.0))
    if gain < 1.1:
        return image
    levels = np.clip((np.arange(256) - float(low)) * gain + 10.0, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(image, levels), np.uint8)


def _is_free(quad: Floats, taken: Sequence[Floats]) -> bool:
    """Whether no other quad covers much of a place."""
    return all(geometry.shared_part(quad, other) < MOST_COVERED for other in taken)


def _is_settled_at(quad: Floats, done: Sequence[CardMatch]) -> bool:
    """Whether a settled match is at the place, so that nothing else is tried there."""
    return any(same_place(j.quad, quad) for j in done)


def _is_buried(quad: Floats, done: Sequence[CardMatch]) -> bool:
    """Whether too little of the place is visible beside a settled card that is wholly visible."""
    size = abs(geometry.area(quad))
    for match in done:
        shared, _ = cv2.intersectConvexConvex(quad, match.quad)
        if shared > BURIED_SHARE * size and match.is_open:
            return True
    return False


def to_sighting(match: CardMatch, scale: float) -> Sighting:
    """A match as it is reported; its corners in pixels of the picture before that was shrunk by `scale`."""
    corners = geometry.corner_points(geometry.to_original(match.quad, scale))
    return Sighting(match.label, round(confidence(match), 4), corners)
