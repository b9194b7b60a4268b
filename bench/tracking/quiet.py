"""Minutes at a table on which nothing lands: every landing reported then is false.

Cards lie there. Hands reach in, wave and rest, cards are pushed, the table is knocked, lamps are switched and
flicker, shadows of heads wander, daylight fades. Pictures are 640 x 360, ten a second.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

import cv2
import numpy as np

from bench.tracking.scenes import SEATS, Picture, Rng
from companion import art
from companion.art.scene import Placed, Scene, View, play, random_conditions
from companion.core.observations import Landing
from companion.vision.deck.deck import Deck
from companion.vision.tracking.landing import LandingWatcher

FPS = 10.0
TABLE_S = 240.0
"""Seconds at one table."""
Shown = Iterator[tuple[float, Picture]]
"""Pictures with their times."""
ZONES = {"table": [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]}


def quiet(deck: Deck, minutes: float, seed: int, first: int = 0) -> tuple[str, int, float]:
    """Watches so many minutes, from the table of this number on (`watched`)."""
    numbers = range(first, first + max(1, round(minutes * 60 / TABLE_S)))
    tables = {number: _pictures(np.random.default_rng([seed, 77, number])) for number in numbers}
    return watched(deck, "nothing lands", tables)


def watched(deck: Deck, name: str, tables: Mapping[int, Shown]) -> tuple[str, int, float]:
    """Watches tables on which nothing lands, by their numbers: what is printed of them, the number of
    landings that were reported (all false), and the hours of play that were watched."""
    reported: list[str] = []
    spent: list[float] = []
    for number, table in tables.items():
        watcher = LandingWatcher(deck, ZONES)
        for t, image in table:
            begun = time.process_time()
            seen = watcher.feed(image, t)
            spent.append((time.process_time() - begun) * 1000)
            for one in seen:
                if isinstance(one, Landing):
                    reported.append(
                        f"table {number} at {t:.1f} s: {one.sighting and one.sighting.label}, for {one.t:.1f}"
                    )
    hours = len(spent) / FPS / 3600
    rows = [
        f"| {name} | |",
        "|---|---|",
        f"| watched | {hours * 60:.0f} min at {FPS:.0f} pictures a second |",
        f"| false | {len(reported)} ({len(reported) / hours:.1f} an hour) |",
        f"| CPU a picture, median / mean | {np.median(spent):.1f} / {np.mean(spent):.1f} ms |",
    ]
    return "\n".join([*rows, *reported]), len(reported), hours


def table_with_cards(rng: Rng) -> tuple[Scene, list[Placed]]:
    """A table, and the cards that lie there."""
    view = View(640, 360, span=float(rng.uniform(480, 620)), tilt=float(rng.uniform(0, 25)))
    scene = Scene("seven_merry_monsters", view, random_conditions(rng, 0.4), rng)
    labels = [str(label) for label in rng.permutation(art.card_labels("seven_merry_monsters"))]
    cards = [
        Placed(labels[i], (i % 3 - 1) * 100 + off[0], (i // 3 - 0.5) * 110 + off[1], off[2], i)
        for i, off in enumerate(rng.normal(0, 7.0, (int(rng.integers(2, 7)), 3)))
    ]
    return scene, cards


def _pictures(rng: Rng) -> Shown:
    """The pictures of one table with their times."""
    scene, cards = table_with_cards(rng)
    shown = play.Performance(scene, list(_moves(rng, cards)), rng, cards)
    paths = rng.uniform(0.02, 0.09, (3, 3))
    flicker, fade = float(rng.uniform(0, 0.012)), float(rng.uniform(-0.3, 0.3))
    for index in range(int(TABLE_S * FPS)):
        t = index / FPS
        image = shown.frame(t).image
        gain = (1 + flicker * float(np.sin(t * 40.0))) * (1 + fade * t / TABLE_S)
        yield t, _shaded(image, t, paths, gain)


def _moves(rng: Rng, cards: list[Placed]) -> Iterator[play.Move]:
    """What happens, one thing every few seconds; a lamp that went off comes on again."""
    t, lying = 3.0, list(cards)
    while t < TABLE_S - 12.0:
        seat = float(rng.choice(SEATS))
        x, y = float(rng.uniform(-180, 180)), float(rng.uniform(-90, 90))
        match int(rng.integers(7)):
            case 0:
                yield play.Reach(t, x, y, seat, float(rng.uniform(0.1, 6.0)))
            case 1:
                yield play.Wave(t, x, y, seat, float(rng.uniform(1.0, 5.0)))
            case 2:
                yield from (play.Knock(t + 0.5 * i, float(rng.uniform(1, 9))) for i in range(3))
            case 3:
                gain = float(rng.uniform(0.55, 0.9))
                yield play.LightChange(t, gain)
                yield play.LightChange(t + float(rng.uniform(0.3, 6.0)), 1 / gain)
            case 4:
                card = lying.pop(int(rng.integers(len(lying))))
                off = rng.uniform(-20, 20, 3)
                lying.append(
                    Placed(card.label, card.x + off[0], card.y + off[1], card.degrees + off[2], card.copy)
                )
                yield play.Push(t, card, lying[-1], seat, float(rng.uniform(0.3, 1.0)))
            case _:
                pass
        t += float(rng.uniform(4.0, 11.0))


def _shaded(image: Picture, t: float, paths: np.ndarray, gain: float) -> Picture:
    """Soft shadows that wander and stop, and the light as a whole."""
    small = np.full((34, 60), gain, np.float32)
    for x, y, speed in paths:
        moving = np.floor(t / 9) * 3 + min(3.0, t % 9)
        at = (30 + 34 * np.sin(moving * speed * 9 + x * 99), 17 + 20 * np.sin(moving * speed * 7 + y * 99))
        shade = np.zeros_like(small)
        cv2.circle(shade, (int(at[0]), int(at[1])), 9, 1.0, -1)
        small *= 1 - 0.3 * cv2.GaussianBlur(shade, (0, 0), 4)
    size = (image.shape[1], image.shape[0])
    return np.asarray(
        cv2.multiply(image, cv2.merge([cv2.resize(small, size)] * 3), dtype=cv2.CV_8U), np.uint8
    )
