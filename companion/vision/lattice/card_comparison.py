"""Which card lies at a place, by a network that compares what is seen there with what each look of the deck
shows under the lamp of the table (models/vision/triangles). It has learned what mirrored lamps, shadows,
hands, neighbours and wrong poses do to a card, and what cloths and mats look like; it knows no deck."""

from __future__ import annotations

import numpy as np

from companion.vision.image.picture import Floats
from companion.vision.lattice.card_views import look_planes, seen_planes, view_points
from companion.vision.lattice.colours import Illuminant, TriangleTemplates
from companion.vision.models import shipped_network
from companion.vision.triangles.appearance import SampledPicture

NETWORK = "triangles/triangles.onnx"
AT_ONCE = 256
"""Pairs that are compared together: it bounds the memory."""


class CardComparison:
    """The deck as a table's light shows it, to be compared with places of its picture."""

    def __init__(
        self, surface: SampledPicture, looks: TriangleTemplates, white: float, lamp: Illuminant
    ) -> None:
        """`white`: the level that is white on the cards."""
        self._surface, self._white, self._lamp = surface, white, lamp
        self._labels, self._cards = looks.labels, looks.cards
        self._looks = look_planes(looks, white, surface.white, lamp)

    def log_odds(self, corners: Floats) -> Floats:
        """The log odds (n, cards) of each card against none of them, by cards that lie exactly so (n, 3, 2;
        pixels)."""
        surface, network, count = self._surface, shipped_network(NETWORK), len(self._looks)
        colours = surface.colours_at(view_points() @ np.asarray(corners, np.float32))
        covered = np.zeros(colours.shape[:2], bool)
        seen = seen_planes(colours, covered, self._white, surface.white, self._lamp)
        rows, columns = np.divmod(np.arange(len(seen) * count), count)
        parts = [
            network.forward(np.concatenate([seen[rows[part]], self._looks[columns[part]]], axis=1))
            for part in np.array_split(np.arange(len(rows)), len(rows) // AT_ONCE + 1)
        ]
        found = np.concatenate(parts).reshape(len(seen), count)
        odds = [
            np.logaddexp.reduce(found[:, self._cards == card], axis=1) for card in range(len(self._labels))
        ]
        return np.asarray(np.stack(odds, axis=1), np.float32)
