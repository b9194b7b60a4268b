"""Refines the namer on a deck's file, as a process of its own with the lowest priority.

    python -m models.vision.namer.refine_file DECK.npz RESULT.npz [--steps N]

One line of JSON for each report: {"step": 20, "steps": 400}. RESULT is the deck with the refined namer; DECK
is not changed, so a deck that is edited meanwhile loses nothing.
"""

from __future__ import annotations

import argparse
import json
import os
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

from companion.vision.deck.deck import Deck
from models.vision.namer.refine import STEPS, RefinementStep, refined_deck

LOWEST_PRIORITY, ENDED_FIRST = 19, "1000"
"""Niceness, and what has the kernel end this process before the service if memory runs out."""


def _report(reached: RefinementStep) -> None:
    print(json.dumps({"step": reached.step, "steps": reached.steps}), flush=True)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("deck", type=Path)
    parser.add_argument("result", type=Path)
    parser.add_argument("--steps", type=int, default=STEPS)
    options = parser.parse_args()
    os.nice(LOWEST_PRIORITY)
    with suppress(OSError):  # only Linux has the file
        Path("/proc/self/oom_score_adj").write_text(ENDED_FIRST)
    torch.set_num_threads(1)
    deck = refined_deck(Deck.load(options.deck), options.steps, _report)
    with TemporaryDirectory(dir=options.result.parent) as folder:
        deck.save(Path(folder)).replace(options.result)


if __name__ == "__main__":
    main()
