"""Writes trained networks as ONNX files for OpenCV.

python -m models.vision.namer.export --work DIR [--to FOLDER]
"""

from __future__ import annotations

import argparse
import io
from pathlib import Path

import torch
from torch import nn

from companion.vision.namer.network import HEIGHT, SIDE, WIDTH
from models.vision.namer.namer import NamerModel
from models.vision.namer.networks import LocatorNetwork, NamerNetwork

FOLDER = Path(__file__).resolve().parents[1]


def onnx_bytes(net: nn.Module, rows: int, columns: int, outputs: list[str]) -> bytes:
    """The network as the bytes of an ONNX file, its normalisations folded into the convolutions."""
    out = io.BytesIO()
    net.eval()
    example = torch.zeros(1, 3, rows, columns)
    torch.onnx.export(
        net, (example,), out, opset_version=13, dynamo=False, input_names=["picture"], output_names=outputs,
        dynamic_axes={name: {0: "n"} for name in ["picture", *outputs]},
    )  # fmt: skip
    return out.getvalue()


def namer_bytes(net: NamerNetwork) -> bytes:
    """The namer as an ONNX file."""
    return onnx_bytes(net, HEIGHT, WIDTH, ["embedding", "corners"])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--to", type=Path, default=FOLDER)
    options = parser.parse_args()
    model = NamerModel()
    model.load_state_dict(torch.load(options.work / "namer.pt"))
    (options.to / "namer.onnx").write_bytes(namer_bytes(model.net))
    torch.save(model.state_dict(), options.work / "namer_exported.pt")
    if (options.work / "locator.pt").exists():
        locator = LocatorNetwork()
        locator.load_state_dict(torch.load(options.work / "locator.pt"))
        (options.to / "locator.onnx").write_bytes(onnx_bytes(locator, SIDE, SIDE, ["cells"]))


if __name__ == "__main__":
    main()
