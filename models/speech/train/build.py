"""Builds the English model, models/speech/en:

    python -m models.speech.train.build --data FOLDER --out models/speech/en --seed 7

FOLDER holds fsdd/ (the Free Spoken Digit Dataset) and noises/. More real voices, crowds and music come from
Debian's packages (prompts.py); espeak-ng, flite and festival (with festvox-kallpc16k, festvox-kdlpc16k and
festvox-us-slt-hts) synthesise the rest. With `--hold-out SPEAKER` that speaker and two of the room noises are
left out, for measuring; `--hold-out each` trains four such models from the same streams into OUT/SPEAKER.
`python -m models.speech.train.needs` lists all that is needed, and where it comes from.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from models.speech.train import align, augment, corpus, embedding, export, needs, streams, tdnn, verifier
from models.speech.train.features import bands
from models.speech.train.graph import Costs
from models.speech.train.words import pdf_table

TALK_S = 1800
"""Seconds of babble that are made for augmenting the streams."""
VERIFIER_EPOCHS = 3
THREADS = 2
"""Of torch: the same number gives the same sums, and so the same model, on the same kind of processor."""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Makes the speech model.")
    default = Path(os.environ.get("COMPANION_SHARED", "../shared")) / "speech"
    parser.add_argument("--data", type=Path, default=default, help="folder with fsdd/ and noises/")
    parser.add_argument("--out", type=Path, default=Path("models/speech/en"))
    parser.add_argument(
        "--work", type=Path, default=Path("build/speech"), help="folder for intermediate files"
    )
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--hold-out", choices=("none", "each", *corpus.HELD_ROOMS), default="none")
    parser.add_argument("--streams", type=int, default=14000)
    parser.add_argument("--views", type=int, default=10000, help="streams for the verifier")
    parser.add_argument("--epochs", type=int, default=7)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--workers", type=int, default=2)
    return parser.parse_args()


def say(text: str) -> None:
    """Prints a progress message with the time of day."""
    print(time.strftime("%H:%M:%S"), text, flush=True)


@dataclass(frozen=True)
class Drawn:
    """Streams and their augmentation."""

    data: streams.Streams
    about: augment.Augment


def aligned(options: argparse.Namespace) -> list[corpus.AudioClip]:
    """The aligned clips of the corpus. The synthetic ones are cached under `--work`, with the seed in the
    name."""
    rng = np.random.default_rng(options.seed)
    spoken = options.work / f"synthetic-{options.seed}.npz"
    if not spoken.exists():
        say("synthesising speech")
        corpus.save(spoken, corpus.synthetic(rng) + corpus.drawn_sounds(rng, 600))
    clips = corpus.human_digits(options.data) + corpus.prompts(options.work) + corpus.load(spoken)
    say(f"aligning {len(clips)} clips")
    align.align(clips)
    return clips


def drawn(options: argparse.Namespace) -> tuple[Drawn, Drawn]:
    """The streams for the acoustic model and those for the verifier, which have other features.

    Both are cached under `--work`, with the seed in the name.
    """
    options.work.mkdir(parents=True, exist_ok=True)
    kinds = (
        ("streams", options.streams, bands, None),
        ("views", options.views, verifier.analysed, verifier.centres()),
    )
    found, clips = [], []
    for name, count, analyse, hertz in kinds:
        kept = options.work / f"{name}-{options.seed}-{count}.npz"
        if kept.exists():
            say(f"streams from {kept}")
            with np.load(kept) as data:
                made = streams.Streams(data["features"], data["labels"], data["speakers"], data["rooms"])
                about = augment.Augment(data["hiss"], data["babble"], augment.warps(hertz))
        else:
            clips = clips or aligned(options)
            say(f"drawing {count} {name}")
            rooms = corpus.backgrounds(options.data, options.work)
            maker = streams.Maker(clips, rooms, options.seed + 1, analyse)
            made = streams.make(maker, range(count), options.workers)
            about = augment.made(maker, TALK_S, options.seed, analyse, hertz)
            np.savez(kept, hiss=about.hiss, babble=about.babble, **dataclasses.asdict(made))
        found.append(Drawn(made, about))
    return found[0], found[1]


def without(data: streams.Streams, held: str) -> np.ndarray:
    """The rows of the streams without a speaker and without the room noises that are held out with it."""
    kept = (data.speakers != held) & ~np.isin(data.rooms, corpus.HELD_ROOMS.get(held, ()))
    return np.flatnonzero(kept)


def main() -> None:
    options = arguments()
    found = list(needs.needs(options.data))
    say(f"what this model is made with:\n{needs.listed(found)}")
    if not all(one.found for one in found):
        raise SystemExit("something is missing")
    torch.set_num_threads(THREADS)
    torch.use_deterministic_algorithms(True)
    heard, viewed = drawn(options)
    pretrained = embedding.fetched(options.work)
    pdfs = max(states.stop for states in pdf_table().values())
    for held in corpus.HELD_ROOMS if options.hold_out == "each" else [options.hold_out]:
        rows = without(heard.data, held)
        less = f" without {held}" if held in corpus.HELD_ROOMS else ""
        say(f"training{less} on {rows.size} streams")
        layers, priors = tdnn.train(
            heard.data, rows, pdfs, heard.about,
            width=options.width, epochs=options.epochs, seed=options.seed, say=say,
        )  # fmt: skip
        folder = options.out / held if options.hold_out == "each" else options.out
        export.write_folder(folder, layers, priors, Costs())
        net = verifier.train(
            viewed.data, without(viewed.data, held), viewed.about, pretrained,
            epochs=VERIFIER_EPOCHS, seed=options.seed, say=say,
        )  # fmt: skip
        verifier.export(net, folder)
        say(f"{folder} is ready")


if __name__ == "__main__":
    main()
