"""Fingers that hold a card before the camera: rounded, lit from a side, creased, with nails and a shadow.

Proportions: a bridge-sized card is 56 mm wide, a finger 15 to 18 mm, a thumb 19 to 23 mm; so a finger hides
0.26 to 0.33 of the card's width and a thumb 0.33 to 0.41.
"""

from __future__ import annotations

import math
from itertools import pairwise

import cv2
import numpy as np

from models.drawn.camera import Floats, Rng
from models.drawn.games import clouds
from models.drawn.rooms import SKINS


class Skin:
    """One person's skin in this light."""

    def __init__(self, rng: Rng, size: tuple[int, int]) -> None:
        tone = np.array(SKINS[int(rng.integers(len(SKINS)))], np.float32) * rng.uniform(0.7, 1.05)
        blotches = clouds(size[0], size[1], rng, 0.8, 10)[..., None]
        self.picture = np.asarray(tone * (0.9 + 0.2 * blotches), np.float32)
        self.nail = np.asarray(tone * (1.06, 1.08, 1.1) + (14, 14, 18), np.float32)
        self.light = float(rng.uniform(0, 2 * math.pi))


def grip_behind(canvas: Floats, quad: Floats, skin: Skin, rng: Rng) -> tuple[int, Floats]:
    """The parts of the hand that are behind the card: palm, wrist, fingers; in place. Returns the side of the
    card that it comes from (0 top, 1 right, 2 bottom, 3 left) and where the palm is."""
    side = int(rng.choice([1, 2, 2, 2, 3]))
    a, b = quad[side], quad[(side + 1) % 4]
    middle, out = (a + b) / 2, (a + b) / 2 - quad.mean(axis=0)
    width = float(np.linalg.norm(quad[1] - quad[0]))
    out = out / max(1.0, float(np.linalg.norm(out)))
    along = np.array([-out[1], out[0]], np.float32)
    palm = middle + out * width * 0.55 + along * width * float(rng.normal(0, 0.15))
    arm = palm + (out + along * float(rng.normal(0, 0.4)) + (0, 0.5)) * width * 4
    _limb(canvas, [(palm + out * width * 0.2, 0.44 * width), (arm, 0.5 * width)], skin)
    _limb(canvas, [(middle - out * width * 0.2, 0.5 * width), (palm, 0.62 * width)], skin)
    for _ in range(int(rng.integers(1, 4))):
        start = middle + along * width * float(rng.uniform(-0.5, 0.5))
        tip = start - out * width * float(rng.uniform(0.2, 1.1)) + along * width * float(rng.normal(0, 0.45))
        finger(
            canvas,
            np.asarray((start + palm) / 2, np.float32),
            tip,
            width * float(rng.uniform(0.13, 0.17)),
            skin,
            rng,
            nail=False,
        )
    return side, np.asarray(palm, np.float32)


def grip_before(
    canvas: Floats,
    quad: Floats,
    grip: tuple[int, Floats],
    skin: Skin,
    rng: Rng,
    *,
    fingers: int | None = None,
) -> Floats:
    """A thumb that reaches over the card from the palm and fingertips bent round its edges from behind, in
    place; `grip` is what `grip_behind` returned. Returns what they hide of the picture, 0 to 1."""
    side, palm = grip
    width = float(np.linalg.norm(quad[1] - quad[0]))
    hidden = np.zeros(canvas.shape[:2], np.float32)
    count = int(rng.choice([1, 1, 2, 2, 3, 4])) if fingers is None else fingers
    for index in range(count):
        thumb = index == 0
        edge = side if thumb else (side + int(rng.choice([1, 2, 3, 3, 1]))) % 4
        a, b = quad[edge], quad[(edge + 1) % 4]
        at = a + (b - a) * float(
            rng.choice([rng.uniform(0, 0.2), rng.uniform(0.2, 0.8), rng.uniform(0.8, 1.0)])
        )
        inward = quad.mean(axis=0) - (a + b) / 2
        inward = inward / max(1.0, float(np.linalg.norm(inward)))
        turn = float(rng.normal(0, 0.45))
        inward = np.array(
            [
                inward[0] * math.cos(turn) - inward[1] * math.sin(turn),
                inward[0] * math.sin(turn) + inward[1] * math.cos(turn),
            ]
        )
        deep = float(rng.uniform(0.25, 0.75) if thumb else rng.uniform(0.12, 0.4)) * width
        half = float(rng.uniform(0.16, 0.21) if thumb else rng.uniform(0.13, 0.165)) * width
        root = (at + palm) / 2 - inward * 0.3 * width if thumb else at - inward * width * 0.08
        hidden = np.maximum(
            hidden, finger(canvas, root, at + inward * deep, half, skin, rng, nail=rng.random() < 0.75)
        )
    return hidden


def finger(
    canvas: Floats, root: Floats, tip: Floats, half: float, skin: Skin, rng: Rng, *, nail: bool
) -> Floats:
    """A finger from `root` to its end at `tip`, `half` its thickness; in place. Returns its coverage."""
    way = tip - root
    length = max(1.0, float(np.linalg.norm(way)))
    way = way / length
    across = np.array([-way[1], way[0]])
    bow = across * half * float(rng.normal(0, 0.3))
    knuckle = root + way * length * 0.55 + bow
    end = tip - way * half * 0.9
    mask = _limb(canvas, [(root, half * 1.12), (knuckle, half * 1.06), (end, half * 0.88)], skin)
    for part, weight in ((0.5, 0.25), (0.56, 0.2), (0.78, 0.18)):
        spot = root + way * length * part + bow * 0.8
        _crease(canvas, spot, across * half * 0.75, weight, half, mask)
    if nail:
        _nail(canvas, tip - way * half * 0.75, way, half, skin, mask)
    return mask


def _limb(canvas: Floats, joints: list[tuple[Floats, float]], skin: Skin) -> Floats:
    """Discs along a line and what is between them, shaded as something round; in place."""
    height, width = canvas.shape[:2]
    solid = np.zeros((height, width), np.uint8)
    for (a, ra), (b, rb) in pairwise(joints):
        ring = np.linspace(0, 2 * math.pi, 24, endpoint=False)
        circle = np.c_[np.cos(ring), np.sin(ring)]
        points = np.r_[circle * ra + a, circle * rb + b].astype(np.float32)
        cv2.fillPoly(solid, [np.round(cv2.convexHull(points) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    if not solid.any():
        return np.zeros((height, width), np.float32)
    thick = max(r for _, r in joints)
    depth = cv2.distanceTransform((solid > 127).astype(np.uint8), cv2.DIST_L2, 3) / thick
    relief = np.sqrt(np.clip(1 - (1 - np.clip(depth, 0, 1)) ** 2, 0, 1)).astype(np.float32)
    relief = cv2.GaussianBlur(relief, (0, 0), max(0.8, 0.12 * thick))
    lean = cv2.Sobel(relief, cv2.CV_32F, 1, 0) * math.cos(skin.light) + cv2.Sobel(
        relief, cv2.CV_32F, 0, 1
    ) * math.sin(skin.light)
    shade = 0.55 + 0.48 * relief + np.clip(lean * thick * 0.09, -0.22, 0.22)
    slide = np.array([[1, 0, 0.14 * thick], [0, 1, 0.2 * thick]], np.float32)
    cast = cv2.GaussianBlur(cv2.warpAffine(solid, slide, (width, height)), (0, 0), max(1.0, 0.2 * thick))
    canvas *= 1 - 0.38 * (cast.astype(np.float32) / 255)[..., None]
    mask = cv2.GaussianBlur(solid, (0, 0), 0.7).astype(np.float32) / 255
    warm = 1 - (1 - shade[..., None]) * np.array([1.15, 1.05, 0.85], np.float32)
    canvas += (skin.picture * warm - canvas) * mask[..., None]
    np.clip(canvas, 0, 255, out=canvas)
    return np.asarray(mask, np.float32)


def _crease(canvas: Floats, at: Floats, reach: Floats, weight: float, half: float, mask: Floats) -> None:
    line = np.zeros(canvas.shape[:2], np.float32)
    a, b = at - reach, at + reach
    cv2.line(line, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), 1.0, max(1, int(0.08 * half)), cv2.LINE_AA)
    line = cv2.GaussianBlur(line, (0, 0), max(0.6, 0.06 * half)) * mask
    canvas *= 1 - weight * np.clip(line, 0, 1)[..., None]


def _nail(canvas: Floats, at: Floats, way: Floats, half: float, skin: Skin, mask: Floats) -> None:
    plate = np.zeros(canvas.shape[:2], np.float32)
    turn = math.degrees(math.atan2(float(way[1]), float(way[0])))
    axes = (max(1, int(0.62 * half)), max(1, int(0.48 * half)))
    cv2.ellipse(plate, (int(at[0]), int(at[1])), axes, turn, 0, 360, 1.0, -1, cv2.LINE_AA)
    rim = cv2.GaussianBlur(plate, (0, 0), 0.05 * half + 0.5)
    plate = cv2.erode(rim, np.ones((3, 3), np.uint8)) * mask
    canvas *= 1 - 0.18 * (rim * mask)[..., None]
    canvas += (skin.nail - canvas) * (0.65 * plate)[..., None]
