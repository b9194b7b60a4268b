"""Writes trained networks as ONNX files for OpenCV, and where in the namer's file its weights stand.

python -m models.vision.namer.export --work DIR [--to FOLDER]
"""

from __future__ import annotations

import argparse
import io
import json
from pathlib import Path

import onnx
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


def weight_spans(data: bytes) -> list[tuple[int, int]]:
    """Offset and number of the float32 values of every layer's weights and biases in an ONNX file, in the
    order in which the layers run."""
    graph = onnx.load_from_string(data).graph
    arrays = {array.name: array.raw_data for array in graph.initializer}
    spans = []
    for node in graph.node:
        if node.op_type in ("Conv", "Gemm"):
            for name in node.input[1:]:
                raw = arrays[name]
                at = data.index(raw)
                if data.find(raw, at + 1) >= 0:
                    raise ValueError(f"the weights {name} occur twice")
                spans.append((at, len(raw) // 4))
    return spans


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
    data = namer_bytes(model.net)
    (options.to / "namer.onnx").write_bytes(data)
    file = options.to / "namer.json"
    about = json.loads(file.read_text()) if file.exists() else {}
    about |= {"spans": weight_spans(data), "stranger": float(model.stranger)}
    file.write_text(json.dumps(about, indent=1) + "\n")
    torch.save(model.state_dict(), options.work / "namer_exported.pt")
    if (options.work / "locator.pt").exists():
        locator = LocatorNetwork()
        locator.load_state_dict(torch.load(options.work / "locator.pt"))
        (options.to / "locator.onnx").write_bytes(onnx_bytes(locator, SIDE, SIDE, ["cells"]))


if __name__ == "__main__":
    main()
