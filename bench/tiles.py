"""How well symbols on tiles are read: `python -m bench.tiles [COUNT]` composes photographs and reads them.

One printing is enrolled, one scan a symbol; the photographs show another. A symbol counts as found if a
reading of its label lies on it; every other reading is false. Composing a photograph takes seconds.
"""

from __future__ import annotations

import sys
import time

import cv2
import numpy as np

from bench.tiles_draw import printed, scanned, symbols
from bench.tiles_scene import Photo, photograph
from companion.vision.symbols import Found, describe, read


def hits(photo: Photo, found: list[Found]) -> int:
    """How many readings lie on a symbol of their label, each symbol counted once."""
    left = list(photo.truth)
    for one in found:
        for index, (label, outline) in enumerate(left):
            if label == one.label and cv2.pointPolygonTest(outline, one.centre, False) >= 0:
                del left[index]  # `remove` would compare arrays
                break
    return len(photo.truth) - len(left)


def main(count: int) -> None:
    """Prints precision, recall and CPU time over `count` photographs."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(1)
    drawn = symbols()
    looks = np.stack([describe(scanned(symbol, rng)) for symbol in drawn.values()])
    prints = {label: printed(symbol, rng) for label, symbol in drawn.items()}
    right, said, there, spent = 0, 0, 0, []
    for seed in range(count):
        photo = photograph(list(drawn), prints, np.random.default_rng(100 + seed))
        begun = time.process_time()
        found = read(photo.image, list(drawn), looks)
        spent.append(1000 * (time.process_time() - begun))
        right, said, there = right + hits(photo, found), said + len(found), there + len(photo.truth)
    precision, recall = right / max(1, said), right / max(1, there)
    print(f"{count} photographs, {there} symbols: precision {precision:.3f}, recall {recall:.3f}")
    print(f"CPU {np.median(spent):.0f} ms a photograph, median")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 12)
