"""Trains the column network and writes column_reader.onnx:
`python -m models.vision.column_reader.train COLUMNS --minutes M`.

COLUMNS is the folder of pictures.py, which may still be filling. Needs torch and onnx (pip install
tabletop-companion[train]). The first 300 columns are left out; their figures go to column_reader.json.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import nn

from models.vision.column_reader.network import ColumnReaderNetwork
from models.vision.column_reader.samples import ColumnSample, batch, read_sample, varied
from models.vision.learning import TrainingSchedule, prepare, record_run, training_parser, with_weights

FOLDER = Path(__file__).parent
BATCH, LEFT_OUT = 12, 300
RATE, DECAY, CLIP = 2.5e-3, 1e-2, 20.0
NEAR = 2
"""Places (of ROW_STEP rows) within which an event that is found is the true one."""


def figures_of(model: ColumnReaderNetwork, samples: Sequence[ColumnSample]) -> dict[str, float]:
    """The loss of a column, precision and recall of the places at which cards begin, and the share of columns
    that are whole."""
    model.eval()
    right = found_all = true_all = whole = 0
    loss = 0.0
    with torch.no_grad():
        for sample in samples:
            pictures, truth, _ = batch([sample])
            events = model(pictures)
            loss += nn.functional.binary_cross_entropy_with_logits(events, truth, reduction="sum").item()
            odds = torch.sigmoid(events)[0, 0, :, 0].numpy()
            found, places = peaks(odds), np.flatnonzero(truth[0, 0, :, 0].numpy())
            hits = sum(bool(np.any(np.abs(places - one) <= NEAR)) for one in found)
            right, found_all, true_all = right + hits, found_all + len(found), true_all + len(places)
            whole += hits == len(found) == len(places)
    model.train()
    return {
        "loss": round(loss / len(samples), 4),
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
    parser = training_parser(__doc__, 40.0)
    parser.add_argument("columns", type=Path)
    parser.add_argument("--out", type=Path, default=FOLDER / "column_reader.onnx")
    parser.add_argument("--rate", type=float, default=RATE)
    given = parser.parse_args()
    rng, model = prepare(given.seed), ColumnReaderNetwork()
    with_weights(model, given.start)
    schedule = TrainingSchedule(model, given.rate, given.minutes, decay=DECAY, clip=CLIP)
    samples: list[ColumnSample] = []
    known: set[Path] = set()
    mean = 1.0
    while schedule.next_step():
        if schedule.steps % 100 == 1:
            files = [file for file in sorted(given.columns.glob("*.json"))[LEFT_OUT:] if file not in known]
            samples += [read_sample(file) for file in files]
            known.update(files)
            samples_by_length = np.argsort([sample.places for sample in samples], kind="stable")
        first = int(rng.integers(0, max(1, len(samples) - 4 * BATCH)))
        picks = samples_by_length[first : first + 4 * BATCH]
        chosen = [varied(samples[int(i)], rng) for i in rng.permutation(picks)[:BATCH]]
        pictures, truth, counted = batch(chosen)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            found = model(pictures)
        each = nn.functional.binary_cross_entropy_with_logits(found.float(), truth, reduction="none")
        loss = (each * counted).sum() / BATCH
        schedule.learn(loss)
        mean = 0.98 * mean + 0.02 * loss.item()
        if schedule.steps % 100 == 0:
            print(f"{schedule.minutes:.1f} min, step {schedule.steps}, loss {mean:.3f}", flush=True)
        if schedule.steps % 1000 == 0:
            print(_written(model, given), flush=True)
    figures = _written(model, given)
    print(figures)
    run = {
        "seed": given.seed,
        "minutes": given.minutes,
        "steps": schedule.steps,
        "batch": BATCH,
        "columns": len(samples),
    }
    record_run(given.out, given.start, run, figures)


def _written(model: ColumnReaderNetwork, given: argparse.Namespace) -> dict[str, float]:
    """Writes the network and its weights; its figures."""
    torch.save(model.state_dict(), given.out.with_suffix(".pt"))
    export(model, given.out)
    left_out = [read_sample(file) for file in sorted(given.columns.glob("*.json"))[:LEFT_OUT]]
    return figures_of(model, left_out)


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
