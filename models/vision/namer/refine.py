"""Refines the shipped namer on one enrolled deck: the same network, learned a little further on composites of
that deck's cards, and what it then expects each card to look like.

Only torch and the shipped weights are needed; the cards are those that the deck's descriptors hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from companion.vision.deck.deck import Deck
from companion.vision.image.picture import Bytes, Floats, Image
from companion.vision.match.reconstruction import reconstruct
from companion.vision.namer.network import EMBEDDING, as_input, shipped_weights
from companion.vision.namer.propose import DeckEmbeddings
from models.vision.learning import batch_tensor
from models.vision.namer.views import CardView, view

BATCH = 48
STEPS, REPORTED = 400, 20
"""Steps of a refinement, a quarter of a second each on one core, and after how many it reports."""
RATE, PROTOTYPE_RATE = 6e-4, 4e-3
CORNER_WEIGHT = 1.0
SHARPNESS = 14.0
CARD_WIDTH, CARD_HEIGHT = 80, 120
GROUNDS = 24
WRONG = (1.0, 2.5)
"""How wrong the quads of the views are, against the training of the shipped namer: up to a fifth of a card,
as far as the locator's are."""


@dataclass(frozen=True)
class RefinedNamer:
    """`weights` (number_of_weights(),) of the namer; `prototypes` (2 n, EMBEDDING) of the n looks, upright,
    then upside down."""

    weights: Floats
    prototypes: Floats


@dataclass(frozen=True)
class RefinementStep:
    """How far a refinement is: `loss` and the share of views named right are means since the last report."""

    step: int
    steps: int
    loss: float
    right: float

    def __str__(self) -> str:
        return f"{self.step} of {self.steps} steps: loss {self.loss:.3f}, right {self.right:.3f}"


class FoldedNamer(nn.Module):
    """The namer as it is shipped: normalisations folded into the convolutions."""

    def __init__(self, weights: Floats) -> None:
        super().__init__()
        sizes = (
            (3, 16, 2),
            (16, 32, 2),
            (32, 32, 1),
            (32, 32, 1),
            (32, 64, 2),
            (64, 64, 1),
            (64, 64, 1),
            (64, 96, 2),
        )
        self.layers = nn.ModuleList([nn.Conv2d(a, b, 3, stride, 1) for a, b, stride in sizes])
        self.embedding, self.corners = nn.Linear(96 * 24, EMBEDDING), nn.Linear(96 * 24, 8)
        begin = 0
        for parameter in self._in_order():
            part = torch.from_numpy(weights[begin : begin + parameter.numel()].astype(np.float32))
            parameter.data.copy_(part.reshape(parameter.shape))
            begin += parameter.numel()

    def _in_order(self) -> list[nn.Parameter]:
        return [
            p for layer in [*self.layers, self.embedding, self.corners] for p in (layer.weight, layer.bias)
        ]

    def weights(self) -> Floats:
        """All weights (n,) in the order of the shipped file."""
        return np.concatenate([p.detach().numpy().ravel() for p in self._in_order()]).astype(np.float32)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        for index in (0, 1):
            x = functional.relu(self.layers[index](x))
        x = functional.relu(x + self.layers[3](functional.relu(self.layers[2](x))))
        x = functional.relu(self.layers[4](x))
        x = functional.relu(x + self.layers[6](functional.relu(self.layers[5](x))))
        x = functional.relu(self.layers[7](x)).flatten(1)
        named = self.embedding(x)
        return named / torch.sqrt((named * named).sum(dim=1, keepdim=True) + 1e-6), self.corners(x)


def refined_deck(deck: Deck, steps: int = STEPS, report: Callable[[RefinementStep], None] = print) -> Deck:
    """The deck with a namer refined on it in so many steps; `report` is called every REPORTED steps."""
    found = refine(deck.looks, deck.cards, shipped_weights(), steps=steps, report=report)
    return replace(deck, namer=found.weights, prototypes=found.prototypes)


def refine(
    looks: Bytes,
    cards: np.ndarray,
    weights: Floats,
    *,
    steps: int = STEPS,
    seed: int = 1,
    report: Callable[[RefinementStep], None] = print,
) -> RefinedNamer:
    """Refines on the looks of a deck; `cards[i]` is the card of look i, `weights` those of the shipped
    namer."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    pictures = [_enlarged(look) for look in looks]
    grounds = [_ground(rng) for _ in range(GROUNDS)]
    net = FoldedNamer(weights).to(memory_format=torch.channels_last)
    prototypes = nn.Parameter(torch.from_numpy(DeckEmbeddings.of(looks).values.copy()))
    optimiser = torch.optim.AdamW(
        [{"params": net.parameters(), "lr": RATE}, {"params": [prototypes], "lr": PROTOTYPE_RATE}],
        weight_decay=0.01,
    )
    rates = [group["lr"] for group in optimiser.param_groups]
    same = torch.from_numpy(np.equal.outer(cards, cards))
    same = torch.cat([torch.cat([same, same], dim=1)] * 2)
    sums = np.zeros(2)
    for step in range(1, steps + 1):
        share = step / steps
        for group, rate in zip(optimiser.param_groups, rates, strict=True):
            group["lr"] = rate * min(1.0, 20 * share + 0.05) * 0.5 * (1 + math.cos(math.pi * share))
        loss, right = _loss(net, prototypes, same, pictures, grounds, rng)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        sums += (loss.item(), right)
        if step % REPORTED == 0:
            report(RefinementStep(step, steps, sums[0] / REPORTED, sums[1] / REPORTED))
            sums[:] = 0
    values = functional.normalize(prototypes.detach(), dim=1).numpy()
    return RefinedNamer(net.weights(), values.astype(np.float32))


def _loss(
    net: FoldedNamer, prototypes: torch.Tensor, same: torch.Tensor, pictures: list[Image], grounds:
    list[Image],
    rng: np.random.Generator,
) -> tuple[torch.Tensor, float]:  # fmt: skip
    picks = rng.integers(len(pictures), size=BATCH)
    wrong = rng.choice(WRONG, size=BATCH)
    made = [view(pictures[p], rng, grounds, pictures, wrong=w) for p, w in zip(picks, wrong, strict=True)]
    over = rng.random(BATCH) < 0.5
    tensor = batch_tensor(as_input(np.stack([_way(one, turn) for one, turn in zip(made, over, strict=True)])))
    corners = np.stack(
        [
            np.roll(-one.corners, 2, axis=0) if turn else one.corners
            for one, turn in zip(made, over, strict=True)
        ]
    )
    with torch.autocast("cpu", torch.bfloat16):
        embeddings, errors = net(tensor)
    logits = SHARPNESS * embeddings.float() @ functional.normalize(prototypes, dim=1).T
    target = torch.from_numpy(picks + len(pictures) * over)
    use = torch.tensor([one.visible > 0.12 for one in made])
    masked = logits.masked_fill(same[target] & ~functional.one_hot(target, logits.shape[1]).bool(), -1e4)
    loss = functional.cross_entropy(masked[use], target[use])
    moved = (errors.float() - torch.from_numpy(corners.reshape(BATCH, 8).astype(np.float32))).abs().mean()
    right = float((masked.argmax(dim=1) == target)[use].float().mean())
    return loss + CORNER_WEIGHT * moved, right


def _way(one: CardView, turn: bool) -> Image:
    return one.picture[::-1, ::-1] if turn else one.picture


def _enlarged(look: Bytes) -> Image:
    card = cv2.resize(reconstruct(look), (CARD_WIDTH, CARD_HEIGHT), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(card, 0, 255).astype(np.uint8))


def _ground(rng: np.random.Generator) -> Image:
    """Surroundings made by code: a few colours that run into each other, boxes, grain."""
    side = 192
    canvas = cv2.resize(
        rng.uniform(10, 245, (4, 4, 3)).astype(np.float32), (side, side), interpolation=cv2.INTER_CUBIC
    )
    tone = rng.uniform(10, 245, 3)
    canvas = canvas * 0.4 + tone * 0.6
    for _ in range(int(rng.integers(0, 12))):
        x, y, w, h = (rng.uniform(0, 1, 4) * side).astype(int)
        cv2.rectangle(canvas, (x, y), (x + w // 2, y + h // 2), rng.uniform(10, 245, 3).tolist(), -1)
    canvas += rng.standard_normal((side, side, 1)) * float(rng.uniform(0, 20))
    return np.asarray(
        np.clip(cv2.GaussianBlur(canvas, (0, 0), float(rng.uniform(0.5, 3))), 0, 255).astype(np.uint8)
    )
