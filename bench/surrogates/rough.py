"""Drawn pictures that are rougher than those of bench.surrogates, so that limits do not fit only those.

A game of many frames with rich, dark and shiny pictures, in sleeves that veil and burn out, tapped, turned
and stacked, learned from photographs through sleeves; and cards held before webcams that smear, sharpen, comb
and letterbox, in hands that wear gloves and cuffs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np

from models.drawn import games
from models.drawn.camera import (
    CameraModel,
    Floats,
    Image,
    Rng,
    aged,
    glare,
    lay,
    phone,
    quad_at,
    reference,
    taken,
    webcam,
)
from models.drawn.games import HEIGHT, WIDTH, clouds, hue, lettering, word
from models.drawn.hands import Skin, grip_before, grip_behind
from models.drawn.rooms import playmat, room

GAME = 11
"""The seed of the game of many frames."""
FRAMES = 6
"""Frames of one game; each is that of every so manieth card."""
GLOVED, CUFFED = 0.2, 0.35
"""How often the hand wears a glove, and how often a cuff is seen."""


@lru_cache(maxsize=64)
def rich_card(number: int, game: int = GAME) -> Image:
    """Card `number` of a trading game: one of several frames, a detailed picture, a title, some text."""
    rng = np.random.default_rng([game, number, 6])
    card = _rich_frame(game, number % FRAMES).copy()
    whole = rng.random() < 0.12
    top, bottom = (24, HEIGHT - 36) if whole else (92, 379)
    left = 24 if whole else 48
    art = _rich_painting(WIDTH - 2 * left, bottom - top, rng)
    card[top:bottom, left : WIDTH - left] = art
    if whole:
        for first, last in ((40, 82), (440, 622)):
            bar = card[first:last, 38 : WIDTH - 38]
            bar[:] = (0.35 * bar + 0.65 * np.array(hue(number / 7, 0.1, 0.85))).astype(np.uint8)
    ink = (24.0, 20.0, 20.0)
    lettering(card, " ".join(word(rng) for _ in range(int(rng.integers(1, 4))))[:22], 48, 70, 17, ink, font=1)
    for index in range(int(rng.integers(1, 5))):
        centre = (WIDTH - 58 - 26 * index, 61)
        cv2.circle(card, centre, 11, hue(float(rng.integers(5)) / 5, 0.35, 0.85), -1, cv2.LINE_AA)
        lettering(card, str(int(rng.integers(1, 7))), centre[0] - 6, 68, 13, ink, font=1)
    if not whole:
        lettering(card, word(rng, 3) + " " + word(rng), 48, 415, 15, ink, font=1)
    y = 466.0
    for _ in range(int(rng.integers(1, 8))):
        line = " ".join(word(rng).lower() for _ in range(9))
        lettering(card, line[: int(rng.integers(14, 38))], 50, y, 11, ink, font=1, weight=0.7)
        y += 21
    if rng.random() < 0.5:
        box = (WIDTH - 112, 606), (WIDTH - 36, 642)
        cv2.rectangle(card, *box, hue(number / 9, 0.2, 0.8), -1)
        cv2.rectangle(card, *box, ink, 2)
        text = f"{int(rng.integers(1, 9))}/{int(rng.integers(1, 9))}"
        lettering(card, text, WIDTH - 98, 633, 20, ink)
    return card


@lru_cache(maxsize=16)
def _rich_frame(game: int, kind: int) -> Image:
    """What every FRAMES-th card shares: border, stone, bars for title, kind and text."""
    rng = np.random.default_rng([game, kind, 78])
    card = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    card[:] = (16, 15, 14) if rng.random() < 0.8 else (222, 228, 230)
    own, dark = kind / FRAMES, float(rng.choice([0.25, 0.45, 0.7]))
    stone = 0.7 + 0.6 * clouds(WIDTH - 48, HEIGHT - 60, rng, 0.85, 12)[..., None]
    card[24 : HEIGHT - 36, 24 : WIDTH - 24] = np.clip(np.array(hue(own, 0.5, dark)) * stone, 0, 255)
    bar, paper = hue(own, 0.3, 0.7), hue(own + 0.05, 0.2, float(rng.uniform(0.55, 0.85)))
    for top, bottom, colour in ((40, 82, bar), (388, 428, bar), (440, 622, paper)):
        cv2.rectangle(card, (36, top), (WIDTH - 36, bottom), colour, -1)
        cv2.rectangle(card, (36, top), (WIDTH - 36, bottom), hue(own, 0.6, 0.15), 2, cv2.LINE_AA)
    cv2.rectangle(card, (46, 90), (WIDTH - 46, 380), hue(own, 0.6, 0.12), 3)
    return card


def _rich_painting(width: int, height: int, rng: Rng) -> Image:
    """A picture in which two are blended, full of fine strokes, often dark or of one tone."""
    one, other = (games.painting(404, 287, rng).astype(np.float32) for _ in range(2))
    mask = clouds(404, 287, rng, 0.7, 4)[..., None]
    canvas = one * mask + other * (1 - mask)
    fine = clouds(404, 287, rng, 0.95, 30)[..., None]
    canvas *= 0.82 + 0.36 * fine
    tone = np.array(hue(float(rng.random()), 0.5, 1.0), np.float32) / 255.0
    canvas *= 1 - float(rng.uniform(0, 0.7)) * (1 - tone)
    canvas *= float(rng.choice([0.45, 0.7, 1.0, 1.25]))
    big = cv2.resize(np.clip(canvas, 0, 255), (width, height), interpolation=cv2.INTER_CUBIC)
    return np.clip(big, 0, 255).astype(np.uint8)


def rich_reference(number: int, rng: Rng) -> Image:
    """The card as it was learned: photographed through a sleeve, not too well."""
    card = np.asarray(_veiled(rich_card(number).astype(np.float32), rng, 0.12), np.float32)
    return reference(np.clip(card, 0, 255).astype(np.uint8), rng, width=int(rng.integers(180, 300)))


def rich_mat(cards: Mapping[str, Image], rng: Rng) -> tuple[Image, list[tuple[str, Floats, float]]]:
    """Two to six cards of that game on a printed mat, loose, stacked or fanned, some tapped or turned round;
    the picture, and of each card label, corners and the part that can be seen."""
    width, height = ((1440, 1080), (1600, 1200), (1280, 960))[int(rng.integers(3))]
    canvas = playmat(width, height, rng)
    wide = float(rng.uniform(0.1, 0.2)) * width
    aspect, tilt, way = HEIGHT / WIDTH, float(rng.uniform(0, 35)), float(rng.normal(0, 25))
    names = list(cards)
    chosen = [names[int(i)] for i in rng.choice(len(names), int(rng.integers(2, 7)), replace=False)]
    sleeves = [
        hue(float(rng.random()), float(rng.uniform(0, 0.95)), float(rng.uniform(0.05, 0.95))) for _ in "ab"
    ]
    sleeved = rng.random() < 0.8
    base = float(rng.normal(0, 25) + rng.choice([0, 0, 0, 180]))
    places = _places(len(chosen), base, wide, rng)
    places += np.array([rng.uniform(0.3, 0.7) * width, rng.uniform(0.35, 0.65) * height], np.float32)
    gloss = np.zeros((height, width), np.float32)
    laid: list[tuple[str, Floats, Floats]] = []
    for label, at in zip(chosen, places, strict=True):
        at = np.clip(at, (0.08 * width, 0.1 * height), (0.92 * width, 0.9 * height))
        turn = base + float(rng.normal(0, 8)) + float(rng.choice([0, 0, 0, 0, 90, 180]))
        quad = quad_at((float(at[0]), float(at[1])), wide, aspect, turn, tilt, way)
        sleeve = sleeves[int(rng.random() < 0.25)] if sleeved else None
        cover = _in_sleeve(canvas, cards[label], quad, sleeve, rng)
        laid = [(name, corners, left * (1 - cover)) for name, corners, left in laid]
        laid.append((label, quad, cover))
        gloss = np.maximum(gloss, cover)
    shiny = np.asarray(np.maximum(gloss, 0.2), np.float32)
    glare(canvas, shiny, int(rng.poisson(2.2)), rng, size=wide * float(rng.uniform(0.3, 0.8)))
    seen = [
        (name, quad, min(1.0, float(left.sum()) / max(1.0, abs(float(cv2.contourArea(quad))))))
        for name, quad, left in laid
    ]
    camera = replace(
        phone(rng), jpeg=int(rng.integers(65, 94)), exposure=float(np.exp(rng.normal(-0.05, 0.18)))
    )
    return taken(canvas, camera, rng), seen


def _places(count: int, degrees: float, wide: float, rng: Rng) -> Floats:
    """Middles (count, 2) about 0 of cards that are stacked along their length, fanned, or loose."""
    turn = math.radians(degrees)
    down, right = np.array([-math.sin(turn), math.cos(turn)]), np.array([math.cos(turn), math.sin(turn)])
    kind, steps = int(rng.integers(3)), np.arange(count)[:, None] - (count - 1) / 2
    if kind == 0:
        places = steps * down * wide * float(rng.uniform(0.22, 0.6)) + rng.normal(0, 0.05 * wide, (count, 2))
    elif kind == 1:
        places = steps * (right + 0.2 * rng.normal() * down) * wide * float(rng.uniform(0.3, 0.8))
    else:
        places = np.cumsum(rng.normal(0, 0.6 * wide, (count, 2)), axis=0)
    return np.asarray(places - places.mean(axis=0), np.float32)


def _in_sleeve(canvas: Floats, card: Image, quad: Floats, sleeve: games.Colour | None, rng: Rng) -> Floats:
    """Lays a card, some of them shiny, in a sleeve in which it may sit off the middle."""
    face = aged(card, rng)
    if rng.random() < 0.15:
        face = _foil(face, rng)
    if sleeve is None:
        return lay(canvas, face, quad)
    wide = float(np.linalg.norm(quad[1] - quad[0]))
    rim = quad.mean(axis=0) + (quad - quad.mean(axis=0)) * float(rng.uniform(1.03, 1.09))
    rim = rim + rng.normal(0, 0.008 * wide, 2)
    cover = lay(canvas, np.full((70, 50, 3), sleeve, np.float32), np.asarray(rim, np.float32), radius=0.03)
    lay(canvas, np.asarray(np.clip(_veiled(face, rng, 0.25), 0, 255), np.float32), quad, shadow=0.0)
    return cover


def _veiled(face: Floats, rng: Rng, most: float) -> Floats:
    """The card behind a film: hazed, with a broad soft reflection across it."""
    height, width = face.shape[:2]
    film = float(rng.uniform(0.02, most))
    face = face * (1 - film) + 255.0 * film * float(rng.uniform(0.3, 0.9))
    angle, at = float(rng.uniform(0, math.pi)), float(rng.uniform(-0.6, 0.6))
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / np.float32(width) - np.float32(0.5)
    away = (x * math.cos(angle) + y * math.sin(angle) - at) / float(rng.uniform(0.15, 0.5))
    tint = np.array(hue(float(rng.choice([0.1, 0.6])), 0.12, 1.0), np.float32) / 255.0
    strength = 255.0 * most * float(rng.uniform(0, 0.6))
    return np.asarray(face + strength * np.exp(-away * away)[..., None] * tint, np.float32)


def _foil(face: Floats, rng: Rng) -> Floats:
    """A card that shines in the colours of the rainbow, elsewhere each time."""
    height, width = face.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / np.float32(width)
    phase = (x * float(rng.normal(0, 2)) + y * float(rng.normal(0, 2)) + float(rng.random())) % 1.0
    band = np.stack([phase * 179, np.full_like(phase, 200), np.full_like(phase, 255)], axis=2).astype(
        np.uint8
    )
    rainbow = cv2.cvtColor(band, cv2.COLOR_HSV2BGR).astype(np.float32)
    return np.asarray(face + float(rng.uniform(0.1, 0.3)) * (rainbow - 0.5 * face), np.float32)


def rough_held(cards: Mapping[str, Image], rng: Rng) -> tuple[Image, list[tuple[str, Floats, float]]]:
    """One of the cards before a bad webcam, 70 to 210 px wide, leaning 0 to 45 degrees, one in five partly
    outside the picture; the picture and the card as in rich_mat."""
    label = list(cards)[int(rng.integers(len(cards)))]
    card = cards[label]
    kind = int(rng.choice([0, 0, 1, 2]))
    width, height = ((640, 480), (640, 360), (640, 640))[kind]
    canvas = room(width, height, rng)
    wide = float(rng.uniform(70, 130 if kind == 1 else 210))
    centre = np.array([rng.uniform(0.25, 0.75) * width, rng.uniform(0.35, 0.6) * height])
    if rng.random() < 0.2:
        side = float(rng.choice([-1, 1]))
        centre[0] = width / 2 + side * (width / 2 - wide * float(rng.uniform(0.0, 0.4)))
    lean = float(rng.uniform(0, 45))
    aspect, turn = card.shape[0] / card.shape[1], float(rng.normal(0, 25))
    middle = (float(centre[0]), float(centre[1]))
    quad = quad_at(middle, min(wide, 0.62 * height), aspect, turn, lean, float(rng.uniform(0, 180)))
    skin = _skin((width, height), rng)
    grip = grip_behind(canvas, quad, skin, rng)
    if rng.random() < CUFFED:
        _cuff(canvas, quad, grip[1], rng)
    sheen = cv2.resize(rng.normal(1, 0.15, (2, 2)).astype(np.float32), card.shape[1::-1])[..., None]
    face = np.asarray(np.clip(aged(card, rng, 1.3) * sheen, 0, 255), np.float32)
    cover = lay(canvas, face, quad, shadow=0.15, reach=6.0)
    if rng.random() < 0.35:
        glare(canvas, cover, int(rng.integers(1, 3)), rng, size=float(rng.uniform(0.3, 0.9)) * wide)
    before = float(cover.sum())
    cover = cover * (1 - grip_before(canvas, quad, grip, skin, rng))
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    area = max(1.0, abs(float(cv2.contourArea(quad))))
    inside = float(cv2.intersectConvexConvex(quad, frame)[0]) / area
    image = rough_webcam(canvas, rng)
    if kind == 1 and rng.random() < 0.7:
        image = np.asarray(
            cv2.copyMakeBorder(image, 140, 140, 0, 0, cv2.BORDER_CONSTANT, value=(0, 0, 0)), np.uint8
        )
        quad = np.asarray(quad + np.array([0, 140]), np.float32)
    return image, [(label, quad, float(cover.sum()) / max(1.0, before) * inside)]


def _skin(size: tuple[int, int], rng: Rng) -> Skin:
    """A hand's skin, or the cloth of its glove."""
    skin = Skin(rng, size)
    if rng.random() < GLOVED:
        cloth = np.array(
            hue(float(rng.random()), float(rng.uniform(0, 0.9)), float(rng.uniform(0.1, 0.9))), np.float32
        )
        skin.picture = np.asarray(cloth * (0.85 + 0.3 * clouds(*size, rng, 0.9, 40)[..., None]), np.float32)
        skin.nail = skin.picture.mean(axis=(0, 1)).astype(np.float32)
    return skin


def _cuff(canvas: Floats, quad: Floats, palm: Floats, rng: Rng) -> None:
    """A sleeve of a pullover round the wrist, in place."""
    wide = float(np.linalg.norm(quad[1] - quad[0]))
    out = palm - quad.mean(axis=0)
    out = out / max(1.0, float(np.linalg.norm(out)))
    cloth = np.full(
        (60, 60, 3), hue(float(rng.random()), float(rng.uniform(0, 0.8)), float(rng.uniform(0.1, 0.9)))
    )
    cloth *= 0.85 + 0.3 * clouds(60, 60, rng, 0.9, 12)[..., None]
    at = palm + out * wide * 1.3
    turn = math.degrees(math.atan2(float(out[1]), float(out[0]))) + 90.0
    lay(
        canvas,
        np.asarray(cloth, np.float32),
        quad_at((float(at[0]), float(at[1])), 1.3 * wide, 1.4, turn),
        radius=0.1,
    )


def rough_webcam(canvas: Floats, rng: Rng) -> Image:
    """The picture of a webcam that smears, sharpens, blurs colours, combs what moves and compresses hard."""
    cast = rng.normal(0, 0.13, 3)
    camera: CameraModel = replace(
        webcam(rng),
        exposure=float(np.exp(rng.normal(0.0, 0.28))),
        balance=(float(np.exp(cast[0])), float(np.exp(0.4 * cast[1])), float(np.exp(cast[2]))),
        blur=float(rng.uniform(0.6, 2.2)),
        motion=float(rng.uniform(3, 11)) if rng.random() < 0.4 else 0.0,
        jpeg=95,
    )
    image = taken(canvas, camera, rng)
    if rng.random() < 0.5:
        image = np.asarray(cv2.bilateralFilter(image, 5, 25, 3), np.uint8)
    if rng.random() < 0.5:
        soft = cv2.GaussianBlur(image, (0, 0), 1.6)
        image = np.asarray(cv2.addWeighted(image, 1.9, soft, -0.9, 0), np.uint8)
    parts = cv2.cvtColor(image, cv2.COLOR_BGR2YCrCb)
    parts[..., 1:] = cv2.GaussianBlur(parts[..., 1:], (0, 0), float(rng.uniform(1.0, 2.8)))
    image = np.asarray(cv2.cvtColor(parts, cv2.COLOR_YCrCb2BGR), np.uint8)
    if rng.random() < 0.15:
        image[1::2] = np.roll(image, int(rng.integers(1, 5)), axis=1)[1::2]
    coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 88))])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
