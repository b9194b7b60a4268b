"""Landings on rendered tables at 30 pictures a second: found, false ones, errors of time, CPU.

    python -m bench.landing [--performances 24] [--seed 1] [--hardness 0.4] [--verbose]

Each performance is half a minute of play drawn at random: a trick, a pile or columns of a display; hands
from all sides that rest long or leave at once and reach in without a card; knocks, lamps, cards taken away. A
landing is found if it is told with the right card within a second of the truth; what else is told is false.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from companion import art
from companion.art.frame import HEIGHT
from companion.art.scene import Placed, Scene, View, play, random_conditions
from companion.observations import Landing
from companion.vision.deck import Deck
from companion.vision.enrolling import enrol_pictures
from companion.vision.landing import LandingWatcher

FPS = 30.0
SECONDS = 30.0
TABLE = {"table": [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]}
Rng = np.random.Generator


@dataclass
class Tally:
    """What was counted."""

    landings: int = 0
    found: int = 0
    unnamed: int = 0
    false: int = 0
    late: int = 0
    seconds: float = 0.0
    errors: list[float] = field(default_factory=list)
    visible: list[bool] = field(default_factory=list)
    noticed: list[float] = field(default_factory=list)
    idle_ms: list[float] = field(default_factory=list)
    landing_ms: list[float] = field(default_factory=list)


# --- performances -----------------------------------------------------------------------------------------


def performance(rng: Rng, hardness: float) -> tuple[str, play.Performance]:
    """Half a minute of play; the game's name with it."""
    kind = ("trick", "pile", "columns")[int(rng.integers(3))]
    game = "nasty_7" if kind == "pile" else "seven_merry_monsters"
    view = View(
        span=float(rng.uniform(560, 700)), tilt=float(rng.uniform(0, 25)), bend=float(rng.uniform(-0.03, 0))
    )
    scene = Scene(game, view, random_conditions(rng, hardness), rng)
    moves = list(KINDS[kind](rng, art.card_labels(game)))
    moves += _disturbances(rng, moves)
    return game, play.Performance(scene, moves, rng)


def _rest(rng: Rng) -> float:
    """Seconds that a hand stays on its card: mostly short, now and then long."""
    return float(rng.uniform(0.05, 0.5)) if rng.random() < 0.8 else float(rng.uniform(0.8, 3.0))


def _beats(rng: Rng) -> Iterator[tuple[float, float]]:
    """Moments of landings, and how long the hand rests; the next hand may come before the last has left."""
    t = float(rng.uniform(1.2, 2.0))
    while t < SECONDS - 5.0:
        rest = _rest(rng)
        yield t, rest
        t += rest + float(rng.uniform(1.7, 3.5))


def _trick(rng: Rng, labels: list[str]) -> Iterator[play.Move]:
    """Three players, cards apart from each other, taken away by one of them."""
    lying: list[Placed] = []
    deck = [str(label) for label in rng.permutation(labels)]
    for count, (t, rest) in enumerate(_beats(rng)):
        seat = (90.0, 210.0, 330.0)[count % 4 % 3]
        if count % 4 == 3:
            yield play.Take(t, tuple(lying), seat)
            lying.clear()
            continue
        off = rng.normal(0, 5.0, 3)
        x, y = math.cos(math.radians(seat)) * 74 + off[0], math.sin(math.radians(seat)) * 74 + off[1]
        lying.append(Placed(deck.pop(), x, y, seat - 90 + off[2], count))
        yield play.Lay(t, lying[-1], seat, rest)


def _pile(rng: Rng, labels: list[str]) -> Iterator[play.Move]:
    """Cards on each other, equal ones among them, from two seats; now and then the pile is taken."""
    lying: list[Placed] = []
    seats = [float(seat) for seat in rng.choice([90.0, 210.0, 330.0], 2, replace=False)]
    for count, (t, rest) in enumerate(_beats(rng)):
        seat = seats[int(rng.integers(2))]
        if len(lying) > 3 and rng.random() < 0.3:
            yield play.Take(t, tuple(lying), seat)
            lying.clear()
            continue
        again = lying and rng.random() < 0.35
        label = lying[-1].label if again else labels[int(rng.integers(len(labels)))]
        off = rng.normal(0, 4.0, 3)
        lying.append(Placed(label, off[0], off[1], seat - 90 + off[2], count))
        yield play.Lay(t, lying[-1], seat, rest)


def _columns(rng: Rng, labels: list[str]) -> Iterator[play.Move]:
    """A display that grows: each card covers two thirds of the one before it in its column."""
    rows = [0, 0, 0, 0]
    deck = [str(label) for label in rng.permutation(labels)]
    for count, (t, rest) in enumerate(_beats(rng)):
        free = [i for i, laid in enumerate(rows) if laid < 4]
        column = free[int(rng.integers(len(free)))]
        off = rng.normal(0, 1.8, 3)
        x, y = (column - 1.5) * 75 + off[0], rows[column] * HEIGHT / 3 - 50 + off[1]
        rows[column] += 1
        yield play.Lay(t, Placed(deck.pop(), x, y, off[2], count), 90.0 + float(rng.normal(0, 8)), rest)


KINDS: dict[str, Callable[[Rng, list[str]], Iterator[play.Move]]] = {
    "trick": _trick,
    "pile": _pile,
    "columns": _columns,
}


def _disturbances(rng: Rng, moves: list[play.Move]) -> Iterator[play.Move]:
    """Hands without a card, knocks, a lamp that is dimmed and comes back."""
    end = max(move.t for move in moves)
    for _ in range(2):
        x, y = rng.uniform(-170, 170), rng.uniform(-90, 90)
        seat = float(rng.choice([90.0, 210.0, 330.0]))
        yield play.Reach(float(rng.uniform(2.0, end)), x, y, seat, _rest(rng))
    for _ in range(2):
        yield play.Knock(float(rng.uniform(1.0, end)), float(rng.uniform(2, 8)))
    if rng.random() < 0.5:
        start, gain = float(rng.uniform(1.0, end)), float(rng.uniform(0.6, 1.3))
        yield play.Lamp(start, gain)
        yield play.Lamp(start + float(rng.uniform(0.2, 8.0)), 1 / gain)


# --- watching ---------------------------------------------------------------------------------------------


def watch(shown: play.Performance, deck: Deck, tally: Tally) -> list[tuple[float, Landing]]:
    """Feeds every picture of a performance; the landings with the moments at which they were told."""
    watcher = LandingWatcher(deck, TABLE)
    told: list[tuple[float, Landing]] = []
    mark = -1.0
    length = shown.seconds + 2.5
    for index in range(int(length * FPS)):
        t = index / FPS
        image = shown.frame(t).image
        begun = time.process_time()
        seen = watcher.feed(image, t)
        spent = (time.process_time() - begun) * 1000
        landings = [one for one in seen if isinstance(one, Landing)]
        (tally.landing_ms if landings else tally.idle_ms).append(spent)
        tally.late += sum(landing.t < mark for landing in landings)
        mark = max([mark, *(one.t for one in seen if not isinstance(one, Landing))])
        told += [(t, landing) for landing in landings]
    tally.seconds += length
    return told


def score(shown: play.Performance, told: list[tuple[float, Landing]], tally: Tally) -> list[str]:
    """Counts; says what went wrong."""
    left = list(told)
    notes: list[str] = []
    for truth in shown.landings():
        tally.landings += 1
        near = [one for one in left if abs(one[1].t - truth.t) < 1.0]
        right = [one for one in near if one[1].sighting and one[1].sighting.label == truth.label]
        if not right:
            nameless = [one for one in near if one[1].sighting is None]
            tally.unnamed += bool(nameless)
            left = [one for one in left if one not in nameless[:1]]
            notes.append(f"  missed{' (unnamed)' if nameless else ''}: {truth.label} at {truth.t:.2f}")
            continue
        best = min(right, key=lambda one: abs(one[1].t - truth.t))
        left.remove(best)
        tally.found += 1
        error = best[1].t - math.ceil(truth.t * FPS - 1e-6) / FPS
        tally.errors.append(error)
        frame = shown.frame(math.ceil(truth.t * FPS) / FPS)
        tally.visible.append(any(t.label == truth.label and t.visible > 0.3 for t in frame.truth[-1:]))
        tally.noticed.append(best[0] - truth.t)
        if abs(error) > 0.1:
            notes.append(f"  time: {truth.label} at {truth.t:.2f} told as {best[1].t:.2f}")
    tally.false += len(left)
    for at, landing in left:
        card = landing.sighting
        notes.append(f"  false: {card.label if card else None} for {landing.t:.2f}, told at {at:.2f}")
    return notes


def _deck(game: str) -> Deck:
    folder = Path(__file__).parents[1] / "models" / "decks" / game
    if (folder / "deck.npz").is_file():
        return Deck.load(folder)
    labels = art.card_labels(game)
    return enrol_pictures(game, labels, [art.draw_card(game, label, 440) for label in labels]).deck


def main() -> None:
    """Prints the table."""
    options = argparse.ArgumentParser(prog="python -m bench.landing", description=__doc__.splitlines()[0])
    options.add_argument("--performances", type=int, default=24)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--hardness", type=float, default=0.4)
    options.add_argument("--verbose", action="store_true", help="say what went wrong")
    chosen = options.parse_args()
    cv2.setNumThreads(1)
    decks = {game: _deck(game) for game in ("seven_merry_monsters", "nasty_7")}
    tally = Tally()
    for number in range(chosen.performances):
        rng = np.random.default_rng([chosen.seed, number])
        game, shown = performance(rng, chosen.hardness)
        notes = score(shown, watch(shown, decks[game], tally), tally)
        if chosen.verbose and notes:
            light = shown.scene.conditions
            print(f"{number}: {game}, {light.table}, noise {light.noise:.1f}", *notes, sep="\n", flush=True)
    print(_report(tally))


def _report(tally: Tally) -> str:
    errors = np.abs(np.array(tally.errors))
    seen = errors[np.array(tally.visible, bool)]
    rows = [
        ("played", f"{tally.seconds / 60:.1f} min, {tally.landings} landings"),
        ("found with the right card", f"{tally.found / max(1, tally.landings):.1%}"),
        ("noticed without a name", f"{tally.unnamed}"),
        ("false", f"{tally.false} ({tally.false / tally.seconds * 3600:.1f} an hour)"),
        ("error of time, median",
         f"{np.median(errors) * 1000:.0f} ms ({np.median(errors) * FPS:.1f} pictures)"),
        ("error of time, 95 %", f"{np.percentile(errors, 95) * 1000:.0f} ms"),
        ("within 0.1 s, card visible", f"{(seen <= 0.1 + 1e-6).mean():.1%} of {len(seen)}"),
        ("told after the landing, median / 95 %",
         f"{np.median(tally.noticed):.2f} s / {np.percentile(tally.noticed, 95):.2f} s"),
        ("told after the watermark", f"{tally.late}"),
        ("CPU a picture, median / 95 %",
         f"{np.median(tally.idle_ms):.1f} / {np.percentile(tally.idle_ms, 95):.1f} ms"),
        ("CPU a landing, median", f"{np.median(tally.landing_ms):.0f} ms"),
    ]  # fmt: skip
    return "\n".join(
        ["| landings, 30 pictures a second | |", "|---|---|", *(f"| {a} | {b} |" for a, b in rows)]
    )


if __name__ == "__main__":
    main()
