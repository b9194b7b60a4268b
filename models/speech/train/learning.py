"""The loop by which both networks learn: AdamW, one cycle of the rates, every stream once in an epoch.

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
DECAY = 0.01
LONGEST_STEP = 5.0
"""Gradients longer than this are shortened."""

Trial = Callable[[np.ndarray], tuple[torch.Tensor, int, int]]
"""The rows of a batch to its loss, how many answers were right, and how many were asked."""


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
    """Trains `net`, which is left ready for use.

    Args:
        parts: parameters, and the highest rate at which they learn.
        rising: the share of all steps in which the rates rise.
        name: what the progress is told of.
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
            nn.utils.clip_grad_norm_(net.parameters(), LONGEST_STEP)
            optimiser.step()
            schedule.step()
            total, right, asked = total + loss.item(), right + hits, asked + answers
        mean = total / max(1, len(order) // BATCH)
        say(
            f"{name} {epoch + 1}/{epochs} loss {mean:.3f} right {right / max(1, asked):.3f} "
            f"{time.monotonic() - begun:.0f} s"
        )
    net.eval()
