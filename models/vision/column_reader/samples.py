"""Columns as the column network learns them: read from a folder, varied at random, made batches."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch

from companion.vision.display.column_network import CARD_ROWS, CARD_WIDTH, ROW_STEP, SIDE
from companion.vision.image.picture import Bytes, Floats
from models.vision.column_reader.network import EVENTS
from models.vision.finder.grounds import Rng

CUT_SHORT = 0.4
"""Share of columns whose covered end is shown nearer to the edge of the picture than it was."""
SHIFT, SCALE, SHEAR = (0.05, 0.12), (0.04, 0.03), 0.015
"""Deviations of the place and the size of a column, across and along it (card widths, shares), and of its
slope."""
MIX, GAIN, GAMMA = 0.07, 0.13, 0.2
"""Deviations of a random mixture of the colours, of the light, and of the logarithm of its exponent."""
PERMUTED, BLURRED, NOISY, HIDDEN = 0.3, 0.25, 0.3, 0.2
"""Shares of columns with exchanged colours, out of focus, with noise, and with spots that hide something."""


@dataclass(frozen=True, eq=False)
class ColumnSample:
    """A picture (rows, 128, 3) and its truth: the rows at which cards begin and at which the open card
    ends."""

    picture: Bytes
    starts: tuple[float, ...]
    ends: tuple[float, ...]

    @property
    def places(self) -> int:
        """Its length in places of the network."""
        return len(self.picture) // ROW_STEP

    @property
    def truth(self) -> Floats:
        """1 at the places (EVENTS, places) of events."""
        truth = np.zeros((EVENTS, self.places), np.float32)
        for event, rows in enumerate((self.starts, self.ends)):
            for row in rows:
                if 0 <= row < len(self.picture):
                    truth[event, min(int(row / ROW_STEP), self.places - 1)] = 1.0
        return truth

    def below(self, row: int) -> ColumnSample:
        """The column without the rows above that one, a multiple of ROW_STEP."""
        starts, ends = (tuple(one - row for one in rows) for rows in (self.starts, self.ends))
        return ColumnSample(self.picture[row:], starts, ends)


def read_sample(file: Path) -> ColumnSample:
    """A column of pictures.py, by its truth's file."""
    picture = cv2.imread(str(file.with_suffix(".png")))
    assert picture is not None
    about = json.loads(file.read_text())
    ends = () if about["end"] is None else (float(about["end"]),)
    return ColumnSample(np.asarray(picture, np.uint8), tuple(about["starts"]), ends)


def varied(sample: ColumnSample, rng: Rng) -> ColumnSample:
    """The column cut short, moved, mirrored, lit and coloured otherwise, less sharp, partly hidden: each at
    random."""
    sample = _moved(_cut_short(sample, rng), rng)
    picture = sample.picture[:, ::-1] if rng.random() < 0.5 else sample.picture
    if rng.random() < PERMUTED:
        picture = picture[..., rng.permutation(3)]
    mixture = (np.eye(3) + rng.normal(0, MIX, (3, 3))) * np.exp(rng.normal(0, GAIN))
    exponent = float(np.exp(rng.normal(0, GAMMA)))
    light = (np.arange(256, dtype=np.float32) / 255.0) ** exponent * 255.0
    made = cv2.transform(light[picture], mixture.astype(np.float32))
    for _ in range(int(rng.integers(1, 4)) if rng.random() < HIDDEN else 0):
        _hide(made, rng)
    if rng.random() < BLURRED:
        made = cv2.GaussianBlur(made, (0, 0), float(rng.uniform(0.5, 1.4)))
    if rng.random() < NOISY:
        made += rng.standard_normal(made.shape, np.float32) * float(rng.uniform(2, 9))
    return ColumnSample(np.clip(made, 0, 255).astype(np.uint8), sample.starts, sample.ends)


def _cut_short(sample: ColumnSample, rng: Rng) -> ColumnSample:
    """At times the column as if its covered end had not been found: less is shown beyond it."""
    first = int(min(sample.starts, default=0)) // ROW_STEP
    if first < 2 or rng.random() > CUT_SHORT:
        return sample
    return sample.below(int(rng.integers(0, first)) * ROW_STEP)


def _moved(sample: ColumnSample, rng: Rng) -> ColumnSample:
    """The column a little elsewhere in its picture, larger or smaller, and turned."""
    wide, long = np.exp(rng.normal(0, SCALE))
    aside, along = rng.normal(0, SHIFT) * CARD_WIDTH
    shear = float(rng.normal(0, SHEAR))
    middle, height = SIDE + CARD_WIDTH / 2, len(sample.picture)
    # x' = middle + aside + wide (x - middle) + shear (y - height / 2); y' = along + long y
    matrix = np.array(
        [[wide, shear, middle + aside - wide * middle - shear * height / 2], [0.0, long, along]], np.float32
    )
    size = (sample.picture.shape[1], height)
    made = cv2.warpAffine(sample.picture, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    starts, ends = (tuple(along + long * one for one in rows) for rows in (sample.starts, sample.ends))
    return ColumnSample(np.asarray(made, np.uint8), starts, ends)


def _hide(made: Floats, rng: Rng) -> None:
    """A spot of glare, or a thing of one colour; in place."""
    height, width = made.shape[:2]
    axes = rng.uniform(0.05, 0.3, 2) * CARD_ROWS
    at = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
    mask = np.zeros((height, width), np.float32)
    turn = float(rng.uniform(0, 180))
    cv2.ellipse(mask, at, (int(axes[0]), int(axes[1])), turn, 0, 360, float(rng.uniform(0.4, 1)), -1)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(1, 14))), np.float32)
    colour = rng.uniform(220, 255, 3) if rng.random() < 0.6 else rng.uniform(0, 255, 3)
    made += mask[..., None] * (colour.astype(np.float32) - made)


def batch(samples: Sequence[ColumnSample]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Pictures (n, 3, rows, 128), truth (n, EVENTS, rows / ROW_STEP, 1) and which places count."""
    most = max(sample.places for sample in samples)
    pictures, truths, counted = [], [], []
    for sample in samples:
        more = most - sample.places
        picture = np.pad(sample.picture, ((0, more * ROW_STEP), (0, 0), (0, 0)), "edge")
        pictures.append(picture.transpose(2, 0, 1))
        truths.append(np.pad(sample.truth, ((0, 0), (0, more)))[..., None])
        counted.append(np.arange(most)[None, :, None] < sample.places)
    arrays = (np.stack(pictures).astype(np.float32) / 255.0, np.stack(truths), np.stack(counted))
    tensors = [torch.from_numpy(np.ascontiguousarray(one, np.float32)) for one in arrays]
    return tensors[0].contiguous(memory_format=torch.channels_last), tensors[1], tensors[2]
