"""Fits what speaks for a card at a place of the lattice (companion.vision.lattice.limits) and writes
models/vision/lattice.json.

    python -m bench --fit lattice [--count N] [--seed S]    or --steps (bench.lattice.fit_steps)

Boards are drawn as those of bench.lattice: N as they are measured, half as many laid more carelessly under
more lamps and hands, half as many of one to four cards, half as many tables without a card, and half as many
of cards of one colour in coloured light, which only say how sure a lamp is. The weights are those of largest
likelihood (bench.vision.choice_fit). The limits are the least probabilities from which few enough cards of
boards as people lay them are wrong, where each fifth of all boards is judged by weights that were fitted
without it. Which cards adapt the deck and are laid anew is decided by the shipped limits:
fit again until they stay.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import cv2
import msgspec
import numpy as np

from bench.lattice import fit_steps
from bench.lattice.boards import KINDS, BoardKind, card_at
from bench.vision.choice_fit import likeliest_weights
from companion.vision.choice import choice_odds, choice_probabilities
from companion.vision.image.picture import Array, Floats
from companion.vision.lattice.known_table import NOTHING_KNOWN
from companion.vision.lattice.lamp import LikelyLamp
from companion.vision.lattice.limits import FILE, LampModel, LightedPlaceModel, PlaceModel, SearchModel
from companion.vision.lattice.read import templates_of_deck
from companion.vision.lattice.scored_lattices import scored_lattices
from companion.vision.models import FOLDER
from models.vision.triangles.tables import Board

COUNT, SEED = 200, 40_000
FOLDS = 5
WRONG_ANCHORS, WRONG_NAMES = 0.01, 0.002
"""Shares of the cards that adapt the deck, and of those named, that may be wrong."""
RIGHT_NAMES = 0.8
"""Share of the cards that the network names rightly under a lamp that is right."""
NONE, HIDDEN = -1, -2
"""What a place shows instead of a card of the deck: none, or one of which a hand hides the most."""
FIRST_FEATURES = 8
"""So many columns of LatticeEvidence are known without added light."""
COST_COLUMN = 1
"""The column of LampEvidence that grows with the differences of colours."""


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
    """The places of a board that were `tried`, of which the only choice is any card, those that were
    `scored`, and what tells the right lamp of each lattice from others (`lamps`)."""

    tried: tuple[FittedLatticePlace, ...]
    scored: tuple[FittedLatticePlace, ...]
    lamps: tuple[FittedLatticePlace, ...] = ()


def fitted_board(job: tuple[BoardKind, int]) -> FittedBoard:
    """All places that are looked at in the picture of a board."""
    kind, seed = job
    cv2.setNumThreads(1)
    board, deck = kind.drawn(seed)
    tried, places, lamps = [], [], []
    for lattice in scored_lattices(board.picture, templates_of_deck(deck), None, NOTHING_KNOWN):
        for cell in lattice.tried:
            there = min(_truth(cell.corners, board, deck.names), 0)
            searched = np.array([[1.0, cell.edge, cell.like, cell.cost, cell.off]], np.float32)
            tried.append(FittedLatticePlace(seed, kind.usual, searched, False, there))
        for one in (*lattice.enrolled, *lattice.adapted):
            evidence, truth = one.evidence, _truth(one.cell.corners, board, deck.names)
            places.append(
                FittedLatticePlace(seed, kind.usual, evidence.columns(), evidence.added is not None, truth)
            )
        lamps.append(_wrong_lamps(seed, kind.usual, lattice.lamps, board, deck.names))
        if lattice.is_sure:
            break
    if kind.one_colour:
        tried, places = [], []
    return FittedBoard(tuple(tried), tuple(places), tuple(one for one in lamps if one is not None))


def _wrong_lamps(
    seed: int, usual: bool, lamps: Sequence[LikelyLamp], board: Board, labels: Sequence[str]
) -> FittedLatticePlace | None:
    """The wrong lamps of a lattice as choices that are none: what speaks for each, less what speaks for the
    right one. Right is one under which the network names the cards, of several the one of least cost; None if
    all are wrong or right."""
    shown = np.stack([lamp.evidence.columns() for lamp in lamps])
    truth = np.array([_truth(corners, board, labels) for corners in lamps[0].evidence.corners])
    there = truth != HIDDEN
    named = np.stack([lamp.evidence.log_odds.argmax(axis=1) for lamp in lamps])
    right = (named == truth)[:, there].sum(axis=1) >= RIGHT_NAMES * max(1, there.sum())
    if right.all() or not right.any():
        return None
    best = min(np.flatnonzero(right), key=lambda lamp: shown[lamp, COST_COLUMN])
    return FittedLatticePlace(seed, usual, shown[~right] - shown[best], lighted=False, truth=NONE)


def _truth(place: Floats, board: Board, labels: Sequence[str]) -> int:
    """The card that lies at a place (3, 2; pixels): its index among `labels`, NONE or HIDDEN."""
    at = card_at(place, board)
    if at is None:
        return NONE
    return HIDDEN if at in board.hidden else labels.index(board.cards[at])


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
    lit = [one for board in boards for one in board.lamps]
    lamp = _weights([one.shown for one in lit], [one.truth for one in lit])
    search = _weights([one.shown for one in tried], [one.truth for one in tried])
    first = _weights([one.shown[:, :FIRST_FEATURES] for one in told], [one.truth for one in told])
    last = _weights([one.shown for one in lighted], [one.truth for one in lighted])
    anchor = _limit(*_judged(told, FIRST_FEATURES), WRONG_ANCHORS)
    best, right = _judged(lighted, len(last))
    named = _limit(best, right, WRONG_NAMES)
    return {
        "lamp": msgspec.to_builtins(LampModel(*_rounded(lamp))),
        "search": msgspec.to_builtins(SearchModel(*_rounded(search))),
        "first": msgspec.to_builtins(PlaceModel(*_rounded(first))),
        "last": msgspec.to_builtins(LightedPlaceModel(*_rounded(last))),
        "anchor": round(anchor, 3),
        "named": round(named, 3),
        "fit": {
            "data": "bench.lattice.fit, drawn boards",
            "boards": len(boards),
            "lamps": len(lit),
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
    if arguments[:1] == ["--steps"]:
        return fit_steps.main(arguments[1:])
    parser = argparse.ArgumentParser(prog="python -m bench --fit lattice")
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args(arguments)
    with ProcessPoolExecutor() as pool:
        found = fit(list(pool.map(fitted_board, _jobs(options.count, options.seed), chunksize=4)))
    print(json.dumps(found, indent=1))
    (FOLDER / FILE).write_text(json.dumps(found, indent=1) + "\n")
    return 0
