"""Photographed displays: scores right, open or wrong without a mark, taps to close an open one, cards missed,
CPU.

    python -m bench.displays [--decks development | left-out | NAME,...] [--count N] [--seed S] [--shared DIR]
                             [--keep DIR] [--refined] [--verbose] [--results DIR]

Development decks (bands, creatures, own) are there for choosing limits; left-out decks (portraits, pips, uno,
badly) are only reported. `--count` displays a deck, in turn on wood, cloth, a white table, a checked cloth
and squared paper. `--keep` writes the pictures and what was read. A display is right if its score is, wrong
if a wrong score was given without a mark, open if something is asked. Closing takes two taps for each place
that was guessed wrongly, and one that takes all other guesses as they are; `lost` are open displays with a
mistake that nothing asks about.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import cv2
import numpy as np

from bench.displays.decks import DEVELOPMENT, LEFT_OUT, DisplayDeck, deck_named
from bench.displays.outcomes import HEADER, Outcomes, outcome
from bench.displays.scenes import GROUNDS, DisplayScene, photograph
from bench.paths import default_shared
from bench.refinement import Prepare, as_it_is, refined
from bench.report import options as results_option
from bench.report.estimates import Estimate, mean, median, share
from bench.report.results import record
from bench.surrogates.sets import OWN
from companion.games import game_named
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.display.read import DisplayReading, read_display
from companion.vision.image import annotate

GROUPS = {"development": tuple(DEVELOPMENT), "left-out": LEFT_OUT}


def scenes(deck: DisplayDeck, seed: int, count: int) -> list[DisplayScene]:
    """The displays of a deck; equal seeds give equal pictures, whatever the count."""
    key = sum(map(ord, deck.name))
    return [
        photograph(deck, GROUNDS[number % len(GROUNDS)], np.random.default_rng([seed, number, 7, key]))
        for number in range(count)
    ]


def learned(deck: DisplayDeck) -> Deck:
    """The deck as its references teach it."""
    return enrol_pictures(deck.name, list(deck.references), list(deck.references.values())).deck


def measure(
    deck: DisplayDeck, seed: int, count: int, keep: Path | None, verbose: bool, prepare: Prepare = as_it_is
) -> Outcomes:
    """The outcomes of a deck's displays. `prepare`: what is done to the enrolled deck."""
    known, game, whole = prepare(learned(deck)), game_named(OWN), Outcomes()
    for number, scene in enumerate(scenes(deck, seed, count)):
        begun = time.process_time()
        reading = read_display(scene.image, known, deck.joker)
        found = outcome(scene, reading, game, (time.process_time() - begun) * 1000.0)
        whole.add(found)
        kind = next(iter(found.kinds))
        if verbose:
            print(f"{deck.name} {number} {scene.ground}: {kind}, {_words(reading)}", flush=True)
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
            name = f"{deck.name.replace(' ', '-')}-{number}"
            cv2.imwrite(str(keep / f"{name}.jpg"), scene.image)
            (keep / f"{name}-{kind}.jpg").write_bytes(annotate.draw_cards(scene.image, reading))
    return whole


def _words(reading: DisplayReading) -> str:
    columns = ", ".join(f"{monster} {column['cards']}" for monster, column in reading.display.items())
    return f"{columns}; asked {[place.reason.code for place in reading.unsure]}"


def estimates(found: Outcomes) -> dict[str, Estimate]:
    """The rows of the report."""
    total = found.kinds.total()
    made = {
        "vision/displays_left_out-right": share(found.kinds["right"], total),
        "vision/displays_left_out-wrong": share(found.kinds["wrong"], total),
        "vision/displays_left_out-lost": share(found.lost, total),
        "vision/displays_left_out-cpu": median(found.ms),
    }
    if found.taps:
        made["vision/displays_left_out-taps"] = mean([float(taps) for taps in found.taps])
    return made


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--decks", default="left-out")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shared", type=Path, default=default_shared())
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--refined", action="store_true")
    results_option.add(parser)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    names = GROUPS.get(given.decks, tuple(given.decks.split(",")))
    if not (given.shared / "vision" / "uno").is_dir():
        names = tuple(name for name in names if name != "uno")
        print(f"{given.shared}/vision/uno is not there: uno is left out")
    print(HEADER)
    whole = Outcomes()
    for name in names:
        found = measure(
            deck_named(name, given.seed, given.shared),
            given.seed,
            given.count,
            given.keep,
            given.verbose,
            refined if given.refined else as_it_is,
        )
        print(found.row(name), flush=True)
        whole.add(found)
    print(whole.row("all"))
    if given.decks == "left-out":
        record(given.results, estimates(whole))


if __name__ == "__main__":
    main()
