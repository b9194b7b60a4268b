"""Trains the verifier of a model folder (companion/speech/model/verifier.py).

The network is the pretrained embedding, and a small network over three neighbouring outputs of it. The later
half of the embedding is fine-tuned. The streams are made like those of the acoustic model, but with the
spectra that the embedding was trained on.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import nn

from companion.speech.model import verifier
from models.speech.train.augment import Augment
from models.speech.train.embedding import SIZE, Embedding
from models.speech.train.learning import learn
from models.speech.train.streams import Streams
from models.speech.train.targets import STRIDE, WORDS, targets

FROZEN = 7
"""So many convolutions of the embedding, from the input on, keep their weights."""
WIDTH = 160
"""Units of each layer behind the embedding."""
NO_WORD_WEIGHT = 0.35
"""Weight, in the loss, of an output without a word; one with a word has 1."""
EMBEDDING_RATE, HEAD_RATE = 5e-4, 3e-3
"""Highest learning rates: of the embedding, and of the layers behind it."""


def analysed(sound: np.ndarray) -> np.ndarray:
    """Natural logarithm of the mel bands [frames, 32] of float32 sound within +-1 at 16 kHz.

    The frames have the same centres as the features of the acoustic model.
    """
    margin = (verifier.WINDOW - verifier.FRAME) // 2
    samples = np.rint(np.pad(sound, margin) * 32768).astype(np.int16)
    return (verifier.spectra(samples) - 2) * np.float32(np.log(10))


def centres() -> np.ndarray:
    """[32] Centre frequency of each band in hertz."""
    hertz = np.arange(verifier.WINDOW // 2 + 1)[:, None] * verifier.RATE / verifier.WINDOW
    return (verifier.filters() * hertz).sum(axis=0) / verifier.filters().sum(axis=0)


class Verifying(nn.Module):
    """Spectra [batch, 1, frames, 32] to logits [batch, outputs, words + 1].

    One output each 80 ms; each 40 ms if the embedding is dense.
    """

    def __init__(self, embedding: Embedding, mean: torch.Tensor, spread: torch.Tensor) -> None:
        super().__init__()
        self.embedding = embedding
        self.register_buffer("mean", mean.view(1, SIZE, 1))
        self.register_buffer("spread", spread.view(1, SIZE, 1))
        self.about = nn.Conv1d(SIZE, WIDTH, 3, padding=1)
        self.between = nn.Conv1d(WIDTH, WIDTH, 1)
        self.last = nn.Conv1d(WIDTH, len(WORDS) + 1, 1)
        self.norms = nn.ModuleList(nn.BatchNorm1d(WIDTH) for _ in range(2))
        self.drops = nn.ModuleList(nn.Dropout(share) for share in (0.1, 0.3, 0.3))

    def forward(self, spectra: torch.Tensor) -> torch.Tensor:
        x = (self.embedding(spectra).flatten(2) - self.mean) / self.spread
        near = STRIDE // verifier.OUTPUT_STEP if self.embedding.dense else 1
        about = nn.functional.conv1d(
            self.drops[0](x), self.about.weight, self.about.bias, padding=near, dilation=near
        )
        x = torch.relu(self.norms[0](about))
        x = torch.relu(self.norms[1](self.between(self.drops[1](x))))
        return self.last(self.drops[2](x)).transpose(1, 2)


def train(
    data: Streams,
    rows: np.ndarray,
    augment: Augment,
    pretrained: Path,
    *,
    epochs: int,
    seed: int,
    say: Callable[[str], None] = print,
) -> Verifying:
    """Trains on the streams of `rows`, augmented anew in every epoch; their features are those of
    `analysed`."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    embedding = Embedding(pretrained, FROZEN)
    with torch.no_grad():
        some = embedding(_input(augment(data.features[rows[:96]], data.labels[rows[:96]], rng)[0]))
        some = some.transpose(1, 2).reshape(-1, SIZE)
    net = Verifying(embedding, some.mean(dim=0), some.std(dim=0) + 1e-3)
    old = embedding.learning()
    fresh = [p for p in net.parameters() if p.requires_grad and all(p is not o for o in old)]
    weight = torch.ones(len(WORDS) + 1)
    weight[0] = NO_WORD_WEIGHT
    loss_of = nn.CrossEntropyLoss(weight=weight, label_smoothing=0.02, ignore_index=-1)

    def trial(pick: np.ndarray) -> tuple[torch.Tensor, int, int]:
        noisy, states = augment(data.features[pick], data.labels[pick], rng)
        logits = net(_input(noisy))
        wanted = torch.from_numpy(np.stack([targets(s, logits.shape[1]) for s in states])).flatten()
        logits = logits.flatten(0, 1)
        spoken = wanted > 0
        hits = int((logits.argmax(1) == wanted)[spoken].sum())
        return loss_of(logits, wanted), hits, int(spoken.sum())

    learn(
        net, ((old, EMBEDDING_RATE), (fresh, HEAD_RATE)), trial, rows, rng,
        epochs=epochs, rising=0.15, name="verifier", say=say,
    )  # fmt: skip
    return net


def _input(logarithms: np.ndarray) -> torch.Tensor:
    """Converts natural logarithms of the bands to the scale of the embedding."""
    return torch.from_numpy(logarithms.astype(np.float32) / np.float32(np.log(10)) + 2)[:, None]


def export(net: Verifying, folder: Path) -> None:
    """Writes the network, dense and with OUTPUTS_PER_PASS outputs, and the list of its words."""
    net.embedding.dense = True
    frames = (verifier.OUTPUTS_PER_PASS - 1) * verifier.OUTPUT_STEP + verifier.SPECTRA_PER_OUTPUT
    example = torch.zeros(1, 1, frames, verifier.BANDS)
    torch.onnx.export(
        net, (example,), str(folder / verifier.NETWORK_FILE), opset_version=13, dynamo=False,
        input_names=["spectra"], output_names=["words"],
    )  # fmt: skip
    (folder / verifier.WORDS_FILE).write_text("\n".join(WORDS) + "\n", encoding="utf-8")
