"""The two networks: one finds cards in a picture, one names a straightened card."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

EMBEDDING = 64


def convolution(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    """A convolution of 3 x 3, normalised and rectified."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class ResidualBlock(nn.Module):
    """Two convolutions whose outcome is added to what goes in."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.first = convolution(size, size)
        self.second = nn.Sequential(nn.Conv2d(size, size, 3, 1, 1, bias=False), nn.BatchNorm2d(size))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.relu(x + self.second(self.first(x)))


class NamerNetwork(nn.Module):
    """A straightened card (n, 3, 96, 64) to its embedding (n, EMBEDDING), of length 1, and the errors of its
    corners (n, 8) in card widths."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            convolution(3, 16, 2),
            convolution(16, 32, 2),
            ResidualBlock(32),
            convolution(32, 64, 2),
            ResidualBlock(64),
            convolution(64, 96, 2),
            nn.Flatten(),
        )
        self.embedding = nn.Linear(96 * 24, EMBEDDING)
        self.corners = nn.Linear(96 * 24, 8)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        features = self.body(x)
        named = self.embedding(features)
        return named / torch.sqrt((named * named).sum(dim=1, keepdim=True) + 1e-6), self.corners(features)


class LocatorNetwork(nn.Module):
    """A picture (n, 3, 128, 128) to (n, 9, 16, 16): log odds that a cell shows a card, and the card's corners
    less the cell's middle, in sides of the picture."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(convolution(3, 12, 2), convolution(12, 24, 2))
        self.fine = nn.Sequential(convolution(24, 48, 2), ResidualBlock(48))
        self.coarse = nn.Sequential(convolution(48, 64, 2), ResidualBlock(64))
        self.whole = nn.Sequential(convolution(64, 64, 2), ResidualBlock(64))
        self.merge = nn.Sequential(nn.Conv2d(48 + 64 + 64, 48, 1, bias=False), nn.BatchNorm2d(48), nn.ReLU())
        self.head = nn.Sequential(convolution(48, 48), nn.Conv2d(48, 9, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        fine = self.fine(self.stem(x))
        coarse = self.coarse(fine)
        whole = self.whole(coarse)
        up = [
            fine,
            functional.interpolate(coarse, scale_factor=2.0, mode="nearest"),
            functional.interpolate(whole, scale_factor=4.0, mode="nearest"),
        ]
        return self.head(self.merge(torch.cat(up, dim=1)))
