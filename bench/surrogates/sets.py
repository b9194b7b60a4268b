"""Sets of drawn pictures that stand for photographs that cannot be shared: their names and their pictures.

`python -m bench.surrogates` writes a set to a folder; its help lists the sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from bench.surrogates.rough import rich_card, rich_mat, rich_reference, rough_held
from companion import art
from companion.art.draw.raster import rasterise
from companion.vision.image.picture import load_picture
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
from models.drawn.hands import Skin, grip_before, grip_behind
from models.drawn.rooms import ground, playmat, room, strew

OWN = "seven_merry_monsters"
OF_UNO = ("hands_likes", "hands_rough", "hands_rough_likes", "strips_uno")
"""Sets that are made of the shared folder's cards."""
PARTS = (1 / 2, 1 / 3, 0.22, 1 / 5)
GLIMPSE = 0.15
"""Visible part up to which a card of a mat is left out of the truth."""
GAME, CARDS, ENROLLED = 4, 32, 24
"""The framed game of glare_mat: its seed, its cards, and how many of them are enrolled."""
Drawn = Mapping[str, Image]


@dataclass(frozen=True)
class VisibleCard:
    """A card in a picture: corners in pixels and the part of it, 0 to 1, that can be seen."""

    label: str
    corners: Floats
    visible: float


@dataclass(frozen=True)
class Shot:
    """A picture and the enrolled cards on it, lowest first."""

    image: Image
    cards: tuple[VisibleCard, ...]


@lru_cache(maxsize=2)
def own_cards(height: int = 620) -> dict[str, Image]:
    """The drawings of our own deck by label."""
    return {label: np.asarray(art.draw_card(OWN, label, height), np.uint8) for label in art.card_labels(OWN)}


def pictures_of(folder: Path) -> dict[str, Image]:
    """The reference pictures of a real set by label."""
    return {path.stem: load_picture(path) for path in sorted((folder / "refs").glob("*.png"))}


def framed_game() -> dict[str, Image]:
    """All cards of the framed game, those that are enrolled first."""
    return {f"{number:02d}": games.framed_card(GAME, number) for number in range(CARDS)}


def hand(cards: Drawn, rng: Rng) -> Shot:
    """One card in a hand before a webcam: 110 to 230 px wide, tilted up to 45 degrees, fingers over it; one
    in four leaves the picture."""
    width, height = (640, 480) if rng.random() < 0.6 else (640, 640)
    canvas = room(width, height, rng)
    label = _one(list(cards), rng)
    card = cards[label]
    wide = float(rng.uniform(110, 230 if height > 500 else 200))
    span = min(width, height)
    centre = (float(rng.uniform(0.3, 0.7) * width), float(rng.uniform(0.36, 0.56) * height))
    if rng.random() < 0.25:
        side = float(rng.choice([-1, 1]))
        centre = (width / 2 + side * (width / 2 - wide * float(rng.uniform(0.02, 0.4))), centre[1])
    lean = abs(float(rng.normal(0, 20)))
    aspect, turn, axis = card.shape[0] / card.shape[1], float(rng.normal(0, 18)), float(rng.uniform(0, 180))
    quad = quad_at(centre, min(wide, 0.62 * span), aspect, turn, min(lean, 45), axis)
    skin = Skin(rng, (width, height))
    grip = grip_behind(canvas, quad, skin, rng)
    face = aged(card, rng) * _sheen(card, rng)
    cover = lay(canvas, np.asarray(np.clip(face, 0, 255), np.float32), quad, shadow=0.15, reach=6.0)
    if rng.random() < 0.3:
        glare(canvas, cover, 1, rng, size=0.5 * wide)
    before = cover.sum()
    cover = cover * (1 - grip_before(canvas, quad, grip, skin, rng))
    inside = _inside(quad, (height, width))
    visible = float(cover.sum() / max(1.0, before)) * inside
    return Shot(taken(canvas, webcam(rng), rng), (VisibleCard(label, quad, visible),))


def mat(cards: Drawn, rng: Rng) -> Shot:
    """Four to six cards of the framed game that overlap on a printed mat; sleeves, burnt-out glare."""
    width, height = 1440, 1080
    canvas = playmat(width, height, rng)
    wide = float(rng.uniform(190, 290))
    aspect = games.HEIGHT / games.WIDTH
    names = list(cards)
    count = int(rng.integers(4, 7))
    chosen = [names[int(i)] for i in rng.choice(len(names), count, replace=False)]
    sleeve = games.hue(float(rng.random()), float(rng.uniform(0.3, 0.9)), float(rng.uniform(0.2, 0.9)))
    sleeved = rng.random() < 0.6
    tilt, way = float(rng.uniform(0, 25)), float(rng.normal(0, 15))
    at = np.array([rng.uniform(0.2, 0.5) * width, rng.uniform(0.3, 0.6) * height])
    base, step = float(rng.normal(0, 25)), rng.uniform(0.25, 0.95) * wide
    gloss = np.zeros((height, width), np.float32)
    laid: list[tuple[str, Floats, Floats]] = []
    for label in chosen:
        degrees = base + float(rng.normal(0, 14))
        quad = quad_at((float(at[0]), float(at[1])), wide, aspect, degrees, tilt, way)
        cover = _sleeved(canvas, cards[label], quad, sleeve if sleeved else None, rng)
        laid = [(name, corners, left * (1 - cover)) for name, corners, left in laid]
        laid.append((label, quad, cover))
        gloss = np.maximum(gloss, cover)
        angle = float(rng.uniform(-0.6, 1.6))
        at = np.clip(
            at + step * np.array([np.cos(angle), np.sin(angle)]), 0.13 * width, (0.87 * width, 0.82 * height)
        )
    glare(
        canvas, np.asarray(np.maximum(gloss, 0.15), np.float32), int(rng.poisson(2.2)), rng, size=wide * 0.6
    )
    seen = [VisibleCard(name, quad, min(1.0, float(left.sum()) / _area(quad))) for name, quad, left in laid]
    known = tuple(card for card in seen if names.index(card.label) < ENROLLED and card.visible > GLIMPSE)
    return Shot(taken(canvas, phone(rng), rng), known)


def stranger(_: Drawn, rng: Rng) -> Shot:
    """A picture without a card of our deck: other games, their backs, papers, mats, a room, things."""
    if rng.random() < 0.2:
        canvas = room(640, 480, rng)
        if rng.random() < 0.6:
            card, quad = (
                _foreign_card(rng),
                quad_at((320, 240), float(rng.uniform(110, 200)), 1.45, rng.normal(0, 15)),
            )
            skin = Skin(rng, (640, 480))
            grip = grip_behind(canvas, quad, skin, rng)
            lay(canvas, aged(card, rng), quad)
            grip_before(canvas, quad, grip, skin, rng)
        return Shot(taken(canvas, webcam(rng), rng), ())
    width, height = 1280, 960
    canvas = ground(width, height, rng, ("wood", "cloth", "white", "checked", "mat", "playmat"))
    strew(canvas, int(rng.integers(0, 6)), rng)
    wide, tilt = float(rng.uniform(90, 260)), float(rng.uniform(0, 30))
    cover = np.zeros((height, width), np.float32)
    family = int(rng.integers(5))
    for _ in range(int(rng.integers(0, 9))):
        card = _foreign_card(rng, family)
        at = (float(rng.uniform(0, width)), float(rng.uniform(0, height)))
        quad = quad_at(at, wide, card.shape[0] / card.shape[1], float(rng.uniform(0, 360)), tilt)
        cover = np.maximum(cover, lay(canvas, aged(card, rng), quad))
    glare(canvas, cover, int(rng.poisson(0.7)), rng, size=wide * 0.7)
    return Shot(taken(canvas, phone(rng), rng), ())


def strip(cards: Drawn, rng: Rng, part: float | None = None, wide: float = 110.0) -> Shot:
    """A card of which `part` of the length sticks out from under another one; drawn from PARTS if None."""
    share = part or float(PARTS[int(rng.integers(len(PARTS)))])
    names = list(cards)
    below, above = (names[int(i)] for i in rng.choice(len(names), 2, replace=False))
    aspect = cards[below].shape[0] / cards[below].shape[1]
    height = max(480, round(4.2 * wide * aspect))
    width = round(height * 1.6)
    canvas = ground(width, height, rng, ("wood", "cloth", "white", "checked", "mat"))
    turn = float(rng.normal(0, 12))
    tilt = float(rng.uniform(0, 15))
    centre = (
        width / 2 + float(rng.normal(0, 0.4)) * wide,
        height / 2 - 0.3 * wide + float(rng.normal(0, 0.2)) * wide,
    )
    quad = quad_at(centre, wide, aspect, turn, tilt)
    lay(canvas, aged(cards[below], rng), quad, reach=0.02 * wide)
    slip = (quad[3] - quad[0]) * share + (quad[1] - quad[0]) * float(rng.normal(0, 0.02))
    upper = quad_at(
        (float(centre[0] + slip[0]), float(centre[1] + slip[1])),
        wide,
        aspect,
        turn + float(rng.normal(0, 1.5)),
        tilt,
    )
    lay(canvas, aged(cards[above], rng), upper, reach=0.02 * wide)
    camera = phone(rng)
    camera = CameraModel(**{**_fields(camera), "bend": 0.0, "blur": min(camera.blur, 0.9)})
    image = taken(canvas, camera, rng)
    return Shot(image, (VisibleCard(below, quad, share), VisibleCard(above, upper, 1.0)))


def _shot(image: Image, seen: list[tuple[str, Floats, float]], among: Drawn | None = None) -> Shot:
    """A picture with those of its cards that are enrolled (all of them if none are given) and can be seen."""
    known = (VisibleCard(*card) for card in seen if among is None or (card[0] in among and card[2] > GLIMPSE))
    return Shot(image, tuple(known))


def _foreign_card(rng: Rng, family: int | None = None) -> Image:
    """A card of a game that is not enrolled: coloured numbers, framed, pips, our other games, or a back."""
    kind = int(rng.integers(5)) if family is None else family
    if rng.random() < 0.1:
        return games.card_back(int(rng.integers(20)))
    if kind == 0:
        return games.number_card(int(rng.integers(8)), int(rng.integers(4)), int(rng.integers(10)))
    if kind == 1:
        return games.framed_card(int(rng.integers(30, 36)), int(rng.integers(40)))
    if kind == 2:
        return games.pip_card(int(rng.integers(4)), int(rng.integers(4)), int(rng.integers(1, 11)))
    game = ("nasty_7", "thirteen_monsters")[kind - 3]
    if rng.random() < 0.1:
        return np.asarray(rasterise(art.card_back(game), 500), np.uint8)
    return _drawn(game, _one(list(art.card_labels(game)), rng))


@lru_cache(maxsize=128)
def _drawn(game: str, label: str) -> Image:
    return np.asarray(art.draw_card(game, label, 500), np.uint8)


def _sleeved(canvas: Floats, card: Image, quad: Floats, sleeve: games.Colour | None, rng: Rng) -> Floats:
    """Lays a card, in a sleeve with a coloured rim and a film that hazes, if there is a sleeve."""
    face = aged(card, rng)
    if sleeve is None:
        return lay(canvas, face, quad)
    film = float(rng.uniform(0.03, 0.2))
    face = np.asarray(face * (1 - film) + 255.0 * film * rng.uniform(0.6, 1.0), np.float32)
    rim = quad.mean(axis=0) + (quad - quad.mean(axis=0)) * 1.045
    back = np.full((70, 50, 3), sleeve, np.float32)
    cover = lay(canvas, back, np.asarray(rim, np.float32), radius=0.03)
    lay(canvas, face, quad, shadow=0.0)
    return cover


def _sheen(card: Image, rng: Rng) -> Floats:
    """Light that changes across a card held at an angle (height, width, 1)."""
    height, width = card.shape[:2]
    grid = rng.normal(1, 0.12, (2, 2)).astype(np.float32)
    return np.asarray(
        cv2.resize(grid, (width, height), interpolation=cv2.INTER_LINEAR)[..., None], np.float32
    )


def _one(names: list[str], rng: Rng) -> str:
    return names[int(rng.integers(len(names)))]


def _fields(camera: CameraModel) -> dict[str, object]:
    return {name: getattr(camera, name) for name in camera.__dataclass_fields__}


def _area(quad: Floats) -> float:
    return max(1.0, abs(float(cv2.contourArea(quad))))


def _inside(quad: Floats, shape: tuple[int, int]) -> float:
    """Which part of the card is in the picture."""
    frame = np.array([[0, 0], [shape[1], 0], [shape[1], shape[0]], [0, shape[0]]], np.float32)
    return float(cv2.intersectConvexConvex(quad, frame)[0]) / _area(quad)


@dataclass(frozen=True)
class PictureSet:
    """How a set is made: its cards, the pictures of them that are enrolled, and how a picture is composed."""

    cards: Drawn
    references: Drawn
    shot: Callable[[Drawn, Rng], Shot]


def the_set(
    name: str, shared: Path | None, seed: int, part: float | None = None, width: float = 110.0
) -> PictureSet:
    """A set by its name. Raises SystemExit for an unknown name, and for uno without the shared folder."""
    rng = np.random.default_rng([seed, 99])
    uno = pictures_of(shared / "vision" / "uno") if shared and (shared / "vision" / "uno").is_dir() else None
    if name in OF_UNO and uno is None:
        raise SystemExit(f"{name} needs --shared, the folder that holds vision/uno")
    if name == "hands" and uno is not None:
        return PictureSet(uno, uno, hand)
    if name == "hands_likes" and uno is not None:
        learnt = {label: uno[label] for label in sorted(uno)[::2]}
        others = {label: picture for label, picture in uno.items() if label not in learnt}
        return PictureSet(others, learnt, lambda cards, r: replace(hand(cards, r), cards=()))
    if name == "hands_rough" and uno is not None:
        return PictureSet(uno, uno, lambda cards, r: _shot(*rough_held(cards, r)))
    if name == "hands_rough_likes" and uno is not None:
        learnt = {label: uno[label] for label in sorted(uno)[::2]}
        others = {label: picture for label, picture in uno.items() if label not in learnt}
        return PictureSet(others, learnt, lambda cards, r: Shot(rough_held(cards, r)[0], ()))
    if name in ("hands", "hands_own"):
        return PictureSet(own_cards(), own_cards(440), hand)
    if name == "glare_mat":
        whole = framed_game()
        return PictureSet(
            whole, {label: reference(whole[label], rng) for label in list(whole)[:ENROLLED]}, mat
        )
    if name == "glare_rich":
        learnt = {f"{n:02d}": rich_reference(n, rng) for n in range(ENROLLED)}
        whole = {f"{n:02d}": rich_card(n) for n in range(CARDS)}
        return PictureSet(whole, learnt, lambda cards, r: _shot(*rich_mat(cards, r), among=learnt))
    if name == "foreign":
        return PictureSet({}, own_cards(440), stranger)
    if name == "strips":
        return PictureSet(own_cards(), own_cards(440), lambda cards, r: strip(cards, r, part, width))
    if name == "strips_uno" and uno is not None:
        return PictureSet(uno, uno, lambda cards, r: strip(cards, r, part, width))
    raise SystemExit(f"there is no set {name!r}; see the beginning of this module")


def shots(made: PictureSet, seed: int, count: int) -> Iterator[Shot]:
    """The pictures of a set; equal seeds give equal pictures, whatever the count."""
    for number in range(count):
        yield made.shot(made.cards, np.random.default_rng([seed, number]))
