"""Symbols printed on light tiles: what is kept of one, and finding them again at any turn and size.

A symbol is what differs from the local light colour of its tile, so no outline of the tile is needed: tiles
that touch and tiles under hands are read as well. Each candidate is laid out in polar coordinates round the
middle of its hull; a Fourier transform over the angle then compares all rotations with all symbols at once.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.core.errors import Unreadable
from companion.vision.image.picture import Array, Bytes, Floats, Image, shrunk
from companion.vision.symbols.discs import TileCircle, find_tile_circles
from companion.vision.symbols.regions import (
    INK_LEVELS,
    InkRegion,
    find_regions,
    ink_of,
    paper_share_round,
)
from companion.vision.symbols.registration import (
    ANGLES,
    CHANNELS,
    RADII,
    UNCHANGED,
    VALUES,
    FirstMatch,
    SymbolPatch,
    SymbolTemplates,
    to_affine,
)
from companion.vision.symbols.slant import estimate_slant, remove_slant

LONGEST = 1600
MARGIN_WIDE = 24
"""Pixels of white laid round the picture of a symbol."""
ROUND_SHARE, FIELD_RADIUS, PLAIN_SPREAD = 0.95, 0.84, 35.0
"""Share of its circle that a round tile fills; the share of its radius that is looked at; the grey levels by
which its ground may vary."""
RIMS = (1.0, 0.96, 0.92)
"""The coloured field of a tile, as shares of the circle found: a tile may have a white rim."""
LARGEST_TILE = 72.0
"""Radius in pixels to which larger tiles are shrunk."""
CLEAR_PAPER = 0.65
"""Share of paper close round a candidate from which it is accepted as a symbol."""
CROWDED_PAPER, CROWDED_TOTAL = 0.5, 1.15
"""The same share for a symbol that its neighbours crowd, and what its fit and lead must come to then; twice
what is missing more where there is less paper: the squares of a checked cloth fit some symbols well."""
CROWDED_SCORE = 0.93
"""How well one must fit that its neighbours crowd."""
LEAST_SCORE, LEAST_MARGIN, LEAST_TOTAL = 0.78, 0.03, 0.88
"""How well a symbol must fit, by how much better than the next one, and what both must come to, to be
named."""
WEAK_SCORE_AND_TOTAL = (0.62, 0.92)
"""The fit, and what both must come to, of a symbol that fits less but that nothing else is like."""
PART_LEAD, WHOLE_SCORE = 0.2, 0.72
"""By how much better than a larger place round it a symbol must fit that is not a part of what lies there
(the hub of a wheel), if that place looks like a symbol this much."""
SETTLED = (0.88, 0.15, 1.2)
"""The fit and the lead of a symbol beside which nothing else at its place need be looked at that is no larger
than it, times this."""
WHOLE_MARGIN = 0.3
"""The lead of a symbol that is no part of a larger one, whatever that looks like."""
MOST_SYMBOLS, LIGHT_PAPER, RECTANGLE = 0.7, 150, 0.94
"""Share of a deck's pictures that must show a symbol; the grey level of paper; the share of its bounding
rectangle that a card fills and a symbol does not."""


@dataclass(frozen=True)
class SymbolMatch:
    """A symbol read in a picture: middle and radius of its hull in pixels, its turn in degrees. `clear` is
    the share of paper close round it: almost nothing for the figures of a patterned table."""

    label: str
    score: float
    margin: float
    centre: tuple[float, float]
    radius: float
    degrees: float
    clear: float = 1.0


def describe(image: Image) -> Floats:
    """The largest symbol of a picture of it on white: (CHANNELS, RADII, ANGLES). Raises Unreadable for a
    picture without one."""
    lack, spot, _ = _symbol_region(image)
    return _polar_look(lack, spot)


def _polar_look(lack: Floats, spot: InkRegion) -> Floats:
    look = _patch(lack, spot).views(to_affine(UNCHANGED))[0]
    return np.asarray(look.reshape(CHANNELS, RADII, ANGLES), np.float32)


def _patch(lack: Floats, spot: InkRegion) -> SymbolPatch:
    return SymbolPatch.of(lack, spot.inside, spot.corner, spot.centre, spot.radius)


def _symbol_region(image: Image) -> tuple[Floats, InkRegion, bool]:
    """The ink of a picture on white (see _largest), its symbol, and whether that is as round as a tile."""
    lack, inside = _largest_symbol(image)
    points = np.argwhere((inside > 0) & (lack.max(axis=2) > INK_LEVELS[0]))[:, ::-1]
    if len(points) < 3:
        raise Unreadable("deck.no_symbol")
    hull = cv2.convexHull(points.astype(np.int32))
    (x, y), radius = cv2.minEnclosingCircle(hull)
    return lack, InkRegion((x, y), radius, inside), cv2.contourArea(hull) > ROUND_SHARE * np.pi * radius**2


def _tile_region(image: Image) -> tuple[Floats, InkRegion] | None:
    """See coloured: the tile of a picture on white, None if it shows none."""
    _, spot, is_round = _symbol_region(image)
    if not is_round:
        return None
    middle = (spot.centre[0] - MARGIN_WIDE, spot.centre[1] - MARGIN_WIDE)
    return coloured_tile(shrunk(image, 240)[0], middle, spot.radius)


def coloured_tile(
    image: Image, centre: tuple[float, float], radius: float
) -> tuple[Floats, InkRegion] | None:
    """A round tile of a colour of its own: what is on it as ink on that colour, and where it is looked at.
    None if most of it, its centre apart, is of no one light colour."""
    left, top = (max(0, int(v - radius)) for v in centre)
    cut = image[top : int(centre[1] + radius) + 2, left : int(centre[0] + radius) + 2].astype(np.float32)
    if min(cut.shape[:2]) < radius:
        return None
    rows, columns = np.mgrid[: cut.shape[0], : cut.shape[1]]
    middle = (centre[0] - left, centre[1] - top)
    away = np.hypot(columns - middle[0], rows - middle[1]) / radius
    field = cut[(away > 0.6) & (away < 0.88)]
    ground = np.median(field, axis=0)
    plain = float((np.abs(field - ground).max(axis=1) < PLAIN_SPREAD).mean())
    if ground.max() < 60 or plain < 0.4:
        return None
    lack = np.asarray(np.clip(1.0 - cut / np.maximum(ground, 20.0) - 0.1, 0, 1), np.float32)
    return lack, InkRegion(middle, FIELD_RADIUS * radius, (away < 0.92).astype(np.float32))


def _largest_symbol(image: Image) -> tuple[Floats, Array]:
    """The ink of a picture on white, shrunk and given a margin, and a mask of its symbol: without what was
    cut off from a neighbour and without a ring round all of it."""
    picture = cv2.copyMakeBorder(
        shrunk(image, 240)[0],
        MARGIN_WIDE,
        MARGIN_WIDE,
        MARGIN_WIDE,
        MARGIN_WIDE,
        cv2.BORDER_CONSTANT,
        value=(250, 250, 250),
    )
    lack = np.asarray(np.clip(1.0 - picture / 250.0 - 0.03, 0, 1), np.float32)
    mask = (lack.max(axis=2) > INK_LEVELS[0]).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(mask, np.ones((9, 9), np.uint8)))
    inside = np.zeros(mask.shape, np.float32)
    if count == 1:
        return lack, inside
    most = 1 + int(stats[1:, 4].argmax())
    core = stats[most]
    for index in range(1, count):
        left, top, wide, high, area = (int(v) for v in stats[index])
        cut = left < 25 or top < 25 or left + wide > mask.shape[1] - 25 or top + high > mask.shape[0] - 25
        ring = left < core[0] and top < core[1] and left + wide > core[0] + core[2]
        ring = ring and top + high > core[1] + core[3]
        if index == most or not (ring or (cut and area < 0.1 * core[4])):
            inside[labels == index] = 1
    return lack, inside


def are_symbols(images: Sequence[Image]) -> bool:
    """True if most of the pictures show a symbol on white paper (or on nothing) and not a card.

    Pictures that all have the same oblong shape are crops of cards, be they as white as a playing card's ace.
    """
    shapes = np.log([image.shape[0] / image.shape[1] for image in images])
    if len(images) > 2 and np.ptp(shapes) < 0.04 and abs(float(shapes.mean())) > 0.15:
        return False
    return sum(_is_symbol(image) for image in images) >= MOST_SYMBOLS * len(images)


def _is_symbol(image: Image) -> bool:
    """True for one body of ink that fills no rectangle, with light paper of one colour all round."""
    wide = max(2, round(0.02 * min(image.shape[:2])))
    rim = np.concatenate(
        [image[:wide].reshape(-1, 3), image[-wide:].reshape(-1, 3), image[:, :wide].reshape(-1, 3),
         image[:, -wide:].reshape(-1, 3)]
    ).astype(np.float32)  # fmt: skip
    paper = np.median(rim, axis=0)
    if paper.min() < LIGHT_PAPER or np.mean(np.abs(rim - paper).max(axis=1) < 40) < 0.75:
        return False
    lack, inside = _largest_symbol(np.asarray(np.clip(image * (250.0 / paper), 0, 255), np.uint8))
    mask = lack.max(axis=2) > INK_LEVELS[0]
    own = (inside > 0) & mask
    _, _, stats, _ = cv2.connectedComponentsWithStats(
        cv2.dilate(own.astype(np.uint8), np.ones((9, 9), np.uint8))
    )
    if own.sum() < 40 or own.sum() < 0.8 * mask.sum() or stats[1:, 4].max() < 0.6 * stats[1:, 4].sum():
        return False
    hull = cv2.convexHull(np.argwhere(own)[:, ::-1].astype(np.int32))
    (_, (across, down), _) = cv2.minAreaRect(hull)
    return cv2.contourArea(hull) < RECTANGLE * across * down


def learn_symbols(images: Sequence[Image]) -> Bytes:
    """The looks (n, VALUES) of symbols, one in each picture; if most show round tiles of one colour each,
    of what is on these. Raises Unreadable for a picture without a symbol."""
    tiles = [_tile_region(image) for image in images]
    if sum(tile is not None for tile in tiles) < MOST_SYMBOLS * len(images):
        tiles = [None] * len(images)
    looks = [
        describe(image) if tile is None else _polar_look(*tile)
        for image, tile in zip(images, tiles, strict=True)
    ]
    return pack_looks(np.stack(looks))


def pack_looks(looks: Floats) -> Bytes:
    """Looks (n, CHANNELS, RADII, ANGLES) as a deck keeps them: (n, VALUES), 128 for nothing."""
    flat = looks.reshape(len(looks), VALUES)
    most = np.maximum(np.abs(flat).max(axis=1, keepdims=True), 1e-6)
    return np.asarray(np.round(flat / most * 127.0) + 128.0, np.uint8)


def unpack_looks(looks: Bytes) -> Floats:
    """What `packed` was given, each look of length 1 again."""
    flat = looks.astype(np.float32) - 128.0
    flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6)
    return np.asarray(flat.reshape(len(looks), CHANNELS, RADII, ANGLES), np.float32)


def pairwise_fits(looks: Bytes) -> Floats:
    """How well each look fits each other one, whichever way it is turned: (n, n), at most 1."""
    return SymbolTemplates([str(n) for n in range(len(looks))], unpack_looks(looks)).pairwise_fits()


@dataclass(frozen=True)
class SymbolPicture:
    """A picture ready for reading: `picture`, shrunk and without the slant of its tiles; the matrix (2, 3)
    that brings points of it `back` to the picture as given; what the looks are compared with, and each place
    that may be a symbol with its share of paper round it, cut out, and its descriptor."""

    picture: Image
    back: Floats
    album: SymbolTemplates
    places: tuple[tuple[InkRegion, float, SymbolPatch, FirstMatch], ...]

    def to_original(self, centre: tuple[float, float], radius: float) -> tuple[tuple[float, float], float]:
        """The middle and the radius of a circle in the picture as given."""
        x, y = self.back[:, :2] @ np.array(centre) + self.back[:, 2]
        return (float(x), float(y)), radius * float(np.sqrt(abs(np.linalg.det(self.back[:, :2]))))

    def original_match(self, one: SymbolMatch) -> SymbolMatch:
        """A reading of this picture as one of the picture as given."""
        centre, radius = self.to_original(one.centre, one.radius)
        turn = np.radians(one.degrees)
        right, down = self.back[:, :2] @ np.array([np.cos(turn), np.sin(turn)])
        degrees = float(np.degrees(np.arctan2(down, right))) % 360.0
        return dataclasses.replace(one, centre=centre, radius=radius, degrees=degrees)

    def original_circle(self, one: TileCircle) -> TileCircle:
        """An outline in this picture as one in the picture as given."""
        return TileCircle(*self.to_original(one.centre, one.radius), one.seen)


def prepare_picture(image: Image, labels: Sequence[str], looks: Floats) -> SymbolPicture:
    """What is to be read in a picture, by looks (n, CHANNELS, RADII, ANGLES) with one label each."""
    small, scale = shrunk(image, LONGEST)
    album = SymbolTemplates(labels, looks)
    places = _places(small, album)
    back = np.array([[1 / scale, 0, 0.5 / scale - 0.5], [0, 1 / scale, 0.5 / scale - 0.5]])
    lying = estimate_slant(
        album, [(spot, patch, glance) for spot, clear, patch, glance in places if clear > CLEAR_PAPER]
    )
    if lying is not None:
        small, matrix = remove_slant(small, *lying)
        places = _places(small, album)
        back = back[:, :2] @ matrix + np.column_stack([np.zeros((2, 2)), back[:, 2]])
    return SymbolPicture(small, np.asarray(back, np.float32), album, tuple(places))


def _places(image: Image, album: SymbolTemplates) -> list[tuple[InkRegion, float, SymbolPatch, FirstMatch]]:
    lack = ink_of(image)
    match = [(spot, paper_share_round(lack, spot)) for spot in find_regions(lack)]
    spots = [(spot, clear, _patch(lack, spot)) for spot, clear in match if clear >= CROWDED_PAPER - 0.1]
    return [(spot, clear, patch, album.first_match(patch)) for spot, clear, patch in spots]


def find_symbols(image: Image, labels: Sequence[str], looks: Floats) -> list[SymbolMatch]:
    """The symbols in a picture whose enrolled looks are (n, CHANNELS, RADII, ANGLES), one label each."""
    ready = prepare_picture(image, labels, looks)
    return [
        ready.original_match(one)
        for one in accept_matches(match_places(ready, find_tile_circles(ready.picture)[0]))
    ]


def match_places(ready: SymbolPicture, discs: Sequence[TileCircle]) -> list[SymbolMatch]:
    """Every place that may be a symbol with the one that fits it best, however badly. Places overlap; `discs`
    are the outlines of round tiles. All are places of the scene's own picture."""
    found: list[SymbolMatch] = []
    settled: list[SymbolMatch] = []
    for spot, clear, patch, glance in sorted(ready.places, key=lambda place: -float(place[3].best.max())):
        if any(_contains_candidate(one, spot) for one in settled):
            continue
        fit = ready.album.best(patch, glance)
        found.append(
            SymbolMatch(fit.label, fit.score, fit.margin, spot.centre, spot.radius, fit.degrees, clear)
        )
        if fit.score > SETTLED[0] and fit.margin > SETTLED[1] and clear > CLEAR_PAPER:
            settled.append(found[-1])
    return found + _on_tiles(ready.picture, ready.album, discs)


def _contains_candidate(one: SymbolMatch, spot: InkRegion) -> bool:
    """Whether a place is on an accepted symbol and hardly larger."""
    away = math.dist(one.centre, spot.centre)
    return spot.radius < SETTLED[2] * one.radius and away <= 0.6 * one.radius


def _on_tiles(image: Image, album: SymbolTemplates, discs: Sequence[TileCircle]) -> list[SymbolMatch]:
    """What is on each round tile of one colour; a disc that has none gives nothing."""
    found = []
    for disc in discs:
        for radius in (rim * disc.radius for rim in RIMS):
            field = coloured_tile(*_cut_round(image, disc.centre, radius))
            if field is None:
                continue
            fit = album.best(_patch(*field))
            found.append(SymbolMatch(fit.label, fit.score, fit.margin, disc.centre, radius, fit.degrees))
    return found


def _cut_round(
    image: Image, centre: tuple[float, float], radius: float
) -> tuple[Image, tuple[float, float], float]:
    """What of a picture lies round a circle, no larger than LARGEST_TILE in radius, and the circle in it."""
    left, top = (max(0, int(v - 1.1 * radius)) for v in centre)
    cut = image[top : int(centre[1] + 1.1 * radius) + 2, left : int(centre[0] + 1.1 * radius) + 2]
    share = min(1.0, LARGEST_TILE / radius)
    if share < 1.0 and min(cut.shape[:2]) > radius:
        cut = np.asarray(cv2.resize(cut, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8)
    x, y = (share * (at - low + 0.5) - 0.5 for at, low in zip(centre, (left, top), strict=True))
    return cut, (x, y), share * radius


def accept_matches(found: Sequence[SymbolMatch]) -> list[SymbolMatch]:
    """Those that are sure, one a place."""
    larger = [one for one in found if one.score > WHOLE_SCORE and one.clear > CLEAR_PAPER]
    sure = [one for one in found if _is_accepted(one) and not any(_is_part(one, other) for other in larger)]
    chosen: list[SymbolMatch] = []
    for one in sorted(sure, key=lambda f: -(f.score - 0.6) * f.radius**0.5):
        if not any(overlap(one, other) for other in chosen):
            chosen.append(one)
    return chosen


def _is_part(one: SymbolMatch, other: SymbolMatch) -> bool:
    """Whether a place lies within a larger one that may well be a symbol."""
    away = np.hypot(one.centre[0] - other.centre[0], one.centre[1] - other.centre[1])
    within = other.radius > 1.4 * one.radius and away + one.radius < 1.1 * other.radius
    return bool(within and one.score < other.score + PART_LEAD and one.margin < WHOLE_MARGIN)


def _is_accepted(one: SymbolMatch) -> bool:
    both = one.score + one.margin
    if one.clear <= CLEAR_PAPER:
        return one.score > CROWDED_SCORE and both > CROWDED_TOTAL + 2 * max(0.0, CROWDED_PAPER - one.clear)
    score, together = (LEAST_SCORE, LEAST_TOTAL) if one.score > LEAST_SCORE else WEAK_SCORE_AND_TOTAL
    return one.score > score and one.margin > LEAST_MARGIN and both > together


def overlap(one: SymbolMatch, other: SymbolMatch) -> bool:
    """Whether two places are so near each other that only one of them can be right."""
    away = np.hypot(one.centre[0] - other.centre[0], one.centre[1] - other.centre[1])
    return bool(away <= 0.6 * max(one.radius, other.radius))
