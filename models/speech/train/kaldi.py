"""Writes the binary files of Kaldi and OpenFst, with struct and numpy.

Formats: kaldi-asr.org/doc, "Kaldi I/O mechanisms", "The "nnet3" setup", "HMM topology and transition
modeling"; openfst.org, VectorFst of StdArc, file version 2.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass
class AffineLayer:
    """One affine layer.

    Attributes:
        weight: [out, len(offsets) * in].
        bias: [out].
        offsets: of its inputs, in frames relative to its output.
    """

    weight: np.ndarray
    bias: np.ndarray
    offsets: tuple[int, ...]


def _token(text: str) -> bytes:
    return text.encode() + b" "


def _int(value: int) -> bytes:
    return b"\x04" + struct.pack("<i", value)


def _float(value: float) -> bytes:
    return b"\x04" + struct.pack("<f", value)


def _double(value: float) -> bytes:
    return b"\x08" + struct.pack("<d", value)


def _ints(values: list[int]) -> bytes:
    return b"\x04" + struct.pack(f"<i{len(values)}i", len(values), *values)


def _vector(values: np.ndarray) -> bytes:
    return _token("FV") + _int(values.size) + values.astype("<f4").tobytes()


def _matrix(values: np.ndarray) -> bytes:
    return _token("FM") + _int(values.shape[0]) + _int(values.shape[1]) + values.astype("<f4").tobytes()


def _transitions(pdfs: list[int], loops: list[float]) -> bytes:
    """The transition model: phone p (from 1) has one emitting state with the pdf `pdfs[p - 1]`."""
    count = len(pdfs)
    data = _token("<TransitionModel>") + _token("<Topology>")
    data += _ints(list(range(1, count + 1))) + _ints([-1] + [0] * count) + _int(1)
    data += _int(2) + _int(0) + _int(2) + _int(0) + _float(0.5) + _int(1) + _float(0.5) + _int(-1) + _int(0)
    data += _token("</Topology>") + _token("<Triples>") + _int(count)
    data += b"".join(_int(phone) + _int(0) + _int(pdf) for phone, pdf in enumerate(pdfs, 1))
    logs = [0.0] + [math.log(p) for loop in loops for p in (loop, 1 - loop)]
    return (
        data
        + _token("</Triples>")
        + _token("<LogProbs>")
        + _vector(np.array(logs))
        + _token("</LogProbs>")
        + _token("</TransitionModel>")
    )


def _config(layers: list[AffineLayer]) -> str:
    """The structure of the network in nnet3's configuration language."""
    lines = [f"input-node name=input dim={layers[0].weight.shape[1] // len(layers[0].offsets)}"]
    before = "input"
    for i, layer in enumerate(layers):
        parts = [f"Offset({before}, {o})" if o else before for o in layer.offsets]
        wired = f"Append({', '.join(parts)})" if len(parts) > 1 else parts[0]
        lines.append(f"component-node name=L{i}.affine component=L{i}.affine input={wired}")
        if i < len(layers) - 1:
            lines.append(f"component-node name=L{i}.relu component=L{i}.relu input=L{i}.affine")
            before = f"L{i}.relu"
    final = "output.log-softmax"
    lines.append(f"component-node name={final} component={final} input=L{len(layers) - 1}.affine")
    lines.append(f"output-node name=output input={final} objective=linear")
    return "".join(line + "\n" for line in lines) + "\n"


def _pointwise(name: str, kind: str, dim: int) -> bytes:
    empty = np.zeros(0)
    return (
        _token("<ComponentName>") + _token(name) + _token(f"<{kind}>") + _token("<Dim>") + _int(dim)
        + _token("<ValueAvg>") + _vector(empty) + _token("<DerivAvg>") + _vector(empty)
        + _token("<Count>") + _double(0.0) + _token(f"</{kind}>")
    )  # fmt: skip


def write_model(
    path: Path, layers: list[AffineLayer], pdfs: list[int], loops: list[float], priors: np.ndarray
) -> None:
    """Writes am/final.mdl.

    Args:
        pdfs: the acoustic state of each phone.
        loops: the self-loop probability of each phone.
        priors: [pdfs] Kaldi subtracts their logarithm from the network's outputs.
    """
    parts = []
    for i, layer in enumerate(layers):
        kind = "FixedAffineComponent"
        parts.append(
            _token("<ComponentName>") + _token(f"L{i}.affine") + _token(f"<{kind}>")
            + _token("<LinearParams>") + _matrix(layer.weight)
            + _token("<BiasParams>") + _vector(layer.bias) + _token(f"</{kind}>")
        )  # fmt: skip
        if i < len(layers) - 1:
            parts.append(_pointwise(f"L{i}.relu", "RectifiedLinearComponent", layer.bias.size))
    parts.append(_pointwise("output.log-softmax", "LogSoftmaxComponent", layers[-1].bias.size))
    data = b"\0B" + _transitions(pdfs, loops) + _token("<Nnet3>") + b"\n" + _config(layers).encode()
    data += _token("<NumComponents>") + _int(len(parts)) + b"".join(parts) + _token("</Nnet3>")
    data += _token("<LeftContext>") + _int(0) + _token("<RightContext>") + _int(0)
    data += _token("<Priors>") + _vector(priors)
    path.write_bytes(data)


class Fst:
    """A weighted finite-state transducer. Weights are costs in nats; label 0 is epsilon."""

    def __init__(self) -> None:
        self.arcs: list[list[tuple[int, int, float, int]]] = []
        self.final: dict[int, float] = {}

    def state(self) -> int:
        self.arcs.append([])
        return len(self.arcs) - 1

    def arc(
        self, source: int, target: int, label_in: int = 0, label_out: int = 0, weight: float = 0.0
    ) -> None:
        self.arcs[source].append((label_in, label_out, weight, target))

    def write(self, path: Path, start: int = 0) -> None:
        """Writes it as a VectorFst of StdArc."""
        arcs = sum(map(len, self.arcs))
        data = struct.pack("<i", 2125659606)
        for text in (b"vector", b"standard"):
            data += struct.pack("<i", len(text)) + text
        data += struct.pack("<iiQqqq", 2, 0, 3, start, len(self.arcs), arcs)
        for state, leaving in enumerate(self.arcs):
            data += struct.pack("<fq", self.final.get(state, math.inf), len(leaving))
            data += b"".join(struct.pack("<iifi", *arc) for arc in leaving)
        path.write_bytes(data)
