"""Writes training pictures to a folder:
`python -m models.vision.finder.pictures FOLDER --work WORK --count N --seed S`.

What decks are made of is unpacked to WORK, from Debian packages. One file NNNNN.png a
picture: the picture above its two maps (card, edge, nothing as blue, green, red). Pictures that are there
already are kept, so that the command can be stopped and started again.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from models.vision.finder.scenes import training_picture
from models.vision.namer.data import sources_of


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    sources = sources_of(given.work)
    given.folder.mkdir(parents=True, exist_ok=True)
    for number in range(given.first, given.first + given.count):
        file = given.folder / f"{number:05d}.png"
        if not file.exists():
            made = training_picture(np.random.default_rng([given.seed, number]), sources)
            maps = cv2.merge([made.card, made.edge, np.zeros_like(made.card)])
            coded = cv2.imencode(".png", np.vstack([made.image, maps]), [cv2.IMWRITE_PNG_COMPRESSION, 1])[1]
            file.write_bytes(coded.tobytes())


if __name__ == "__main__":
    main()
