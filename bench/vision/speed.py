"""CPU time of recognition: a quiet frame, a landing and a full still at 1920 x 1080, by the size of the deck.

The decks are cards of a framed game drawn by models.drawn.games, all alike but for picture and title, so
that nothing can be ruled out by its frame. CPU time of one thread; the machine's other work hardly matters.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import cv2
import numpy as np

from companion.core.observations import Landing
from companion.vision.cards.recognise import recognise
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.tracking.landing import LandingWatcher
from models.drawn import games
from models.drawn.camera import Floats, Image, Rng, aged, lay, phone, quad_at, taken
from models.drawn.rooms import ground

SIZE = (1920, 1080)
WIDE = 130.0
"""Width in pixels of a card: 63 mm seen by a camera that shows 90 cm of table."""
LYING = 10
SEEDS, TURNS = (1, 2, 3, 4, 5), 3
"""Tables that are measured, and how often each."""
TABLE = {"table": [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]}
HEADER = (
    "| references | frame, nothing moves | landing, whole | full still of 10 cards | cards right |\n"
    "|---|---|---|---|---|"
)


def deck_of(count: int) -> Deck:
    """A deck of so many cards of one framed game."""
    cards = [games.framed_card(9, number) for number in range(count)]
    small = [cv2.resize(card, (300, 420), interpolation=cv2.INTER_AREA) for card in cards]
    return enrol_pictures("framed", [f"{n:04d}" for n in range(count)], small).deck


def laid_table(rng: Rng, cards: int) -> tuple[Floats, list[str]]:
    """Some of the first 25 cards in two rows on a table, and their labels."""
    canvas = ground(*SIZE, rng, ("wood",))
    labels = []
    for index, number in enumerate(rng.permutation(25)[:cards]):
        row, column = divmod(index, 5)
        at = (330.0 + 310 * column, 330.0 + 420 * row)
        card = aged(games.framed_card(9, int(number)), rng)
        lay(canvas, card, quad_at(at, WIDE, games.HEIGHT / games.WIDTH, float(rng.normal(0, 10))))
        labels.append(f"{int(number):04d}")
    return canvas, labels


def stream(rng: Rng, cards: int) -> tuple[list[Image], list[Image]]:
    """Frames of a table on which nothing moves, then frames with one more card."""
    seed = int(rng.integers(2**31))
    camera = phone(np.random.default_rng(3))
    before, _ = laid_table(np.random.default_rng(seed), cards)
    after, _ = laid_table(np.random.default_rng(seed), cards + 1)

    def frames(canvas: Floats, count: int) -> list[Image]:
        return [taken(canvas, camera, np.random.default_rng([7, 7])) for _ in range(count)]

    return frames(before, 4), frames(after, 3)


def quiet_and_landing(deck: Deck, seed: int) -> tuple[float, float]:
    """CPU ms of a quiet frame (median), and of a landing: all frames up to its report, less quiet frames;
    nan if it was not reported."""
    quiet, landed = stream(np.random.default_rng(seed), 5)
    best = float("nan")
    for _ in range(TURNS):
        watcher, t, idle, spent = LandingWatcher(deck, TABLE), 100.0, [], 0.0
        for index in range(60):
            begun = time.process_time()
            watcher.feed(quiet[index % len(quiet)], t)
            idle.append((time.process_time() - begun) * 1000)
            t += 1 / 30
        usual = float(np.median(idle[30:]))
        for index in range(45):
            begun = time.process_time()
            seen = watcher.feed(landed[index % len(landed)], t)
            spent += (time.process_time() - begun) * 1000 - usual
            t += 1 / 30
            if any(isinstance(one, Landing) for one in seen):
                best = float(np.fmin(best, spent))
                break
    return usual, best


def full_still(deck: Deck, seed: int) -> tuple[float, float]:
    """CPU ms of a full still, and the share of its cards that were named right."""
    rng = np.random.default_rng(seed)
    canvas, labels = laid_table(np.random.default_rng(seed + 1), LYING)
    still = taken(canvas, phone(np.random.default_rng(4)), rng)
    recognise(still, deck)
    times = []
    for _ in range(TURNS):
        begun = time.process_time()
        cards = recognise(still, deck).cards
        times.append((time.process_time() - begun) * 1000)
    return min(times), sum(card.label in labels for card in cards) / len(labels)


@dataclass(frozen=True)
class DeckCosts:
    """CPU ms of each table of SEEDS, each the quickest of TURNS, which leaves out what the machine's other
    work adds; and the share of the stills' cards that were named right."""

    idle: list[float]
    landing: list[float]
    """Of the landings that were reported."""
    still: list[float]
    right: float


def measure(deck: Deck) -> DeckCosts:
    """What a deck costs."""
    _ = deck.feature_matcher
    frames = [quiet_and_landing(deck, seed) for seed in SEEDS]
    stills = [full_still(deck, seed) for seed in SEEDS]
    return DeckCosts(
        [idle for idle, _ in frames],
        [landing for _, landing in frames if not math.isnan(landing)],
        [ms for ms, _ in stills],
        float(np.mean([share for _, share in stills])),
    )


def table(costs: dict[int, DeckCosts]) -> str:
    """The table of all decks, by the number of their references."""
    lines = [HEADER]
    for count, one in costs.items():
        idle, landing, still = (float(np.median(ms)) for ms in (one.idle, one.landing, one.still))
        lines.append(f"| {count:,} | {idle:.1f} | {landing:.0f} | {still:.0f} | {one.right:.0%} |")
    return "\n".join(lines)
