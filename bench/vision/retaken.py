"""Real photographs as another camera, lamp or hand would have taken them.

The real sets are few and their lamps are good. So each photograph is made dim, tinted, soft, small, slanted,
shadowed or glaring: the cards, the wear, the ground and the camera's own noise stay real, and what is added
is measured by how far it takes the figures down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np

from bench.vision.real import Photo
from companion.vision.image.picture import Array, Floats, Image

Rng = np.random.Generator
Places = Sequence[tuple[float, float]]
"""Places of cards or dice, as fractions of width and height."""
USUAL = 1600
"""Longer side in pixels of the picture that blurs are measured in."""


def _bytes(image: Floats) -> Image:
    return np.asarray(np.clip(image, 0, 255), np.uint8)


def _dim(image: Image, rng: Rng, _: Places) -> Image:
    return _bytes(np.asarray(image * 0.35 + rng.normal(0, 4, image.shape), np.float32))


def _bright(image: Image, _: Rng, __: Places) -> Image:
    return _bytes(np.asarray(image * 1.6 + 10, np.float32))


def _tinted(gains: tuple[float, float, float]) -> Callable[[Image, Rng, Places], Image]:
    return lambda image, _, __: _bytes(np.asarray(image * np.array(gains), np.float32))


def _blurred(radius: float) -> Callable[[Image, Rng, Places], Image]:
    def blurred(image: Image, _: Rng, __: Places) -> Image:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), radius * max(image.shape[:2]) / USUAL), np.uint8)

    return blurred


def _shaken(image: Image, _: Rng, __: Places) -> Image:
    kernel = np.zeros((15, 15), np.float32)
    cv2.line(kernel, (0, 4), (14, 10), 1.0, 1)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)


def _shadowed(image: Image, rng: Rng, _: Places) -> Image:
    """A hard shadow whose edge runs through the middle, and so through the card of most pictures."""
    height, width = image.shape[:2]
    turn = float(rng.uniform(0, np.pi))
    y, x = np.mgrid[0:height, 0:width]
    away = (x - width / 2) * np.cos(turn) + (y - height / 2) * np.sin(turn)
    lit = cv2.GaussianBlur(np.where(away > 0, 0.4, 1.0).astype(np.float32), (0, 0), 3)
    return _bytes(np.asarray(image * lit[..., None], np.float32))


def _glaring(image: Image, rng: Rng, places: Places) -> Image:
    """A lamp mirrored in each card: an ellipse burnt out, a tenth of a card or so, with a soft edge."""
    height, width = image.shape[:2]
    glare = np.zeros((height, width), np.float32)
    for x, y in places:
        at = rng.normal((x * width, y * height), 0.03 * width).astype(int).tolist()
        size = (int(0.035 * width), int(0.02 * width))
        cv2.ellipse(glare, at, size, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
    soft = cv2.GaussianBlur(glare, (0, 0), 0.008 * width)[..., None]
    return _bytes(np.asarray(image * (1 - 0.2 * soft) + soft * 260, np.float32))


LIGHTS: dict[str, Callable[[Image, Rng, Places], Image]] = {
    "a third of the light, noise": _dim,
    "overexposed": _bright,
    "warm lamp": _tinted((0.5, 0.85, 1.15)),
    "blue light": _tinted((1.2, 0.95, 0.65)),
    "soft by 2 px of 1600": _blurred(2.0),
    "soft by 4 px of 1600": _blurred(4.0),
    "shaken by 15 px": _shaken,
    "hard shadow": _shadowed,
    "glare on each card": _glaring,
}
"""What changes the light of a photograph and leaves everything in its place."""
TILTS = {"tilted by 25 degrees": 25.0, "tilted by 40 degrees": 40.0}
SMALL = "half the size, JPEG 60"
KINDS = (*LIGHTS, SMALL, *TILTS)


def retake(image: Image, kind: str, rng: Rng, places: Places = ()) -> tuple[Image, Array]:
    """The photograph as of that kind (see KINDS), and the matrix (3, 3) that takes its pixels there."""
    if kind in LIGHTS:
        return LIGHTS[kind](image, rng, places), np.eye(3)
    if kind == SMALL:
        small = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        coded = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 60])[1]
        return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8), np.diag([0.5, 0.5, 1.0])
    return _tilted(image, TILTS[kind], rng)


def _tilted(image: Image, degrees: float, rng: Rng) -> tuple[Image, Array]:
    """The photograph as a flat print seen from aside, from a side drawn at random."""
    height, width = image.shape[:2]
    far, turn = 1.2 * max(height, width), float(rng.uniform(0, 2 * np.pi))
    axis = np.radians(degrees) * np.array([np.cos(turn), np.sin(turn), 0.0])
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    flat = np.column_stack([corners - (width / 2, height / 2), np.zeros(4)])
    leant = flat @ cv2.Rodrigues(axis)[0].T
    seen = leant[:, :2] / (leant[:, 2:] + far)
    seen -= seen.min(axis=0)
    seen *= max(height, width) / seen.max()
    size = np.ceil(seen.max(axis=0)).astype(int).tolist()
    matrix = cv2.getPerspectiveTransform(corners, seen.astype(np.float32))
    rim = np.concatenate([image[:4].reshape(-1, 3), image[-4:].reshape(-1, 3)])
    beyond = np.median(rim, axis=0).tolist()  # mirrored or drawn out, the rim would show cards of its own
    warped = cv2.warpPerspective(image, matrix, size, flags=cv2.INTER_AREA, borderValue=beyond)
    return np.asarray(warped, np.uint8), np.asarray(matrix)


def moved(matrix: Array, x: float, y: float) -> tuple[float, float]:
    """The place of a pixel of the photograph in the retaken one."""
    a, b, c = (float(v) for v in matrix @ np.array([x, y, 1.0]))
    return a / c, b / c


def retaken(pictures: Sequence[Photo], kind: str) -> Iterator[Photo]:
    """Photographs with their truth, retaken as of that kind."""
    for number, photo in enumerate(pictures):
        image = photo.load()
        height, width = image.shape[:2]
        places = [(one.x, one.y) for one in photo.instances]
        other, matrix = retake(image, kind, np.random.default_rng([number, 7]), places)
        instances = []
        for one in photo.instances:
            x, y = moved(matrix, one.x * width, one.y * height)
            instances.append(replace(one, x=x / other.shape[1], y=y / other.shape[0]))
        yield replace(photo, instances=tuple(instances), image=other)
