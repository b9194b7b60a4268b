"""Fits the limits of the namer on development decks (bench.vision.held) and writes them to
models/vision/namer.json.

    python -m bench --fit eyes --work DIR [--refined]

DIR holds the packages that the decks are made of, and is filled where it is empty. Weights are those of
largest likelihood over all development decks; the least probability is the one at which at most FALSE_SHARE
of the pictures get a false name, each deck named by weights that were fitted without it. `--refined`: for
decks on which the namer was refined, which needs torch.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.vision.held import HeldSet, held_sets
from companion.vision.cards.named_places import (
    CANDIDATES,
    FEATURES,
    PlaceCandidate,
    choice_probabilities,
    place_candidates,
)
from companion.vision.deck.deck import Deck
from companion.vision.image.picture import Floats
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.namer.network import ABOUT, FOLDER
from companion.vision.namer.propose import name_places

FALSE_SHARE, MARGIN = 0.005, 0.002
"""Share of pictures that get a false name, and what the limit lies above the first name too many."""
STEPS, RATE, SHRINK = 4000, 0.05, 1e-3
PICTURES = 60
"""Pictures of each deck."""


@dataclass(frozen=True)
class FittedPlace:
    """One place: the features of its candidates (k, 7), which of them is right (k: none), and whether a right
    name was to be found in the picture."""

    features: Floats
    right: int
    known: bool


def places_of(held: HeldSet, deck: Deck | None = None) -> list[FittedPlace]:
    """The places that the networks find in the pictures of a set; a picture without any counts as one without
    candidates."""
    used = deck or held.deck
    found = []
    for picture in held.pictures:
        scene = PicturePyramid(picture.image)
        places = name_places(picture.image, used.embeddings)
        for place in places:
            found.append(_fitted(used, place_candidates(scene, used, place), picture.label, picture.corners))
        if not places:
            found.append(FittedPlace(np.zeros((0, len(FEATURES)), np.float32), 0, picture.label is not None))
    return found


def _fitted(
    deck: Deck, candidates: Sequence[PlaceCandidate], label: str | None, corners: Floats
) -> FittedPlace:
    """`label` is right where its quad is roughly on the card."""
    right = len(candidates)
    for index, one in enumerate(candidates):
        size = float(np.linalg.norm(corners[0] - corners[2]))
        near = float(np.linalg.norm(one.quad.mean(axis=0) - corners.mean(axis=0))) < 0.25 * size
        if deck.labels[one.look] == label and near:
            right = index
    return FittedPlace(np.stack([one.features for one in candidates]), right, label is not None)


def fit_weights(places: Sequence[FittedPlace]) -> Floats:
    """The weights of FEATURES of largest likelihood (conditional logit by Adam, slightly shrunk)."""
    usable = [place for place in places if len(place.features)]
    features = np.zeros((len(usable), CANDIDATES, len(FEATURES)))
    present = np.zeros((len(usable), CANDIDATES), bool)
    wanted = np.zeros((len(usable), CANDIDATES + 1))
    for row, place in enumerate(usable):
        features[row, : len(place.features)] = place.features
        present[row, : len(place.features)] = True
        wanted[row, place.right if place.right < len(place.features) else CANDIDATES] = 1.0
    scale = np.maximum(features[present].std(axis=0), 1e-3)
    scale[0] = 1.0
    scaled = features / scale
    weights, first, second = (np.zeros(len(FEATURES)) for _ in range(3))
    for step in range(1, STEPS + 1):
        utilities = np.where(present, scaled @ weights, -50.0)
        odds = np.exp(np.clip(np.c_[utilities, np.zeros(len(usable))], -50, 50))
        chance = odds / odds.sum(axis=1, keepdims=True)
        slope = (
            -np.einsum("nk,nkf->f", (wanted - chance)[:, :-1] * present, scaled) / len(usable)
            + SHRINK * weights
        )
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        weights -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return np.asarray(weights / scale, np.float32)


def outcomes(places: Sequence[FittedPlace], weights: Floats) -> list[tuple[float, bool]]:
    """For each place with candidates the probability of its best one, and whether that is right."""
    found = []
    for place in places:
        if len(place.features):
            chance = choice_probabilities(list(place.features), weights.tolist())
            found.append((float(chance.max()), int(chance.argmax()) == place.right))
    return found


def cross_fitted(decks: Sequence[Sequence[FittedPlace]]) -> list[tuple[float, bool]]:
    """The outcomes of each deck by weights that were fitted without every second deck, its own among them."""
    found = []
    for half in (0, 1):
        weights = fit_weights([place for i, deck in enumerate(decks) if i % 2 != half for place in deck])
        found += outcomes([place for i, deck in enumerate(decks) if i % 2 == half for place in deck], weights)
    return found


def least_probability(found: Sequence[tuple[float, bool]], most_false: int) -> float:
    """The least probability of a name at which at most so many of the names are false."""
    false = sorted((chance for chance, right in found if not right), reverse=True)
    return round(false[most_false] + MARGIN, 3) if len(false) > most_false else 0.5


def fit_limits(decks: Sequence[Sequence[FittedPlace]], pictures: int, data: str) -> dict[str, object]:
    """The limits fitted on the places of some decks, with what they give there (each deck by weights that
    were fitted without it)."""
    weights = fit_weights([place for deck in decks for place in deck])
    return limits_of(weights, decks, cross_fitted(decks), pictures, data)


def limits_of(
    weights: Floats,
    decks: Sequence[Sequence[FittedPlace]],
    found: Sequence[tuple[float, bool]],
    pictures: int,
    data: str,
) -> dict[str, object]:
    """Weights with the least probability that suits the outcomes `found` on some decks, and what both
    give."""
    least = least_probability(found, int(FALSE_SHARE * pictures))
    named = [right for chance, right in found if chance > least]
    return {
        "weights": {name: round(float(value), 4) for name, value in zip(FEATURES, weights, strict=True)},
        "least": least,
        "data": data,
        "pictures": pictures,
        "named": len(named),
        "precision": round(sum(named) / max(1, len(named)), 4),
        "recall": round(sum(named) / max(1, sum(place.known for deck in decks for place in deck)), 4),
    }


def refined_limits(decks: Sequence[Sequence[FittedPlace]], pictures: int, data: str) -> dict[str, object]:
    """The limits for refined decks: the weights are those fitted for the shipped namer; only the least
    probability is fitted on the refined decks, of which there are few."""
    kept = json.loads((FOLDER / ABOUT).read_text())["limits"]["generic"]["weights"]
    weights = np.array([kept[name] for name in FEATURES], np.float32)
    found = outcomes([place for deck in decks for place in deck], weights)
    return limits_of(weights, decks, found, pictures, data)


def write_limits(kind: str, limits: dict[str, object]) -> None:
    """Keeps the limits in models/vision/namer.json."""
    about = json.loads((FOLDER / ABOUT).read_text())
    about.setdefault("limits", {})[kind] = limits
    (FOLDER / ABOUT).write_text(json.dumps(about, indent=1) + "\n")


def fit(work: Path, refined: bool, count: int = PICTURES) -> dict[str, object]:
    """Fits the limits of the shipped namer, or of one refined on each deck; writes and returns them."""
    decks = []
    for held in held_sets(work, count):
        used = held.deck
        if refined:
            from models.vision.namer.refine import refined_deck

            used = refined_deck(used, report=lambda _: None)
        decks.append(places_of(held, used))
        print(f"{held.deck.name}: {len(held.deck.labels)} cards", flush=True)
    data = f"bench.vision.held: {len(decks)} decks, a quarter of the cards not enrolled"
    limits = (refined_limits if refined else fit_limits)(decks, count * len(decks), data)
    write_limits("refined" if refined else "generic", limits)
    return limits


def main(arguments: Sequence[str]) -> int:
    """The command behind `python -m bench --fit eyes`."""
    parser = argparse.ArgumentParser(prog="python -m bench --fit eyes")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--refined", action="store_true")
    parser.add_argument("--count", type=int, default=PICTURES)
    options = parser.parse_args(arguments)
    print(json.dumps(fit(options.work, options.refined, options.count), indent=1))
    return 0
