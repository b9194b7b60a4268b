"""Which card lies at a place, by a network that compares what is seen there with what each look of the deck
shows under the lamp of the table (models/vision/triangles). It has learned what mirrored lamps, shadows,
hands, neighbours and wrong poses do to a card, and what cloths and mats look like; it knows no deck."""

from __future__ import annotations

import numpy as np

from companion.vision.image.picture import Floats
from companion.vision.lattice.card_views import look_planes, seen_planes, view_points
from companion.vision.lattice.cells import LatticePicture
from companion.vision.lattice.colours import Illuminant, TriangleTemplates
from companion.vision.models import shipped_network

NETWORK = "triangles/triangles.onnx"
AT_ONCE = 256
"""Pairs that are compared together: it bounds the memory."""


def seen_colours(table: LatticePicture, corners: Floats) -> Floats:
    """What is seen of cards that lie exactly so (n, 3, 2; pixels): the colours (n, points, 3) at
    card_views.view_points."""
    return table.surface.colours_at(view_points() @ np.asarray(corners, np.float32))


def card_log_odds(
    colours: Floats, table: LatticePicture, templates: TriangleTemplates, lamp: Illuminant
) -> Floats:
    """The log odds (n, cards) of each card of a deck against none of them, under this lamp, by what
    seen_colours says of places."""
    white, network = table.surface.white, shipped_network(NETWORK)
    covered = np.zeros(colours.shape[:2], bool)
    places = seen_planes(colours, covered, table.white, white, lamp)
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
