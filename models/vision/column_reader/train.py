"""Trains the column network and writes column_reader.onnx:
`python -m models.vision.column_reader.train COLUMNS --minutes M`.

COLUMNS is the folder of pictures.py, which may still be filling. Needs torch and onnx (pip install
tabletop-companion[train]). The first 300 columns are left out; their figures go to column_reader.json.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from companion.vision.display.column_network import ROW_STEP
from models.vision.column_reader.network import EVENTS, ColumnReaderNetwork

FOLDER = Path(__file__).parent
BATCH, LEFT_OUT = 12, 300
RATE = 2.5e-3
CUT_SHORT = 0.4
"""Share of columns whose covered end is shown nearer to the edge of the picture than it was."""
NEAR = 2
"""Places (of ROW_STEP rows) within which an event that is found is the true one."""


@dataclass(frozen=True, eq=False)
class ColumnSample:
    """A picture (rows, 128, 3) and its truth: 1 where a card begins and where the open card ends
    (EVENTS, rows / ROW_STEP)."""

    picture: np.ndarray
    truth: np.ndarray

    @property
    def places(self) -> int:
        """Its length."""
        return int(self.truth.shape[1])

    def without(self, above: int) -> ColumnSample:
        """The column without so many places at its covered end."""
        return ColumnSample(self.picture[above * ROW_STEP :], self.truth[:, above:])


def read(file: Path) -> ColumnSample:
    """A column of pictures.py, by its truth's file."""
    picture = cv2.imread(str(file.with_suffix(".png")))
    assert picture is not None
    about = json.loads(file.read_text())
    truth = np.zeros((EVENTS, len(picture) // ROW_STEP), np.float32)
    for event, places in enumerate((about["starts"], [] if about["end"] is None else [about["end"]])):
        for row in places:
            at = int(row / ROW_STEP)
            if 0 <= at < truth.shape[1]:
                truth[event, at] = 1.0
    return ColumnSample(picture, truth)


def batch(samples: Sequence[ColumnSample], rng: np.random.Generator | None) -> tuple[torch.Tensor, ...]:
    """Pictures (n, 3, rows, 128), truth (n, EVENTS, rows / 4, 1) and which places count; with a generator
    mirrored and in other colours at random."""
    if rng is not None:
        samples = [cut_short(sample, rng) for sample in samples]
    most = max(sample.places for sample in samples)
    pictures, truths, counted = [], [], []
    for sample in samples:
        more = most - sample.places
        picture = sample.picture if rng is None else varied(sample.picture, rng)
        pictures.append(np.pad(picture, ((0, more * ROW_STEP), (0, 0), (0, 0)), "edge").transpose(2, 0, 1))
        truths.append(np.pad(sample.truth, ((0, 0), (0, more)))[..., None])
        counted.append(np.arange(most)[None, :, None] < sample.places)
    arrays = (np.stack(pictures).astype(np.float32) / 255.0, np.stack(truths), np.stack(counted))
    tensors = [torch.from_numpy(np.ascontiguousarray(one, np.float32)) for one in arrays]
    return tensors[0].contiguous(memory_format=torch.channels_last), tensors[1], tensors[2]


def cut_short(sample: ColumnSample, rng: np.random.Generator) -> ColumnSample:
    """At times the column as if its covered end had not been found: less is shown beyond it."""
    first = np.flatnonzero(sample.truth[0])
    if len(first) == 0 or first[0] < 2 or rng.random() > CUT_SHORT:
        return sample
    return sample.without(int(rng.integers(0, first[0])))


def varied(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The picture mirrored, with other colours, or lit otherwise."""
    if rng.random() < 0.5:
        picture = picture[:, ::-1]
    if rng.random() < 0.3:
        picture = picture[..., rng.permutation(3)]
    gain = np.exp(rng.normal(0, 0.12) + rng.normal(0, 0.05, 3))
    return np.clip(picture * gain, 0, 255)


def figures(model: ColumnReaderNetwork, samples: Sequence[ColumnSample]) -> dict[str, float]:
    """Precision and recall of the places at which cards begin, and the share of columns that are whole."""
    model.eval()
    right = found_all = true_all = whole = 0
    with torch.no_grad():
        for sample in samples:
            pictures, truth, _ = batch([sample], None)
            odds = torch.sigmoid(model(pictures))[0, 0, :, 0].numpy()
            found, places = peaks(odds), np.flatnonzero(truth[0, 0, :, 0].numpy())
            hits = sum(bool(np.any(np.abs(places - one) <= NEAR)) for one in found)
            right, found_all, true_all = right + hits, found_all + len(found), true_all + len(places)
            whole += hits == len(found) == len(places)
    model.train()
    return {
        "precision": round(right / max(1, found_all), 4),
        "recall": round(right / max(1, true_all), 4),
        "whole": round(whole / len(samples), 4),
    }


def peaks(likely: np.ndarray) -> list[int]:
    """Places at which an event is likelier than not, the places round it together."""
    found, left = [], likely.copy()
    while float(left.max()) > 0.1:
        at = int(left.argmax())
        around = slice(max(0, at - NEAR), at + NEAR + 1)
        if float(left[around].sum()) > 0.5:
            found.append(at)
        left[around] = 0
    return sorted(found)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("columns", type=Path)
    parser.add_argument("--minutes", type=float, default=40.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=FOLDER / "column_reader.onnx")
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--start", type=Path, help="weights (.pt) to go on from")
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(given.seed)
    model = ColumnReaderNetwork()
    if given.start:
        model.load_state_dict(torch.load(given.start))
    model = model.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(model.parameters(), lr=given.rate, weight_decay=1e-3)
    samples: list[ColumnSample] = []
    begun, step, mean = time.time(), 0, 1.0
    while (share := (time.time() - begun) / 60 / given.minutes) < 1.0:
        if step % 100 == 0:
            files = sorted(given.columns.glob("*.json"))[LEFT_OUT:-1]
            samples += [read(file) for file in files[len(samples) :]]
            samples_by_length = np.argsort([sample.places for sample in samples], kind="stable")
        falling = 0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * share))
        for group in optimiser.param_groups:
            group["lr"] = given.rate * min(1.0, (step + 1) / 100) * falling
        first = int(rng.integers(0, max(1, len(samples) - 4 * BATCH)))
        picks = samples_by_length[first : first + 4 * BATCH]
        chosen = [samples[int(i)] for i in rng.permutation(picks)[:BATCH]]
        pictures, truth, counted = batch(chosen, rng)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            found = model(pictures)
        each = nn.functional.binary_cross_entropy_with_logits(found.float(), truth, reduction="none")
        loss = (each * counted).sum() / BATCH
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 20.0)
        optimiser.step()
        step += 1
        mean = 0.98 * mean + 0.02 * loss.item()
        if step % 100 == 0:
            print(f"{(time.time() - begun) / 60:.1f} min, step {step}, loss {mean:.3f}", flush=True)
        if step % 500 == 0:
            torch.save(model.state_dict(), given.out.with_suffix(".pt"))
            left_out = [read(file) for file in sorted(given.columns.glob("*.json"))[:LEFT_OUT]]
            print(figures(model, left_out), flush=True)
            export(model, given.out)
    left_out = [read(file) for file in sorted(given.columns.glob("*.json"))[:LEFT_OUT]]
    shown = figures(model, left_out)
    print(shown)
    torch.save(model.state_dict(), given.out.with_suffix(".pt"))
    export(model, given.out)
    earlier = json.loads(given.start.with_suffix(".json").read_text())["runs"] if given.start else []
    run = {
        "seed": given.seed,
        "minutes": given.minutes,
        "steps": step,
        "batch": BATCH,
        "columns": len(samples),
    }
    given.out.with_suffix(".json").write_text(json.dumps({"runs": [*earlier, run], **shown}, indent=1) + "\n")


def export(model: ColumnReaderNetwork, out: Path) -> None:
    """Writes the network for OpenCV."""
    model.eval()
    copy = ColumnReaderNetwork()
    copy.load_state_dict(model.state_dict())
    torch.onnx.export(
        copy.eval(), (torch.zeros(1, 3, 384, 128),), str(out), input_names=["picture"],
        output_names=["events"], dynamic_axes={"picture": {2: "rows"}, "events": {2: "places"}},
        opset_version=13, dynamo=False,
    )  # fmt: skip
    model.train()


if __name__ == "__main__":
    main()
