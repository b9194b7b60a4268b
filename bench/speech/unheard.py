"""The shipped English model on new voices: `python -m bench.speech.unheard --shared DIR`.

Eight speakers of DIR/speech/more_voices say one to seven (clean, in a room, in babble of real voices) and
zero, eight and nine; one speaker each of 19 languages says digits that are no English number; real voices of
Debian's packages say ordinary words (left out where the packages cannot be fetched). A call of one to seven
is also weighed as at a table, as the right call and where a neighbouring number would have been right: by the
four speakers on whom no constant of that was fitted.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bench.paths import ROOT, default_shared
from bench.report import options as results_option
from bench.report.estimates import Estimate, mean, share
from bench.report.results import record
from bench.speech import sets
from bench.speech.verdicts import neighbours
from bench.table_talk.voices import SPEAKERS
from companion.core.call_policy import DEFAULT, Decision
from companion.core.observations import Utterance
from companion.core.weighing import CallDue, fits
from companion.speech.audio.levels import background_level, frame_levels
from companion.speech.audio.wav import RATE, read_wav, to_int16
from companion.speech.model import grammar, models
from companion.speech.recognition import offline, verdict
from companion.speech.recognition.invented import InventedSounds
from companion.speech.recognition.kept_sounds import KeptSounds
from companion.speech.recognition.weigher import CallWeigher, weighed
from models.speech.train.words import NUMBERS

WORK = ROOT / "build" / "speech"
ROOM = "doing_the_dishes"
LONGEST_S = 4.0
SILENCE_S = 0.5
"""Before a clip."""


def spoken(folder: Path, numbers: range, every: int) -> Iterator[tuple[str, sets.Item]]:
    """Speaker and clip of each take of these numbers, each with silence round it. A recording of more than
    LONGEST_S is left out: the one of 320 that is so long (27 s) holds several numbers."""
    wanted = {str(number) for number in numbers}
    paths = [path for path in sorted(folder.glob("*.wav")) if path.stem.split("_")[0] in wanted]
    for path in paths[::every]:
        digit, speaker, _ = path.stem.split("_")
        if read_wav(path).size <= LONGEST_S * RATE:
            yield speaker, sets.Item(sets.spaced(_clip(path)), (NUMBERS[int(digit)],))


def _clip(path: Path) -> sets.Sound:
    """The loudest LONGEST_S of a recording, at half of full scale."""
    sound = read_wav(path).astype(np.float32) / 32768.0
    most = int(LONGEST_S * RATE)
    if sound.size > most:
        energy = np.convolve(sound.astype(np.float64) ** 2, np.ones(RATE // 4), "same")
        start = min(max(0, int(energy.argmax()) - most // 2), sound.size - most)
        sound = sound[start : start + most]
    return np.asarray(sound / max(1e-6, float(np.abs(sound).max())) * 0.5, np.float32)


class ShippedModel:
    """The shipped model with the words that it listens for."""

    def __init__(self) -> None:
        self.language = grammar.language("en")
        path = models.find_model("en")
        self.model, known = models.open_model(path), models.vocabulary(path)
        self.listening = grammar.with_competing_words(self.language.calls(), known, self.language)
        self.competing = grammar.competing_words(self.language.calls(), known, self.language)
        self.busy: list[float] = []
        """CPU seconds a second of sound, one value a recording."""

    def exact(self, item: sets.Item) -> bool:
        """Whether the whole output is what was said."""
        begun = time.process_time()
        heard = offline.recognise(to_int16(item.sound), self.model, self.listening, self.competing)
        self.busy.append((time.process_time() - begun) * RATE / item.sound.size)
        return tuple(word.word for word in heard) == item.said

    def judged(self, item: sets.Item) -> Iterator[tuple[bool, str]]:
        """The clip judged as the right call, and where each neighbour would have been right: whether it is
        right, and `right`, `wrong` or `unsure`."""
        sound, sounds = to_int16(item.sound), KeptSounds()
        levels = frame_levels(sound)
        sounds.hear(sound, RATE, 0.0)
        number = sounds.add(sound, RATE, 0.0, background_level(levels, 0.0, sound.size / RATE))
        said = Utterance((), SILENCE_S, sound.size / RATE, 0.0, sound=number)
        for right in (item.said, *neighbours(item.said, self.language)):
            found = weighed(self._weigher(), sounds, said, CallDue((right,)))
            decision = DEFAULT.decide(found, fits=fits(found.said, (right,)), due=True)
            outcome = {Decision.ACCEPT: "right", Decision.ACCUSE: "wrong"}.get(decision, "unsure")
            yield right == item.said, outcome

    def _weigher(self) -> CallWeigher:
        """One that has heard no calls."""
        sounds = InventedSounds(verdict.PRIOR)
        return CallWeigher(
            self.model, self.listening, self.competing, self.language, verdict.PRIOR, {}, sounds
        )


def measure(shared: Path, every: int) -> dict[str, Estimate]:
    """Prints all rows; their estimates."""
    shipped, rng = ShippedModel(), np.random.default_rng(5)
    exact: dict[str, list[bool]] = defaultdict(list)
    judged: dict[tuple[str, bool], Counter[str]] = defaultdict(Counter)
    real = sets.real_voices_if_any(WORK)
    room = read_wav(shared / "speech" / "noises" / f"{ROOM}.wav").astype(np.float32) / 32768.0
    noises: dict[str, tuple[sets.Sound, float] | None] = {"new-clean": None, "new-room": (room, 20.0)}
    if real is not None:
        noises["new-babble"] = (sets.babble(real.talk, rng), 10.0)
    for speaker, clean in spoken(shared / "speech" / "more_voices", range(1, 8), every):
        for name, noise in noises.items():
            item = clean
            if noise is not None:
                item = sets.Item(sets.with_noise(clean.sound, noise[0], noise[1], rng), clean.said)
            exact[name].append(shipped.exact(item))
            if name != "new-room" and speaker in SPEAKERS["report"]:
                for truly, outcome in shipped.judged(item):
                    judged[name, truly][outcome] += 1
    for numbers in (range(1), range(8, 10)):
        for _, item in spoken(shared / "speech" / "more_voices", numbers, every):
            exact["new-beyond"].append(shipped.exact(sets.Item(item.sound, ())))
    for path in sorted((shared / "speech" / "foreign_digits").glob("*.wav"))[::every]:
        exact["foreign"].append(shipped.exact(sets.Item(sets.spaced(_clip(path)), ())))
    for sound in real.words[::every] if real is not None else ():
        exact["words"].append(shipped.exact(sets.Item(sets.spaced(sound), ())))
    return report(exact, judged, shipped.busy)


def report(
    exact: dict[str, list[bool]], judged: dict[tuple[str, bool], Counter[str]], busy: list[float]
) -> dict[str, Estimate]:
    """Prints the tables; the estimates of the report."""
    print("| whole output exact | % | N |\n|---|---|---|")
    found = {f"speech/{name}": share(sum(values), len(values)) for name, values in exact.items()}
    for name, values in exact.items():
        print(f"| {name} | {100 * np.mean(values):.1f} | {len(values)} |")
    print("\n| judged | right call | outcomes |\n|---|---|---|")
    for (name, truly), counts in judged.items():
        print(f"| {name} | {'yes' if truly else 'no'} | {dict(counts)} |")
    for name, condition in (("new-accused", "new-clean"), ("new-accused-babble", "new-babble")):
        if counts := judged.get((condition, True)):
            found[f"speech/{name}"] = share(counts["wrong"], counts.total())
    right, wrong = judged["new-clean", True], judged["new-clean", False]
    found["speech/new-unsure"] = share(right["unsure"], right.total())
    found["speech/new-passed"] = share(wrong["right"], wrong.total())
    found["speech/realtime"] = mean(busy)
    print(f"\nCPU of a second of sound {np.mean(busy):.4f} s")
    return found


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--shared", type=Path, default=default_shared())
    parser.add_argument("--every", type=int, default=1, help="use every n-th clip")
    results_option.add(parser)
    asked = parser.parse_args()
    record(asked.results, measure(asked.shared, asked.every))


if __name__ == "__main__":
    main()
