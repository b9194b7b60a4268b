"""How a card lies at a place: laid into the picture by trial.

Where no outline was found (cards that touch, overlap, lie half in glare) a card is moved and turned about
where the lattice expects it, until it looks as much as possible like some card of the deck under the table's
lamp. Poses are corners (3, 2) in sides of the table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from companion.vision.image.picture import Array, Floats
from companion.vision.lattice.cells import Cell, LatticePicture, offsets
from companion.vision.lattice.colours import TriangleTemplates, template_costs
from companion.vision.lattice.fit import Place, corners_of, projected

REACH, TURN = 0.165, math.radians(18.0)
"""How far from its place, in sides, a card is looked for, and turned how far."""
COARSE_PARTS, FINE_PARTS, FINEST_PARTS = 2, 4, 16
"""Parts of both that are steps of the usual grid of poses, of a finer one, and between the last poses."""
COARSE_STEP = 5
"""Each so-many-th point is compared on a grid."""
OUTLINE_WEIGHT = 0.06
"""What it costs less to have all of an outline."""
OFFSET_PENALTY = 0.4
"""What it costs to lie a side away from where the other cards let a card be expected."""
STARTS, LIKELIEST = 4, 3
"""So many poses of the finer grid, no neighbours, are followed, each with so many of the turned looks."""
LEAST_OUTLINE = 0.6
"""Share of a card's outline that is seen even if a lamp is mirrored in it."""
EDGE_POSES = 10
"""So many poses with the clearest outlines are compared under veils."""

Compare = Callable[[Floats, TriangleTemplates], Floats]
"""How much cards that lie so (n, 3, 2; pixels) differ from looks: (n, looks)."""


class PoseSearch:
    """Searches for the card of a place `at` of the table that the camera sees by `view`."""

    def __init__(self, at: Place, view: Array, table: LatticePicture) -> None:
        self._at, self._view, self._table = at, view, table

    def plain(self, outlines: Sequence[Floats] = ()) -> Cell:
        """The cell at its best about where the lattice expects it, or about `outlines` (3, 2 each, in pixels)
        that were found."""
        return self._searched(self._poses(outlines), COARSE_PARTS, 1)

    def finely(self) -> Cell:
        """The cell at its best on the finer grid, from several starts: between cards of its own colour a card
        stands out by its pattern alone."""
        return self._searched(_moved(corners_of(self._at), FINE_PARTS, FINE_PARTS), FINE_PARTS, STARTS)

    def under_glare(self, outlines: Sequence[Floats], others: Sequence[Floats]) -> Cell | None:
        """The cell at its best if a lamp is mirrored in the card, it lies in a shadow or under the edge of
        `others` (3, 2 each, in pixels); None if nothing with an outline lies there."""
        poses = self._poses(outlines)
        edges = self._table.edge_shares(self._seen(poses), others)
        if edges.max() < LEAST_OUTLINE:
            return None
        poses = poses[np.argsort(-edges)[:EDGE_POSES]]

        def compare(corners: Floats, looks: TriangleTemplates) -> Floats:
            return self._table.costs_under_glare(corners, looks, others)

        costs = compare(self._seen(poses), self._table.templates)
        corners = self._followed(poses, costs, COARSE_PARTS, 1, compare, others)
        return self._table.score_under_glare(self._at, corners, self._view, others)

    def _searched(self, poses: Floats, parts: int, starts: int) -> Cell:
        """The cell at its best in plain light, near one of the poses (n, 3, 2)."""
        table = self._table

        def compare(corners: Floats, looks: TriangleTemplates) -> Floats:
            return template_costs(table.sample(corners), looks, table.illuminant)

        seen = table.sample(self._seen(poses))[:, ::COARSE_STEP]
        costs = template_costs(seen, table.templates.thinned(COARSE_STEP), table.illuminant)
        corners = self._followed(poses, costs, parts, starts, compare)
        return table.score_pose(self._at, corners, self._view)

    def _poses(self, outlines: Sequence[Floats]) -> Floats:
        """The usual grid about the place, and the nearest steps about outlines (3, 2 each, in pixels)."""
        back, card = np.linalg.inv(self._view), corners_of(self._at)
        near = [_moved(_aligned_to(projected(back, one), card), 2 * COARSE_PARTS, 1) for one in outlines]
        return np.concatenate([_moved(card, COARSE_PARTS, COARSE_PARTS), *near])

    def _followed(
        self,
        poses: Floats,
        costs: Floats,
        parts: int,
        starts: int,
        compare: Compare,
        others: Sequence[Floats] = (),
    ) -> Floats:
        """The corners (3, 2; pixels) of the best pose that is reached by ever smaller moves from the best of
        the poses (n, 3, 2) with costs (n, looks), which are steps of so many parts apart."""
        found = []
        for start in _apart(poses, self._worth(poses, costs, others), 1.5 * REACH / parts, starts):
            pose, looks = poses[start], self._table.templates.only(np.argsort(costs[start])[:LIKELIEST])
            finer = parts
            while finer < FINEST_PARTS:
                finer *= 2
                near = _moved(pose, finer, 1)
                worth = self._worth(near, compare(self._seen(near), looks), others)
                pose = near[int(worth.argmin())]
            found.append((float(worth.min()), pose))
        best = min(found, key=lambda one: one[0])[1]
        return projected(self._view, best)

    def _worth(self, poses: Floats, costs: Floats, others: Sequence[Floats]) -> Array:
        """What poses (n) cost whose looks cost so much (n, looks): less the clearer their outlines are, more
        the farther they lie from their place."""
        edges = self._table.edge_shares(self._seen(poses), others)
        away = offsets(self._at, poses)
        return np.asarray(costs.min(axis=1) - OUTLINE_WEIGHT * edges + OFFSET_PENALTY * away)

    def _seen(self, poses: Floats) -> Floats:
        """Poses in pixels."""
        return np.asarray(projected(self._view, poses.reshape(-1, 2)).reshape(-1, 3, 2), np.float32)


def _apart(poses: Floats, worth: Array, least: float, most: int) -> list[int]:
    """The best poses (n, 3, 2), up to so many, whose corners are at least so far apart on average."""
    found: list[int] = []
    for i in np.argsort(worth).tolist():
        if all(np.linalg.norm(poses[i] - poses[k], axis=1).mean() > least for k in found):
            found.append(i)
            if len(found) == most:
                break
    return found


def _moved(pose: Floats, parts: int, ticks: int) -> Floats:
    """A pose moved and turned by up to so many steps each way (n, 3, 2), each so many parts of the reach."""
    steps = np.arange(-ticks, ticks + 1) / parts
    right, down, turn = (one.ravel() for one in np.meshgrid(steps * REACH, steps * REACH, steps * TURN))
    centre = pose.mean(axis=0)
    x, y = (pose - centre).T
    cos, sin = np.cos(turn)[:, None], np.sin(turn)[:, None]
    turned = np.stack([x * cos - y * sin, x * sin + y * cos], axis=-1)
    return np.asarray(turned + centre + np.stack([right, down], axis=-1)[:, None], np.float32)


def _aligned_to(seen: Floats, card: Floats) -> Floats:
    """A card (3, 2) moved and turned (nothing else: an outline may be that of its rim) to where a triangle
    (3, 2) is whose corners have the same order."""
    own, other = card - card.mean(axis=0), seen - seen.mean(axis=0)
    cross = float((own[:, 0] * other[:, 1] - own[:, 1] * other[:, 0]).sum())
    turn = math.atan2(cross, float((own * other).sum()))
    cos, sin = math.cos(turn), math.sin(turn)
    spun = own @ np.array([[cos, sin], [-sin, cos]], np.float32)
    return np.asarray(spun + seen.mean(axis=0), np.float32)
