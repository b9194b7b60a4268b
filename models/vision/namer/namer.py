"""Trains the namer over many decks: a view of a card must be nearest to that card's reference.

    python -m models.vision.namer.namer --work DIR [--minutes M] [--seed S] [--start WEIGHTS]

Every step takes some cards of one deck as enrolled and some that are not. A view of an enrolled card has to
be nearest to its own reference, of all references either end up; a view of any other card has to be far from
all. DIR may still be filling: files of views that come later are learned from as well.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Bytes, Floats, Image
from companion.vision.namer.network import FRAME, as_input
from models.vision.learning import (
    TrainingSchedule,
    batch_tensor,
    prepare,
    training_parser,
    with_weights,
)
from models.vision.namer.data import LEFT_VIEWS, read_views
from models.vision.namer.networks import NamerNetwork

ENROLLED, STRANGERS, VIEWS = 16, 4, 3
RATE = 2e-3
CORNER_WEIGHT = 1.5
DISPLACED = 0.5
"""Share of views that are shown by a quad which is further off."""
LEAST_VISIBLE = 0.12
"""Views of which less can be seen are not learned from."""


@dataclass(frozen=True, eq=False)
class DeckViews:
    """A deck: its references (n, ...), views (m, ...) with their corners (m, 8), and which views of each card
    show enough of it."""

    references: Bytes
    views: Bytes
    corners: Floats
    of_card: list[Array]

    @staticmethod
    def read(file: Path) -> Iterator[DeckViews]:
        """The decks of a file of data.py."""
        for deck in read_views(file):
            shown = deck.visible > LEAST_VISIBLE
            of_card = [np.flatnonzero(shown & (deck.cards == one)) for one in range(len(deck.references))]
            yield DeckViews(deck.references, deck.views, deck.corners, of_card)


class DeckEpisodes:
    """Decks from which the cards of a step are drawn."""

    def __init__(self) -> None:
        self._decks: list[DeckViews] = []
        self._files: set[Path] = set()

    def read(self, files: Iterable[Path]) -> None:
        """Adds the decks of these files, unless they were read before."""
        for file in sorted(set(files) - self._files):
            self._files.add(file)
            self._decks += DeckViews.read(file)

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """References (n, ...), views (m, ...), their corners (m, 8), and for each view the index of its
        reference, n if that is not enrolled."""
        deck = self._decks[int(rng.integers(len(self._decks)))]
        chosen = rng.permutation(len(deck.references))[: ENROLLED + STRANGERS]
        enrolled = chosen[: max(4, len(chosen) - STRANGERS)]
        picks, owners = [], []
        for index, card in enumerate(chosen):
            some = deck.of_card[card]
            picks.append(rng.permutation(some)[:VIEWS])
            owners += [min(index, len(enrolled))] * len(picks[-1])
        pick = np.concatenate(picks)
        views, corners = deck.views[pick], deck.corners[pick]
        for index in np.flatnonzero(rng.random(len(pick)) < DISPLACED):
            views[index], corners[index] = displaced(views[index], corners[index], rng)
        return deck.references[enrolled], views, corners, np.array(owners)


def displaced(picture: Image, corners: Floats, rng: np.random.Generator) -> tuple[Image, Floats]:
    """A view and its corners (8,) as a quad shows them that is further off."""
    size = float(rng.uniform(0, 1))
    turn, scale = rng.normal(0, 0.08, 2) * size
    spin = math.exp(scale) * np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    frame, width = FRAME.corners, FRAME.card[0]
    middle = frame.mean(axis=0)
    quad = (frame - middle) @ spin.T + middle + rng.normal(0, 0.1, 2) * size * width
    quad = np.asarray(quad + rng.normal(0, 0.04, (4, 2)) * size * width, np.float32)
    matrix = geometry.homography(quad, frame)
    border = cv2.BORDER_REPLICATE if rng.random() < 0.6 else cv2.BORDER_REFLECT
    moved = cv2.warpPerspective(picture, matrix, (FRAME.width, FRAME.height), borderMode=border)
    real = geometry.transform(frame + width * corners.reshape(4, 2), matrix)
    return np.asarray(moved, np.uint8), np.asarray((real - frame) / width, np.float32).reshape(8)


def turned(pictures: np.ndarray) -> np.ndarray:
    """The views upside down."""
    return pictures[:, ::-1, ::-1]


class NamerModel(nn.Module):
    """The network with the sharpness of its decision and the likeness at which a stranger begins."""

    def __init__(self) -> None:
        super().__init__()
        self.net = NamerNetwork()
        self.sharpness = nn.Parameter(torch.tensor(12.0))
        self.stranger = nn.Parameter(torch.tensor(0.45))

    def loss(
        self, rng: np.random.Generator, drawn: tuple[np.ndarray, ...]
    ) -> tuple[torch.Tensor, torch.Tensor, float]:
        """Loss of names, loss of corners, and the share of right names."""
        references, views, corners, owners = drawn
        count = len(references)
        over = rng.random(len(views)) < 0.5
        views = np.where(over[:, None, None, None], turned(views), views)
        corners = np.where(
            over[:, None], -np.roll(corners.reshape(-1, 4, 2), 2, axis=1).reshape(-1, 8), corners
        )
        inputs = np.concatenate([references, turned(references), views])
        tensor = batch_tensor(_varied(as_input(inputs), 2 * count, rng))
        with torch.autocast("cpu", torch.bfloat16):
            embeddings, errors = self.net(tensor)
        embeddings, errors = embeddings.float(), errors.float()
        logits = self.sharpness * torch.cat(
            [embeddings[2 * count :] @ embeddings[: 2 * count].T, self.stranger.expand(len(views), 1)], dim=1
        )
        target = torch.from_numpy(np.where(owners == count, 2 * count, owners + count * over)).long()
        other_end = torch.from_numpy(np.where(owners == count, 2 * count, owners + count * ~over)).long()
        known = target < 2 * count
        masked = logits.clone()
        masked[torch.arange(len(views))[known], other_end[known]] = -1e4
        named = functional.cross_entropy(masked, target)
        given = errors[2 * count :]
        moved = (given - torch.from_numpy(corners.astype(np.float32))).abs().mean()
        right = float((masked.argmax(dim=1) == target).float().mean())
        return named, moved, right


def _varied(inputs: np.ndarray, references: int, rng: np.random.Generator) -> np.ndarray:
    """Inputs with other exposures and casts, so that views made once differ every time."""
    gains = np.exp(rng.normal(0, 0.1, (len(inputs), 1, 1, 1)) + rng.normal(0, 0.05, (len(inputs), 3, 1, 1)))
    gains[:references] = np.sqrt(gains[:references])
    return np.clip((inputs + 0.5) * gains - 0.5, -0.5, 0.5).astype(np.float32)


def main() -> None:
    parser = training_parser(__doc__, 25.0)
    parser.add_argument("--work", type=Path, required=True)
    options = parser.parse_args()
    rng = prepare(options.seed)
    decks, left = DeckEpisodes(), DeckEpisodes()
    left.read([options.work / LEFT_VIEWS])
    model = NamerModel()
    with_weights(model, options.start)
    schedule = TrainingSchedule(model, RATE, options.minutes)
    sums, reported, steps = np.zeros(3), time.monotonic(), 0
    while schedule.next_step():
        if schedule.steps % 500 == 1:
            decks.read(set(options.work.glob("views_*.npz")) - {options.work / LEFT_VIEWS})
        named, moved, right = model.loss(rng, decks.draw(rng))
        schedule.learn(named + CORNER_WEIGHT * moved)
        sums += (named.item(), moved.item(), right)
        steps += 1
        if time.monotonic() - reported > 60:
            model.eval()
            other = np.zeros(3)
            with torch.no_grad():
                fixed = np.random.default_rng(5)
                for _ in range(12):
                    other += [float(part) for part in model.loss(fixed, left.draw(fixed))]
            model.train()
            print(f"{schedule.steps} steps: {sums / steps} left out {other / 12}", flush=True)
            torch.save(model.state_dict(), options.work / "namer.pt")
            sums, reported, steps = np.zeros(3), time.monotonic(), 0
    torch.save(model.state_dict(), options.work / "namer.pt")


if __name__ == "__main__":
    main()
