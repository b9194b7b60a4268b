"""What the verifier knows of the cards of a deck: the features of their pictures as they were enrolled.

The features are kept in the deck, and no picture. A deck that was enrolled before, or for another network,
has only descriptors; pictures made again from those serve, with fewer details.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import copy
from functools import cached_property

import numpy as np

from companion.vision.image.picture import Array, Bytes, Floats
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.match.reconstruction import reconstruct
from companion.vision.models import NetworkRunner
from companion.vision.verifier.limits import verifier_limits
from companion.vision.verifier.network import (
    ENROLLED_VISIBLE,
    FEATURES_SHAPE,
    FRAME,
    features_of,
    judge_with,
    log_odds,
    packed,
    unpacked,
)

NEIGHBOURS, MOST_SAMPLED = 8, 24
"""Whether the cards of a deck are similar is seen from so many of them, each beside so many others, those
that differ least: 0.2 s once."""


def enrolled_features(scene: PicturePyramid, quad: Floats) -> Bytes:
    """The features (FEATURES_SHAPE) of the card in a quad (4, 2), to be kept."""
    card = FRAME.framed(scene.warped(quad, *FRAME.card))
    return packed(features_of(card[None], ENROLLED_VISIBLE[None])[0])


def reconstructed_features(look: Bytes) -> Bytes:
    """The features (FEATURES_SHAPE) of a card of which only the descriptor (VALUES,) is known, to be kept."""
    return packed(features_of(FRAME.framed(reconstruct(look))[None], ENROLLED_VISIBLE[None])[0])


def known_looks(features: Bytes) -> Array:
    """The looks (m,) of which a deck keeps the features (n, *FEATURES_SHAPE): for the others it has zeros."""
    return np.flatnonzero(features.any(axis=(1, 2, 3)))


class EnrolledCards:
    """The features of the looks of a deck.

    `looks` are the descriptors (n, VALUES), `cards[i]` is the card that look i shows, and `known` (n,
    *FEATURES_SHAPE) are the features that the deck keeps (see known_looks), if it does."""

    def __init__(self, looks: Bytes, cards: Array, known: Bytes | None) -> None:
        self._looks, self.cards = looks, cards
        self._judge: NetworkRunner | None = None
        self._features_of = dict[int, Bytes]()
        if known is not None:
            self._features_of.update((int(look), known[look]) for look in known_looks(known))

    def log_odds(self, seen: Floats, looks: Sequence[int]) -> Floats:
        """The log odds (n,) that pictures of quads, by their features (n, *FEATURES_SHAPE), show the cards of
        these looks (n)."""
        return log_odds(seen, self.features(looks), self._judge)

    def judged_with(self, weights: Array) -> EnrolledCards:
        """These cards, compared by a judge of other weights (number_of_weights(),)."""
        other = copy(self)
        other._judge = judge_with(weights)
        return other

    def features(self, looks: Sequence[int]) -> Floats:
        """What the verifier makes of the pictures of some looks (n, *FEATURES_SHAPE)."""
        if not looks:
            return np.zeros((0, *FEATURES_SHAPE), np.float32)
        return unpacked(np.stack([self._features(look) for look in looks]))

    def _features(self, look: int) -> Bytes:
        if look not in self._features_of:
            self._features_of[look] = reconstructed_features(self._looks[look])
        return self._features_of[look]

    @cached_property
    def likeness(self) -> float:
        """How nearly the verifier takes enrolled cards for each other, as log odds."""
        return self._likeness(self._taken_for)

    @cached_property
    def likeness_of_ends(self) -> float:
        """How nearly the verifier takes one end of an enrolled card for another card, as log
        odds."""
        return self._likeness(self._taken_for_by_end)

    def _likeness(self, taken_for: Callable[[int, Sequence[int], int], Floats]) -> float:
        """The likeness of the deck by a sample of its looks. `taken_for` gives the log odds that the verifier
        takes a look for each of those others, by the look's number in the sample."""
        if len(np.unique(self.cards)) < 2:
            return -math.inf
        count = len(self._looks)
        some = np.unique(np.linspace(0, count - 1, min(count, MOST_SAMPLED)).astype(int)).tolist()
        taken = [taken_for(look, self._nearest(look), at).max() for at, look in enumerate(some)]
        return float(np.quantile(taken, 1.0 - verifier_limits().bounds.like_share))

    def _taken_for(self, look: int, others: Sequence[int], _: int) -> Floats:
        """The log odds that the pictures of others show the card of a look."""
        return self.log_odds(self.features(others), [look] * len(others))

    def _taken_for_by_end(self, look: int, others: Sequence[int], at: int) -> Floats:
        """The log odds that the upper end of a look, or the lower one if the number `at` is odd, shows the
        cards of others."""
        visible = ENROLLED_VISIBLE.copy()
        rows = FRAME.margin + round(verifier_limits().bounds.end_share * FRAME.card[1])
        visible[rows:] = False
        visible = visible[::-1] if at % 2 else visible
        end = features_of(FRAME.framed(reconstruct(self._looks[look]))[None], visible[None])
        return self.log_odds(np.repeat(end, len(others), axis=0), others)

    def _nearest(self, look: int) -> list[int]:
        """The looks of other cards that differ least from one."""
        apart = np.abs(self._looks.astype(np.float32) - self._looks[look]).mean(axis=1)
        apart[self.cards == self.cards[look]] = np.inf
        return [int(i) for i in np.argsort(apart)[:NEIGHBOURS] if np.isfinite(apart[i])]
