"""Which of several cards a place shows, or none of them: a conditional logit (McFadden, "Conditional logit
analysis of qualitative choice behavior", 1974). Its weights are found by bench.vision.choice_fit."""

from __future__ import annotations

import numpy as np

from companion.vision.image.picture import Array

LARGEST_EXPONENT = 50.0


def choice_odds(exponents: Array) -> Array:
    """The odds of each card against none of them, by what speaks for it: exp(exponents), of any shape."""
    return np.asarray(np.exp(np.clip(exponents, -LARGEST_EXPONENT, LARGEST_EXPONENT)))


def choice_probabilities(odds: Array) -> Array:
    """The probability of each card (..., cards); what is left to 1 is that of none of them.

    >>> choice_probabilities(choice_odds(np.zeros(3))).tolist()
    [0.25, 0.25, 0.25]
    """
    return np.asarray(odds / (1.0 + odds.sum(axis=-1, keepdims=True)))
