"""The files of samples that a network learns from: which of them a command makes, and reading them while more
are still made."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import cv2
import numpy as np

LEFT_OUT = "_left_out"
"""Ends the name of the folder of samples of decks that nothing is trained on."""


@dataclass(frozen=True)
class SampleRun:
    """What a command is asked for: samples of these `numbers` in a `folder` below `work`."""

    work: Path
    folder: Path
    numbers: range
    left_out: bool


def sample_run(words: str | None, kind: str) -> SampleRun:
    """The options of every command that makes samples, of that `kind`; the folder is made."""
    parser = argparse.ArgumentParser(description=words, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--left-out", action="store_true")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    folder = options.work / (kind + LEFT_OUT if options.left_out else kind)
    folder.mkdir(exist_ok=True)
    numbers = range(options.first, options.first + options.count)
    return SampleRun(options.work, folder, numbers, options.left_out)


Sample = TypeVar("Sample")


class SampleFiles(Generic[Sample]):
    """The samples of a kind in a folder, each read once."""

    def __init__(self, work: Path, kind: str, read: Callable[[Path], Sample]) -> None:
        self._folder, self._read = work / kind, read
        self._known: dict[Path, Sample] = {}
        self._files: list[Path] = []
        self.left_out = [read(file) for file in sorted((work / (kind + LEFT_OUT)).glob("*.npz"))]
        """Those of decks that nothing is trained on."""

    def look_again(self) -> None:
        """Takes in what has been made meanwhile, but for the last file, which may not be whole."""
        self._files = sorted(self._folder.glob("*.npz"))[:-1]

    def drawn(self, count: int, rng: np.random.Generator) -> list[Sample]:
        """So many of those to learn from."""
        return [self._sample(self._files[int(at)]) for at in rng.integers(len(self._files), size=count)]

    def _sample(self, file: Path) -> Sample:
        if file not in self._known:
            self._known[file] = self._read(file)
        return self._known[file]
