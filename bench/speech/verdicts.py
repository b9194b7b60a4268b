"""How often the decision about a call is right: `python -m bench.speech.verdicts --shared DIR`.

Clips of each of the four real speakers are scored with a model that is not trained on that speaker
(bench.speech makes those models): as the right call, and as a wrong one where each neighbour would be right.
`--fit` prints the constants of companion.speech.recognition.verdict with the least log loss.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.report import options as results_option
from bench.report.estimates import Estimate, share
from bench.report.results import record
from bench.speech import sets
from bench.speech.regression import logistic_weights
from companion.core.call_policy import DEFAULT, CallPolicy, Decision
from companion.core.weighing import WeighedCall
from companion.speech.audio.wav import to_int16
from companion.speech.model import grammar, models
from companion.speech.recognition import verdict

CONDITIONS = ("clean", "room 20 dB", "babble 10 dB", "pairs, no gap", "pairs, babble 10 dB")
TALK = (
    "zero, eight, nine: nothing",
    "ordinary words: nothing",
    "ordinary words by real voices: nothing",
)
"""Conditions in which no call is said although one is due: every accusation is wrong."""
WORK = Path("build/speech")
OUTCOMES = {
    Decision.ACCEPT: "right",
    Decision.ACCUSE: "wrong",
    Decision.ASK: "unsure",
    Decision.WAIT: "nothing",
}
BINS = (0.0, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 1.0)


@dataclass(frozen=True)
class Case:
    """One clip judged with one expectation."""

    condition: str
    speaker: str
    truly: bool
    found: verdict.CallScore

    def judged(self, policy: CallPolicy) -> str:
        """right, wrong, unsure, or nothing (no word, hardly the right call: the table goes on waiting)."""
        words, fits = self.found.words, self.found.fits
        wrong = 1.0 - self.found.probability if words and not fits else 0.0
        weighed = WeighedCall(words, self.found.probability, wrong)
        return OUTCOMES[policy.decide(weighed, fits=fits, due=True)]


def cases(
    shared: Path, held: Path, every: int, prior: float, speakers: tuple[str, ...] = sets.SPEAKERS
) -> Iterator[Case]:
    """All clips of these speakers."""
    language = grammar.language("en")
    words, real = sets.other_words(WORK), sets.real_voices_if_any(WORK)
    for speaker in speakers:
        path = models.find_model(folder=held / speaker)
        model, known = models.open_model(path), models.vocabulary(path)
        listening = grammar.with_competing_words(language.calls(), known, language)
        competing = grammar.competing_words(language.calls(), known)
        made = (
            *sets.conditions(shared, speaker, words, every),
            *(sets.real_conditions(shared, speaker, real, every) if real else ()),
        )
        for condition, items in made:
            if condition not in CONDITIONS + TALK:
                continue
            for index, item in enumerate(items):
                sound = to_int16(item.sound)
                due = (item.said, *neighbours(item.said, language))
                for right in due if item.said else [(language.numbers[1 + index % 7],)]:
                    found = verdict.score_call(
                        sound, model, listening, competing, [right], prior=prior, filler=language.throat
                    )
                    yield Case(condition, speaker, right == item.said, found)


def neighbours(said: tuple[str, ...], language: grammar.Language) -> list[tuple[str, ...]]:
    """The calls that differ by one in their first number; none of what is no call."""
    if not said:
        return []
    number = language.numbers.index(said[0])
    return [(language.numbers[n], *said[1:]) for n in (number - 1, number + 1) if 1 <= n <= 7]


def report(found: list[Case], policy: CallPolicy) -> None:
    """Prints the tables."""
    outcomes = ("right", "unsure", "nothing", "wrong")
    print(
        "\n| judged, % | right call: right | unsure | nothing | wrong | N "
        "| anything else: wrong | unsure | nothing | passed as right | N |"
    )
    print("|---" * 11 + "|")
    for condition in CONDITIONS + TALK:
        mine = [case for case in found if case.condition == condition]
        if mine:
            cells: list[str] = []
            for truly, order in ((True, outcomes), (False, ("wrong", "unsure", "nothing", "right"))):
                counted = Counter(c.judged(policy) for c in mine if c.truly is truly)
                total = counted.total()
                cells += [f"{100 * counted[k] / total:.1f}" if total else "" for k in order] + [str(total)]
            print(f"| {condition} | " + " | ".join(cells) + " |")
    print("\n| probability that the call is right | share right | N |\n|---|---|---|")
    binned: dict[int, list[bool]] = defaultdict(list)
    for case in (case for case in found if case.condition in CONDITIONS):
        binned[int(np.searchsorted(BINS, case.found.probability, side="right")) - 1].append(case.truly)
    for index, values in sorted(binned.items()):
        low, high = BINS[index], BINS[min(index + 1, len(BINS) - 1)]
        print(f"| {low:g} to {high:g} | {np.mean(values):.3f} | {len(values)} |")


def estimates(found: list[Case], policy: CallPolicy) -> dict[str, Estimate]:
    """What the report says: outcomes of right and wrong calls, clean and in babble."""
    counts: dict[tuple[str, bool], Counter[str]] = defaultdict(Counter)
    for case in found:
        counts[case.condition, case.truly][case.judged(policy)] += 1
    wanted = {
        "accused": ("clean", True, "wrong"),
        "accused-babble": ("babble 10 dB", True, "wrong"),
        "unsure": ("clean", True, "unsure"),
        "passed": ("clean", False, "right"),
    }
    return {
        f"speech/{name}": share(counts[condition, truly][outcome], counts[condition, truly].total())
        for name, (condition, truly, outcome) in wanted.items()
        if counts[condition, truly]
    }


def fit(found: list[Case]) -> None:
    """Logistic regression of truth on the nats ahead and the verifier's log odds; right and wrong calls weigh
    the same."""
    for name, heard in (("heard", True), ("unheard", False)):
        some = [case for case in found if case.found.found is heard and case.condition in CONDITIONS]
        x = np.array([_evidence(case.found) for case in some])
        y = np.array([case.truly for case in some], float)
        share = np.mean([case.truly for case in found if case.condition in CONDITIONS])
        weight = np.where(y > 0.5, 0.5 / share, 0.5 / (1 - share))
        beta = logistic_weights(x, y, weight)
        print(f"{name}: offset {beta[0]:.2f}, slope {beta[1]:.3f}, look {beta[2]:.3f}, N {len(y)}")


def _evidence(found: verdict.CallScore) -> tuple[float, float, float]:
    """What speaks for a call: a constant where it is not heard, the nats, and the verifier's log odds."""
    if found.found:
        return 0.0, found.log_ratio, found.verifier_log_odds
    return 1.0, min(0.0, found.log_ratio) if found.words and not found.fits else 0.0, found.verifier_log_odds


def main() -> None:
    """Measures, or fits."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    shared = Path(os.environ.get("COMPANION_SHARED", "../shared"))
    parser.add_argument("--shared", type=Path, default=shared)
    parser.add_argument("--held", type=Path, default=Path("build/speech/held"))
    parser.add_argument("--every", type=int, default=1, help="use every n-th clip")
    parser.add_argument("--prior", type=float, default=verdict.PRIOR, help="0.5: what the sound alone says")
    parser.add_argument("--accusation", type=float, default=DEFAULT.accusation, help="cost, in questions")
    parser.add_argument("--mistake", type=float, default=DEFAULT.mistake, help="cost, in questions")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--speakers", default=",".join(sets.SPEAKERS), help="those with a model in --held")
    results_option.add(parser)
    options = parser.parse_args()
    speakers = tuple(options.speakers.split(","))
    found = list(cases(options.shared, options.held, options.every, options.prior, speakers))
    policy = CallPolicy(options.accusation, options.mistake)
    report(found, policy)
    record(options.results, estimates(found, policy))
    if options.fit:
        fit(found)


if __name__ == "__main__":
    main()
