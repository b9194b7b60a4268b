"""Rendered pictures for measuring: displays of our own deck, and the drawn sets of bench.surrogates."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bench.surrogates.sets import OWN, PictureSet, Shot, shots
from bench.vision.real import Floats, Instance, Photo, Score
from companion import art
from companion.art import scene
from companion.art.scene import layouts
from companion.games import game_named
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.display.read import read_display
from companion.vision.image.geometry import rotated_half_turn

Rng = np.random.Generator
GLIMPSE = 0.15
"""Visible part below which a card need not be found; finding it is not false either."""


def own_deck() -> Deck:
    """Our own deck, enrolled from its drawings."""
    labels = art.card_labels(OWN)
    return enrol_pictures(OWN, labels, [art.draw_card(OWN, label, 440) for label in labels]).deck


def deck_of(name: str, made: PictureSet) -> Deck:
    """The deck of a drawn set, learned from its references."""
    return enrol_pictures(name, list(made.references), list(made.references.values())).deck


def photos(made: PictureSet, seed: int, count: int, *, only_lowest: bool = False) -> Iterator[Photo]:
    """The pictures of a drawn set with their truth. `only_lowest`: of each picture only its first card is
    asked for, the others are neither found nor false."""
    for number, shot in enumerate(shots(made, seed, count)):
        yield Photo(Path(f"{number:04d}"), tuple(_instances(shot, only_lowest)), image=shot.image)


def _instances(shot: Shot, only_lowest: bool) -> Iterator[Instance]:
    height, width = shot.image.shape[:2]
    for index, card in enumerate(shot.cards):
        x, y = (card.corners.mean(axis=0) / (width, height)).tolist()
        yield Instance(card.label, x, y, card.visible < GLIMPSE or (only_lowest and index > 0))


def at(corners: Floats, card: tuple[tuple[float, float], ...]) -> bool:
    """Whether a sighting is at the card's place, whichever way up: corners within 0.3 widths on average."""
    width = float(np.linalg.norm(corners[1] - corners[0]))
    quad = np.asarray(card, np.float32)
    return any(
        float(np.linalg.norm(q - corners, axis=1).mean()) < 0.3 * width
        for q in (quad, rotated_half_turn(quad))
    )


def display(
    rng: Rng, *, cards: int | None = None, part: float = 1 / 3, hardness: float = 0.5
) -> tuple[scene.RenderedPicture, dict[str, list[str]]]:
    """A photographed display of our own deck with its columns, 3 to 18 cards if no number is given."""
    columns = scene.random_display(rng, cards or int(rng.integers(3, 19)))
    placed = layouts.display(columns, rng, part=part)
    tilt, turn = float(rng.uniform(0, 25)), float(rng.normal(0, 6))
    view = layouts.fitted(placed, scene.View(width=1600, height=1200, tilt=tilt, turn=turn))
    table = scene.Scene(OWN, view, scene.random_conditions(rng, hardness), rng)
    return table.render(placed), columns


def displays(deck: Deck, count: int, seed: int) -> Score:
    """Rendered displays: cards found and false, and how many scores were right, wrong or left unsure."""
    result, game = Score(), game_named(OWN)
    for number in range(count):
        picture, columns = display(np.random.default_rng([seed, number]))
        begun = time.process_time()
        reading = read_display(np.asarray(picture.image, np.uint8), deck, game.joker)
        result.ms.append((time.process_time() - begun) * 1000.0)
        result.photos += 1
        left = list(reading.cards)
        for truth in picture.truth:
            corners = np.asarray(truth.corners, np.float32)
            hit = next((c for c in left if c.label == truth.label and at(corners, c.corners)), None)
            result.found += hit is not None
            result.missed += hit is None
            if hit is None:
                result.notes.append(f"display {number}: {truth.label} missed")
            else:
                left.remove(hit)
                result.confidences.append((hit.confidence, True))
        result.false += len(left)
        result.spoilt += bool(left)
        result.confidences.extend((card.confidence, False) for card in left)
        expected = {
            monster: {"cards": len(labels), "jokers": labels.count("joker")}
            for monster, labels in columns.items()
        }
        same = game.points_of_display(reading.display) == game.points_of_display(expected)
        result.totals["unsure" if reading.unsure else "right" if same else "wrong"] += 1
    return result
