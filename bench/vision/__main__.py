"""Recognition of cards: precision, recall, confidence and CPU time on real photographs and rendered pictures.

    python -m bench.vision [--shared DIR] [--set NAME,NAME] [--every N] [--count N] [--quick] [--seed S]
                           [--refined] [--verbose] [--results DIR]

`--shared` is the folder that holds vision/poker24 and vision/uno (default: ../shared beside the checkout);
sets that need it are left out without it. `--every N` reads each N-th photograph, `--count N` renders N
pictures a set, `--quick` is a look at a tenth of everything. `--verbose` names what was missed and what
is false. `--refined` refines each deck first, as the companion does with enrolled ones.

Sets, real: poker24, uno (its four grounds), held_webcam (cards of uno held before a webcam),
unknown (another uno, an empty room), uno_likes (cards whose half
of the deck is not enrolled), crossed (photographs of other decks), retaken (poker24 and uno in other light,
soft, slanted, shadowed: see bench.vision.retaken). Rendered: displays, hands, hands_own,
hands_likes, hands_rough, hands_rough_likes, half_decks, half_decks_development (cards whose half of the deck
is not enrolled; see bench.vision.half_decks), glare_mat, glare_rich, foreign, strips, strips_uno (see
bench.surrogates). Then speed: CPU with 25, 110 and 1,000 references.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from bench.paths import default_shared
from bench.refinement import Prepare, as_it_is, refined
from bench.report import options as results_option
from bench.report.results import record
from bench.surrogates.sets import OF_UNO, the_set
from bench.vision import half_decks, outcomes, peers, real, rendered, speed
from bench.vision import retaken as retake
from bench.vision.real import Score
from companion.vision.deck.deck import Deck

HEADER = (
    "| set | pictures | cards | precision | recall | false | CPU ms, median |\n|---|---|---|---|---|---|---|"
)
REAL = ("poker24", "uno", "held_webcam", "unknown", "uno_likes", "crossed", "retaken")
RENDERED = (
    "displays",
    "hands",
    "hands_own",
    "hands_likes",
    "hands_rough",
    "hands_rough_likes",
    "half_decks",
    "half_decks_development",
    "glare_mat",
    "glare_rich",
    "foreign",
    "strips",
    "strips_uno",
)
PARTS = ((1 / 2, "1/2"), (1 / 3, "1/3"), (0.22, "22 %"), (1 / 5, "1/5"))
BINS = (0.0, 0.6, 0.8, 0.9, 0.95, 0.99, 1.001)


@dataclass(frozen=True)
class Options:
    """What is measured."""

    shared: Path
    every: int
    count: int
    seed: int
    prepare: Prepare = as_it_is
    """What is done to each enrolled deck."""

    def enrolled(self, name: str) -> Deck:
        """The deck of a real set."""
        return self.prepare(real.enrolled(self.photos / name))

    @property
    def photos(self) -> Path:
        """The folder of the real sets."""
        return self.shared / "vision"


def reliability(confidences: list[tuple[float, bool]]) -> str:
    """How often cards of a given confidence are right."""
    lines = ["| confidence | cards | right |", "|---|---|---|"]
    for low, high in pairwise(BINS):
        inside = [right for value, right in confidences if low <= value < high]
        if inside:
            lines.append(f"| {low:g} to {min(high, 1):g} | {len(inside)} | {np.mean(inside):.1%} |")
    return "\n".join(lines)


def real_set(name: str, options: Options) -> Iterator[tuple[str, Score]]:
    """The lines of one set of photographs."""
    folder = options.photos
    if name in ("poker24", "uno"):
        pictures = real.photos(folder / name, options.every)
        scores = real.score(options.enrolled(name), pictures, grounds=name == "uno")
        for kind, score in scores.items():
            yield (name if kind == "all" else f"{name}: {kind}"), score
    elif name == "held_webcam":
        deck = options.enrolled("uno")
        yield name, real.score(deck, real.held(folder / name, options.every))["all"]
    elif name == "unknown":
        others = real.strangers(folder / "uno" / "unknown", options.every)
        yield "unknown (another uno, no card)", real.score(options.enrolled("uno"), others)["all"]
    elif name == "retaken":
        for which in ("poker24", "uno"):
            deck, pictures = options.enrolled(which), real.photos(folder / which, options.every)
            for kind in retake.KINDS:
                yield f"{which}, {kind}", real.score(deck, retake.retaken(pictures, kind))["all"]
    elif name == "uno_likes":
        yield "uno_likes (of half the deck, the other half)", half_enrolled(folder / "uno", options)
    else:
        yield "crossed (other decks' photographs)", crossed(options)


def half_enrolled(folder: Path, options: Options) -> Score:
    """Photographs of cards that are not enrolled, read with the half of their deck that is."""
    whole = Score()
    for deck, photo in real.likes(folder, options.every, options.prepare):
        whole.add(real.score(deck, [photo])["all"])
    return whole


def crossed(options: Options) -> Score:
    """Photographs of one deck read with another: nothing may be named."""
    whole, photos, every = Score(), options.photos, options.every
    own, uno, poker = (
        options.prepare(rendered.own_deck()),
        options.enrolled("uno"),
        options.enrolled("poker24"),
    )
    for deck, folder in (
        (uno, photos / "poker24" / "photos"),
        (poker, photos / "uno" / "photos"),
        (own, photos / "uno" / "photos"),
        (own, photos / "poker24" / "photos"),
        (own, photos / "dice_mp" / "photos"),
    ):
        score = real.score(deck, real.strangers(folder, 4 * every)).get("all", Score())
        score.notes = [f"{deck.name}: {note}" for note in score.notes]
        whole.add(score)
    return whole


def rendered_set(name: str, options: Options) -> Iterator[tuple[str, Score]]:
    """The lines of one rendered set."""
    if name == "displays":
        score = rendered.displays(options.prepare(rendered.own_deck()), options.count, options.seed)
        totals = ", ".join(f"{count} {word}" for word, count in score.totals.items())
        yield f"displays (scores: {totals})", score
    elif name.startswith("half_decks"):
        yield from half_deck_lines(name, options)
    elif name.startswith("strips"):
        deck = options.prepare(rendered.deck_of(name, the_set(name, options.shared, options.seed)))
        for part, words in PARTS:
            made = the_set(name, options.shared, options.seed, part)
            pictures = rendered.photos(made, options.seed, options.count, only_lowest=True)
            yield f"{name}: {words} visible", real.score(deck, pictures)["all"]
    else:
        made = the_set(name, options.shared, options.seed)
        deck = options.prepare(rendered.deck_of(name, made))
        yield name, real.score(deck, rendered.photos(made, options.seed, options.count))["all"]


def half_deck_lines(name: str, options: Options) -> Iterator[tuple[str, Score]]:
    """A line for each deck, and one for all of them."""
    names = half_decks.DEVELOPMENT_NAMES if name.endswith("development") else half_decks.NAMES
    whole = Score()
    for deck, score in half_decks.half_deck_scores(
        names, options.count, options.seed, options.shared, options.every, options.prepare
    ):
        yield f"{name}: {deck}", score
        whole.add(replace(score, notes=[]))
    yield name, whole


def measure(names: list[str], options: Options, verbose: bool) -> list[outcomes.ScoreLine]:
    """Prints the lines of some sets, and how often cards of a given confidence are right."""
    found: list[outcomes.ScoreLine] = []
    confidences: list[tuple[float, bool]] = []
    for name in names:
        lines = real_set(name, options) if name in REAL else rendered_set(name, options)
        for words, score in lines:
            print(score.row(words), flush=True)
            found.append(outcomes.ScoreLine(name, words, score))
            if ":" not in words or name.startswith("strips"):
                confidences.extend(score.confidences)
            if verbose and score.notes:
                print("\n".join(score.notes), flush=True)
    print(f"\nhow sure, how often right\n\n{reliability(confidences)}")
    return found


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--set", default=",".join((*REAL, *RENDERED, "speed")))
    parser.add_argument("--shared", type=Path, default=default_shared())
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--refined", action="store_true")
    results_option.add(parser)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    every, count = (10, 6) if given.quick else (given.every, given.count)
    options = Options(given.shared, every, count, given.seed, refined if given.refined else as_it_is)
    wanted = given.set.split(",")
    unknown = set(wanted) - {*REAL, *RENDERED, "speed"}
    if unknown:
        raise SystemExit(
            f"there is no set {', '.join(sorted(unknown))}; there is {', '.join((*REAL, *RENDERED))}, speed"
        )
    if not options.photos.is_dir():
        print(f"{options.photos} is not there: {', '.join((*REAL, *OF_UNO))} are left out")
        wanted = [name for name in wanted if name not in (*REAL, *OF_UNO)]
    for title, sets in (("Real photographs", REAL), ("Rendered", RENDERED)):
        names = [name for name in sets if name in wanted]
        if names:
            print(f"\n{title}\n\n{HEADER}")
            found = outcomes.estimates(measure(names, options, given.verbose))
            record(given.results, found.values, found.details)
        if names and sets is REAL:
            print(f"\n{peers.TABLE}")
    if "speed" in wanted:
        counts = (25, 110) if given.quick else (25, 110, 1000)
        costs = {count: speed.measure(speed.deck_of(count)) for count in counts}
        print(f"\nCPU ms of one thread at 1920 x 1080\n\n{speed.table(costs)}")
        record(given.results, outcomes.of_speed(costs))


if __name__ == "__main__":
    main()
