"""Which card lies at a place, by a network that compares what is seen there with what each look of the deck
shows under the lamp of the table (models/vision/triangles). It has learned what mirrored lamps, shadows,
hands, neighbours and wrong poses do to a card, and what cloths and mats look like; it knows no deck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.image.picture import Array, Floats
from companion.vision.lattice.card_views import look_planes, seen_planes, view_points
from companion.vision.lattice.cells import LatticePicture, covered_by
from companion.vision.lattice.colours import Illuminant
from companion.vision.models import shipped_network

NETWORK = "triangles/triangles.onnx"
AT_ONCE = 256
"""Pairs that are compared together: it bounds the memory."""


@dataclass(frozen=True, eq=False)
class SeenPlaces:
    """What places show: the `colours` (n, points, 3) at card_views.view_points, and which of them may be
    `covered` (n, points) by another card."""

    colours: Floats
    covered: Array


def seen_places(table: LatticePicture, corners: Floats, others: Sequence[Floats] = ()) -> SeenPlaces:
    """What is seen of cards that lie exactly so (n, 3, 2; pixels). `others` (3, 2 each): cards that may lie
    on them."""
    at = view_points() @ np.asarray(corners, np.float32)
    return SeenPlaces(table.surface.colours_at(at), covered_by(at, others))


def card_log_odds(seen: SeenPlaces, table: LatticePicture, lamp: Illuminant) -> Floats:
    """The log odds (n, cards) of each card of the table's deck against none of them, under this lamp."""
    templates, white, network = table.templates, table.surface.white, shipped_network(NETWORK)
    places = seen_planes(seen.colours, seen.covered, table.white, white, lamp)
    looks = look_planes(templates, table.white, white, lamp)
    rows, columns = np.divmod(np.arange(len(places) * len(looks)), len(looks))
    parts = [
        network.forward(np.concatenate([places[rows[part]], looks[columns[part]]], axis=1))
        for part in np.array_split(np.arange(len(rows)), len(rows) // AT_ONCE + 1)
    ]
    found = np.concatenate(parts).reshape(len(places), len(looks))
    cards = range(len(templates.labels))
    odds = [np.logaddexp.reduce(found[:, templates.cards == card], axis=1) for card in cards]
    return np.asarray(np.stack(odds, axis=1), np.float32)
