"""Writes trained networks as ONNX files for OpenCV.

python -m models.vision.namer.export --work DIR [--to FOLDER]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from companion.vision.namer.network import FRAME, SIDE
from models.vision.learning import onnx_bytes
from models.vision.namer.namer import NamerModel
from models.vision.namer.networks import LocatorNetwork

FOLDER = Path(__file__).resolve().parents[1]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--to", type=Path, default=FOLDER)
    options = parser.parse_args()
    model = NamerModel()
    model.load_state_dict(torch.load(options.work / "namer.pt"))
    card = torch.zeros(1, 3, FRAME.height, FRAME.width)
    (options.to / "namer.onnx").write_bytes(onnx_bytes(model.net, card, "picture", ["embedding", "corners"]))
    torch.save(model.state_dict(), options.work / "namer_exported.pt")
    if (options.work / "locator.pt").exists():
        locator = LocatorNetwork()
        locator.load_state_dict(torch.load(options.work / "locator.pt"))
        square = torch.zeros(1, 3, SIDE, SIDE)
        (options.to / "locator.onnx").write_bytes(onnx_bytes(locator, square, "picture", ["cells"]))


if __name__ == "__main__":
    main()
