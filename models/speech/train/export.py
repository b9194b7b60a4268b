"""Writes a trained network as a model folder for Vosk."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from models.speech.train import graph, kaldi
from models.speech.train.kaldi import AffineLayer
from models.speech.train.words import UNKNOWN, pdf_table


def write_folder(folder: Path, layers: list[AffineLayer], priors: np.ndarray, costs: graph.Costs) -> None:
    """Writes am/, conf/ and graph/ under `folder`.

    Args:
        layers: of the acoustic model.
        priors: [pdfs] share of frames with each acoustic state in training.
    """
    book = graph.write(folder, costs)
    softened = np.maximum(priors, 1e-5) ** costs.prior_power
    softened[pdf_table()[UNKNOWN][0]] *= np.exp(-costs.lift)
    kaldi.write_model(folder / "am/final.mdl", layers, book.pdfs, book.loops, softened / softened.sum())
