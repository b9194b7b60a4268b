"""The column network: convolutions over the upright picture of a column, then along the column only."""

from __future__ import annotations

import torch
from torch import nn

EVENTS = 2
"""A card begins; the open card ends. Log-odds for every fourth row."""
WIDE = 64
DILATIONS = (1, 2, 4, 8, 16, 32)


def _step(given: int, made: int, stride: tuple[int, int] = (1, 1)) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(given, made, 3, stride, 1, bias=False), nn.BatchNorm2d(made), nn.ReLU(inplace=True)
    )


class _AlongBlock(nn.Module):
    """A residual block that looks along the column, `dilation` places apart."""

    def __init__(self, dilation: int) -> None:
        super().__init__()
        self.first = nn.Sequential(
            nn.Conv2d(WIDE, WIDE, (3, 1), 1, (dilation, 0), (dilation, 1), bias=False),
            nn.BatchNorm2d(WIDE),
            nn.ReLU(inplace=True),
        )
        self.second = nn.Conv2d(WIDE, WIDE, (1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.second(self.first(x))


class ColumnReaderNetwork(nn.Module):
    """(n, 3, rows, 128) blue green red 0 to 1 -> (n, EVENTS, rows / 4, 1)."""

    def __init__(self) -> None:
        super().__init__()
        self.picture = nn.Sequential(
            _step(3, 16, (2, 2)),
            _step(16, 24, (2, 2)),
            _step(24, 24),
            _step(24, 40, (1, 2)),
            _step(40, 40),
            _step(40, 56, (1, 2)),
            _step(56, WIDE, (1, 2)),
        )
        self.across = nn.Conv2d(WIDE, WIDE, (1, 4))
        self.along = nn.Sequential(*[_AlongBlock(dilation) for dilation in DILATIONS])
        self.last = nn.Conv2d(WIDE, EVENTS, (1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.last(self.along(self.across(self.picture(x))))
