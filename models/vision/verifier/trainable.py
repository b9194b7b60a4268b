"""The judge of the verifier with its gradient, in numpy: it is refined on a deck where no PyTorch is.

A convolution is a product of matrices (Chellapilla, Puri and Simard, "High performance convolutional neural
networks for document processing", 2006). Maps are (n, rows, columns, PLANES).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.vision.image.picture import Array, Floats

PLANES = 64
"""Planes of all maps, and values between what a map says and the log odds."""
BLOCKS = 3
"""Residual blocks of two convolutions each; one more convolution follows."""
MOMENTUM, SQUARES, EPSILON, DECAY = 0.9, 0.999, 1e-8, 0.02
"""Of Adam, as everywhere; weights decay as in the training of the whole verifier."""
SHAPES = (
    *[(PLANES, PLANES, 3, 3), (PLANES,)] * (2 * BLOCKS + 1),
    (PLANES, 2 * PLANES),
    (PLANES,),
    (1, PLANES),
    (1,),
)
"""The arrays of the weights in the judge's file, in their order."""


@dataclass(frozen=True, eq=False)
class Passed:
    """What a forward pass leaves for the backward one: what each convolution was given, as `windows` (n,
    rows, columns, 9 * PLANES), and its rectified outcome, `outcomes`; what was `pooled` of the last one (n,
    2 * PLANES), the `hidden` values (n, PLANES) and the `log_odds` (n,)."""

    windows: list[Floats]
    outcomes: list[Floats]
    pooled: Floats
    hidden: Floats
    log_odds: Floats


class TrainableJudge:
    """The judge. `weights` (n,) are those of its file (see shipped_weights of companion.vision.verifier);
    they may be changed in place."""

    def __init__(self, weights: Floats) -> None:
        self.weights = np.array(weights, np.float32)
        self._layers = _parts(self.weights)

    def forward(self, maps: Floats) -> Passed:
        """The log odds for what was compared, and all that lies between."""
        windows, outcomes, into_block = list[Floats](), list[Floats](), maps
        for at in range(2 * BLOCKS + 1):
            windows.append(windows_of(maps))
            found = windows[-1] @ _as_matrix(self._layers[2 * at]) + self._layers[2 * at + 1]
            if at % 2:
                found += into_block
            else:
                into_block = maps
            maps = np.maximum(found, 0.0)
            outcomes.append(maps)
        pooled = np.concatenate([maps.mean(axis=(1, 2)), maps.max(axis=(1, 2))], axis=1)
        first, first_added, last, last_added = self._layers[-4:]
        hidden = np.maximum(pooled @ first.T + first_added, 0.0)
        return Passed(windows, outcomes, pooled, hidden, (hidden @ last.T + last_added)[:, 0])

    def gradient(self, passed: Passed, slopes: Floats) -> Floats:
        """How the sum of the log odds, each times its slope (n,), changes with the weights."""
        found = np.zeros_like(self.weights)
        parts = _parts(found)
        first, _, last, _ = self._layers[-4:]
        at_hidden = (slopes[:, None] * last) * (passed.hidden > 0)
        for part, change in zip(
            parts[-4:],
            (at_hidden.T @ passed.pooled, at_hidden.sum(axis=0), slopes[None] @ passed.hidden, slopes.sum()),
            strict=True,
        ):
            part[:] = change
        change = _unpooled(np.asarray(at_hidden @ first, np.float32), passed.outcomes[-1])
        past_block = change
        for at in reversed(range(2 * BLOCKS + 1)):
            change = change * (passed.outcomes[at] > 0)
            past_block = change if at % 2 else past_block
            flat = change.reshape(-1, PLANES)
            parts[2 * at][:] = _as_kernel(passed.windows[at].reshape(len(flat), -1).T @ flat)
            parts[2 * at + 1][:] = flat.sum(axis=0)
            if at:
                change = maps_of(change @ _as_matrix(self._layers[2 * at]).T)
                if at % 2 == 0 and at < 2 * BLOCKS:
                    change += past_block
        return found


class Adam:
    """Steps down a gradient (Kingma and Ba, "Adam", 2015), weights decaying (Loshchilov and Hutter,
    "Decoupled weight decay regularization", 2019)."""

    def __init__(self, weights: Floats) -> None:
        """`weights` (n,) are changed in place."""
        self._weights = weights
        self._mean, self._square, self._steps = np.zeros_like(weights), np.zeros_like(weights), 0

    def step(self, gradient: Floats, rate: float) -> None:
        """One step."""
        self._steps += 1
        self._mean += (1 - MOMENTUM) * (gradient - self._mean)
        self._square += (1 - SQUARES) * (gradient * gradient - self._square)
        mean = self._mean / (1 - MOMENTUM**self._steps)
        square = self._square / (1 - SQUARES**self._steps)
        self._weights -= rate * (mean / (np.sqrt(square) + EPSILON) + DECAY * self._weights)


def windows_of(maps: Floats) -> Floats:
    """The 3 x 3 places round each place of maps, as (n, rows, columns, 9 * planes); 0 beyond the edge."""
    count, rows, columns, planes = maps.shape
    wide = np.zeros((count, rows + 2, columns + 2, planes), np.float32)
    wide[:, 1:-1, 1:-1] = maps
    windows = np.empty((count, rows, columns, 9, planes), np.float32)
    for at in range(9):
        down, right = divmod(at, 3)
        windows[..., at, :] = wide[:, down : down + rows, right : right + columns]
    return windows.reshape(count, rows, columns, 9 * planes)


def maps_of(windows: Floats) -> Floats:
    """The sum of all windows' values at each place: how maps change whose windows change so."""
    count, rows, columns = windows.shape[:3]
    nine = windows.reshape(count, rows, columns, 9, -1)
    wide = np.zeros((count, rows + 2, columns + 2, nine.shape[-1]), np.float32)
    for at in range(9):
        down, right = divmod(at, 3)
        wide[:, down : down + rows, right : right + columns] += nine[..., at, :]
    return wide[:, 1:-1, 1:-1]


def _unpooled(change: Floats, maps: Floats) -> Floats:
    """How maps change whose means and highest values (n, 2 * PLANES) change so."""
    count, rows, columns, planes = maps.shape
    mean, highest = change[:, :planes], change[:, planes:]
    flat = np.repeat(mean[:, None] / np.float32(rows * columns), rows * columns, axis=1)
    at = maps.reshape(count, -1, planes).argmax(axis=1)
    flat[np.arange(count)[:, None], at, np.arange(planes)] += highest
    return flat.reshape(maps.shape)


def _parts(weights: Floats) -> list[Floats]:
    """The arrays that the weights are, as views of them."""
    ends = np.cumsum([np.prod(shape) for shape in SHAPES])[:-1]
    return [part.reshape(shape) for part, shape in zip(np.split(weights, ends), SHAPES, strict=True)]


def _as_matrix(kernel: Floats) -> Floats:
    """A kernel (out, in, 3, 3) as it is multiplied by windows (9 * in, out)."""
    return np.ascontiguousarray(kernel.transpose(2, 3, 1, 0).reshape(-1, len(kernel)))


def _as_kernel(matrix: Floats) -> Array:
    """A kernel (out, in, 3, 3) from the matrix (9 * in, out) that _as_matrix makes of it."""
    return matrix.reshape(3, 3, -1, matrix.shape[1]).transpose(3, 2, 0, 1)
