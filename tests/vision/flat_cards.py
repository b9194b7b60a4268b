"""Cards laid flat on a drawn table, seen straight from above."""

from __future__ import annotations

import cv2
import numpy as np

from companion import art
from companion.vision.image.picture import Floats, Image

GAME = "seven_merry_monsters"
WIDTH = 130.0
"""Pixels across a card."""


def drawn(labels: list[str]) -> dict[str, Image]:
    """The cards of these labels, drawn."""
    return {label: np.asarray(art.draw_card(GAME, label, 400), np.uint8) for label in labels}


def table(rng: np.random.Generator) -> Image:
    """A brown table with grain, 900 x 600."""
    grain = cv2.GaussianBlur(rng.normal(0, 9, (600, 900, 1)).astype(np.float32), (0, 0), 1.5)
    ground = np.array([60, 90, 120], np.float32) + np.atleast_3d(grain)
    return np.asarray(np.clip(ground, 0, 255), np.uint8)


def quad_at(x: float, y: float, degrees: float = 0.0) -> Floats:
    """Corners of a card that lies there."""
    turn = np.deg2rad(degrees)
    half = np.array([[-0.5, -0.75], [0.5, -0.75], [0.5, 0.75], [-0.5, 0.75]]) * WIDTH
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return np.asarray(half @ spin + (x, y), np.float32)


def lay(ground: Image, card: Image, quad: Floats) -> None:
    """Lays a card as another camera shows it: softer, darker, bluer; in place."""
    height, width = card.shape[:2]
    soft = cv2.GaussianBlur(card, (0, 0), 1.3).astype(np.float32) * np.array([0.85, 0.75, 0.7])
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(frame, quad)
    size = (ground.shape[1], ground.shape[0])
    shown = cv2.warpPerspective(soft, matrix, size, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.ones((height, width), np.float32), matrix, size)[..., None]
    ground[:] = np.clip(ground * (1 - mask) + shown * mask, 0, 255).astype(np.uint8)
