"""Lamps, shadows, glare and the sensor: what stands between a card and its picture.

The order of importance was measured on real photographs: exposure and white balance that differ from those
at enrolment, soft focus, glare that burns out, hard shadow edges, then noise and compression.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.art.draw.raster import Pixels
from companion.art.scene.tables import TABLES

Image = NDArray[Any]
"""A picture between two steps of OpenCV."""
Gain = NDArray[np.float32]
"""height x width x 3: what a surface's colour is multiplied by."""


@dataclass(frozen=True)
class Conditions:
    """One evening's light and camera.

    `exposure` multiplies everything; `balance` are the gains of blue, green and red; `gamma` bends the
    camera's curve (below 1 lifts the middle tones); `gradient` is how much darker (0 to 1) the far side of
    the lamp is; `shadow` how dark a hard-edged shadow is (0 = none) and `shadow_edge` its softness in pixels;
    `glare` the number of burnt-out patches; `blur` the focus in pixels of sigma; `noise` the sensor's
    deviation at mid-grey in levels; `jpeg` the quality (100 = not compressed). `worn` is how far the cards'
    print differs from the reference, 0 (same file) to 1 (another printer); more if colours are off as well.
    """

    table: str = "wood"
    exposure: float = 1.0
    balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    gradient: float = 0.0
    shadow: float = 0.0
    shadow_edge: float = 2.0
    glare: int = 0
    blur: float = 0.0
    noise: float = 0.0
    jpeg: int = 100
    worn: float = 0.0
    gamma: float = 1.0


def random_conditions(
    rng: np.random.Generator, hardness: float = 0.5, tables: tuple[str, ...] = tuple(TABLES)
) -> Conditions:
    """Conditions drawn at random; `hardness` 0 = a well-lit studio, 1 = a bad lamp and a bad camera."""
    warmth = rng.normal(0, 0.14) * (0.3 + hardness)
    return Conditions(
        table=tables[int(rng.integers(len(tables)))],
        exposure=float(np.exp(rng.normal(-0.05, 0.28 * hardness + 0.03))),
        balance=(float(np.exp(-warmth)), 1.0, float(np.exp(warmth * 0.8))),
        gradient=float(rng.uniform(0, 0.6) * hardness),
        shadow=float(rng.uniform(0.15, 0.55) * hardness * (rng.random() < 0.3 + 0.5 * hardness)),
        shadow_edge=float(rng.uniform(0.8, 9)),
        glare=int(rng.poisson(1.0 * hardness)),
        blur=float(rng.uniform(0.25, 0.5 + 0.9 * hardness)),
        noise=float(rng.uniform(0.8, 2 + 6 * hardness)),
        jpeg=int(rng.integers(round(93 - 14 * hardness), 96)),
        worn=float(rng.uniform(0.4, 1.0) * (0.4 + 0.6 * hardness)),
    )


def gain_map(width: int, height: int, conditions: Conditions, rng: np.random.Generator) -> Gain:
    """The light that falls on every pixel: lamp fall-off, shadow, exposure and white balance."""
    y, x = np.mgrid[0:height:8, 0:width:8].astype(np.float32)
    lamp = rng.uniform(0.1, 0.9, 2) * (width, height)
    distance = np.hypot(x - lamp[0], y - lamp[1]) / np.hypot(width, height)
    coarse = 1 - conditions.gradient * np.clip(distance * 1.3, 0, 1) ** 1.4
    light = cv2.resize(coarse.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    if conditions.shadow > 0:
        light = light * (1 - conditions.shadow * _shadow(width, height, conditions.shadow_edge, rng))
    balance = np.array(conditions.balance, np.float32) * conditions.exposure
    gain: Gain = light[..., None] * balance
    return gain


def glare_map(width: int, height: int, patches: int, rng: np.random.Generator) -> NDArray[np.float32] | None:
    """How much white every pixel of a glossy card gains, in levels: burnt-out cores with soft edges."""
    if patches == 0:
        return None
    small = (max(2, width // 4), max(2, height // 4))
    light = np.zeros((small[1], small[0]), np.float32)
    for _ in range(patches):
        middle = (int(rng.uniform(0, small[0])), int(rng.uniform(0, small[1])))
        axes = (int(rng.uniform(0.015, 0.06) * small[0]), int(rng.uniform(0.008, 0.03) * small[0]))
        patch = np.zeros_like(light)
        cv2.ellipse(patch, middle, axes, float(rng.uniform(0, 180)), 0, 360, float(rng.uniform(180, 420)), -1)
        light += cv2.GaussianBlur(patch, (0, 0), float(rng.uniform(0.008, 0.02) * small[0]))
    return np.asarray(cv2.resize(light, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def noise_bank(width: int, height: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Sensor noise of deviation 1, larger than the picture, from which every frame takes another window."""
    grain = rng.standard_normal((height + 64, width + 64, 3), dtype=np.float32)
    return np.asarray(cv2.GaussianBlur(grain, (0, 0), 0.55) * 1.5, np.float32)


def developed(
    lit: Pixels, conditions: Conditions, bank: NDArray[np.float32], rng: np.random.Generator
) -> Pixels:
    """A lit picture through lens, sensor and encoder: focus, noise that grows with the light, JPEG."""
    picture: Image = lit
    if conditions.blur > 0.2:
        picture = cv2.GaussianBlur(picture, (0, 0), conditions.blur)
    if conditions.gamma != 1.0:
        levels = np.linspace(0, 1, 256) ** conditions.gamma * 255
        picture = cv2.LUT(picture, np.round(levels).astype(np.uint8))
    if conditions.noise > 0:
        top, left = (int(value) for value in rng.integers(0, 64, 2))
        height, width = picture.shape[:2]
        window = bank[top : top + height, left : left + width]
        spread = cv2.LUT(picture, _spread(conditions.noise))
        picture = cv2.add(picture, cv2.multiply(window, spread), dtype=cv2.CV_8U)
    if conditions.jpeg < 100:
        _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, conditions.jpeg])
        picture = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR))
    return np.asarray(picture, np.uint8)


def photographed(canvas: NDArray[np.float32], conditions: Conditions, rng: np.random.Generator) -> Pixels:
    """One picture of what lies there (height, width, 3; levels in even light): lit and developed."""
    height, width = canvas.shape[:2]
    gain = gain_map(width, height, conditions, rng)
    glare = glare_map(width, height, conditions.glare, rng)
    lit = canvas * gain if glare is None else canvas * gain + glare.reshape(height, width, -1)
    return developed(np.clip(lit, 0, 255).astype(np.uint8), conditions, noise_bank(width, height, rng), rng)


def _spread(noise: float) -> NDArray[np.float32]:
    """Deviation of the noise for each level: read noise and photon noise, `noise` at mid-grey."""
    levels = np.arange(256, dtype=np.float32)
    return np.asarray(noise * np.sqrt(0.3 + 0.7 * levels / 128), np.float32)


def _shadow(width: int, height: int, edge: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """1 in the shadow of something with a straight or a round edge, 0 in the light."""
    mask = np.zeros((height, width), np.float32)
    if rng.random() < 0.5:
        angle, middle = rng.uniform(0, 2 * np.pi), rng.uniform(0.25, 0.75, 2) * (width, height)
        along, away = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        far = 3.0 * width
        corners = [
            middle - along * far,
            middle + along * far,
            middle + along * far + away * far,
            middle - along * far + away * far,
        ]
        cv2.fillPoly(mask, [np.array(corners, np.int32)], 1.0)
    else:
        middle = rng.uniform(0, 1, 2) * (width, height)
        axes = rng.uniform(0.15, 0.4, 2) * width
        turn = float(rng.uniform(0, 180))
        cv2.ellipse(
            mask, (int(middle[0]), int(middle[1])), (int(axes[0]), int(axes[1])), turn, 0, 360, 1.0, -1
        )
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), max(0.6, edge)), np.float32)
