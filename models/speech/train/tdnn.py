"""The acoustic model: a time-delay network, trained frame by frame, then converted to affine layers.

Five layers with ReLU and batch normalisation. An output each 30 ms depends on 0.23 s before and 0.14 s behind
it. After V. Peddinti, D. Povey and S. Khudanpur, "A time delay neural network architecture for efficient
modeling of long temporal contexts", Interspeech 2015.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import nn

from models.speech.train.augment import Augment
from models.speech.train.features import cosines
from models.speech.train.kaldi import AffineLayer
from models.speech.train.learning import learn
from models.speech.train.streams import Streams

OFFSETS: tuple[tuple[int, ...], ...] = (
    (-2, -1, 0, 1, 2), (-3, 0, 3), (-3, 0, 3), (-6, -3, 0, 3), (-9, -3, 0, 3),
)  # fmt: skip
"""The inputs of each layer, in frames (10 ms) relative to its output."""
RATE = 3e-3
"""Highest learning rate."""
DROPPED = 0.08
"""Dropout: this share of a layer's units is zero, each for a whole stream."""


class Tdnn(nn.Module):
    """Log mel bands [batch, frames, bands] to logits [batch, frames // 3, pdfs]."""

    def __init__(self, mean: np.ndarray, std: np.ndarray, width: int, pdfs: int) -> None:
        super().__init__()
        self.register_buffer("mean", torch.tensor(mean).view(1, 1, -1))
        self.register_buffer("std", torch.tensor(std).view(1, 1, -1))
        dims = [mean.size] + [width] * len(OFFSETS)
        self.convs = nn.ModuleList(
            nn.Linear(dims[i] * len(offsets), dims[i + 1]) for i, offsets in enumerate(OFFSETS)
        )
        self.norms = nn.ModuleList(nn.BatchNorm1d(width, affine=False) for _ in OFFSETS)
        self.last = nn.Linear(width, pdfs)

    def forward(self, bands: torch.Tensor) -> torch.Tensor:
        x = (bands - self.mean) / self.std
        for i, (conv, norm) in enumerate(zip(self.convs, self.norms, strict=True)):
            x = torch.relu(conv(_taps(x, i)))
            x = norm(x.view(-1, x.shape[2])).view(x.shape)
            if self.training:
                keep = torch.rand(x.shape[0], 1, x.shape[2]) > DROPPED
                x = x * (keep / (1 - DROPPED))
        return self.last(x)


def _taps(x: torch.Tensor, layer: int) -> torch.Tensor:
    """[batch, frames, channels] to [batch, outputs, taps * channels]: the inputs of each output side by
    side."""
    offsets, step = OFFSETS[layer], 1 if layer == 0 else 3
    left, right = -offsets[0] // step, max(0, offsets[-1] // step)
    count, frames, channels = x.shape
    first = x[:, :1].expand(count, left, channels)
    last = x[:, -1:].expand(count, right, channels)
    padded = torch.cat([first, x, last], 1)
    stride = 3 if layer == 0 else 1
    return torch.cat([padded[:, left + o // step : left + o // step + frames : stride] for o in offsets], 2)


def train(
    data: Streams,
    rows: np.ndarray,
    pdfs: int,
    augment: Augment,
    *,
    width: int,
    epochs: int,
    seed: int,
    say: Callable[[str], None] = print,
) -> tuple[list[AffineLayer], np.ndarray]:
    """Trains on the streams of `rows`, augmented anew in every epoch.

    Returns:
        The affine layers, and the share [pdfs] of frames with each acoustic state.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    some = rows[::23]
    sample = augment(data.features[some], data.labels[some], rng)[0].reshape(-1, data.features.shape[2])
    net = Tdnn(sample.mean(axis=0), sample.std(axis=0) + 1e-3, width, pdfs)
    loss_of = nn.CrossEntropyLoss(label_smoothing=0.02)

    def trial(pick: np.ndarray) -> tuple[torch.Tensor, int, int]:
        noisy, moved = augment(data.features[pick], data.labels[pick], rng)
        labels = torch.from_numpy(moved.astype(np.int64))
        logits = net(torch.from_numpy(noisy))
        hits = int((logits.argmax(2) == labels).sum())
        return loss_of(logits.view(-1, pdfs), labels.view(-1)), hits, labels.numel()

    learn(
        net, ((list(net.parameters()), RATE),), trial, rows, rng,
        epochs=epochs, rising=0.2, name="frames", say=say,
    )  # fmt: skip
    priors = np.bincount(data.labels[rows].ravel(), minlength=pdfs) / data.labels[rows].size
    return folded(net), priors


def folded(net: Tdnn) -> list[AffineLayer]:
    """The network as affine layers with ReLU between them.

    The inverse of the cosine transform of Kaldi's features, the scaling of the input and batch normalisation
    are multiplied into the layers behind them.
    """
    layers, back = [], np.linalg.inv(cosines())
    shift = -(net.mean / net.std).view(-1).numpy().astype(np.float64)
    scale = (1.0 / net.std).view(-1).numpy().astype(np.float64)
    for i, conv in enumerate([*net.convs, net.last]):
        offsets = OFFSETS[i] if i < len(OFFSETS) else (0,)
        flat = conv.weight.detach().numpy().astype(np.float64)
        weight = flat.reshape(flat.shape[0], len(offsets), -1)  # [out, taps, in]
        bias = conv.bias.detach().numpy().astype(np.float64) + np.einsum("oti,i->o", weight, shift)
        weight = weight * scale
        if i == 0:
            weight = weight @ back.T
        flat = weight.reshape(weight.shape[0], -1)
        layers.append(AffineLayer(flat.astype(np.float32), bias.astype(np.float32), offsets))
        if i < len(net.norms):
            norm = net.norms[i]
            scale = 1.0 / np.sqrt(norm.running_var.numpy().astype(np.float64) + norm.eps)
            shift = -norm.running_mean.numpy().astype(np.float64) * scale
    return layers
