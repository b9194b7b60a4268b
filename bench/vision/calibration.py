"""Whether rendered pictures are as hard as real ones.

    python -m bench.vision.calibration [--shared DIR] [--set poker24,uno] [--every N] [--count N] [--seed S]

Reads the photographs of the real sets, then pictures that companion.art.scene renders of the same cards on
such tables under the light of companion.art.scene.calibrated, and prints for each set how light and camera
differ from the enrolled pictures (what the constants there were taken from) and the recogniser's figures,
real beside rendered. Instances that a reference was cut from are left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from bench.paths import default_shared
from bench.surrogates.sets import pictures_of
from bench.vision import real
from bench.vision.difference import Image, Likeness, Truth, read, table
from companion.art.scene import Placed, Scene, View, calibrated, scattered
from companion.art.scene.prints import Photographed
from companion.vision.image.picture import load_picture
from models.drawn.rooms import strew


def photographs(folder: Path, every: int) -> Iterator[tuple[Image, Truth]]:
    """The photographs of a real set that no reference was cut out of."""
    for photo in real.photos(folder, every):
        if photo.instances and not any(instance.neutral for instance in photo.instances):
            yield load_picture(photo.path), [(i.label, i.x, i.y) for i in photo.instances]


def poker(cards: dict[str, Image], rng: np.random.Generator) -> tuple[Image, Truth]:
    """Five playing cards among coins and papers, 275 to 380 px wide in 1600 x 1600, as in poker24."""
    conditions = calibrated.POKER24.conditions(rng)
    size = (63.0, 63.0 * next(iter(cards.values())).shape[0] / 300)
    labels = [list(cards)[int(i)] for i in rng.choice(len(cards), 5, replace=False)]
    wide = float(rng.uniform(275, 380))
    span = 1600 / wide * 63.0
    view = View(1600, 1600, span=span, tilt=float(abs(rng.normal(0, 5))), turn=float(rng.normal(0, 4)))
    placed = scattered(labels, rng, across=span - 1.1 * size[1], down=span - 1.1 * size[1], size=size)
    scene = Scene(Photographed(cards), view, conditions, rng)
    lit = scene.lit(placed).astype(np.float32)
    strew(lit, int(rng.integers(0, 3)), rng, (0, 0, 3))
    return scene.develop(lit.astype(np.uint8), rng), middles(scene, placed)


def uno(cards: dict[str, Image], rng: np.random.Generator) -> tuple[Image, Truth]:
    """One card, 205 to 400 px wide in 640 x 640, as in uno."""
    conditions = calibrated.UNO.conditions(rng)
    size = (56.0, 56.0 * next(iter(cards.values())).shape[0] / 300)
    wide = float(rng.uniform(205, 385))
    conditions = replace(conditions, blur=conditions.blur * wide / 320)
    room = (640 / wide * 56.0 - size[0]) / 2, (640 / wide * 56.0 - size[1]) / 2
    label = list(cards)[int(rng.integers(len(cards)))]
    card = Placed(
        label,
        float(rng.uniform(-0.6, 0.6) * max(0.0, room[0])),
        float(rng.uniform(-0.6, 0.6) * max(0.0, room[1])),
        float(rng.normal(0, 3)),
        size=size,
    )
    view = View(640, 640, span=640 / wide * 56.0, tilt=float(abs(rng.normal(0, 4))))
    scene = Scene(Photographed(cards), view, conditions, rng)
    return scene.render([card]).image, middles(scene, [card])


def middles(scene: Scene, placed: list[Placed]) -> Truth:
    """The truth of a picture in fractions, cards that lie mostly outside left out."""
    size = (scene.view.width, scene.view.height)
    return [
        (card.label, *(float(v) for v in card.corners.mean(axis=0) / size))
        for card in scene.truth(placed)
        if card.visible > 0.6
    ]


SETS = {"poker24": poker, "uno": uno}


def summary(likeness: Likeness) -> str:
    """Light and camera against the enrolled pictures, mean and deviation."""
    found = likeness.differences
    gains = np.array([d.gains for d in found])
    level = gains.mean(axis=1)
    cast = gains - gains[:, 1:2]
    words = [
        f"log gain {level.mean():+.2f} ± {level.std():.2f}",
        f"blue {cast[:, 0].mean():+.3f} ± {cast[:, 0].std():.3f}",
        f"red {cast[:, 2].mean():+.3f} ± {cast[:, 2].std():.3f}",
    ]
    for name in ("gamma", "sharpness", "residue", "white"):
        values = np.array([getattr(d, name) for d in found])
        words.append(f"{name} {values.mean():.2f} ± {values.std():.2f}")
    widths = np.percentile(likeness.widths, (0, 50, 100))
    return ", ".join(words) + f", width {widths[0]:.0f} to {widths[2]:.0f} px, median {widths[1]:.0f}"


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shared", type=Path, default=default_shared())
    parser.add_argument("--set", default="poker24,uno")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    for name in options.set.split(","):
        folder = options.shared / "vision" / name
        if not folder.is_dir():
            raise SystemExit(f"{folder} is not there; name the folder that holds vision/{name} by --shared")
        cards = pictures_of(folder)
        deck = real.enrolled(folder)
        theirs = read(deck, cards, photographs(folder, options.every))
        drawn = (SETS[name](cards, np.random.default_rng([options.seed, i])) for i in range(options.count))
        ours = read(deck, cards, drawn)
        print(f"{name}, real: {summary(theirs)}\n{name}, rendered: {summary(ours)}\n")
        print(table(theirs, ours, name) + "\n", flush=True)


if __name__ == "__main__":
    main()
