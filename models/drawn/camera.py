"""Cards laid into a picture and the camera that takes it: warping, shadows, light, lens, sensor, JPEG.

Everything is drawn in levels 0 to 255 as float32, blue green red, and only `taken` makes a photograph of it.
No picture of a card gets into a scene as it was enrolled: `aged` comes between (another light, another
print, other focus), because pasting the very pixels that were learned measures nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
Image = NDArray[np.uint8]
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class CameraModel:
    """One exposure.

    `exposure` multiplies everything, `balance` are the gains of blue, green and red, `gamma` bends the
    curve (1 = straight), `haze` lifts the blacks (0 to 1 of white: stray light, a cheap lens), `slope` is how
    much darker (0 to 1) one side is, `blur` the focus as sigma in pixels, `motion` the length of a shake in
    pixels, `noise` the sensor's deviation at mid-grey in levels (grains of `grain` pixels), `jpeg` the
    quality, `bend` the radial distortion of the lens.
    """

    exposure: float = 1.0
    balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    gamma: float = 1.0
    haze: float = 0.0
    slope: float = 0.0
    blur: float = 0.5
    motion: float = 0.0
    noise: float = 2.0
    grain: float = 0.6
    jpeg: int = 90
    bend: float = 0.0


def webcam(rng: Rng) -> CameraModel:
    """A laptop's camera in a room: soft, hazy, its white balance off, grainy, compressed."""
    cast = rng.normal(0, 0.07, 3)
    return CameraModel(
        exposure=float(np.exp(rng.normal(-0.05, 0.16))),
        balance=(float(np.exp(cast[0])), float(np.exp(0.05 + cast[1])), float(np.exp(cast[2]))),
        gamma=float(np.exp(rng.normal(0, 0.13))),
        haze=float(rng.uniform(0.02, 0.14)),
        slope=float(rng.uniform(0, 0.3)),
        blur=float(rng.uniform(0.8, 2.4)),
        motion=float(rng.uniform(3, 9)) if rng.random() < 0.35 else 0.0,
        noise=float(rng.uniform(2, 6)),
        grain=float(rng.uniform(0.6, 1.2)),
        jpeg=int(rng.integers(60, 92)),
    )


def phone(rng: Rng) -> CameraModel:
    """A telephone held over a table in the evening."""
    warmth = float(rng.normal(0.02, 0.08))
    return CameraModel(
        exposure=float(np.exp(rng.normal(-0.02, 0.14))),
        balance=(float(np.exp(-warmth)), 1.0, float(np.exp(warmth))),
        gamma=float(np.exp(rng.normal(0, 0.1))),
        haze=float(rng.uniform(0, 0.04)),
        slope=float(rng.uniform(0, 0.35)),
        blur=float(rng.uniform(0.4, 1.1)),
        motion=float(rng.uniform(2, 4)) if rng.random() < 0.15 else 0.0,
        noise=float(rng.uniform(1, 4)),
        jpeg=int(rng.integers(80, 94)),
        bend=float(rng.normal(0, 0.015)),
    )


def aged(card: Image, rng: Rng, strength: float = 1.0) -> Floats:
    """The card as another camera saw it: colour curve, balance, uneven light, a little softer. `strength` 0
    leaves it as it is, 1 is as different as two photographs of the same card by other people are."""
    gamma = float(np.exp(rng.normal(0, 0.16 * strength)))
    gains = np.exp(rng.normal(0, 0.055 * strength, 3)) * float(np.exp(rng.normal(0, 0.1 * strength)))
    height, width = card.shape[:2]
    coarse = rng.normal(1, 0.03 * strength, (4, 3)).astype(np.float32)
    tone = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    haze = float(rng.uniform(0, 0.07) * strength)
    curve = (np.arange(256)[:, None] / 255.0) ** gamma * gains * (1 - haze) * 255.0
    picture = (
        cv2.multiply(cv2.LUT(card, curve.astype(np.float32)[None]), cv2.merge([tone] * 3)) + haze * 255.0
    )
    part = 1.0 - float(rng.uniform(0.0, 0.4)) * strength
    small = cv2.resize(
        picture, (max(8, round(width * part)), max(8, round(height * part))), interpolation=cv2.INTER_AREA
    )
    return np.asarray(np.clip(cv2.resize(small, (width, height)), 0, 255), np.float32)


def reference(card: Image, rng: Rng, width: int = 300) -> Image:
    """The card as an owner enrolled it: photographed in other light, cut out a little carelessly."""
    height = round(width * card.shape[0] / card.shape[1])
    slip = rng.normal(0, 0.005, (4, 2)) * (width, height)
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    whole = np.array(
        [[0, 0], [card.shape[1], 0], [card.shape[1], card.shape[0]], [0, card.shape[0]]], np.float32
    )
    matrix = cv2.getPerspectiveTransform(whole, (frame + slip).astype(np.float32))
    soft = cv2.GaussianBlur(aged(card, rng), (0, 0), max(0.3, 0.42 * card.shape[1] / width))
    picture = cv2.warpPerspective(soft, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    camera = replace(phone(rng), bend=0.0, slope=0.08, blur=float(rng.uniform(0.3, 0.8)), jpeg=92, motion=0.0)
    return taken(np.asarray(picture, np.float32), camera, rng)


def quad_at(
    centre: tuple[float, float],
    width: float,
    aspect: float,
    degrees: float,
    tilt: float = 0.0,
    way: float = 0.0,
) -> Floats:
    """Corners of a card `width` pixels wide round `centre`, turned clockwise, then leaning away from the
    camera by `tilt` degrees about the picture axis `way` degrees from the horizontal."""
    turn, lean, axis = math.radians(degrees), math.radians(tilt), math.radians(way)
    half = np.array([[-0.5, -aspect / 2], [0.5, -aspect / 2], [0.5, aspect / 2], [-0.5, aspect / 2]]) * width
    flat = half @ np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    along = np.array([math.cos(axis), math.sin(axis)])
    away = np.array([-math.sin(axis), math.cos(axis)])
    a, b = flat @ along, flat @ away
    depth = 1.0 + b * math.sin(lean) / (5.0 * width)
    points = (a / depth)[:, None] * along + (b * math.cos(lean) / depth)[:, None] * away
    return np.asarray(points + centre, np.float32)


def lay(
    canvas: Floats,
    card: Floats,
    quad: Floats,
    *,
    shadow: float = 0.3,
    reach: float = 4.0,
    radius: float = 0.05,
) -> Floats:
    """Draws the card into the four corners, its own corners rounded by `radius` widths, with a soft shadow
    `reach` pixels wide; in place. Returns the card's coverage of the canvas, 0 to 1."""
    height, width = canvas.shape[:2]
    coverage = np.zeros((height, width), np.float32)
    pad = int(4 * reach + 6)
    left, top = np.maximum(np.floor(quad.min(axis=0)).astype(int) - pad, 0)
    right, bottom = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + pad, (width, height))
    if right - left < 2 or bottom - top < 2:
        return coverage
    size = (int(right - left), int(bottom - top))
    wide = max(float(np.linalg.norm(quad[1] - quad[0])), float(np.linalg.norm(quad[2] - quad[3])))
    tall = max(float(np.linalg.norm(quad[3] - quad[0])), float(np.linalg.norm(quad[2] - quad[1])))
    part = min(1.0, 1.15 * max(wide / card.shape[1], tall / card.shape[0]))
    fit = (max(4, round(card.shape[1] * part)), max(4, round(card.shape[0] * part)))
    small = cv2.resize(card, fit, interpolation=cv2.INTER_AREA)
    frame = np.array([[0, 0], [fit[0], 0], [fit[0], fit[1]], [0, fit[1]]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(frame, (quad - (left, top)).astype(np.float32))
    face = cv2.warpPerspective(small, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpPerspective(rounded(fit, radius), matrix, size, flags=cv2.INTER_LINEAR)[..., None]
    window = canvas[top:bottom, left:right]
    if shadow > 0:
        slide = np.array([[1, 0, 0.6 * reach], [0, 1, 0.7 * reach]], np.float32)
        shade = cv2.GaussianBlur(cv2.warpAffine(cover[..., 0], slide, size), (0, 0), max(0.8, 0.6 * reach))
        window *= 1.0 - shadow * shade[..., None]
    window += (face - window) * cover
    coverage[top:bottom, left:right] = cover[..., 0]
    return coverage


def rounded(size: tuple[int, int], radius: float) -> Floats:
    """1 inside a card of (width, height) pixels with corners rounded by `radius` widths, else 0."""
    width, height = size
    mask = np.zeros((height * 4, width * 4), np.uint8)
    r = max(1, round(radius * width * 4))
    cv2.rectangle(mask, (r, 0), (4 * width - 1 - r, 4 * height - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (4 * width - 1, 4 * height - 1 - r), 255, -1)
    for x in (r, 4 * width - 1 - r):
        for y in (r, 4 * height - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA) / np.float32(255), np.float32)


def taken(canvas: Floats, camera: CameraModel, rng: Rng) -> Image:
    """The photograph: light and curve, then lens and shake, then noise and JPEG."""
    height, width = canvas.shape[:2]
    light = camera.exposure * _slope(height, width, camera.slope, rng)
    picture: Any = cv2.multiply(canvas, light, dtype=cv2.CV_8U)
    if camera.bend:
        picture = _bent(picture, camera.bend)
    if camera.blur > 0.2:
        picture = cv2.GaussianBlur(picture, (0, 0), camera.blur)
    if camera.motion > 1:
        picture = cv2.filter2D(picture, -1, _shake(camera.motion, rng), borderType=cv2.BORDER_REPLICATE)
    curve = (np.arange(256)[:, None] / 255.0) ** camera.gamma * np.asarray(camera.balance)
    levels = np.clip((camera.haze + curve * (1 - camera.haze)) * 255.0, 0, 255).astype(np.float32)
    picture = cv2.LUT(picture, levels[None])
    if camera.noise > 0:
        grain = rng.standard_normal((height, width, 3), dtype=np.float32)
        if camera.grain > 0.3:
            grain = cv2.GaussianBlur(grain, (0, 0), camera.grain)
            grain *= 1.0 / max(1e-3, float(grain[::4, ::4].std()))
        spread = np.sqrt(0.3 + 0.7 / 128.0 * picture) * np.float32(camera.noise)
        picture = cv2.add(picture, cv2.multiply(grain, spread))
    pixels = cv2.convertScaleAbs(cv2.max(picture, 0.0))
    coded = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, camera.jpeg])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def _slope(height: int, width: int, strength: float, rng: Rng) -> Floats:
    """Light that falls off across the picture, 1 - strength to 1 (height, width, 3)."""
    angle = float(rng.uniform(0, 2 * math.pi))
    y, x = np.linspace(-0.5, 0.5, 32)[:, None], np.linspace(-0.5, 0.5, 32)
    ramp = np.clip(x * math.cos(angle) + y * math.sin(angle) + 0.5, 0, 1).astype(np.float32)
    light = cv2.resize(1.0 - strength * ramp, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.merge([light] * 3), np.float32)


def _bent(picture: Any, bend: float) -> Any:
    height, width = picture.shape[:2]
    y, x = np.mgrid[0 : height + 8 : 8, 0 : width + 8 : 8].astype(np.float32)
    u, v = x - width / 2, y - height / 2
    factor = bend * (u * u + v * v) * (2 / width) ** 2
    size = (8 * x.shape[1], 8 * x.shape[0])
    # resize takes the coarse values for middles of 8 x 8 pixels, they are those of their first pixels.
    shift = np.array([[1, 0, -3.5], [0, 1, -3.5]], np.float32)
    maps = []
    for offset, base in ((u * factor, np.arange(width)[None, :]), (v * factor, np.arange(height)[:, None])):
        fine = cv2.warpAffine(
            cv2.resize(offset, size), shift, (width, height), borderMode=cv2.BORDER_REPLICATE
        )
        maps.append((fine + base).astype(np.float32))
    return cv2.remap(picture, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def _shake(length: float, rng: Rng) -> Floats:
    """The point spread of a hand that moved `length` pixels in a straight line."""
    size = 2 * math.ceil(length / 2) + 3
    kernel = np.zeros((size, size), np.float32)
    angle = float(rng.uniform(0, math.pi))
    reach = np.array([math.cos(angle), math.sin(angle)]) * length / 2
    a, b = (np.round((size / 2 - 0.5 + sign * reach) * 16).astype(int) for sign in (-1, 1))
    cv2.line(kernel, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(kernel / kernel.sum(), np.float32)


def glare(canvas: Floats, where: Floats, patches: int, rng: Rng, *, size: float = 100.0) -> None:
    """Lamps mirrored in what is glossy (`where`, 0 to 1): burnt-out cores with soft edges, in place.

    `size` is about half the length of the longest patch in pixels.
    """
    height, width = canvas.shape[:2]
    light = np.zeros((height // 2, width // 2), np.float32)
    ys, xs = np.nonzero(where[::8, ::8] > 0.5)
    for _ in range(patches if len(xs) else 0):
        pick = int(rng.integers(len(xs)))
        middle = (int(xs[pick] * 4), int(ys[pick] * 4))
        axes = (int(size / 2 * rng.uniform(0.35, 1.0)), max(2, int(size / 2 * rng.uniform(0.12, 0.4))))
        patch = np.zeros_like(light)
        cv2.ellipse(patch, middle, axes, float(rng.uniform(0, 180)), 0, 360, float(rng.uniform(150, 400)), -1)
        light += cv2.GaussianBlur(patch, (0, 0), size * float(rng.uniform(0.05, 0.16)))
    shine = cv2.resize(light, (width, height), interpolation=cv2.INTER_LINEAR) * where
    canvas += shine[..., None]
    np.clip(canvas, 0, 255, out=canvas)
