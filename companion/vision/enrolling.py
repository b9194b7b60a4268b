"""Learning a deck from a folder of pictures: `<label>.png` or `.jpg`, further looks `<label>~2.png`.

A picture is a crop of the card or the card on a plain ground. Which of the two is decided for the folder as a
whole, because the frame printed on a card looks like a card on a plain ground.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.errors import Unreadable
from companion.vision import descriptor, geometry
from companion.vision.deck import Deck
from companion.vision.features import joined, look_features
from companion.vision.picture import SUFFIXES, Floats, Image, load_picture
from companion.vision.quads import find_quads

CARD_WIDTH = 300
"""Width in pixels to which a look is brought before its features are taken."""
ALIKE = 0.07
"""Cost below which two cards of the deck can hardly be told apart."""
BLURRED = 0.25
"""Share of the deck's median sharpness below which a picture counts as blurred."""
_LOOK = re.compile(r"^(?P<label>.*?)(~\d+)?$")


@dataclass(frozen=True)
class Enrolment:
    """A deck and what its owner should know about it, in words."""

    deck: Deck
    notes: tuple[str, ...]


def pictures_in(folder: Path) -> list[tuple[str, Path]]:
    """Label and file of every picture in the folder, in order. Raises Unreadable if there are too few."""
    if not folder.is_dir():
        raise Unreadable(f"{folder}: no such folder of card pictures")
    files = sorted(f for f in folder.iterdir() if f.suffix.lower() in SUFFIXES and not f.name.startswith("."))
    found = []
    for file in files:
        match = _LOOK.match(file.stem)
        label = match.group("label").strip() if match else ""
        if not label:
            raise Unreadable(f"{file}: the file's name must begin with the card's label")
        found.append((label, file))
    if not found:
        raise Unreadable(f"{folder}: no .png or .jpg picture there; put one picture of each card into it")
    if len({label for label, _ in found}) < 2:
        raise Unreadable(f"{folder}: one card is no deck; put a picture of each card of the deck there")
    return found


def enrol(folder: Path, name: str | None = None) -> Enrolment:
    """Learn the deck whose pictures lie in `folder`. Raises Unreadable, naming the file, for what is no
    picture; nothing is written."""
    pictures = pictures_in(folder)
    images = [load_picture(file) for _, file in pictures]
    labels = [label for label, _ in pictures]
    return enrol_pictures(name or folder.resolve().name, labels, images)


def enrol_pictures(name: str, labels: Sequence[str], images: Sequence[Image]) -> Enrolment:
    """Learn a deck from pictures in memory, one label each."""
    quads = card_outlines(images)
    aspect = float(np.median([_aspect(quad) for quad in quads]))
    height = round(CARD_WIDTH * aspect)
    looks, features, owners, sharpness = [], [], [], []
    for index, (image, quad) in enumerate(zip(images, quads, strict=True)):
        card = descriptor.picture_of(image, quad, CARD_WIDTH, height)
        looks.append(descriptor.describe(descriptor.Scene(image).rectified(quad)))
        own = look_features(card)
        features.append(own)
        owners.append(np.full(len(own), index, np.int32))
        sharpness.append(float(cv2.Laplacian(cv2.cvtColor(card, cv2.COLOR_BGR2GRAY), cv2.CV_32F).var()))
    deck = Deck(name, tuple(labels), aspect, np.stack(looks), joined(features), np.concatenate(owners))
    return Enrolment(deck, (*_blurred(labels, sharpness), *alike(deck)))


def _aspect(quad: Floats) -> float:
    top, right, bottom, left = (float(v) for v in geometry.sides(quad))
    return (right + left) / (top + bottom)


def card_outlines(images: Sequence[Image]) -> list[Floats]:
    """Where the card lies in each picture: the whole picture (crops), or the outline on the plain ground."""
    on_ground = [_on_plain_ground(image) for image in images]
    if sum(quad is not None for quad in on_ground) >= 0.7 * len(images):
        return [_whole(im) if quad is None else quad for im, quad in zip(images, on_ground, strict=True)]
    return [_whole(image) for image in images]


def _whole(image: Image) -> Floats:
    height, width = image.shape[:2]
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5


def _on_plain_ground(image: Image) -> Floats | None:
    """The largest outline wholly inside the picture, if it is a drawn-through edge, everything round it is of
    one colour and it is not merely the frame printed on a card."""
    height, width = image.shape[:2]
    rim = 0.015 * min(height, width)
    inside = [
        quad
        for quad in find_quads(image)
        if quad.min() > rim
        and quad[:, 0].max() < width - 1 - rim
        and quad[:, 1].max() < height - 1 - rim
        and 0.05 <= geometry.area(quad) / (height * width) <= 0.9
    ]
    for quad in sorted(inside, key=geometry.area, reverse=True)[:4]:
        if _is_frame(quad, width, height) or not _plain_outside(image, quad):
            continue
        if edge_support(image, quad) > 0.85:
            return _top_up(quad)
    return None


def edge_support(image: Image, quad: Floats) -> float:
    """Share of the quad's sides, rounded corners left out, that run along an edge of the picture."""
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 1.5)
    edges = cv2.dilate(cv2.Canny(grey, 15, 45), np.ones((7, 7), np.uint8))
    steps = np.linspace(0.12, 0.88, 60, dtype=np.float32)[:, None]
    points = np.concatenate(
        [a + steps * (b - a) for a, b in zip(quad, np.roll(quad, -1, axis=0), strict=True)]
    )
    x = np.clip(np.round(points[:, 0]).astype(int), 0, image.shape[1] - 1)
    y = np.clip(np.round(points[:, 1]).astype(int), 0, image.shape[0] - 1)
    return float((edges[y, x] > 0).mean())


def _is_frame(quad: Floats, width: int, height: int) -> bool:
    """True for an outline parallel and close to all four borders of a picture shaped like a card."""
    shape = height / width
    if not 1.2 <= shape <= 1.9:
        return False
    low, high = quad.min(axis=0), quad.max(axis=0)
    tilt = np.abs(np.sort(quad[:, 0])[1] - low[0]) + np.abs(np.sort(quad[:, 1])[1] - low[1])
    margins = np.array([low[0], low[1], width - 1 - high[0], height - 1 - high[1]]) / width
    return bool(tilt < 0.03 * width and margins.max() < 0.14)


def _plain_outside(image: Image, quad: Floats) -> bool:
    """True if the ground round the outline, a narrow rim excepted, is of one colour."""
    outside = np.full(image.shape[:2], 255, np.uint8)
    middle = quad.mean(axis=0)
    grown = middle + (quad - middle) * 1.06
    cv2.fillConvexPoly(outside, np.round(grown).astype(np.int32), 0)
    lab = cv2.cvtColor(cv2.GaussianBlur(image, (0, 0), 2.0), cv2.COLOR_BGR2LAB)
    ground = lab[outside > 0].astype(np.float32)
    if len(ground) < 0.03 * outside.size:
        return False
    away = np.abs(ground - np.median(ground, axis=0))
    return bool(np.percentile(away[:, 0], 97) < 40 and np.percentile(away[:, 1:], 97) < 16)


def _top_up(quad: Floats) -> Floats:
    """Of the two ways up the one whose top lies higher in the picture (further left, if it lies flat)."""
    top, bottom = quad[:2].mean(axis=0), quad[2:].mean(axis=0)
    wrong = (
        bottom[1] < top[1] - 1e-3
        if abs(bottom[1] - top[1]) > abs(bottom[0] - top[0]) * 0.2
        else bottom[0] < top[0]
    )
    return geometry.turned(quad) if wrong else quad


def _blurred(labels: Sequence[str], sharpness: Sequence[float]) -> list[str]:
    usual = float(np.median(sharpness))
    poor = [label for label, value in zip(labels, sharpness, strict=True) if value < BLURRED * usual]
    return [f"blurred, better taken again: {', '.join(poor)}"] if poor else []


def alike(deck: Deck) -> list[str]:
    """One note for every two cards of the deck that look too much alike to be told apart."""
    notes = []
    for index, look in enumerate(deck.looks):
        costs = deck.gallery.costs(look).mean(axis=1)
        for other in np.flatnonzero(costs < ALIKE):
            if other > index and deck.labels[index] != deck.labels[other]:
                notes.append(f"{deck.labels[index]} and {deck.labels[other]} look too much alike")
    return list(dict.fromkeys(notes))
