"""PocketSphinx with its own English model on the recordings of bench.speech: `python -m bench.speech.peer`.

It runs in a virtual environment of its own: `pip install pocketsphinx numpy msgspec`. The grammar is the
fairest for it: one or two of the numbers one to seven and nothing else, so for ordinary words it cannot but
say a number.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from bench.report import options as results_option
from bench.report.estimates import share
from bench.report.results import record
from bench.speech import sets
from companion.speech.audio.wav import RATE, to_int16

GRAMMAR = (
    "#JSGF V1.0;\ngrammar calls;\n<number> = one | two | three | four | five | six | seven;\n"
    "public <call> = <number> [ <number> ];\n"
)


def decoder() -> Any:
    """PocketSphinx with the model inside its wheel and the grammar."""
    import pocketsphinx

    found = pocketsphinx.Decoder(lm=None, samprate=RATE, loglevel="FATAL")
    found.add_jsgf_string("calls", GRAMMAR)
    found.activate_search("calls")
    return found


def hear(ear: Any, sound: sets.Sound) -> tuple[str, ...]:
    """The words of one recording."""
    ear.start_utt()
    ear.process_raw(to_int16(sound).tobytes(), full_utt=True)
    ear.end_utt()
    found = ear.hyp()
    return tuple(found.hypstr.split()) if found else ()


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures PocketSphinx on the same recordings.")
    shared = Path(os.environ.get("COMPANION_SHARED", "../shared"))
    parser.add_argument("--shared", type=Path, default=shared)
    parser.add_argument("--every", type=int, default=5, help="use every n-th clip")
    results_option.add(parser)
    options = parser.parse_args()
    right: dict[str, list[bool]] = defaultdict(list)
    begun, length, ear = time.process_time(), 0.0, decoder()
    words = sets.other_words(Path("build/speech"))
    for speaker in sets.SPEAKERS:
        for name, items in sets.conditions(options.shared, speaker, words, options.every):
            for item in items:
                right[name].append(hear(ear, item.sound) == item.said)
                length += item.sound.size / RATE
    print("| PocketSphinx: whole output exact, % | all | N |\n|---|---|---|")
    for name, values in right.items():
        print(f"| {name} | {100 * np.mean(values):.1f} | {len(values)} |")
    clean = right["clean"]
    record(options.results, {"speech/peer-clean": share(sum(clean), len(clean))})
    print(f"\nreal-time factor {(time.process_time() - begun) / length:.4f}")


if __name__ == "__main__":
    main()
