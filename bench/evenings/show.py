"""One evening to look at: a strip of its pictures round everything that somebody had to do, and a log."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from bench.evenings.catalogue import Kind
from bench.evenings.counts import Cause, Evening
from bench.evenings.evening import evening
from companion.art.draw.raster import Pixels

EVERY_S = 0.5
"""Seconds between two pictures that are kept."""
WIDE = 480
"""Pixels across a picture of the strip."""
BEFORE_S = 6.0
"""Seconds before a cause that are shown."""
IN_A_ROW = 4


def show(kind: Kind, seed: int, folder: Path) -> str:
    """Plays the evening of a seed and writes `log.txt` and a strip for each cause; what it has written."""
    cv2.setNumThreads(1)
    kept: dict[int, Pixels] = {}

    def keep(t: float, image: Pixels) -> None:
        number = int(t / EVERY_S)
        if number not in kept:
            tall = round(WIDE * image.shape[0] / image.shape[1])
            kept[number] = np.asarray(cv2.resize(image, (WIDE, tall), interpolation=cv2.INTER_AREA))

    script = kind.script(seed)
    counts = evening(script, kind.properties(), keep)
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"{one.sense:10} {one.moment:28} {one.event}" for one in script.events()]
    (folder / "log.txt").write_text("\n".join([*_told(counts), "", "The script:", *lines, ""]))
    written = 0
    for number, cause in enumerate(counts.causes):
        strip = _strip(kept, cause)
        if strip is not None:
            cv2.imwrite(str(folder / f"{number:02d}.png"), strip)
            written += 1
    return f"{folder}: log.txt and {written} strips"


def _told(counts: Evening) -> list[str]:
    """The counts and the causes in words."""
    told = [
        f"{counts.game}, seed {counts.seed}: {'equal' if counts.equal else 'not equal'} {counts.note}",
        f"{counts.found} of {counts.events} events found, {counts.questions} questions, {counts.taps} taps",
        "",
    ]
    return told + [f"{one.t:7.1f} s  {one.name}  {one.detail}" for one in counts.causes]


def _strip(kept: dict[int, Pixels], cause: Cause) -> Pixels | None:
    """The pictures before a cause, row by row, with their times."""
    first, last = int((cause.t - BEFORE_S) / EVERY_S), int(cause.t / EVERY_S)
    pictures = []
    for number in range(first, last + 1):
        if number in kept:
            picture = kept[number].copy()
            cv2.putText(
                picture,
                f"{number * EVERY_S:.1f} s",
                (8, 24),
                cv2.FONT_HERSHEY_SIMPLEX,
                0.7,
                (255, 255, 255),
                2,
            )
            pictures.append(picture)
    if not pictures:
        return None
    empty = np.zeros_like(pictures[0])
    pictures += [empty] * (-len(pictures) % IN_A_ROW)
    rows = [np.hstack(pictures[i : i + IN_A_ROW]) for i in range(0, len(pictures), IN_A_ROW)]
    return np.asarray(np.vstack(rows), np.uint8)
