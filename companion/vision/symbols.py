"""Symbols printed on light tiles: what is kept of one, and finding them again at any turn and size.

A symbol is what differs from the local light colour of its tile, so no outline of the tile is needed: tiles
that touch and tiles under hands are read as well. Each candidate is laid out in polar coordinates round the
middle of its hull; a Fourier transform over the angle then compares all rotations with all symbols at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.errors import Unreadable
from companion.vision.picture import Array, Floats, Image, shrunk

RADII, ANGLES = 16, 64
CHANNELS = 4
"""Where ink is, how dark it is, and two differences of colour."""
LONGEST = 1600
LEVELS = (0.09, 0.2, 0.4)
"""Amounts of ink above which pixels belong together, from pale blue to dark."""
GAPS = (1, 3, 6, 10, 16)
"""Widths in pixels across which the parts of one symbol are put together."""
SCORE, MARGIN = 0.8, 0.05
"""How well a symbol must fit, and by how much better than the next one, to be named."""


@dataclass(frozen=True)
class Found:
    """A symbol read in a picture: middle and radius of its hull in pixels, its turn in degrees."""

    label: str
    score: float
    margin: float
    centre: tuple[float, float]
    radius: float
    degrees: float


@dataclass(frozen=True)
class _Spot:
    centre: tuple[float, float]
    radius: float
    inside: Array


def ink(image: Image) -> Floats:
    """What the paper lacks of its local light colour, (height, width, 3), 0 to 1."""
    small = shrunk(image, 400)[0]
    side = 2 * round(0.05 * max(small.shape[:2])) + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    light = cv2.dilate(cv2.medianBlur(small, 3), kernel)
    light = cv2.GaussianBlur(light.astype(np.float32), (0, 0), side / 4)
    paper = cv2.resize(light, (image.shape[1], image.shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.clip(1.0 - image / np.maximum(paper, 20.0) - 0.03, 0, 1), np.float32)


def polar(lack: Floats, spot: _Spot) -> Floats:
    """The candidate as (CHANNELS, RADII, ANGLES), each channel centred and all of them of length 1."""
    reach = 1.05 * spot.radius
    blur = max(0.3, 0.5 * reach / RADII)
    x, y = spot.centre
    low = np.maximum(np.floor(np.array([x, y]) - reach - 3 * blur).astype(int), 0)
    high = np.ceil(np.array([x, y]) + reach + 3 * blur).astype(int) + 1
    cut = lack[low[1] : high[1], low[0] : high[0]] * spot.inside[low[1] : high[1], low[0] : high[0], None]
    soft = cv2.GaussianBlur(cut.astype(np.float32), (0, 0), blur)
    middle = (float(x - low[0]), float(y - low[1]))
    how = cv2.WARP_POLAR_LINEAR | cv2.WARP_FILL_OUTLIERS
    flat = cv2.warpPolar(soft, (RADII, ANGLES), middle, reach, how).transpose(2, 1, 0)
    most, dark = flat.max(axis=0), flat.mean(axis=0)
    full = np.stack([most / (most + 0.12), 0.8 * dark, 0.8 * (flat[2] - flat[1]), 0.8 * (flat[0] - flat[1])])
    weights = np.sqrt((np.arange(RADII) + 0.5) / RADII)[None, :, None]
    full[:1] -= float((full[:1] * weights**2).mean() / (weights**2).mean())
    full = full * weights
    return np.asarray(full / max(1e-6, float(np.linalg.norm(full))), np.float32)


def candidates(lack: Floats) -> list[_Spot]:
    """Places that may be a whole symbol: parts put together across several gaps at several amounts of ink."""
    most = lack.max(axis=2)
    longest = max(most.shape)
    spots: list[_Spot] = []
    for level in LEVELS:
        mask = (most > level).astype(np.uint8)
        away = cv2.distanceTransform(1 - mask, cv2.DIST_L2, 3)
        for gap in GAPS:
            near = (away < gap).astype(np.uint8)
            count, labels, stats, _ = cv2.connectedComponentsWithStats(near, connectivity=8)
            for index in range(1, count):
                left, top, wide, high, _ = (int(v) for v in stats[index])
                if not 0.015 * longest < max(wide, high) - 2 * gap < 0.3 * longest:
                    continue
                box = labels[top : top + high, left : left + wide] == index
                points = np.argwhere(box & (mask[top : top + high, left : left + wide] > 0))[:, ::-1]
                if len(points) < 40:
                    continue
                hull = cv2.convexHull(points.astype(np.int32))
                (x, y), radius = cv2.minEnclosingCircle(hull)
                middle = (x + left, y + top)
                if _known(middle, radius, spots):
                    continue
                inside = np.zeros(most.shape, np.float32)
                inside[top : top + high, left : left + wide] = box
                spots.append(_Spot(middle, radius, inside))
    return spots


def _known(middle: tuple[float, float], radius: float, spots: Sequence[_Spot]) -> bool:
    return any(
        np.hypot(middle[0] - s.centre[0], middle[1] - s.centre[1]) < 0.03 * radius
        and abs(radius - s.radius) < 0.03 * radius
        for s in spots
    )


def describe(image: Image) -> Floats:
    """The largest symbol of a picture of it on white: (CHANNELS, RADII, ANGLES). Raises Unreadable for a
    picture without one."""
    picture = cv2.copyMakeBorder(
        shrunk(image, 240)[0], 24, 24, 24, 24, cv2.BORDER_CONSTANT, value=(250, 250, 250)
    )
    lack = np.asarray(np.clip(1.0 - picture / 250.0 - 0.03, 0, 1), np.float32)
    mask = (lack.max(axis=2) > LEVELS[0]).astype(np.uint8)
    near = cv2.dilate(mask, np.ones((9, 9), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(near)
    inside = np.zeros(mask.shape, np.float32)
    largest = max(int(stats[i][4]) for i in range(1, count)) if count > 1 else 0
    for index in range(1, count):
        left, top, wide, high, area = (int(v) for v in stats[index])
        cut = left < 25 or top < 25 or left + wide > mask.shape[1] - 25 or top + high > mask.shape[0] - 25
        if not (cut and area < 0.1 * largest):
            inside[labels == index] = 1
    points = np.argwhere((inside > 0) & (mask > 0))[:, ::-1]
    if len(points) < 3:
        raise Unreadable("there is no symbol in that picture: photograph it on white paper")
    (x, y), radius = cv2.minEnclosingCircle(cv2.convexHull(points.astype(np.int32)))
    return polar(lack, _Spot((x, y), radius, inside))


def read(image: Image, labels: Sequence[str], looks: Floats) -> list[Found]:
    """The symbols in a picture whose enrolled looks are (n, CHANNELS, RADII, ANGLES), one label each."""
    small, scale = shrunk(image, LONGEST)
    lack = ink(small)
    spots = candidates(lack)
    if not spots:
        return []
    names = list(dict.fromkeys(labels))
    owner = np.array([names.index(label) for label in labels])
    known = np.conj(np.fft.rfft(looks, axis=-1)).astype(np.complex64)
    found = []
    for spot in spots:
        here = np.fft.rfft(polar(lack, spot), axis=-1).astype(np.complex64)
        fit = np.fft.irfft((known * here).sum(axis=(1, 2)), n=ANGLES, axis=-1)
        best = fit.max(axis=1)
        each = np.array([best[owner == i].max() for i in range(len(names))])
        order = np.argsort(-each)
        look = int(np.argmax(np.where(owner == order[0], best, -1)))
        found.append(
            Found(names[order[0]], float(each[order[0]]), float(each[order[0]] - each[order[1]]),
                  ((spot.centre[0] + 0.5) / scale - 0.5, (spot.centre[1] + 0.5) / scale - 0.5),
                  spot.radius / scale, float(np.argmax(fit[look])) * 360.0 / ANGLES)
        )  # fmt: skip
    sure = [one for one in found if one.score > SCORE and one.margin > MARGIN]
    chosen: list[Found] = []
    for one in sorted(sure, key=lambda f: -(f.score - 0.6) * f.radius**0.5):
        if all(
            np.hypot(one.centre[0] - o.centre[0], one.centre[1] - o.centre[1])
            > 0.6 * max(one.radius, o.radius)
            for o in chosen
        ):
            chosen.append(one)
    return chosen
