"""Trains the card finder and writes finder.onnx: `python -m models.vision.finder.train PICTURES --minutes M`.

PICTURES is the folder of pictures.py. Needs torch and onnx (pip install tabletop-companion[train]); one core
sees about 15 crops a second. The last 200 pictures are left out; their figures go to finder.json.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from models.vision.finder.network import FinderNetwork
from models.vision.finder.scenes import HEIGHT
from models.vision.learning import TrainingSchedule, prepare, record_run, training_parser, with_weights

FOLDER = Path(__file__).parent
CROP, BATCH = 192, 16
RATE, DECAY = 3e-3, 1e-4
SHRUNK = (0.56, 0.84)
"""Sizes to which pictures are shrunk: cards are 15 to 63 pixels wide then."""
EDGE_SHARE = 0.3
"""Share of a pixel of a map taken up by an edge line that makes it an edge."""
EDGE_WEIGHT = 3.0
LEFT_OUT = 200
MOST_READ = 1000
"""Pictures read at a time while others are still being made."""


@dataclass(frozen=True)
class Sample:
    """A picture (h, w, 3) and its two maps at half the size (h / 2, w / 2, 2), uint8."""

    picture: np.ndarray
    maps: np.ndarray


def read(file: Path, size: float) -> Sample:
    """A picture of pictures.py, shrunk."""
    both = cv2.imread(str(file))
    assert both is not None
    height, width = (int(n * size) // 32 * 32 for n in (HEIGHT, both.shape[1]))
    picture = cv2.resize(both[:HEIGHT], (width, height), interpolation=cv2.INTER_AREA)
    maps = cv2.resize(both[HEIGHT:, :, :2], (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    maps[..., 1] = np.clip(maps[..., 1] / EDGE_SHARE, 0, 255).astype(np.uint8)
    return Sample(picture, maps)


def crop(sample: Sample, rng: np.random.Generator) -> Sample:
    """A crop, turned and mirrored at random."""
    top, left = (2 * int(rng.integers(0, (n - CROP) // 2 + 1)) for n in sample.picture.shape[:2])
    picture = sample.picture[top : top + CROP, left : left + CROP]
    maps = sample.maps[top // 2 : (top + CROP) // 2, left // 2 : (left + CROP) // 2]
    turns = int(rng.integers(4))
    picture, maps = np.rot90(picture, turns), np.rot90(maps, turns)
    return Sample(picture[:, ::-1], maps[:, ::-1]) if rng.random() < 0.5 else Sample(picture, maps)


def batch(samples: Sequence[Sample]) -> tuple[torch.Tensor, torch.Tensor]:
    """Pictures (n, 3, h, w) and maps (n, 2, h / 2, w / 2), 0 to 1."""
    pictures = np.stack([sample.picture.transpose(2, 0, 1) for sample in samples])
    maps = np.stack([sample.maps.transpose(2, 0, 1) for sample in samples])
    return torch.from_numpy(pictures).float() / 255, torch.from_numpy(maps).float() / 255


def loss_of(found: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    """Cross entropy of both maps; edges are rare and count more."""
    weight = torch.ones_like(truth)
    weight[:, 1] += EDGE_WEIGHT * truth[:, 1]
    return nn.functional.binary_cross_entropy_with_logits(found, truth, weight)


def figures(model: FinderNetwork, files: list[Path]) -> dict[str, float]:
    """Intersection over union of cards, and precision and recall of edges, on pictures left out."""
    model.eval()
    shared = joined = right = found_edges = recalled = edges = 0
    with torch.no_grad():
        for file in files:
            pictures, maps = batch([read(file, float(np.mean(SHRUNK)))])
            found = model(pictures)[0].numpy() > 0
            card, edge = maps[0].numpy() > 0.5
            shared, joined = shared + int((found[0] & card).sum()), joined + int((found[0] | card).sum())
            right, found_edges = (
                right + int((found[1] & _wider(edge)).sum()),
                found_edges + int(found[1].sum()),
            )
            recalled, edges = recalled + int((_wider(found[1]) & edge).sum()), edges + int(edge.sum())
    model.train()
    return {
        "card_iou": round(shared / max(1, joined), 4),
        "edge_precision": round(right / max(1, found_edges), 4),
        "edge_recall": round(recalled / max(1, edges), 4),
    }


def _wider(mask: np.ndarray) -> np.ndarray:
    """The mask and the pixels beside it."""
    return cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0


def main() -> None:
    """The command."""
    parser = training_parser(__doc__, 40.0)
    parser.add_argument("pictures", type=Path)
    parser.add_argument("--out", type=Path, default=FOLDER / "finder.onnx")
    given = parser.parse_args()
    rng, model = prepare(given.seed), FinderNetwork()
    with_weights(model, given.start)
    schedule = TrainingSchedule(model, RATE, given.minutes, decay=DECAY)
    samples: list[Sample] = []
    mean = 1.0
    while schedule.next_step():
        if schedule.steps % 100 == 1:
            files = sorted(given.pictures.glob("*.png"))[LEFT_OUT:-1]
            samples += [read(file, float(rng.uniform(*SHRUNK))) for file in files[len(samples) :][:MOST_READ]]
        pictures, truth = batch([crop(samples[int(i)], rng) for i in rng.integers(0, len(samples), BATCH)])
        with torch.autocast("cpu", dtype=torch.bfloat16):
            found = model(pictures.to(memory_format=torch.channels_last))
        loss = loss_of(found.float(), truth)
        schedule.learn(loss)
        mean = 0.98 * mean + 0.02 * loss.item()
        if schedule.steps % 50 == 0:
            print(f"{schedule.minutes:.1f} min, step {schedule.steps}, loss {mean:.4f}", flush=True)
        if schedule.steps % 400 == 0:
            torch.save(model.state_dict(), given.out.with_suffix(".pt"))
    held = sorted(given.pictures.glob("*.png"))[:LEFT_OUT]
    shown = figures(model, held)
    print(shown)
    torch.save(model.state_dict(), given.out.with_suffix(".pt"))
    export(model, given.out)
    run = {
        "seed": given.seed,
        "minutes": given.minutes,
        "steps": schedule.steps,
        "batch": BATCH,
        "pictures": len(samples),
    }
    record_run(given.out, given.start, run, shown)


def export(model: FinderNetwork, out: Path) -> None:
    """Writes the network for OpenCV."""
    model = model.to(memory_format=torch.contiguous_format).eval()
    torch.onnx.export(
        model, (torch.zeros(1, 3, 384, 512),), str(out), input_names=["picture"], output_names=["maps"],
        dynamic_axes={"picture": {2: "h", 3: "w"}, "maps": {2: "h2", 3: "w2"}}, opset_version=13,
        dynamo=False,
    )  # fmt: skip


if __name__ == "__main__":
    main()
