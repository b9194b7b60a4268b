"""Trains the locator.

python -m models.vision.namer.locator --work DIR [--minutes M] [--seed S] [--start WEIGHTS]
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from companion.vision.namer.network import as_input
from models.vision.learning import (
    TrainingSchedule,
    batch_tensor,
    prepare,
    training_parser,
    with_weights,
)
from models.vision.namer.networks import LocatorNetwork

BATCH = 32
RATE = 2e-3
CORNER_WEIGHT = 2.0


class LabelledScenes:
    """Pictures with what is true of them, mirrored and turned as they are drawn."""

    def __init__(self, files: Sequence[Path]) -> None:
        self.files = tuple(files)
        parts: dict[str, list[np.ndarray]] = {"pictures": [], "visible": [], "quads": [], "inside": []}
        for file in files:
            with np.load(file) as arrays:
                for name, found in parts.items():
                    found.append(arrays[name])
        self.pictures, self.visible, self.quads, self.inside = (np.concatenate(one) for one in parts.values())

    @staticmethod
    def written(work: Path) -> LabelledScenes:
        """All that have been written so far."""
        return LabelledScenes(sorted(work.glob("scenes_0*.npz")))

    def draw(self, rng: np.random.Generator, count: int) -> tuple[torch.Tensor, ...]:
        """Input, visible (n, 16, 16), quads (n, 16, 16, 4, 2), inside (n, 16, 16)."""
        pick = rng.integers(len(self.pictures), size=count)
        return self.at(pick, *rng.random(3) < (0.5, 0.2, 0.2))

    def at(
        self, pick: np.ndarray, across: bool = False, down: bool = False, swap: bool = False
    ) -> tuple[torch.Tensor, ...]:
        """The scenes of these indices, mirrored across, mirrored down, rows and columns exchanged."""
        pictures, visible, inside = self.pictures[pick], self.visible[pick], self.inside[pick]
        quads = self.quads[pick].astype(np.float32).reshape(len(pick), *visible.shape[1:], 4, 2)
        planes = [pictures, visible, inside, quads]
        if across:
            planes = [plane[:, :, ::-1] for plane in planes]
            planes[3] = planes[3][..., [1, 0, 3, 2], :] * (-1, 1)
        if down:
            planes = [plane[:, ::-1] for plane in planes]
            planes[3] = planes[3][..., [3, 2, 1, 0], :] * (1, -1)
        if swap:
            planes = [plane.swapaxes(1, 2) for plane in planes]
            planes[3] = planes[3][..., [0, 3, 2, 1], :][..., ::-1]
        return (
            batch_tensor(as_input(planes[0])),
            torch.from_numpy(planes[1].astype(np.float32)),
            torch.from_numpy(planes[3].astype(np.float32)),
            torch.from_numpy(np.ascontiguousarray(planes[2])),
        )


def losses(
    answer: torch.Tensor, visible: torch.Tensor, quads: torch.Tensor, inside: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Loss of what shows a card, and of corners in card sizes (a quad may be given either end up)."""
    answer = answer.float()
    seen = functional.binary_cross_entropy_with_logits(answer[:, 0], visible)
    given = answer[:, 1:].permute(0, 2, 3, 1).reshape(*quads.shape)[inside]
    wanted = quads[inside]
    size = torch.sqrt(((wanted[:, 0] - wanted[:, 2]) ** 2).sum(dim=1) + 1e-4)[:, None, None]
    errors = torch.stack(
        [((given - other) / size).abs().mean(dim=(1, 2)) for other in (wanted, wanted[:, [2, 3, 0, 1]])]
    )
    return seen, errors.min(dim=0).values.mean()


def main() -> None:
    parser = training_parser(__doc__, 20.0)
    parser.add_argument("--work", type=Path, required=True)
    options = parser.parse_args()
    rng = prepare(options.seed)
    scenes, left = LabelledScenes.written(options.work), LabelledScenes([options.work / "scenes_left.npz"])
    net = LocatorNetwork()
    with_weights(net, options.start)
    schedule = TrainingSchedule(net, RATE, options.minutes)
    sums, reported, steps = np.zeros(2), time.monotonic(), 0
    while schedule.next_step():
        picture, *wanted = scenes.draw(rng, BATCH)
        with torch.autocast("cpu", torch.bfloat16):
            answer = net(picture)
        seen, corners = losses(answer, *wanted)
        schedule.learn(seen + CORNER_WEIGHT * corners)
        sums += (seen.item(), corners.item())
        steps += 1
        if time.monotonic() - reported > 60:
            net.eval()
            with torch.no_grad():
                picture, *wanted = left.at(np.arange(0, 500, 5))
                other = [part.item() for part in losses(net(picture), *wanted)]
            net.train()
            print(f"{schedule.steps} steps: {sums / steps} left out {other}", flush=True)
            torch.save(net.state_dict(), options.work / "locator.pt")
            sums, reported, steps = np.zeros(2), time.monotonic(), 0
            if len(list(options.work.glob("scenes_0*.npz"))) > len(scenes.files):
                scenes = LabelledScenes.written(options.work)
    torch.save(net.state_dict(), options.work / "locator.pt")


if __name__ == "__main__":
    main()
