"""Writes the trained verifier as two ONNX files for OpenCV.

python -m models.vision.verifier.export --work DIR [--to FOLDER]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from torch import nn

from companion.vision.verifier.network import FEATURES_SHAPE, FRAME
from models.vision.learning import onnx_bytes
from models.vision.verifier.network import CHANNELS, FEATURES, VerifierNetwork

FOLDER = Path(__file__).parent


class Comparison(nn.Module):
    """The features of both pictures in one tensor (n, 2 * FEATURES, rows, columns) to the log odds (n, 1)."""

    def __init__(self, net: VerifierNetwork) -> None:
        super().__init__()
        self.net = net

    def forward(self, both: torch.Tensor) -> torch.Tensor:
        return self.net.judged(both[:, :FEATURES], both[:, FEATURES:])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--to", type=Path, default=FOLDER)
    options = parser.parse_args()
    net = VerifierNetwork()
    net.load_state_dict(torch.load(options.work / "verifier.pt"))
    planes = torch.zeros(2, CHANNELS, FRAME.height, FRAME.width)
    features = torch.zeros(2, 2 * FEATURES, *FEATURES_SHAPE[1:])
    (options.to / "features.onnx").write_bytes(onnx_bytes(net.stem, planes, "planes", ["features"]))
    (options.to / "comparison.onnx").write_bytes(
        onnx_bytes(Comparison(net), features, "features", ["log_odds"])
    )


if __name__ == "__main__":
    main()
