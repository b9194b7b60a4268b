"""How well spoken numbers are recognised: `python -m bench.speech --shared DIR`.

Clips of each of the four real speakers are recognised with a model that is not trained on that speaker (nor
on two of the four room noises). Those models are trained by `--train` (needs the `train` extra, espeak-ng,
flite and festival) into build/speech/held, or beforehand by `python -m models.speech.train.build --hold-out
each --out build/speech/held`. Decisions about calls that are due are measured by `python -m
bench.speech.verdicts`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from bench.report import options as results_option
from bench.report.estimates import Estimate, mean, median, share
from bench.report.results import record
from bench.speech import onsets, sets
from bench.speech.onsets import HeardCalls
from companion.speech.audio.wav import RATE, to_int16
from companion.speech.model import grammar, models
from companion.speech.recognition import offline


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measures speech.")
    shared = Path(os.environ.get("COMPANION_SHARED", "../shared"))
    parser.add_argument("--shared", type=Path, default=shared)
    parser.add_argument(
        "--held", type=Path, default=Path("build/speech/held"), help="models without a speaker"
    )
    parser.add_argument("--train", action="store_true", help="train those models first")
    parser.add_argument("--every", type=int, default=1, help="use every n-th clip, for a quick look")
    parser.add_argument("--speakers", default=",".join(sets.SPEAKERS), help="those with a model in --held")
    parser.add_argument("--confusions", action="store_true", help="print what was heard instead")
    results_option.add(parser)
    return parser.parse_args()


class Bench:
    """Counts over the speakers."""

    def __init__(self, every: int) -> None:
        self.every = every
        self.language = grammar.language("en")
        self.right: dict[str, list[bool]] = defaultdict(list)
        self.by_speaker: dict[tuple[str, str], list[bool]] = defaultdict(list)
        self.mistaken: dict[str, Counter[str]] = defaultdict(Counter)
        self.live: dict[str, HeardCalls] = defaultdict(HeardCalls)
        self.busy = self.length = 0.0

    def listening(self, path: Path) -> tuple[tuple[str, ...], frozenset[str]]:
        """What is listened for by default, and which of it is left out of the result."""
        wanted, known = self.language.calls(), models.vocabulary(path)
        return grammar.with_competing_words(wanted, known, self.language), grammar.competing_words(
            wanted, known
        )

    def words(self, model: Any, path: Path, speaker: str, name: str, items: list[sets.Item]) -> None:
        """The whole output against what was said: what `companion listen` prints."""
        listening, competing = self.listening(path)
        for item in items:
            begun = time.process_time()
            heard = offline.recognise(to_int16(item.sound), model, listening, competing)
            self.busy += time.process_time() - begun
            self.length += item.sound.size / RATE
            said = tuple(word.word for word in heard)
            self.right[name].append(said == item.said)
            self.by_speaker[name, speaker].append(said == item.said)
            if said != item.said:
                self.mistaken[name][f"{' '.join(item.said) or '-'} > {' '.join(said) or '-'}"] += 1


def percent(values: list[bool]) -> str:
    return f"{100.0 * sum(values) / max(1, len(values)):.1f}"


def report(bench: Bench, speakers: list[str], confusions: bool) -> None:
    """Prints the tables."""
    print("\n| whole output exact, % | " + " | ".join(speakers) + " | all | N |")
    print("|---|" + "---|" * (len(speakers) + 2))
    for name, values in bench.right.items():
        row = [percent(bench.by_speaker.get((name, s), [])) for s in speakers]
        print(f"| {name} | " + " | ".join(row) + f" | **{percent(values)}** | {len(values)} |")
    print()
    onsets.report(bench.live)
    print(f"\nreal-time factor {bench.busy / bench.length:.4f} (processor time, one core)")
    if confusions:
        for name, wrong in bench.mistaken.items():
            print(name, wrong.most_common(20))


def main() -> None:
    options = arguments()
    if options.train:
        build = [sys.executable, "-m", "models.speech.train.build", "--hold-out", "each"]
        folders = ["--data", str(options.shared / "speech"), "--out", str(options.held)]
        subprocess.run([*build, *folders], check=True)
    bench = Bench(options.every)
    words = sets.other_words(Path("build/speech"))
    real = sets.real_voices_if_any(Path("build/speech"))
    speakers = options.speakers.split(",")
    for speaker in speakers:
        measure(bench, options, speaker, words, real)
    report(bench, speakers, options.confusions)
    record(options.results, estimates(bench))


def estimates(bench: Bench) -> dict[str, Estimate]:
    """What the report says of all speakers together."""
    names = {"clean": "clean", "room 20 dB": "room", "babble 10 dB": "babble", "pairs, no gap": "pairs"}
    names["pairs, babble 10 dB"] = "pairs-babble"
    found = {}
    for condition, name in names.items():
        if values := bench.right.get(condition):
            found[f"speech/{name}"] = share(sum(values), len(values))
    if bench.live["clean"].onsets:
        found["speech/onset"] = mean([1000 * abs(error) for error in bench.live["clean"].onsets])
        found["speech/latency"] = median([1000 * delay for delay in bench.live["clean"].delays])
    return found


def measure(
    bench: Bench,
    options: argparse.Namespace,
    speaker: str,
    words: list[sets.Sound],
    real: sets.RealVoices | None,
) -> None:
    """Everything that is measured on one speaker."""
    path = models.find_model(folder=options.held / speaker)
    model = models.open_model(path)
    for name, items in sets.conditions(options.shared, speaker, words, options.every):
        bench.words(model, path, speaker, name, items)
    for name, items in sets.real_conditions(options.shared, speaker, real, options.every) if real else ():
        bench.words(model, path, speaker, name, items)
    rng = np.random.default_rng(11)
    clips = sets.digits(options.shared, speaker, range(1, 8))
    backgrounds: list[tuple[str, sets.Sound | None, float]] = [
        ("clean", None, 0.0),
        ("room 20 dB", sets.rooms(options.shared, speaker), 20.0),
        ("babble 10 dB", sets.babble(words, rng), 10.0),
    ]
    if real is not None:
        backgrounds.append(("babble of real voices, 10 dB", sets.babble(real.talk, rng), 10.0))
    for name, noise, level in backgrounds:
        for _ in range(max(1, 4 // options.every)):
            sound, truth = sets.track(clips, rng, 15, noise, level)
            onsets.listened(path, model, sound, truth, bench.live[name])


if __name__ == "__main__":
    main()
