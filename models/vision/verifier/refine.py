"""Refines the judge of the verifier on one enrolled deck: which of this deck's cards is it, or none of them?

    python -m models.vision.verifier.refine DECK RESULT [--steps N] [--seconds S]

DECK and RESULT are files of a deck; after every few steps how far it is stands on standard output, as JSON.
`--seconds`: it ends after that time, with fewer steps on a slow computer.
The networks before the judge stay, so what a deck keeps of its cards stays true. Pictures of the cards are
made again from the descriptors of the deck; views of them under fingers, other cards, bad light and cheap
cameras are made as for the training of the whole verifier. In some steps the cards of our own decks are
learned from instead, and some views show another deck, so that what is not enrolled is not forgotten. It
needs nothing but what the companion itself needs.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from companion.vision.deck.deck import Deck
from companion.vision.image.picture import Array, Bools, Bytes, Floats, Image
from companion.vision.match.reconstruction import reconstruct
from companion.vision.verifier.network import FRAME, compared, features_of, judge_with, shipped_weights
from models.vision.namer.camera import Rng
from models.vision.namer.views import CardView, view
from models.vision.verifier.light import faded, reflecting, varied
from models.vision.verifier.pairing import FOREIGN, IN_COLUMNS, LEAST_VISIBLE, chosen_others, laid
from models.vision.verifier.trainable import Adam, TrainableJudge

STEPS, REPORTED = 160, 8
"""Steps of a refinement, .7 s each on one core of a desktop computer, and after how many it reports."""
VIEWS = 16
"""Views of a step."""
RATE, WARM_UP = 4e-4, 0.06
"""The highest rate, and the share of the steps in which it rises."""
LARGEST = 2.0
"""The largest norm of a step's gradient."""
SETTLED = 0.02
"""A verdict that is as right as that teaches next to nothing: two of three are, and gradients take time."""
CHUNK = 8
"""Pairs that are passed through the judge at once: more take memory, not less time."""
MADE_VIEWS, MOST_VIEWS = 10, 800
"""Views made of each look, and most of all looks."""
ANOTHER_DECK = 0.3
"""Share of the steps that learn from one of our own decks."""
WIDTH, HEIGHT = 160, 256
"""Pixels of a card that views are made of."""
GROUNDS = 24
OWN_DECKS = Path(__file__).resolve().parents[2] / "decks"


@dataclass(frozen=True)
class RefinementStep:
    """How far a refinement is, and the mean `loss` since the last report."""

    step: int
    steps: int
    loss: float


@dataclass(frozen=True, eq=False)
class LearnedDeck:
    """A deck to learn from: `features` (n, ...) of its looks, `views` with the look of each (m,), and for
    each look those of other cards, most similar first."""

    features: Floats
    views: tuple[CardView, ...]
    looks: Array
    others: tuple[Array, ...]

    @staticmethod
    def of(deck: Deck, grounds: Sequence[Image], count: int, rng: Rng) -> LearnedDeck:
        """The deck with `count` views of each look."""
        pictures = [_picture(look) for look in deck.looks]
        made = [
            (look, view(card, rng, grounds, pictures, frame=FRAME, in_columns=IN_COLUMNS))
            for look, card in enumerate(pictures)
            for _ in range(count)
        ]
        shown = [(look, one) for look, one in made if one.visible > LEAST_VISIBLE]
        return LearnedDeck(
            deck.enrolled.features(range(len(pictures))),
            tuple(one for _, one in shown),
            np.array([look for look, _ in shown]),
            tuple(_others(deck, look) for look in range(len(pictures))),
        )

    def drawn(self, rng: Rng) -> int:
        """Any view."""
        return int(rng.integers(len(self.views)))


def refined_deck(
    deck: Deck,
    steps: int = STEPS,
    report: Callable[[RefinementStep], None] = lambda _: None,
    time_used: Callable[[], float] = lambda: 0.0,
) -> Deck:
    """The deck with a judge that was refined on it in so many steps, or fewer if the time for it is over
    before (`time_used`, 1 at its end): the rate falls to 0 in either case. `report` is called every REPORTED
    steps. The deck must suit the networks and have two cards."""
    rng = np.random.default_rng(1)
    grounds = [_ground(rng) for _ in range(GROUNDS)]
    own = LearnedDeck.of(deck, grounds, max(1, min(MADE_VIEWS, MOST_VIEWS // len(deck.looks))), rng)
    more = [LearnedDeck.of(one, grounds, 2, rng) for one in _own_decks() if not is_same(one, deck)]
    judge = TrainableJudge(shipped_weights())
    adam, losses = Adam(judge.weights), list[float]()
    for step in range(1, steps + 1):
        learned = more[int(rng.integers(len(more)))] if more and rng.random() < ANOTHER_DECK else own
        foreign = [one for one in (own, *more) if one is not learned]
        loss, gradient = _step(judge, learned, foreign, rng)
        share = min(1.0, max(step / steps, time_used()))
        adam.step(gradient, RATE * min(1.0, share / WARM_UP) * 0.5 * (1 + math.cos(math.pi * share)))
        losses.append(loss)
        if step % REPORTED == 0:
            report(RefinementStep(step, steps, float(np.mean(losses[-REPORTED:]))))
        if share == 1.0:
            break
    return replace(deck, judge=judge.weights)


def _step(
    judge: TrainableJudge, deck: LearnedDeck, foreign: Sequence[LearnedDeck], rng: Rng
) -> tuple[float, Floats]:
    """The loss of some pairs of a deck, same and different cards weighing alike, and its gradient. `foreign`:
    decks without any of its cards."""
    shown, pairs, same = list[tuple[Image, Bools]](), list[tuple[int, int]](), list[bool]()
    for index in range(VIEWS):
        at = deck.drawn(rng)
        look, is_foreign = int(deck.looks[at]), bool(foreign) and rng.random() < FOREIGN
        compared_with = [look, *chosen_others(deck.others[look], rng)]
        one = _foreign_view(foreign, rng) if is_foreign else deck.views[at]
        shown.append(laid(one.picture, one.corners, one.hidden, rng))
        pairs += [(index, one) for one in compared_with]
        same += [not is_foreign] + [False] * (len(compared_with) - 1)
    pictures = np.stack([picture for picture, _ in shown])
    seen = features_of(varied(faded(reflecting(pictures, rng), rng), rng), np.stack([v for _, v in shown]))
    which, truth = np.array(pairs), np.array(same, np.float32)
    maps = compared(seen[which[:, 0]], deck.features[which[:, 1]])
    weights = np.where(truth > 0, 0.5 / max(1.0, truth.sum()), 0.5 / (1.0 - truth).sum())
    return _loss(judge, maps, truth, np.asarray(weights, np.float32))


def _foreign_view(foreign: Sequence[LearnedDeck], rng: Rng) -> CardView:
    deck = foreign[int(rng.integers(len(foreign)))]
    return deck.views[deck.drawn(rng)]


def _loss(judge: TrainableJudge, maps: Floats, truth: Floats, weights: Floats) -> tuple[float, Floats]:
    """The weighted cross entropy of verdicts on what was compared (n, planes, rows, columns), and its
    gradient, clipped, by the pairs that are not settled."""
    odds = judge_with(judge.weights).forward(maps)[:, 0]
    loss = float((weights * (np.logaddexp(0.0, odds) - truth * odds)).sum())
    wrong = 1.0 / (1.0 + np.exp(-odds)) - truth
    taught, gradient = np.flatnonzero(np.abs(wrong) > SETTLED), np.zeros_like(judge.weights)
    for begin in range(0, len(taught), CHUNK):
        some = taught[begin : begin + CHUNK]
        passed = judge.forward(np.ascontiguousarray(maps[some].transpose(0, 2, 3, 1)))
        gradient += judge.gradient(passed, np.asarray(weights[some] * wrong[some], np.float32))
    return loss, gradient * min(1.0, LARGEST / max(float(np.linalg.norm(gradient)), 1e-9))


def _others(deck: Deck, look: int) -> Array:
    """The looks of other cards, most similar first."""
    apart = np.abs(deck.looks.astype(np.float32) - deck.looks[look]).mean(axis=1)
    order = np.argsort(apart)
    return np.asarray(order[deck.cards[order] != deck.cards[look]])


def is_same(one: Deck, other: Deck) -> bool:
    """Whether two decks are prints of the same cards: the verifier takes most of those of equal names for one
    card. Somebody may have enrolled our own deck."""
    both = [(one.labels.index(label), look) for look, label in enumerate(other.labels) if label in one.labels]
    if not both:
        return False
    seen = other.enrolled.features([look for _, look in both])
    return float(np.median(one.enrolled.log_odds(seen, [look for look, _ in both]))) > 0.0


def _own_decks() -> list[Deck]:
    """Our own decks of cards, as they are shipped."""
    decks = [Deck.load(file) for file in sorted(OWN_DECKS.glob("*/deck.npz"))]
    return [deck for deck in decks if deck.suits_networks]


def _picture(look: Bytes) -> Image:
    """The picture of a card that views are made of."""
    card = cv2.resize(reconstruct(look), (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(card, 0, 255), np.uint8)


def _ground(rng: Rng) -> Image:
    """Surroundings made by code: a few colours that run into each other, boxes, grain."""
    side = 2 * FRAME.height
    canvas = cv2.resize(
        rng.uniform(10, 245, (4, 4, 3)).astype(np.float32), (side, side), interpolation=cv2.INTER_CUBIC
    )
    canvas = 0.4 * canvas + 0.6 * rng.uniform(10, 245, 3)
    for _ in range(int(rng.integers(0, 12))):
        x, y, across, down = (rng.uniform(0, 1, 4) * side).astype(int)
        cv2.rectangle(canvas, (x, y), (x + across // 2, y + down // 2), rng.uniform(10, 245, 3).tolist(), -1)
    canvas += rng.standard_normal((side, side, 1)) * float(rng.uniform(0, 20))
    soft = cv2.GaussianBlur(canvas, (0, 0), float(rng.uniform(0.5, 3)))
    return np.asarray(np.clip(soft, 0, 255), np.uint8)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("deck", type=Path)
    parser.add_argument("result", type=Path)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--seconds", type=float, default=math.inf)
    options = parser.parse_args()
    begun = time.monotonic()
    cv2.setNumThreads(1)

    def report(reached: RefinementStep) -> None:
        print(
            json.dumps({"step": reached.step, "steps": reached.steps, "loss": round(reached.loss, 4)}),
            flush=True,
        )

    refined = refined_deck(
        Deck.load(options.deck),
        options.steps,
        report,
        lambda: (time.monotonic() - begun) / options.seconds,
    )
    options.result.write_bytes(refined.packed())


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:  # somebody ends `companion enrol`: that says so
        raise SystemExit(130) from None
