"""The rendered pictures that the limits of the reader of dice are fitted on, with what they show.

Photographs are left out: those of dice_mp say afterwards what the limits are worth.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from companion.art.dice import (
    STYLES,
    DiceCamera,
    RenderedDie,
    as_photographed,
    dice_photo,
    draw_die,
    table_top,
)
from companion.vision.dice.view import Optics, possible_cameras
from companion.vision.image.picture import Image

Truth = tuple[int, float, float, float]
"""Value, x, y and how far off its middle a die may be found, pixels."""
SEEDS = (*range(4500, 4540), *range(7000, 7060, 2))
LEANING_SEEDS = range(6000, 6030)
ZONE_SEEDS = range(300, 360)
CHANGED = 60
"""Pictures that are also given noise, a lamp, a shadow, or looked at from near."""
NOISE, GRAIN = 16.0, 1.5
"""Grey levels of noise (standard deviation), and pixels by which it is blurred to be grain."""
TABLE, ZONE = (720, 1280), (460, 820)
"""Pixels: height and width of a picture of a whole table, and the columns of it that are the zone of dice."""


@dataclass(frozen=True, eq=False)
class DicePicture:
    """A picture of dice, how many of them the reader is told (None: nothing), and those that lie flat."""

    kind: str
    image: Image
    truth: tuple[Truth, ...]
    count: int | None
    cameras: tuple[Optics, ...]
    """Those that may have taken it."""
    leaning: bool = False
    """Whether one more die leans, so that a question is right."""


def development_pictures() -> list[DicePicture]:
    """All of them, in an order that mixes the kinds. Every second one is read without the number of dice,
    which 13 Monsters knows."""
    found = [*_photographs(), *_leaning(), *_zones()]
    order = np.random.default_rng(1).permutation(len(found))
    return [found[k] for k in order]


def _photographs() -> Iterator[DicePicture]:
    """Photographs of dice of eight styles on four grounds; most of them a second time with noise or grain,
    and a third time with a lamp mirrored in a die, with a hard shadow across one, or as a close-up."""
    changes = (("lamp", _lamp), ("shadow", _shadow), ("close-up", close_up))
    for number, seed in enumerate(SEEDS):
        image, dice = dice_photo(np.random.default_rng(seed), 1 + seed % 5)
        truth = _truth(dice)
        told = len(dice) if number % 2 else None
        yield _picture("plain", image, truth, told)
        if number < CHANGED:
            kind, deviation = (("noise", 0.0), ("grain", GRAIN))[number % 2]
            yield _picture(
                kind, noisy(image, deviation, seed + 1), truth, len(dice) if number % 4 < 2 else None
            )
            kind, change = changes[number % 3]
            changed, left = change(image, dice)
            yield _picture(kind, changed, left, len(left) if number % 2 else None)


def _picture(kind: str, image: Image, truth: tuple[Truth, ...], count: int | None) -> DicePicture:
    return DicePicture(kind, image, truth, count, possible_cameras((image.shape[0], image.shape[1])))


def _truth(dice: list[RenderedDie], left: float = 0.0) -> tuple[Truth, ...]:
    """The dice that lie flat, in a part of the picture that begins at a column."""
    flat = [die for die in dice if not die.leaning]
    return tuple((die.value, die.centre[0] - left, die.centre[1], 0.5 * die.radius) for die in flat)


def noisy(image: Image, deviation: float, seed: int) -> Image:
    """The picture with noise; with a deviation (pixels) it is grain as of a cloth."""
    noise = np.random.default_rng(seed).normal(0, 1, image.shape[:2]).astype(np.float32)
    if deviation:
        noise = np.asarray(cv2.GaussianBlur(noise, (0, 0), deviation), np.float32)
    return np.asarray(np.clip(image + NOISE * (noise / noise.std())[..., None], 0, 255), np.uint8)


def _lamp(image: Image, dice: list[RenderedDie]) -> tuple[Image, tuple[Truth, ...]]:
    """A lamp is mirrored in the first die."""
    shining = image.copy()
    x, y = dice[0].centre
    cv2.circle(shining, (round(x), round(y)), round(0.4 * dice[0].radius), (255, 255, 255), -1)
    return shining, _truth(dice)


def _shadow(image: Image, dice: list[RenderedDie]) -> tuple[Image, tuple[Truth, ...]]:
    """The edge of a hard shadow crosses the first die."""
    (x, y), (down, across) = dice[0].centre, np.mgrid[0 : image.shape[0], 0 : image.shape[1]]
    lit = np.where(0.8 * (across - x) + 0.6 * (down - y) > 0, 0.4, 1.0).astype(np.float32)
    return np.asarray(image * cv2.GaussianBlur(lit, (0, 0), 2)[..., None], np.uint8), _truth(dice)


def close_up(image: Image, dice: list[RenderedDie]) -> tuple[Image, tuple[Truth, ...]]:
    """The first die and its surroundings, enlarged to 700 pixels; with all dice whose middle is seen well."""
    (x, y), radius = dice[0].centre, dice[0].radius
    reach = int(2.2 * radius)
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    part = image[top : int(y + reach), left : int(x + reach)]
    scale = 700 / max(part.shape[:2])
    large = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8)
    inside = np.array([large.shape[1], large.shape[0]])
    margin = 0.35 * radius * scale
    found = []
    for value, x, y, off in _truth(dice):
        at = scale * (np.array([x, y]) - (left, top))
        if (at > margin).all() and (at < inside - margin).all():
            found.append((value, float(at[0]), float(at[1]), off * scale))
    return large, tuple(found)


def _leaning() -> Iterator[DicePicture]:
    """Photographs of five dice, of which one leans."""
    for seed in LEANING_SEEDS:
        image, dice = dice_photo(np.random.default_rng(seed), 5, leaning=1)
        yield DicePicture(
            "leaning", image, _truth(dice), 5, possible_cameras((image.shape[0], image.shape[1])), True
        )


def _zones() -> Iterator[DicePicture]:
    """The zone of dice of a table of 13 Monsters: five dice of 18 to 28 pixels. Of every third zone it is
    known how the camera looks at the table."""
    for number, seed in enumerate(ZONE_SEEDS):
        rng = np.random.default_rng(seed)
        distance = 0.9 * TABLE[1] / float(rng.uniform(18, 28))
        kind = str(rng.choice(["plain", "wood", "cloth", "mat"]))
        ground = table_top(TABLE, kind, rng) if number % 2 else np.full((*TABLE, 3), rng.integers(30, 120, 3))
        picture = np.asarray(ground * rng.uniform(0.5, 1.0), np.uint8).copy()
        camera = DiceCamera.at(distance, math.radians(float(rng.uniform(0, 25))), 0.0, TABLE)
        style = STYLES[sorted(STYLES)[number % len(STYLES)]]
        dice = [
            draw_die(picture, camera, style, int(rng.integers(1, 7)), place, float(rng.uniform(0, 6.28)))
            for place in _places(rng)
        ]
        seen = as_photographed(picture, 0.7, float(rng.uniform(1, 4)), (0.95, 1.0, 1.0), rng)
        x, y, z = (camera.axes @ np.array([0.0, 0.0, 1.0])).tolist()
        optics = Optics.of(TABLE, (ZONE[0], 0.0), (x, y, z) if number % 3 == 0 else None)
        part = np.ascontiguousarray(seen[:, slice(*ZONE)])
        yield DicePicture("zone", part, _truth(dice, ZONE[0]), 5, (optics,))


def _places(rng: np.random.Generator) -> list[tuple[float, float]]:
    """Five places that dice have room at, in edges."""
    found: list[tuple[float, float]] = []
    while len(found) < 5:
        place = (float(rng.uniform(-6, 6)), float(rng.uniform(-8, 8)))
        if all(math.dist(place, other) > 1.6 for other in found):
            found.append(place)
    return found
