"""The card finder: a small U-Net over a picture whose cards are about 45 pixels wide."""

from __future__ import annotations

import torch
from torch import nn

CHANNELS = (16, 24, 40, 64, 80)
"""Channels at 1/2, 1/4, 1/8, 1/16 and 1/32 of the picture's size."""
MAPS = 2
"""Card and edge, as log-odds at half the picture's size."""


def _step(given: int, made: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(given, made, 3, stride, 1, bias=False), nn.BatchNorm2d(made), nn.ReLU(inplace=True)
    )


class FinderNetwork(nn.Module):
    """(n, 3, h, w) blue green red 0 to 1 -> (n, MAPS, h / 2, w / 2); h and w are multiples of 32."""

    def __init__(self) -> None:
        super().__init__()
        self.down = nn.ModuleList()
        given = 3
        for made in CHANNELS:
            self.down.append(nn.Sequential(_step(given, made, 2), _step(made, made)))
            given = made
        self.up, self.join = nn.ModuleList(), nn.ModuleList()
        for made in reversed(CHANNELS[:-1]):
            self.up.append(nn.ConvTranspose2d(given, made, 2, 2))
            self.join.append(_step(2 * made, made))
            given = made
        self.last = nn.Conv2d(given, MAPS, 3, 1, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        kept = []
        for part in self.down:
            x = part(x)
            kept.append(x)
        for up, join, skip in zip(self.up, self.join, reversed(kept[:-1]), strict=True):
            x = join(torch.cat([up(x), skip], 1))
        return self.last(x)
