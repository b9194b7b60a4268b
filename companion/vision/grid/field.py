"""Where the field of 13 Monsters lies: the lattice of its places, and the back that most of its cards show.

The outlines of cards are joined to a lattice from card to card (so that careless laying does not add up); a
homography through all of them gives every place, also the empty ones.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.core.errors import Unreadable
from companion.vision.dice.view import Optics
from companion.vision.grid.limits import grid_limits
from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats, Image

SIDE = 9
"""Rows and columns of the field."""
PATCH = (24, 32)
"""Pixels, width and height, of a place's small picture."""
_ALIGNED = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 20, 1e-3)
"""When a place is aligned with the back: so many steps, or so small a gain."""


@dataclass(frozen=True)
class CardGrid:
    """What stays the same from picture to picture of one table."""

    matrix: Array
    """3 x 3: (column, row) -> pixels; whole numbers are the middles of places."""
    size: tuple[float, float]
    """A card's width and height in places."""
    back: Array
    """The back of a card, normalised grey."""

    def optics(self, image: Image, begin: Array) -> Optics:
        """The camera of the part of a picture that begins at a place (x, y) of it, and how it looks at the
        table that the field lies on."""
        size = (image.shape[0], image.shape[1])
        normal = Optics.of(size).normal_of(self.matrix)
        return Optics.of(size, (float(begin[0]), float(begin[1])), normal)


def card_quads(quads: list[Floats]) -> list[Floats]:
    """One outline a card: those of the typical size, the outer of two round the same card, top side
    upwards."""
    if not quads:
        return []
    limits = grid_limits().lattice
    areas = np.array([geometry.area(quad) for quad in quads])
    typical = float(np.median(areas))
    centres = np.stack(quads).mean(axis=1)
    kept: list[Floats] = []
    chosen: list[int] = []
    for k in np.argsort(-areas).tolist():
        if not 1 / limits.size < areas[k] / typical < limits.size:
            continue
        quad = geometry.upright(quads[k])
        if (quad[2] + quad[3] - quad[0] - quad[1])[1] < 0:
            quad = geometry.rotated_half_turn(quad)
        away = centres[chosen] - centres[k]
        if np.hypot(away[:, 0], away[:, 1]).min(initial=np.inf) > limits.beside * geometry.width_of(quad):
            kept.append(quad)
            chosen.append(k)
    return kept


def find_grid(image: Image, quads: list[Floats]) -> CardGrid:
    """The field by the outlines alone."""
    fewest = grid_limits().lattice.fewest
    if len(quads) < fewest:
        raise Unreadable("grid.no_field")
    places = _connect(quads)
    if len(places) < fewest:
        raise Unreadable("grid.no_field_lines")
    matrix = _fit_grid(quads, places)
    places = _assign_places(quads, matrix)
    rows, columns = (_span([at[axis] for at in places.values()]) for axis in (0, 1))
    matrix = matrix @ _shift(rows[0], columns[0])
    size = _card_size(quads, places, matrix)
    field = CardGrid(matrix, size, np.zeros(0))
    field = replace(field, back=_common_back(image, field))
    return _laid_on_its_backs(image, _by_its_backs(image, field, rows[1], columns[1]))


def _laid_on_its_backs(image: Image, field: CardGrid) -> CardGrid:
    """The field through the places of its backs: they are aligned with each other, while an outline may be
    that of a card, of its print or of a shadow."""
    quads: list[Floats] = []
    places: dict[int, tuple[int, int]] = {}
    for row, column in np.ndindex(SIDE, SIDE):
        quad = laid_on_back(image, quad_at(field, (row, column)), field.back)
        if correlation(patch(image, quad), field.back) > grid_limits().places.back:
            places[len(quads)] = row, column
            quads.append(quad)
    return replace(field, matrix=_fit_grid(quads, places))


def _by_its_backs(image: Image, field: CardGrid, rows: int, columns: int) -> CardGrid:
    """The field of nine by nine: outer rows that backs alone show are added, since on a slanted camera's far
    side cards are smaller than outlines may be; those without backs are left out, as squares of a cloth are.
    """
    spans = [range(rows), range(columns)]
    fewest_backs = grid_limits().lattice.fewest_in_row
    for axis in (0, 1):
        while len(spans[axis]) != SIDE:
            first, last = spans[axis][0], spans[axis][-1]
            if len(spans[axis]) < SIDE:
                most, new = max(
                    (_backs(image, field, axis, line, spans), line) for line in (first - 1, last + 1)
                )
                if most < fewest_backs:
                    break
                spans[axis] = range(min(first, new), max(last, new) + 1)
            else:
                fewest, outer = min((_backs(image, field, axis, line, spans), line) for line in (first, last))
                if fewest >= fewest_backs:
                    break
                spans[axis] = range(first + (outer == first), last + (outer == first))
    if any(len(span) != SIDE for span in spans):
        raise Unreadable("grid.not_nine", rows=len(spans[0]), columns=len(spans[1]))
    return replace(field, matrix=field.matrix @ _shift(spans[0][0], spans[1][0]))


def _backs(image: Image, field: CardGrid, axis: int, line: int, spans: Sequence[range]) -> int:
    """The cards face down in a row (axis 0) or column of places."""
    spots = [(line, other) if axis == 0 else (other, line) for other in spans[1 - axis]]
    quads = [laid_on_back(image, quad_at(field, at), field.back) for at in spots]
    least = grid_limits().places.back
    return sum(correlation(patch(image, quad), field.back) > least for quad in quads)


def _shift(row: int, column: int) -> Array:
    """3 x 3: a place counted from there -> (column, row)."""
    return np.array([[1, 0, column], [0, 1, row], [0, 0, 1]], float)


def _connect(quads: list[Floats]) -> dict[int, tuple[int, int]]:
    """Row and column of each outline that hangs together with the others, from card to card."""
    middles = np.array([quad.mean(axis=0) for quad in quads])
    best: dict[int, tuple[int, int]] = {}
    tried: set[int] = set()
    for seed in range(len(quads)):
        if seed in tried:
            continue
        places = {seed: (0, 0)}
        waiting = deque([seed])
        while waiting:
            k = waiting.popleft()
            for step, other in _neighbours(quads[k], middles):
                at = (places[k][0] + step[0], places[k][1] + step[1])
                if other not in places and at not in places.values():
                    places[other] = at
                    waiting.append(other)
        tried |= set(places)
        if len(places) > len(best):
            best = places
    return best


def _neighbours(quad: Floats, middles: Array) -> list[tuple[tuple[int, int], int]]:
    """The outlines right, left, below and above of one, with their step (row, column)."""
    right = (quad[1] + quad[2] - quad[0] - quad[3]) / 2
    down = (quad[2] + quad[3] - quad[0] - quad[1]) / 2
    basis = np.linalg.inv(np.stack([right, down], axis=1).astype(float))
    local = (middles - quad.mean(axis=0)) @ basis.T
    found, limits = [], grid_limits().lattice
    for step, along, across in (((0, 1), 0, 1), ((0, -1), 0, 1), ((1, 0), 1, 0), ((-1, 0), 1, 0)):
        sign = step[0] + step[1]
        near = np.abs(sign * local[:, along] - limits.pitch) < limits.beside
        near &= np.abs(local[:, across]) < limits.beside
        if near.any():
            chosen = np.flatnonzero(near)
            found.append((step, int(chosen[np.abs(local[chosen, across]).argmin()])))
    return found


def _fit_grid(quads: list[Floats], places: dict[int, tuple[int, int]]) -> Array:
    """The homography (column, row) -> pixels through the middles, against carelessly laid cards."""
    source = np.array([(at[1], at[0]) for at in places.values()], np.float32)
    target = np.array([quads[k].mean(axis=0) for k in places], np.float32)
    reach = grid_limits().lattice.inlier * float(np.median([geometry.width_of(quads[k]) for k in places]))
    matrix, _ = cv2.findHomography(source, target, cv2.RANSAC, reach)
    if matrix is None:
        raise Unreadable("grid.crooked")
    return np.asarray(matrix)


def _assign_places(quads: list[Floats], matrix: Array) -> dict[int, tuple[int, int]]:
    """Row and column of each outline that lies near a place of the lattice."""
    flat = geometry.transform(np.array([quad.mean(axis=0) for quad in quads]), np.linalg.inv(matrix))
    near = np.rint(flat)
    good = np.flatnonzero(np.abs(flat - near).max(axis=1) < grid_limits().lattice.beside)
    return {int(k): (int(near[k, 1]), int(near[k, 0])) for k in good}


def _span(indices: list[int]) -> tuple[int, int]:
    """The first row (or column) that holds more than a stray outline, and how many there are to the last."""
    values, counts = np.unique(indices, return_counts=True)
    filled = values[counts >= min(3, int(counts.max()))]
    return int(filled[0]), int(filled[-1] - filled[0] + 1)


def _card_size(quads: list[Floats], places: dict[int, tuple[int, int]], matrix: Array) -> tuple[float, float]:
    """A card's width and height in places."""
    flat = [geometry.transform(quads[k], np.linalg.inv(matrix)) for k in places]
    wide = [float(np.linalg.norm((q[1] + q[2] - q[0] - q[3]) / 2)) for q in flat]
    high = [float(np.linalg.norm((q[2] + q[3] - q[0] - q[1]) / 2)) for q in flat]
    return float(np.median(wide)), float(np.median(high))


def quad_at(field: CardGrid, at: tuple[int, int]) -> Floats:
    """Corners in pixels: where the card of a place would lie."""
    half = np.array(field.size) / 2
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + np.array([at[1], at[0]])
    return geometry.transform(corners, field.matrix)


def patch(image: Image, quad: Floats) -> Array:
    """The place as grey of mean 0 and spread 1; all 0 if it is plain."""
    width, height = PATCH
    # Through twice the size, so that what is small is averaged and not picked.
    matrix = geometry.homography(quad, _pixels_within(2 * width, 2 * height))
    large = cv2.warpPerspective(image, matrix, (2 * width, 2 * height), flags=cv2.INTER_LINEAR)
    grey = cv2.resize(cv2.cvtColor(large, cv2.COLOR_BGR2GRAY), PATCH, interpolation=cv2.INTER_AREA).astype(
        float
    )
    spread = float(grey.std())
    return np.asarray((grey - grey.mean()) / spread if spread > 3 else grey * 0)


def _pixels_within(width: int, height: int) -> Floats:
    """The corners of a picture of so many pixels, whose middles are whole numbers."""
    return geometry.rectangle(-0.5, -0.5, width - 0.5, height - 0.5)


def laid_on_back(image: Image, quad: Floats, back: Array) -> Floats:
    """The quad, turned and shifted so that what is in it lies upon the back as well as it can.

    Method: G. Evangelidis and E. Psarakis, "Parametric image alignment using enhanced correlation coefficient
    maximization", PAMI 30, 2008.
    """
    seen = patch(image, quad)
    upright = _is_upright(back, seen)
    model = np.ascontiguousarray(back if upright else back[::-1, ::-1], np.float32)
    small = seen.astype(np.float32)
    start = np.eye(2, 3, dtype=np.float32)
    try:
        _, motion = cv2.findTransformECC(model, small, start, cv2.MOTION_EUCLIDEAN, _ALIGNED)
    except cv2.error:  # nothing in the place is like the back
        return quad
    whole = np.vstack([motion, [0.0, 0.0, 1.0]])
    ends = _pixels_within(*PATCH)
    moved = geometry.transform(ends, whole)
    if np.abs(moved - ends).max() > grid_limits().lattice.beside * PATCH[0]:
        return quad
    return geometry.transform(moved, geometry.homography(ends, quad))


def correlation(one: Array, other: Array, where: Array | None = None) -> float:
    """Correlation of two patches where a mask is True (None: everywhere), the better of both orientations of
    the other one."""
    ways = (other, other[::-1, ::-1])
    return float(_correlations([_part(one, where)], [_part(way, where) for way in ways]).max())


def _part(one: Array, where: Array | None) -> Array:
    return one.ravel() if where is None else one[where]


def _correlations(ones: Sequence[Array], others: Sequence[Array]) -> Array:
    """The correlation of each of n lists of values with each of m: (n, m); 0 with what is plain."""
    unit = []
    for values in (np.stack(ones), np.stack(others)):
        values = values - values.mean(axis=1, keepdims=True)
        unit.append(values / np.maximum(np.sqrt((values**2).sum(axis=1, keepdims=True)), 1e-3))
    return np.asarray(unit[0] @ unit[1].T)


def _common_back(image: Image, field: CardGrid) -> Array:
    """What most places show."""
    patches = [patch(image, quad_at(field, at)) for at in np.ndindex(SIDE, SIDE)]
    flat = [one.ravel() for one in patches]
    fits = np.maximum(_correlations(flat[::4], flat), _correlations(flat[::4], [one[::-1] for one in flat]))
    limits = grid_limits()
    votes = (fits > limits.places.back).sum(axis=1)
    best = int(votes.argmax())
    if votes[best] < limits.lattice.fewest_backs:
        raise Unreadable("grid.backs_differ")
    model = patches[4 * best]
    like = [
        p if _is_upright(model, p) else p[::-1, ::-1]
        for p, fit in zip(patches, fits[best], strict=True)
        if fit > limits.places.back
    ]
    return np.asarray(np.median(like, axis=0))


def _is_upright(one: Array, other: Array) -> bool:
    return float((one * other).sum()) >= float((one * other[::-1, ::-1]).sum())
