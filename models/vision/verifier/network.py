"""The verifier: two pictures of cards that lie upon each other, and whether they are one card."""

from __future__ import annotations

import torch
from torch import nn

from models.vision.namer.networks import ResidualBlock, convolution

CHANNELS = 7
"""Planes of one picture: its colours, its colours without brightness and contrast, what may show the card."""
FEATURES = 32
"""Planes that are made of it."""
COMPARED = 2
"""Layers of `judge` that still belong to the comparison."""


class VerifierNetwork(nn.Module):
    """A pair of pictures (n, 2 * CHANNELS, 144, 96), what is seen and the enrolled card, to the log odds
    (n, 1) that they show one card.

    Both go through the same layers; places of 4 x 4 pixels are compared, then judged together. The highest
    value of a plane counts beside its mean: one wrong numeral decides, however much else is alike."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            convolution(CHANNELS, 16, 2),
            ResidualBlock(16),
            convolution(16, FEATURES, 2),
            ResidualBlock(FEATURES),
        )
        compared = nn.Conv2d(3 * FEATURES, 48, 1, bias=False)
        self.compare = nn.Sequential(compared, nn.BatchNorm2d(48), nn.ReLU())
        self.judge = nn.Sequential(
            ResidualBlock(48),
            convolution(48, 64, 2),
            ResidualBlock(64),
            ResidualBlock(64),
            ResidualBlock(64),
            convolution(64, 64),
        )
        self.head = nn.Sequential(nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, pair: torch.Tensor) -> torch.Tensor:
        return self.judged(self.stem(pair[:, :CHANNELS]), self.stem(pair[:, CHANNELS:]))

    def judged(self, seen: torch.Tensor, card: torch.Tensor) -> torch.Tensor:
        """The log odds for what the stem makes of both pictures."""
        return self.log_odds(self.compared(seen, card))

    def compared(self, seen: torch.Tensor, card: torch.Tensor) -> torch.Tensor:
        """The features of both pictures, compared place by place: what a refinement on one deck leaves as it
        is."""
        return self.judge[:COMPARED](self.compare(torch.cat([seen, card, (seen - card).abs()], dim=1)))

    def log_odds(self, compared: torch.Tensor) -> torch.Tensor:
        """The log odds for what was compared."""
        planes = self.judge[COMPARED:](compared)
        return self.head(torch.cat([planes.mean(dim=(2, 3)), planes.amax(dim=(2, 3))], dim=1))
