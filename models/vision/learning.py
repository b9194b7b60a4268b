"""What every training here does: options, seeds, threads, weights to go on from, a rate that falls with the
time that is left, the record of its runs."""

from __future__ import annotations

import argparse
import io
import json
import math
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

THREADS = 1
"""On cores that other programs use, threads that wait for each other are twenty times slower than one."""
WARM_UP = 0.03
"""Share of the time in which the rate rises."""


def training_parser(words: str | None, minutes: float) -> argparse.ArgumentParser:
    """The options of every training: how long (minutes of processor time), which seed, which weights to go on
    from."""
    parser = argparse.ArgumentParser(description=words, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=minutes)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="weights (.pt) to go on from")
    return parser


def with_weights(net: nn.Module, start: Path | None) -> None:
    """Loads the weights to go on from, if there are any, and orders them as convolutions are fast."""
    if start:
        net.load_state_dict(torch.load(start))
    net.to(memory_format=torch.channels_last)


def onnx_bytes(net: nn.Module, example: torch.Tensor, taken: str, given: Sequence[str]) -> bytes:
    """A network as the bytes of an ONNX file, its normalisations folded into the convolutions. It takes any
    number of inputs like `example` (n, ...), by the name `taken`, and its outputs are named `given`."""
    out = io.BytesIO()
    net.eval()
    torch.onnx.export(
        net, (example,), out, opset_version=13, dynamo=False, input_names=[taken], output_names=[*given],
        dynamic_axes={name: {0: "n"} for name in (taken, *given)},
    )  # fmt: skip
    return out.getvalue()


def record_run(out: Path, start: Path | None, run: Mapping[str, float], figures: Mapping[str, float]) -> None:
    """Writes the file beside a network: its runs, those of the weights that it went on from first, and its
    figures."""
    earlier = json.loads(start.with_suffix(".json").read_text())["runs"] if start else []
    about = {"runs": [*earlier, dict(run)], **figures}
    out.with_suffix(".json").write_text(json.dumps(about, indent=1) + "\n")


def choice_figures(
    odds: Sequence[torch.Tensor], targets: Sequence[torch.Tensor], limits: Sequence[float], things: str
) -> dict[str, float]:
    """How well choices are made, by the log odds (n, choices) of several photographs, "none of them" last,
    and the right choices (n,): the share of `things` that are likeliest, how many there are, and for each
    limit the recall and the precision of names that are more probable."""
    likely, best = zip(*(one.softmax(dim=1)[:, :-1].max(dim=1) for one in odds), strict=True)
    there = torch.cat([right < one.shape[1] - 1 for one, right in zip(odds, targets, strict=True)])
    chances, good = torch.cat(likely), torch.cat(best) == torch.cat([*targets])
    known = max(1, int(there.sum()))
    found = {"likeliest": int((good & there).sum()) / known, things: float(there.sum())}
    for limit in limits:
        named = chances > limit
        found[f"recall_{limit}"] = float((named & good).sum()) / known
        found[f"precision_{limit}"] = float((named & good).sum()) / max(1, int(named.sum()))
    return found


def prepare(seed: int) -> np.random.Generator:
    """Sets the threads and both seeds."""
    cv2.setNumThreads(THREADS)
    torch.set_num_threads(THREADS)
    torch.manual_seed(seed)
    return np.random.default_rng(seed)


def batch_tensor(values: np.ndarray) -> torch.Tensor:
    """An input (n, 3, rows, columns) in the order of memory in which convolutions are fast."""
    return torch.from_numpy(values).to(memory_format=torch.channels_last)


class TrainingSchedule:
    """AdamW whose rate rises at first and falls by a cosine to zero at the end of the minutes given, of
    processor time: a busy computer changes nothing. `clip` is the largest norm of a step's gradient."""

    def __init__(
        self, net: nn.Module, rate: float, minutes: float, *, decay: float = 0.02, clip: float = 2.0
    ) -> None:
        self._parameters = list(net.parameters())
        self._optimiser = torch.optim.AdamW(self._parameters, lr=rate, weight_decay=decay)
        self._rate, self._clip = rate, clip
        self._seconds, self._begun = 60.0 * minutes, time.process_time()
        self.steps = 0

    def next_step(self) -> bool:
        """Sets the rate of the next step; False when the time is over."""
        share = (time.process_time() - self._begun) / self._seconds
        rate = self._rate * min(1.0, share / WARM_UP + 0.02) * 0.5 * (1 + math.cos(math.pi * min(share, 1.0)))
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        self.steps += share < 1.0
        return share < 1.0

    @property
    def minutes(self) -> float:
        """Minutes since it began."""
        return (time.process_time() - self._begun) / 60.0

    def learn(self, loss: torch.Tensor) -> None:
        """One step down the loss."""
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self._parameters, self._clip)
        self._optimiser.step()
