"""Fits the limits of the verifier for cards on a table on development decks (bench.vision.half_decks) and
writes them to models/vision/verifier/verifier.json.

    python -m bench --fit verifier [--count N]

Every picture is read with the half of its deck that lacks its cards, where every name is false, and with the
other half. The weights are those of largest likelihood (slightly shrunk) for a name to be false; `refused` is
the value that LOST of the right names are above. `alone` are the log odds of the verifier from which on
matches that nothing else names give a false name in at most FALSE_SHARE of the pictures.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from bench.paths import default_shared
from bench.vision import half_decks
from bench.vision.real import Instance
from companion.vision.cards.recognise import CardSearch
from companion.vision.cards.selection import EVIDENCE, MatchLimits, match_evidence
from companion.vision.image.geometry import contains
from companion.vision.image.picture import Floats
from companion.vision.match.score import CardMatch
from companion.vision.namer.network import FOLDER
from companion.vision.verifier.network import ABOUT

LOST, FALSE_SHARE, MARGIN = 0.02, 0.0025, 0.05
"""Share of right names that may be refused, share of pictures that may get a false one, and what `alone` lies
above the first false name too many."""
SHRINK, ROUNDS = 0.03, 60
BY_ALL = MatchLimits((0.0,) * len(EVIDENCE), math.inf, math.inf)
BY_VERIFIER = MatchLimits((0.0,) * len(EVIDENCE), -math.inf, -math.inf)
"""Limits by which everything but the verifier names matches, and by which the verifier alone does."""
SEED = 2


@dataclass(frozen=True)
class ReadPicture:
    """The names that one picture would give: EVIDENCE of the right and of the false ones (n, 4) if the
    verifier is not asked, and its log odds of those that it gives alone."""

    right: tuple[Floats, ...] = ()
    false: tuple[Floats, ...] = ()
    right_alone: tuple[float, ...] = ()
    false_alone: tuple[float, ...] = ()


def read_pictures(name: str, count: int, shared: Path) -> Iterator[ReadPicture]:
    """What `count` pictures of each kind of a deck give, read with both of its halves."""
    printed = half_decks.printed_deck(name, SEED, shared)
    halves = printed.halves(name)
    for half, photo in half_decks.composites(name, printed, count, SEED):
        image = photo.load()
        for which in (half, 1 - half):
            truth = () if which == half else photo.instances
            (right, false), (right_alone, false_alone) = (
                _named(CardSearch(image, halves[which], limits=limits).read(), truth, image.shape)
                for limits in (BY_ALL, BY_VERIFIER)
            )
            yield ReadPicture(
                tuple(match_evidence(match) for match in right),
                tuple(match_evidence(match) for match in false),
                tuple(match.log_odds for match in right_alone),
                tuple(match.log_odds for match in false_alone),
            )


def _named(
    found: Sequence[CardMatch], truth: Sequence[Instance], shape: tuple[int, ...]
) -> tuple[list[CardMatch], list[CardMatch]]:
    """The right and the false ones of the matches that the verifier was asked about."""
    asked = [match for match in found if match.strip_ratio is None and match.probability is None]
    right = [match for match in asked if _is_right(match, truth, shape)]
    return right, [match for match in asked if not any(match is one for one in right)]


def _is_right(match: CardMatch, truth: Sequence[Instance], shape: tuple[int, ...]) -> bool:
    """Whether the middle of a card of that label lies in the quad."""
    return any(
        one.label == match.label and contains(match.quad, (one.x * shape[1], one.y * shape[0]))
        for one in truth
    )


def fit_weights(right: Sequence[Floats], false: Sequence[Floats]) -> Floats:
    """The weights of EVIDENCE of largest likelihood (logistic regression by Newton's method)."""
    evidence = np.stack([*right, *false]).astype(np.float64)
    wanted = np.repeat([0.0, 1.0], [len(right), len(false)])
    scale = evidence.std(axis=0) + 1e-6
    scale[0] = 1.0
    scaled, weights = evidence / scale, np.zeros(len(EVIDENCE))
    shrink = SHRINK * np.array([0.0] + [1.0] * (len(EVIDENCE) - 1))
    for _ in range(ROUNDS):
        chance = 1.0 / (1.0 + np.exp(-np.clip(scaled @ weights, -30, 30)))
        slope = scaled.T @ (chance - wanted) / len(wanted) + shrink * weights
        bend = (scaled * (chance * (1 - chance))[:, None]).T @ scaled / len(wanted)
        weights -= np.linalg.solve(bend + SHRINK * np.eye(len(weights)), slope)
    return np.asarray(weights / scale, np.float32)


def limits_of(pictures: Sequence[ReadPicture], data: str) -> dict[str, object]:
    """The fitted limits with what they give on the data that they were fitted on."""
    right = [evidence for picture in pictures for evidence in picture.right]
    false = [evidence for picture in pictures for evidence in picture.false]
    weights = fit_weights(right, false)
    refused = float(np.quantile(np.stack(right) @ weights, 1.0 - LOST))
    highest = sorted((max(picture.false_alone, default=-math.inf) for picture in pictures), reverse=True)
    alone = round(highest[int(FALSE_SHARE * len(pictures))] + MARGIN, 3)
    return {
        "weights": {name: round(float(value), 4) for name, value in zip(EVIDENCE, weights, strict=True)},
        "refused": round(refused, 3),
        "alone": alone,
        "data": data,
        "pictures": len(pictures),
        "right": len(right),
        "right_refused": int((np.stack(right) @ weights > refused).sum()),
        "false": len(false),
        "false_refused": int((np.stack(false) @ weights > refused).sum()),
        "right_alone": sum(odds > alone for picture in pictures for odds in picture.right_alone),
        "false_alone": sum(odds > alone for picture in pictures for odds in picture.false_alone),
    }


def main(arguments: Sequence[str]) -> int:
    """The command behind `python -m bench --fit verifier`."""
    parser = argparse.ArgumentParser(prog="python -m bench --fit verifier")
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--shared", type=Path, default=default_shared())
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    found: list[ReadPicture] = []
    for name in half_decks.DEVELOPMENT_NAMES:
        found += read_pictures(name, options.count, options.shared)
        print(f"{name}: {len(found)} pictures", flush=True)
    data = f"{', '.join(half_decks.DEVELOPMENT_NAMES)}: {options.count} pictures of each kind, two halves"
    limits = limits_of(found, data)
    file = FOLDER / ABOUT
    file.write_text(json.dumps(json.loads(file.read_text()) | {"matches": limits}, indent=1) + "\n")
    print(json.dumps(limits, indent=1))
    return 0
