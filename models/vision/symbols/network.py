"""The symbol network as it is trained."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from companion.vision.symbols.features import FEATURES_SHAPE, PADDING
from companion.vision.symbols.polar import CHANNELS

WIDE = (24, 32, 32)
"""Planes of its layers."""
INPUT_SCALE = 64.0
"""A view has length 1: its values are about 1 / 64."""


class SymbolNetwork(nn.Module):
    """Makes features (n, *FEATURES_SHAPE) of length 1 of what is seen in polar coordinates (n, CHANNELS,
    RADII, PADDING + ANGLES + PADDING - 1). What is turned by two angles has features turned by one."""

    def __init__(self) -> None:
        super().__init__()
        first, second, third = WIDE
        self.layers = nn.Sequential(
            nn.Conv2d(CHANNELS, first, 5, stride=2, padding=(2, 0), bias=False),
            nn.BatchNorm2d(first),
            nn.ReLU(inplace=True),
            nn.Conv2d(first, second, 3, padding=(1, 0), bias=False),
            nn.BatchNorm2d(second),
            nn.ReLU(inplace=True),
            nn.Conv2d(second, third, 3, padding=(1, 0), bias=False),
            nn.BatchNorm2d(third),
            nn.ReLU(inplace=True),
            nn.Conv2d(third, FEATURES_SHAPE[0], 3, padding=(1, 0)),
        )
        self.by_ring = nn.Parameter(torch.zeros(FEATURES_SHAPE[1]))

    def forward(self, views: torch.Tensor) -> torch.Tensor:
        made = self.layers(views * INPUT_SCALE) * self.by_ring.exp()[None, None, :, None]
        return made / made.flatten(1).norm(dim=1).clamp_min(1e-6)[:, None, None, None]


class SymbolChoice(nn.Module):
    """The log odds that places show symbols, against none of them, by how alike their features are."""

    def __init__(self) -> None:
        super().__init__()
        self.features = SymbolNetwork()
        self.by_fit = nn.Parameter(torch.tensor(20.0))
        self.least = nn.Parameter(torch.tensor(0.6))

    def forward(self, views: torch.Tensor, looks: torch.Tensor) -> torch.Tensor:
        """Of places (m, ...) for all symbols (n, ...): (m, n)."""
        fit = best_fits(self.features(views), self.features(looks))
        return self.by_fit * (fit - self.least)


def best_fits(seen: torch.Tensor, looks: torch.Tensor) -> torch.Tensor:
    """How alike features (m, ...) and (n, ...) are, at the turn at which they are most alike: (m, n)."""
    one, other = (torch.fft.rfft(given.flatten(1, 2), dim=-1) for given in (seen, looks))
    both = torch.einsum("mcf,ncf->mnf", one, other.conj())
    return torch.fft.irfft(both, n=seen.shape[-1], dim=-1).amax(dim=-1)


def padded(views: torch.Tensor) -> torch.Tensor:
    """Views (n, CHANNELS, RADII, ANGLES) with the angles beyond both ends."""
    return functional.pad(views, (PADDING, PADDING - 1, 0, 0), mode="circular")
