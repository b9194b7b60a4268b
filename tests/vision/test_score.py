"""Every threshold of a card match: a value just inside and one just outside of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.vision.match import descriptor
from companion.vision.match.score import (
    CardMatch,
    confidence,
    is_acceptable,
    is_labelled,
    visible_blocks,
)

BLOCKS = descriptor.BLOCKS


def seen(share: float) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """The first blocks of a card, as many as the share says."""
    return np.arange(BLOCKS) < round(share * BLOCKS)


BASE = CardMatch(
    quad=np.zeros((4, 2), np.float32), look=0, label="a", descriptor=np.zeros(0, np.uint8),
    costs=np.full(BLOCKS, 0.2, np.float32), seen=seen(0.5), cost=0.5, seen_cost=0.2, margin=0.4, support=40.0,
    weights=np.ones(BLOCKS, np.float32), gain=10.0, inliers=0, fit=0.9, lead=0.45,
)  # fmt: skip


def changed(base: CardMatch, **values: object) -> CardMatch:
    """The match with other values; `share` is the visible share, `blocks` the number of visible blocks."""
    if "share" in values:
        values["seen"] = seen(values.pop("share"))  # type: ignore[arg-type]
    if "blocks" in values:
        values["seen"] = np.arange(BLOCKS) < values.pop("blocks")
    return replace(base, **values)  # type: ignore[arg-type]


OPEN = changed(BASE, share=0.9, cost=0.2, margin=0.4)
FEATURES = changed(BASE, inliers=8)
MANY = changed(BASE, inliers=20, lead=0.6, margin=0.2)
DISTINCT = changed(BASE, inliers=8, distinct=8, lead=0.5, seen_cost=0.3, fit=0.8, support=20.0)
ALONE = changed(DISTINCT, is_alone=True)
PROOF = changed(DISTINCT, distinct=25, lead=0.0)
CONTESTED = changed(BASE, is_contested=True, support=40.0, lead=0.4, margin=0.3)
THIN = changed(BASE, lead=0.3, margin=0.6)


@pytest.mark.parametrize(
    ("base", "name", "inside", "outside"),
    [
        # appearance
        (THIN, "fit", 0.63, 0.61),
        (changed(OPEN, margin=0.3), "lead", 0.06, 0.04),
        (changed(OPEN, lead=0.45), "margin", 0.16, 0.14),
        (changed(OPEN, lead=0.45, fit=0.7), "margin", 0.24, 0.22),
        (changed(OPEN, lead=0.52), "margin", 0.11, 0.09),
        (changed(OPEN, share=0.9, margin=0.12), "lead", 0.51, 0.49),
        (changed(BASE, margin=0.17, share=0.62), "lead", 0.52, 0.48),
        (changed(BASE, margin=0.17, lead=0.6), "share", 0.64, 0.57),
        (changed(OPEN, support=1.0), "cost", 0.41, 0.43),
        (changed(OPEN, support=1.0), "share", 0.78, 0.73),
        (BASE, "support", 22.5, 21.5),
        (BASE, "share", 0.47, 0.43),
        (BASE, "seen_cost", 0.35, 0.37),
        (BASE, "margin", 0.21, 0.19),
        (FEATURES, "seen_cost", 0.33, 0.35),
        (FEATURES, "margin", 0.18, 0.16),
        (changed(MANY, seen_cost=0.37), "inliers", 14, 13),
        (MANY, "seen_cost", 0.39, 0.41),
        (changed(MANY, lead=0.52, margin=0.0), "margin", 0.0, -0.02),
        (changed(MANY, seen_cost=0.37), "lead", 0.51, 0.49),
        # features of no other card
        (DISTINCT, "seen_cost", 0.41, 0.43),
        (DISTINCT, "support", 8.5, 7.5),
        (DISTINCT, "lead", 0.21, 0.19),
        (ALONE, "lead", -0.19, -0.21),
        (PROOF, "distinct", 20, 19),
        (PROOF, "lead", -0.48, -0.52),
        (DISTINCT, "fit", 0.41, 0.39),
        (changed(DISTINCT, share=0.2), "fit", 0.51, 0.49),
        (changed(DISTINCT, fit=0.45), "share", 0.27, 0.24),
        # contests
        (changed(CONTESTED, lead=0.7), "fit", 0.57, 0.55),
        (changed(CONTESTED, margin=0.5), "lead", 0.21, 0.19),
        (changed(CONTESTED, lead=0.9), "margin", 0.041, 0.039),
        (changed(CONTESTED, lead=0.25), "margin", 0.11, 0.09),
        (changed(CONTESTED, lead=0.25, fit=0.7), "margin", 0.19, 0.17),
        (CONTESTED, "support", 28.5, 27.5),
        (CONTESTED, "share", 0.47, 0.43),
    ],
)
def test_a_match_is_acceptable_on_one_side_of_a_threshold(
    base: CardMatch, name: str, inside: float, outside: float
) -> None:
    assert is_acceptable(changed(base, **{name: inside}))
    assert not is_acceptable(changed(base, **{name: outside}))


SURE = changed(BASE, seen_cost=0.1, margin=0.35, support=20.0, cost=0.9)
GOOD = changed(BASE, cost=0.15, margin=0.55, share=0.95)


@pytest.mark.parametrize(
    ("base", "verdict", "name", "inside", "outside"),
    [
        (SURE, "is_certain", "seen_cost", 0.125, 0.135),
        (SURE, "is_certain", "margin", 0.31, 0.29),
        (SURE, "is_certain", "support", 15.5, 14.5),
        (GOOD, "is_clear", "cost", 0.19, 0.21),
        (GOOD, "is_clear", "margin", 0.51, 0.49),
        (GOOD, "is_settled", "margin", 0.41, 0.39),
        (GOOD, "is_settled", "share", 0.92, 0.88),
        (changed(BASE, cost=0.7, support=15.0), "is_hopeless", "cost", 0.61, 0.59),
        (changed(BASE, cost=0.7, support=15.0), "is_hopeless", "support", 19.5, 20.5),
        (changed(BASE, inliers=3), "is_hopeless", "support", 7.5, 8.5),
    ],
)
def test_the_search_ends_on_one_side_of_a_threshold(
    base: CardMatch, verdict: str, name: str, inside: float, outside: float
) -> None:
    assert getattr(changed(base, **{name: inside}), verdict)
    assert not getattr(changed(base, **{name: outside}), verdict)


STRIP = changed(BASE, is_strip=True, blocks=30, margin=0.9, seen_cost=0.1)
NARROW = changed(STRIP, blocks=20, fit=0.8, lead=0.7)
CONTESTED_STRIP = changed(STRIP, is_contested=True, ratio=4.0, fit=0.9)


@pytest.mark.parametrize(
    ("base", "name", "inside", "outside"),
    [
        (STRIP, "fit", 0.63, 0.61),
        (changed(STRIP, fit=0.9), "blocks", 14, 13),
        (changed(NARROW, fit=0.8), "blocks", 29, 28),
        (NARROW, "fit", 0.87, 0.85),
        (NARROW, "lead", 0.81, 0.79),
        (CONTESTED_STRIP, "fit", 0.76, 0.74),
        (CONTESTED_STRIP, "ratio", 2.55, 2.45),
        (changed(CONTESTED_STRIP, share=0.5), "ratio", 3.05, 2.95),
        (changed(CONTESTED_STRIP, ratio=2.8), "share", 0.39, 0.42),
        (STRIP, "margin", 0.49, 0.47),
    ],
)
def test_a_strip_is_labelled_on_one_side_of_a_threshold(
    base: CardMatch, name: str, inside: float, outside: float
) -> None:
    assert is_labelled(changed(base, **{name: inside}))
    assert not is_labelled(changed(base, **{name: outside}))


@pytest.mark.parametrize(
    ("match", "odds"),
    [
        (changed(BASE, margin=0.2, gain=5.0, seen_cost=0.2), 2.2),
        (changed(BASE, margin=0.4, gain=5.0, seen_cost=0.2), 2.2 + 1.2),
        (changed(BASE, margin=0.2, gain=9.0, seen_cost=0.2), 2.2 + 0.6),
        (changed(BASE, margin=0.2, gain=5.0, seen_cost=0.4), 2.2 - 1.2),
        (changed(BASE, margin=0.2, gain=5.0, seen_cost=0.2, distinct=4), 2.2 + 0.6),
        (changed(BASE, margin=-0.9, gain=5.0, seen_cost=0.2, distinct=60), 2.2 - 6.6 + 4.5),
        (changed(BASE, is_strip=True, margin=0.35, seen_cost=0.7, blocks=16), -0.5),
        (changed(BASE, is_strip=True, margin=0.65, seen_cost=0.7, blocks=16), 1.0),
        (changed(BASE, is_strip=True, margin=0.35, seen_cost=0.2, blocks=16), 0.5),
        (changed(BASE, is_strip=True, margin=0.35, seen_cost=0.7, blocks=36), 0.7),
        (changed(BASE, is_strip=True, is_contested=True, ratio=1.0), 0.3),
        (changed(BASE, is_strip=True, is_contested=True, ratio=float(np.e**0.5)), 2.3),
        (changed(BASE, is_strip=True, is_contested=True, ratio=0.0), 0.3 + 4.0 * float(np.log(0.1))),
    ],
)
def test_confidence_is_a_logistic_function_of_the_scores(match: CardMatch, odds: float) -> None:
    expected = 1.0 / (1.0 + np.exp(-odds))
    assert confidence(match) == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize(
    ("own", "around", "visible"),
    [(0.49, 0.49, True), (0.51, 0.51, False), (0.29, 0.73, True), (0.31, 0.73, False), (0.05, 0.8, False)],
)
def test_a_block_is_visible_by_its_own_cost_and_its_neighbours(
    own: float, around: float, visible: bool
) -> None:
    costs = np.full((descriptor.ROWS, descriptor.COLUMNS), around, np.float32)
    costs[5, 4] = own
    assert bool(visible_blocks(costs.ravel())[5 * descriptor.COLUMNS + 4]) is visible


def test_gain_counts_what_is_explained_and_takes_off_what_is_contradicted() -> None:
    costs = np.where(np.arange(BLOCKS) < 10, 0.1, 0.8).astype(np.float32)
    match = changed(BASE, costs=costs, blocks=12)
    assert match.gain_of(np.ones(BLOCKS, bool)) == pytest.approx(10 * 0.4 - 2 * 0.3, rel=1e-5)
