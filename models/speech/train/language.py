"""Builds the German or the French model:

    python -m models.speech.train.language de --data FOLDER --out models/speech/de --seed 7

The training words are synthesised by espeak-ng: there is very little real speech with a free licence, and
that is used for measuring (with `--real` also for training). FOLDER holds noises/.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import numpy as np

from models.speech.train import align, augment, corpus, export, streams, tdnn, voices
from models.speech.train.build import TALK_S, say
from models.speech.train.corpus import AudioClip
from models.speech.train.graph import Costs
from models.speech.train.languages import LANGUAGES, LanguageData, rename
from models.speech.train.words import UNKNOWN, WORDS, pdf_table


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Makes the speech model of another language.")
    default = Path(os.environ.get("COMPANION_SHARED", "../shared")) / "speech"
    parser.add_argument("language", choices=sorted(LANGUAGES))
    parser.add_argument("--data", type=Path, default=default, help="folder with noises/")
    parser.add_argument("--out", type=Path, help="the model's folder; else models/speech/LANGUAGE")
    parser.add_argument(
        "--work", type=Path, default=Path("build/speech"), help="folder for intermediate files"
    )
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--speakers", type=int, default=150, help="number of synthetic voices")
    parser.add_argument("--streams", type=int, default=12000)
    parser.add_argument("--epochs", type=int, default=7)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument(
        "--real", action="store_true", help="train on the few real speakers of its numbers, too"
    )
    parser.add_argument("--hold-out", default="", help="a real speaker to leave out of training")
    return parser.parse_args()


def synthetic(rng: np.random.Generator, data: LanguageData, speakers: int) -> list[AudioClip]:
    """Every known word twice by each voice, and ordinary words and talk as other speech."""
    variants = [v for v in voices.VARIANTS if v not in voices.TEST_VARIANTS]
    cast = voices.espeak_voices(rng, speakers, [str(v) for v in rng.permutation(variants)], data.accents)
    called = data.called()
    jobs: list[tuple[voices.SynthVoice, str]] = []
    labels: list[str] = []
    for voice in cast:
        jobs += [(voice, called[word]) for word in WORDS for _ in range(2)]
        labels += [word for word in WORDS for _ in range(2)]
        others = [str(w) for w in rng.choice(data.ordinary(), 34, replace=False)]
        others += [str(w) for w in rng.choice(data.talk, 3, replace=False)]
        jobs += [(voice, text) for text in others]
        labels += [UNKNOWN] * len(others)
    said = voices.speak_all(jobs, rng)
    return [
        AudioClip(sound, word, voice.speaker)
        for sound, word, (voice, _) in zip(said, labels, jobs, strict=True)
        if sound.size > corpus.RATE // 10
    ]


class LanguageMaker(streams.Maker):
    """Makes streams of a language with few real speakers or none.

    Real voices of other languages are in the background only. As other speech in the foreground, they would
    teach the model that a real voice means "no number".
    """

    def __init__(
        self, clips: list[AudioClip], talk: list[AudioClip], rooms: dict[str, np.ndarray], seed: int
    ) -> None:
        super().__init__(clips, rooms, seed)
        self.others = [clip for clip in talk if clip.word == UNKNOWN]
        counts = {s: sum(w in WORDS for w in own) for s, own in self.by_speaker.items()}
        self.real = [s for s, n in counts.items() if n > 8 and s.startswith(corpus.REAL)]
        self.synthetic = [s for s, n in counts.items() if n > 8 and not s.startswith(corpus.REAL)]

    def speaker(self, rng: np.random.Generator) -> str:
        """The speaker of a stream: a real one in three of ten, if there is one."""
        return str(rng.choice(self.real if self.real and rng.random() < 0.3 else self.synthetic))

    def other(self, rng: np.random.Generator, speaker: str) -> list[AudioClip]:
        """Clips of other speech by synthetic voices."""
        own = self.by_speaker[speaker].get(UNKNOWN, [])
        return own if own and rng.random() < 0.6 else self.by_word[UNKNOWN]


def clips_of(options: argparse.Namespace, data: LanguageData) -> tuple[list[AudioClip], list[AudioClip]]:
    """The aligned clips to train on, and clips of real speech for the background."""
    rng = np.random.default_rng(options.seed)
    spoken = options.work / f"synthetic-{data.name}-{options.seed}.npz"
    if not spoken.exists():
        say("synthesising speech")
        options.work.mkdir(parents=True, exist_ok=True)
        corpus.save(spoken, synthetic(rng, data, options.speakers) + corpus.drawn_sounds(rng, 400))
    clips, prompts = corpus.load(spoken), corpus.prompts(options.work, data.name)
    numbers = {clip.speaker for clip in prompts if clip.word in WORDS}
    if options.real:
        held = corpus.REAL + options.hold_out
        clips += [c for c in prompts if c.speaker in numbers and c.speaker != held]
    say(f"aligning {len(clips)} clips")
    align.align(clips)
    return clips, [c for c in prompts if c.speaker not in numbers][::3]


def main() -> None:
    options = arguments()
    data = LANGUAGES[options.language]
    clips, talk = clips_of(options, data)
    say(f"drawing {options.streams} streams")
    maker = LanguageMaker(clips, talk, corpus.backgrounds(options.data, options.work), options.seed + 1)
    made = streams.make(maker, range(options.streams), options.workers)
    about = augment.made(maker, TALK_S, options.seed)
    pdfs = max(states.stop for states in pdf_table().values())
    say(f"training on {options.streams} streams")
    rows = np.arange(options.streams)
    layers, priors = tdnn.train(
        made, rows, pdfs, about, width=options.width, epochs=options.epochs, seed=options.seed, say=say
    )
    out = options.out or Path("models/speech") / data.name
    export.write_folder(out, layers, priors, Costs())
    rename(out, data)
    say(f"{out} is ready")


if __name__ == "__main__":
    main()
