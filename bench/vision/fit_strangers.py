"""Fits the limits of companion.vision.cards.strangers on development decks (bench.vision.half_decks) and
writes them to models/vision/strangers.json.

    python -m bench --fit strangers [--count N]

Every picture is read twice: with the half of its deck that lacks its cards, where every name is false, and
with the other half. Weights are those of largest likelihood (slightly shrunk); the limit is the one at which
at most LOST of the right names are refused.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from bench.paths import default_shared
from bench.vision import half_decks
from companion.vision.cards.recognise import CardSearch
from companion.vision.cards.strangers import EVIDENCE, FILE, stranger_evidence
from companion.vision.image.picture import Floats
from companion.vision.match.score import is_labelled

LOST = 0.02
"""Share of right names that may be refused."""
SHRINK, ROUNDS = 3e-3, 60
SEED = 2


@dataclass(frozen=True)
class NamedMatch:
    """A name that would be given: its EVIDENCE, and whether the card is not enrolled."""

    evidence: Floats
    stranger: bool


def named_matches(name: str, count: int, shared: Path) -> Iterator[NamedMatch]:
    """What is named in `count` pictures of each kind of a deck, read with both of its halves."""
    printed = half_decks.printed_deck(name, SEED, shared)
    halves = printed.halves(name)
    for half, photo in half_decks.composites(name, printed, count, SEED):
        for deck in (halves[half], halves[1 - half]):
            search = CardSearch(photo.load(), deck, refuses_strangers=False)
            for match in search.read():
                if is_labelled(match):
                    card = search.evaluator.scene.card_at(match.quad)
                    yield NamedMatch(stranger_evidence(deck, match, card), deck is halves[half])


def fit_weights(found: Sequence[NamedMatch]) -> Floats:
    """The weights of EVIDENCE of largest likelihood (logistic regression by Newton's method)."""
    evidence = np.stack([one.evidence for one in found]).astype(np.float64)
    wanted = np.array([one.stranger for one in found], np.float64)
    scale = evidence.std(axis=0) + 1e-6
    scale[0] = 1.0
    scaled, weights = evidence / scale, np.zeros(len(EVIDENCE))
    for _ in range(ROUNDS):
        chance = 1.0 / (1.0 + np.exp(-np.clip(scaled @ weights, -30, 30)))
        slope = scaled.T @ (chance - wanted) / len(wanted) + SHRINK * weights
        bend = (scaled * (chance * (1 - chance))[:, None]).T @ scaled / len(wanted)
        weights -= np.linalg.solve(bend + SHRINK * np.eye(len(weights)), slope)
    return np.asarray(weights / scale, np.float32)


def limits_of(found: Sequence[NamedMatch], data: str) -> dict[str, object]:
    """The fitted limits with what they give on the data that they were fitted on."""
    weights = fit_weights(found)
    odds = np.stack([one.evidence for one in found]) @ weights
    stranger = np.array([one.stranger for one in found])
    least = float(np.quantile(odds[~stranger], 1.0 - LOST))
    return {
        "weights": {name: round(float(value), 4) for name, value in zip(EVIDENCE, weights, strict=True)},
        "least": round(least, 3),
        "data": data,
        "strangers": int(stranger.sum()),
        "refused": int((odds[stranger] > least).sum()),
        "right": int((~stranger).sum()),
        "lost": int((odds[~stranger] > least).sum()),
    }


def main(arguments: Sequence[str]) -> int:
    """The command behind `python -m bench --fit strangers`."""
    parser = argparse.ArgumentParser(prog="python -m bench --fit strangers")
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--shared", type=Path, default=default_shared())
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    found = []
    for name in half_decks.DEVELOPMENT_NAMES:
        found += list(named_matches(name, options.count, options.shared))
        print(f"{name}: {len(found)} names", flush=True)
    data = f"{', '.join(half_decks.DEVELOPMENT_NAMES)}: {options.count} pictures of each kind, two halves"
    limits = limits_of(found, data)
    FILE.write_text(json.dumps(limits, indent=1) + "\n")
    print(json.dumps(limits, indent=1))
    return 0
