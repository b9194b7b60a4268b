"""The one command that makes models/speech/en:

    python -m models.speech.train.build --data FOLDER --out models/speech/en --seed 7

FOLDER holds fsdd/ (the Free Spoken Digit Dataset) and noises/. More real voices, crowds and music come from
Debian's packages (prompts.py); espeak-ng, flite and festival (with festvox-kallpc16k, festvox-kdlpc16k and
festvox-us-slt-hts) speak the rest. With `--hold-out SPEAKER` that speaker and two of the rooms are left out,
for measuring; `--hold-out each` trains four such models from the same streams into OUT/SPEAKER.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import time
from pathlib import Path

import numpy as np

from . import align, augment, corpus, export, streams, tdnn
from .graph import Costs
from .words import pdf_table

TALK_S = 1800
"""So much babble is drawn for training to put about its streams."""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Makes the speech model.")
    default = Path(os.environ.get("COMPANION_SHARED", "../shared")) / "speech"
    parser.add_argument("--data", type=Path, default=default, help="folder with fsdd/ and noises/")
    parser.add_argument("--out", type=Path, default=Path("models/speech/en"))
    parser.add_argument("--work", type=Path, default=Path("build/speech"), help="for what is made on the way")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--hold-out", choices=("none", "each", *corpus.HELD_ROOMS), default="none")
    parser.add_argument("--streams", type=int, default=14000)
    parser.add_argument("--epochs", type=int, default=7)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--workers", type=int, default=2)
    return parser.parse_args()


def say(text: str) -> None:
    """Progress with the time of day."""
    print(time.strftime("%H:%M:%S"), text, flush=True)


def make_streams(options: argparse.Namespace) -> tuple[streams.Streams, augment.Augment]:
    """The corpus, its alignment, the streams and the talk that is put about them; kept under `--work` with
    the seed in their names."""
    options.work.mkdir(parents=True, exist_ok=True)
    kept = options.work / f"streams-{options.seed}-{options.streams}.npz"
    if kept.exists():
        say(f"streams from {kept}")
        with np.load(kept) as data:
            made = streams.Streams(data["features"], data["labels"], data["speakers"], data["rooms"])
            return made, augment.Augment(data["hiss"], data["babble"], augment.warps())
    rng = np.random.default_rng(options.seed)
    spoken = options.work / f"synthetic-{options.seed}.npz"
    if not spoken.exists():
        say("the synthetic voices speak")
        corpus.save(spoken, corpus.synthetic(rng) + corpus.drawn_sounds(rng, 600))
    clips = corpus.human_digits(options.data) + corpus.prompts(options.work) + corpus.load(spoken)
    say(f"aligning {len(clips)} clips")
    align.align(clips)
    say(f"drawing {options.streams} streams")
    maker = streams.Maker(clips, corpus.backgrounds(options.data, options.work), options.seed + 1)
    made = streams.make(maker, range(options.streams), options.workers)
    about = augment.made(maker, TALK_S, options.seed)
    np.savez(kept, hiss=about.hiss, babble=about.babble, **dataclasses.asdict(made))
    return made, about


def main() -> None:
    options = arguments()
    made, about = make_streams(options)
    pdfs = max(states.stop for states in pdf_table().values())
    for held in corpus.HELD_ROOMS if options.hold_out == "each" else [options.hold_out]:
        kept = (made.speakers != held) & ~np.isin(made.rooms, corpus.HELD_ROOMS.get(held, ()))
        rows = np.flatnonzero(kept)
        say(
            f"training without {held} on {rows.size} streams"
            if held in corpus.HELD_ROOMS
            else f"training on {rows.size} streams"
        )
        layers, priors = tdnn.train(
            made, rows, pdfs, about, width=options.width, epochs=options.epochs, seed=options.seed, say=say
        )
        folder = options.out / held if options.hold_out == "each" else options.out
        export.write_folder(folder, layers, priors, Costs())
        say(f"{folder} is ready")


if __name__ == "__main__":
    main()
