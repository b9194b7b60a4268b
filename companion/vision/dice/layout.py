"""The dice of a table: the view and the set of faces that explain most of the marks.

All dice of a picture lie on one plane: a side face is no top face because its pips are not round in the plane
in which the other dice's are. Marks count as explained on a die's top face and, less, on the sides that the
view shows below it; each die costs something, so that one die with its sides beats two that touch.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.vision.dice.faces import Face, ProjectedPips, find_faces
from companion.vision.dice.pips import Pips, PipSurroundings
from companion.vision.dice.view import Optics, PlaneView, grid_of_views, nearby_views, slants
from companion.vision.image.picture import Array

SIDE_WORTH = 2.0
"""Log odds that a mark on the side of a die brings."""
FRONTAL_WORTH = 6.0
"""How much rather a picture is taken from above than from aside: times log cos(tilt)."""
DIE_COST = 2.0
"""Log odds against one more die."""
KNOWN_WORTH = 1.5
"""Log odds for one more die while their number is known and not reached."""
CLOSE_COST = 2.0
"""Log odds against a die close before another."""
BARE_COST = 1.5
"""Log odds against a die without a pip on the sides that should be seen."""
UPRIGHT_WORTH = 2.5
"""How much rather the far end of the table is at the picture's top: times the sine of the lean upwards."""
_LEAST_SCORE_A_PIP = 1.45
"""Log odds a pip below which a face is none of this view; 2.6 are the most."""
_BODY_MARGIN = 1.18
"""How much larger than by its pips a die may be."""
_LARGE_ONE = 2.0
"""How much larger the pip of a one may be than the others: on dice from East Asia it is."""
_VIEWS_TRIED = 10
_FINER = 4.0
"""Degrees: half of what the views of the grid are apart."""
_SIDE_ANGLES = (-1.1, -0.75, -0.4, 0.0, 0.4, 0.75, 1.1)
_SIDE_FORM = 0.3
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
    view: PlaneView,
    pips: Pips,
    around: PipSurroundings,
    count: int | None = None,
    without: Sequence[Face] = (),
) -> DiceLayout:
    """The best set of dice in one view, none of them a face of several pips with one of `without`."""
    seen = ProjectedPips.project(view, pips)
    candidates = [
        _weigh_surroundings(face, around) for face in find_faces(seen) if not _shares(face, without)
    ]
    likely = _separate_faces(sorted(candidates, key=lambda face: -face.score))
    if not likely:
        return DiceLayout(seen, (), np.zeros(len(pips), bool), -math.inf)
    model = _CommonLook.of(likely, seen)
    candidates = [_weigh_likeness(face, model, seen) for face in candidates]
    candidates = [_weigh_partial(face, candidates) for face in candidates]
    candidates = [face for face in candidates if face.score > _LEAST_SCORE_A_PIP * face.value - 2.5]
    chosen, sides, score = best_set(candidates, seen, model.radius, count)
    score += FRONTAL_WORTH * math.log(view.frontal) - UPRIGHT_WORTH * float(view.normal[1])
    return DiceLayout(seen, tuple(chosen), sides, score)


def _shares(face: Face, without: Sequence[Face]) -> bool:
    return face.value > 1 and any(set(face.pips) & set(other.pips) for other in without)


def best_set(
    candidates: list[Face], seen: ProjectedPips, radius: float, count: int | None
) -> tuple[list[Face], Array, float]:
    """The dice that explain most marks as pips of their top faces or of their sides, at a cost for each die;
    the mask of the marks on sides; and the set's score. Grown one die at a time, then mended by exchanges."""
    likely = _side_likelihood(seen, radius)
    sides = [_side_marks(face, seen) for face in candidates]
    tops = [_mask(face, seen) for face in candidates]
    cost = DIE_COST if count is None else -KNOWN_WORTH
    bareness = [_bareness(face, likely[side]) for face, side in zip(candidates, sides, strict=True)]
    touching = np.array([[_is_in_front(one, other) for other in candidates] for one in candidates], bool)
    apart = np.array([[_apart(one, other) for other in candidates] for one in candidates], bool)

    def worth(members: list[int]) -> float:
        top = np.any([tops[k] for k in members], axis=0) if members else np.zeros(len(seen.at), bool)
        side = np.any([sides[k] for k in members], axis=0) & ~top if members else top
        close = sum(int(touching[k, m]) for k in members for m in members)
        own = sum(candidates[k].score - cost - bareness[k] for k in members)
        return own - CLOSE_COST * close + SIDE_WORTH * float(likely[side].sum())

    def grown(members: list[int]) -> tuple[list[int], float]:
        best = worth(members)
        while count is None or len(members) < count:
            free = [k for k in range(len(candidates)) if k not in members and apart[k, members].all()]
            tried = [(worth([*members, k]), k) for k in free]
            if not tried or max(tried)[0] <= best:
                break
            best, k = max(tried)
            members = [*members, k]
        return members, best

    members, best = grown([])
    for k in range(len(candidates)):
        if k in members:
            continue
        kept = sorted((m for m in members if apart[k, m]), key=lambda m: -candidates[m].score)
        other, value = grown([k, *kept[: None if count is None else count - 1]])
        if value > best + 1e-9:
            members, best = other, value
    side = np.zeros(len(seen.at), bool)
    for k in members:
        side |= sides[k]
    for k in members:
        side &= ~tops[k]
    return [candidates[k] for k in members], side, best


def _weigh_surroundings(face: Face, around: PipSurroundings) -> Face:
    """The face with what surrounds its pips weighed: a plain face that ends a few radii on."""
    index = np.array(face.pips)
    bounded = float(around.bounded[index].mean())
    if face.value == 1:
        clear = float(around.clear[index[0]])
        return replace(face, score=face.score + 2.0 * (bounded - 0.6) - 6.0 * max(0.0, 0.85 - clear))
    tight = float(around.tight[index].mean())
    return replace(face, score=face.score - 2.0 * max(0.0, 0.4 - bounded) - 6.0 * max(0.0, 0.85 - tight))


@dataclass(frozen=True)
class _CommonLook:
    """What the likely dice have in common."""

    edge: float | None
    radius: float
    level: float
    light: bool

    @staticmethod
    def of(faces: list[Face], seen: ProjectedPips) -> _CommonLook:
        several = [face for face in faces if face.value > 1]
        marks = [k for face in several or faces for k in face.pips]
        edge = float(np.median([face.edge for face in several])) if several else None
        light = bool(np.median(seen.contrast[marks]) > 0)
        return _CommonLook(
            edge, float(np.median(seen.radius[marks])), float(np.median(seen.level[marks])), light
        )


def _weigh_likeness(face: Face, model: _CommonLook, seen: ProjectedPips) -> Face:
    """The face with its likeness to the likely dice weighed: one size, mostly one colour."""
    index = list(face.pips)
    if face.value > 1 and model.edge is not None:
        size = math.log(face.edge / model.edge)
    else:
        size = math.log(float(seen.radius[index].mean()) / model.radius)
        size = min(size, max(0.0, size - math.log(_LARGE_ONE)))
    level = float(seen.level[index].mean()) - model.level
    worse = 0.5 * min(9.0, (size / 0.18) ** 2) + 0.5 * min(4.0, (level / 45.0) ** 2)
    if (seen.contrast[index[0]] > 0) != model.light:
        worse += 1.5
    return replace(face, score=face.score - worse)


def _weigh_partial(face: Face, others: list[Face]) -> Face:
    """The face, less likely if its pips are a part of a larger good pattern: the largest pattern is right."""
    mine = set(face.pips)
    better = [f.score / f.value for f in others if f.value > face.value and mine < set(f.pips)]
    return replace(face, score=face.score - 2.5 * max(0.0, max(better, default=0.0) - 1.2))


def _separate_faces(faces: list[Face]) -> list[Face]:
    """Of faces, the best first, those that can lie beside each other."""
    chosen: list[Face] = []
    for face in faces:
        if all(_apart(face, other) for other in chosen):
            chosen.append(face)
    return chosen


def _apart(one: Face, other: Face) -> bool:
    """Whether two dice can be at these places."""
    if set(one.pips) & set(other.pips):
        return False
    return math.dist(one.centre, other.centre) > 0.85 * math.sqrt(one.edge * other.edge)


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
    for angle in _SIDE_ANGLES:
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


def _bareness(face: Face, sides: Array) -> float:
    """Penalty of a die none of whose sides shows a pip although they should be visible."""
    seen = min(1.0, max(0.0, (math.hypot(*face.centre) - 0.35) / 0.3))
    return BARE_COST * seen * max(0.0, 1.0 - float(sides.sum()))


def _is_in_front(one: Face, other: Face) -> bool:
    """True if `one` would lie close before `other`, just where the side of `other` is seen: rare for dice."""
    edge = math.sqrt(one.edge * other.edge)
    x, y = other.centre[0] - one.centre[0], other.centre[1] - one.centre[1]
    steep = math.hypot(*other.centre)
    away = math.hypot(x, y)
    if steep < 0.4 or not 0 < away < 1.25 * edge:
        return False
    return (x * other.centre[0] + y * other.centre[1]) > 0.7 * away * steep


def _mask(face: Face, seen: ProjectedPips) -> Array:
    mask = np.zeros(len(seen.at), bool)
    mask[list(face.pips)] = True
    return mask


def _side_marks(face: Face, seen: ProjectedPips) -> Array:
    """Mask of the marks within the outline of this die that are not on its top: those on its sides."""
    body = die_body(replace(face, edge=_BODY_MARGIN * face.edge), seen.view)
    hull = cv2.convexHull(body.astype(np.float32))[:, 0]
    along = np.roll(hull, -1, axis=0) - hull
    rel = seen.pixels[None] - hull[:, None]
    inside = (along[:, None, 0] * rel[..., 1] - along[:, None, 1] * rel[..., 0] >= 0).all(axis=0)
    inside |= (along[:, None, 0] * rel[..., 1] - along[:, None, 1] * rel[..., 0] <= 0).all(axis=0)
    away = seen.at - np.array(face.centre)
    steep = math.hypot(*face.centre)
    down = -(away @ np.array(face.centre)) / max(steep, 1e-6)
    if face.value > 1:
        unit = np.array(face.along) / math.hypot(*face.along)
        local = np.abs(away @ np.array([[unit[0], -unit[1]], [unit[1], unit[0]]])).max(axis=1)
    else:
        local = np.hypot(away[:, 0], away[:, 1])
    beyond = (local > 0.48 * face.edge) & (down > (0.2 + 0.25 * steep) * face.edge)
    return np.asarray(inside & beyond)


def top_corners(face: Face) -> Array:
    """The corners of the top face in the plane, clockwise; an octagon for a one, which shows no direction."""
    if face.value == 1:
        angle = np.arange(8) * math.pi / 4
        return np.array(face.centre) + 0.56 * face.edge * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    along = np.array(face.along) * (face.edge / 2 / math.hypot(*face.along))
    across = np.array([-along[1], along[0]])
    ends = np.array([-along - across, along - across, along + across, -along + across])
    return np.asarray(np.array(face.centre) + ends)


def die_body(face: Face, view: PlaneView) -> Array:
    """The corners of the whole die in pixels: those of the top face, then those on the table."""
    corners = top_corners(face)
    return np.concatenate([view.pixels(corners), view.pixels(corners, below=face.edge)])
