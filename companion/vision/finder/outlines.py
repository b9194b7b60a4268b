"""The outlines of cards that lie apart, of any deck, in the maps of the card finder.

A card is a region of the finder's map whose hull is a quad. A region that is not is cut again with a higher
threshold, where cards that lie close to each other part (as maximally stable extremal regions do, Matas et
al. 2002, with the shape in place of stability). The cards of one picture are of one size and shape, so the
largest group of such quads is taken; other regions nearly as large are given with what is wrong with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from companion.vision.finder.edge_fit import fit_to_edges, lab_of
from companion.vision.finder.network import OTHER_SCALES, PartMaps, card_maps
from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats, Image
from companion.vision.image.quads import fit_sides, four_corners

LEVELS = (0.15, 0.3, 0.5, 0.7, 0.85, 0.95)
"""Probabilities of a card at which the map is cut."""
FILL = 0.9
"""Intersection by union of a quad with the hull of a region from which the region is one whole card."""
LOOKS = (96, 160, 256, 400, 640, 1024)
"""Longer sides, in pixels, at which a picture is looked at until the size of its cards is known."""
CARD_PIXELS = 48.0
"""Width of a card, in pixels, at which its outline is taken."""
WIDTHS = (24.0, 72.0)
"""Widths of cards, in pixels, between which the finder sees them."""
ASPECTS = (1.15, 2.2)
"""Height / width of cards; checks and tiles are squares."""
SAME_SHAPE = np.array([0.25, 0.15, 0.15, 0.15])
"""By how much the cards of one picture may differ in width, aspect and the ratios of opposite sides (natural
logarithms)."""
CERTAIN = 0.95
"""Probability above which the finder counts as certain when looks are compared."""
RELEVANT = 0.3
"""Area of a region, by that of the picture's cards, from which it is given although it is no whole card."""

OutlineProblem = Literal["cut_off", "unclear"]


@dataclass(frozen=True, eq=False)
class CardOutline:
    """The outline of one card: corners (4, 2) in pixels of the picture, clockwise, on a short side.
    `problem`: `cut_off` by the picture's margin; `unclear`: no outline of one card, as where cards touch."""

    quad: Floats
    problem: OutlineProblem | None = None


@dataclass(frozen=True, eq=False)
class _MapRegion:
    """A region of the map: its quad in pixels of the map, and whether it fills it or reaches the margin."""

    quad: Floats
    whole: bool
    at_margin: bool


def separate_cards(image: Image) -> list[CardOutline]:
    """The cards that lie apart in a picture (BGR, uint8), in no order."""
    scale = _scale(image)
    if scale is None:
        return []
    maps = card_maps(image, scale)
    regions = _regions(_mean_card(image, maps))
    cards = _of_one_size(regions)
    if not cards:
        return []
    lab = lab_of(image)
    size = np.median([_shape(card.quad) for card in cards], axis=0)
    # Where the size is known, a region with ragged sides counts too.
    cards = [one for one in regions if (np.abs(_shape(one.quad) - size) < SAME_SHAPE).all()]
    fitted = [fit_to_edges(lab, maps.to_picture(card.quad)) for card in cards]
    usual = np.median([_shape(quad) for quad in fitted], axis=0)
    found = [CardOutline(quad, _problem(quad, usual, image.shape)) for quad in fitted]
    typical = float(np.median([geometry.area(card.quad) for card in cards]))
    for region in regions:
        if region not in cards and geometry.area(region.quad) > RELEVANT * typical:
            problem: OutlineProblem = "cut_off" if region.at_margin else "unclear"
            found.append(CardOutline(maps.to_picture(region.quad), problem))
    return found


def _mean_card(image: Image, maps: PartMaps) -> Floats:
    """The map of cards, as the mean of looks at several scales."""
    looks = [card_maps(image, maps.scale * factor).card for factor in OTHER_SCALES]
    size = maps.card.shape[1::-1]
    return np.asarray(np.mean([maps.card, *(cv2.resize(look, size) for look in looks)], axis=0), np.float32)


def _problem(quad: Floats, usual: Floats, picture: tuple[int, ...]) -> OutlineProblem | None:
    """What is wrong with the outline of a card; `usual`: the shape of the cards of the picture."""
    if quad.min() < 1 or (quad.max(axis=0) > np.array(picture[1::-1]) - 2).any():
        return "cut_off"
    return None if (np.abs(_shape(quad) - usual) < SAME_SHAPE).all() else "unclear"


def _shape(quad: Floats) -> Floats:
    """Natural logarithms of width, aspect (height / width), and the ratios of opposite sides."""
    top, right, bottom, left = np.maximum(geometry.sides(quad), 1e-3)
    width, aspect = (top + bottom) / 2, (right + left) / (top + bottom)
    return np.asarray(np.log([width, aspect, top / bottom, right / left]), np.float32)


def _scale(image: Image) -> float | None:
    """The scale at which the picture's cards are CARD_PIXELS wide; None if no look shows a card."""
    longest = max(image.shape[:2])
    best, scale = 0.0, None
    for look in (side for side in LOOKS if side <= longest):
        maps = card_maps(image, look / longest)
        cards = _of_one_size(_regions(maps.card))
        evidence = _evidence(maps.card, cards)
        if evidence > best:
            width = float(np.median([geometry.width_of(card.quad) for card in cards]))
            best, scale = evidence, maps.scale * CARD_PIXELS / width
    return scale


def _evidence(card: Floats, cards: Sequence[_MapRegion]) -> float:
    """How much a map says that the cards are cards: the log odds in their quads, by the area of the map.
    Cards that a coarse look joins have less, because the ground between them counts against it."""
    inside = np.zeros(card.shape, np.uint8)
    for one in cards:
        cv2.fillConvexPoly(inside, np.round(one.quad).astype(np.int32), 1)
    sure = np.clip(card[inside > 0], 1 - CERTAIN, CERTAIN)
    return float(np.log(sure / (1 - sure)).sum()) / card.size


def _regions(card: Floats) -> list[_MapRegion]:
    """The regions of a map of probabilities (rows, columns): whole cards, and what is left at the end."""
    found: list[_MapRegion] = []
    _cut(card, np.ones(card.shape, bool), 0, found)
    return found


def _cut(card: Floats, within: Array, level: int, found: list[_MapRegion]) -> None:
    """Adds the regions `within` a part of the map, cut at a level of LEVELS and, where needed, above it."""
    mask = ((card > LEVELS[level]) & within).astype(np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
        area = cv2.contourArea(contour)
        if area < (WIDTHS[0] / 2) ** 2:
            continue
        quad, overlap = _quad_of(contour)
        whole = overlap > FILL
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


def _of_one_size(regions: Sequence[_MapRegion]) -> list[_MapRegion]:
    """Of the whole cards those of the size and shape that together cover most."""
    cards = [
        region
        for region in regions
        if region.whole
        and WIDTHS[0] <= geometry.width_of(region.quad) <= WIDTHS[1]
        and ASPECTS[0] <= np.exp(_shape(region.quad)[1]) <= ASPECTS[1]
    ]
    shapes = [_shape(card.quad) for card in cards]
    groups = [
        [other for other, its in zip(cards, shapes, strict=True) if (np.abs(its - shape) < SAME_SHAPE).all()]
        for shape in shapes
    ]
    return max(groups, key=lambda group: sum(geometry.area(card.quad) for card in group), default=[])
