"""The dice of a table: the view and the set of faces that explain most of the marks.

All dice of a picture lie on one plane: a side face is no top face because its pips are not round in the plane
in which the other dice's are. Marks count as explained on a die's top face and, less, on the sides that the
view shows below it; each die costs something, so that one die with its sides beats two that touch.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from companion.vision.dice.candidates import ONE_REACH, Candidates
from companion.vision.dice.faces import Face, ProjectedPips, find_faces
from companion.vision.dice.pips import Pips, PipSurroundings
from companion.vision.dice.view import Optics, PlaneView, grid_of_views, nearby_views, slants
from companion.vision.image.picture import Array

WORTH = 2.0
"""Log odds of each thing that speaks for or against a set of dice. For it: a mark that lies on a side as a
pip of that does; one more die while their number is known and not reached; that the far end of the table is
at the picture's top (times the sine of the lean upwards). Against it: one more die while their number is not
known; a die close before another; a die without a pip on the sides that should be seen."""
FRONTAL_WORTH = 6.0
"""How much rather a picture is taken from above than from aside: times log cos(tilt)."""
_LEAST_SCORE_A_PIP = 1.45
"""Log odds a pip below which a face is none of this view; 2.6 are the most."""
_LARGE_ONE = 2.0
"""How much larger the pip of a one may be than the others: on dice from East Asia it is."""
_VIEWS_TRIED = 10
_FINER = 4.0
"""Degrees: half of what the views of the grid are apart."""
_SIDE_ANGLES = np.linspace(-1.1, 1.1, 7)
"""Directions of an upright face that are tried, from that across the line of sight on, in radians."""
_SIDE_FORM = 0.3
"""How far the outline of a mark may typically be from that of a pip on an upright face (logarithms of the
axes' ratios)."""
_DISTINCT_VIEWS = math.cos(math.radians(13))


@dataclass(frozen=True)
class DiceLayout:
    """A view, and the dice on it."""

    seen: ProjectedPips
    faces: tuple[Face, ...]
    sides: Array
    """Mask over the pips: those on the sides of the dice."""
    score: float


def best_layout(pips: Pips, around: PipSurroundings, optics: Optics, count: int | None = None) -> DiceLayout:
    """The view and the dice that explain the marks best."""
    tried = [layout_in_view(view, pips, around, count) for view in _candidate_views(pips, around, optics)]
    best = max(tried, key=lambda table: table.score)
    nearby = [layout_in_view(view, pips, around, count) for view in nearby_views(best.seen.view, _FINER)]
    return max(best, *nearby, key=lambda table: table.score)


def _candidate_views(pips: Pips, around: PipSurroundings, optics: Optics) -> list[PlaneView]:
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
            float((weight * np.exp(-0.5 * (slant / 0.2) ** 2)).sum()) + 2.0 * math.log(view.frontal)
        )
    chosen: list[PlaneView] = []
    for i in np.argsort(support)[::-1].tolist():
        if all(views[i].normal @ other.normal < _DISTINCT_VIEWS for other in chosen):
            chosen.append(views[i])
        if len(chosen) == _VIEWS_TRIED:
            break
    return chosen


def layout_in_view(
    view: PlaneView, pips: Pips, around: PipSurroundings, count: int | None = None
) -> DiceLayout:
    """The best set of dice in one view."""
    seen = ProjectedPips.project(view, pips)
    found = find_faces(seen)
    if not found:
        return DiceLayout(seen, (), np.zeros(len(pips), bool), -math.inf)
    candidates = Candidates.of(found, seen)
    candidates = candidates.changed(_surroundings(candidates, around))
    model = _CommonLook.of(candidates)
    candidates = candidates.changed(_likeness(candidates, model))
    candidates = candidates.changed(_of_larger(candidates))
    kept = np.flatnonzero(candidates.score > _LEAST_SCORE_A_PIP * candidates.value - 2.5)
    candidates = candidates.only(kept)
    chosen, sides, score = best_set(candidates, model.radius, count)
    score += FRONTAL_WORTH * math.log(view.frontal) - WORTH * float(view.normal[1])
    return DiceLayout(seen, tuple(candidates.face(k) for k in chosen), sides, score)


def best_set(candidates: Candidates, radius: float, count: int | None) -> tuple[list[int], Array, float]:
    """The dice that explain most marks as pips of their top faces or of their sides, at a cost for each die;
    the mask of the marks on sides; and the set's score. Dice are added one at a time, the best one first."""
    likely = _side_likelihood(candidates.seen, radius)
    sides, tops, apart = candidates.sides(), candidates.tops, candidates.apart
    cost = WORTH if count is None else -WORTH
    own = candidates.score - cost - _bareness(candidates, sides @ likely)
    close = WORTH * candidates.in_front

    def on_sides(members: list[int]) -> Array:
        return np.asarray(sides[members].any(axis=0) & ~tops[members].any(axis=0))

    def worth(members: list[int]) -> float:
        crowded = close[members][:, members].sum()
        return float(own[members].sum() - crowded + WORTH * likely[on_sides(members)].sum())

    members, best = list[int](), 0.0
    while count is None or len(members) < count:
        free = np.flatnonzero(apart[:, members].all(axis=1)).tolist()
        tried = [(worth([*members, k]), k) for k in free]
        if not tried or max(tried)[0] <= best:
            break
        best, k = max(tried)
        members.append(k)
    return members, on_sides(members), best


def _surroundings(faces: Candidates, around: PipSurroundings) -> Array:
    """What speaks for faces (n,) by what surrounds their pips: a plain face that ends a few radii on."""
    bounded = faces.mean(around.bounded)
    alone = 2.0 * (bounded - 0.6) - 6.0 * np.maximum(0.0, 0.85 - faces.mean(around.clear))
    several = 2.0 * np.minimum(0.0, bounded - 0.4) - 6.0 * np.maximum(0.0, 0.85 - faces.mean(around.tight))
    return np.asarray(np.where(faces.value == 1, alone, several))


@dataclass(frozen=True)
class _CommonLook:
    """What the likely dice have in common."""

    edge: float | None
    radius: float
    level: float
    light: bool

    @staticmethod
    def of(candidates: Candidates) -> _CommonLook:
        seen = candidates.seen
        faces = [candidates.faces[number] for number in candidates.separate()]
        several = [face for face in faces if face.value > 1]
        marks = [k for face in several or faces for k in face.pips]
        edge = float(np.median([face.edge for face in several])) if several else None
        light = bool(np.median(seen.contrast[marks]) > 0)
        return _CommonLook(
            edge, float(np.median(seen.radius[marks])), float(np.median(seen.level[marks])), light
        )


def _likeness(faces: Candidates, model: _CommonLook) -> Array:
    """What speaks for faces (n,) by their likeness to the likely dice: one size, mostly one colour."""
    seen = faces.seen
    by_pip = np.log(faces.mean(seen.radius) / model.radius)
    by_pip = np.minimum(by_pip, np.maximum(0.0, by_pip - math.log(_LARGE_ONE)))
    by_edge = by_pip if model.edge is None else np.log(faces.edge / model.edge)
    size = np.where(faces.value > 1, by_edge, by_pip)
    level = faces.mean(seen.level) - model.level
    light = seen.contrast[[face.pips[0] for face in faces.faces]] > 0
    worse = 0.5 * np.minimum(9.0, (size / 0.18) ** 2) + 0.5 * np.minimum(4.0, (level / 45.0) ** 2)
    return np.asarray(-(worse + 1.5 * (light != model.light)))


def _of_larger(faces: Candidates) -> Array:
    """What speaks against faces (n,) whose pips are a part of a larger good pattern: the largest is right."""
    within = (faces.shared == faces.value[:, None]) & (faces.value[None] > faces.value[:, None])
    better = np.where(within, faces.score / faces.value, 0.0).max(axis=1)
    return np.asarray(-2.5 * np.maximum(0.0, better - 1.2))


def _side_likelihood(seen: ProjectedPips, radius: float) -> Array:
    """How well each mark's outline agrees with being a pip of this radius on an upright face, 0-1.

    A disc on an upright face whose level direction is u is seen in the plane of the top faces as the ellipse
    r^2 (u u' + tan(t)^2 p p'), with p the direction away from the camera's foot and t the angle of sight.
    Over all directions that a face may have, the best agreement counts (distance of covariances; Forstner and
    Moonen, "A metric for covariance matrices", 1999)."""
    away = seen.at / np.maximum(seen.steepness, 1e-6)[:, None]
    beside = np.stack([-away[:, 1], away[:, 0]], axis=1)
    steep = np.maximum(seen.steepness, 0.12)
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
    agreement = np.exp(-0.5 * np.maximum(0.0, best / _SIDE_FORM**2 - 1.0))
    least = np.minimum(1.2, np.abs(np.log(steep)))
    return np.asarray(agreement * np.clip(seen.slant / (0.6 * least + 0.05), 0, 1) ** 2)


def _bareness(faces: Candidates, seen: Array) -> Array:
    """Penalty of dice (n,) none of whose sides shows a pip, by how much of one is `seen` there (n,), although
    they should be visible."""
    visible = np.clip((faces.steep - 0.35) / 0.3, 0.0, 1.0)
    return np.asarray(WORTH * visible * np.maximum(0.0, 1.0 - seen))


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
