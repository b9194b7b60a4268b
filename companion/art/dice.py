"""Rendered photographs of dice: rounded cubes with pips on a table, seen by a pinhole camera.

Rays are marched through a signed distance field (J. Hart, "Sphere tracing", 1996): a rounded box, cut by a
sphere for dice whose corners are worn. Pips are painted or hollow discs. Light is a lamp plus the sky, with a
soft shadow on the table. Lengths are in edges of a die. What is random comes from the generator given.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Array = npt.NDArray[np.float64]
Colour = tuple[float, float, float]

LATTICE = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Pips of each value in units of half the pip square."""


@dataclass(frozen=True)
class DieStyle:
    """What a set of dice looks like. Colours are BGR, 0-255."""

    body: Colour
    pips: Colour
    rounding: float = 0.12
    """Radius of the edges."""
    worn: float = 0.0
    """0 = sharp corners, 0.1 = corners cut off by a sphere."""
    pip_radius: float = 0.1
    spread: float = 0.25
    """Half the pip square."""
    gloss: float = 0.3
    ace_scale: float = 1.0
    """The one's pip may be larger."""


STYLES: dict[str, DieStyle] = {
    "white": DieStyle((235, 240, 240), (20, 20, 20)),
    "ivory": DieStyle((190, 220, 235), (30, 30, 40), 0.16, 0.06, 0.085),
    "black": DieStyle((30, 28, 28), (235, 235, 235), 0.1),
    "red": DieStyle((40, 30, 190), (240, 240, 240), 0.08, 0.0, 0.105),
    "blue": DieStyle((160, 80, 30), (240, 240, 240), 0.14, 0.05),
    "green": DieStyle((70, 140, 40), (245, 245, 245), 0.12, 0.0, 0.09, 0.27),
    "yellow": DieStyle((40, 200, 240), (25, 25, 25), 0.18, 0.08, 0.095),
    "ace": DieStyle((240, 242, 244), (25, 25, 30), 0.14, 0.05, 0.09, 0.25, 0.3, 1.5),
}


@dataclass(frozen=True)
class RenderedDie:
    """Where a die was drawn and what it shows."""

    value: int
    centre: tuple[float, float]
    """The middle of the top face, pixels."""
    leaning: bool
    radius: float
    """Half the die's size in the picture, pixels."""


def table_top(size: tuple[int, int], kind: str, rng: np.random.Generator) -> Image:
    """A plain, wooden, woven or printed ground of (height, width)."""
    height, width = size
    base = rng.uniform(60, 210) * np.array([rng.uniform(0.6, 1), rng.uniform(0.8, 1), 1.0])
    if kind == "cloth":
        base = np.array([rng.uniform(30, 90), rng.uniform(60, 130), rng.uniform(20, 90)])
    ground: npt.NDArray[Any] = np.ones((height, width, 3)) * base
    if kind == "wood":
        grain = cv2.resize(
            rng.normal(0, 1, (max(2, height // 4), 6)), (width, height), interpolation=cv2.INTER_CUBIC
        )
        ground *= 1 + 0.06 * grain[..., None]
    elif kind == "cloth":
        ground += rng.normal(0, 9, (height, width, 1))
    elif kind == "mat":
        for _ in range(40):
            centre = (int(rng.integers(width)), int(rng.integers(height)))
            colour = rng.uniform(0, 255, 3).tolist()
            axes = rng.integers(10, width // 6, 2).tolist()
            cv2.ellipse(ground, centre, axes, float(rng.uniform(0, 360)), 0, 360, colour, -1)
        ground = cv2.GaussianBlur(ground, (0, 0), 1.5)
    return np.asarray(np.clip(ground, 0, 255), np.uint8)


def rotation(value: int, yaw: float, lean: float = 0.0) -> Array:
    """The die's axes (rows) in the table's coordinates (x, y, z up) with `value` on top."""
    turns = {1: (0, 0), 6: (180, 0), 2: (90, 0), 5: (-90, 0), 3: (0, -90), 4: (0, 90)}
    about_x, about_y = (math.radians(a) for a in turns[value])
    return _about(2, yaw) @ _about(0, lean) @ _about(0, about_x) @ _about(1, about_y)


def _about(axis: int, angle: float) -> Array:
    c, s = math.cos(angle), math.sin(angle)
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    out = np.eye(3)
    out[i, i] = out[j, j] = c
    out[i, j], out[j, i] = -s, s
    return out


@dataclass(frozen=True)
class DiceCamera:
    """A pinhole above the table's origin's neighbourhood."""

    position: Array
    axes: Array
    """Rows: right, down, forward."""
    focal: float
    size: tuple[int, int]

    @staticmethod
    def at(
        distance: float, tilt: float, turn: float, size: tuple[int, int], focal: float = 0.9
    ) -> DiceCamera:
        """Looks at the origin from `distance` die edges, `tilt` radians from the plumb line."""
        back = np.array([math.sin(tilt) * math.sin(turn), -math.sin(tilt) * math.cos(turn), math.cos(tilt)])
        right = np.array([math.cos(turn), math.sin(turn), 0.0])
        return DiceCamera(
            back * distance, np.stack([right, np.cross(-back, right), -back]), focal * max(size), size
        )

    def project(self, points: Array) -> Array:
        """World (n, 3) -> pixels (n, 2)."""
        local = (points - self.position) @ self.axes.T
        height, width = self.size
        return np.asarray(local[:, :2] / local[:, 2:] * self.focal + [(width - 1) / 2, (height - 1) / 2])

    def rays(self, x: Array, y: Array) -> Array:
        """Unit directions through pixels."""
        height, width = self.size
        local = np.stack(
            [(x - (width - 1) / 2) / self.focal, (y - (height - 1) / 2) / self.focal, np.ones_like(x)], -1
        )
        out = local @ self.axes
        return np.asarray(out / np.linalg.norm(out, axis=-1, keepdims=True))


def draw_die(
    canvas: Image,
    camera: DiceCamera,
    style: DieStyle,
    value: int,
    place: tuple[float, float],
    yaw: float,
    lean: float = 0.0,
    lift: float = 0.0,
) -> RenderedDie:
    """Draws one die, shadow first. `place` is on the table, `lift` the ground's height there."""
    turn = rotation(value, yaw, lean)
    height = 0.5 + lift + (0.207 * math.sin(2 * abs(lean)) if lean else 0.0)
    middle = np.array([*place, height])
    top = camera.project(np.array([[*place, height + 0.5]]))[0]
    ends = np.array([(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
    spread = camera.project(middle + 0.95 * ends)
    low = np.maximum(np.floor(spread.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(spread.max(axis=0)).astype(int), [camera.size[1], camera.size[0]])
    radius = float(np.ptp(spread, axis=0).max()) / 3.8
    if (high - low > 1).all():
        _shade(canvas, camera, style, middle, turn, low, high)
    return RenderedDie(value, (float(top[0]), float(top[1])), lean != 0.0, radius)


CORNER = 0.9
"""Edges of a die between its middle and its corners, and a little more."""


def _shade(
    canvas: Image, camera: DiceCamera, style: DieStyle, middle: Array, turn: Array, low: Array, high: Array
) -> None:
    """Marches rays (2 x 2 a pixel) through the box of pixels and paints what they meet."""
    over = 2
    xs = (np.arange((high[0] - low[0]) * over) + 0.5) / over - 0.5 + low[0]
    ys = (np.arange((high[1] - low[1]) * over) + 0.5) / over - 0.5 + low[1]
    x, y = np.meshgrid(xs, ys)
    ray = camera.rays(x, y) @ turn
    origin = (camera.position - middle) @ turn
    # A die lies within a ball round its middle, so all other rays miss it.
    along = ray @ -origin
    met = (origin @ origin) - along**2 < CORNER**2
    hit, shaded = np.zeros(x.shape), np.zeros((*x.shape, 3))
    inside, colours = _surface(origin, ray[met], style, turn)
    hit[met], shaded[met] = inside, colours * inside[:, None]
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    alpha = cv2.resize(hit, size, interpolation=cv2.INTER_AREA)[..., None]
    paint = cv2.resize(shaded, size, interpolation=cv2.INTER_AREA)
    _shadow(canvas, camera, middle)
    part = canvas[low[1] : high[1], low[0] : high[0]]
    part[:] = np.clip(part * (1 - alpha) + paint, 0, 255).astype(np.uint8)


def _surface(origin: Array, ray: Array, style: DieStyle, turn: Array) -> tuple[Array, Array]:
    """Which rays (n, 3) from a point meet a die about 0 (n,; 1 or 0), and its colours there (n, 3)."""
    gone = np.full(len(ray), float(np.linalg.norm(origin)) - 1.0)
    begin, along = origin[:, None], np.ascontiguousarray(ray.T)
    for _ in range(18):
        gone += np.minimum(_distance(begin + along * gone, style), 1.0)
    seen = begin + along * gone
    point, hit = seen.T, _distance(seen, style) < 0.02
    normal = _normals(seen, style)
    colour = _painted(point, normal, style)
    lamp = np.array([0.45, 0.35, 0.82]) @ turn
    up = np.array([0.0, 0.0, 1.0]) @ turn
    light = 0.45 + 0.2 * (normal @ up) + 0.4 * np.maximum(normal @ lamp, 0)
    mirrored = ray - 2 * (ray * normal).sum(-1, keepdims=True) * normal
    shine = style.gloss * 255 * np.maximum(mirrored @ lamp, 0) ** 30
    return hit.astype(np.float64), np.asarray(np.clip(colour * light[..., None] + shine[..., None], 0, 255))


def _distance(point: Array, style: DieStyle) -> Array:
    """How far points (3, n) are from the surface; negative inside."""
    box = np.abs(point) - (0.5 - style.rounding)
    outside = _length(np.maximum(box, 0)) + np.minimum(box.max(axis=0), 0) - style.rounding
    ball = _length(point) - (0.866 - 1.6 * style.worn)
    return np.asarray(np.maximum(outside, ball))


def _length(point: Array) -> Array:
    """The distance of points (3, n) from 0."""
    x, y, z = point
    return np.asarray(np.sqrt(x * x + y * y + z * z))


def _normals(point: Array, style: DieStyle) -> Array:
    """The directions (n, 3) outwards at points (3, n)."""
    step = 1e-3
    moves = step * np.eye(3)[..., None]
    slope = np.stack([_distance(point + by, style) - _distance(point - by, style) for by in moves], -1)
    return np.asarray(slope / np.maximum(np.linalg.norm(slope, axis=-1, keepdims=True), 1e-9))


_FACES = ((2, 1, 1), (2, -1, 6), (1, 1, 2), (1, -1, 5), (0, 1, 3), (0, -1, 4))
"""Axis, sign and value of each face."""


def _painted(point: Array, normal: Array, style: DieStyle) -> Array:
    """The surface's own colour, pips included."""
    colour = np.ones((*point.shape[:-1], 3)) * np.array(style.body)
    axis = np.abs(normal).argmax(axis=-1)
    for k, sign, value in _FACES:
        face = (axis == k) & (np.sign(np.take(normal, k, axis=-1)) == sign)
        u, v = point[..., (k + 1) % 3], point[..., (k + 2) % 3]
        radius = style.pip_radius * (style.ace_scale if value == 1 else 1.0)
        for a, b in LATTICE[value]:
            inside = face & (np.hypot(u - a * style.spread, v - b * style.spread) < radius)
            colour[inside] = style.pips
    return np.asarray(colour)


def _shadow(canvas: Image, camera: DiceCamera, middle: Array) -> None:
    """Darkens the ground where the die keeps the lamp away."""
    angle = np.linspace(0, 2 * math.pi, 24, endpoint=False)
    foot = middle * np.array([1, 1, 0]) + np.stack([np.cos(angle), np.sin(angle), 0 * angle], -1) * 0.55
    cast = np.concatenate([foot, foot - np.array([0.4, 0.31, 0.0])])
    hull = cv2.convexHull(camera.project(cast).astype(np.float32)).astype(np.int32)
    mask = np.zeros(canvas.shape[:2], np.float32)
    cv2.fillConvexPoly(mask, hull, 0.45)
    x, y, w, h = cv2.boundingRect(hull)
    blur = max(1.0, 0.12 * w)
    grow = int(3 * blur)
    y0, y1, x0, x1 = max(0, y - grow), y + h + grow, max(0, x - grow), x + w + grow
    dark = cv2.GaussianBlur(mask[y0:y1, x0:x1], (0, 0), blur)
    if dark.size:
        part = canvas[y0:y1, x0:x1]
        part[:] = (part * (1 - dark[..., None])).astype(np.uint8)


def as_photographed(
    picture: Image, blur: float, noise: float, gain: Colour, rng: np.random.Generator
) -> Image:
    """The picture through a real lens and sensor: soft, tinted, noisy, compressed."""
    out = cv2.GaussianBlur(picture, (0, 0), blur) if blur > 0.2 else picture
    shown = np.clip(out * np.array(gain) + rng.normal(0, noise, out.shape), 0, 255).astype(np.uint8)
    ok, data = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, 88])
    assert ok
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def dice_photo(rng: np.random.Generator, count: int, size: tuple[int, int] = (720, 960),
               leaning: int = 0) -> tuple[Image, list[RenderedDie]]:  # fmt: skip
    """A photograph of `count` dice of one style, `leaning` of them cocked, and what it shows."""
    style = STYLES[str(rng.choice(sorted(STYLES)))]
    ground = table_top(size, str(rng.choice(["plain", "wood", "cloth", "mat"])), rng)
    camera = DiceCamera.at(float(rng.uniform(12, 24)), float(rng.uniform(0, math.radians(42))),
                       float(rng.uniform(-0.6, 0.6)), size)  # fmt: skip
    places: list[tuple[float, float]] = []
    while len(places) < count:
        reach = 0.25 * float(np.linalg.norm(camera.position))
        spot = (float(rng.uniform(-reach, reach)), float(rng.uniform(-reach, reach)))
        if all(math.dist(spot, other) > 1.6 for other in places):
            places.append(spot)
    far_first = sorted(places, key=lambda p: -float(np.linalg.norm(camera.position - np.array([*p, 0]))))
    dice = []
    for n, place in enumerate(far_first):
        value, yaw = int(rng.integers(1, 7)), float(rng.uniform(0, 2 * math.pi))
        lean = float(rng.uniform(0.45, 0.8)) if n < leaning else 0.0
        dice.append(draw_die(ground, camera, style, value, place, yaw, lean))
    gain = (float(rng.uniform(0.75, 1.1)), float(rng.uniform(0.85, 1.05)), float(rng.uniform(0.85, 1.1)))
    return as_photographed(ground, float(rng.uniform(0, 1.3)), float(rng.uniform(1, 5)), gain, rng), dice
