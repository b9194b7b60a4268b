"""How well the German and the French model hear: `python -m bench.speech.languages de --shared DIR`.

Numbers by the few real people whose recordings Debian has (one to three a language), numbers by synthetic
voices that no training has used, and ordinary words by both. The recordings are fetched with apt.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from bench.report import options as results_option
from bench.report.estimates import share
from bench.report.results import record
from bench.speech import sets
from companion.speech.audio.wav import RATE, to_int16
from companion.speech.model import grammar, models
from companion.speech.recognition import offline
from models.speech.train import prompts, voices
from models.speech.train.languages import LANGUAGES, LanguageData

Said = tuple[str, ...]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measures the German or the French speech model.")
    parser.add_argument("language", choices=sorted(LANGUAGES))
    shared = Path(os.environ.get("COMPANION_SHARED", "../shared"))
    parser.add_argument("--shared", type=Path, default=shared)
    parser.add_argument("--model", type=Path, help="the model's folder; else the shipped one")
    parser.add_argument("--work", type=Path, default=Path("build/speech"))
    parser.add_argument("--speaker", default="", help="only this real speaker")
    parser.add_argument("--every", type=int, default=1, help="every n-th synthetic clip and ordinary word")
    results_option.add(parser)
    return parser.parse_args()


def real_numbers(language: LanguageData, work: Path, speaker: str) -> list[tuple[str, sets.Sound, Said]]:
    """Speaker, sound and word: each number once by each real speaker."""
    found = []
    for source in prompts.SOURCES:
        if source.language == language.name and source.numbers and speaker in ("", source.speaker):
            for piece in prompts.numbers(source, work):
                found.append((source.speaker, piece.sound, (language.words.numbers[int(piece.word)],)))
    return found


def synthetic(language: LanguageData, texts: list[str]) -> list[sets.Sound]:
    """Each text by one of sixteen voices that no training has used."""
    rng = np.random.default_rng(99)
    cast = voices.espeak_voices(rng, 16, list(voices.TEST_VARIANTS), language.accents)
    return voices.speak_all([(cast[i % len(cast)], text) for i, text in enumerate(texts)], rng)


def real_words(language: LanguageData, work: Path) -> list[sets.Sound]:
    """Names of things and syllables by real people."""
    names = (f"tuberling-{language.name}", f"letters-{language.name}")
    chosen = [source for source in prompts.SOURCES if source.speaker in names]
    return [sound for source in chosen for sound in prompts.whole(source, work)]


class Count:
    """How often the whole output is what was said."""

    def __init__(self, path: Path, name: str) -> None:
        lang = grammar.language(name)
        known = models.vocabulary(path)
        self.model = models.open_model(path)
        self.numbers = frozenset(lang.calls())
        wanted = [word for word in lang.calls() if word in known]
        self.words = grammar.with_competing_words(wanted, known, lang)
        self.competing = grammar.competing_words(wanted, known, lang)
        self.right: dict[str, list[bool]] = defaultdict(list)
        self.wrong: dict[str, Counter[str]] = defaultdict(Counter)

    def hear(self, row: str, sound: sets.Sound, said: Said) -> None:
        """One recording; numbers above seven are no calls: the output must be empty."""
        asked = tuple(word for word in said if word in self.numbers)
        heard = offline.recognise(to_int16(sound), self.model, self.words, self.competing)
        output = tuple(word.word for word in heard)
        name = row if asked or not said else f"{row}, beyond seven: nothing"
        self.right[name].append(output == asked)
        if output != asked:
            self.wrong[name][f"{' '.join(said) or '-'} > {' '.join(output) or '-'}"] += 1


def main() -> None:
    options = arguments()
    language = LANGUAGES[options.language]
    count = Count(options.model or models.find_model(options.language), options.language)
    rng = np.random.default_rng(5)
    talk = sets.babble(sets.real_voices(options.work).talk, rng)
    room = sets.rooms(options.shared, sets.SPEAKERS[0])
    for speaker, sound, said in real_numbers(language, options.work, options.speaker):
        clean = sets.spaced(sound / np.abs(sound).max() * 0.5)
        count.hear(f"real: {speaker}", clean, said)
        for _ in range(3):
            count.hear("real, room 20 dB", sets.with_noise(clean, room, 20, rng), said)
            count.hear("real, babble of real voices 10 dB", sets.with_noise(clean, talk, 10, rng), said)
    numbers = [word for word in language.words.numbers[1:8] for _ in range(16)]
    numbers = numbers[:: options.every]
    for sound, word in zip(synthetic(language, numbers), numbers, strict=True):
        if sound.size > RATE // 10:
            count.hear("synthetic", sets.spaced(sound), (word,))
    for sound in synthetic(language, (list(language.test) * 2)[:: options.every]):
        count.hear("ordinary words, synthetic: nothing", sets.spaced(sound), ())
    for sound in real_words(language, options.work)[:: options.every]:
        count.hear("ordinary words, real: nothing", sets.spaced(sound / np.abs(sound).max() * 0.5), ())
    print("| whole output exact | % | N |\n|---|---|---|")
    for row, right in count.right.items():
        print(f"| {row} | {100 * sum(right) / len(right):.1f} | {len(right)} |")
    clean = [
        exact
        for row, right in count.right.items()
        if row.startswith("real: ") and not row.endswith("nothing")
        for exact in right
    ]
    record(options.results, {f"speech/{options.language}-real": share(sum(clean), len(clean))})
    for row, wrong in count.wrong.items():
        print(row, wrong.most_common(12))


if __name__ == "__main__":
    main()
