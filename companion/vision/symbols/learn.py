"""Learns symbols from pictures of them on white, or of the round tiles on which they are printed."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.core.errors import Unreadable
from companion.vision.image.picture import Array, Bytes, Floats, Image, shrunk
from companion.vision.symbols.polar import (
    ANGLES,
    CHANNELS,
    RADII,
    VALUES,
    SymbolPatch,
    TurnedLooks,
)
from companion.vision.symbols.regions import INK_LEVELS, InkRegion

PICTURE_SIDE = 240
"""Pixels of the longer side to which pictures of symbols are shrunk."""
MARGIN = 24
"""Pixels of white laid round the picture of a symbol."""
ROUND_SHARE = 0.95
"""Share of its circle that a round tile fills."""
FIELD_RADIUS = 0.84
"""Share of a tile's radius that is compared: what is further out may be a rim."""
PLAIN_SPREAD = 35.0
"""Grey levels by which the ground of a coloured tile may vary."""
MOST_SYMBOLS = 0.7
"""Share of a deck's pictures that must show a symbol, or a round tile, for the deck to be one of those."""
RECTANGLE = 0.94
"""Share of its bounding rectangle that a card fills and a symbol does not."""


def describe(image: Image) -> Floats:
    """The look (CHANNELS, RADII, ANGLES) of the largest symbol of a picture of it on white. Raises Unreadable
    for a picture without one."""
    ink, region, _ = _symbol_region(image)
    return np.asarray(SymbolPatch.of(ink, region).views()[0])


def _symbol_region(image: Image) -> tuple[Floats, InkRegion, bool]:
    """The ink of a picture on white (see _largest_symbol), its symbol, and whether that is as round as a
    tile."""
    ink, inside = _largest_symbol(image)
    points = np.argwhere((inside > 0) & (ink.max(axis=2) > INK_LEVELS[0]))[:, ::-1]
    if len(points) < 3:
        raise Unreadable("deck.no_symbol")
    hull = cv2.convexHull(points.astype(np.int32))
    (x, y), radius = cv2.minEnclosingCircle(hull)
    return ink, InkRegion((x, y), radius, inside), cv2.contourArea(hull) > ROUND_SHARE * np.pi * radius**2


def _tile_region(image: Image) -> tuple[Floats, InkRegion] | None:
    """The coloured round tile of a picture on white (see coloured_tile); None if it shows none."""
    _, region, is_round = _symbol_region(image)
    if not is_round:
        return None
    middle = (region.centre[0] - MARGIN, region.centre[1] - MARGIN)
    return coloured_tile(shrunk(image, PICTURE_SIDE)[0], middle, region.radius)


def coloured_tile(
    image: Image, centre: tuple[float, float], radius: float
) -> tuple[Floats, InkRegion] | None:
    """What is printed on a round tile of a colour of its own, as ink on that colour: the ink round the tile
    and the region of it that is compared. None if most of the tile, its centre apart, is of no one light
    colour."""
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
    ink = np.asarray(np.clip(1.0 - cut / np.maximum(ground, 20.0) - 0.1, 0, 1), np.float32)
    return ink, InkRegion(middle, FIELD_RADIUS * radius, (away < 0.92).astype(np.float32))


def _largest_symbol(image: Image) -> tuple[Floats, Array]:
    """The ink of a picture on white, shrunk and given a margin, and a mask of its symbol: all ink but what
    was cut off from a neighbour, which is small and lies at the picture's edge."""
    small = shrunk(image, PICTURE_SIDE)[0]
    around = [(MARGIN, MARGIN), (MARGIN, MARGIN), (0, 0)]
    picture = np.pad(small, around, constant_values=250)
    ink = np.asarray(np.clip(1.0 - picture / 250.0 - 0.03, 0, 1), np.float32)
    mask = (ink.max(axis=2) > INK_LEVELS[0]).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(mask, np.ones((9, 9), np.uint8)))
    inside = np.zeros(mask.shape, np.float32)
    largest = int(stats[1:, cv2.CC_STAT_AREA].max(initial=0))
    for index in range(1, count):
        left, top, wide, high, area = (int(v) for v in stats[index])
        right, bottom = mask.shape[1] - left - wide, mask.shape[0] - top - high
        if min(left, top, right, bottom) > MARGIN or area >= 0.1 * largest:
            inside[labels == index] = 1
    return ink, inside


def are_symbols(images: Sequence[Image]) -> bool:
    """True if most of the pictures show a symbol on white paper (or on nothing) and not a card.

    Pictures that all have the same oblong shape are crops of cards, be they as white as a playing card's ace.
    """
    shapes = np.log([image.shape[0] / image.shape[1] for image in images])
    if len(images) > 2 and np.ptp(shapes) < 0.04 and abs(float(shapes.mean())) > 0.15:
        return False
    return sum(_is_symbol(image) for image in images) >= MOST_SYMBOLS * len(images)


def _is_symbol(image: Image) -> bool:
    """Whether a picture shows one body of ink, on the colour of its rim, that fills no rectangle."""
    wide = max(2, round(0.02 * min(image.shape[:2])))
    sides = (image[:wide], image[-wide:], image[:, :wide], image[:, -wide:])
    paper = np.median(np.concatenate([side.reshape(-1, 3) for side in sides]), axis=0)
    on_white = image * (250.0 / np.maximum(paper, 1.0))
    ink, inside = _largest_symbol(np.asarray(np.clip(on_white, 0, 255), np.uint8))
    own = (inside > 0) & (ink.max(axis=2) > INK_LEVELS[0])
    _, _, stats, _ = cv2.connectedComponentsWithStats(
        cv2.dilate(own.astype(np.uint8), np.ones((9, 9), np.uint8))
    )
    areas = stats[1:, cv2.CC_STAT_AREA]
    if not len(areas) or areas.max() < 0.6 * areas.sum():
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
        describe(image) if tile is None else SymbolPatch.of(*tile).views()[0]
        for image, tile in zip(images, tiles, strict=True)
    ]
    return pack_looks(np.stack(looks))


def pack_looks(looks: Floats) -> Bytes:
    """Looks (n, CHANNELS, RADII, ANGLES) as a deck keeps them: (n, VALUES), 128 for nothing."""
    flat = looks.reshape(len(looks), VALUES)
    most = np.maximum(np.abs(flat).max(axis=1, keepdims=True), 1e-6)
    return np.asarray(np.round(flat / most * 127.0) + 128.0, np.uint8)


def unpack_looks(looks: Bytes) -> Floats:
    """What `pack_looks` was given, each look of length 1 again."""
    flat = looks.astype(np.float32) - 128.0
    flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6)
    return np.asarray(flat.reshape(len(looks), CHANNELS, RADII, ANGLES), np.float32)


def pairwise_fits(looks: Bytes) -> Floats:
    """How well each look fits each other one, whichever way it is turned: (n, n), at most 1."""
    unpacked = unpack_looks(looks)
    return np.asarray(TurnedLooks(unpacked).fits(unpacked).max(axis=2), np.float32)
