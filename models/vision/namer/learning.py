"""What every training here does: seeds, threads, a rate that falls with the time that is left."""

from __future__ import annotations

import math
import time

import numpy as np
import torch
from torch import nn

THREADS = 1
"""On cores that other programs use, threads that wait for each other are twenty times slower than one."""
WARM_UP = 0.03
"""Share of the time in which the rate rises."""


def prepare(seed: int) -> np.random.Generator:
    """Sets the threads and both seeds."""
    torch.set_num_threads(THREADS)
    torch.manual_seed(seed)
    return np.random.default_rng(seed)


def batch_tensor(values: np.ndarray) -> torch.Tensor:
    """An input (n, 3, rows, columns) in the order of memory in which convolutions are fast."""
    return torch.from_numpy(values).to(memory_format=torch.channels_last)


class TrainingSchedule:
    """AdamW whose rate rises at first and falls by a cosine to zero at the end of the minutes given."""

    def __init__(self, net: nn.Module, rate: float, minutes: float, *, decay: float = 0.02) -> None:
        self._parameters = list(net.parameters())
        self._optimiser = torch.optim.AdamW(self._parameters, lr=rate, weight_decay=decay)
        self._rate, self._seconds, self._begun = rate, 60.0 * minutes, time.monotonic()
        self.steps = 0

    def next_step(self) -> bool:
        """Sets the rate of the next step; False when the time is over."""
        share = (time.monotonic() - self._begun) / self._seconds
        rate = self._rate * min(1.0, share / WARM_UP + 0.02) * 0.5 * (1 + math.cos(math.pi * min(share, 1.0)))
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        self.steps += 1
        return share < 1.0

    def learn(self, loss: torch.Tensor) -> None:
        """One step down the loss."""
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self._parameters, 2.0)
        self._optimiser.step()
