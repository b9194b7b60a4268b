"""Writes the trained verifier as an ONNX file for OpenCV.

python -m models.vision.verifier.export --work DIR [--to FILE]
"""

from __future__ import annotations

import argparse
import io
from pathlib import Path

import torch

from companion.vision.namer.network import HEIGHT, WIDTH
from models.vision.verifier.network import CHANNELS, VerifierNetwork

FILE = Path(__file__).parent / "verifier.onnx"


def onnx_bytes(net: VerifierNetwork) -> bytes:
    """The network as the bytes of an ONNX file, its normalisations folded into the convolutions."""
    out = io.BytesIO()
    net.eval()
    torch.onnx.export(
        net, (torch.zeros(2, 2 * CHANNELS, HEIGHT, WIDTH),), out, opset_version=13, dynamo=False,
        input_names=["pair"], output_names=["log_odds"],
        dynamic_axes={name: {0: "n"} for name in ("pair", "log_odds")},
    )  # fmt: skip
    return out.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--to", type=Path, default=FILE)
    options = parser.parse_args()
    net = VerifierNetwork()
    net.load_state_dict(torch.load(options.work / "verifier.pt"))
    options.to.write_bytes(onnx_bytes(net))


if __name__ == "__main__":
    main()
