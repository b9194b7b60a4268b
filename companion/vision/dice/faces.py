"""The faces of dice that a view makes of pips: patterns of one to six in the plane of the top faces.

A face's pips lie on a lattice of squares (a six may be longer along its rows; measured on real dice, 1.0 to
1.4 times). Two, three, four and five are built on a pair that is a diagonal, six on the middle pips of its
rows. What else is round and of the same kind inside a face contradicts it, so the largest pattern wins.
"""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass

import numpy as np

from companion.vision.dice.limits import FaceLimits
from companion.vision.dice.pips import Pips
from companion.vision.dice.view import PlaneView, radii, slants
from companion.vision.image.picture import Array

SIX_ASPECTS = (1.0, 1.2)
"""Length of a six's row / distance between its rows."""
EDGE = 2.15
"""Edge of a die / side of its pip square."""
LONE_EDGE = 10.8
"""Edge of a die / radius of its only pip, while nothing better is known."""


@dataclass(frozen=True)
class Face:
    """A face of one to six pips that lies in the plane of a view."""

    value: int
    centre: tuple[float, float]
    """In the plane."""
    along: tuple[float, float]
    """Half a side of the pip square, as a vector in the plane; (0, 0) for a one, which shows no direction."""
    edge: float
    """The die's edge in the plane."""
    pips: tuple[int, ...]
    score: float


@dataclass(frozen=True)
class ProjectedPips:
    """Pips as a view shows them."""

    view: PlaneView
    at: Array
    """(n, 2): where they are in the plane."""
    shape: Array
    """(n, 2, 2): their outlines in the plane."""
    radius: Array
    slant: Array
    level: Array
    contrast: Array

    @property
    def steepness(self) -> Array:
        """(n,): tangent of the angle between the line of sight and the plumb line at each pip: the
        camera's foot is the plane's origin."""
        return np.asarray(np.hypot(self.at[:, 0], self.at[:, 1]))

    @staticmethod
    def project(view: PlaneView, pips: Pips) -> ProjectedPips:
        """The pips in the plane of the view."""
        shapes = view.shapes(pips.at, pips.shape)
        return ProjectedPips(
            view,
            view.places(pips.at),
            shapes,
            radii(shapes),
            slants(shapes),
            pips.level,
            pips.contrast,
        )


def find_faces(seen: ProjectedPips, limits: FaceLimits) -> list[Face]:
    """All faces that the pips can form, in no order."""
    among = np.flatnonzero(seen.slant < limits.most_deviations * limits.slant_deviation)
    if not len(among):
        return []
    found = [_one_face(seen, i, among, limits) for i in among.tolist()]
    if len(among) > 1:
        found += _square_faces(seen, among, limits) + _six_faces(seen, among, limits)
    return [face for face in found if face is not None and face.score > 0]


def _pairs(seen: ProjectedPips, among: Array, share: float, limits: FaceLimits) -> tuple[Array, Array, Array]:
    """Index pairs of like pips that are this share of a face's diagonal apart, and their mean radius."""
    first, second = np.triu_indices(len(among), 1)
    i, j = among[first], among[second]
    radius = np.sqrt(seen.radius[i] * seen.radius[j])
    away = np.linalg.norm(seen.at[i] - seen.at[j], axis=1) / radius
    good = (away > share * limits.least_diagonal) & (away < share * limits.most_diagonal)
    good &= _alike(seen, i, j, limits)
    return i[good], j[good], radius[good]


def _alike(seen: ProjectedPips, i: Array, j: Array, limits: FaceLimits) -> Array:
    """Whether marks may be pips of one die by their colour. All pips of a die are darker than its face, or
    all lighter."""
    level = np.abs(seen.level[i] - seen.level[j])
    contrast = np.abs(seen.contrast[i] - seen.contrast[j]) / 2
    near = np.maximum(level, contrast) < limits.most_deviations * limits.level_deviation
    return np.asarray(near & (np.sign(seen.contrast[i]) == np.sign(seen.contrast[j])))


def _nearest_pips(
    seen: ProjectedPips, among: Array, places: Array, first: Array, radius: Array
) -> tuple[Array, Array]:
    """For places (h, k, 2): the nearest pip's index and its distance in radii. Pips are darker than their
    face, or lighter, as the `first` one of each h is: the top itself may be a light mark."""
    away = np.linalg.norm(places[:, :, None] - seen.at[among][None, None], axis=3) / radius[:, None, None]
    alike = np.sign(seen.contrast[among])[None] == np.sign(seen.contrast[first])[:, None]
    away = np.where(alike[:, None], away, np.inf)
    nearest = away.argmin(axis=2)
    return among[nearest], np.take_along_axis(away, nearest[..., None], axis=2)[..., 0]


def _square_faces(seen: ProjectedPips, among: Array, limits: FaceLimits) -> list[Face | None]:
    """Twos to fives, each on one of its diagonals."""
    i, j, radius = _pairs(seen, among, 1.0, limits)
    if not len(i):
        return []
    middle, half = (seen.at[i] + seen.at[j]) / 2, (seen.at[j] - seen.at[i]) / 2
    across = np.stack([-half[:, 1], half[:, 0]], axis=1)
    nearest, away = _nearest_pips(
        seen, among, np.stack([middle, middle + across, middle - across], axis=1), i, radius
    )
    there = away < limits.most_deviations * limits.place_deviation
    found: list[Face | None] = []
    for n in range(len(i)):
        centre, both = bool(there[n, 0]), bool(there[n, 1] and there[n, 2])
        if not both and (there[n, 1] or there[n, 2]):
            continue
        value = 2 + centre + 2 * both
        members, off = [int(i[n]), int(j[n])], [0.0, 0.0]
        for k, wanted in enumerate((centre, both, both)):
            if wanted:
                members.append(int(nearest[n, k]))
                off.append(float(away[n, k]))
        along = (half[n] + across[n]) / 2
        found.append(_face(seen, among, value, middle[n], along, 1.0, members, off, limits))
    return found


def _six_faces(seen: ProjectedPips, among: Array, limits: FaceLimits) -> list[Face | None]:
    """Sixes, each on the middle pips of its two rows."""
    i, j, radius = _pairs(seen, among, math.sqrt(0.5), limits)
    found: list[Face | None] = []
    if not len(i):
        return found
    middle, half = (seen.at[i] + seen.at[j]) / 2, (seen.at[j] - seen.at[i]) / 2
    across = np.stack([-half[:, 1], half[:, 0]], axis=1)
    for aspect in SIX_ASPECTS:
        step = across * aspect
        ends = [middle + a * half + b * step for a in (-1, 1) for b in (-1, 1)]
        nearest, away = _nearest_pips(seen, among, np.stack(ends, axis=1), i, radius)
        near = away < limits.most_deviations * limits.place_deviation
        for n in np.flatnonzero(near.all(axis=1)).tolist():
            members = [int(i[n]), int(j[n]), *nearest[n].tolist()]
            off = [0.0, 0.0, *away[n].tolist()]
            found.append(_face(seen, among, 6, middle[n], half[n], aspect, members, off, limits))
    return found


def _face(seen: ProjectedPips, among: Array, value: int, middle: Array, along: Array, aspect: float,
          members: list[int], off: list[float], limits: FaceLimits) -> Face | None:  # fmt: skip
    """The face of these pips with its score, or None if a like mark lies elsewhere inside it."""
    if len(set(members)) != len(members):
        return None
    index = np.array(members)
    radii = seen.radius[index]
    radius = math.exp(float(np.log(radii).mean()))
    half = math.hypot(float(along[0]), float(along[1]))
    local = (seen.at[among] - middle) @ (np.array([[along[0], -along[1]], [along[1], along[0]]]) / half)
    inside = (np.abs(local[:, 0]) < half + radius) & (np.abs(local[:, 1]) < half * aspect + radius)
    others = [k for k in among[inside].tolist() if k not in members]
    if others and _alike(seen, np.array(others), index[:1], limits).any():
        return None
    bad = (np.array(off) / limits.place_deviation) ** 2 + (seen.slant[index] / limits.slant_deviation) ** 2
    bad += (np.log(radii / radius) / limits.size_deviation) ** 2
    for colours in (seen.level[index], seen.contrast[index] / 2):
        bad += ((colours - statistics.median(colours.tolist())) / limits.level_deviation) ** 2
    score = limits.pip_worth * value - 0.5 * float(bad.sum())
    centre = (float(middle[0]), float(middle[1]))
    return Face(value, centre, (float(along[0]), float(along[1])), 2 * half * EDGE, tuple(members), score)


def _one_face(seen: ProjectedPips, i: int, among: Array, limits: FaceLimits) -> Face | None:
    """The pip as a one: it stands alone within what would be its face."""
    radius = float(seen.radius[i])
    away = seen.at[among] - seen.at[i]
    near = among[np.einsum("ni,ni->n", away, away) < (limits.lone_reach * radius) ** 2]
    near = near[near != i]
    if len(near) and _alike(seen, near, np.array([i]), limits).any():
        return None
    score = limits.pip_worth - 0.5 * float(seen.slant[i] / limits.slant_deviation) ** 2
    x, y = seen.at[i].tolist()
    return Face(1, (x, y), (0.0, 0.0), LONE_EDGE * radius, (i,), score)
