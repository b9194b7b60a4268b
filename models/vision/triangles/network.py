"""The network that compares triangular cards as it is trained."""

from __future__ import annotations

import torch
from torch import nn

from companion.vision.lattice.card_views import CELLS, LOOK_PLANES, SEEN_PLANES

POINTWISE, WIDE = 24, (32, 48)
"""Planes of the layers that compare single points, and of those that see round them."""
HIDDEN = 48


class TriangleComparison(nn.Module):
    """The log odds (n,) that places show looks, against any other or none, by pairs of what is seen and
    what a look shows (n, SEEN_PLANES + LOOK_PLANES, CELLS, CELLS)."""

    def __init__(self) -> None:
        super().__init__()
        first, second = WIDE
        self.layers = nn.Sequential(
            nn.Conv2d(SEEN_PLANES + LOOK_PLANES, POINTWISE, 1, bias=False),
            nn.BatchNorm2d(POINTWISE),
            nn.ReLU(inplace=True),
            nn.Conv2d(POINTWISE, POINTWISE, 1, bias=False),
            nn.BatchNorm2d(POINTWISE),
            nn.ReLU(inplace=True),
            nn.Conv2d(POINTWISE, first, 3, stride=2, padding=1, bias=False),
            nn.BatchNorm2d(first),
            nn.ReLU(inplace=True),
            nn.Conv2d(first, second, 3, stride=2, padding=1, bias=False),
            nn.BatchNorm2d(second),
            nn.ReLU(inplace=True),
            nn.Flatten(),
            nn.Linear(second * (CELLS // 4) ** 2, HIDDEN),
            nn.ReLU(inplace=True),
            nn.Linear(HIDDEN, 1),
        )

    def forward(self, pairs: torch.Tensor) -> torch.Tensor:
        odds: torch.Tensor = self.layers(pairs)
        return odds
