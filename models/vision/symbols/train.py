"""Trains the symbol network and writes symbols.onnx.

    python -m models.vision.symbols.train --work DIR [--minutes M] [--seed S] [--start WEIGHTS] [--out ONNX]

DIR/symbols and DIR/symbols_left_out are filled by samples.py. Each step takes one photograph: what is seen at
its places is compared with all symbols of its deck, and "none of them" is among the choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from companion.vision.image.picture import Array, Bytes
from companion.vision.symbols.learn import unpack_looks
from models.vision.learning import (
    TrainingSchedule,
    choice_figures,
    onnx_bytes,
    prepare,
    record_run,
    training_parser,
    with_weights,
)
from models.vision.sample_files import SampleFiles
from models.vision.symbols.network import SymbolChoice, padded
from models.vision.symbols.samples import NO_SYMBOL

FOLDER = Path(__file__).parent
RATE = 3e-3
PLACES = 96
"""Places of a step."""
OFF = 0.35
"""Share of the steps in which what is seen is a little aside of where it was found."""
HALVED = 0.3
"""Share of the steps that know half of a deck."""
REPORT_STEPS = 200
LIMITS = (0.5, 0.9)


@dataclass(frozen=True, eq=False)
class TrainingPhotograph:
    """A file of samples.py."""

    looks: Bytes
    views: Bytes
    shown: Array

    @staticmethod
    def read(file: Path) -> TrainingPhotograph:
        """That file."""
        with np.load(file) as found:
            return TrainingPhotograph(found["looks"], found["views"], found["shown"])


def tensor(values: Bytes) -> torch.Tensor:
    """Views from bytes (n, VALUES) as the network sees them."""
    return padded(torch.from_numpy(unpack_looks(values)))


def loss_of(net: SymbolChoice, one: TrainingPhotograph, rng: np.random.Generator) -> torch.Tensor:
    """Of one photograph; where half of the deck is left out, its symbols are none of them."""
    count = len(one.looks) // 2 if rng.random() < HALVED else len(one.looks)
    kept = np.sort(rng.permutation(len(one.looks))[:count])
    at = rng.permutation(len(one.shown))[:PLACES]
    places = np.arange(len(kept))
    number = np.full(len(one.looks) + 1, len(kept))
    number[kept] = places
    target = torch.from_numpy(number[one.shown[at]])  # NO_SYMBOL is the last
    which = int(rng.random() < OFF)
    odds = net(tensor(one.views[at, which]), tensor(one.looks[kept]))
    return functional.cross_entropy(functional.pad(odds, (0, 1)), target)


def figures(net: SymbolChoice, photographs: Sequence[TrainingPhotograph]) -> dict[str, float]:
    """On photographs of decks left out: the loss, the share of symbols that are likeliest, and for each of
    LIMITS the recall and the precision of names that are more probable."""
    net.eval()
    with torch.no_grad():
        odds = [
            functional.pad(net(tensor(one.views[:, 0]), tensor(one.looks)), (0, 1)) for one in photographs
        ]
    net.train()
    targets = [
        torch.from_numpy(np.where(one.shown == NO_SYMBOL, len(one.looks), one.shown)) for one in photographs
    ]
    losses = [float(functional.cross_entropy(*one)) for one in zip(odds, targets, strict=True)]
    found = {"loss": float(np.mean(losses))} | choice_figures(odds, targets, LIMITS, "symbols")
    return {name: round(value, 4) for name, value in found.items()}


def main() -> None:
    """The command."""
    parser = training_parser(__doc__, 30.0)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=FOLDER / "symbols.onnx")
    options = parser.parse_args()
    rng = prepare(options.seed)
    net = SymbolChoice()
    with_weights(net, options.start)
    samples = SampleFiles(options.work, "symbols", TrainingPhotograph.read)
    left_out = samples.left_out
    schedule = TrainingSchedule(net, RATE, options.minutes)
    while schedule.next_step():
        if schedule.steps % REPORT_STEPS == 1:
            samples.look_again()
            print(f"{schedule.minutes:.1f} min, {schedule.steps} steps", figures(net, left_out), flush=True)
        (one,) = samples.drawn(1, rng)
        schedule.learn(loss_of(net, one, rng))
    found = figures(net, left_out)
    print(found)
    out: Path = options.out
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    example = tensor(left_out[0].looks[:2])
    out.write_bytes(onnx_bytes(net.features, example, "views", ["features"]))
    run = {"minutes": options.minutes, "seed": options.seed, "steps": schedule.steps}
    weights = {"by_fit": round(float(net.by_fit), 3), "least": round(float(net.least), 4)}
    record_run(out, options.start, run, weights | found)


if __name__ == "__main__":
    main()
