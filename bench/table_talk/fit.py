"""Fits what tells right calls, wrong calls and other sounds apart:

    python -m bench --fit calls [--shared DIR] [--seconds 90] [--streams 2] [--keep FILE]
    python -m bench --fit calls --vosk                the same for a model without a verifier

Streams of calls in every noise go through the listener (bench/table_talk/streams.py): four minutes of one
core. The weights of companion.speech.recognition.call_posterior are those that follow from the development
speakers and noises alone, without LEFT_OUT; the report group is not even read. What is gathered does not
depend on the weights: a second fit gives the same ones. The tables behind them judge each speaker by a fit
without that speaker. `--vosk`: see bench/table_talk/vosk_fit.py.
`--keep` stores what was weighed, so that it need not be gathered again.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from bench.paths import default_shared
from bench.table_talk.decisions import case_weights, print_curve, print_decisions
from bench.table_talk.noises import KINDS
from bench.table_talk.streams import WeighedCase, cases
from bench.table_talk.vosk_fit import print_calibrations, scored
from companion.core.call_policy import DEFAULT
from companion.speech.recognition.call_posterior import CallCalibration, CallWeights, features

Matrix = NDArray[np.float64]
SEED = 7
LEFT_OUT = "five talkers"
"""No weight is fitted on this kind of noise: what is measured in it holds for noises that nobody met."""
SHRINK = 0.02
"""Ridge of the regression, for features scaled to 1 and a weight of 1000 in all."""
FIRST = 0.1
"""Share of the sounds that are weighed while it is not known how loud the players call: of a game of thirty
calls the first three."""
ROUNDS = 60
"""Newton steps; the weights no longer change after 20."""


def fit(found: Sequence[WeighedCase], shrink: float = SHRINK) -> CallCalibration:
    """Multinomial logistic regression of what is true on the evidence: right call, wrong call, or none."""
    known = [one for one in found if one.evidence is not None]
    first = first_of_evening(known)
    some = [*known, *first]
    x = np.array([features(one.evidence) for one in some if one.evidence is not None])
    y = np.array([[one.truth == "right", one.truth in ("wrong", "call on gun")] for one in some], float)
    weight = np.array(
        [(1.0 - FIRST) * w for w in case_weights(known)] + [FIRST * w for w in case_weights(first)]
    )
    weight *= 1000.0 / weight.sum()
    scale = np.maximum(1e-3, np.abs(x).max(axis=0))
    may_be_right = 1.0 - x[:, [GUN]]
    x = x / scale
    free = _free_weights(x.shape[1])
    found_weights = np.zeros(free.shape[1])
    for _ in range(ROUNDS):
        beta = (free @ found_weights).reshape(2, -1)
        gradient, hessian = _derivatives(x, y, weight, beta, may_be_right)
        gradient = free.T @ gradient - shrink * found_weights
        hessian = free.T @ hessian @ free + shrink * np.eye(found_weights.size)
        found_weights = found_weights + np.linalg.solve(hessian, gradient)
    beta = (free @ found_weights).reshape(2, -1)
    right, wrong = (CallWeights(*(round(float(value), 3) for value in row / scale)) for row in beta)
    return CallCalibration(right, wrong)


def first_of_evening(found: Sequence[WeighedCase]) -> list[WeighedCase]:
    """The sounds as they would be weighed while it is not known how loud the players call. Voices from
    afar are not among them: a stream has none before that is known."""
    return [
        replace(one, evidence=replace(one.evidence, softer_db=None))
        for one in found
        if one.evidence is not None and one.evidence.softer_db is not None and not one.afar
    ]


SHARED = ("above_room", "softer", "near_room", "verifier")
"""Weights that both outcomes share: they tell a call from other sounds, not a right one from a wrong one."""
GUN = CallWeights.__struct_fields__.index("on_gun")


def _free_weights(count: int) -> Matrix:
    """From the weights that are fitted to those of both outcomes, right before wrong (2 * count x fitted)."""
    columns = []
    for place, name in enumerate(CallWeights.__struct_fields__):
        right, wrong = np.eye(2 * count)[[place, count + place]]
        columns += [right + wrong] if name in SHARED else [right, wrong]
    return np.array(columns).T


def _derivatives(
    x: Matrix, y: Matrix, weight: Matrix, beta: Matrix, may_be_right: Matrix
) -> tuple[Matrix, Matrix]:
    """Gradient of the log likelihood with the weights `beta` (outcomes x features), and the negative of its
    second derivatives."""
    odds = np.exp(np.clip(x @ beta.T, -30, 30))
    odds[:, :1] *= may_be_right
    p = odds / (1.0 + odds.sum(axis=1, keepdims=True))
    size = x.shape[1]
    hessian = np.zeros((2 * size, 2 * size))
    for i in range(2):
        for j in range(2):
            curve = weight * p[:, i] * (float(i == j) - p[:, j])
            hessian[i * size : (i + 1) * size, j * size : (j + 1) * size] += (x * curve[:, None]).T @ x
    return (((y - p) * weight[:, None]).T @ x).ravel(), hessian


def main(arguments: Sequence[str]) -> int:
    """The command; its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m bench --fit calls",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--shared", type=Path, default=default_shared())
    parser.add_argument("--seconds", type=float, default=90.0, help="of each stream")
    parser.add_argument("--streams", type=int, default=2, help="of each kind of noise at each level")
    parser.add_argument("--seed", type=int, default=SEED, help="of the first one")
    keep = "what was weighed, as JSON; read if it is there"
    parser.add_argument("--keep", type=Path, metavar="FILE", help=keep)
    parser.add_argument("--vosk", action="store_true", help="the calibration without a verifier instead")
    asked = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    kinds = [kind for kind in KINDS if kind != LEFT_OUT]
    seeds = range(asked.seed, asked.seed + asked.streams)
    if asked.vosk:
        print_calibrations(
            [one for seed in seeds for one in scored(asked.shared, "development", asked.seconds, seed, kinds)]
        )
        return 0
    if asked.keep is not None and asked.keep.is_file():
        found = msgspec.json.decode(asked.keep.read_bytes(), type=list[WeighedCase])
    else:
        found = [
            one for seed in seeds for one in cases(asked.shared, "development", asked.seconds, seed, kinds)
        ]
        if asked.keep is not None:
            asked.keep.write_bytes(msgspec.json.encode(found))
    callers = sorted({one.caller for one in found})
    print(fit(found))
    calibrations = {name: fit([one for one in found if one.caller != name]) for name in callers}
    print_curve(found, calibrations)
    print_decisions(found, calibrations, DEFAULT)
    return 0
