"""Fits what tells a call from other speech: `python -m bench --fit calls --shared DIR [--keep FILE]`.

Streams of calls in every noise go through the listener. What it reports is weighed as the right call, as a
wrong one, and while nothing may be said. The constants of companion.speech.recognition.other_speech are those
of least log loss on the development speakers and noises; the calibration is printed for the others, which no
constant has met. `--keep` stores the evidence, so that it need not be gathered again.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np

from bench.evenings.room import THROAT
from bench.evenings.script import Rng
from bench.paths import default_shared
from bench.table_talk.microphone import TableSound
from bench.table_talk.noises import KINDS, Noises
from bench.table_talk.voices import SPEAKERS, CallerVoice, Group
from companion.core.observations import Listened, Utterance
from companion.core.weighing import CallDue
from companion.speech.audio.wav import RATE
from companion.speech.model import grammar, models
from companion.speech.recognition.other_speech import CallCalibration, CallEvidence, probability
from companion.speech.recognition.recogniser import Listener

BLOCK_S = 0.06
LEVELS_DB = (20.0, 10.0, 5.0)
FEATURES = tuple(name for name in CallCalibration.__struct_fields__ if name != "offset")
BINS = (0.0, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 1.0)


class WeighedCase(msgspec.Struct, frozen=True):
    """One weighing whose truth is known."""

    noise: str
    snr_db: float
    truth: str
    """`right`: the call that was due was said; `wrong`: another one; `none`: nothing was called."""
    silent: bool
    said: tuple[str, ...]
    right: float
    wrong: float
    evidence: CallEvidence | None
    score: tuple[bool, bool, float, float] | None
    """Of the right call: found, whether another one competes, log ratio, the verifier's log odds."""


def cases(shared: Path, group: Group, seconds: float, seed: int) -> Iterator[WeighedCase]:
    """Streams of all noises at all levels."""
    noises, path = Noises(shared, group), models.find_model("en")
    opened, language = models.open_model(path), grammar.language("en")
    for kind in KINDS:
        for snr_db in LEVELS_DB if kind != "silence" else LEVELS_DB[:1]:
            rng = np.random.default_rng([seed, KINDS.index(kind), int(snr_db)])
            voices = {name: CallerVoice(shared, name, rng) for name in SPEAKERS[group]}
            noise = None if kind == "silence" else noises.make(kind, rng)
            sound = TableSound(voices, noise, snr_db, rng)
            listener = Listener(path, language.calls(), opened=opened)
            yield from _stream(listener, sound, kind, snr_db, seconds, rng)


def _stream(
    listener: Listener, sound: TableSound, kind: str, snr_db: float, seconds: float, rng: Rng
) -> Iterator[WeighedCase]:
    """One stream; calls alternate with silence of 1 to 5 s."""
    said = _calls(sound, seconds, rng)
    size = round(BLOCK_S * RATE)
    for index in range(int(seconds / BLOCK_S)):
        for report in listener.feed(sound.block(index * BLOCK_S, size), index * BLOCK_S):
            if not isinstance(report, Listened):
                yield from _weighed(listener, report, said, kind, snr_db, rng)


def _calls(sound: TableSound, seconds: float, rng: Rng) -> list[tuple[float, float, str, tuple[str, ...]]]:
    """Calls by random speakers: start, end, speaker, words."""
    numbers = grammar.language("en").numbers
    said, at = [], 2.0
    while at < seconds - 2.0:
        speaker = list(sound.voices)[int(rng.integers(len(sound.voices)))]
        place = int(rng.integers(1, 8))
        draw = rng.random()
        words = (THROAT,) if draw < 0.15 else (numbers[place],)
        if draw > 0.75:
            words = (numbers[place], numbers[place + 1 if place < 7 else 6])
        end = sound.add(at, speaker, words)
        said.append((at, end, speaker, words))
        at = end + float(rng.uniform(1.0, 5.0))
    return said


def _weighed(
    listener: Listener,
    report: Utterance,
    said: Sequence[tuple[float, float, str, tuple[str, ...]]],
    kind: str,
    snr_db: float,
    rng: Rng,
) -> Iterator[WeighedCase]:
    """A report with several calls due."""
    numbers = grammar.language("en").numbers
    over = [one for one in said if one[0] - 0.1 < report.end and one[1] + 0.1 > report.start]
    speaker, words = (over[0][2], over[0][3]) if over else ("", ())
    if over:
        number = numbers.index(words[0]) if words[0] in numbers else int(rng.integers(1, 8))
        other = number + 1 if number < 7 else 6
        wrong = (numbers[other], *words[1:]) if words[0] in numbers else (numbers[other],)
        contexts = [
            ("right", CallDue((words,), speaker=speaker)),
            ("wrong", CallDue((wrong,), speaker=speaker)),
        ]
        contexts.append(("wrong", CallDue(silent=True, speaker=speaker)))
    else:
        number = int(rng.integers(1, 8))
        speaker = said[int(rng.integers(len(said)))][2]
        contexts = [("none", CallDue(((numbers[number],),), speaker=speaker))]
        contexts.append(("none", CallDue(silent=True, speaker=speaker)))
    for truth, due in contexts:
        found = listener.weigh(report, due)
        score, evidence = listener.latest_evidence
        kept = None
        if score is not None:
            competes = bool(score.words) and not score.fits
            kept = (score.found, competes, score.log_ratio, score.verifier_log_odds)
        yield WeighedCase(
            kind, snr_db, truth, due.silent, found.said, found.right, found.wrong, evidence, kept
        )


def fit(found: Sequence[WeighedCase], shrink: float = 0.5) -> CallCalibration:
    """Logistic regression of being a call on the evidence; calls and other sounds weigh the same."""
    some = [case for case in found if case.evidence is not None and case.truth != "right"]
    x = np.array([[1.0, *_features(case.evidence)] for case in some if case.evidence is not None])
    y = np.array([case.truth == "wrong" for case in some], float)
    weight = np.where(y > 0.5, 0.5 / y.mean(), 0.5 / (1 - y.mean()))
    scale = np.maximum(1e-3, np.abs(x).max(axis=0))
    x = x / scale
    beta = np.zeros(x.shape[1])
    for _ in range(60):
        p = 1 / (1 + np.exp(-x @ beta))
        hessian = (x * (weight * p * (1 - p))[:, None]).T @ x + shrink * np.eye(beta.size)
        beta += np.linalg.solve(hessian, x.T @ (weight * (y - p)) - shrink * beta)
    offset, *slopes = (beta / scale).tolist()
    return CallCalibration(offset, **dict(zip(FEATURES, slopes, strict=True)))


def _features(evidence: CallEvidence) -> list[float]:
    return [float(value) for value in msgspec.structs.astuple(evidence)]


def curve(found: Sequence[WeighedCase], calibration: CallCalibration) -> None:
    """Prints the probability of a call against the share of calls, calls and other sounds weighing the same,
    and how many calls and other sounds lie above limits."""
    some = [case for case in found if case.evidence is not None and case.truth != "right"]
    chance = np.array([probability(case.evidence, 0.5, calibration) for case in some if case.evidence])
    call = np.array([case.truth == "wrong" for case in some])
    print("| probability of a call | share of calls | calls / other sounds |\n|---|---|---|")
    for low, high in itertools.pairwise(BINS):
        inside = (chance >= low) & ((chance < high) | (high == 1.0))
        calls, others = int((inside & call).sum()), int((inside & ~call).sum())
        share = (calls / call.sum()) / max(1e-9, calls / call.sum() + others / (~call).sum())
        print(f"| {low:g} to {high:g} | {share:.3f} | {calls} / {others} |")
    print("\n| noise | calls above 0.5 / 0.92 / 0.99 | other sounds above 0.5 / 0.92 / 0.99 |\n|---|---|---|")
    for kind in ("all", *KINDS):
        mine = np.array([kind in ("all", case.noise) for case in some])
        cells = []
        for wanted in (call, ~call):
            these = chance[mine & wanted]
            cells.append(
                " / ".join(f"{100 * float(np.mean(these >= limit)):.0f}" for limit in (0.5, 0.92, 0.99))
                + f" % of {these.size}"
                if these.size
                else "-"
            )
        print(f"| {kind} | {cells[0]} | {cells[1]} |")


def main(arguments: Sequence[str]) -> int:
    """The command; its exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench --fit calls", description=__doc__)
    parser.add_argument("--shared", type=Path, default=default_shared())
    parser.add_argument("--seconds", type=float, default=60.0, help="of each stream")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="evidence as JSON; read if it is there")
    asked = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    sets: dict[str, list[WeighedCase]] = {}
    if asked.keep is not None and asked.keep.is_file():
        sets = msgspec.json.decode(asked.keep.read_bytes(), type=dict[str, list[WeighedCase]])
    else:
        groups: tuple[Group, ...] = ("development", "report")
        for group in groups:
            sets[group] = list(cases(asked.shared, group, asked.seconds, 7))
        if asked.keep is not None:
            asked.keep.write_bytes(msgspec.json.encode(sets))
    fitted = fit(sets["development"])
    print(", ".join(f"{name}={value:.3g}" for name, value in msgspec.structs.asdict(fitted).items()))
    for group, found in sets.items():
        print(f"\n{group}\n")
        curve(found, fitted)
    return 0
