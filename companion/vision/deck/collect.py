"""Cards that lie apart on the table, to be learned: found, straightened, and compared with the deck so far.

Nothing is known of the deck at first: the card finder says where cards are (`companion.vision.finder`).
Square tiles, which it does not know, are found by their outlines, and triangles by their three sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np

from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import CARD_WIDTH, card_picture
from companion.vision.deck.outline import top_up
from companion.vision.finder.limits import enrolment_limits
from companion.vision.finder.outlines import CardOutline, separate_cards
from companion.vision.image import geometry, masks
from companion.vision.image.geometry import aspect_of, shared_part
from companion.vision.image.picture import Array, Floats, Image, shrunk
from companion.vision.image.quads import WORKING_SIDE, binary_masks, merge_quads
from companion.vision.image.sharpness import softness
from companion.vision.match import descriptor
from companion.vision.triangles import collect as triangles
from companion.vision.triangles.enrol import learn_looks

CardProblem = Literal["cut_off", "unclear", "burnt", "small", "blurred"]
"""`cut_off` by the picture's margin; `unclear`: no outline of one card; `burnt` out by a lamp; `small`: too
narrow; `blurred`. The worst first."""


@dataclass(frozen=True, eq=False)
class CollectedCard:
    """One card on the table. `quad`: its outline in pixels of the picture, `card`: straightened, CARD_WIDTH
    wide. `problem`: why it cannot be learned well, if it cannot."""

    quad: Floats
    card: Image
    problem: CardProblem | None = None


@dataclass(frozen=True)
class DeckMatch:
    """How a card compares with the deck so far. `label` is None where it has no such card; `turned`: it lies
    upside down than enrolled; `new`: this look adds something to those that the deck has."""

    label: str | None
    turned: bool = False
    new: bool = True


def collect_cards(image: Image, aspect: float | None = None) -> list[CollectedCard]:
    """The cards that lie apart in the picture, top row first. `aspect`: their height / width, if known."""
    limits = enrolment_limits()
    if aspect is not None and aspect <= limits.learned.square:
        tiles = [top_up(quad) for quad in _largest_common_size(_inside(image, _tiles(image)))]
        return _collected(image, [CardOutline(quad) for quad in tiles], aspect)
    found = [CardOutline(top_up(one.quad), one.problem) for one in separate_cards(image)]
    whole = [aspect_of(one.quad) for one in found if one.problem is None]
    shape = aspect or (float(np.median(whole)) if whole else 1.0)
    same = limits.outlines.same_shape
    right = [one for one in found if abs(aspect_of(one.quad) / shape - 1.0) < same or one.problem]
    return _collected(image, right, shape)


def collect_triangles(image: Image) -> list[CollectedCard]:
    """The triangular cards that lie apart in the picture, top row first; each has the quad round it."""
    quads = [triangles.quad_of(one) for one in triangles.separate_triangles(image)]
    return _collected(image, [CardOutline(quad) for quad in quads], triangles.ASPECT)


def _collected(image: Image, outlines: Sequence[CardOutline], shape: float) -> list[CollectedCard]:
    """The cards within outlines, in rows, with what is wrong with them; `shape`: their height / width."""
    found = []
    for outline in _in_rows(outlines):
        card = card_picture(image, outline.quad, shape)
        problem = outline.problem or _problem(card, geometry.width_of(outline.quad))
        found.append(CollectedCard(outline.quad, card, problem))
    return found


def _problem(card: Image, width: float) -> CardProblem | None:
    """What is wrong with the picture of a card (CARD_WIDTH wide) that was `width` pixels wide."""
    limits = enrolment_limits().learned
    if masks.without_specks(card.min(axis=2) >= limits.burnt_level, 2).mean() > limits.burnt:
        return "burnt"
    if width < limits.width:
        return "small"
    soft = softness(card)
    # A card of few pixels is drawn larger here and looks soft for that alone.
    limit = limits.softness * max(1.0, CARD_WIDTH / width * 0.8)
    return "blurred" if soft is not None and soft > limit else None


def _inside(image: Image, quads: Sequence[Floats]) -> list[Floats]:
    """The quads that lie wholly in the picture and fill not too much of it."""
    (height, width), largest = image.shape[:2], enrolment_limits().learned.largest
    return [
        quad
        for quad in quads
        if quad.min() > 1
        and quad[:, 0].max() < width - 2
        and quad[:, 1].max() < height - 2
        and geometry.area(quad) < largest * width * height
    ]


def match_deck(
    deck: Deck | None, image: Image, quad: Floats, reference: tuple[Image, Floats] | None = None
) -> DeckMatch:
    """Which card of the deck it is; `reference`: picture and quad of a triangular card learned before, in
    whose light triangular cards are compared."""
    if deck is None:
        return DeckMatch(None)
    if deck.triangles is not None:
        before = None if reference is None else (reference[0], triangles.triangle_of(reference[1]))
        (seen,) = learn_looks([image], [triangles.triangle_of(quad)], before)
        return _nearest(deck, triangles.look_costs(seen, deck.triangles))
    look = descriptor.describe(descriptor.PicturePyramid(image).rectified(quad))
    ways = deck.gallery.mean_costs(look)
    costs = ways.min(axis=0)
    found = _nearest(deck, costs)
    best = int(costs.argmin())
    return replace(found, turned=found.label is not None and bool(ways[1][best] < ways[0][best]))


def _nearest(deck: Deck, costs: Floats) -> DeckMatch:
    """The card whose look costs least, if that is little, and less than any other card's."""
    limits = enrolment_limits().known
    best = int(costs.argmin())
    others = costs[deck.cards != deck.cards[best]]
    if costs[best] > limits.known or (len(others) and others.min() - costs[best] < limits.different):
        return DeckMatch(None)
    return DeckMatch(deck.labels[best], new=bool(costs[best] > limits.different))


def _largest_common_size(quads: Sequence[Floats]) -> list[Floats]:
    """Of all outlines those of the largest size on which most agree, none over another."""
    if not quads:
        return []
    limits, areas = enrolment_limits().learned, np.array([geometry.area(quad) for quad in quads])
    shapes = np.array([aspect_of(quad) for quad in quads])
    alike = (np.abs(np.log(areas[:, None] / areas)) < np.log(limits.tile_areas)) & (
        np.abs(np.log(shapes[:, None] / shapes)) < limits.tile_aspects
    )
    groups = [_without_overlaps([quads[j] for j in np.flatnonzero(row).tolist()]) for row in alike]
    # Checks of a tablecloth are too small to be cards that can be learned.
    large = [i for i in range(len(quads)) if geometry.width_of(quads[i]) >= limits.width]
    sized = large or list(range(len(quads)))
    most = max(len(groups[i]) for i in sized)
    enough = [i for i in sized if len(groups[i]) >= 0.6 * most]
    lead = groups[max(enough, key=lambda i: float(areas[i]))]
    if len(lead) <= 2:
        # Panels printed on one card agree as well as two cards do, but they fill the card they lie on.
        within = sum(geometry.area(quad) for quad in lead)
        round_them = [
            quad
            for quad in quads
            if 0.3 * geometry.area(quad) < within
            and all(shared_part(quad, one) > 0.9 and geometry.area(quad) > geometry.area(one) for one in lead)
        ]
        lead = [max(round_them, key=geometry.area)] if round_them else lead
    return lead


def _without_overlaps(quads: Sequence[Floats]) -> list[Floats]:
    """The largest outlines first, without those that lie over one taken before."""
    largest = sorted(quads, key=geometry.area, reverse=True)
    return [largest[index] for index in geometry.apart(largest, 0.1)]


def _tiles(image: Image) -> list[Floats]:
    """Outlines of square and round tiles, which find_quads leaves out because it looks for cards; a round one
    is given by the square round it."""
    small, scale = shrunk(image, WORKING_SIDE)
    found = []
    for mask in binary_masks(small):
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            quad = _tile(cv2.convexHull(contour))
            if quad is not None:
                found.append(quad)
    return [geometry.to_original(quad, scale) for quad in merge_quads(found)]


def _tile(hull: Array) -> Floats | None:
    """The square round a hull that is nearly a square or a disc."""
    box = cv2.minAreaRect(hull)
    short, long = sorted(box[1])
    if short < 24 or long > 1.15 * short:
        return None
    fill = cv2.contourArea(hull) / (short * long)
    if fill > 0.9:
        return geometry.clockwise(cv2.boxPoints(box))
    if abs(fill - np.pi / 4) > 0.03 or len(hull) < 8:
        return None
    (x, y), (wide, high), _ = cv2.fitEllipse(hull)
    half = 0.25 * (wide + high)
    return np.asarray(geometry.UNIT * (2 * half) + np.array([x - half, y - half]), np.float32)


def _in_rows(outlines: Sequence[CardOutline]) -> list[CardOutline]:
    """Rows from the top, each from the left."""
    if not outlines:
        return []
    middles = [one.quad.mean(axis=0) for one in outlines]
    high = float(np.median([np.ptp(one.quad[:, 1]) for one in outlines]))
    rows: list[list[int]] = []
    for i in sorted(range(len(outlines)), key=lambda k: float(middles[k][1])):
        if rows and middles[i][1] - middles[rows[-1][0]][1] < 0.5 * high:
            rows[-1].append(i)
        else:
            rows.append([i])
    return [outlines[i] for row in rows for i in sorted(row, key=lambda k: float(middles[k][0]))]
