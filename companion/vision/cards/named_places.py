"""Decides which card a place shows that the networks found: the namer's likeness and the pixels together.

Each of the likeliest cards is moved onto the place by itself and compared there pixel by pixel. A conditional
logit weighs likeness, pixels and how much can be seen; "none of them" is one of its choices. Its weights and
the least probability of a name are fitted by `python -m bench --fit eyes` (models/vision/namer.json).
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Floats, Image
from companion.vision.match import descriptor
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.match.refine import FRAME, refine_quad
from companion.vision.match.score import blocks_outside, visible_blocks
from companion.vision.namer.network import ABOUT, FOLDER
from companion.vision.namer.propose import NamedPlace, name_places

CANDIDATES, BY_NETWORK = 6, 4
"""Cards that are moved onto a place and compared, and how many of them the namer chooses; the others are
those of least cost by their blocks."""
FARTHEST = 0.25
"""Card widths by which a card may be moved; more, and it has slid onto something else."""
FEATURES = ("one", "likeness", "fit", "likeness_lead", "fit_lead", "log_weight", "share")
"""What is known of a candidate: a constant; likeness to it; share of the visible pattern that it explains; by
how much both exceed those of the best other card; how many cells of the picture show the card; its visible
share."""


@dataclass(frozen=True)
class PlaceCandidate:
    """A look on its place with its FEATURES (7,)."""

    look: int
    quad: Floats
    features: Floats


@dataclass(frozen=True)
class NameLimits:
    """Weights of FEATURES, and the least probability of a card that is named."""

    weights: tuple[float, ...]
    least: float


@dataclass(frozen=True)
class NamedCard:
    """A card that is named, and its probability."""

    look: int
    quad: Floats
    probability: float


@lru_cache(maxsize=2)
def name_limits(refined: bool) -> NameLimits:
    """The fitted limits of the shipped namer, or of a namer that was refined on its deck."""
    found = json.loads((FOLDER / ABOUT).read_text())["limits"]["refined" if refined else "generic"]
    return NameLimits(tuple(float(found["weights"][name]) for name in FEATURES), float(found["least"]))


def named_cards(image: Image, scene: PicturePyramid, deck: Deck) -> list[NamedCard]:
    """The cards that the networks find and the pixels confirm in a picture, most probable first."""
    limits = name_limits(deck.is_refined)
    found = []
    for place in name_places(image, deck.embeddings):
        candidates = place_candidates(scene, deck, place)
        probabilities = choice_probabilities([one.features for one in candidates], limits.weights)
        best = int(np.argmax(probabilities))
        if probabilities[best] > limits.least:
            found.append(NamedCard(candidates[best].look, candidates[best].quad, float(probabilities[best])))
    return sorted(found, key=lambda card: -card.probability)


def choice_probabilities(features: Sequence[Floats], weights: Sequence[float]) -> Floats:
    """The probability of each candidate; what is left to 1 is that of none of them."""
    utilities = np.stack(features) @ np.asarray(weights)
    odds = np.exp(np.clip(utilities, -50.0, 50.0))
    return np.asarray(odds / (1.0 + odds.sum()), np.float32)


def place_candidates(scene: PicturePyramid, deck: Deck, place: NamedPlace) -> list[PlaceCandidate]:
    """The likeliest cards of a place, each moved onto it and compared by its pixels."""
    chosen = _chosen(scene, deck, place)
    quads = [_moved(scene, deck, look, place.pose(over)) for look, over in chosen]
    inside = ~blocks_outside(place.quad, scene.image.shape)
    costs = []
    for (look, over), quad in zip(chosen, quads, strict=True):
        own = deck.gallery.costs(scene.card_at(quad).descriptor, np.array([look]))[0]
        costs.append(own[::-1] if over else own)
    seen = visible_blocks(np.where(inside, np.min(costs, axis=0), 1.0).astype(np.float32)) & inside
    if seen.sum() < descriptor.COLUMNS:
        seen = inside
    fits = []
    for (look, over), quad in zip(chosen, quads, strict=True):
        visible = seen[::-1] if over else seen
        left = deck.pixel_matcher.residuals(scene.card_at(quad), visible, np.array([look])).residual
        fits.append(max(0.0, 1.0 - float(left[0])))
    after = deck.embeddings.answer(scene.image, np.stack(quads)).likeness
    likenesses = [
        max(float(place.likeness[over, look]), float(after[index, 0, look]))
        for index, (look, over) in enumerate(chosen)
    ]
    return [
        PlaceCandidate(
            look,
            quads[index],
            np.array(
                [
                    1.0,
                    likenesses[index],
                    fits[index],
                    likenesses[index] - _best_other(likenesses, index),
                    fits[index] - _best_other(fits, index),
                    math.log(place.weight),
                    float(seen.mean()),
                ],
                np.float32,
            ),
        )
        for index, (look, _) in enumerate(chosen)
    ]


def _chosen(scene: PicturePyramid, deck: Deck, place: NamedPlace) -> list[tuple[int, int]]:
    """The looks that are compared, each with its orientation: those likest by the network, then those of
    least cost."""
    chosen = place.ranked(deck.cards)[:BY_NETWORK]
    card = scene.card_at(place.quad).descriptor
    costs = [deck.gallery.costs(way).mean(axis=1) for way in (card, descriptor.rotated_half_turn(card))]
    for index in np.argsort(np.concatenate(costs)):
        over, look = divmod(int(index), len(deck.cards))
        if len(chosen) >= CANDIDATES:
            break
        if all(deck.cards[look] != deck.cards[other] for other, _ in chosen):
            chosen.append((look, over))
    return chosen


def _best_other(values: Sequence[float], index: int) -> float:
    """The highest of the others; 0 if there are none."""
    return max([value for at, value in enumerate(values) if at != index], default=0.0)


def _moved(scene: PicturePyramid, deck: Deck, look: int, quad: Floats) -> Floats:
    """The quad moved onto the look; the quad itself if that slid away."""
    moved, _ = refine_quad(scene, quad, deck.light_template(look), freedom=8)
    onto = geometry.transform(moved, geometry.homography(quad, FRAME)) - FRAME
    return moved if float(np.abs(onto).max()) < FARTHEST * descriptor.WIDTH else quad
