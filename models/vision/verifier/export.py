"""Writes the trained verifier as three ONNX files for OpenCV, and where in the judge's file its weights
stand: they can be refined on a deck.

python -m models.vision.verifier.export --work DIR [--to FOLDER]
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import onnx
import torch
from torch import nn

from companion.vision.verifier.network import FEATURES_SHAPE, FRAME
from models.vision.learning import onnx_bytes
from models.vision.verifier.network import CHANNELS, FEATURES, VerifierNetwork

FOLDER = Path(__file__).parent


class Comparison(nn.Module):
    """The features of both pictures in one tensor (n, 2 * FEATURES, rows, columns) to what is judged."""

    def __init__(self, net: VerifierNetwork) -> None:
        super().__init__()
        self.net = net

    def forward(self, both: torch.Tensor) -> torch.Tensor:
        return self.net.compared(both[:, :FEATURES], both[:, FEATURES:])


class Judge(nn.Module):
    """What was compared to the log odds (n, 1)."""

    def __init__(self, net: VerifierNetwork) -> None:
        super().__init__()
        self.net = net

    def forward(self, compared: torch.Tensor) -> torch.Tensor:
        return self.net.log_odds(compared)


def weight_spans(data: bytes) -> list[tuple[int, int]]:
    """Offset and number of the float32 values of every layer's weights in an ONNX file, in the order in which
    the layers run."""
    graph = onnx.load_from_string(data).graph
    arrays = {array.name: array.raw_data for array in graph.initializer}
    spans = []
    for node in graph.node:
        if node.op_type in ("Conv", "Gemm"):
            for name in node.input[1:]:
                at = data.index(arrays[name])
                if data.find(arrays[name], at + 1) >= 0:
                    raise ValueError(f"the weights {name} occur twice")
                spans.append((at, len(arrays[name]) // 4))
    return spans


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
    with torch.no_grad():
        compared = Comparison(net).eval()(features)
    judge = onnx_bytes(Judge(net), compared, "compared", ["log_odds"])
    (options.to / "features.onnx").write_bytes(onnx_bytes(net.stem, planes, "planes", ["features"]))
    (options.to / "comparison.onnx").write_bytes(
        onnx_bytes(Comparison(net), features, "features", ["compared"])
    )
    (options.to / "judge.onnx").write_bytes(judge)
    (options.to / "judge.json").write_text(json.dumps({"spans": weight_spans(judge)}) + "\n")


if __name__ == "__main__":
    main()
