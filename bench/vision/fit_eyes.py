"""Fits all limits of the verifier on development decks and writes models/vision/verifier/verifier.json.

    python -m bench --fit eyes --work DIR [--count N] [--shared DIR]
                               [--only matches,places,places_refined,sharp,strips,field]

DIR holds the packages that decks are made of, and is filled where it is empty. What is fitted how:
bench.vision.fit_matches, fit_held (places), fit_beside (sharp), fit_strips and fit_field. Which places are
asked about depends on which matches are named, and what is covered on both: they are fitted in this order.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import cv2

from bench.evenings.dice import deck as enrolled_thirteen_monsters
from bench.paths import default_shared
from bench.refinement import refined
from bench.vision.choice_fit import ALIKE, fit_places
from bench.vision.fit_beside import fitted_tables
from bench.vision.fit_field import field_places, fit_field
from bench.vision.fit_held import fitted_deck
from bench.vision.fit_matches import fit_matches, fitted_matches
from bench.vision.fit_strips import fitted_strips
from bench.vision.held import ALIKE_MADE, MADE, held_sets
from companion.vision.deck.deck import Deck
from companion.vision.models import FOLDER
from companion.vision.verifier.limits import ABOUT

PICTURES, OF_EACH_KIND, STRIPS, FIELDS = 30, 8, 24, 60
"""Pictures of each deck held, of each kind of table, of covered cards of each deck, and fields."""
NOT_REFINED = frozenset(
    f"{kind} {number}"
    for kind, first, last in (("made", 14, MADE), (ALIKE, 12, ALIKE_MADE))
    for number in range(first, last)
)
"""Decks that refined judges are not fitted on: a deck takes a minute or two the first time."""
SEED, MATCH_SEEDS, STRIP_SEED = 5, (5, 555), 31
LEAST_OF_STRIPS = 0.4
"""Least probability of the name of a covered card: of decks whose ends differ none between .4 and .5 is wrong
(see docs/lab/vision/covered-cards.md)."""


def main(arguments: Sequence[str]) -> int:
    """The command behind `python -m bench --fit eyes`."""
    parser = argparse.ArgumentParser(prog="python -m bench --fit eyes")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--shared", type=Path, default=default_shared())
    parser.add_argument("--count", type=int, default=PICTURES)
    parser.add_argument("--only", default="matches,places,places_refined,sharp,strips,field")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    parts: Mapping[str, Callable[[], dict[str, object]]] = {
        "matches": lambda: fit_matches(
            [
                one
                for seed in MATCH_SEEDS
                for one in fitted_matches(options.work, options.shared, OF_EACH_KIND, seed)
            ]
        ),
        "places": lambda: fit_places([fitted_deck(held) for held in held_sets(options.work, options.count)]),
        "places_refined": lambda: fit_places(
            [
                fitted_deck(held, refined)
                for held in held_sets(options.work, options.count, without=NOT_REFINED)
            ]
        ),
        "sharp": lambda: fit_places([*fitted_tables(options.work, options.shared, OF_EACH_KIND, SEED)]),
        "strips": lambda: fit_places(
            [*fitted_strips(options.work, options.shared, STRIPS, STRIP_SEED)], LEAST_OF_STRIPS
        ),
        "field": lambda: fit_field(
            [*field_places(Deck.load(Path(enrolled_thirteen_monsters())), FIELDS, SEED)]
        ),
    }
    file = FOLDER / ABOUT
    for name in options.only.split(","):
        found = parts[name]()
        print(json.dumps({name: found}, indent=1), flush=True)
        file.write_text(json.dumps(json.loads(file.read_text()) | {name: found}, indent=1) + "\n")
    return 0
