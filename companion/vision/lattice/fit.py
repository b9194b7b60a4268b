"""The triangular lattice on which cards lie: places, and the view of the table that explains most outlines.

Places are those of docs/events.md: (row, column), row + column even points up. Here the table is
measured in sides: the corner (x half sides, y rows) of the vocabulary lies at (x / 2, y * TALL).

Integer places are found by growing: one outline is a place, its neighbours follow from where it lies, and
with every ring the view (a homography, Hartley and Zisserman 2004, ch. 4) is fitted again to all corners, so
that inexact laying averages out instead of adding up. Each place takes one outline, and only one that points
its way. Several outlines get their turn as the first; the growth that explains most is kept.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from companion.vision.image.picture import Array, Floats
from companion.vision.triangles.find import TALL, side_of
from companion.vision.triangles.limits import triangle_limits

Place = tuple[int, int]
SEEDS = 16


def points_up(at: Place) -> bool:
    """Whether the triangle of the place points away from the reader."""
    return (at[0] + at[1]) % 2 == 0


def corners_of(at: Place) -> Floats:
    """The place's corners (3, 2) in sides, clockwise from the one opposite the base."""
    r, c = at
    if points_up(at):
        points = [(c + 1, r), (c + 2, r + 1), (c, r + 1)]
    else:
        points = [(c + 1, r + 1), (c, r), (c + 2, r)]
    return np.array(points, np.float32) * np.array([0.5, TALL], np.float32)


def side_neighbours(at: Place) -> tuple[Place, Place, Place]:
    """The places that share a side with this one."""
    r, c = at
    return (r, c - 1), (r, c + 1), (r + 1, c) if points_up(at) else (r - 1, c)


def neighbours(at: Place) -> list[Place]:
    """The twelve places that share a side or a corner with this one."""
    r, c = at
    wide = 1 if points_up(at) else -1
    rows = ((r, range(c - 2, c + 3)), (r + wide, range(c - 2, c + 3)), (r - wide, range(c - 1, c + 2)))
    return [(row, column) for row, columns in rows for column in columns if (row, column) != at]


def rotated(at: Place, sixths: int) -> Place:
    """The place after turning the table clockwise by sixths of a circle about the corner (1, 0)."""
    x, y = corners_of(at).mean(axis=0) - np.array([0.5, 0.0])
    angle = sixths * math.pi / 3
    u, v = x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)
    return place_of_middle(u + 0.5, v)


def place_of_middle(x: float, y: float) -> Place:
    """The place whose middle, in sides, this is."""
    # in row 0 the middle of column c lies at (c + 1) / 2 sides
    return math.floor(y / TALL), round(2 * x - 1)


@dataclass(frozen=True)
class Lattice:
    """Where outlines lie: `places[at]` is the index of the outline, `corners[at]` its corners (3, 2), in the
    order of `corners_of`; `view` (3, 3) takes the table (in sides) to pixels."""

    places: dict[Place, int]
    corners: dict[Place, Floats]
    view: Array

    def seen(self, at: Place) -> Floats:
        """Where the corners of a place are expected, in pixels."""
        return projected(self.view, corners_of(at))


def projected(view: Array, points: Array) -> Floats:
    """Points (n, 2) of the table in pixels."""
    lifted = points @ view[:, :2].T + view[:, 2]
    return np.asarray(lifted[:, :2] / lifted[:, 2:], np.float32)


@dataclass(frozen=True)
class KnownPlane:
    """How the camera saw the table before: `view` (3, 3; table in sides to pixels) by so many `cards`."""

    view: Array
    cards: int

    def under(self, corners: dict[Place, Floats]) -> Array:
        """This view with the table's places turned and moved (rigidly; Kabsch 1976) onto cards that are seen.
        A card that lies alone does not show the perspective, and one wrong corner of it skews everything."""
        table = np.concatenate([corners_of(at) for at in corners]).astype(np.float64)
        seen = projected(np.linalg.inv(self.view), np.concatenate(list(corners.values()))).astype(np.float64)
        centre, middle = table.mean(axis=0), seen.mean(axis=0)
        u, _, v = np.linalg.svd((seen - middle).T @ (table - centre))
        turn = u @ np.diag([1.0, np.sign(np.linalg.det(u @ v))]) @ v
        onto = np.eye(3)
        onto[:2, :2], onto[:2, 2] = turn, middle - turn @ centre
        return np.asarray(self.view @ onto)


def fit_view(corners: dict[Place, Floats], plane: KnownPlane | None = None) -> Array:
    """The view (3, 3) that explains cards seen at places: a homography whose vanishing is held back as far as
    the cards do not speak for it (ridge regression), because a few inexact cards would fit any model; cards
    that lie far from where the others expect them count less (Huber's weights). Where far fewer cards
    lie than showed a known plane, they only say how the places lie on it."""
    limits = triangle_limits().outlines
    if plane is not None and limits.known_by * len(corners) <= plane.cards:
        return plane.under(corners)
    table = np.concatenate([corners_of(at) for at in corners]).astype(np.float64)
    seen = np.concatenate(list(corners.values())).astype(np.float64)
    centre, pixel = table.mean(axis=0), seen.mean(axis=0)
    side = float(np.median([side_of(one) for one in corners.values()]))
    x, y = (table - centre).T
    u, v = ((seen - pixel) / side).T
    weights = np.ones(len(x))
    matrix = np.eye(3)
    for _ in range(3 if len(corners) > 3 else 1):
        matrix = _homography(x, y, u, v, weights)
        lifted = np.column_stack([x, y, np.ones(len(x))]) @ matrix.T
        away = np.hypot(lifted[:, 0] / lifted[:, 2] - u, lifted[:, 1] / lifted[:, 2] - v)
        card = np.repeat(away.reshape(-1, 3).mean(axis=1), 3)
        weights = np.minimum(1.0, limits.off_place / 2 / np.maximum(card, 1e-6))
    onto = np.array([[1, 0, -centre[0]], [0, 1, -centre[1]], [0, 0, 1]])
    back = np.array([[side, 0, pixel[0]], [0, side, pixel[1]], [0, 0, 1]])
    return np.asarray(back @ matrix @ onto)


def _homography(x: Array, y: Array, u: Array, v: Array, weights: Array) -> Array:
    """The matrix (3, 3) that takes points (x, y) to (u, v), all of them round 0 and in sides."""
    nothing, one = np.zeros_like(x), np.ones_like(x)
    limits = triangle_limits().outlines
    rows = np.concatenate(
        [
            np.column_stack([x, y, one, nothing, nothing, nothing, -u * x, -u * y]) * weights[:, None],
            np.column_stack([nothing, nothing, nothing, x, y, one, -v * x, -v * y]) * weights[:, None],
            np.eye(8)[6:] * limits.vanishing,
        ]
    )
    right = np.concatenate([u * weights, v * weights, np.zeros(2)])
    found = np.linalg.lstsq(rows, right, rcond=None)[0]
    return np.append(found, 1.0).reshape(3, 3)


def grow_lattices(
    triangles: Floats,
    weights: Floats | None = None,
    most: int = 1,
    plane: KnownPlane | None = None,
) -> list[Lattice]:
    """The lattices, up to so many, that explain most of the outlines (n, 3, 2; clockwise), or most of their
    weights (n), the best first; the first outlines are their seeds. No two lattices have a seed in common."""
    weights = np.ones(len(triangles), np.float32) if weights is None else weights
    found: list[tuple[float, Lattice]] = []
    for seed in range(min(SEEDS, len(triangles))):
        best = max(found, key=lambda one: one[0])[1] if found else None
        if best is not None and seed in best.places.values():
            continue
        one = _grow_from(triangles, seed, plane)
        value = float(weights[list(one.places.values())].sum()) - 2.0 * _mean_error(one)
        found.append((value, one))
    chosen: list[Lattice] = []
    for _, one in sorted(found, key=lambda one: -one[0]):
        taken = {index for other in chosen for index in other.places.values()}
        if len(chosen) < most and taken.isdisjoint(one.places.values()):
            chosen.append(one)
    return chosen


def _mean_error(lattice: Lattice) -> float:
    """Mean distance in sides of the corners from where they are expected."""
    away = [
        float(np.linalg.norm(lattice.seen(at) - seen, axis=1).mean() / side_of(seen))
        for at, seen in lattice.corners.items()
    ]
    return sum(away) / len(away)


def _grow_from(triangles: Floats, seed: int, plane: KnownPlane | None) -> Lattice:
    places, corners = {(0, 0): seed}, {(0, 0): triangles[seed]}
    middles = triangles.mean(axis=1)
    while True:
        view = fit_view(corners, plane)
        new = _ring(triangles, middles, Lattice(places, corners, view))
        if not new:
            return Lattice(places, corners, view)
        for at, (index, seen) in new.items():
            places[at], corners[at] = index, seen


def _ring(triangles: Floats, middles: Floats, lattice: Lattice) -> dict[Place, tuple[int, Floats]]:
    """The next outlines and their places: the best of each place and for each outline."""
    taken, off_place = set(lattice.places.values()), triangle_limits().outlines.off_place
    offers: list[tuple[float, Place, int, Floats]] = []
    for at in {n for place in lattice.places for n in neighbours(place)} - set(lattice.places):
        expected = lattice.seen(at)
        side = float(side_of(expected))
        near = np.flatnonzero(np.linalg.norm(middles - expected.mean(axis=0), axis=1) < off_place * side)
        for index in near.tolist():
            if index in taken:
                continue
            seen, away = aligned(triangles[index], expected)
            if away < off_place * side:
                # a neighbour over a side is surer than one over a corner
                touching = any(n in lattice.places for n in side_neighbours(at))
                offers.append((away / side + (0.0 if touching else 0.1), at, index, seen))
    found: dict[Place, tuple[int, Floats]] = {}
    for _, at, index, seen in sorted(offers, key=lambda offer: offer[0]):
        if at not in found and index not in taken:
            found[at] = (index, seen)
            taken.add(index)
    return found


def aligned(triangle: Floats, expected: Floats) -> tuple[Floats, float]:
    """The triangle's corners in the order that fits the expected ones best, and their mean distance."""
    ways = [np.asarray(np.roll(triangle, turn, axis=0), np.float32) for turn in range(3)]
    away = [float(np.linalg.norm(way - expected, axis=1).mean()) for way in ways]
    best = int(np.argmin(away))
    return ways[best], away[best]
