"""Pictures of cards that lie apart, as owners take them to enrol a deck.

Some cards stick out of the picture, some mirror a lamp. The decks that limits are chosen on and those that
are reported have nothing in common but the camera.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from bench.displays.decks import deck_named
from bench.displays.scenes import squared_paper
from bench.surrogates.rough import GAME, rich_card
from companion.art.scene.tables import table
from models.drawn.camera import Floats, Image, Rng, aged, glare, lay, phone, quad_at, taken, webcam
from models.drawn.rooms import playmat

DEVELOPMENT_DECKS = ("bands", "creatures", "tokens", "own")
REPORTED_DECKS = ("portraits", "pips", "uno", "framed")
GROUNDS = ("wood", "cloth", "white", "checked", "squared", "playmat")
WIDTH, HEIGHT = 1280, 960
FRAMED_GAME = 29
"""Seed of the trading game that is reported; that of bench.surrogates.rough is for choosing limits."""
LAMP = 2.5
"""How bright a mirrored lamp is at most, by white paper."""
MIRRORED = 60
"""Part (of 255) of the lamp's light from which a pixel shows the lamp."""
CUT_OFF = 0.02
"""Share of a card outside the picture from which it counts as cut off."""


@dataclass(frozen=True, eq=False)
class EnrolmentCard:
    """One card of a scene: its corners in pixels, the share of it outside the picture, and the share of its
    face that shows a lamp instead of the card."""

    quad: Floats
    outside: float
    mirrored: float


@dataclass(frozen=True, eq=False)
class EnrolmentScene:
    image: Image
    cards: tuple[EnrolmentCard, ...]
    ground: str


def printed_cards(name: str, seed: int, shared: Path) -> Mapping[str, Image]:
    """The cards of a deck as they are printed, by label."""
    if name == "framed":
        return {f"{number:02d}": rich_card(number, FRAMED_GAME) for number in range(24)}
    if name == "framed development":
        return {f"{number:02d}": rich_card(number, GAME) for number in range(24)}
    return deck_named(name, seed, shared).cards


def enrolment_scene(cards: Mapping[str, Image], ground: str, rng: Rng) -> EnrolmentScene:
    """One to twelve cards in rows, laid by hand, on a ground."""
    columns, rows = int(rng.integers(1, 5)), int(rng.integers(1, 4))
    faces = [cards[label] for label in rng.permutation(sorted(cards))[: columns * rows]]
    aspect = faces[0].shape[0] / faces[0].shape[1]
    canvas = _ground(ground, rng)
    room = min(WIDTH / columns, HEIGHT / rows / aspect)
    width = room * float(rng.uniform(0.62, 0.82))
    shift = rng.uniform(-0.55, 0.55, 2) * (WIDTH / columns, HEIGHT / rows) if rng.random() < 0.35 else (0, 0)
    tilt, way = float(rng.uniform(0, 22)), float(rng.uniform(0, 360))
    shadow = float(rng.uniform(0.1, 0.4))
    quads = []
    cover = np.zeros((HEIGHT, WIDTH), np.float32)
    for index, face in enumerate(faces):
        place = (np.array([index % columns, index // columns]) + 0.5) * (WIDTH / columns, HEIGHT / rows)
        centre = place + shift + rng.normal(0, 0.03 * width, 2)
        quad = quad_at((centre[0], centre[1]), width, aspect, float(rng.normal(0, 5)), tilt, way)
        cover = np.maximum(cover, lay(canvas, aged(face, rng), quad, shadow=shadow, reach=3.0))
        quads.append(quad)
    camera = replace((phone, webcam)[int(rng.random() < 0.3)](rng), bend=0.0)
    canvas *= np.asarray(camera.balance, np.float32)
    camera = replace(camera, balance=(1.0, 1.0, 1.0))  # a camera balances before its sensor's levels end
    lamp = np.zeros_like(canvas)
    if rng.random() < 0.4:
        glare(lamp, cover, int(rng.integers(1, 5)), rng, size=float(rng.uniform(0.3, 1.0)) * width)
    mirrored = lamp.max(axis=2) > MIRRORED
    found = [EnrolmentCard(quad, _outside(quad), _share(mirrored, quad)) for quad in quads]
    seen = tuple(card for card in found if card.outside < 0.9)
    return EnrolmentScene(taken(canvas + LAMP * lamp, camera, rng), seen, ground)


def _ground(kind: str, rng: Rng) -> Floats:
    if kind == "squared":
        return squared_paper(WIDTH, HEIGHT, float(rng.uniform(2.0, 4.0)), rng)
    if kind == "playmat":
        return playmat(WIDTH, HEIGHT, rng)
    return np.asarray(table(kind, WIDTH, HEIGHT, float(rng.uniform(1.5, 3.0)), rng), np.float32)


def _outside(quad: Floats) -> float:
    """Share of a quad's area outside the picture."""
    frame = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
    inside, _ = cv2.intersectConvexConvex(quad, frame)
    return 1.0 - float(inside) / float(cv2.contourArea(quad))


def _share(mask: np.ndarray, quad: Floats) -> float:
    """Share of a quad's pixels in the picture that the mask has."""
    area = np.zeros(mask.shape, np.uint8)
    cv2.fillConvexPoly(area, np.round(quad).astype(np.int32), 1)
    return float(mask[area > 0].mean()) if area.any() else 0.0
