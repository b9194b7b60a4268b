"""Every threshold of a card match: a value just inside and one just outside of it."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from companion.vision.match import descriptor
from companion.vision.match.limits import search_limits
from companion.vision.match.score import (
    CardMatch,
    blocks_outside,
    visible_blocks,
)

BLOCKS = descriptor.BLOCKS


def seen(share: float) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """The first blocks of a card, as many as the share says."""
    return np.arange(BLOCKS) < round(share * BLOCKS)


BASE = CardMatch(
    quad=np.zeros((4, 2), np.float32), look=0, label="a", descriptor=np.zeros(0, np.uint8),
    costs=np.full(BLOCKS, 0.2, np.float32), seen=seen(0.5), cost=0.5, seen_cost=0.2, margin=0.4, support=40.0,
    weights=np.ones(BLOCKS, np.float32), gain=10.0, inliers=0, fit=0.9,
)  # fmt: skip


ENDS = msgspec.structs.replace(
    search_limits().ends, clear_cost=0.2, clear_margin=0.4, certain_cost=0.13, certain_margin=0.3,
    certain_support=15.0, hopeless_cost=0.6, hopeless_outline_support=20.0, hopeless_support=8.0,
)  # fmt: skip


def changed(base: CardMatch, **values: object) -> CardMatch:
    """The match with other values; `share` is the visible share, `blocks` the number of visible blocks."""
    if "share" in values:
        values["seen"] = seen(values.pop("share"))  # type: ignore[arg-type]
    if "blocks" in values:
        values["seen"] = np.arange(BLOCKS) < values.pop("blocks")
    return replace(base, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "likely"),
    [
        ({"fit": 0.63}, True),
        ({"fit": 0.62}, False),
        ({"fit": 0.1, "probability": 0.7}, True),
    ],
)
def test_a_likely_match_explains_pixels_or_was_named(values: dict[str, object], likely: bool) -> None:
    assert changed(BASE, **values).is_likely is likely


@pytest.mark.parametrize(
    ("base", "verdict", "values"),
    [
        ("sure", "is_clear", {"seen_cost": 0.13}),
        ("sure", "is_clear", {"margin": 0.3}),
        ("sure", "is_clear", {"support": 15.0}),
        ("good", "is_clear", {"cost": 0.2}),
        ("good", "is_clear", {"margin": 0.4}),
        ("bad", "is_hopeless", {"cost": 0.6}),
        ("bad", "is_hopeless", {"support": 20.0}),
        ("bad", "is_hopeless", {"inliers": 1, "support": 8.0}),
    ],
)
def test_the_threshold_itself_is_not_enough(base: str, verdict: str, values: dict[str, object]) -> None:
    bases = {"sure": SURE, "good": GOOD, "bad": changed(BASE, cost=0.7, support=15.0)}
    assert not getattr(changed(bases[base], **values), verdict)(ENDS)


def test_one_feature_is_judged_by_its_support_alone() -> None:
    bad = changed(BASE, cost=0.7, support=15.0)
    assert bad.is_hopeless(ENDS)
    assert not changed(bad, inliers=1).is_hopeless(ENDS)


def test_blocks_beyond_the_picture() -> None:
    """A card of 80 x 120 pixels: blocks of 10 x 10, their centres at 5, 15, ..."""

    def outside(x: float, y: float, shape: tuple[int, ...]) -> list[list[bool]]:
        quad = np.array([[0, 0], [80, 0], [80, 120], [0, 120]], np.float32) + np.array([x, y], np.float32)
        return np.asarray(blocks_outside(quad, shape)).reshape(descriptor.ROWS, descriptor.COLUMNS)

    assert not outside(0, 0, (120, 80)).any()
    left, up = outside(-15.2, 0, (200, 200)), outside(0, -15.2, (200, 200))
    assert left[:, :2].all()
    assert not left[:, 2:].any()
    assert up[:2].all()
    assert not up[2:].any()
    right, down = outside(0, 0, (200, 75)), outside(0, 0, (115, 200))
    assert right[:, -1].all(), "the last pixel is 74"
    assert not right[:, :-1].any()
    assert down[-1].all()
    assert not down[:-1].any()
    assert not outside(0, 0, (117, 77, 3)).any()


@pytest.mark.parametrize(("own", "around", "visible"), [(0.5, 0.5, False), (0.3, 0.7, False)])
def test_a_block_at_the_threshold_is_not_visible(own: float, around: float, visible: bool) -> None:
    costs = np.full((descriptor.ROWS, descriptor.COLUMNS), around, np.float32)
    costs[5, 4] = own
    assert bool(visible_blocks(costs.ravel())[5 * descriptor.COLUMNS + 4]) is visible


def test_neighbours_are_the_blocks_beside_and_the_edge_repeats() -> None:
    costs = np.full((descriptor.ROWS, descriptor.COLUMNS), 0.1, np.float32)
    costs[:3, :3] = 0.9
    grid = visible_blocks(costs.ravel()).reshape(costs.shape)
    assert not grid[:2, :2].any()
    assert grid[2, 2], "its neighbours fit"
    assert grid[3:, :].all()
    assert grid[:, 3:].all()


SURE = changed(BASE, seen_cost=0.1, margin=0.35, support=20.0, cost=0.9)
GOOD = changed(BASE, cost=0.15, margin=0.55, share=0.95)


@pytest.mark.parametrize(
    ("base", "verdict", "name", "inside", "outside"),
    [
        (SURE, "is_clear", "seen_cost", 0.125, 0.135),
        (SURE, "is_clear", "margin", 0.31, 0.29),
        (SURE, "is_clear", "support", 15.5, 14.5),
        (GOOD, "is_clear", "cost", 0.19, 0.21),
        (GOOD, "is_clear", "margin", 0.41, 0.39),
        (changed(BASE, cost=0.7, support=15.0), "is_hopeless", "cost", 0.61, 0.59),
        (changed(BASE, cost=0.7, support=15.0), "is_hopeless", "support", 19.5, 20.5),
        (changed(BASE, inliers=3), "is_hopeless", "support", 7.5, 8.5),
    ],
)
def test_the_search_ends_on_one_side_of_a_threshold(
    base: CardMatch, verdict: str, name: str, inside: float, outside: float
) -> None:
    assert getattr(changed(base, **{name: inside}), verdict)(ENDS)
    assert not getattr(changed(base, **{name: outside}), verdict)(ENDS)


def test_a_match_is_as_sure_as_the_verifier_says_and_else_by_what_it_explains() -> None:
    assert changed(BASE, fit=0.9, probability=0.7).confidence == 0.7
    assert changed(BASE, fit=0.9, probability=None).confidence == 0.9


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
