"""What is behind and under the cards: rooms seen by a webcam, tables, printed mats, things about them."""

from __future__ import annotations

import cv2
import numpy as np

from companion.art.scene.tables import table
from models.drawn.camera import Floats, Rng, lay, quad_at
from models.drawn.games import clouds, hue, lettering, painting, word

SKINS = ((178, 205, 240), (140, 175, 222), (110, 145, 200), (82, 112, 165), (62, 88, 138), (42, 60, 98))
"""Skin in ordinary light, blue green red, light to dark."""


def room(width: int, height: int, rng: Rng) -> Floats:
    """A room behind somebody who holds a card before a laptop: wall, ceiling, furniture, a person."""
    own = float(rng.random())
    wall = np.array(hue(own, rng.uniform(0.0, 0.25), rng.uniform(0.45, 0.92)), np.float32)
    canvas = np.ascontiguousarray(wall * (0.85 + 0.2 * clouds(width, height, rng, 0.4)[..., None]))
    if rng.random() < 0.5:
        _ceiling(canvas, rng)
    for _ in range(int(rng.integers(1, 4))):
        (_shelf, _window, _door, _poster)[int(rng.integers(4))](canvas, rng)
    if rng.random() < 0.75:
        _person(canvas, rng)
    return np.asarray(cv2.GaussianBlur(canvas, (0, 0), float(rng.uniform(0.8, 3.5))), np.float32)


def ground(
    width: int, height: int, rng: Rng, kinds: tuple[str, ...] = ("wood", "cloth", "white", "checked")
) -> Floats:
    """A table top; `kinds` are those of companion.art.scene.tables and `playmat`."""
    kind = kinds[int(rng.integers(len(kinds)))]
    if kind == "playmat":
        return playmat(width, height, rng)
    return np.asarray(table(kind, width, height, float(rng.uniform(1.5, 3.0)), rng), np.float32)


def playmat(width: int, height: int, rng: Rng) -> Floats:
    """A mat printed with pictures from edge to edge, frames and words on it."""
    canvas = cv2.resize(
        painting(width // 2, height // 2, rng), (width, height), interpolation=cv2.INTER_CUBIC
    )
    for _ in range(int(rng.integers(3, 9))):
        w, h = int(rng.uniform(0.12, 0.4) * width), int(rng.uniform(0.12, 0.5) * height)
        x, y = int(rng.uniform(0, width - w)), int(rng.uniform(0, height - h))
        canvas[y : y + h, x : x + w] = painting(w, h, rng)
        if rng.random() < 0.6:
            cv2.rectangle(
                canvas, (x, y), (x + w, y + h), hue(float(rng.random()), 0.3, 0.8), int(rng.integers(1, 7))
            )
    for _ in range(int(rng.integers(0, 4))):
        size = float(rng.uniform(14, 60))
        at = (float(rng.uniform(0, 0.7) * width), float(rng.uniform(0.1, 0.95) * height))
        lettering(canvas, word(rng) + " " + word(rng), *at, size, hue(float(rng.random()), 0.2, 0.95))
    if rng.random() < 0.5:
        canvas = cv2.GaussianBlur(canvas, (0, 0), float(rng.uniform(0.5, 1.5)))
    weave = rng.standard_normal((height, width, 1)).astype(np.float32)
    return np.asarray(np.clip(canvas * (0.8 + 0.03 * weave), 0, 255), np.float32)


def strew(canvas: Floats, count: int, rng: Rng, kinds: tuple[int, ...] = (0, 1, 2, 3, 4, 5)) -> None:
    """Things on the table, in place: coins (0), papers, telephones, pens (3), banknotes, mugs from above."""
    height, width = canvas.shape[:2]
    for _ in range(count):
        at = (float(rng.uniform(0, width)), float(rng.uniform(0, height)))
        kind = int(rng.choice(kinds))
        unit = width / 11.0
        if kind == 0:
            _disc(
                canvas, at, unit * float(rng.uniform(0.2, 0.32)), hue(0.11, rng.uniform(0.1, 0.6), 0.7), rng
            )
        elif kind == 1:
            lay(
                canvas,
                _paper(rng),
                quad_at(at, unit * 2.2, 1.41, rng.uniform(0, 360)),
                reach=2.0,
                radius=0.002,
            )
        elif kind == 2:
            lay(
                canvas,
                _phone(rng),
                quad_at(at, unit * 1.1, 2.05, rng.uniform(0, 360)),
                reach=7.0,
                radius=0.12,
            )
        elif kind == 3:
            pen = np.full((400, 20, 3), hue(float(rng.random()), 0.7, 0.6), np.float32)
            pen *= np.linspace(0.5, 1.3, 20, dtype=np.float32)[None, :, None]
            lay(canvas, pen, quad_at(at, unit * 0.15, 14.0, rng.uniform(0, 360)), reach=4.0, radius=0.4)
        elif kind == 4:
            lay(
                canvas,
                _banknote(rng),
                quad_at(at, unit * 1.1, 2.0, rng.uniform(0, 360)),
                reach=2.0,
                radius=0.0,
            )
        else:
            _disc(canvas, at, unit * float(rng.uniform(0.5, 0.8)), hue(float(rng.random()), 0.5, 0.5), rng)


def _ceiling(canvas: Floats, rng: Rng) -> None:
    height, width = canvas.shape[:2]
    left, right = rng.uniform(0.02, 0.35, 2) * height
    corners = np.array([[0, 0], [width, 0], [width, right], [0, left]], np.int32)
    cv2.fillPoly(canvas, [corners], tuple(float(v) for v in rng.uniform(130, 220) * np.array([0.98, 1, 1])))


def _shelf(canvas: Floats, rng: Rng) -> None:
    height, width = canvas.shape[:2]
    left, top = int(rng.uniform(-0.1, 0.7) * width), int(rng.uniform(0, 0.5) * height)
    w, row = int(rng.uniform(0.25, 0.6) * width), int(rng.uniform(0.13, 0.25) * height)
    board = hue(rng.uniform(0.02, 0.1), rng.uniform(0.2, 0.8), rng.uniform(0.2, 0.6))
    rows = int(rng.integers(1, 4))
    cv2.rectangle(canvas, (left, top), (left + w, top + rows * row), tuple(0.5 * c for c in board), -1)
    for index in range(rows):
        x, foot = left + 6.0, top + (index + 1) * row
        while x < left + w - 8:
            thick, tall = rng.uniform(0.012, 0.05) * width, rng.uniform(0.5, 0.92) * row
            colour = hue(float(rng.random()), float(rng.uniform(0, 0.8)), float(rng.uniform(0.15, 0.95)))
            cv2.rectangle(canvas, (int(x), int(foot - tall)), (int(x + thick), foot), colour, -1)
            x += thick + (rng.uniform(0, 0.05) * width if rng.random() < 0.2 else 1)
        cv2.rectangle(canvas, (left, foot - 3), (left + w, foot + 4), board, -1)


def _window(canvas: Floats, rng: Rng) -> None:
    height, width = canvas.shape[:2]
    x, y = int(rng.uniform(0, 0.7) * width), int(rng.uniform(0.02, 0.3) * height)
    w, h = int(rng.uniform(0.18, 0.45) * width), int(rng.uniform(0.3, 0.6) * height)
    sky = np.linspace(1.0, 0.8, h, dtype=np.float32)[:, None, None] * np.array([255, 252, 245], np.float32)
    window = canvas[y : y + h, x : x + w]
    window[:] = sky[: window.shape[0]] * rng.uniform(0.85, 1.0)
    for part in (0.0, 0.5, 1.0):
        cv2.line(canvas, (x + int(part * w), y), (x + int(part * w), y + h), (190, 195, 200), 7)
        cv2.line(canvas, (x, y + int(part * h)), (x + w, y + int(part * h)), (190, 195, 200), 7)
    glow = np.zeros((height, width), np.float32)
    cv2.rectangle(glow, (x, y), (x + w, y + h), 1.0, -1)
    canvas += 45.0 * cv2.GaussianBlur(glow, (0, 0), 0.08 * width)[..., None]
    np.clip(canvas, 0, 255, out=canvas)


def _door(canvas: Floats, rng: Rng) -> None:
    """A door or a wardrobe: panels with frames."""
    height, width = canvas.shape[:2]
    own, value = rng.uniform(0.0, 0.1), float(rng.uniform(0.25, 0.7))
    x, y = int(rng.uniform(-0.1, 0.8) * width), int(rng.uniform(0.1, 0.5) * height)
    for _ in range(int(rng.integers(1, 4))):
        w = int(rng.uniform(0.14, 0.26) * width)
        cv2.rectangle(canvas, (x, y), (x + w, height), hue(own, 0.7, value), -1)
        for top in (0.06, 0.55):
            a = (x + w // 6, y + int(top * (height - y)))
            b = (x + w - w // 6, y + int((top + 0.4) * (height - y)))
            cv2.rectangle(canvas, a, b, hue(own, 0.7, 0.75 * value), -1)
            cv2.rectangle(canvas, a, b, hue(own, 0.6, 1.2 * value), 2)
        x += w + 2


def _poster(canvas: Floats, rng: Rng) -> None:
    height, width = canvas.shape[:2]
    w, h = int(rng.uniform(0.12, 0.35) * width), int(rng.uniform(0.15, 0.4) * height)
    x, y = int(rng.uniform(0, 0.8) * width), int(rng.uniform(0, 0.4) * height)
    picture = painting(w, h, rng)
    window = canvas[y : y + h, x : x + w]
    window[:] = picture[: window.shape[0], : window.shape[1]]
    cv2.rectangle(canvas, (x, y), (x + w, y + h), hue(0.1, 0.3, float(rng.random())), 6)


def _person(canvas: Floats, rng: Rng) -> None:
    """Head and shoulders behind the card."""
    height, width = canvas.shape[:2]
    x, y = rng.uniform(0.05, 0.95) * width, rng.uniform(0.25, 0.5) * height
    size = rng.uniform(0.13, 0.24) * width
    skin = np.array(SKINS[int(rng.integers(len(SKINS)))], np.float32) * rng.uniform(0.6, 1.0)
    cloth = hue(float(rng.random()), float(rng.uniform(0, 0.6)), float(rng.uniform(0.15, 0.85)))
    layer = canvas.copy()
    shoulder = np.array(
        [[x - 2.1 * size, height], [x - 1.7 * size, y + 2.0 * size], [x - 0.5 * size, y + 1.35 * size],
         [x + 0.5 * size, y + 1.35 * size], [x + 1.7 * size, y + 2.0 * size], [x + 2.1 * size, height]]
    )  # fmt: skip
    cv2.fillPoly(layer, [shoulder.astype(np.int32)], cloth, cv2.LINE_AA)
    tone = tuple(float(v) for v in skin)
    cv2.rectangle(
        layer,
        (int(x - 0.35 * size), int(y)),
        (int(x + 0.35 * size), int(y + 1.5 * size)),
        tuple(0.8 * t for t in tone),
        -1,
    )
    hair = hue(rng.uniform(0.02, 0.1), rng.uniform(0.0, 0.6), rng.uniform(0.06, 0.45))
    cv2.ellipse(
        layer,
        (int(x), int(y - 0.2 * size)),
        (int(0.86 * size), int(1.1 * size)),
        0,
        0,
        360,
        hair,
        -1,
        cv2.LINE_AA,
    )
    cv2.ellipse(
        layer,
        (int(x), int(y + 0.12 * size)),
        (int(0.72 * size), int(0.98 * size)),
        0,
        0,
        360,
        tone,
        -1,
        cv2.LINE_AA,
    )
    if rng.random() < 0.4:
        cv2.ellipse(
            layer,
            (int(x), int(y + 0.62 * size)),
            (int(0.6 * size), int(0.5 * size)),
            0,
            0,
            180,
            hair,
            -1,
            cv2.LINE_AA,
        )
    dark = tuple(0.35 * t for t in tone)
    for side in (-1, 1):
        eye = (int(x + side * 0.28 * size), int(y - 0.02 * size))
        cv2.ellipse(
            layer, eye, (int(0.13 * size), int(0.06 * size)), 0, 0, 360, (200, 205, 210), -1, cv2.LINE_AA
        )
        cv2.circle(layer, eye, max(1, int(0.055 * size)), (25, 25, 30), -1, cv2.LINE_AA)
        cv2.line(
            layer,
            (eye[0] - int(0.17 * size), eye[1] - int(0.14 * size)),
            (eye[0] + int(0.17 * size), eye[1] - int(0.16 * size)),
            hair,
            max(1, int(0.06 * size)),
            cv2.LINE_AA,
        )
    cv2.ellipse(
        layer,
        (int(x), int(y + 0.3 * size)),
        (int(0.12 * size), int(0.1 * size)),
        0,
        0,
        180,
        dark,
        2,
        cv2.LINE_AA,
    )
    cv2.ellipse(
        layer,
        (int(x), int(y + 0.58 * size)),
        (int(0.26 * size), int(0.07 * size)),
        0,
        0,
        360,
        (0.7 * tone[0], 0.6 * tone[1], 0.85 * tone[2]),
        -1,
        cv2.LINE_AA,
    )
    shade = np.linspace(rng.uniform(0.6, 1), rng.uniform(0.6, 1), width, dtype=np.float32)[None, :, None]
    changed = np.abs(layer - canvas).max(axis=2, keepdims=True) > 0
    canvas[:] = np.where(changed, cv2.GaussianBlur(layer, (0, 0), 1.5) * shade, canvas)


def _disc(
    canvas: Floats, at: tuple[float, float], radius: float, colour: tuple[float, float, float], rng: Rng
) -> None:
    middle, size = (int(at[0]), int(at[1])), max(3, int(radius))
    shade = np.zeros(canvas.shape[:2], np.float32)
    cv2.circle(shade, (middle[0] + size // 5, middle[1] + size // 4), size, 1.0, -1)
    canvas *= 1 - 0.35 * cv2.GaussianBlur(shade, (0, 0), 0.15 * size + 1)[..., None]
    for part, light in ((1.0, 0.8), (0.9, 1.0), (0.7, 0.85), (0.6, 1.05)):
        tone = tuple(min(255.0, light * c * float(rng.uniform(0.9, 1.1))) for c in colour)
        cv2.circle(canvas, middle, max(1, int(size * part)), tone, -1, cv2.LINE_AA)


def _paper(rng: Rng) -> Floats:
    page = np.full((560, 400, 3), rng.uniform(215, 250), np.uint8)
    y = 50.0
    while y < 530:
        text = " ".join(word(rng).lower() for _ in range(int(rng.integers(2, 9))))
        lettering(page, text[:44], 30, y, 9, (60.0, 50.0, 50.0), font=3, weight=0.5)
        y += float(rng.uniform(17, 40))
    return page.astype(np.float32)


def _phone(rng: Rng) -> Floats:
    body = np.full((820, 400, 3), 16, np.uint8)
    if rng.random() < 0.7:
        body[30:790, 18:382] = cv2.resize(painting(182, 380, rng), (364, 760))
        for y in range(120, 760, 130):
            for x in range(45, 360, 90):
                cv2.rectangle(body, (x, y), (x + 56, y + 56), hue(float(rng.random()), 0.7, 0.9), -1)
    return body.astype(np.float32)


def _banknote(rng: Rng) -> Floats:
    own = float(rng.random())
    note = (
        (np.array(hue(own, 0.25, 0.8)) * (0.8 + 0.3 * clouds(300, 600, rng)[..., None]))
        .clip(0, 255)
        .astype(np.uint8)
    )
    for index in range(40):
        cv2.ellipse(
            note,
            (150, 300),
            (30 + 3 * index, 60 + 6 * index),
            7 * index,
            0,
            360,
            hue(own, 0.5, 0.6),
            1,
            cv2.LINE_AA,
        )
    cv2.ellipse(note, (150, 200), (70, 95), 0, 0, 360, hue(own + 0.05, 0.3, 0.45), -1, cv2.LINE_AA)
    lettering(note, str(int(rng.integers(1, 6)) * 100), 40, 70, 44, hue(own, 0.7, 0.3))
    lettering(note, str(int(rng.integers(1, 6)) * 100), 170, 570, 44, hue(own, 0.7, 0.3))
    return note.astype(np.float32)
