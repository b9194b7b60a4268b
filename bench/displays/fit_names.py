"""Fits when the name of a card of a display is shown: the logistic regression of largest likelihood over the
cards of development decks, and the probability from which names are shown so that hardly one is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.vision.display.limits import CoveredNameLimits
from companion.vision.display.naming import NamedColumn

Numbers = NDArray[np.float64]

FALSE = 0.02
"""Share of the names that are shown which may be wrong."""
STEPS, SHRINK = 50, 1e-2


@dataclass(frozen=True)
class FittedName:
    """A card that was counted: by how much more the next card and the next monster would leave unexplained,
    what this card leaves, the share of it that is seen, and whether its name is right."""

    lead: float
    monster_lead: float
    left: float
    share: float
    right: bool

    @property
    def features(self) -> tuple[float, ...]:
        """In the order of CoveredNameLimits."""
        return 1.0, self.lead, self.monster_lead, self.left, self.share


def names_of(column: NamedColumn, labels: Sequence[str | None]) -> Iterator[FittedName]:
    """The cards of a column; `labels` are the true ones, None where no card begins."""
    for part, label in zip(column.parts, labels, strict=True):
        left, share = part.compared.left(part.name), part.compared.part.seen
        yield FittedName(part.lead, column.lead, left, share, part.name == label)


def logistic(features: Numbers, right: Numbers, offset: Numbers) -> Numbers:
    """The weights of the features (n, k) that make it likeliest which ones are right (n,), with known
    log-odds `offset` (n,): Newton's method."""
    weights = np.zeros(features.shape[1])
    for _ in range(STEPS):
        likely = 1.0 / (1.0 + np.exp(-np.clip(offset + features @ weights, -50, 50)))
        slope = features.T @ (likely - right) + SHRINK * weights
        curvature = (features * (likely * (1.0 - likely))[:, None]).T @ features
        weights -= np.linalg.solve(curvature + SHRINK * np.eye(len(weights)), slope)
    return weights


def fit_names(names: Sequence[FittedName]) -> tuple[CoveredNameLimits, dict[str, object]]:
    """The limits, and the figures of the data they come from."""
    features = np.array([name.features for name in names])
    right = np.array([name.right for name in names], float)
    fitted = logistic(features, right, np.zeros(len(names)))
    intercept, by_lead, by_monster_lead, by_left, by_share = (round(float(one), 3) for one in fitted)
    trial = CoveredNameLimits(intercept, by_lead, by_monster_lead, by_left, by_share, 0.0)
    likely = np.array([trial.likely(*name.features[1:]) for name in names])
    order = np.argsort(-likely)
    false = np.cumsum(1.0 - right[order]) / np.arange(1, len(names) + 1)
    shown = int(np.flatnonzero(false <= FALSE).max(initial=0))
    limits = replace(trial, named=round(float(likely[order[shown]]), 3))
    about: dict[str, object] = {
        "cards": len(names),
        "names_right": int(right.sum()),
        "names_shown": int((likely >= limits.named).sum()),
        "names_shown_and_wrong": int((1.0 - right)[likely >= limits.named].sum()),
    }
    return limits, about
