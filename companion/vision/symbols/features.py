"""Which symbol a place shows: what is seen there and what was enrolled are compared by the features that the
symbol network makes of both (models/vision/symbols). A symbol of another printing, bent or seen a little
aside, has nearly the features of the one that was enrolled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from companion.vision.choice import choice_odds, choice_probabilities
from companion.vision.image.picture import Floats
from companion.vision.models import shipped_limits, shipped_network
from companion.vision.symbols.polar import ANGLES, RADII, UNCHANGED, SymbolPatch, TurnedLooks, to_affine

FEATURES_SHAPE = (16, RADII // 2, ANGLES // 2)
"""Planes, rings and angles."""
PADDING = 8
"""Angles beyond either end that the network sees, the last one excepted."""
NETWORK, TRAINING, LIMITS = "symbols/symbols.onnx", "symbols/symbols.json", "symbols.json"
AT_ONCE = 64
"""Places that are looked at together: it bounds the memory."""


class SymbolOdds(msgspec.Struct, frozen=True):
    """The log odds of a symbol, against none of them: `by_fit` times what it fits better than `least`. The
    training of the network finds both."""

    by_fit: float
    least: float


class SymbolLimits(msgspec.Struct, frozen=True):
    """A symbol is named if it is more probable than `named`; a place where one is more probable than `likely`
    is asked about. `python -m bench --fit symbols` finds both."""

    named: float
    likely: float


def symbol_odds() -> SymbolOdds:
    """Those of the network that is shipped."""
    return shipped_limits(TRAINING, SymbolOdds)


def symbol_limits() -> SymbolLimits:
    """The limits that are shipped."""
    return shipped_limits(LIMITS, SymbolLimits)


def features_of(views: Floats) -> Floats:
    """The features (n, *FEATURES_SHAPE), of length 1, of what is seen (n, CHANNELS, RADII, ANGLES)."""
    wide = np.concatenate([views[..., -PADDING:], views, views[..., : PADDING - 1]], axis=-1)
    network = shipped_network(NETWORK)
    parts = [np.ascontiguousarray(wide[at : at + AT_ONCE]) for at in range(0, len(wide), AT_ONCE)]
    return np.concatenate([np.zeros((0, *FEATURES_SHAPE), np.float32), *map(network.forward, parts)])


@dataclass(frozen=True)
class SymbolName:
    """The likeliest symbol of a place, its probability, and how far it is turned, in degrees."""

    label: str
    probability: float
    degrees: float


class SymbolAlbum:
    """The symbols of a deck, to be compared with places."""

    def __init__(self, labels: Sequence[str], looks: Floats) -> None:
        """`looks` (n, CHANNELS, RADII, ANGLES) with one label each; a label may have several."""
        self._labels = list(dict.fromkeys(labels))
        self._looks_of = [np.flatnonzero([one == label for one in labels]) for label in self._labels]
        self._features = TurnedLooks(features_of(looks))

    def names(self, patches: Sequence[SymbolPatch]) -> list[SymbolName]:
        """What each place shows most likely."""
        if not patches:
            return []
        return self.names_of_views(np.concatenate([patch.views(to_affine(UNCHANGED)) for patch in patches]))

    def names_of_views(self, views: Floats) -> list[SymbolName]:
        """The same by what is seen at each (n, CHANNELS, RADII, ANGLES)."""
        return [
            name
            for at in range(0, len(views), AT_ONCE)
            for name in self._named(features_of(views[at : at + AT_ONCE]))
        ]

    def _named(self, seen: Floats) -> Iterator[SymbolName]:
        """Names by features (n, *FEATURES_SHAPE)."""
        model, fits = symbol_odds(), self._features.fits(seen)
        by_label = np.stack([fits[:, own].max(axis=1) for own in self._looks_of], axis=1)
        odds = choice_odds(model.by_fit * (by_label.max(axis=2) - model.least))
        for chances, turns in zip(choice_probabilities(odds), by_label.argmax(axis=2), strict=True):
            best = int(chances.argmax())
            degrees = float(turns[best]) * 360.0 / FEATURES_SHAPE[2]
            yield SymbolName(self._labels[best], float(chances[best]), degrees)
