"""Writes the trained verifier as an ONNX file for OpenCV.

python -m models.vision.verifier.export --work DIR [--to FILE]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from companion.vision.namer.network import HEIGHT, WIDTH
from models.vision.learning import onnx_bytes
from models.vision.verifier.network import CHANNELS, VerifierNetwork

FILE = Path(__file__).parent / "verifier.onnx"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--to", type=Path, default=FILE)
    options = parser.parse_args()
    net = VerifierNetwork()
    net.load_state_dict(torch.load(options.work / "verifier.pt"))
    pair = torch.zeros(2, 2 * CHANNELS, HEIGHT, WIDTH)
    options.to.write_bytes(onnx_bytes(net, pair, "pair", ["log_odds"]))


if __name__ == "__main__":
    main()
