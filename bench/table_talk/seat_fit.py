"""Fits what the direction of a sound tells about who made it:

    python -m bench --fit seats [--shared DIR] [--rooms 10] [--seconds 40] [--keep FILE]

Calls and other sounds of the development group in simulated rooms (bench/table_talk/seat_cases.py; needs
pyroomacoustics and SciPy). The constants of companion.speech.direction.seats.SeatModel are those with the
least log loss of calls against other sounds, which weigh the same; HIDDEN of
companion.speech.recognition.by_speaker is the most likely share of the calls that were not made out.
`--keep` stores the directions, so that they need not be gathered again.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np

from bench.paths import default_shared
from bench.table_talk.seat_cases import DirectionCase, direction_cases
from companion.speech.direction.seats import FITTED, SeatModel
from companion.speech.recognition.by_speaker import HIDDEN

SEED = 7
LOWER_NATS = 1.92
"""Log likelihoods that differ by more (nats) differ significantly: half the 95 % point of chi-square."""
PLAYERS_SHARE = 0.25
"""Share of the other sounds that players make who are not to call: an assumption."""
BOUNDS: Mapping[str, tuple[float, float]] = {
    "wander": (3.0, 30.0),
    "stray": (0.005, 0.6),
    "new_place": (0.01, 0.9),
    "settled": (0.5, 60.0),
    "kernel": (2.0, 40.0),
}
"""Within which each constant is searched. `own` and `others` are not fitted: they say how often players talk
while a call is due, and in the simulated rooms nobody talks."""


def log_ratios(case: DirectionCase, model: SeatModel) -> list[float]:
    """The log-likelihood ratios (nats) of a case's directions."""
    return [model.log_ratio(one, case.caller, case.seats, case.background) for one in case.degrees]


def log_loss(cases: Sequence[DirectionCase], model: SeatModel) -> float:
    """Mean log loss (nats) of calls whose words were found against other sounds."""
    losses: dict[str, list[float]] = {"caller": [], "player": [], "loudspeaker": []}
    for case in cases:
        if case.maker == "caller" and not case.found:
            continue
        sign = 1.0 if case.maker == "caller" else -1.0
        losses[case.maker] += [_loss(sign * ratio) for ratio in log_ratios(case, model)]
    weights = {"caller": 0.5, "player": 0.5 * PLAYERS_SHARE, "loudspeaker": 0.5 * (1.0 - PLAYERS_SHARE)}
    return math.fsum(weights[maker] * float(np.mean(values)) for maker, values in losses.items() if values)


def _loss(log_odds: float) -> float:
    return math.log1p(math.exp(-log_odds))


def hidden_shares(cases: Sequence[DirectionCase], model: SeatModel) -> tuple[float, float]:
    """The most likely share of the calls that were not made out whose direction is that of other sounds, and
    the highest one whose likelihood is not significantly lower (95 %)."""
    means = [
        float(np.mean(np.exp(log_ratios(case, model))))
        for case in cases
        if case.maker == "caller" and not case.found
    ]
    shares = np.linspace(0.02, 0.98, 97)
    likelihoods = [sum(math.log(share + (1.0 - share) * mean) for mean in means) for share in shares]
    likely = shares[np.array(likelihoods) >= max(likelihoods) - LOWER_NATS]
    return float(shares[int(np.argmax(likelihoods))]), float(likely.max())


def fit(cases: Sequence[DirectionCase]) -> SeatModel:
    """The constants of the least log loss (J. Nelder and R. Mead, 1965), within BOUNDS."""
    from scipy.optimize import minimize  # of the extra `bench`, as pyroomacoustics

    low, high = (np.log([bound[side] for bound in BOUNDS.values()]) for side in (0, 1))

    def model_at(place: np.ndarray) -> SeatModel:
        values = np.exp(np.clip(place, low, high))
        found = {name: float(value) for name, value in zip(BOUNDS, values, strict=True)}
        return msgspec.structs.replace(FITTED, **found)

    begin = np.log([getattr(FITTED, name) for name in BOUNDS])
    found = minimize(
        lambda place: log_loss(cases, model_at(place)), begin, method="Nelder-Mead", options={"maxiter": 600}
    )
    best = model_at(found.x)
    rounded = {name: float(f"{getattr(best, name):.2g}") for name in BOUNDS}
    return msgspec.structs.replace(FITTED, **rounded)


def main(arguments: Sequence[str]) -> int:
    """The command; its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m bench --fit seats",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--shared", type=Path, default=default_shared())
    parser.add_argument("--rooms", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=40.0, help="of each kind of noise in each room")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument(
        "--keep", type=Path, metavar="FILE", help="the directions, as JSON; read if it is there"
    )
    asked = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    if asked.keep is not None and asked.keep.is_file():
        cases = msgspec.json.decode(asked.keep.read_bytes(), type=list[DirectionCase])
    else:
        cases = list(direction_cases(asked.shared, "development", asked.rooms, asked.seconds, asked.seed))
        if asked.keep is not None:
            asked.keep.write_bytes(msgspec.json.encode(cases))
    made = fit(cases)
    print(
        f"{len(cases)} sounds, of {sum(case.maker == 'caller' for case in cases)} calls; HIDDEN is {HIDDEN}"
    )
    for name, model in (("shipped", FITTED), ("fitted", made)):
        likely, at_most = hidden_shares(cases, model)
        print(f"{name}: log loss {log_loss(cases, model):.4f}, HIDDEN {likely:.2f} to {at_most:.2f}, {model}")
    return 0
