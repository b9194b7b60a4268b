"""The dice of a table: the view and the set of faces that explain most of the marks.

All dice of a picture lie on one plane: a side face is no top face because its pips are not round in the plane
in which the other dice's are. Marks count as explained on a die's top face and, less, on the sides that the
view shows below it; each die costs something, so that one die with its sides beats two that touch.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

import numpy as np

from companion.vision.dice.candidates import ONE_REACH, Candidates
from companion.vision.dice.faces import Face, ProjectedPips, find_faces
from companion.vision.dice.limits import DiceLimits, SetLimits
from companion.vision.dice.pips import Pips, PipSurroundings
from companion.vision.dice.view import GRID_STEP, Optics, PlaneView, grid_of_views, nearby_views, slants
from companion.vision.image.picture import Array, Bools

_SCORE = attrgetter("score")
_VIEWS_TRIED = 10
_SIDE_ANGLES = np.linspace(-1.1, 1.1, 7)
"""Directions of an upright face that are tried, from that across the line of sight on, in radians."""
_DISTINCT_VIEWS = math.cos(1.5 * GRID_STEP)
"""Cosine of the angle by which the views that are tried differ at least."""


@dataclass(frozen=True)
class DiceLayout:
    """A view, and the dice on it."""

    seen: ProjectedPips
    faces: tuple[Face, ...]
    sides: Array
    """Mask over the pips: those on the sides of the dice."""
    score: float
    leads: tuple[float, ...] = ()
    """Of the best layout, for each of its dice: the log odds by which it is ahead of the best layout in which
    that die is another one."""

    def differs_at(self, face: Face, other: DiceLayout) -> bool:
        """Whether a die of this layout is another one in the other layout: its pips are of another number
        there, or of none although there are as many dice."""
        sharing = [one for one in other.faces if not set(face.pips).isdisjoint(one.pips)]
        if any(one.value == face.value for one in sharing):
            return False
        return bool(sharing) or len(other.faces) >= len(self.faces)


def best_layout(
    pips: Pips, around: PipSurroundings, cameras: Sequence[Optics], count: int | None, limits: DiceLimits
) -> DiceLayout:
    """The view and the dice that explain the marks best, and how far they are ahead of others. `cameras`:
    that may have taken the picture."""

    def searched(views: Iterable[PlaneView]) -> list[_SearchedView]:
        return [_SearchedView.of(view, pips, around, count, limits) for view in views]

    found = list[_SearchedView]()
    best = list[_SearchedView]()
    for camera in cameras:
        tried = searched(_candidate_views(pips, around, camera, limits.sets))
        first = max(tried, key=_SCORE)
        near = searched(nearby_views(first.layout.seen.view))
        best += [first, *near]
        found += [*tried, *near]
    likeliest = max(best, key=_SCORE)
    layout = likeliest.layout
    others = [*(one.layout for one in found), *(likeliest.without(face) for face in layout.faces)]
    leads = (
        layout.score - max((one.score for one in others if layout.differs_at(face, one)), default=-math.inf)
        for face in layout.faces
    )
    return replace(layout, leads=tuple(leads))


def _candidate_views(
    pips: Pips, around: PipSurroundings, optics: Optics, limits: SetLimits
) -> list[PlaneView]:
    """The view of the table, if it is known; otherwise those of the grid in which most marks that could lie
    on a die are round, and which differ."""
    if optics.table is not None:
        return [PlaneView(np.array(optics.table), optics)]
    views = grid_of_views(optics)
    weight = around.clear**2 * np.minimum(1.0, around.bounded * 2)
    support = []
    for view in views:
        slant = slants(view.shapes(pips.at, pips.shape))
        support.append(
            float((weight * np.exp(-0.5 * (slant / limits.view_slant) ** 2)).sum())
            + limits.worth * math.log(view.frontal)
        )
    chosen: list[PlaneView] = []
    for i in np.argsort(support)[::-1].tolist():
        if all(views[i].normal @ other.normal < _DISTINCT_VIEWS for other in chosen):
            chosen.append(views[i])
        if len(chosen) == _VIEWS_TRIED:
            break
    return chosen


@dataclass(frozen=True)
class _SearchedView:
    """A view in which the best set of dice was searched for; `sets` is None if there are no faces in it."""

    layout: DiceLayout
    sets: DiceSets | None

    @property
    def score(self) -> float:
        """That of the layout."""
        return self.layout.score

    @staticmethod
    def of(
        view: PlaneView, pips: Pips, around: PipSurroundings, count: int | None, limits: DiceLimits
    ) -> _SearchedView:
        """The best set of dice in one view."""
        seen = ProjectedPips.project(view, pips)
        found = find_faces(seen, limits.faces)
        if not found:
            return _SearchedView(DiceLayout(seen, (), np.zeros(len(pips), bool), -math.inf), None)
        candidates = Candidates.of(found, seen, limits)
        candidates = candidates.changed(_surroundings(candidates, around))
        model = _CommonLook.of(candidates)
        candidates = candidates.changed(_likeness(candidates, model))
        candidates = candidates.changed(_of_larger(candidates))
        sets = DiceSets(candidates, model.radius, count)
        return _SearchedView(_layout(sets), sets)

    def without(self, face: Face) -> DiceLayout:
        """The best layout of this view in which one of its dice is another one or not there."""
        assert self.sets is not None
        return _layout(self.sets, self.sets.candidates.like(face))


def _layout(sets: DiceSets, but: Bools | None = None) -> DiceLayout:
    """The best set of dice of a view, scored with what speaks for the view; `but`: faces not in it."""
    seen, limits = sets.candidates.seen, sets.candidates.limits.sets
    chosen, sides, score = sets.best(but)
    view = seen.view
    score += limits.frontal_worth * math.log(view.frontal)
    right, down = view.normal[:2].tolist()
    score -= limits.upright_worth / max(1, len(chosen)) * (math.hypot(right, down) + down)
    score -= limits.worth * math.log(view.optics.zoom)
    return DiceLayout(seen, tuple(sets.candidates.face(k) for k in chosen), sides, score)


class DiceSets:
    """Sets of dice among the faces of a view."""

    def __init__(self, candidates: Candidates, radius: float, count: int | None) -> None:
        """`radius`: that of the dice's pips in the plane; `count`: how many dice there are, if known."""
        limits = candidates.limits.sets
        self.candidates = candidates
        self._count = count
        self._likely = _side_likelihood(candidates.seen, radius, limits)
        self._sides = candidates.sides()
        cost = limits.worth if count is None else -limits.worth
        self._own = candidates.score - cost - _bareness(candidates, self._sides @ self._likely)
        self._close = limits.worth * candidates.in_front

    def best(self, but: Bools | None = None) -> tuple[list[int], Array, float]:
        """The dice that explain most marks as pips of their top faces or of their sides, at a cost for each
        die; the mask of the marks on sides; and the set's score. Dice are added one at a time, the best one
        first. `but`: faces that are none of them."""
        apart, possible = self.candidates.apart, np.ones(len(self._own), bool) if but is None else ~but
        members, best = list[int](), 0.0
        while self._count is None or len(members) < self._count:
            free = np.flatnonzero(possible & apart[:, members].all(axis=1))
            worth = self._worth(members, free)
            if not len(free) or worth.max() <= best:
                break
            k = int(np.flatnonzero(worth == worth.max())[-1])
            best = float(worth[k])
            members.append(int(free[k]))
        sides, tops = self._sides[members].any(axis=0), self.candidates.tops[members].any(axis=0)
        return members, np.asarray(sides & ~tops), best

    def _worth(self, members: list[int], more: Array) -> Array:
        """The scores of some dice with each one of others (n,)."""
        sides = self._sides[more] | self._sides[members].any(axis=0)
        tops = self.candidates.tops[more] | self.candidates.tops[members].any(axis=0)
        close = self._close[members].sum(axis=0) + self._close[:, members].sum(axis=1)
        own = self._own[members].sum() - self._close[members][:, members].sum()
        worth = self.candidates.limits.sets.worth
        return np.asarray(own + self._own[more] - close[more] + worth * ((sides & ~tops) @ self._likely))


def _surroundings(faces: Candidates, around: PipSurroundings) -> Array:
    """What speaks for faces (n,) by what surrounds their pips: a plain face that ends a few radii on."""
    limits, bounded = faces.limits.sets, faces.mean(around.bounded)
    alone = limits.worth * (bounded - limits.alone_bounded)
    alone -= limits.clear_worth * np.maximum(0.0, limits.least_clear - faces.mean(around.clear))
    several = -limits.clear_worth * np.maximum(0.0, limits.least_clear - faces.mean(around.tight))
    return np.asarray(np.where(faces.value == 1, alone, several))


@dataclass(frozen=True)
class _CommonLook:
    """What the likely dice have in common."""

    edge: float | None
    radius: float
    level: float

    @staticmethod
    def of(candidates: Candidates) -> _CommonLook:
        seen = candidates.seen
        faces = [candidates.faces[number] for number in candidates.separate()]
        several = [face for face in faces if face.value > 1]
        marks = [k for face in several or faces for k in face.pips]
        edge = float(np.median([face.edge for face in several])) if several else None
        return _CommonLook(edge, float(np.median(seen.radius[marks])), float(np.median(seen.level[marks])))


def _likeness(faces: Candidates, model: _CommonLook) -> Array:
    """What speaks for faces (n,) by their likeness to the likely dice: one size, mostly one colour."""
    seen, limits = faces.seen, faces.limits
    by_pip = np.log(faces.mean(seen.radius) / model.radius)
    by_pip = np.minimum(by_pip, np.maximum(0.0, by_pip - math.log(limits.sets.large_one)))
    by_edge = by_pip if model.edge is None else np.log(faces.edge / model.edge)
    size = np.where(faces.value > 1, by_edge, by_pip)
    level = faces.mean(seen.level) - model.level
    worse = (size / limits.sets.size_deviation) ** 2 + (level / (2 * limits.faces.level_deviation)) ** 2
    return np.asarray(-0.5 * worse)


def _of_larger(faces: Candidates) -> Array:
    """What speaks against faces (n,) whose pips are a part of a larger good pattern: the largest is right."""
    within = (faces.shared == faces.value[:, None]) & (faces.value[None] > faces.value[:, None])
    better = np.where(within, faces.score / faces.value, 0.0).max(axis=1)
    return np.asarray(
        -faces.limits.sets.larger_worth * np.maximum(0.0, better - faces.limits.sets.larger_score)
    )


def _side_likelihood(seen: ProjectedPips, radius: float, limits: SetLimits) -> Array:
    """How well each mark's outline agrees with being a pip of this radius on an upright face, 0-1.

    A disc on an upright face whose level direction is u is seen in the plane of the top faces as the ellipse
    r^2 (u u' + tan(t)^2 p p'), with p the direction away from the camera's foot and t the angle of sight.
    Over all directions that a face may have, the best agreement counts (distance of covariances; Forstner and
    Moonen, "A metric for covariance matrices", 1999)."""
    away = seen.at / np.maximum(seen.steepness, 1e-6)[:, None]
    beside = np.stack([-away[:, 1], away[:, 0]], axis=1)
    steep = np.maximum(seen.steepness, limits.steep_floor)
    best = np.full(len(seen.at), np.inf)
    for angle in _SIDE_ANGLES.tolist():
        level = math.cos(angle) * beside + math.sin(angle) * away
        form = (
            level[:, :, None] * level[:, None, :]
            + away[:, :, None] * (away * steep[:, None] ** 2)[:, None, :]
        )
        ratio = np.linalg.inv(form * radius**2) @ seen.shape
        half, det = np.trace(ratio, axis1=1, axis2=2) / 2, np.maximum(np.linalg.det(ratio), 1e-9)
        root = np.sqrt(np.maximum(half**2 - det, 0))
        apart = np.log(half + root) ** 2 + np.log(det / (half + root)) ** 2
        best = np.minimum(best, apart / 4)
    agreement = np.exp(-0.5 * np.maximum(0.0, best / limits.side_form**2 - 1.0))
    least = np.minimum(limits.side_slant_most, np.abs(np.log(steep)))
    return np.asarray(
        agreement * np.clip(seen.slant / (limits.side_slant * least + limits.side_slant_floor), 0, 1) ** 2
    )


def _bareness(faces: Candidates, seen: Array) -> Array:
    """Penalty of dice (n,) none of whose sides shows a pip, by how much of one is `seen` there (n,), although
    they should be visible."""
    visible = np.clip(faces.steep / faces.limits.sets.side_seen - 1.0, 0.0, 1.0)
    return np.asarray(faces.limits.sets.worth * visible * np.maximum(0.0, 1.0 - seen))


def top_corners(face: Face) -> Array:
    """The corners of the top face in the plane, clockwise; an octagon for a one, which shows no direction."""
    if face.value == 1:
        angle = np.arange(8) * math.pi / 4
        return np.array(face.centre) + ONE_REACH * face.edge * np.stack(
            [np.cos(angle), np.sin(angle)], axis=1
        )
    along = np.array(face.along) * (face.edge / 2 / math.hypot(*face.along))
    across = np.array([-along[1], along[0]])
    ends = np.array([-along - across, along - across, along + across, -along + across])
    return np.asarray(np.array(face.centre) + ends)
