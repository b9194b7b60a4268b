"""The limits of the evaluator of card hypotheses, on constructed matches: nothing is drawn or compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from companion.vision.cards import evaluator as evaluating
from companion.vision.cards import strangers
from companion.vision.cards.candidates import Candidate
from companion.vision.cards.evaluator import Evaluator
from companion.vision.image.picture import Array, Floats
from companion.vision.match import descriptor
from companion.vision.match.score import CardMatch

BLOCKS = descriptor.BLOCKS
LOOKS = 13
QUAD = np.array([[0, 0], [60, 0], [60, 90], [0, 90]], np.float32)
MATCH = CardMatch(
    quad=QUAD, look=0, label="a", descriptor=np.zeros(0, np.uint8), costs=np.full(BLOCKS, 0.3, np.float32),
    seen=np.ones(BLOCKS, bool), cost=0.4, seen_cost=0.2, margin=0.3, support=40.0,
    weights=np.ones(BLOCKS, np.float32), gain=10.0, inliers=9,
)  # fmt: skip


class TableDeck:
    """A deck of LOOKS cards with one look each. `differences` (LOOKS, BLOCKS): from look 0."""

    def __init__(self) -> None:
        self.labels = [f"card {look}" for look in range(LOOKS)]
        self.cards = list(range(LOOKS))
        self.marks = [0.0] * LOOKS
        self.weights = np.ones((LOOKS, BLOCKS), np.float32)
        self.differences = np.zeros((LOOKS, BLOCKS), np.float32)
        self.gallery = SimpleNamespace(costs=self._costs)
        self.pixel_matcher = SimpleNamespace(match=lambda *_: SimpleNamespace(fit=0.9, lead=0.5))

    def light_template(self, look: int) -> int:
        return look

    def block_differences(self, look: int, rivals: Array, over: bool = False) -> Floats:
        assert look == 0
        return np.ones((len(rivals), BLOCKS), np.float32) if over else self.differences[np.asarray(rivals)]

    def _costs(self, card: object, looks: Array) -> Floats:
        return np.zeros((len(looks), BLOCKS), np.float32)


class Scorer:
    """Names every quad like the look that it was refined onto."""

    def __init__(self) -> None:
        self.look = 0

    def shortlist(self, card: object, seen: object, size: int = 16) -> Array:
        return np.arange(LOOKS)

    def score(self, quad: Floats, inliers: int, visible: Array | None = None) -> CardMatch:
        return replace(MATCH, look=self.look, label=f"card {self.look}")


class Bench:
    """An evaluator of an empty picture, with the calls of `refine_quad` that it made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.deck: Any = TableDeck()
        self.evaluator = Evaluator(np.zeros((120, 120, 3), np.uint8), self.deck)
        self.scorer = Scorer()
        self.masks: list[Array] = []
        self.looks: list[int] = []
        self.steps: list[str] = []
        monkeypatch.setattr(self.evaluator, "_scorer", self.scorer)
        monkeypatch.setattr(self.evaluator.scene, "card_at", lambda quad: None)
        monkeypatch.setattr(evaluating.descriptor, "rotated_half_turn", lambda card: card)
        monkeypatch.setattr(evaluating, "refine_quad", self._refine)

    def _refine(self, scene: object, quad: Floats, look: int, **options: Any) -> tuple[Floats, float]:
        if options.get("visible") is not None:
            self.masks.append(options["visible"])
        self.looks.append(look)
        self.scorer.look = look
        return quad, 0.1

    def record(self, monkeypatch: pytest.MonkeyPatch, names: Sequence[str]) -> None:
        """Notes calls of these methods instead of making them; each gives the match back as it is."""
        for name in names:

            def called(match: CardMatch, *_: object, step: str = name) -> CardMatch:
                self.steps.append(step)
                return match

            monkeypatch.setattr(self.evaluator, name, called)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(monkeypatch)


def shared(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Array:
    """The blocks on which the quad of an unclear match is refitted."""
    bench.record(monkeypatch, ["_with_slant", "_after_rivals"])
    bench.evaluator._improve(MATCH, freedom=8)
    (mask,) = bench.masks
    return mask


def test_a_block_is_shared_if_it_differs_little_from_the_rivals_on_average(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.deck.differences[:, 0], bench.deck.differences[:, 1] = 0.28, 0.32
    mask = shared(bench, monkeypatch)
    assert mask.tolist() == [True, False] + [True] * (BLOCKS - 2)


def test_six_rivals_decide_which_blocks_are_shared(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Block 0 differs in three of the six closest rivals, block 1 only in rivals that are less close."""
    bench.deck.differences[4:7, 0], bench.deck.differences[7:, 1] = 1.0, 1.0
    mask = shared(bench, monkeypatch)
    assert mask.tolist() == [False, True] + [True] * (BLOCKS - 2)


@pytest.mark.parametrize(("difference", "is_rival"), [(0.39, True), (0.41, False)])
def test_a_card_that_differs_by_twice_the_residual_can_be_right_instead(
    bench: Bench, difference: float, is_rival: bool
) -> None:
    bench.deck.differences[:] = 0.9
    bench.deck.differences[5] = difference
    assert [match.look for match in bench.evaluator.rivals(MATCH)] == [5] * is_rival


@pytest.mark.parametrize(("cost", "most"), [(0.29, 12), (0.31, 3)])
def test_more_rivals_are_fitted_where_a_card_certainly_is(bench: Bench, cost: float, most: int) -> None:
    assert len(bench.evaluator.rivals(replace(MATCH, cost=cost))) == most


@pytest.mark.parametrize(
    ("support", "margin", "cost", "steps"),
    [
        (21.0, 0.3, 0.6, ["_with_slant"]),
        (19.0, 0.3, 0.6, []),
        (21.0, 0.1, 0.6, ["_with_slant", "_after_rivals"]),
        (19.0, 0.1, 0.6, []),
        (19.0, 0.3, 0.49, ["_refit_on_shared"]),
        (19.0, 0.3, 0.51, []),
    ],
)
def test_a_match_gets_the_refinements_that_its_support_and_its_lead_ask_for(
    bench: Bench,
    monkeypatch: pytest.MonkeyPatch,
    support: float,
    margin: float,
    cost: float,
    steps: list[str],
) -> None:
    bench.record(monkeypatch, ["_with_slant", "_refit_on_shared", "_after_rivals"])
    bench.evaluator._improve(replace(MATCH, support=support, margin=margin, cost=cost), freedom=6)
    assert bench.steps == steps


@pytest.mark.parametrize(("fit", "tried", "steps"), [(0.46, 2, 1), (0.44, 2, 0), (0.41, 2, 0), (0.39, 1, 0)])
def test_a_match_that_fits_badly_is_not_refined_and_one_that_fits_worse_ends_the_search(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, fit: float, tried: int, steps: int
) -> None:
    bench.record(monkeypatch, ["_improve"])
    monkeypatch.setattr(bench.evaluator, "_fit", lambda match: fit)
    match = bench.evaluator.evaluate([Candidate(0.4, 0, QUAD), Candidate(0.4, 1, QUAD)])
    assert match is not None
    assert (len(bench.looks), len(bench.steps)) == (tried, steps)


@pytest.mark.parametrize(("inliers", "tried"), [(0, 4), (9, 2)])
def test_an_outline_is_tried_with_more_cards_than_a_pose_from_features(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, inliers: int, tried: int
) -> None:
    bench.record(monkeypatch, ["_improve"])
    monkeypatch.setattr(bench.evaluator, "_fit", lambda match: 0.9)
    bench.evaluator.evaluate([Candidate(0.4, look, QUAD) for look in range(8)], inliers)
    assert len(bench.looks) == tried


@pytest.mark.parametrize(("support", "fit"), [(5.1, 0.9), (4.9, 0.0)])
def test_pixels_are_compared_only_with_enough_support(bench: Bench, support: float, fit: float) -> None:
    match = bench.evaluator._with_pixel_match(replace(MATCH, support=support))
    assert match.fit == fit


@pytest.mark.parametrize(
    ("seen", "fit", "asked"), [(0.82, 0.86, True), (0.78, 0.86, False), (0.82, 0.84, False)]
)
def test_a_card_identified_by_features_is_compared_with_unknown_ones_only_if_nothing_covers_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, seen: float, fit: float, asked: bool
) -> None:
    bench.deck.looks = np.zeros((LOOKS, 1), np.uint8)
    monkeypatch.setattr(strangers, "shows_other_card", lambda *_, **__: True)
    monkeypatch.setattr(evaluating, "is_stranger", lambda *_: False)
    visible = np.arange(BLOCKS) < seen * BLOCKS
    match = replace(MATCH, distinct=9, seen=visible, fit=fit)
    assert bench.evaluator.shows_other_card(match) == asked
    assert bench.evaluator.shows_other_card(replace(match, distinct=0))
