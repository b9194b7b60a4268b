"""How well invented sounds of other voices are recognised: `python -m bench.speech.invented --shared DIR`.

Twenty-four words and noises by a dozen synthetic voices each, and the real spoken digits: one example of one
voice against the same and other sounds of every other voice. Prints how the distances part, at which error
rates, and the constants of companion.speech.voices.dtw that they ask for.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bench.report import options as results_option
from bench.report.estimates import share
from bench.report.results import record
from companion.speech.audio import wav
from companion.speech.voices import dtw

SOUNDS = (
    "banana", "spaghetti", "moo", "pfft", "brrr", "ding dong", "tick tock", "oh la la", "cha cha cha",
    "woof woof", "ring ring", "shhh", "zzz", "boing", "achoo", "hey you", "hands up",
    "cock a doodle doo", "miaow", "beep beep", "eight", "one two three", "hocus pocus", "yum yum",
)  # fmt: skip
VOICES = ("en+m1", "en+m3", "en+m7", "en+f1", "en+f3", "en+f5", "en-us+m2", "en-us+f2",
          "en-gb-scotland+m4", "en-029+f4", "en+croak", "en+whisper")  # fmt: skip


def spoken() -> Iterator[tuple[str, str, dtw.SoundFeatures]]:
    """(voice, what, sound) of the synthetic ones; nothing where espeak-ng is not installed."""
    program = shutil.which("espeak-ng")
    if program is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        for number, voice in enumerate(VOICES):
            for what in SOUNDS:
                path = Path(folder) / "a.wav"
                pace, pitch = str(120 + 13 * (number * 7 % 9)), str(20 + 60 * (number * 5 % 7) // 7)
                command = [program, "-v", voice, "-s", pace, "-p", pitch, "-w", str(path), what]
                subprocess.run(command, check=True, capture_output=True)
                found = dtw.features(wav.read_wav(path))
                if found is not None:
                    yield voice, what, found


def digits(shared: Path, each: int = 3) -> Iterator[tuple[str, str, dtw.SoundFeatures]]:
    """(speaker, digit, sound) of the real ones."""
    for path in sorted((shared / "speech" / "fsdd").glob("*.wav")):
        digit, speaker, take = path.stem.split("_")
        if int(take) < each:
            found = dtw.features(wav.read_wav(path))
            if found is not None:
                yield speaker, digit, found


def pairs(items: list[tuple[str, str, dtw.SoundFeatures]]) -> tuple[list[float], list[float]]:
    """Distances between voices: of the same sound, and of different ones."""
    same, other = [], []
    rng = np.random.default_rng(5)
    for i, (voice, what, example) in enumerate(items):
        for j, (voice_2, what_2, candidate) in enumerate(items):
            if voice != voice_2 and i != j and (what == what_2 or rng.random() < 0.08):
                (same if what == what_2 else other).append(dtw.distance(example, candidate))
    return same, other


def report(name: str, same: list[float], other: list[float]) -> float:
    """Prints the error rates of one set; its equal error rate."""
    a, b = np.array(same), np.array(other)
    cuts = np.unique(np.concatenate([a, b])[np.isfinite(np.concatenate([a, b]))])
    rates = [(abs((a > c).mean() - (b <= c).mean()), c) for c in cuts[:: max(1, len(cuts) // 400)]]
    cut = min(rates)[1]
    print(
        f"| {name} | {100 * (a > cut).mean():.1f} % at {cut:.2f} | {np.median(a):.2f} | {np.median(b):.2f} |",
        end="",
    )
    chances = [np.array([dtw.probability(v) for v in values]) for values in (a, b)]
    print(
        f" {100 * (chances[0] >= 0.5).mean():.0f} % | {100 * (chances[0] < 0.03).mean():.1f} % |"
        f" {100 * (chances[1] >= 0.5).mean():.0f} % | {100 * (chances[1] < 0.03).mean():.0f} % |"
        f" {len(a)}, {len(b)} |"
    )
    return float((a > cut).mean())


def fit(same: list[float], other: list[float]) -> tuple[float, float]:
    """EVEN_DISTANCE and LOG_ODDS_PER_DISTANCE by logistic regression, both kinds weighing the same."""
    x = np.array([*same, *other])
    y = np.array([1.0] * len(same) + [0.0] * len(other))
    keep = np.isfinite(x)
    x, y = x[keep], y[keep]
    weight = np.where(y > 0.5, 0.5 / y.mean(), 0.5 / (1 - y.mean()))
    design, beta = np.stack([np.ones_like(x), x], axis=1), np.zeros(2)
    for _ in range(80):
        p = 1 / (1 + np.exp(-design @ beta))
        hessian = (design * (weight * p * (1 - p))[:, None]).T @ design + 1e-6 * np.eye(2)
        beta += np.linalg.solve(hessian, design.T @ (weight * (y - p)))
    return float(-beta[0] / beta[1]), float(-beta[1])


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--shared", type=Path, default=Path(os.environ.get("COMPANION_SHARED", "../shared")))
    results_option.add(parser)
    asked = parser.parse_args()
    sets = {"digits, real": pairs(list(digits(asked.shared)))}
    synthetic = list(spoken())
    if synthetic:
        sets["invented, synthetic"] = pairs(synthetic)
    else:
        print("without the synthetic voices: espeak-ng is not installed")
    print("| sounds | equal error rate | median distance same | other | same taken as same | as other |"
          " other taken as same | as other | pairs |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|---|")
    for name, (same, other) in sets.items():
        errors = report(name, same, other)
        if name == "digits, real":
            record(asked.results, {"speech/invented-error": share(round(errors * len(same)), len(same))})
    if synthetic:
        middle, steepness = fit(*sets["invented, synthetic"])
        print(f"EVEN_DISTANCE {middle:.2f}, LOG_ODDS_PER_DISTANCE {steepness:.1f}")


if __name__ == "__main__":
    main()
