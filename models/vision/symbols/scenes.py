"""Decks of symbols, and photographs of their tiles: what the symbol network learns from.

A deck is of pictograms of typefaces, in flat colours or as thin lines, of clip art, or of both; some of its
symbols differ from another one by their colours alone. It is enrolled in one printing and photographed in
another: bent a little, thicker or thinner, in other ink."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont

from companion.art.scene.hand import DENSITY, hand
from companion.art.scene.light import photographed, random_conditions
from companion.art.scene.tables import TABLES, table
from companion.vision.image.picture import Array, Floats, Image

Rng = np.random.Generator
SIDE, DISC = 200, 560
"""Pixels of a symbol's picture, and of a tile's."""
WIDTH, HEIGHT = 1280, 960
"""Pixels of a photograph."""
PICTOGRAMS = (range(0x1F300, 0x1F700), range(0xF000, 0xF2E0))
"""Code points of the pictograms. Signs of older blocks (U+2190 to U+27BF) are for measuring."""
TRIES = 1000
"""Code points that are tried for each pictogram: one in ten is left out, and typefaces lack many."""
LEAST_INK = 0.04
"""Share of a symbol's picture that is ink at least."""
DECK = (24, 57)
"""Fewest and most symbols of a deck."""
RECOLOURED = 0.12
"""Share of a deck's symbols that are another one in other colours."""


@dataclass(frozen=True, eq=False)
class SymbolScene:
    """A photograph, the middle (x, y) and radius of every symbol on it, the symbol's number in the deck, and
    the share of it that is not under a hand or beyond the picture's edge."""

    image: Image
    circles: Floats
    symbols: Array
    shown: Floats


def pictograms(faces: Sequence[Path], rng: Rng, count: int, *, left_out: bool) -> list[Image]:
    """Pictograms (SIDE, SIDE, 3) on white, in colours at random; each tenth code point is left out of
    training."""
    found: list[Image] = []
    fonts = [ImageFont.truetype(str(face), round(SIDE * 0.7)) for face in faces]
    missing = [bytes(font.getmask("\U000f1234")) for font in fonts]
    for _ in range(TRIES * count):
        at = int(rng.integers(len(fonts)))
        block = PICTOGRAMS[int(rng.integers(len(PICTOGRAMS)))]
        code = int(rng.integers(block.start, block.stop))
        mask = fonts[at].getmask(chr(code))
        if (code % 10 == 0) is not left_out or not mask.size[0] or bytes(mask) == missing[at]:
            continue
        sheet = PillowImage.new("L", (SIDE, SIDE), 0)
        ImageDraw.Draw(sheet).text((SIDE / 2, SIDE / 2), chr(code), font=fonts[at], fill=255, anchor="mm")
        ink = np.asarray(sheet, np.float32) / 255
        if ink.mean() > LEAST_INK:
            found.append(_inked(ink, rng))
        if len(found) == count:
            return found
    raise ValueError("the typefaces have too few pictograms")


def _inked(ink: Floats, rng: Rng) -> Image:
    """Ink (SIDE, SIDE) on white: black, pale, of one colour, or lines round a field of another colour."""
    kind = rng.random()
    colour = rng.uniform(0, 235, 3)
    if kind < 0.3:
        colour = rng.uniform(10, 50) * np.ones(3)
    elif kind < 0.45:
        colour = rng.uniform(130, 235, 3)
    paper = np.full((SIDE, SIDE, 3), 255.0)
    if kind > 0.75:
        closed = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((25, 25), np.uint8))[..., None]
        paper = paper * (1 - closed) + rng.uniform(60, 250, 3) * closed
    return np.asarray(paper * (1 - ink[..., None]) + colour * ink[..., None], np.uint8)


def clip_art(stamp: Image) -> Image:
    """A thing on a transparent ground (n, n, 4) as a picture on white."""
    share = stamp[..., 3:].astype(np.float32) / 255
    white = np.asarray(stamp[..., :3] * share + 255 * (1 - share), np.uint8)
    margin = SIDE // 10
    small = cv2.resize(white, (SIDE - 2 * margin, SIDE - 2 * margin), interpolation=cv2.INTER_AREA)
    return np.asarray(
        cv2.copyMakeBorder(small, *[margin] * 4, cv2.BORDER_CONSTANT, value=(255, 255, 255)), np.uint8
    )


def deck(faces: Sequence[Path], stamps: Sequence[Image], rng: Rng, *, left_out: bool) -> list[Image]:
    """The symbols of a deck as they are printed, each on white."""
    count = int(rng.integers(DECK[0], DECK[1] + 1))
    art = 0 if rng.random() < 0.3 else round(count * float(rng.uniform(0.1, 1.0)))
    usable = [one for at, one in enumerate(stamps) if (at % 10 == 0) is left_out]
    chosen = [usable[int(i)] for i in rng.choice(len(usable), min(art, len(usable)), replace=False)]
    found = [clip_art(one) for one in chosen]
    if len(found) < count:
        found += pictograms(faces, rng, count - len(found), left_out=left_out)
    for at in range(1, len(found)):
        if rng.random() < RECOLOURED:
            found[at] = recoloured(found[int(rng.integers(at))], rng)
    return found


def recoloured(symbol: Image, rng: Rng) -> Image:
    """The symbol with other hues and other light."""
    hsv = cv2.cvtColor(symbol.astype(np.float32) / 255, cv2.COLOR_BGR2HSV)
    hsv[..., 0] = (hsv[..., 0] + rng.uniform(60, 300)) % 360
    ink = 1 - cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)
    ink = np.clip(ink * rng.uniform(0.5, 1.5) * rng.uniform(0.5, 1.3, 3), 0, 0.95)
    return np.asarray(255 * (1 - ink), np.uint8)


def printed(symbol: Image, rng: Rng) -> Image:
    """The symbol in another printing."""
    strength = rng.uniform(0.2, 1.3)
    size = symbol.shape[0]
    bend = cv2.resize(
        rng.normal(0, 0.012 * size * strength, (5, 5, 2)), (size, size), interpolation=cv2.INTER_CUBIC
    )
    matrix = np.eye(2) + rng.normal(0, 0.02 * strength, (2, 2))
    y, x = np.mgrid[0:size, 0:size].astype(np.float32) - size / 2
    u = matrix[0, 0] * x + matrix[0, 1] * y + size / 2 + bend[..., 0]
    v = matrix[1, 0] * x + matrix[1, 1] * y + size / 2 + bend[..., 1]
    bent = cv2.remap(
        symbol, u.astype(np.float32), v.astype(np.float32), cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT, borderValue=(255, 255, 255),
    )  # fmt: skip
    weight = rng.normal(0, strength)
    if abs(weight) > 0.7:
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
        bent = cv2.erode(bent, kernel) if weight > 0 else cv2.dilate(bent, kernel)
    ink = 1 - bent.astype(np.float32) / 255
    ink *= rng.uniform(1 - 0.25 * strength, 1 + 0.1 * strength) * rng.uniform(1 - 0.12 * strength, 1, 3)
    return np.asarray(255 * (1 - np.clip(ink, 0, 1)), np.uint8)


def scanned(symbol: Image, rng: Rng) -> Image:
    """The symbol as it is enrolled: cut out, of some size, on paper that is nearly white."""
    ys, xs = np.nonzero(symbol.min(axis=2) < 235)
    margin = int(rng.integers(3, 14))
    cut = symbol[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    cut = cv2.copyMakeBorder(cut, *[margin] * 4, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    size = float(rng.uniform(0.6, 1.2))
    cut = cv2.resize(cut, None, fx=size, fy=size, interpolation=cv2.INTER_AREA)
    cut = cv2.GaussianBlur(cut, (0, 0), float(rng.uniform(0.3, 0.9)))
    noisy = cut * rng.uniform(0.93, 1.0, 3) + rng.normal(0, rng.uniform(0, 4), cut.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def tile(prints: Sequence[Image], chosen: Sequence[int], rng: Rng) -> tuple[Image, Floats]:
    """A tile (DISC, DISC, 3) with these symbols, each turned and of a size of its own, and their circles (n,
    3: x, y, radius); the radius of one that found no room is 0. One symbol alone fills most of it."""
    paper = np.full((DISC, DISC, 3), rng.uniform(235, 255), np.float32)
    circles = np.zeros((len(chosen), 3), np.float32)
    sizes = np.sort(rng.uniform(0.1, 0.24, len(chosen)))[::-1] * DISC
    if len(chosen) == 1:
        sizes = np.array([rng.uniform(0.3, 0.42) * DISC])
    for at, (which, radius) in enumerate(zip(chosen, sizes.tolist(), strict=True)):
        hull = _hull_of(prints[which])
        (x, y), own = cv2.minEnclosingCircle(hull)
        for _ in range(80):
            radius *= 0.99
            away = (DISC / 2 - radius - 8) * np.sqrt(rng.random()) * (0.2 if len(chosen) == 1 else 1.0)
            turn = rng.uniform(0, 2 * np.pi)
            middle = DISC / 2 + away * np.array([np.cos(turn), np.sin(turn)])
            taken = circles[:at]
            if np.all(np.hypot(*(taken[:, :2] - middle).T) > 0.9 * (taken[:, 2] + radius)):
                break
        else:
            continue
        matrix = cv2.getRotationMatrix2D((x, y), float(rng.uniform(0, 360)), radius / own)
        matrix[:, 2] += middle - (x, y)
        soft = cv2.GaussianBlur(prints[which], (0, 0), max(0.3, 0.4 * own / radius))
        paper *= cv2.warpAffine(soft, matrix, (DISC, DISC), borderValue=(255, 255, 255)) / np.float32(255)
        circles[at] = (*middle, radius)
    return np.asarray(paper, np.uint8), circles


def _hull_of(symbol: Image) -> Array:
    points = np.argwhere(symbol.min(axis=2) < 235)[:, ::-1]
    return np.asarray(cv2.convexHull(points.astype(np.float32)))


def photograph(prints: Sequence[Image], rng: Rng) -> SymbolScene:
    """Tiles on a table, seen at a slant, some under a hand."""
    conditions = random_conditions(rng, float(rng.uniform(0.2, 0.9)))
    canvas = table(list(TABLES)[int(rng.integers(len(TABLES)))], WIDTH, HEIGHT, 2.0, rng).astype(np.float32)
    single = rng.random() < 0.25
    count = int(rng.integers(6, 13)) if single else int(rng.integers(2, 6))
    wide = float(rng.uniform(0.75, 0.95)) * min(0.75 * HEIGHT, WIDTH / count**0.72)
    whole = _slanted(rng)
    circles, symbols = [], []
    for middle in _places(count, wide, rng):
        chosen = rng.choice(len(prints), 1 if single else min(8, len(prints)), replace=False).tolist()
        picture, own = tile(prints, chosen, rng)
        if single and rng.random() < 0.6:
            picture = np.asarray(picture * rng.uniform(0.35, 1.0, 3), np.uint8)
        matrix = whole @ _laid(middle, wide, rng)
        _cover(canvas, picture, matrix)
        for which, (x, y, radius) in zip(chosen, own.tolist(), strict=True):
            if radius:
                circles.append(_moved(matrix, x, y, radius))
                symbols.append(which)
    covered = np.zeros((HEIGHT, WIDTH), np.uint8)
    for _ in range(int(rng.choice([0, 1, 2], p=[0.5, 0.35, 0.15]))):
        _hand(canvas, covered, rng)
    image = photographed(canvas, conditions, rng)
    found = np.array(circles, np.float32).reshape(-1, 3)
    shown = np.array([_shown(one, covered) for one in found], np.float32)
    return SymbolScene(np.asarray(image, np.uint8), found, np.array(symbols, int), shown)


def _slanted(rng: Rng) -> Array:
    """How the camera sees the table: from above, or at up to 45 degrees from any side."""
    angle = 0.0 if rng.random() < 0.4 else rng.uniform(0, np.radians(45))
    turn = rng.uniform(0, 2 * np.pi)
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    centre = np.array([[1, 0, -WIDTH / 2], [0, 1, -HEIGHT / 2], [0, 0, 1.0]])
    tilt = np.array([[1, 0, 0], [0, np.cos(angle), 0], [0, np.sin(angle) / (2.2 * WIDTH), 1]])
    return np.asarray(np.linalg.inv(centre) @ spin.T @ tilt @ spin @ centre)


def _laid(middle: Floats, wide: float, rng: Rng) -> Array:
    """How a tile lies: turned, its middle there."""
    turn, size = rng.uniform(0, 2 * np.pi), wide / DISC
    cos, sin = size * np.cos(turn), size * np.sin(turn)
    half = DISC / 2
    return np.array(
        [
            [cos, -sin, middle[0] - half * (cos - sin)],
            [sin, cos, middle[1] - half * (sin + cos)],
            [0, 0, 1],
        ]
    )


def _places(count: int, wide: float, rng: Rng) -> list[Floats]:
    """Middles of tiles, some of which touch."""
    places: list[Floats] = []
    for _ in range(600):
        if len(places) == count:
            break
        at = rng.uniform((0.45 * wide, 0.45 * wide), (WIDTH - 0.45 * wide, HEIGHT - 0.45 * wide))
        if places and rng.random() < 0.5:
            turn = rng.uniform(0, 2 * np.pi)
            at = places[-1] + np.array([np.cos(turn), np.sin(turn)]) * wide * 1.01
        inside = (at > 0.4 * wide).all() and at[0] < WIDTH - 0.4 * wide and at[1] < HEIGHT - 0.4 * wide
        if inside and all(np.linalg.norm(at - other) > 0.99 * wide for other in places):
            places.append(np.asarray(at, np.float32))
    return places


def _cover(canvas: Floats, picture: Image, matrix: Array) -> None:
    """Lays a tile and its shadow into the canvas, in place."""
    cover = np.zeros((DISC, DISC), np.uint8)
    cv2.circle(cover, (DISC // 2, DISC // 2), DISC // 2 - 3, 255, -1, cv2.LINE_AA)
    size = (WIDTH, HEIGHT)
    share = cv2.warpPerspective(cover, matrix, size).astype(np.float32)[..., None] / 255
    scale = float(np.sqrt(abs(np.linalg.det(matrix[:2, :2]))))
    soft = cv2.GaussianBlur(picture, (0, 0), max(0.3, 0.4 / scale))
    shade = cv2.GaussianBlur(np.roll(share[..., 0], (3, 3), axis=(0, 1)), (0, 0), 4)[..., None]
    canvas *= 1 - 0.3 * shade * (1 - share)
    canvas += (cv2.warpPerspective(soft, matrix, size, borderMode=cv2.BORDER_REPLICATE) - canvas) * share


def _hand(canvas: Floats, covered: Image, rng: Rng) -> None:
    """A hand from an edge of the picture, in place."""
    arm = hand(rng)
    turn, size = rng.uniform(0, 2 * np.pi), rng.uniform(1.4, 2.6) / DENSITY
    cos, sin = np.cos(turn) * size, np.sin(turn) * size
    tip = rng.uniform((0.2 * WIDTH, 0.2 * HEIGHT), (0.8 * WIDTH, 0.8 * HEIGHT))
    width = arm.cover.shape[1]
    matrix = np.array([[cos, -sin, tip[0] - cos * width / 2], [sin, cos, tip[1] - sin * width / 2]])
    cover = cv2.warpAffine(arm.cover, matrix, (WIDTH, HEIGHT))
    share = cover.astype(np.float32)[..., None] / 255
    canvas += (cv2.warpAffine(arm.colour, matrix, (WIDTH, HEIGHT)) - canvas) * share
    np.maximum(covered, cover, out=covered)


def _moved(matrix: Array, x: float, y: float, radius: float) -> tuple[float, float, float]:
    """A circle as the camera sees it, as a circle of equal area."""
    turns = np.arange(16) * (np.pi / 8)
    points = np.column_stack([x + radius * np.cos(turns), y + radius * np.sin(turns)]).astype(np.float32)
    seen = cv2.perspectiveTransform(points[None], matrix)[0]
    u, v = seen.mean(axis=0).tolist()
    return u, v, float(np.sqrt(cv2.contourArea(seen) / np.pi))


def _shown(circle: Floats, covered: Image) -> float:
    """The share of a circle that is in the picture and under no hand."""
    turns, far = np.arange(16) * (np.pi / 8), np.array([0.3, 0.6, 0.9])[:, None]
    x = np.round(circle[0] + far * circle[2] * np.cos(turns)).astype(int)
    y = np.round(circle[1] + far * circle[2] * np.sin(turns)).astype(int)
    inside = (x >= 0) & (y >= 0) & (x < WIDTH) & (y < HEIGHT)
    clear = covered[np.clip(y, 0, HEIGHT - 1), np.clip(x, 0, WIDTH - 1)] < 128
    return float((inside & clear).mean())
