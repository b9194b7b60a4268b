"""Fits all limits of the verifier on development decks and writes models/vision/verifier/*.json.

    python -m bench --fit eyes --work DIR [--count N] [--shared DIR] [--only places,table,strips,field]
                               [--judge shipped,refined]

DIR holds the packages that decks are made of, and is filled where it is empty. What is fitted how:
bench.vision.fit_held (soft pictures), fit_table, fit_strips and fit_field. The limits of refined judges are
fitted on refined decks; the first time that takes an hour more (bench.refinement).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import cv2

from bench.evenings.dice import enrolled
from bench.paths import default_shared
from bench.refinement import Prepare, as_it_is, refined
from bench.vision.choice_fit import fit_places
from bench.vision.fit_field import field_places, fit_field
from bench.vision.fit_held import fitted_deck
from bench.vision.fit_strips import fitted_strips
from bench.vision.fit_table import FittedTable, PrintedDecks, fit_table, fitted_tables, printed_decks
from bench.vision.held import held_sets
from companion.vision.models import FOLDER
from companion.vision.verifier.limits import REFINED, SHIPPED

PICTURES, TABLES, STRIPS, FIELDS = 60, 8, 24, 60
"""Pictures of each deck held, of each kind of table of a deck, of covered cards of a deck, and fields."""
SEED, TABLE_SEEDS, STRIP_SEED = 5, (5, 555), 31
JUDGES: Mapping[str, tuple[str, Prepare]] = {"shipped": (SHIPPED, as_it_is), "refined": (REFINED, refined)}
"""Where the limits for a judge are written, and how decks are prepared for it."""


def main(arguments: Sequence[str]) -> int:
    """The command behind `python -m bench --fit eyes`."""
    parser = argparse.ArgumentParser(prog="python -m bench --fit eyes")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--shared", type=Path, default=default_shared())
    parser.add_argument("--count", type=int, default=PICTURES)
    parser.add_argument("--only", default="places,table,strips,field")
    parser.add_argument("--judge", default=",".join(JUDGES))
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    for judge in options.judge.split(","):
        file, prepare = JUDGES[judge]
        for name in options.only.split(","):
            found = _fitted(name, prepare, options)
            print(json.dumps({judge: {name: found}}, indent=1), flush=True)
            before = json.loads((FOLDER / file).read_text()) if (FOLDER / file).exists() else {}
            (FOLDER / file).write_text(json.dumps(before | {name: found}, indent=1) + "\n")
    return 0


def _fitted(name: str, prepare: Prepare, options: argparse.Namespace) -> dict[str, object]:
    """The limits of that name, on decks that are prepared so."""

    def decks(seed: int) -> PrintedDecks:  # a deck of one seed is refined once
        return printed_decks(options.work, options.shared, seed if prepare is as_it_is else SEED)

    def tables() -> Iterator[FittedTable]:
        for seed in TABLE_SEEDS:
            yield from fitted_tables(decks(seed), prepare, TABLES, seed)

    parts: Mapping[str, Callable[[], dict[str, object]]] = {
        "places": lambda: fit_places(
            [fitted_deck(held, prepare) for held in held_sets(options.work, options.count)]
        ),
        "table": lambda: fit_table([*tables()]),
        "strips": lambda: fit_places([*fitted_strips(decks(STRIP_SEED), prepare, STRIPS, STRIP_SEED)]),
        "field": lambda: fit_field([*field_places(prepare(enrolled()), FIELDS, SEED)]),
    }
    return parts[name]()
