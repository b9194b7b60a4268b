"""Logistic regression of what is true on scores, as the calibrations of companion.speech need it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
ROUNDS = 60
"""Newton steps; the weights no longer change after 20."""
SHRINK = 0.1
"""Ridge of the regression."""


def logistic_weights(x: Array, y: Array, weight: Array) -> Array:
    """The weights of the columns of `x` with the least log loss.

    Args:
        x: scores, one row a case.
        y: 1 where it was true, otherwise 0.
        weight: of each case.

    >>> x = np.array([[-2.0], [-1.0], [1.0], [2.0]])
    >>> logistic_weights(x, np.array([0.0, 1.0, 0.0, 1.0]), np.ones(4)).round(1).tolist()
    [0.4]
    """
    beta = np.zeros(x.shape[1])
    for _ in range(ROUNDS):
        p = 1.0 / (1.0 + np.exp(-x @ beta))
        hessian = (x * (weight * p * (1.0 - p))[:, None]).T @ x + SHRINK * np.eye(beta.size)
        beta += np.linalg.solve(hessian, x.T @ (weight * (y - p)) - SHRINK * beta)
    return beta
