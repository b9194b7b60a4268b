"""The outlines of cards that lie apart, of any deck, in the maps of the card finder.

A card is a region of the finder's map, without its edges, whose hull is a quad. A region that is not is cut
again with a higher threshold, where cards that lie close to each other part (as maximally stable extremal
regions do, Matas et al. 2002, with the shape in place of stability). Looks at all sizes are cut, because how
large the cards are is not known. The cards of one picture are of one size and shape: of all such groups that
is taken along whose sides the finder sees most edges of cards. Other regions nearly as large are given with
what is wrong with them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from companion.vision.finder.edge_fit import fit_to_edges, weakest_side
from companion.vision.finder.limits import enrolment_limits
from companion.vision.finder.network import PartMaps, card_maps
from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats, Image
from companion.vision.image.quads import fit_sides, four_corners

LEVELS = (0.15, 0.3, 0.5, 0.7, 0.85, 0.95)
"""Probabilities of a card at which the map is cut."""
LOOKS = (96, 160, 256, 400, 640, 1024)
"""Longer sides, in pixels, at which a picture is looked at."""

OutlineProblem = Literal["cut_off", "unclear"]


@dataclass(frozen=True, eq=False)
class CardOutline:
    """The outline of one card: corners (4, 2) in pixels of the picture, clockwise, on a short side.
    `problem`: `cut_off` by the picture's margin; `unclear`: no outline of one card, as where cards touch."""

    quad: Floats
    problem: OutlineProblem | None = None


@dataclass(frozen=True, eq=False)
class _MapRegion:
    """A region of a map: its quad in pixels of the picture, and whether it fills it or reaches the margin."""

    quad: Floats
    whole: bool
    at_margin: bool


@dataclass(frozen=True, eq=False)
class _RatedQuad:
    """A quad that may be a card. `shape`: see _shape; `evidence`: the log-odds that it is one."""

    quad: Floats
    shape: Floats
    evidence: float


def separate_cards(image: Image) -> list[CardOutline]:
    """The cards that lie apart in a picture (BGR, uint8), in no order."""
    longest = max(image.shape[:2])
    looks = [card_maps(image, side / longest) for side in LOOKS if side <= longest]
    regions = [_regions(maps) for maps in looks]
    cards = _of_one_size(
        [_rated(maps, one) for maps, its in zip(looks, regions, strict=True) for one in its if one.whole]
    )
    if not cards:
        return []
    width = math.exp(float(np.median([card.shape[0] for card in cards])))
    width /= enrolment_limits().outlines.card_pixels
    nearest = sorted(range(len(looks)), key=lambda i: abs(math.log(looks[i].scale * width)))
    fitted = [fit_to_edges([looks[i] for i in nearest[:2]], card.quad) for card in cards]
    usual = np.median([_shape(quad) for quad in fitted], axis=0)
    found = [CardOutline(quad, _problem(quad, usual, image.shape)) for quad in fitted]
    return [*found, *_no_whole_cards(regions[nearest[0]], fitted)]


def _no_whole_cards(regions: Sequence[_MapRegion], cards: Sequence[Floats]) -> list[CardOutline]:
    """The regions beside the outlines of the cards that are large enough to be part of one."""
    limits = enrolment_limits().outlines
    least = limits.relevant * float(np.median([geometry.area(quad) for quad in cards]))
    return [
        CardOutline(region.quad, "cut_off" if region.at_margin else "unclear")
        for region in regions
        if geometry.area(region.quad) > least
        and all(geometry.shared_part(region.quad, quad) < limits.beside for quad in cards)
    ]


def _problem(quad: Floats, usual: Floats, picture: tuple[int, ...]) -> OutlineProblem | None:
    """What is wrong with the outline of a card; `usual`: the shape of the cards of the picture."""
    if quad.min() < 1 or (quad.max(axis=0) > np.array(picture[1::-1]) - 2).any():
        return "cut_off"
    return None if _is_alike(_shape(quad), usual) else "unclear"


def _is_alike(one: Floats, other: Floats) -> bool:
    """Whether these are the shapes of cards of one picture."""
    limits, apart = enrolment_limits().outlines, np.abs(one - other)
    return bool(apart[0] < limits.same_width and (apart[1:] < limits.same_shape).all())


def _shape(quad: Floats) -> Floats:
    """Natural logarithms of width, aspect (height / width), and the ratios of opposite sides."""
    top, right, bottom, left = np.maximum(geometry.sides(quad), 1e-3)
    width, aspect = (top + bottom) / 2, (right + left) / (top + bottom)
    return np.asarray(np.log([width, aspect, top / bottom, right / left]), np.float32)


def _rated(maps: PartMaps, region: _MapRegion) -> _RatedQuad:
    """A region with its sides set on edges. It is rated behind that: of a ragged one the sides lie beside the
    edges."""
    quad = fit_to_edges([maps], region.quad)
    least = _log_odds(enrolment_limits().outlines.edge)
    return _RatedQuad(quad, _shape(quad), _log_odds(weakest_side(maps, quad)) - least)


def _log_odds(probability: float) -> float:
    return math.log(max(probability, 1e-3) / (1 - min(probability, 0.999)))


def _of_one_size(candidates: Sequence[_RatedQuad]) -> list[_RatedQuad]:
    """Of all groups of candidates of one size and shape that lie apart the one with the most evidence, each
    card weighed by its width: what is printed on a card is smaller than the card."""
    limits = enrolment_limits()
    low, high = math.log(limits.learned.square), math.log(limits.outlines.most_aspect)
    possible = (one for one in candidates if one.evidence > 0 and low <= one.shape[1] <= high)
    likely = sorted(possible, key=lambda one: -one.evidence)
    groups = [_apart([other for other in likely if _is_alike(other.shape, one.shape)]) for one in likely]
    return max(
        groups, key=lambda group: sum(one.evidence * math.exp(one.shape[0]) for one in group), default=[]
    )


def _apart(candidates: Sequence[_RatedQuad]) -> list[_RatedQuad]:
    """The candidates without those that lie over one named before them."""
    most = enrolment_limits().outlines.apart
    return [candidates[index] for index in geometry.apart([one.quad for one in candidates], most)]


def _regions(maps: PartMaps) -> list[_MapRegion]:
    """The regions of a look: whole cards, and what is left at the end."""
    card = maps.card * (1 - maps.edge)
    found: list[_MapRegion] = []
    _cut(card, np.ones(card.shape, bool), 0, found)
    return [_MapRegion(maps.to_picture(_grown(one.quad)), one.whole, one.at_margin) for one in found]


def _grown(quad: Floats) -> Floats:
    """A region's quad with the edge, one pixel of the map, that was cut from it."""
    across = max(geometry.width_of(quad), enrolment_limits().outlines.least_pixels)
    return np.asarray(geometry.grown(quad, 1 + 2 / across), np.float32)


def _cut(card: Floats, within: Array, level: int, found: list[_MapRegion]) -> None:
    """Adds the regions `within` a part of the map, cut at a level of LEVELS and, where needed, above it;
    their quads are in pixels of the map."""
    limits = enrolment_limits().outlines
    mask = ((card > LEVELS[level]) & within).astype(np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
        if cv2.contourArea(contour) < limits.least_pixels**2:
            continue
        quad, overlap = _quad_of(contour)
        whole = overlap > limits.fill
        if whole or level + 1 == len(LEVELS):
            outline = quad if whole else _box(contour)
            found.append(_MapRegion(outline, whole, _at_margin(contour, card.shape)))
            continue
        inside = np.zeros(card.shape, np.uint8)
        cv2.drawContours(inside, [contour], -1, 1, -1)
        before = len(found)
        _cut(card, inside > 0, level + 1, found)
        if not any(region.whole for region in found[before:]):
            # Nothing in it is a card either: it counts as one region, at its full size.
            found[before:] = [_MapRegion(_box(contour), False, _at_margin(contour, card.shape))]


def _quad_of(contour: Array) -> tuple[Floats, float]:
    """The quad whose sides follow a contour best, and how well (intersection by union with its hull)."""
    hull = cv2.convexHull(contour)
    corners, box = four_corners(hull, cv2.contourArea(hull)), _box(contour)
    points = contour.reshape(-1, 2).astype(np.float32)
    tried = [box, *(geometry.upright(fit_sides(points, one)) for one in (corners, box) if one is not None)]
    rated = [(quad, geometry.intersection_over_union(hull.reshape(-1, 2), quad)) for quad in tried]
    return max(rated, key=lambda one: one[1])


def _box(contour: Array) -> Floats:
    """The smallest rectangle round a contour."""
    return geometry.upright(geometry.clockwise(cv2.boxPoints(cv2.minAreaRect(contour))))


def _at_margin(contour: Array, shape: tuple[int, ...]) -> bool:
    points = contour.reshape(-1, 2)
    return bool((points <= 1).any() or (points >= np.array(shape[1::-1]) - 2).any())
