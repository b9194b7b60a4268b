"""Fits when the name of a card of a display is shown: a logistic regression of largest likelihood over the
cards of development decks whose monster is right, and the probability from which names are shown so that
hardly one is wrong."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.vision.display.limits import CoveredNameLimits
from companion.vision.display.naming import NamedColumn, monster_of

Numbers = NDArray[np.float64]

FALSE = 0.02
"""Share of the names that are shown which may be wrong."""
STEPS, SHRINK = 50, 1e-2


@dataclass(frozen=True)
class FittedName:
    """A card that was counted: by how much less likely the next card is, as log odds, the probability of its
    monster, the log odds of the likeliest card, and whether its monster and its name are right. The joker is
    of every monster."""

    lead: float
    monster: float
    known: float
    monster_right: bool
    right: bool


def names_of(column: NamedColumn, labels: Sequence[str | None]) -> Iterator[FittedName]:
    """The cards of a column; `labels` are the true ones, None where no card begins."""
    monsters = [monster_of(label) for label in labels if label is not None and " " in label]
    monster_right = column.monster in monsters
    for part, label in zip(column.parts, labels, strict=True):
        known = part.compared.known
        yield FittedName(part.lead, column.probability, known, monster_right, part.name == label)


def logistic(features: Numbers, right: Numbers) -> Numbers:
    """The weights of the features (n, k) that make it likeliest which ones are right (n,), by Newton's
    method."""
    weights = np.zeros(features.shape[1])
    for _ in range(STEPS):
        likely = 1.0 / (1.0 + np.exp(-np.clip(features @ weights, -50, 50)))
        slope = features.T @ (likely - right) + SHRINK * weights
        curvature = (features * (likely * (1.0 - likely))[:, None]).T @ features
        weights -= np.linalg.solve(curvature + SHRINK * np.eye(len(weights)), slope)
    return weights


def fit_names(names: Sequence[FittedName]) -> tuple[CoveredNameLimits, dict[str, object]]:
    """The limits, and the figures of the data they come from."""
    known = [name for name in names if name.monster_right and math.isfinite(name.known)]
    number = _fitted([(name.lead, name.known) for name in known], [name.right for name in known])
    trial = CoveredNameLimits(*number, 0.0)
    right = np.array([name.right for name in names], float)
    likely = np.array([trial.likely(name.lead, name.monster, name.known) for name in names])
    order = np.argsort(-likely)
    false = np.cumsum(1.0 - right[order]) / np.arange(1, len(names) + 1)
    shown = int(np.flatnonzero(false <= FALSE).max(initial=0))
    limits = replace(trial, named=round(float(likely[order[shown]]), 3))
    about: dict[str, object] = {
        "cards": len(names),
        "monsters_right": sum(name.monster_right for name in names),
        "names_right": int(right.sum()),
        "names_shown": int((likely >= limits.named).sum()),
        "names_shown_and_wrong": int((1.0 - right)[likely >= limits.named].sum()),
    }
    return limits, about


def _fitted(features: Sequence[tuple[float, ...]], right: Sequence[bool]) -> list[float]:
    """Intercept and weights of a logistic regression."""
    rows = np.array([(1.0, *row) for row in features])
    return [round(float(one), 3) for one in logistic(rows, np.array(right, float))]
