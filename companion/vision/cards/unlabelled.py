"""Counts outlines that may be cards without a label, so that no card is missed without a report."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Floats, Image
from companion.vision.match.score import CardMatch

EDGE_DISTANCE, EDGE_CHANGE = 0.05, 12.0
"""How far inside and outside of its edge a card is compared with what is around it, as a share of its size,
and the grey levels by which they must differ."""


def has_visible_edge(image: Image, quad: Floats) -> bool:
    """True if the smoothed picture changes across most of the outline: an edge, not the grain of a table."""
    centre = quad.mean(axis=0)
    points = geometry.along_sides(quad, np.linspace(0.1, 0.9, 12, dtype=np.float32)[:, None])
    shown = []
    for grown in (1.0 - EDGE_DISTANCE, 1.0 + EDGE_DISTANCE):
        x, y = np.round(centre + (points - centre) * grown).astype(np.int32).T
        row, column = np.clip(y, 0, image.shape[0] - 1), np.clip(x, 0, image.shape[1] - 1)
        shown.append(image[row, column].astype(np.int16))
    return bool((np.abs(shown[0] - shown[1]).max(axis=1) > EDGE_CHANGE).mean() > 0.7)


def count_unlabelled(outlines: Sequence[Floats], accepted: Sequence[CardMatch]) -> int:
    """Outlines that might be cards: as large as those recognised, none of them in another or on a card."""
    taken = [match.quad for match in accepted]
    if taken:
        typical = float(np.median([geometry.area(quad) for quad in taken]))
        outlines = [quad for quad in outlines if 0.6 * typical < geometry.area(quad) < 1.6 * typical]
    for quad in sorted(outlines, key=geometry.area, reverse=True):
        if not any(_overlap(quad, other) for other in taken):
            taken.append(quad)
    return len(taken) - len(accepted)


def _overlap(first: Floats, second: Floats) -> bool:
    """Whether the middle of one quad lies in the other."""
    return geometry.contains(second, geometry.diagonal_crossing(first)) or geometry.contains(
        first, geometry.diagonal_crossing(second)
    )
