"""What a triangular card looks like: 126 points of colour, and what they say in any light.

A card is sampled at the middles of the small triangles that its three sides, cut into twelve, make; the
outermost corners are left out, because cards have round ones. Turning the card by a third of a circle only
swaps points. Points are compared as logarithms, so that a lamp, whatever its colour, adds the same three
numbers everywhere (von Kries), and a shadow one; `LOG_FLOOR` keeps dark points from counting for more than
they show."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats, Image
from companion.vision.triangles.limits import triangle_limits

CUTS = 12
SAMPLED_SIDE = 52.0
"""Length in pixels to which a side is brought before it is sampled."""
LOG_FLOOR = 22.0
"""Grey levels, of a white of `WHITE`, added before the logarithm is taken."""
WHITE = 230.0
CORNER = 0.88


@lru_cache(maxsize=1)
def sample_points() -> Floats:
    """The shares (n, 3) that the three corners have in each point."""
    found = []
    for i in range(CUTS):
        for j in range(CUTS - i):
            k = CUTS - 1 - i - j
            found.append((3 * i + 1, 3 * j + 1, 3 * k + 1))
            if k >= 1:
                found.append((3 * i + 2, 3 * j + 2, 3 * k - 1))
    shares = np.array(found, np.float32) / (3 * CUTS)
    return np.asarray(shares[shares.max(axis=1) < CORNER], np.float32)


@lru_cache(maxsize=1)
def rotations() -> list[Array]:
    """For each third of a turn, the order in which a card's points are those of the card turned."""
    keys = {tuple(np.round(one * 3 * CUTS).astype(int)): i for i, one in enumerate(sample_points())}
    return [np.array([keys[tuple(np.roll(key, turn).tolist())] for key in keys]) for turn in range(3)]


class SampledPicture:
    """A picture at the size at which its triangles, of about `side` pixels, are sampled."""

    def __init__(self, image: Image, side: float) -> None:
        self.scale = min(1.0, SAMPLED_SIDE / max(side, 1.0))
        small = image
        if self.scale < 1.0:
            small = np.asarray(
                cv2.resize(image, None, fx=self.scale, fy=self.scale, interpolation=cv2.INTER_AREA), np.uint8
            )
        self.image = np.asarray(cv2.GaussianBlur(small, (0, 0), 1.1), np.uint8)
        pixels = self.image[::2, ::2].reshape(-1, 3)
        brightest = 1 - triangle_limits().colours.white_share
        self.white = np.asarray(np.quantile(pixels, brightest, axis=0), np.float32)
        """The picture's white (3,), in levels."""

    def colours(self, triangles: Array) -> Floats:
        """The colours (..., n, 3) at the points of triangles (..., 3, 2) in pixels of the whole picture."""
        return self.colours_at(sample_points() @ np.asarray(triangles, np.float32))

    def colours_at(self, points: Array) -> Floats:
        """The colours (..., n, 3) at points (..., n, 2) in pixels of the whole picture."""
        at = geometry.to_resized(points.reshape(-1, *points.shape[-2:]), self.scale).astype(np.float32)
        found = cv2.remap(
            self.image, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(found, np.float32).reshape(*points.shape[:-1], 3)

    def burnt(self, colours: Floats) -> Array:
        """Which colours (..., 3) tell nothing: one of them is at the camera's end, or all are where a
        developed picture ends before that."""
        limits = triangle_limits().colours
        white = self.white - limits.white_tolerance
        return np.asarray((colours.max(axis=-1) >= limits.clipped) | (colours >= white).all(axis=-1))


OPPONENT_COLOURS = np.array(
    [[1 / 3, 1 / 3, 1 / 3], [-(0.5**0.5), 0, 0.5**0.5], [-(6**-0.5), 2 * 6**-0.5, -(6**-0.5)]], np.float32
)


def log_colours(colours: Floats, white: float) -> Floats:
    """What is compared (..., points, 4) of colours (..., points, 3): the mean logarithm, red against blue,
    green against both, and the mean logarithm less most of its surroundings', which a shadow's edge changes
    little; `white` is the level that counts as white."""
    logs = opponent_logarithms(colours, white)
    return np.concatenate([logs, local_contrast(logs[..., 0])[..., None]], axis=-1)


def opponent_logarithms(colours: Floats, white: float) -> Floats:
    """The first three of these numbers (..., points, 3)."""
    scaled = colours * (WHITE / max(white, 20.0)) + LOG_FLOOR
    return np.asarray(np.log(scaled).astype(np.float32) @ OPPONENT_COLOURS.T, np.float32)


def point_costs(light: Floats, red: Floats, green: Floats, kept: Floats | float = 1.0) -> Floats:
    """What differences of light and of the two colours (...) cost where a share `kept` of all contrasts is
    left: 0 nothing, 1 both differ so much that more tells nothing."""
    limits = triangle_limits().colours
    found = np.minimum(np.abs(light) * (1 / (limits.light_cutoff * kept)), 1)
    found += np.minimum(np.sqrt(red * red + green * green) * (1 / (limits.colour_cutoff * kept)), 1)
    found /= 2
    return np.asarray(found, np.float32)


def local_contrast(light: Floats) -> Floats:
    """Mean logarithms (..., points) less most of their surroundings'."""
    limits = triangle_limits().colours
    return np.asarray(
        light - limits.surroundings_share * (light @ _surroundings(limits.surroundings).T), np.float32
    )


@lru_cache(maxsize=1)
def _surroundings(radius: float) -> Floats:
    """The weights (points, points) of each point's surroundings, those of a point 1 together."""
    weights = neighbour_weights(radius)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float32)


@lru_cache(maxsize=2)
def neighbour_weights(radius: float) -> Floats:
    """The weights (points, points) of the points round each point, by a Gaussian of that radius in sides."""
    at = sample_points() @ np.array([[0.5, 0], [1, 0.75**0.5], [0, 0.75**0.5]], np.float32)
    away = ((at[:, None] - at[None]) ** 2).sum(axis=2)
    return np.asarray(np.exp(-away / (2 * radius**2)), np.float32)


def white_of(colours: Floats) -> float:
    """The level of what is brightest on cards whose colours (..., 3) these are."""
    return float(np.percentile(colours.max(axis=-1), 95)) if colours.size else WHITE
