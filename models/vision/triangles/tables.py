"""Photographs of Trio Monsters tables whose truth is known: cards laid carelessly, lamps, shadows, hands.

Two decks are laid: the companion's own drawing, and `invented`, of flat colours with a pale rim and one odd
blot each, because a reader that is only good at the drawing it grew up with is good for nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from companion.art.decks.registry import card_labels, drawing
from companion.art.draw.raster import flatten, rasterise
from models.drawn.camera import Floats, Image, Rng, glare, phone, taken
from models.drawn.hands import Skin, finger
from models.drawn.rooms import ground

At = tuple[int, int]
SIZE = (1280, 960)
"""Width and height of a picture."""
TALL = math.sqrt(3) / 2
CUT = 260
"""Pixels of a drawn card's height."""


@dataclass(frozen=True)
class Hard:
    """How hard a picture is: `place` px (of a side of 110) and `turn` degrees of careless laying, standard
    deviations of each card; `tilt` the steepest view in degrees; the others are chances from 0 to 1."""

    place: float = 4.0
    turn: float = 6.0
    tilt: float = 45.0
    lamp: float = 0.6
    shadow: float = 0.4
    shine: float = 0.3
    hand: float = 0.0
    side: tuple[float, float] = (95.0, 130.0)
    grounds: tuple[str, ...] = ("wood", "cloth", "white", "checked", "playmat")


@dataclass(frozen=True)
class Board:
    """A picture and its truth: the card at every place, and each card's middle in pixels."""

    picture: Image
    cards: dict[At, str]
    middles: dict[At, tuple[float, float]]
    hidden: frozenset[At] = frozenset()
    corners: dict[At, Floats] | None = None
    """The outline of each card in pixels, in the order of `corners_of`."""


Faces = dict[str, Floats]
"""Cards as (height, width, 4): blue, green, red and how much of the card is there, 0 to 255."""


def own_faces() -> Faces:
    """The companion's own deck."""
    faces = {}
    for label in card_labels("trio_monsters"):
        card = drawing("trio_monsters", label)
        picture = rasterise(card, CUT).astype(np.float32)
        assert card.edge is not None
        cut = np.zeros((CUT * 4, picture.shape[1] * 4), np.uint8)
        outline = flatten(card.edge.contours[0]) * (cut.shape[1] / card.width, cut.shape[0] / card.height)
        cv2.fillPoly(cut, [np.round(outline).astype(np.int32)], 255)
        mask = cv2.resize(cut, picture.shape[1::-1], interpolation=cv2.INTER_AREA)
        faces[label] = np.dstack([picture, mask]).astype(np.float32)
    return faces


def invented_faces(rng: Rng) -> Faces:
    """Cards of flat colours, each with a pale rim and a monster's blot of another shade; black among them."""
    width = round(CUT / TALL)
    tones = {"red": 2, "orange": 14, "yellow": 27, "green": 65, "blue": 108, "purple": 137, "black": 0}
    faces = {}
    for label, hue in tones.items():
        black = label == "black"
        tone = (hue, 30, 38) if black else (hue, int(rng.integers(170, 235)), int(rng.integers(170, 235)))
        deep = (hue, tone[1], int(tone[2] * (2.4 if black else rng.uniform(0.45, 0.65))))
        card = np.full((CUT, width, 3), _bgr((hue, 10, 245)), np.float32)
        corners = np.array([[width / 2, 0], [width, CUT], [0, CUT]])
        middle = corners.mean(axis=0)
        inner = middle + (corners - middle) * (0.9 if black else rng.uniform(0.93, 1.0))
        cv2.fillPoly(card, [np.round(inner).astype(np.int32)], _bgr(tone), cv2.LINE_AA)
        arms, phase = int(rng.integers(3, 8)), rng.uniform(0, 6)
        angles = np.linspace(0, 2 * math.pi, 90)
        reach = CUT * (0.2 + rng.uniform(0.03, 0.08) * np.sin(arms * angles + phase))
        blot = middle + np.stack([np.cos(angles), np.sin(angles)], 1) * reach[:, None]
        cv2.fillPoly(card, [np.round(blot).astype(np.int32)], _bgr(deep), cv2.LINE_AA)
        for x in (-0.07, 0.07)[: int(rng.integers(1, 3))]:
            eye = (round(middle[0] + x * CUT), round(middle[1] - 0.03 * CUT))
            cv2.circle(card, eye, round(0.05 * CUT), (240, 245, 245), -1, cv2.LINE_AA)
            cv2.circle(card, eye, round(0.022 * CUT), (25, 20, 20), -1, cv2.LINE_AA)
        mask = np.zeros((CUT, width), np.uint8)
        cv2.fillPoly(mask, [np.round(corners).astype(np.int32)], 255, cv2.LINE_AA)
        faces[label] = np.dstack([card, mask]).astype(np.float32)
    return faces


def _bgr(tone: tuple[int, int, int]) -> tuple[float, ...]:
    return tuple(map(float, cv2.cvtColor(np.array([[tone]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0]))


def pictures_of(faces: Faces, rng: Rng, outside: float = 255.0) -> dict[str, Image]:
    """What an owner enrols: each card cut out on a plain ground of `outside` grey levels, taken by a
    phone."""
    found = {}
    for label, face in faces.items():
        part = face[..., 3:] / 255
        whole = face[..., :3] * part + outside * (1 - part)
        camera = phone(rng)
        found[label] = taken(np.asarray(whole, np.float32), camera, rng)
    return found


# --- laying -------------------------------------------------------------------------------------------------


def corners_of(at: At) -> Floats:
    """The three corners in sides: apex first, then clockwise."""
    r, c = at
    if (r + c) % 2 == 0:
        points = [(c + 1, r), (c + 2, r + 1), (c, r + 1)]
    else:
        points = [(c + 1, r + 1), (c, r), (c + 2, r)]
    return np.array(points, np.float32) * (0.5, TALL)


def neighbours(at: At) -> tuple[At, At, At]:
    """The places across the three sides."""
    r, c = at
    return (r, c - 1), (r, c + 1), (r + 1, c) if (r + c) % 2 == 0 else (r - 1, c)


def random_table(labels: list[str], count: int, rng: Rng) -> dict[At, str]:
    """`count` cards side to side; like colours lie together, as the rules want it."""
    table: dict[At, str] = {(0, 0): labels[int(rng.integers(len(labels)))]}
    while len(table) < count:
        free = sorted({n for at in table for n in neighbours(at)} - set(table))
        # the rounder the table the likelier: places with more neighbours weigh more
        weights = np.array([sum(n in table for n in neighbours(at)) ** 2 for at in free], float)
        at = free[int(rng.choice(len(free), p=weights / weights.sum()))]
        near = [table[n] for n in neighbours(at) if n in table]
        alike = rng.random() < 0.4
        table[at] = near[int(rng.integers(len(near)))] if alike else labels[int(rng.integers(len(labels)))]
    return table


def photograph(table: dict[At, str], faces: Faces, hard: Hard, rng: Rng) -> Board:
    """The table as a phone or a camera above it sees it."""
    width, height = SIZE
    matrix = _view(table, hard, rng)
    canvas = ground(width, height, rng, hard.grounds)
    side = 110.0
    laid = {}
    order = list(table)
    rng.shuffle(order)
    shift = {at: rng.normal(0, hard.place / side, 2) for at in table}
    for at in map(tuple, order):
        corners = corners_of(at)
        middle = corners.mean(axis=0)
        turn = math.radians(rng.normal(0, hard.turn))
        spin = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
        laid[at] = _project(matrix, (corners - middle) @ spin + middle + shift[at])
        _lay(canvas, faces[table[at]], np.roll(laid[at], int(rng.integers(3)), axis=0))
    _lit(canvas, laid, hard, rng)
    hidden = _hand(canvas, laid, rng) if rng.random() < hard.hand else frozenset()
    middles = {at: tuple(map(float, quad.mean(axis=0))) for at, quad in laid.items()}
    picture = taken(canvas, phone(rng), rng)
    return Board(picture, {at: table[at] for at in table if at not in hidden}, middles, hidden, laid)  # type: ignore[arg-type]


def _view(table: dict[At, str], hard: Hard, rng: Rng) -> Floats:
    """The plane of the table (in sides) to the picture, all cards within it."""
    points = np.concatenate([corners_of(at) for at in table])
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    turn, lean = rng.uniform(-math.pi, math.pi), math.radians(rng.uniform(0, hard.tilt))
    spin = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    side = rng.uniform(*hard.side)
    far = 9.0
    width, height = SIZE
    for _ in range(20):
        lift = np.eye(3)
        lift[:2, :2] = spin
        lift[:2, 2] = -spin @ middle
        tilted = np.array(
            [[side * far, 0, 0], [0, side * far * math.cos(lean), 0], [0, -math.sin(lean), far]], float
        )
        centred = np.array([[1, 0, width / 2], [0, 1, height / 2], [0, 0, 1]], float)
        matrix = centred @ tilted @ lift
        seen = _project(matrix, points)
        matrix = np.array([[1, 0, width / 2], [0, 1, height / 2], [0, 0, 1]]) @ np.linalg.inv(
            np.array([[1, 0, float(seen[:, 0].min() + seen[:, 0].max()) / 2],
                      [0, 1, float(seen[:, 1].min() + seen[:, 1].max()) / 2], [0, 0, 1]])
        ) @ matrix  # fmt: skip
        seen = _project(matrix, points)
        if seen.min() > 12 and (seen.max(axis=0) < np.array(SIZE) - 12).all():
            return matrix
        side *= 0.93
    return matrix


def _project(matrix: Floats, points: Floats) -> Floats:
    lifted = np.column_stack([points, np.ones(len(points))]) @ np.asarray(matrix).T
    return np.asarray(lifted[:, :2] / lifted[:, 2:], np.float32)


def _lay(canvas: Floats, face: Floats, corners: Floats) -> None:
    """Draws the card into three corners, apex first, with a soft shadow."""
    wide = face.shape[1]
    pad = 10
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int) - pad, 0)
    high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + pad, canvas.shape[1::-1])
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    if min(size) < 4:
        return
    finer = float(np.linalg.norm(corners[1] - corners[2])) / wide
    part = min(1.0, 1.2 * finer)
    small = cv2.resize(face, None, fx=part, fy=part, interpolation=cv2.INTER_AREA)
    frame = np.array(
        [[small.shape[1] / 2, 0], [small.shape[1], small.shape[0]], [0, small.shape[0]]], np.float32
    )
    matrix = cv2.getAffineTransform(frame - 0.5, (corners - low).astype(np.float32))
    card = cv2.warpAffine(small, matrix, size, flags=cv2.INTER_LINEAR)
    cover = card[..., 3:] / 255
    window = canvas[low[1] : high[1], low[0] : high[0]]
    shade = cv2.GaussianBlur(
        cv2.warpAffine(cover[..., 0], np.float32([[1, 0, 1.5], [0, 1, 2]]), size), (0, 0), 2.2
    )
    window *= 1 - 0.3 * shade[..., None]
    full = cover > 0.02
    colours = np.where(full, card[..., :3], 0)
    window *= 1 - cover
    window += colours * cover


def _lit(canvas: Floats, laid: dict[At, Floats], hard: Hard, rng: Rng) -> None:
    """Lamps of any colour, hard shadows, mirrored lamps."""
    height, width = canvas.shape[:2]
    if rng.random() < hard.lamp:
        warmth, tint = rng.normal(0, 0.28), rng.normal(0, 0.1)
        gains = np.exp(np.array([-warmth, tint, warmth]))
        canvas *= np.asarray(gains / gains.max(), np.float32)
    if rng.random() < hard.shadow:
        angle, at = rng.uniform(0, math.pi), rng.uniform(-0.25, 0.25)
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        away = (x / width - 0.5) * math.cos(angle) + (y / width - 0.4) * math.sin(angle) - at
        inside = np.clip(away * width / rng.uniform(2, 20) + 0.5, 0, 1)
        tone = np.float32(rng.uniform(0.45, 0.75)) * np.array([1.08, 1.0, 0.95], np.float32)
        canvas *= 1 - inside[..., None] * (1 - tone)
    if rng.random() < hard.shine:
        where = np.zeros((height, width), np.float32)
        for corners in laid.values():
            cv2.fillConvexPoly(where, np.round(corners).astype(np.int32), 1.0)
        glare(canvas, where, int(rng.integers(1, 4)), rng, size=70)


def _hand(canvas: Floats, laid: dict[At, Floats], rng: Rng) -> frozenset[At]:
    """Fingers that reach over the table from an edge; the places of which they hide more than two fifths."""
    height, width = canvas.shape[:2]
    target = laid[list(laid)[int(rng.integers(len(laid)))]].mean(axis=0)
    start = np.array([target[0] + rng.normal(0, 150), height + 40.0])
    skin = Skin(rng, (width, height))
    before = canvas.copy()
    for i in range(int(rng.integers(2, 5))):
        tip = target + rng.normal(0, 45, 2)
        root = np.asarray(start + np.array([i * 40 - 60, 0]), np.float32)
        finger(canvas, root, np.asarray(tip, np.float32), 17.0, skin, rng, nail=True)
    changed = np.abs(canvas - before).max(axis=2) > 2
    hidden = set()
    for at, corners in laid.items():
        mask = np.zeros((height, width), np.uint8)
        cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
        if (changed & (mask > 0)).sum() > 0.4 * mask.sum():
            hidden.add(at)
    return frozenset(hidden)
