"""Fits what speaks for a card at a place of the lattice (companion.vision.lattice.limits) and writes
models/vision/lattice.json.

    python -m bench --fit lattice [--count N] [--seed S]

Boards are drawn as those of bench.lattice: N as they are measured, half as many laid more carelessly under
more lamps and hands, half as many of one to four cards, and half as many tables without a card. The weights
are those of largest likelihood (bench.vision.choice_fit). The limits are the least probabilities from which
few enough cards of boards as people lay them are wrong, where each fifth of all boards is judged by weights
that were fitted without it. Which cards adapt the deck and are laid anew is decided by the shipped limits:
fit again until they stay.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace

import cv2
import msgspec
import numpy as np

from bench.lattice.__main__ import enrolled_deck, faces_of
from bench.vision.choice_fit import likeliest_weights
from companion.vision.choice import choice_odds, choice_probabilities
from companion.vision.image.picture import Array, Floats
from companion.vision.lattice.cells import Cell, median_side
from companion.vision.lattice.known_table import NOTHING_KNOWN
from companion.vision.lattice.limits import FILE, LightedPlaceModel, PlaceModel, SearchModel
from companion.vision.lattice.read import templates_of_deck
from companion.vision.lattice.scored_lattices import scored_lattices
from companion.vision.models import FOLDER
from models.vision.triangles.tables import Board, Hard, photograph, random_table

COUNT, SEED = 200, 40_000
FOLDS = 5
SAME_PLACE = 0.25
"""Sides between the middle of a place and that of the card that lies there."""
WRONG_ANCHORS, WRONG_NAMES = 0.01, 0.002
"""Shares of the cards that adapt the deck, and of those named, that may be wrong."""
NONE, HIDDEN = -1, -2
"""What a place shows instead of a card of the deck: none, or one of which a hand hides the most."""
FIRST_FEATURES = 8
"""So many columns of LatticeEvidence are known without added light."""


@dataclass(frozen=True)
class BoardKind:
    """Boards of `cards` (from, to less one) that are laid and lit so, by `share` of the number asked for;
    their seeds begin at `seed`. `usual`: as people lay them; only these say from when a card is named."""

    hard: Hard
    cards: tuple[int, int]
    share: float
    seed: int
    usual: bool = True


KINDS = (
    BoardKind(Hard(), (5, 26), 1.0, 0),
    BoardKind(Hard(place=6.0, turn=9.0, hand=0.4, shine=0.7), (4, 26), 0.5, 2000, usual=False),
    BoardKind(Hard(), (1, 5), 0.5, 4000),
    BoardKind(Hard(), (0, 1), 0.5, 6000),
)


@dataclass(frozen=True, eq=False)
class FittedLatticePlace:
    """A place of the board `seed`, laid as people do (`usual`) or not: what it shows of each choice (choices,
    features), whether it was compared under added light, and which choice is right, NONE or HIDDEN."""

    seed: int
    usual: bool
    shown: Floats
    lighted: bool
    truth: int


@dataclass(frozen=True, eq=False)
class FittedBoard:
    """The places of a board that were `tried`, of which the only choice is any card, and those that were
    `scored`."""

    tried: tuple[FittedLatticePlace, ...]
    scored: tuple[FittedLatticePlace, ...]


def fitted_board(job: tuple[BoardKind, int]) -> FittedBoard:
    """All places that are looked at in the picture of a board."""
    kind, seed = job
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    faces = faces_of(seed, rng)
    deck = enrolled_deck(faces, seed)
    count = int(rng.integers(*kind.cards))
    if count:
        board = photograph(random_table(list(faces), count, rng), faces, kind.hard, rng)
    else:  # one card of glass
        glass = {label: face * (1.0, 1.0, 1.0, 0.0) for label, face in faces.items()}
        board = replace(photograph({(0, 0): next(iter(glass))}, glass, kind.hard, rng), corners={})
    tried, places = [], []
    for lattice in scored_lattices(board.picture, templates_of_deck(deck), None, NOTHING_KNOWN):
        for cell in lattice.tried:
            searched = np.array([[1.0, cell.edge, cell.like, cell.cost, cell.off]], np.float32)
            tried.append(
                FittedLatticePlace(seed, kind.usual, searched, False, min(_truth(cell, board, deck.names), 0))
            )
        for one in (*lattice.enrolled, *lattice.adapted):
            evidence, truth = one.evidence, _truth(one.cell, board, deck.names)
            places.append(
                FittedLatticePlace(seed, kind.usual, evidence.columns(), evidence.added is not None, truth)
            )
        if lattice.is_sure:
            break
    return FittedBoard(tuple(tried), tuple(places))


def _truth(cell: Cell, board: Board, labels: Sequence[str]) -> int:
    """The card that lies there: its index among `labels`, NONE or HIDDEN."""
    middle = cell.corners.mean(axis=0)
    side = median_side(cell.corners[None])
    for at, corners in (board.corners or {}).items():
        if np.linalg.norm(corners.mean(axis=0) - middle) < SAME_PLACE * side:
            return HIDDEN if at in board.hidden else labels.index(board.cards[at])
    return NONE


def _weights(shown: Sequence[Floats], truth: Sequence[int]) -> Array:
    """The likeliest weights (features,) of choices (cards, features) of which `truth` is right."""
    values, known, right = _padded(shown, truth)
    scales = np.abs(values[known]).mean(axis=0) + 1e-6
    return np.asarray(likeliest_weights(values / scales, known, right) / scales)


def _padded(shown: Sequence[Floats], truth: Sequence[int]) -> tuple[Array, Array, Array]:
    """The choices as arrays: values (places, most, features), which are choices, and which is right."""
    most = max(len(one) for one in shown)
    values = np.zeros((len(shown), most, shown[0].shape[1]))
    known, right = (np.zeros((len(shown), most), bool) for _ in range(2))
    for row, (one, card) in enumerate(zip(shown, truth, strict=True)):
        values[row, : len(one)], known[row, : len(one)] = one, True
        if card >= 0:
            right[row, card] = True
    return values, known, right


def _judged(places: Sequence[FittedLatticePlace], features: int) -> tuple[Array, Array]:
    """The probability of the likeliest card of each usual place, and whether it is right, by weights that
    were fitted without its board."""
    fold = np.array([one.seed % FOLDS for one in places])
    values, known, right = _padded([one.shown[:, :features] for one in places], [p.truth for p in places])
    best, is_right = np.zeros(len(places)), np.zeros(len(places), bool)
    for left_out in range(FOLDS):
        kept = [one for one in places if one.seed % FOLDS != left_out]
        weights = _weights([one.shown[:, :features] for one in kept], [one.truth for one in kept])
        own = fold == left_out
        chances = choice_probabilities(np.where(known[own], choice_odds(values[own] @ weights), 0.0))
        best[own] = chances.max(axis=1)
        is_right[own] = right[own][np.arange(own.sum()), chances.argmax(axis=1)]
    usual = np.array([one.usual for one in places])
    return best[usual], is_right[usual]


def _limit(best: Array, right: Array, wrong: float) -> float:
    """The least probability from which at most a share `wrong` is not right."""
    order = np.argsort(-best)
    share = np.cumsum(~right[order]) / np.arange(1, len(order) + 1)
    return float(best[order][np.flatnonzero(share <= wrong)[-1]])


def _jobs(count: int, seed: int) -> Iterator[tuple[BoardKind, int]]:
    for kind in KINDS:
        for index in range(round(kind.share * count)):
            yield kind, seed + kind.seed + index


def fit(boards: Sequence[FittedBoard]) -> dict[str, object]:
    """The limits, and the figures of the data they come from."""
    tried = [one for board in boards for one in board.tried if one.truth != HIDDEN]
    told = [one for board in boards for one in board.scored if one.truth != HIDDEN]
    lighted = [one for one in told if one.lighted]
    search = _weights([one.shown for one in tried], [one.truth for one in tried])
    first = _weights([one.shown[:, :FIRST_FEATURES] for one in told], [one.truth for one in told])
    last = _weights([one.shown for one in lighted], [one.truth for one in lighted])
    anchor = _limit(*_judged(told, FIRST_FEATURES), WRONG_ANCHORS)
    best, right = _judged(lighted, len(last))
    named = _limit(best, right, WRONG_NAMES)
    return {
        "search": msgspec.to_builtins(SearchModel(*_rounded(search))),
        "first": msgspec.to_builtins(PlaceModel(*_rounded(first))),
        "last": msgspec.to_builtins(LightedPlaceModel(*_rounded(last))),
        "anchor": round(anchor, 3),
        "named": round(named, 3),
        "fit": {
            "data": "bench.lattice.fit, drawn boards",
            "boards": len(boards),
            "places": len(lighted),
            "cards": sum(one.truth >= 0 for one in lighted),
            "named_and_right_left_out": int((right & (best >= named)).sum()),
            "named_and_wrong_left_out": int((~right & (best >= named)).sum()),
        },
    }


def _rounded(weights: Array) -> list[float]:
    return [round(float(one), 3) for one in weights]


def main(arguments: Sequence[str]) -> int:
    """The command behind `python -m bench --fit lattice`."""
    parser = argparse.ArgumentParser(prog="python -m bench --fit lattice")
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args(arguments)
    with ProcessPoolExecutor() as pool:
        found = fit(list(pool.map(fitted_board, _jobs(options.count, options.seed), chunksize=4)))
    print(json.dumps(found, indent=1))
    (FOLDER / FILE).write_text(json.dumps(found, indent=1) + "\n")
    return 0
