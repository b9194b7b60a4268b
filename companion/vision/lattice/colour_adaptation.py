"""Adapts the deck to the light and the camera of one picture.

The colour of the lamp explains what von Kries' three factors can. What is left (the camera's curve, a print
enrolled in other light) is the same wherever that card lies. So the sure cards are compared with their looks:
what all have in common is one linear change of the logarithms, found by ridge regression (Hoerl and Kennard
1970); what is left of each card is its own, shrunk the more the fewer of it were seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.image.picture import Array, Floats
from companion.vision.lattice.colours import Illuminant, TriangleTemplates
from companion.vision.triangles.appearance import local_contrast, sample_points
from companion.vision.triangles.limits import triangle_limits


@dataclass(frozen=True)
class Anchor:
    """A card that is sure: the turned look that it shows, what is compared of it (points, 4), and which
    points (points,) count."""

    look: int
    seen: Floats
    open: Array


def adapt_references(
    looks: TriangleTemplates, lamp: Illuminant, anchors: Sequence[Anchor]
) -> TriangleTemplates:
    """The looks as the picture shows them under its lamp; as they are if too few cards are sure."""
    limits = triangle_limits().adaptation
    changes = [(anchor, _change(anchor, looks, lamp)) for anchor in anchors]
    known = [anchor for anchor, (own, _) in changes if len(own) >= limits.points]
    pairs = [pair for _, pair in changes if len(pair[0]) >= limits.points]
    if len(known) < limits.fewest:
        return looks
    centre = np.concatenate([own for own, _ in pairs]).mean(axis=0)
    common = _common_change([(own - centre, change) for own, change in pairs])
    values = looks.values[..., :3]
    moved = values + (values - centre) @ common
    left: dict[int, list[Floats]] = {}
    for anchor, (own, change) in zip(known, pairs, strict=True):
        rest = np.median(change - (own - centre) @ common, axis=0)
        left.setdefault(int(looks.cards[anchor.look]), []).append(np.asarray(rest, np.float32))
    for card, rests in left.items():
        offset = np.sum(rests, axis=0) / (len(rests) + (limits.card_deviation / limits.deck_deviation) ** 2)
        moved[looks.cards == card, :, 1:] += offset[1:]
    whole = np.concatenate([moved, local_contrast(moved[..., 0])[..., None]], axis=-1)
    return TriangleTemplates(looks.labels, looks.cards, np.asarray(whole, np.float32))


def _change(anchor: Anchor, looks: TriangleTemplates, lamp: Illuminant) -> tuple[Floats, Floats]:
    """What the look has at the points that count (n, 3), and how the card differs from it there, its lamp and
    its own brightness apart (n, 3)."""
    own = looks.values[anchor.look, :, :3]
    change = anchor.seen[:, :3] - own
    change = change - np.array([np.median(change[:, 0]), *lamp.colour], np.float32)
    count = anchor.open & (np.abs(change).max(axis=1) < 2 * triangle_limits().colours.colour_cutoff)
    return own[count], change[count]


def _common_change(pairs: Sequence[tuple[Floats, Floats]]) -> Floats:
    """The change (3, 3) of logarithms that all cards share."""
    limits = triangle_limits().adaptation
    share = limits.points / sample_points().shape[0]
    x, y = np.concatenate([own for own, _ in pairs]), np.concatenate([change for _, change in pairs])
    own = 1 + (limits.card_deviation / limits.deck_deviation) ** 2
    matrix = share * x.T @ x + np.eye(3) * own
    return np.asarray(np.linalg.solve(matrix, share * x.T @ y), np.float32)
