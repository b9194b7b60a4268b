"""The training loop of both networks: AdamW, one cycle of learning rates, every stream once in an epoch.

L. N. Smith and N. Topin, "Super-convergence: very fast training of neural networks using large learning
rates", 2018 (the cycle); I. Loshchilov and F. Hutter, "Decoupled weight decay regularization", ICLR 2019.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import nn

BATCH = 16
"""Streams in a batch."""
DECAY = 0.01
"""Weight decay."""
MAX_GRADIENT_NORM = 5.0
"""Gradients are clipped to this norm."""

Trial = Callable[[np.ndarray], tuple[torch.Tensor, int, int]]
"""From the rows of a batch to its loss, the number of right outputs, and the number of outputs that count."""


def learn(
    net: nn.Module,
    parts: Sequence[tuple[Sequence[nn.Parameter], float]],
    trial: Trial,
    rows: np.ndarray,
    rng: np.random.Generator,
    *,
    epochs: int,
    rising: float,
    name: str,
    say: Callable[[str], None],
) -> None:
    """Trains `net` in place and leaves it in evaluation mode.

    Args:
        parts: parameters and their highest learning rate.
        trial: evaluates a batch.
        rows: of the streams to train on.
        rising: share of all steps in which the rates rise, 0 to 1.
        name: of the network, for progress messages.
        say: takes progress messages.
    """
    groups = [{"params": list(parameters), "lr": rate} for parameters, rate in parts]
    optimiser = torch.optim.AdamW(groups, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser,
        [rate for _, rate in parts],
        total_steps=epochs * (len(rows) // BATCH) + 1,
        pct_start=rising,
    )
    for epoch in range(epochs):
        net.train()
        begun, total, right, asked = time.monotonic(), 0.0, 0, 0
        order = rng.permutation(rows)
        for k in range(0, len(order) - BATCH + 1, BATCH):
            loss, hits, answers = trial(order[k : k + BATCH])
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), MAX_GRADIENT_NORM)
            optimiser.step()
            schedule.step()
            total, right, asked = total + loss.item(), right + hits, asked + answers
        mean = total / max(1, len(order) // BATCH)
        say(
            f"{name} {epoch + 1}/{epochs} loss {mean:.3f} right {right / max(1, asked):.3f} "
            f"{time.monotonic() - begun:.0f} s"
        )
    net.eval()
