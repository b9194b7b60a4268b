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
    UNCHANGED,
    VALUES,
    SymbolPatch,
    TurnedLooks,
    to_affine,
)
from companion.vision.symbols.regions import INK_LEVELS, InkRegion

MARGIN_WIDE = 24
"""Pixels of white laid round the picture of a symbol."""
ROUND_SHARE, FIELD_RADIUS, PLAIN_SPREAD = 0.95, 0.84, 35.0
"""Share of its circle that a round tile fills; the share of its radius that is looked at; the grey levels by
which its ground may vary."""
MOST_SYMBOLS, LIGHT_PAPER, RECTANGLE = 0.7, 150, 0.94
"""Share of a deck's pictures that must show a symbol; the grey level of paper; the share of its bounding
rectangle that a card fills and a symbol does not."""


def describe(image: Image) -> Floats:
    """The largest symbol of a picture of it on white: (CHANNELS, RADII, ANGLES). Raises Unreadable for a
    picture without one."""
    lack, spot, _ = _symbol_region(image)
    return _polar_look(lack, spot)


def _polar_look(lack: Floats, spot: InkRegion) -> Floats:
    return np.asarray(patch_of(lack, spot).views(to_affine(UNCHANGED))[0], np.float32)


def patch_of(lack: Floats, spot: InkRegion) -> SymbolPatch:
    """What is compared of a place, by the ink (height, width, 3) of its picture."""
    return SymbolPatch.of(lack, spot.inside, spot.corner, spot.centre, spot.radius)


def _symbol_region(image: Image) -> tuple[Floats, InkRegion, bool]:
    """The ink of a picture on white (see _largest_symbol), its symbol, and whether it is round as a tile."""
    lack, inside = _largest_symbol(image)
    points = np.argwhere((inside > 0) & (lack.max(axis=2) > INK_LEVELS[0]))[:, ::-1]
    if len(points) < 3:
        raise Unreadable("deck.no_symbol")
    hull = cv2.convexHull(points.astype(np.int32))
    (x, y), radius = cv2.minEnclosingCircle(hull)
    return lack, InkRegion((x, y), radius, inside), cv2.contourArea(hull) > ROUND_SHARE * np.pi * radius**2


def _tile_region(image: Image) -> tuple[Floats, InkRegion] | None:
    """See coloured_tile: the tile of a picture on white, None if it shows none."""
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
    """What `pack_looks` was given, each look of length 1 again."""
    flat = looks.astype(np.float32) - 128.0
    flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6)
    return np.asarray(flat.reshape(len(looks), CHANNELS, RADII, ANGLES), np.float32)


def pairwise_fits(looks: Bytes) -> Floats:
    """How well each look fits each other one, whichever way it is turned: (n, n), at most 1."""
    unpacked = unpack_looks(looks)
    return np.asarray(TurnedLooks(unpacked).fits(unpacked).max(axis=2), np.float32)
