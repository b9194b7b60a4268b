"""What the policy decides about sounds whose truth is known, by noise, and how well it is calibrated."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence

from bench.table_talk.noises import KINDS
from bench.table_talk.streams import Truth, WeighedCase
from companion.core.call_policy import CallPolicy, Decision
from companion.core.weighing import WeighedCall
from companion.speech.recognition.call_posterior import CallCalibration

AFAR = 0.1
"""Share of the sounds without a call that are numbers said far away: an assumption."""
BINS = (0.0, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 1.0)
SHOWN: dict[Truth, tuple[Decision, ...]] = {
    "right": (Decision.ACCEPT, Decision.ASK, Decision.WAIT, Decision.ACCUSE),
    "wrong": (Decision.ACCUSE, Decision.ASK, Decision.WAIT, Decision.ACCEPT),
    "none": (Decision.WAIT, Decision.ASK, Decision.ACCEPT, Decision.ACCUSE),
    "call on gun": (Decision.ACCUSE, Decision.ASK, Decision.WAIT),
    "none on gun": (Decision.WAIT, Decision.ASK, Decision.ACCUSE),
}


def weighed(case: WeighedCase, calibration: CallCalibration) -> WeighedCall:
    """The probabilities with a calibration."""
    if case.evidence is None:
        return WeighedCall((), 0.0)
    return WeighedCall(case.words, *calibration.probabilities(case.evidence))


def decided(case: WeighedCase, calibration: CallCalibration, policy: CallPolicy) -> Decision:
    """What the table does, at once or when the time for the call has run out; WAIT: nothing."""
    now = decided_at_once(case, calibration, policy)
    if now is not Decision.WAIT or "gun" in case.truth:
        return now
    return policy.decide_at_deadline(weighed(case, calibration), fits=_fits(case))


def decided_at_once(case: WeighedCase, calibration: CallCalibration, policy: CallPolicy) -> Decision:
    """What the table does before the time for the call has run out; WAIT: nothing yet."""
    return policy.decide(weighed(case, calibration), fits=_fits(case), due="gun" not in case.truth)


def _fits(case: WeighedCase) -> bool:
    """Whether the right call was made out. A sound that the ears take for it although other words, or none,
    were made out counts as one of those."""
    return case.evidence is not None and case.evidence.found == "right"


def print_decisions(
    found: Sequence[WeighedCase], calibrations: Mapping[str, CallCalibration], policy: CallPolicy
) -> None:
    """Tables of the decisions about numbers in percent: for each truth, by noise and by level.

    Args:
        found: of them the throat sounds are left out, which are synthetic.
        calibrations: by caller.
        policy: makes the decisions.
    """
    found = [one for one in found if not one.is_throat]
    for truth, columns in SHOWN.items():
        print(f"\n| {truth} | N | {' / '.join(one.value for one in columns)}, % |\n|---|---|---|")
        groups: list[tuple[str, list[WeighedCase]]] = [
            (kind, [one for one in found if one.noise == kind]) for kind in KINDS
        ]
        levels = sorted({one.snr_db for one in found}, reverse=True)
        noisy = [one for one in found if one.noise != "silence"]
        groups += [(f"noises at {db:g} dB", [one for one in noisy if one.snr_db == db]) for db in levels]
        groups += [("from afar", [one for one in found if one.afar])]
        for name, some in [*groups, ("all", list(found))]:
            mine = [one for one in some if one.truth == truth]
            counts = Counter(decided(one, calibrations[one.caller], policy) for one in mine)
            if mine:
                shares = " / ".join(f"{100 * counts[one] / len(mine):.1f}" for one in columns)
                print(f"| {name} | {len(mine)} | {shares} |")


def print_curve(found: Sequence[WeighedCase], calibrations: Mapping[str, CallCalibration]) -> None:
    """Each probability against the share of sounds of which it is true; calls and other sounds weigh the
    same, and nine of ten calls that are due are right. `calibrations`: by caller."""
    some = [one for one in found if one.evidence is not None]
    weights = case_weights(some)
    for name, truths in (("right call", ("right",)), ("wrong call", ("wrong", "call on gun"))):
        print(f"\n| probability of a {name} | share | of sounds |\n|---|---|---|")
        pairs = [
            (_probability(one, calibrations[one.caller], name), one.truth in truths, weight)
            for one, weight in zip(some, weights, strict=True)
        ]
        for low, high in itertools.pairwise(BINS):
            inside = [(true, weight) for p, true, weight in pairs if low <= p < high or p == high == 1.0]
            total = sum(weight for _, weight in inside)
            share = sum(weight for true, weight in inside if true) / total if total else 0.0
            print(f"| {low:g} to {high:g} | {share:.3f} | {len(inside)} |")


def _probability(case: WeighedCase, calibration: CallCalibration, name: str) -> float:
    found = weighed(case, calibration)
    return found.right if name == "right call" else found.wrong


def case_weights(found: Sequence[WeighedCase]) -> list[float]:
    """The weight of each case: calls and other sounds weigh the same, with a call due and without; of the
    calls that are due nine of ten are right (companion.speech.recognition.verdict.PRIOR), of the other sounds
    AFAR are voices from afar."""
    shares: dict[Truth, float] = {
        "right": 0.45,
        "wrong": 0.05,
        "none": 0.5,
        "call on gun": 0.5,
        "none on gun": 0.5,
    }
    counts = Counter((one.truth, one.afar) for one in found)

    def share(truth: Truth, afar: bool) -> float:
        if (truth, not afar) not in counts:
            return shares[truth]
        return shares[truth] * (AFAR if afar else 1.0 - AFAR)

    return [share(one.truth, one.afar) / counts[one.truth, one.afar] for one in found]
