"""Values with their 95 % intervals: shares, medians, means, rates and single values."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

Z = 1.959964
"""Two-sided 95 % point of the normal distribution."""
RESAMPLES = 2000
"""Bootstrap samples of a median or a mean."""


@dataclass(frozen=True)
class Estimate:
    """A measured value, the number of observations behind it, and its 95 % interval if it has one."""

    value: float
    n: int
    low: float | None = None
    high: float | None = None


def share(hits: int, of: int) -> Estimate:
    """A share of `of` observations with Wilson's score interval (E. B. Wilson, 1927).

    Raises:
        ValueError: there are no observations, or more hits than observations.
    """
    if not 0 <= hits <= of or of == 0:
        raise ValueError(f"{hits} of {of} is no share")
    p = hits / of
    middle = (p + Z * Z / (2 * of)) / (1 + Z * Z / of)
    half = Z / (1 + Z * Z / of) * math.sqrt(p * (1 - p) / of + Z * Z / (4 * of * of))
    return Estimate(p, of, max(0.0, min(p, middle - half)), min(1.0, max(p, middle + half)))


def median(values: Sequence[float]) -> Estimate:
    """The median with a percentile bootstrap interval (B. Efron, 1979); the resampling has a fixed seed."""
    return _bootstrap(values, lambda drawn: np.median(drawn, axis=-1))


def mean(values: Sequence[float]) -> Estimate:
    """The mean with a percentile bootstrap interval; the resampling has a fixed seed."""
    return _bootstrap(values, lambda drawn: np.mean(drawn, axis=-1))


def percentile(values: Sequence[float], percent: float) -> Estimate:
    """A percentile with a percentile bootstrap interval; the resampling has a fixed seed."""
    return _bootstrap(values, lambda drawn: np.percentile(drawn, percent, axis=-1))


def _bootstrap(values: Sequence[float], of: Callable[[np.ndarray], np.ndarray]) -> Estimate:
    known = np.asarray(values, float)
    if not known.size:
        raise ValueError("nothing was measured")
    drawn = np.random.default_rng(1).choice(known, (RESAMPLES, known.size))
    low, high = np.percentile(of(drawn), (2.5, 97.5)).tolist()
    return Estimate(float(of(known)), known.size, low, high)


def rate(count: int, exposure: float) -> Estimate:
    """Events per unit of exposure with Byar's approximation of the exact Poisson interval; `n` is the count
    of events (N. E. Breslow and N. E. Day, 1987)."""
    if exposure <= 0:
        raise ValueError("nothing was watched")
    low = count * (1 - 1 / (9 * count) - Z / (3 * math.sqrt(count))) ** 3 if count else 0.0
    above = count + 1
    high = above * (1 - 1 / (9 * above) + Z / (3 * math.sqrt(above))) ** 3
    return Estimate(count / exposure, count, low / exposure, high / exposure)


def single(value: float) -> Estimate:
    """One value that was measured once: it has no interval."""
    return Estimate(float(value), 1)
