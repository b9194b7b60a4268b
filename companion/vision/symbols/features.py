"""Which symbol a place shows: what is seen there and what was enrolled are compared by the features that the
symbol network makes of both (models/vision/symbols). A symbol of another printing, bent or seen a little
aside, has nearly the features of the one that was enrolled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from companion.vision.choice import choice_odds, choice_probabilities
from companion.vision.image.picture import Floats
from companion.vision.models import shipped_limits, shipped_network
from companion.vision.symbols.polar import ANGLES, RADII, SymbolMatch, SymbolPlace, TurnedLooks

FEATURES_SHAPE = (16, RADII // 2, ANGLES // 2)
"""Planes, rings and angles."""
PADDING = 8
"""Angles beyond either end that the network sees, the last one excepted."""
NETWORK, TRAINING = "symbols/symbols.onnx", "symbols/symbols.json"
AT_ONCE = 64
"""Places that are looked at together: it bounds the memory."""


class SymbolOdds(msgspec.Struct, frozen=True):
    """The log odds of a symbol, against none of them: `by_fit` times what it fits better than `least`. The
    training of the network finds both."""

    by_fit: float
    least: float


def features_of(views: Floats) -> Floats:
    """The features (n, *FEATURES_SHAPE), of length 1, of what is seen (n, CHANNELS, RADII, ANGLES)."""
    wide = np.concatenate([views[..., -PADDING:], views, views[..., : PADDING - 1]], axis=-1)
    network = shipped_network(NETWORK)
    parts = [np.ascontiguousarray(wide[at : at + AT_ONCE]) for at in range(0, len(wide), AT_ONCE)]
    return np.concatenate([np.zeros((0, *FEATURES_SHAPE), np.float32), *map(network.forward, parts)])


class SymbolAlbum:
    """The symbols of a deck, to be compared with places."""

    def __init__(self, labels: Sequence[str], looks: Floats) -> None:
        """`looks` (n, CHANNELS, RADII, ANGLES) with one label each; a label may have several."""
        self._labels = list(dict.fromkeys(labels))
        self._looks_of = [np.flatnonzero([one == label for one in labels]) for label in self._labels]
        self._features = TurnedLooks(features_of(looks))

    def matches(self, places: Sequence[SymbolPlace]) -> list[SymbolMatch]:
        """Each place with the symbol that it shows most likely, most probable first. Places may overlap."""
        found: list[SymbolMatch] = []
        for at in range(0, len(places), AT_ONCE):
            part = places[at : at + AT_ONCE]
            found += self._matches(part, features_of(np.concatenate([one.patch.views() for one in part])))
        return sorted(found, key=lambda one: -one.probability)

    def _matches(self, places: Sequence[SymbolPlace], seen: Floats) -> Iterator[SymbolMatch]:
        """The likeliest symbol of each place by its features (n, *FEATURES_SHAPE)."""
        model, fits = shipped_limits(TRAINING, SymbolOdds), self._features.fits(seen)
        by_label = np.stack([fits[:, own].max(axis=1) for own in self._looks_of], axis=1)
        odds = choice_odds(model.by_fit * (by_label.max(axis=2) - model.least))
        turns = by_label.argmax(axis=2)
        for place, chances, turn in zip(places, choice_probabilities(odds), turns, strict=True):
            best = int(chances.argmax())
            degrees = float(turn[best]) * 360.0 / FEATURES_SHAPE[2]
            yield SymbolMatch(self._labels[best], float(chances[best]), place.centre, place.radius, degrees)
