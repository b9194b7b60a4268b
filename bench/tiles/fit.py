"""Fits when a symbol on a tile is named (companion.vision.symbols.features) and writes
models/vision/symbols.json.

    python -m bench --fit symbols --work DIR [--count N]

DIR is that of models.vision.symbols.samples. The photographs are of decks of pictograms and clip art that the
symbol network has not learned from. A name is given from the least probability at which few enough names are
wrong; a place is asked about from the least one at which two of three such places show a symbol that was
not named. Which probability a fit means comes from the training of the network.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.core.errors import Unreadable
from companion.vision.image.picture import Array
from companion.vision.models import FOLDER
from companion.vision.symbols.features import LIMITS, SymbolAlbum
from companion.vision.symbols.learn import learn_symbols, unpack_looks
from companion.vision.symbols.polar import SymbolMatch
from companion.vision.symbols.search import named_symbols, prepare_picture
from companion.vision.tiles.read import unidentified_symbols
from models.vision.namer.sources import stamps, symbol_faces
from models.vision.symbols.scenes import SymbolScene, deck, photograph, printed, scanned

COUNT, FIRST = 60, 1000
"""Photographs, and the number of the first: the training's figures are of other ones."""
WRONG, ASKED = 0.02, 2 / 3
"""Share of names that may be wrong, and share of the questions that must be about a symbol."""
TRIED = np.round(np.arange(0.01, 0.99, 0.01), 2)
LEAST_SHOWN = 0.85
"""Share of a symbol that must be visible for it to be missed."""


@dataclass(frozen=True, eq=False)
class ReadScene:
    """A photograph and every place in it with the symbol that it shows most likely, most probable first."""

    scene: SymbolScene
    places: tuple[SymbolMatch, ...]

    def is_on(self, one: SymbolMatch, label: str | None = None) -> bool:
        """Whether a place is on a symbol, or on that of a label."""
        away = np.hypot(*(self.scene.circles[:, :2] - one.centre).T) < self.scene.circles[:, 2]
        return bool((away & (self._with_label(label))).any())

    def _with_label(self, label: str | None) -> Array:
        return np.asarray(self.scene.symbols == int(label) if label else self.scene.shown > LEAST_SHOWN)


def read_scenes(work: Path, count: int) -> Iterator[ReadScene]:
    """The photographs that limits are fitted on."""
    faces, things = symbol_faces(work), stamps(work)
    for number in range(FIRST, FIRST + count):
        rng = np.random.default_rng([number, 1])
        symbols = deck(faces, things, rng, left_out=True)
        try:
            looks = unpack_looks(learn_symbols([scanned(one, rng) for one in symbols]))
        except Unreadable:
            continue  # a pictogram without ink
        scene = photograph([printed(one, rng) for one in symbols], rng)
        ready = prepare_picture(scene.image, looks)
        found = SymbolAlbum([str(n) for n in range(len(looks))], looks).matches(ready.places)
        yield ReadScene(scene, tuple(ready.original_match(one) for one in found))


def limits(scenes: Sequence[ReadScene]) -> dict[str, float]:
    """The two limits and what they give."""
    for named in TRIED.tolist():
        given = [(one, name) for one in scenes for name in named_symbols(one.places, named)]
        right = sum(one.is_on(name, name.label) for one, name in given)
        if right >= (1 - WRONG) * len(given):
            break
    likely = named
    for tried in TRIED[named > TRIED].tolist():
        asked = [
            (one, doubt)
            for one in scenes
            for doubt in unidentified_symbols(one.places, named_symbols(one.places, named), tried)
        ]
        good = sum(one.is_on(doubt) for one, doubt in asked)
        if good >= ASKED * len(asked):
            likely = tried
            break
    shown = sum(int((one.scene.shown > LEAST_SHOWN).sum()) for one in scenes)
    return {"named": named, "likely": likely, "symbols": shown, "right": right, "wrong": len(given) - right}


def main(arguments: Sequence[str]) -> int:
    """The command behind `python -m bench --fit symbols`."""
    parser = argparse.ArgumentParser(prog="python -m bench --fit symbols")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--count", type=int, default=COUNT)
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    found = limits([*read_scenes(options.work, options.count)])
    print(json.dumps(found, indent=1))
    (FOLDER / LIMITS).write_text(json.dumps(found, indent=1) + "\n")
    return 0
