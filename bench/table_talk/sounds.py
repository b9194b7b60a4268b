"""What is decided about single sounds whose truth is known: `python -m bench.table_talk.sounds --shared DIR`.

Streams of calls in every noise go through the listener (bench/table_talk/streams.py). What it reports is
weighed as the right call, as a wrong one, and while nothing may be said; the table of each truth says what
the policy decides then, at once or when the time has run out. Players sit up to 6 dB nearer or farther, and
somebody speaks far away: harder than the games of bench.table_talk.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import cv2

from bench.paths import default_shared
from bench.report import options as results_option
from bench.report.estimates import Estimate, share
from bench.report.results import record
from bench.table_talk.decisions import decided, decided_at_once, print_curve, print_decisions
from bench.table_talk.streams import WeighedCase, cases
from bench.table_talk.voices import SPEAKERS
from companion.core.call_policy import DEFAULT, Decision
from companion.speech.recognition.call_posterior import FITTED


def estimates(found: Sequence[WeighedCase]) -> dict[str, Estimate]:
    """The rows of the report: wrong calls in silence, talk and noise while a call is due, and where nothing
    may be said. Synthetic throat sounds are left out."""
    numbers = [one for one in found if not one.is_throat]
    wrong = [
        decided(one, FITTED, DEFAULT) for one in numbers if one.truth == "wrong" and one.noise == "silence"
    ]
    talk = [decided_at_once(one, FITTED, DEFAULT) for one in numbers if one.truth == "none"]
    silent = [decided(one, FITTED, DEFAULT) for one in numbers if one.truth == "none on gun"]
    return {
        "table_talk/wrong-caught": share(wrong.count(Decision.ACCUSE), len(wrong)),
        "table_talk/wrong-asked": share(wrong.count(Decision.ASK), len(wrong)),
        "table_talk/wrong-passed": share(wrong.count(Decision.ACCEPT), len(wrong)),
        "table_talk/talk-asked": share(talk.count(Decision.ASK), len(talk)),
        "table_talk/noise-accused": share(silent.count(Decision.ACCUSE), len(silent)),
    }


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shared", type=Path, default=default_shared())
    parser.add_argument("--group", choices=tuple(SPEAKERS), default="development")
    parser.add_argument("--seconds", type=float, default=90.0, help="of each stream")
    parser.add_argument("--streams", type=int, default=2, help="of each kind of noise at each level")
    parser.add_argument("--seed", type=int, default=7, help="of the first stream")
    results_option.add(parser)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    seeds = range(asked.seed, asked.seed + asked.streams)
    found = [one for seed in seeds for one in cases(asked.shared, asked.group, asked.seconds, seed)]
    calibrations = dict.fromkeys((one.caller for one in found), FITTED)
    print_curve(found, calibrations)
    print_decisions(found, calibrations, DEFAULT)
    made = estimates(found)
    asked_about = made["table_talk/talk-asked"].value
    print(f"\ntalk and noise while a call is due, asked about at once: {asked_about:.3f}")
    record(asked.results, made)


if __name__ == "__main__":
    main()
