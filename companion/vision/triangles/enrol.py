"""Learning triangular cards from pictures: where the triangle is, and what its colours are in even light.

Every picture was taken in a light of its own. If all lie on the same ground, differences of the ground are
differences of the light and are taken back; otherwise what is white on the cards must do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Bytes, Floats, Image
from companion.vision.triangles.appearance import SampledPicture
from companion.vision.triangles.find import (
    clockwise,
    find_triangles,
    fit_triangle,
    is_regular,
    side_of,
    sides_of,
)
from companion.vision.triangles.limits import triangle_limits


def learn_triangles(images: Sequence[Image]) -> Bytes | None:
    """The looks (n, points, 3; levels 0 to 255) of triangular cards, one in each picture (a crop, or
    the card on a plain ground); None if most of the pictures show no triangle."""
    triangles = triangle_outlines(images)
    if triangles is None:
        return None
    return learn_looks(images, triangles)


def learn_looks(
    images: Sequence[Image], triangles: Sequence[Floats], reference: tuple[Image, Floats] | None = None
) -> Bytes:
    """The looks (n, points, 3; levels 0 to 255) of the cards within triangles (3, 2), one in each picture.

    Args:
        reference: picture and triangle of a card learned before: the looks become those in its light. None:
            those in the light that is typical among the pictures.
    """
    looks = [
        SampledPicture(image, float(side_of(triangle))).colours(triangle)
        for image, triangle in zip(images, triangles, strict=True)
    ]
    if reference is None:
        lights = _relative_lights(images, triangles)
    else:
        lights = _relative_lights([*images, reference[0]], [*triangles, reference[1]])
        lights = lights[:-1] - lights[-1]
    balanced = np.stack(looks) * np.exp(-lights)[:, None]
    return np.asarray(np.clip(np.round(balanced), 0, 255), np.uint8)


def triangle_outlines(images: Sequence[Image]) -> list[Floats] | None:
    """The triangle of each picture (3, 2), beginning with the corner that lies highest; None if most show no
    triangle that fills a good part of them."""
    limits, found = triangle_limits(), [_outline(image) for image in images]
    sure = [_shares(one, image) for one, image in zip(found, images, strict=True) if one is not None]
    if len(sure) < limits.places.half * len(images):
        return None
    typical = np.median(sure, axis=0)
    most = limits.learned.cut_alike
    cut_alike = np.mean([np.abs(one - typical).max() < most for one in sure]) > 0.5
    triangles = []
    for image, own in zip(images, found, strict=True):
        there = np.asarray(typical * image.shape[1::-1] - 0.5, np.float32)
        if cut_alike:
            agrees = own is not None and np.abs(_shares(own, image) - typical).max() < most
            triangles.append(own if agrees and own is not None else there)
        else:
            triangles.append(own if own is not None else _largest_found(image, there))
    return [_upright(one) for one in triangles]


def _upright(triangle: Array) -> Floats:
    return np.asarray(np.roll(triangle, -int(np.argmin(triangle[:, 1])), axis=0), np.float32)


def _shares(outline: Array, image: Image) -> Floats:
    """The outline in shares of the picture's width and height."""
    return np.asarray((_upright(outline) + 0.5) / image.shape[1::-1], np.float32)


def _largest_found(image: Image, otherwise: Floats) -> Floats:
    triangles = find_triangles(image)
    return max(triangles, key=lambda one: float(side_of(one)), default=otherwise)


# --- outlines -----------------------------------------------------------------------------------------------


def _outline(image: Image) -> Floats | None:
    """The triangle that stands out best from the ground; None if what stands out has another shape."""
    longest = max(image.shape[:2])
    scale = min(1.0, 480 / longest)
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    found = [one for mask in _masks(np.asarray(small, np.uint8)) for one in _triangle(mask)]
    if not found:
        return None
    full, triangle = max(found, key=lambda one: one[0])
    return geometry.to_original(triangle, scale) if full > triangle_limits().outlines.fill else None


def _masks(image: Image) -> Iterator[Bytes]:
    """What differs from the ground: from the colour of the upper corners, or from the picture's rim."""
    lab = cv2.cvtColor(cv2.GaussianBlur(image, (3, 3), 0), cv2.COLOR_BGR2LAB).astype(np.float32)
    corner = max(2, min(lab.shape[:2]) // 25)
    upper = np.concatenate([lab[:corner, :corner].reshape(-1, 3), lab[:corner, -corner:].reshape(-1, 3)])
    rim = np.concatenate([lab[:2].reshape(-1, 3), lab[-2:].reshape(-1, 3), lab[:, :2].reshape(-1, 3),
                          lab[:, -2:].reshape(-1, 3)])  # fmt: skip
    for ground in (np.median(upper, axis=0), np.median(rim, axis=0)):
        away = np.linalg.norm((lab - ground) * (0.7, 1.3, 1.3), axis=2)
        distance = np.asarray(np.clip(away, 0, 255), np.uint8)
        level, _ = cv2.threshold(distance, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        for part in (0.35, 0.6, 1.0):
            mask = (distance > max(part * level, 5)).astype(np.uint8) * 255
            yield np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)


def _triangle(mask: Bytes) -> Iterator[tuple[float, Floats]]:
    """The largest thing of a mask with how full its triangle is, if it is regular and large enough."""
    pad = 6
    wide = cv2.copyMakeBorder(mask, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
    contours, _ = cv2.findContours(wide, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return
    contour = max(contours, key=cv2.contourArea)
    hull = cv2.convexHull(contour)
    area = cv2.contourArea(hull)
    whole, corners = cv2.minEnclosingTriangle(hull)
    if corners is None or area < 0.08 * mask.size or not whole:
        return
    triangle = fit_triangle(contour.reshape(-1, 2).astype(np.float32), clockwise(corners.reshape(3, 2)))
    if is_regular(triangle):
        lengths = sides_of(triangle)
        # a triangle that is less even than a card is cannot be as good as one that is
        yield area / whole - 0.3 * float(lengths.max() / lengths.min() - 1), triangle - pad


# --- light --------------------------------------------------------------------------------------------------


def _relative_lights(images: Sequence[Image], triangles: Sequence[Floats]) -> Floats:
    """By how much (logarithms, n x 3) the light of each picture differs from the typical."""
    grounds = np.stack([_ground(image, one) for image, one in zip(images, triangles, strict=True)])
    typical = np.median(grounds, axis=0)
    change = float(np.abs(grounds - typical).max())
    if grounds.min() > np.log(35.0) and change < triangle_limits().colours.light_cutoff:
        return np.asarray(grounds - typical, np.float32)
    whites = np.stack([_white(image, one) for image, one in zip(images, triangles, strict=True)])
    sure = np.isfinite(whites.sum(axis=1))
    if sure.sum() < 0.7 * len(whites):
        return np.zeros_like(whites)
    return np.asarray(np.where(sure[:, None], whites - np.median(whites[sure], axis=0), 0.0), np.float32)


def _ground(image: Image, triangle: Floats) -> Floats:
    """The logarithm of the colour beside the triangle (3,); of black if there is nothing beside it."""
    outside = np.full(image.shape[:2], 255, np.uint8)
    cv2.fillConvexPoly(outside, np.round(geometry.grown(triangle, 1.1)).astype(np.int32), 0)
    beside = image[outside > 0]
    if len(beside) < 0.02 * outside.size:
        return np.zeros(3, np.float32)
    return np.asarray(np.log(np.median(beside, axis=0) + 1), np.float32)


def _white(image: Image, triangle: Floats) -> Floats:
    """The logarithm of the colour (3,) of what is brightest within the triangle; nan if it is no white."""
    inside = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.round(geometry.grown(triangle, 0.9)).astype(np.int32), 255)
    pixels = cv2.GaussianBlur(image, (0, 0), max(0.6, float(side_of(triangle)) / 150))[inside > 0]
    limits, least = triangle_limits(), pixels.min(axis=1)
    white = np.log(np.median(pixels[least >= np.quantile(least, 1 - limits.learned.white_share)], axis=0) + 1)
    is_white = white.max() - white.min() < limits.colours.colour_cutoff
    return np.asarray(white if is_white else white * np.nan, np.float32)
