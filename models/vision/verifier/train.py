"""Trains the verifier over many decks: which enrolled card is it, or none of them?

    python -m models.vision.verifier.train --work DIR [--minutes M] [--seed S] [--start WEIGHTS] [--rate R]

DIR is that of models.vision.verifier.data. Every step takes views of the cards of one deck. Each is laid upon
its own enrolled card and upon others, most of them the cards of the deck that look most like it: those are
what a card that is not enrolled is taken for. Some views are of another deck or of no card.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn import functional

from companion.vision.image.picture import Array, Bools, Bytes, Floats, Image
from companion.vision.verifier.network import ENROLLED_VISIBLE, planes_of
from models.vision.learning import TrainingSchedule, batch_tensor, prepare, training_parser, with_weights
from models.vision.verifier.data import LEFT, LEFT_ALIKE, hidden_of, read_decks
from models.vision.verifier.light import faded, reflecting, varied
from models.vision.verifier.network import VerifierNetwork
from models.vision.verifier.pairing import FOREIGN, LEAST_VISIBLE, chosen_others, laid

VIEWS = 24
"""Views of a step."""
FEWEST_CARDS = 7
"""Cards of the smallest deck that is learned from."""
RATE = 2e-3
REPORT_SECONDS, REPORT_STEPS = 240, 30


@dataclass(frozen=True, eq=False)
class VerifierDeck:
    """A deck: references (n, ...), views (m, ...) with their corners (m, 8), what is hidden of them as packed
    bits, the card of each view, and for each card the others, most similar first."""

    references: Bytes
    views: Bytes
    corners: Floats
    hidden: Bytes
    cards: Array
    alike: Array

    @staticmethod
    def read(file: Path) -> Iterator[VerifierDeck]:
        """The decks of a file of models.vision.verifier.data."""
        for deck in read_decks(file):
            shown = deck.visible > LEAST_VISIBLE
            small = [cv2.resize(one, (16, 24), interpolation=cv2.INTER_AREA) for one in deck.references]
            flat = np.stack(small).reshape(len(small), -1).astype(np.float32)
            apart = np.linalg.norm(flat[:, None] - flat[None], axis=2)
            np.fill_diagonal(apart, np.inf)
            alike = np.argsort(apart, axis=1)[:, :-1]
            yield VerifierDeck(
                deck.references,
                deck.views[shown],
                deck.corners[shown],
                deck.hidden[shown],
                deck.cards[shown],
                alike,
            )

    def laid(self, at: int, corners: Floats, rng: np.random.Generator) -> tuple[Image, Bools]:
        """View `at` as it lies upon a card whose corners are off by that (8,), see pairing.laid."""
        return laid(self.views[at], corners.reshape(4, 2), hidden_of(self.hidden[at]), rng)


@dataclass(frozen=True, eq=False)
class PairBatch:
    """`seen` (m, ...) and `cards` (n, ...): pictures; `visible` (m + n, rows, columns): what may show a card;
    `pairs` (k, 2): which are laid upon each other; `same` (k,): whether they show one card."""

    seen: Bytes
    cards: Bytes
    visible: Bools
    pairs: Array
    same: Array


def drawn(decks: Sequence[VerifierDeck], rng: np.random.Generator) -> PairBatch:
    """The pairs of one step."""
    deck = decks[int(rng.integers(len(decks)))]
    pick = rng.permutation(len(deck.views))[:VIEWS]
    views, pairs, same = [], list[tuple[int, int]](), list[bool]()
    for index, at in enumerate(pick):
        card = int(deck.cards[at])
        others = chosen_others(deck.alike[card], rng)
        pairs += [(index, one) for one in (card, *others)]
        if rng.random() < FOREIGN:
            views.append(foreign_view(decks, rng))
            same += [False] * (1 + len(others))
        else:
            views.append(deck.laid(int(at), deck.corners[at], rng))
            same += [True] + [False] * len(others)
    used, which_card = np.unique([card for _, card in pairs], return_inverse=True)
    both = np.stack([[index for index, _ in pairs], which_card], axis=1)
    pictures = np.concatenate([np.stack([picture for picture, _ in views]), deck.references[used]])
    visible = np.stack([*(shown for _, shown in views), *[ENROLLED_VISIBLE] * len(used)])
    pictures, visible = mirrored(pictures, visible, rng)
    seen, cards = pictures[: len(views)], pictures[len(views) :]
    seen = varied(faded(reflecting(seen, rng), rng), rng)
    return PairBatch(seen, varied(cards, rng), visible, both, np.array(same))


def foreign_view(decks: Sequence[VerifierDeck], rng: np.random.Generator) -> tuple[Image, Bools]:
    """A card of any deck, or something beside one."""
    other = decks[int(rng.integers(len(decks)))]
    which = int(rng.integers(len(other.views)))
    corners = other.corners[which] if rng.random() < 0.7 else rng.normal(0, 0.4, 8)
    return other.laid(which, np.asarray(corners, np.float32), rng)


def mirrored(pictures: Bytes, visible: Bools, rng: np.random.Generator) -> tuple[Bytes, Bools]:
    """Pictures (n, rows, columns, 3) and what is visible of them, all turned over from left to right or from
    top to bottom, or neither, or both: whether two pictures show one card does not depend on it."""
    along = np.flatnonzero(rng.random(2) < 0.5) + 1
    return np.flip(pictures, along), np.flip(visible, along)


def loss_of(net: VerifierNetwork, batch: PairBatch) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The loss, same and different cards weighing alike, with the log odds (k,) and what is true."""
    count = len(batch.seen)
    with torch.autocast("cpu", torch.bfloat16):
        planes = net.stem(batch_tensor(planes_of(np.concatenate([batch.seen, batch.cards]), batch.visible)))
        pairs = torch.from_numpy(batch.pairs)
        odds = net.judged(planes[pairs[:, 0]], planes[count + pairs[:, 1]])[:, 0]
    odds, same = odds.float(), torch.from_numpy(batch.same).float()
    weight = torch.where(same > 0, 0.5 / same.sum().clamp(min=1), 0.5 / (1 - same).sum().clamp(min=1))
    return (
        (functional.binary_cross_entropy_with_logits(odds, same, reduction="none") * weight).sum(),
        odds,
        same,
    )


def left_out_figures(
    net: VerifierNetwork, decks: Sequence[VerifierDeck], count: int = REPORT_STEPS
) -> dict[str, float]:
    """Loss and share of right verdicts on decks that were left out, and the share of same cards that are
    above all but one in a hundred other cards."""
    net.eval()
    rng, losses, odds, same = np.random.default_rng(5), [], [], []
    with torch.no_grad():
        for _ in range(count):
            loss, some, truth = loss_of(net, drawn(decks, rng))
            losses.append(loss.item())
            odds.append(some.numpy())
            same.append(truth.numpy() > 0)
    net.train()
    found, true = np.concatenate(odds), np.concatenate(same)
    limit = float(np.quantile(found[~true], 0.99))
    right = 0.5 * ((found[true] > 0).mean() + (found[~true] <= 0).mean())
    return {
        "loss": float(np.mean(losses)),
        "right": float(right),
        "same_above_99": float((found[true] > limit).mean()),
    }


def _report(net: VerifierNetwork, decks: Sequence[VerifierDeck]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in left_out_figures(net, decks).items()}


def main() -> None:
    parser = training_parser(__doc__, 50.0)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--rate", type=float, default=RATE)
    options = parser.parse_args()
    rng = prepare(options.seed)
    left, alike = (list(VerifierDeck.read(options.work / name)) for name in (LEFT, LEFT_ALIKE))
    files = sorted(options.work.glob("verifier_[0-9]*.npz"))
    decks = [
        deck for file in files for deck in VerifierDeck.read(file) if len(deck.references) >= FEWEST_CARDS
    ]
    net = VerifierNetwork()
    with_weights(net, options.start)
    schedule = TrainingSchedule(net, options.rate, options.minutes)
    losses, reported = [], time.monotonic()
    while schedule.next_step():
        loss, _, _ = loss_of(net, drawn(decks, rng))
        schedule.learn(loss)
        losses.append(loss.item())
        if time.monotonic() - reported > REPORT_SECONDS:
            print(f"{schedule.steps} steps: {np.mean(losses):.4f} left out {_report(net, left)}", end="")
            print(f" similar cards {_report(net, alike)}", flush=True)
            torch.save(net.state_dict(), options.work / "verifier.pt")
            losses, reported = [], time.monotonic()
    torch.save(net.state_dict(), options.work / "verifier.pt")
    print(f"{schedule.steps} steps: left out {_report(net, left)} similar cards {_report(net, alike)}")


if __name__ == "__main__":
    main()
