"""How well symbols on tiles are read: `python -m bench.tiles [COUNT [FIRST [TILT ...]] | own]`.

One printing is enrolled, one scan a symbol; the photographs show another, as they are and from aside, by
each TILT in degrees. A symbol counts as found if a reading of its label is on it; every other reading is
false. Composing a photograph takes seconds. `own` counts the drawn tiles of Bugs & Co on every kind of table
instead.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

import cv2
import numpy as np

from bench.report import options as results_option
from bench.report.estimates import Estimate, median, share
from bench.report.results import record
from bench.tiles.draw import printed, scanned, symbols
from bench.tiles.scenes import TilePhoto, from_aside, laid, photograph
from companion import art
from companion.art.scene.tables import TABLES
from companion.games import game_named
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.symbols.learn import describe
from companion.vision.symbols.polar import SymbolMatch
from companion.vision.symbols.search import find_symbols
from companion.vision.tiles.read import read_tiles

GAME = game_named("bugs_and_co")


def hits(photo: TilePhoto, found: list[SymbolMatch]) -> int:
    """How many readings lie on a symbol of their label, each symbol counted once."""
    left = list(photo.truth)
    for one in found:
        for index, (label, outline) in enumerate(left):
            if label == one.label and cv2.pointPolygonTest(outline, one.centre, False) >= 0:
                del left[index]  # `remove` would compare arrays
                break
    return len(photo.truth) - len(left)


def measure(count: int, first: int = 0, *tilts: int) -> dict[str, Estimate]:
    """Prints precision, recall and CPU time over `count` photographs from the number `first` on, for each
    tilt of the camera."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(1)
    drawn = symbols()
    looks = np.stack([describe(scanned(symbol, rng)) for symbol in drawn.values()])
    prints = {label: printed(symbol, rng) for label, symbol in drawn.items()}
    counted: dict[int, Counter[str]] = {tilt: Counter() for tilt in (0, *tilts)}
    spent: dict[int, list[float]] = {tilt: [] for tilt in counted}
    for seed in range(first, first + count):
        flat = photograph(list(drawn), prints, np.random.default_rng(100 + seed))
        for tilt, counts in counted.items():
            photo = from_aside(flat, tilt) if tilt else flat
            begun = time.thread_time()
            found = find_symbols(photo.image, list(drawn), looks)
            spent[tilt].append(1000 * (time.thread_time() - begun))
            counts.update(right=hits(photo, found), said=len(found), there=len(photo.truth))
    for tilt, counts in counted.items():
        precision, recall = (
            counts["right"] / max(1, counts["said"]),
            counts["right"] / max(1, counts["there"]),
        )
        print(f"{count} photographs, camera tilted {tilt} degrees, {counts['there']} symbols:", end=" ")
        print(f"precision {precision:.3f}, recall {recall:.3f}, CPU {np.median(spent[tilt]):.0f} ms, median")
    found = {"tiles/ms": median(spent[0])}
    for tilt, counts in counted.items():
        behind = f"-{tilt}" if tilt else ""
        found[f"tiles/precision{behind}"] = share(counts["right"], counts["said"])
        found[f"tiles/recall{behind}"] = share(counts["right"], counts["there"])
    return found


def own() -> dict[str, Estimate]:
    """Prints what is counted of nine drawn tiles on each kind of table."""
    cv2.setNumThreads(1)
    names = art.card_labels("bugs_and_co")
    pictures = [art.draw_card("bugs_and_co", name, 300) for name in names]
    deck = enrol_pictures("bugs_and_co", names, pictures).deck
    counted = 0
    for number, kind in enumerate(TABLES):
        chosen = np.random.default_rng(50 + number).choice(names, 4, replace=False).tolist()
        lying = [chosen[0]] * 3 + [chosen[1]] * 3 + [chosen[2]] * 2 + [chosen[3]]
        reading = read_tiles(laid(lying, kind, 60 + number), deck, GAME.most_copies)
        counted += Counter(lying) == reading.tiles
        right = "right" if Counter(lying) == reading.tiles else f"WRONG, {Counter(lying)} lie there"
        points = GAME.points_of_tiles(reading.tiles)
        print(f"{kind}: {reading.tiles} {right}; {points} points; unsure {list(reading.unsure)}")
    return {"tiles/own": share(counted, len(TABLES))}


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", nargs="*", default=["12"], help="COUNT [FIRST [TILT ...]], or own")
    results_option.add(parser)
    asked = parser.parse_args()
    found = own() if asked.what == ["own"] else measure(*(int(number) for number in asked.what))
    record(asked.results, found)


if __name__ == "__main__":
    main()
