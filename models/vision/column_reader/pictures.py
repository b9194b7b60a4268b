"""Writes training columns to a folder:
`python -m models.vision.column_reader.pictures FOLDER --work WORK --count N`.

What decks are made of is unpacked to WORK, from Debian packages. N scenes have one to
three columns each. Of column K of scene NNNNN, NNNNN-K.png is the upright picture and NNNNN-K.json its truth:
the rows at which cards begin, and the row at which the open card ends. Scenes that are there already are
kept, so that the command can be stopped and started again.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from models.vision.column_reader.scenes import training_columns
from models.vision.namer.data import sources_of


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    sources = sources_of(given.work)
    given.folder.mkdir(parents=True, exist_ok=True)
    for number in range(given.first, given.first + given.count):
        if not (given.folder / f"{number:05d}-0.json").exists():
            rng = np.random.default_rng([given.seed, number])
            for at, made in enumerate(training_columns(rng, sources)):
                file = given.folder / f"{number:05d}-{at}.json"
                coded = cv2.imencode(".png", made.picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1]
                file.with_suffix(".png").write_bytes(coded.tobytes())
                file.write_text(json.dumps({"starts": made.starts, "end": made.end}))


if __name__ == "__main__":
    main()
