"""The acoustic model: a time-delay network, trained frame by frame, then folded into plain affine layers.

Five layers of ReLU and batch normalisation over 0.2 s of the past and 0.15 s of what comes, at one output
each 30 ms. After V. Peddinti, D. Povey and S. Khudanpur, "A time delay neural network architecture for
efficient modeling of long temporal contexts", Interspeech 2015.
"""

from __future__ import annotations

import time

import numpy as np
import torch
from torch import nn

from .kaldi import Affine
from .streams import Streams

OFFSETS: tuple[tuple[int, ...], ...] = (
    (-2, -1, 0, 1, 2), (-3, 0, 3), (-3, 0, 3), (-6, -3, 0, 3), (-6, -3, 0, 3),
)  # fmt: skip
"""The frames (10 ms) that each layer looks at, relative to its own."""


class Tdnn(nn.Module):
    """Features [batch, frames, 40] to logits [batch, pdfs, frames // 3]."""

    def __init__(self, mean: np.ndarray, std: np.ndarray, width: int, pdfs: int) -> None:
        super().__init__()
        self.register_buffer("mean", torch.tensor(mean).view(1, -1, 1))
        self.register_buffer("std", torch.tensor(std).view(1, -1, 1))
        dims = [mean.size] + [width] * len(OFFSETS)
        self.convs = nn.ModuleList(
            nn.Conv1d(dims[i], dims[i + 1], len(offsets), stride=3 if i == 0 else 1)
            for i, offsets in enumerate(OFFSETS)
        )
        self.norms = nn.ModuleList(nn.BatchNorm1d(width, affine=False) for _ in OFFSETS)
        self.drop = nn.Dropout(0.1)
        self.last = nn.Conv1d(width, pdfs, 1)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        x = (features.transpose(1, 2) - self.mean) / self.std
        for i, (conv, norm) in enumerate(zip(self.convs, self.norms, strict=True)):
            step = 1 if i == 0 else 3
            left, right = -OFFSETS[i][0] // step, OFFSETS[i][-1] // step
            x = nn.functional.pad(x, (left, right), mode="replicate")
            x = self.drop(norm(torch.relu(conv(x))))
        return self.last(x)


def train(
    data: Streams, rows: np.ndarray, pdfs: int, *, width: int, epochs: int, seed: int, say=print
) -> tuple[list[Affine], np.ndarray]:
    """Trains on the streams of `rows`; returns the layers and the share of frames of each pdf."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    sample = data.features[rows[::11]].astype(np.float32).reshape(-1, data.features.shape[2])
    net = Tdnn(sample.mean(axis=0), sample.std(axis=0) + 1e-3, width, pdfs)
    batch = 24
    steps = epochs * (len(rows) // batch)
    optimiser = torch.optim.AdamW(net.parameters(), lr=4e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, total_steps=steps + 1, pct_start=0.2)
    loss_of = nn.CrossEntropyLoss(label_smoothing=0.02)
    for epoch in range(epochs):
        net.train()
        begun, total, right, count = time.monotonic(), 0.0, 0, 0
        order = rng.permutation(rows)
        for k in range(0, len(order) - batch + 1, batch):
            pick = order[k : k + batch]
            features = torch.from_numpy(data.features[pick].astype(np.float32))
            labels = torch.from_numpy(data.labels[pick].astype(np.int64))
            logits = net(features)
            loss = loss_of(logits, labels)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            optimiser.step()
            schedule.step()
            total += loss.item()
            right += int((logits.argmax(1) == labels).sum())
            count += labels.numel()
        mean = total / max(1, len(order) // batch)
        say(
            f"epoch {epoch + 1}/{epochs} loss {mean:.3f} frames {right / count:.3f} "
            f"{time.monotonic() - begun:.0f} s"
        )
    priors = np.bincount(data.labels[rows].ravel(), minlength=pdfs) / data.labels[rows].size
    return folded(net.eval()), priors


def folded(net: Tdnn) -> list[Affine]:
    """Input scaling and batch normalisation multiplied into the affine layers that follow them."""
    layers = []
    shift = -(net.mean / net.std).view(-1).numpy().astype(np.float64)
    scale = (1.0 / net.std).view(-1).numpy().astype(np.float64)
    for i, conv in enumerate([*net.convs, net.last]):
        weight = conv.weight.detach().numpy().astype(np.float64)  # [out, in, taps]
        bias = conv.bias.detach().numpy().astype(np.float64) + np.einsum("oit,i->o", weight, shift)
        weight = weight * scale[None, :, None]
        flat = weight.transpose(0, 2, 1).reshape(weight.shape[0], -1)
        layers.append(
            Affine(flat.astype(np.float32), bias.astype(np.float32), OFFSETS[i] if i < len(OFFSETS) else (0,))
        )
        if i < len(net.norms):
            norm = net.norms[i]
            scale = 1.0 / np.sqrt(norm.running_var.numpy().astype(np.float64) + norm.eps)
            shift = -norm.running_mean.numpy().astype(np.float64) * scale
    return layers
