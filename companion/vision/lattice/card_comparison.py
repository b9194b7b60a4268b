"""Which card lies at a place, by a network that compares what is seen there with what each look of the deck
shows under the lamp of the table (models/vision/triangles). It has learned what mirrored lamps, shadows, hands,
neighbours and wrong poses do to a card, and what cloths and mats look like; it knows no deck."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.vision.image.picture import Floats
from companion.vision.lattice.card_views import look_planes, seen_planes, view_points
from companion.vision.lattice.cells import LatticePicture, covered_by
from companion.vision.models import shipped_network

NETWORK = "triangles/triangles.onnx"
AT_ONCE = 256
"""Pairs that are compared together: it bounds the memory."""


class CardComparison:
    """The deck as a table's light shows it, to be compared with places of its picture."""

    def __init__(self, table: LatticePicture) -> None:
        self._table = table
        white = table.surface.white
        self._looks = look_planes(table.templates, table.white, white, table.illuminant)

    def log_odds(self, corners: Floats, others: Sequence[Floats]) -> Floats:
        """The log odds (n, cards) of each card against none of them, by cards that lie exactly so (n, 3, 2;
        pixels). `others` (3, 2 each): cards that may lie on them."""
        table, network = self._table, shipped_network(NETWORK)
        at = view_points() @ np.asarray(corners, np.float32)
        seen = seen_planes(
            table.surface.colours_at(at),
            covered_by(at, others),
            table.white,
            table.surface.white,
            table.illuminant,
        )
        count = len(self._looks)
        rows, columns = np.divmod(np.arange(len(seen) * count), count)
        found = [
            network.forward(np.concatenate([seen[rows[part]], self._looks[columns[part]]], axis=1))
            for part in np.array_split(np.arange(len(rows)), max(1, len(rows) // AT_ONCE))
        ]
        by_look = np.concatenate(found).reshape(len(seen), count)
        cards = table.templates.cards
        odds = [np.logaddexp.reduce(by_look[:, cards == card], axis=1) for card in range(len(table.templates.labels))]
        return np.asarray(np.stack(odds, axis=1), np.float32)
