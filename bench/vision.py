"""How well the eyes see: `python -m bench.vision --shared DIR [--set poker24|uno|displays] [--limit N]`.

Real photographs (poker24, uno) are enrolled and scored as their folders say: a card of the truth is found if
a detection with its label covers its centre (uno: the marked corner); the card that a reference was cut from
is neutral. Displays are rendered from our own deck, whose references are the drawings.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion import art
from companion.art.scene import Scene, View, display, fitted, random_conditions, random_display
from companion.observations import Sighting
from companion.vision import geometry
from companion.vision.columns import points, read_display
from companion.vision.deck import Deck
from companion.vision.enrolling import enrol, enrol_pictures
from companion.vision.picture import load_picture
from companion.vision.recognise import recognise


def covers(card: Sighting, x: float, y: float) -> bool:
    """Whether the card covers a point (pixels)."""
    return geometry.contains(np.asarray(card.corners, np.float32), (x, y))


def photographs(folder: Path, limit: int) -> dict[str, Any]:
    """Precision and recall of one set of real photographs, and labels where none belongs."""
    truth = json.loads((folder / "truth.json").read_text())
    cut = json.loads((folder / "enrol.json").read_text())
    deck = enrol(folder / "refs").deck
    good = wrong = missed = 0
    seconds: list[float] = []
    for name in sorted(truth)[: limit or None]:
        image = load_picture(folder / "photos" / name)
        height, width = image.shape[:2]
        begun = time.process_time()
        cards = list(recognise(image, deck).cards)
        seconds.append(time.process_time() - begun)
        for label, x, y, *_ in truth[name]:
            px, py = x * width, y * height
            found = [card for card in cards if card.label == label and covers(card, px, py)]
            neutral = cut.get(label, {}).get("photo") == name
            for card in found[:1]:
                cards.remove(card)
            good += bool(found) and not neutral
            missed += not found and not neutral
        wrong += len(cards)
    strangers = sorted((folder / "unknown").glob("*"))[: limit or None]
    labels = sum(len(recognise(load_picture(path), deck).cards) for path in strangers)
    return {
        "precision": good / max(1, good + wrong),
        "recall": good / max(1, good + missed),
        "cards": good + missed,
        "photos": len(seconds),
        "labels on unknown": f"{labels} in {len(strangers)}" if strangers else "-",
        "CPU ms, median": 1000 * float(np.median(seconds)),
    }


def rendered(count: int, seed: int) -> Iterator[tuple[Any, dict[str, list[str]], Any]]:
    """Displays of 3 to 18 cards, a third of each covered card visible; light, blur and view varied."""
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        columns = random_display(rng, int(rng.integers(3, 19)))
        cards = display(columns, rng)
        tilt, turn = float(rng.uniform(0, 25)), float(rng.normal(0, 6))
        view = fitted(cards, View(width=1600, height=1200, tilt=tilt, turn=turn))
        picture = Scene("seven_merry_monsters", view, random_conditions(rng), rng).render(cards)
        yield picture.image, columns, picture.truth


def displays(count: int, seed: int) -> dict[str, Any]:
    """Cards and scores right on rendered displays; a score that is unsure is neither right nor wrong."""
    labels = art.card_labels("seven_merry_monsters")
    pictures = [art.draw_card("seven_merry_monsters", label, 440) for label in labels]
    deck: Deck = enrol_pictures("seven_merry_monsters", labels, pictures).deck
    good = total = extra = right = unsure = wrong = 0
    seconds: list[float] = []
    for image, columns, truth in rendered(count, seed):
        begun = time.process_time()
        reading = read_display(image, deck)
        seconds.append(time.process_time() - begun)
        cards = list(reading.cards)
        for true in truth:
            x, y = true.corners.mean(axis=0)
            reach = 0.3 * float(np.linalg.norm(true.corners[0] - true.corners[1]))
            near = [
                c
                for c in cards
                if c.label == true.label and np.hypot(c.centre[0] - x, c.centre[1] - y) < reach
            ]
            for card in near[:1]:
                cards.remove(card)
            good, total = good + bool(near), total + 1
        extra += len(cards)
        counts = {m: {"cards": len(c), "jokers": c.count("joker")} for m, c in columns.items()}
        right += reading.score == points(counts)
        unsure += reading.score is None
        wrong += reading.score is not None and reading.score != points(counts)
    return {
        "cards right": good / total,
        "wrong labels": extra,
        "cards": total,
        "scores right": right / count,
        "unsure": unsure / count,
        "wrong scores": wrong,
        "displays": count,
        "CPU ms, median": 1000 * float(np.median(seconds)),
    }


def main() -> None:
    """Prints one table a set."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shared", type=Path, default=Path(os.environ.get("COMPANION_SHARED", "../shared")))
    parser.add_argument("--set", dest="wanted", choices=["poker24", "uno", "displays"], action="append")
    parser.add_argument("--limit", type=int, default=0, help="photos a set; all if 0")
    parser.add_argument("--displays", type=int, default=60)
    parser.add_argument("--seed", type=int, default=29)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    for name in asked.wanted or ["poker24", "uno", "displays"]:
        if name == "displays":
            figures = displays(asked.displays, asked.seed)
        else:
            figures = photographs(asked.shared / "vision" / name, asked.limit)
        print(
            f"{name}: "
            + ", ".join(f"{k} {v:.3f}" if isinstance(v, float) else f"{k} {v}" for k, v in figures.items()),
            flush=True,
        )


if __name__ == "__main__":
    main()
