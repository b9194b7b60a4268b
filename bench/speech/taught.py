"""Do voice profiles help? `python -m bench.speech.taught --shared DIR`.

Each of the four real speakers gets a profile of three clips of each digit. Other clips of the speaker are
then scored with and without it, with a model that is not trained on the speaker if --held has one. Every clip
is scored as the right call, and as a wrong one where each neighbour would be right: clean, in room noise and
in babble. Decisions are those of the table's policy. `--fit` prints the value of LOG_ODDS_PER_DISTANCE
(companion.speech.voices.profiles) with the least log loss.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.report import options as results_option
from bench.report.estimates import share
from bench.report.results import record
from bench.speech import sets
from bench.speech.verdicts import Case, neighbours
from companion.core.call_policy import DEFAULT
from companion.speech.audio.wav import to_int16
from companion.speech.model import grammar, models
from companion.speech.recognition import verdict
from companion.speech.voices import profiles

CONDITIONS = ("clean", "room 20 dB", "babble 10 dB")
POLICY = DEFAULT
"""The policy of the table, unless its configuration changes it."""


@dataclass(frozen=True)
class TaughtPair:
    """One clip scored against one right call: without and with the profile."""

    without: Case
    taught: Case
    margins: list[float] = field(default_factory=list)
    """VoiceProfile.margin of each word that has one, in units of distance."""


def clips(shared: Path, speaker: str, tested: int) -> tuple[list[sets.Item], list[sets.Item]]:
    """Clips for the profile, and clips to test on, evenly spread over the speaker's takes of each digit."""
    teach: list[sets.Item] = []
    test: list[sets.Item] = []
    for digit in range(1, 8):
        takes = sets.digits(shared, speaker, range(digit, digit + 1))
        picked = takes[:: max(1, len(takes) // (profiles.EXAMPLES_PER_WORD + tested))]
        teach += picked[: profiles.EXAMPLES_PER_WORD]
        test += picked[profiles.EXAMPLES_PER_WORD : profiles.EXAMPLES_PER_WORD + tested]
    return teach, test


def pairs(shared: Path, held: Path, tested: int, prior: float, speakers: list[str]) -> Iterator[TaughtPair]:
    """All cases of all speakers."""
    language = grammar.language("en")
    talk = sets.babble(sets.other_words(Path("build/speech")), np.random.default_rng(5), 20)
    for speaker in speakers:
        path = models.find_model(folder=held / speaker) if held.is_dir() else models.find_model("en")
        model, known = models.open_model(path), models.vocabulary(path)
        words = grammar.with_competing_words(language.calls(), known, language)
        competing = grammar.competing_words(language.calls(), known)
        teach, test = clips(shared, speaker, tested)
        voice = profiles.learn(speaker, ((item.said[0], to_int16(item.sound)) for item in teach))
        print(f"{speaker}: {voice.check()}", flush=True)
        rng, room = np.random.default_rng(7), sets.rooms(shared, speaker)
        for item in test:
            clean = sets.spaced(item.sound)
            noises = (
                clean,
                sets.with_noise(clean, room, 20, rng),
                sets.with_noise(clean, talk, 10, rng),
            )
            for condition, noisy in zip(CONDITIONS, noises, strict=True):
                for right in (item.said, *neighbours(item.said, language)):
                    yield judged(
                        to_int16(noisy), (model, words, competing, prior), voice, condition, item.said, right
                    )


def judged(
    sound: NDArray[np.int16],
    judge: tuple[Any, tuple[str, ...], frozenset[str], float],
    voice: profiles.VoiceProfile,
    condition: str,
    said: tuple[str, ...],
    right: tuple[str, ...],
) -> TaughtPair:
    """Scores one clip against one right call, without and with the profile.

    Args:
        judge: model, vocabulary, competing words, and prior.
    """
    model, words, competing, prior = judge
    margins: list[float] = []

    def listening(call: Any, pieces: Any) -> float:
        found = [voice.margin(word, piece) for word, piece in zip(call, pieces, strict=True)]
        margins.extend(margin for margin in found if margin is not None)
        return voice.second_opinion()(call, pieces)

    before = verdict.score_call(sound, model, words, competing, [right], prior=prior)
    after = verdict.score_call(sound, model, words, competing, [right], prior=prior, opinion=listening)
    truly = right == said
    return TaughtPair(
        Case(condition, voice.player, truly, before), Case(condition, voice.player, truly, after), margins
    )


def report(found: list[TaughtPair]) -> None:
    """Prints the tables."""
    print("\n| judged | right call: right | unsure | wrong | N | wrong call: caught | unsure | passed | N |")
    print("|---|---|---|---|---|---|---|---|---|")
    for condition in CONDITIONS:
        for name in ("without", "taught"):
            mine = [getattr(pair, name) for pair in found]
            mine = [case for case in mine if case.condition == condition]
            yes, no = (Counter(c.judged(POLICY) for c in mine if c.truly is t) for t in (True, False))
            row = [100 * yes[k] / max(1, yes.total()) for k in ("right", "unsure", "wrong")]
            other = [100 * no[k] / max(1, no.total()) for k in ("wrong", "unsure", "right")]
            cells = [f"{v:.1f}" for v in row] + [str(yes.total())]
            cells += [f"{v:.1f}" for v in other] + [str(no.total())]
            print(f"| {condition}, {name} | " + " | ".join(cells) + " |")
    for name in ("without", "taught"):
        cases = [getattr(pair, name) for pair in found]
        cost = np.mean(
            [-np.log(max(1e-9, c.found.probability if c.truly else 1 - c.found.probability)) for c in cases]
        )
        print(f"{name}: mean log loss {cost:.3f}, N {len(cases)}")


def fit(found: list[TaughtPair]) -> None:
    """Prints the log odds per distance with the least log loss, for all conditions and for each."""
    for wanted in (None, *CONDITIONS):
        rows = [
            (_odds(pair.without.found.probability), min(pair.margins), 1.0 if pair.without.truly else -1.0)
            for pair in found
            if pair.margins and wanted in (None, pair.without.condition)
        ]
        if not rows:
            continue
        odds, margin, sign = (np.array(column) for column in zip(*rows, strict=True))
        costs = {
            scale: float(
                np.logaddexp(
                    0, -sign * (odds + np.clip(scale * margin, -profiles.MAX_SHIFT, profiles.MAX_SHIFT))
                ).mean()
            )
            for scale in (0, 2, 4, 6, 8, 12, 16, 24, 32, 48)
        }
        best = min(costs, key=lambda scale: costs[scale])
        listed = ", ".join(f"{scale}: {cost:.3f}" for scale, cost in costs.items())
        agree = float((np.sign(margin) == sign).mean())
        print(f"{wanted or 'all'}: best {best}; {listed}; margin agrees {agree:.2f}, N {len(rows)}")


def _odds(probability: float) -> float:
    held = min(1 - 1e-9, max(1e-9, probability))
    return float(np.log(held / (1 - held)))


def main() -> None:
    """Measures, or fits."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--shared", type=Path, default=Path(os.environ.get("COMPANION_SHARED", "../shared")))
    parser.add_argument("--held", type=Path, default=Path("build/speech/held"))
    parser.add_argument("--speakers", default=",".join(sets.SPEAKERS), help="those with a model in --held")
    parser.add_argument("--tested", type=int, default=2, help="clips tested for each speaker and digit")
    parser.add_argument("--prior", type=float, default=verdict.PRIOR)
    parser.add_argument("--fit", action="store_true")
    results_option.add(parser)
    options = parser.parse_args()
    found = list(
        pairs(options.shared, options.held, options.tested, options.prior, options.speakers.split(","))
    )
    report(found)
    wrong = [pair.taught for pair in found if pair.taught.condition == "clean" and not pair.taught.truly]
    caught = sum(case.judged(POLICY) == "wrong" for case in wrong)
    record(options.results, {"speech/taught-caught": share(caught, len(wrong))})
    if options.fit:
        fit(found)


if __name__ == "__main__":
    main()
