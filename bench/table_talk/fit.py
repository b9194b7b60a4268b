"""Fits what tells a call from other speech, and the limits of the policy:

    python -m bench --fit calls [--shared DIR] [--seconds 120] [--keep FILE]
    python -m bench --fit calls --measure report      no fit: what the shipped constants do

Streams of calls in every noise go through the listener (bench/table_talk/streams.py). The constants of
companion.speech.recognition.other_speech and companion.core.call_policy are those that follow from the
development speakers and noises alone; the report group is not even read. `--keep` stores what was weighed, so
that it need not be gathered again.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np

from bench.paths import default_shared
from bench.table_talk.decisions import case_weights, print_curve, print_decisions, weighed
from bench.table_talk.streams import WeighedCase, cases
from bench.table_talk.voices import Group
from companion.core.call_policy import DEFAULT, CallPolicy
from companion.speech.recognition.other_speech import FITTED, CallCalibration, CallEvidence

SEED = 7
SHRINK = 0.5
"""Ridge of the logistic regression, for features scaled to 1 and a weight of 1000 in all."""
STEP = 0.01
"""Limits are multiples of it."""
LEAST_ACCUSE = 0.9
"""No limit for an accusation is lower: a wrong accusation weighs as much as nine questions."""
ACCUSED, ACCUSED_ON_GUN = 0.002, 0.01
"""So many right calls, and so many other sounds on a gun, may accuse somebody."""
MISSED = 0.005
"""So many right calls may stay below the limit of what is remembered: they are asked about if all that was
heard is weighed as a whole."""


def features(evidence: CallEvidence) -> list[float]:
    """In the order of the fields of CallCalibration."""
    found = evidence.found
    return [
        float(found == "right"),
        float(found == "other"),
        float(found == "on gun"),
        float(found == "nothing"),
        evidence.log_ratio,
        evidence.verifier_log_odds,
        evidence.above_room_db,
        evidence.softer_db,
    ]


def fit(found: Sequence[WeighedCase], shrink: float = SHRINK) -> CallCalibration:
    """Logistic regression of being a call on the evidence."""
    some = [one for one in found if one.reasons is not None]
    x = np.array([features(one.reasons.evidence) for one in some if one.reasons is not None])
    y = np.array([not one.truth.startswith("none") for one in some], float)
    weight = np.array(case_weights(some))
    weight *= 1000.0 / weight.sum()
    scale = np.maximum(1e-3, np.abs(x).max(axis=0))
    x = x / scale
    beta = np.zeros(x.shape[1])
    for _ in range(60):
        p = 1 / (1 + np.exp(-x @ beta))
        hessian = (x * (weight * p * (1 - p))[:, None]).T @ x + shrink * np.eye(beta.size)
        beta += np.linalg.solve(hessian, x.T @ (weight * (y - p)) - shrink * beta)
    return CallCalibration(*(round(float(value), 3) for value in beta / scale))


def limits(found: Sequence[WeighedCase], calibration: CallCalibration) -> CallPolicy:
    """The limits: the lowest for an accusation at which no more than ACCUSED of the right calls, and no more
    than ACCUSED_ON_GUN of other sounds on a gun, accuse; what is remembered is what all but MISSED of the
    right calls exceed."""
    right = [weighed(one, calibration) for one in found if one.truth == "right"]
    silent = [weighed(one, calibration) for one in found if one.truth == "none on gun"]
    highest = max(
        sorted(one.wrong if one.words else 0.0 for one in some)[-1 - int(share * len(some))]
        for some, share in ((right, ACCUSED), (silent, ACCUSED_ON_GUN))
    )
    accuse = max(LEAST_ACCUSE, (math.floor(highest / STEP) + 1) * STEP)
    calls = sorted(one.right + one.wrong for one in right)
    remember = max(STEP, math.floor(calls[int(MISSED * len(calls))] / STEP) * STEP)
    return CallPolicy(accuse=round(accuse, 2), accept=DEFAULT.accept, remember=round(remember, 2))


def main(arguments: Sequence[str]) -> int:
    """The command; its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m bench --fit calls",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--shared", type=Path, default=default_shared())
    parser.add_argument("--seconds", type=float, default=120.0, help="of each stream")
    parser.add_argument("--seed", type=int, default=SEED)
    keep = "what was weighed, as JSON; read if it is there"
    parser.add_argument("--keep", type=Path, metavar="FILE", help=keep)
    parser.add_argument(
        "--measure", choices=("development", "report"), help="no fit: the shipped constants on a group"
    )
    asked = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    if asked.keep is not None and asked.keep.is_file():
        found = msgspec.json.decode(asked.keep.read_bytes(), type=list[WeighedCase])
    else:
        group: Group = asked.measure or "development"
        found = list(cases(asked.shared, group, asked.seconds, asked.seed))
        if asked.keep is not None:
            asked.keep.write_bytes(msgspec.json.encode(found))
    calibration, policy = FITTED, DEFAULT
    if asked.measure is None:
        calibration = fit(found)
        policy = limits(found, calibration)
        print(calibration)
        print(policy)
    print_curve(found, calibration)
    print_decisions(found, calibration, policy)
    return 0
