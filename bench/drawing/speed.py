"""How fast cards are drawn and camera pictures rendered: `python -m bench.drawing.speed`.

Prints CPU milliseconds (one thread of OpenCV) for a 1280 x 720 picture of a display of 20 cards.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import cv2
import numpy as np

from bench.report import options as results_option
from bench.report.estimates import single
from bench.report.results import record
from companion import art
from companion.art.scene import Conditions, Placed, Scene, View, display, fitted
from companion.art.scene.play import LayMove, Performance
from companion.art.sheets import deck_pdf

GAME = "seven_merry_monsters"
COLUMNS = {
    "red": ["red 1", "red 4", "joker", "red 6"],
    "blue": ["blue 2", "blue 3", "blue 7"],
    "pink": ["pink 5", "joker", "pink 1", "pink 2"],
    "green": ["green 4"],
    "yellow": ["yellow 7", "yellow 2", "joker"],
    "purple": ["purple 1", "purple 6", "purple 3", "purple 5", "joker"],
}


def cpu_ms(work: Callable[[], object], times: int) -> float:
    """Mean CPU time of `work` in ms over `times` runs."""
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) / times * 1000


def rows() -> list[tuple[str, float]]:
    """What was measured and the ms that it takes."""
    rng = np.random.default_rng(1)
    cards: list[Placed] = display(COLUMNS, rng)
    conditions = Conditions("wood", 0.9, (0.9, 1.0, 1.1), 0.3, 0.3, 3.0, 1, 0.6, 3.0, 88, 0.6)
    view = fitted(cards, View(1280, 720, tilt=20, bend=-0.04))
    scene = Scene(GAME, view, conditions, rng)
    scene.render(cards)
    play = Performance(scene, [LayMove(1.0, Placed("orange 3", 0, 0, copy=9))], rng, cards)
    play.frame(0.1), play.frame(0.9)
    return [
        ("a card drawn, 440 px high", cpu_ms(lambda: art.draw_card(GAME, "pink 5", 440), 10)),
        ("the deck as PDF", cpu_ms(lambda: deck_pdf(GAME), 1)),
        ("a new scene (table, light, lens)", cpu_ms(lambda: Scene(GAME, view, conditions, rng), 5)),
        ("a picture of 20 cards", cpu_ms(lambda: scene.render(cards), 20)),
        ("a frame, nothing moves", cpu_ms(lambda: play.frame(0.1), 20)),
        ("a frame with a hand and its card", cpu_ms(lambda: play.frame(0.9), 20)),
    ]


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    results_option.add(parser)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    print("| drawing and rendering, 1280 x 720 | CPU ms |\n|---|---|")
    found = dict(rows())
    for name, value in found.items():
        print(f"| {name} | {value:.0f} |")
    names = {"card": "a card drawn, 440 px high", "picture": "a picture of 20 cards"}
    record(asked.results, {f"service/{name}": single(found[row]) for name, row in names.items()})


if __name__ == "__main__":
    main()
