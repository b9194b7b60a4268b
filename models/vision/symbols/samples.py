"""Photographs of tiles as the places that the search finds on them.

    python -m models.vision.symbols.samples --work DIR --count N [--first I] [--left-out]

Writes DIR/symbols/NNNNN.npz: the looks of a deck, and for each place of one photograph what is seen there in
polar coordinates and which symbol it is: its number, NO_SYMBOL, or none of both (left away) where a part of
one is seen. Packages and licences are those of models.vision.namer.sources."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.core.errors import Unreadable
from companion.vision.image.picture import Array, Floats, Image
from companion.vision.symbols.learn import learn_symbols, pack_looks, unpack_looks
from companion.vision.symbols.limits import symbol_limits
from companion.vision.symbols.polar import VALUES, SymbolPatch, to_affine
from companion.vision.symbols.search import prepare_picture
from models.vision.namer.sources import stamps, symbol_faces
from models.vision.sample_files import sample_run
from models.vision.symbols.scenes import SymbolScene, deck, photograph, printed, scanned

NO_SYMBOL = -1
VIEWS = 2
"""Views of each place, the second a little aside."""
ASIDE = np.array([0.03, 0.03, 0.04, 0.05, 0.05, 0.1])
"""Deviation of what that one is aside (see registration.to_affine)."""
MOST_EMPTY = 120
"""Places of a photograph that show no symbol, which are kept."""
OWN_PLACE, OWN_SIZE = 0.22, 0.22
"""Radii by which the middle of a place that shows a symbol is off at most, and the logarithm of its size."""
LEAST_SHOWN = 0.8
"""Share of a symbol that is visible, from which its place shows it."""


def which_symbol(scene: SymbolScene, centre: tuple[float, float], radius: float) -> int | None:
    """The symbol of a place, NO_SYMBOL, or None where a part of one is seen."""
    away = np.hypot(*(scene.circles[:, :2] - centre).T)
    size = np.log(radius / scene.circles[:, 2])
    own = (away < OWN_PLACE * scene.circles[:, 2]) & (np.abs(size) < OWN_SIZE)
    if own.any():
        at = int(np.where(own, away, np.inf).argmin())
        return int(scene.symbols[at]) if scene.shown[at] > LEAST_SHOWN else None
    part = (away < 0.5 * scene.circles[:, 2]) & (np.abs(size) < np.log(1.6))
    return None if part.any() else NO_SYMBOL


def views_of(patch: SymbolPatch, rng: np.random.Generator) -> Floats:
    """What is seen of a place (VIEWS, VALUES)."""
    changes = np.vstack([np.zeros(6), rng.normal(0, 1, (VIEWS - 1, 6)) * ASIDE])
    return patch.views(to_affine(changes)).reshape(VIEWS, VALUES)


def sample(symbols: Sequence[Image], rng: np.random.Generator) -> tuple[Floats, Floats, Array]:
    """The looks of a deck (n, VALUES), and of a photograph the views of its places (m, VIEWS, VALUES) and
    what they show (m,)."""
    looks = unpack_looks(learn_symbols([scanned(one, rng) for one in symbols]))
    scene = photograph([printed(one, rng) for one in symbols], rng)
    ready = prepare_picture(scene.image, looks, symbol_limits())
    places, shown = [], []
    for place in ready.places:
        symbol = which_symbol(scene, *ready.to_original(place.centre, place.radius))
        if symbol is not None:
            places.append(place.patch)
            shown.append(symbol)
    numbers = np.array(shown, int)
    empty = np.flatnonzero(numbers == NO_SYMBOL)
    dropped = rng.permutation(empty)[MOST_EMPTY:]
    kept = np.setdiff1d(np.arange(len(numbers)), dropped)
    views = [views_of(places[at], rng) for at in kept]
    return looks.reshape(-1, VALUES), np.array(views, np.float32).reshape(-1, VIEWS, VALUES), numbers[kept]


def main() -> None:
    """The command."""
    run = sample_run(__doc__, "symbols")
    faces, things = symbol_faces(run.work), stamps(run.work)
    for number in run.numbers:
        rng = np.random.default_rng([number, int(run.left_out)])
        try:
            looks, views, shown = sample(deck(faces, things, rng, left_out=run.left_out), rng)
        except Unreadable:
            continue  # a pictogram without ink
        packed = pack_looks(views.reshape(-1, VALUES)).reshape(views.shape)
        file = run.folder / f"{number:05d}.npz"
        np.savez_compressed(file, looks=pack_looks(looks), views=packed, shown=shown)


if __name__ == "__main__":
    main()
