"""Light and cheap cameras for composites: exposure, colour cast, pale colours, haze, blur, noise, JPEG,
and fingers."""

from __future__ import annotations

import math
from itertools import pairwise

import cv2
import numpy as np

from companion.vision.image.picture import Floats, Image

Rng = np.random.Generator
GREY = np.array([0.114, 0.587, 0.299], np.float32)
POOR = 0.35
"""Share of pictures by a poor webcam: pale colours, a veil, a wrong white balance, more noise."""


def lit(card: Floats, rng: Rng) -> Floats:
    """A card (rows, columns, 3) under a lamp: an uneven brightness, sometimes a veil or a reflection."""
    rows, columns = card.shape[:2]
    field = cv2.resize(rng.normal(1.0, 0.1, (2, 2)).astype(np.float32), (columns, rows))
    card = card * field[..., None]
    if rng.random() < 0.25:  # a sleeve: the darkest becomes grey
        veil = float(rng.uniform(0.03, 0.25))
        card = card * (1 - veil) + 255.0 * veil * float(rng.uniform(0.4, 1.0))
    if rng.random() < 0.15:
        y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
        at = rng.uniform(0, 1, 2) * (columns, rows)
        radius = float(rng.uniform(0.1, 0.35)) * columns
        spot = np.exp(-(((x - at[0]) / radius) ** 2 + ((y - at[1]) / (radius * rng.uniform(0.5, 2.5))) ** 2))
        card = card + 255.0 * float(rng.uniform(0.3, 1.1)) * spot[..., None]
    if rng.random() < 0.2:  # the edge of a shadow
        turn, where = rng.uniform(0, 2 * math.pi), rng.uniform(-0.4, 0.4)
        y, x = np.mgrid[0:rows, 0:columns].astype(np.float32) / np.float32(columns) - np.float32(0.5)
        side = 1.0 / (
            1.0 + np.exp(-(x * math.cos(turn) + y * math.sin(turn) - where) * float(rng.uniform(8, 60)))
        )
        card = card * (1.0 - float(rng.uniform(0.2, 0.6)) * side)[..., None]
    return np.asarray(card, np.float32)


def photographed(picture: Floats, rng: Rng, *, finest: float = 1.0, coarsest: float = 0.35) -> Image:
    """What a cheap camera makes of a picture. `finest` and `coarsest`: range of the factor by which it is
    shrunk and enlarged again."""
    picture = picture * float(np.exp(rng.normal(-0.15, 0.25)))
    poor = rng.random() < POOR
    cast = np.exp(rng.normal(0, 0.18 if poor else 0.11, 3))
    cast[1] = math.exp(float(rng.normal(0.02, 0.07)))
    picture = picture * cast.astype(np.float32)
    grey = (picture @ GREY)[..., None]
    saturation = rng.uniform(0.2, 0.65) if poor else np.exp(rng.normal(-0.25, 0.4))
    picture = grey + (picture - grey) * float(saturation)
    if poor:  # light scattered in the lens: pale, with little contrast
        veil = float(rng.uniform(0.08, 0.4))
        picture = picture * (1 - veil) + veil * 255.0 * float(rng.uniform(0.5, 1.0))
    elif rng.random() < 0.3:
        haze = float(rng.uniform(0.02, 0.25))
        picture = picture * (1 - haze) + haze * rng.uniform(60, 230, 3).astype(np.float32)
    picture = 255.0 * np.clip(picture / 255.0, 0, 1) ** np.float32(np.exp(rng.normal(0, 0.2)))
    picture = blurred(np.asarray(picture, np.float32), rng, finest, coarsest)
    if rng.random() < 0.7:
        most = 16.0 if poor else 9.0
        picture = picture + rng.standard_normal(picture.shape, np.float32) * np.float32(
            rng.uniform(0.5, most)
        )
    image = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        image = _soft_colours(image, float(rng.uniform(0.6, 2.0)))
    if rng.random() < 0.4:
        coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 95))])[1]
        image = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    return np.asarray(image, np.uint8)


def blurred(picture: Floats, rng: Rng, finest: float, coarsest: float) -> Floats:
    """Out of focus, moved, sharpened or of few pixels."""
    rows, columns = picture.shape[:2]
    kind = rng.random()
    if kind < 0.3:
        picture = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.3, 1.6))).astype(np.float32)
    elif kind < 0.45:
        length = int(rng.integers(2, 6))
        kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
        turn = rng.uniform(0, math.pi)
        reach = 0.5 * length * np.array([math.cos(turn), math.sin(turn)])
        ends = [tuple(round(float(v)) for v in length + side * reach) for side in (-1, 1)]
        cv2.line(kernel, ends[0], ends[1], 1.0, 1)
        picture = cv2.filter2D(picture, -1, kernel / kernel.sum()).astype(np.float32)
    if rng.random() < 0.6:
        factor = float(np.exp(rng.uniform(math.log(coarsest), math.log(finest))))
        small = cv2.resize(
            picture, (max(8, int(columns * factor)), max(8, int(rows * factor))), interpolation=cv2.INTER_AREA
        )
        picture = cv2.resize(small, (columns, rows), interpolation=cv2.INTER_LINEAR).astype(np.float32)
    if rng.random() < 0.25:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        picture = (picture + float(rng.uniform(0.3, 1.2)) * (picture - soft)).astype(np.float32)
    return picture


def _soft_colours(image: Image, sigma: float) -> Image:
    """Colours blurred, light kept, as JPEG and video do."""
    parts = cv2.cvtColor(image, cv2.COLOR_BGR2YCrCb)
    parts[..., 1:] = cv2.GaussianBlur(parts[..., 1:], (0, 0), sigma)
    return np.asarray(cv2.cvtColor(parts, cv2.COLOR_YCrCb2BGR), np.uint8)


class FingerSkin:
    """A person's skin, or a glove, in this light."""

    def __init__(self, rng: Rng) -> None:
        light = np.array((175, 205, 240), np.float32)
        dark = np.array((38, 52, 84), np.float32)
        share = float(rng.uniform(0, 1))
        self.tone = (light * (1 - share) + dark * share) * rng.uniform(0.85, 1.15, 3).astype(np.float32)
        if rng.random() < 0.06:
            self.tone = rng.uniform(10, 240, 3).astype(np.float32)
        turn = float(rng.uniform(0, 2 * math.pi))
        self.light = np.array([math.cos(turn), math.sin(turn)], np.float32)
        self.relief = float(rng.uniform(0.2, 0.6))


def finger(canvas: Floats, root: Floats, tip: Floats, half: float, skin: FingerSkin, rng: Rng) -> Floats:
    """Draws a finger from `root` to `tip`, `half` its thickness, in place; returns what it hides, 0 to 1."""
    rows, columns = canvas.shape[:2]
    way = tip - root
    length = max(1.0, float(np.linalg.norm(way)))
    way = way / length
    bow = np.array([-way[1], way[0]]) * half * float(rng.normal(0, 0.35))
    joints = (
        (root, 1.15 * half),
        (root + 0.55 * way * length + bow, 1.05 * half),
        (tip - way * half, 0.9 * half),
    )
    solid = np.zeros((rows, columns), np.uint8)
    ring = np.linspace(0, 2 * math.pi, 16, endpoint=False)
    circle = np.c_[np.cos(ring), np.sin(ring)]
    for (a, ra), (b, rb) in pairwise(joints):
        points = np.r_[circle * ra + a, circle * rb + b].astype(np.float32)
        cv2.fillConvexPoly(solid, np.round(cv2.convexHull(points) * 8).astype(np.int32), 255, cv2.LINE_AA, 3)
    if not solid.any():
        return np.zeros((rows, columns), np.float32)
    depth = np.clip(cv2.distanceTransform((solid > 127).astype(np.uint8), cv2.DIST_L2, 3) / half, 0, 1)
    relief = cv2.GaussianBlur(np.sqrt(1 - (1 - depth) ** 2).astype(np.float32), (0, 0), max(0.6, 0.12 * half))
    slope = (
        cv2.Sobel(relief, cv2.CV_32F, 1, 0) * skin.light[0]
        + cv2.Sobel(relief, cv2.CV_32F, 0, 1) * skin.light[1]
    )
    shade = 1 - skin.relief + skin.relief * relief + np.clip(0.08 * half * slope, -0.2, 0.2)
    mask = cv2.GaussianBlur(solid, (0, 0), 0.6).astype(np.float32) / 255.0
    if rng.random() < 0.7:
        move = np.array([[1, 0, 0.2 * half * rng.normal()], [0, 1, 0.25 * half]], np.float32)
        cast = cv2.GaussianBlur(cv2.warpAffine(mask, move, (columns, rows)), (0, 0), max(0.8, 0.25 * half))
        canvas *= 1 - float(rng.uniform(0.1, 0.5)) * cast[..., None]
    skin_picture = skin.tone * shade[..., None]
    if rng.random() < 0.7:
        at = tip - way * half * 0.8
        nail = np.zeros((rows, columns), np.float32)
        axes = (max(1, int(0.6 * half)), max(1, int(0.45 * half)))
        cv2.ellipse(
            nail,
            (int(at[0]), int(at[1])),
            axes,
            math.degrees(math.atan2(way[1], way[0])),
            0,
            360,
            0.6,
            -1,
            cv2.LINE_AA,
        )
        skin_picture = skin_picture + nail[..., None] * (0.1 * skin.tone + 14)
    canvas += (skin_picture - canvas) * mask[..., None]
    np.clip(canvas, 0, 255, out=canvas)
    return mask


def fingers_over(canvas: Floats, quad: Floats, rng: Rng, count: int) -> Floats:
    """Draws fingers that reach over a card's edges, in place; returns what they hide, 0 to 1."""
    skin = FingerSkin(rng)
    width = 0.5 * float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3]))
    hidden = np.zeros(canvas.shape[:2], np.float32)
    side = int(rng.choice([0, 1, 1, 2, 2, 2, 2, 3, 3]))
    from_left = rng.random() < 0.5
    for index in range(count):
        edge = side if index < 3 or rng.random() < 0.5 else (side + 2) % 4
        a, b = quad[edge], quad[(edge + 1) % 4]
        along = float(rng.beta(0.9, 0.9))
        at = a + (b - a) * along
        inward = quad.mean(axis=0) - (a + b) / 2
        inward = inward / max(1.0, float(np.linalg.norm(inward)))
        across = np.array([-inward[1], inward[0]]) * (1 if from_left else -1)
        lean = float(rng.normal(0.35, 0.5))
        inward = inward * math.cos(lean) + across * math.sin(lean)
        deep = float(rng.uniform(0.1, 0.8)) * width
        half = float(rng.uniform(0.11, 0.2)) * width
        hidden = np.maximum(
            hidden,
            finger(
                canvas,
                at - inward * width * float(rng.uniform(0.5, 1.2)),
                at + inward * deep,
                half,
                skin,
                rng,
            ),
        )
    return hidden
