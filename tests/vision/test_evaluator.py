"""The limits of the evaluator of card hypotheses, on constructed matches: nothing is drawn or compared."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest

from companion.vision.cards import evaluator as evaluating
from companion.vision.cards.evaluator import Candidate, Evaluator
from companion.vision.image.picture import Array, Floats
from companion.vision.match import descriptor
from companion.vision.match.limits import search_limits
from companion.vision.match.score import CardMatch

BLOCKS = descriptor.BLOCKS
LOOKS = 13
QUAD = np.array([[0, 0], [60, 0], [60, 90], [0, 90]], np.float32)
MATCH = CardMatch(
    quad=QUAD, look=0, label="a", descriptor=np.zeros(0, np.uint8), costs=np.full(BLOCKS, 0.3, np.float32),
    seen=np.ones(BLOCKS, bool), cost=0.4, seen_cost=0.2, margin=0.3, support=40.0,
    weights=np.ones(BLOCKS, np.float32), gain=10.0, inliers=9,
)  # fmt: skip

CLEAR = replace(MATCH, look=3, label="card 3", cost=0.1, margin=0.9)


class TableDeck:
    """A deck of LOOKS cards with one look each."""

    def __init__(self) -> None:
        self.labels = [f"card {look}" for look in range(LOOKS)]
        self.cards = list(range(LOOKS))
        self.marks = [0.0] * LOOKS
        self.weights = np.ones((LOOKS, BLOCKS), np.float32)
        self.gallery = SimpleNamespace(costs=self._costs)
        self.look_costs = np.zeros(LOOKS, np.float32)
        self.fit = 0.9
        self.strip_templates = SimpleNamespace(fit=lambda *_: self.fit)

    def light_template(self, look: int) -> int:
        return look

    def _costs(self, card: object, looks: Array) -> Floats:
        return np.repeat(self.look_costs[np.asarray(looks)][:, None], BLOCKS, axis=1)


class Scorer:
    """Names every quad like the look that it was refined onto. `found`: other values of those matches."""

    def __init__(self) -> None:
        self.look = 0
        self.found: dict[int, CardMatch] = {}

    def shortlist(self, card: object, seen: object, size: int = 16) -> Array:
        return np.arange(LOOKS)

    def score(self, quad: Floats, inliers: int, visible: Array | None = None) -> CardMatch:
        return self.found.get(self.look, replace(MATCH, look=self.look, label=f"card {self.look}"))


class Bench:
    """An evaluator of an empty picture, with the calls of `refine_quad` that it made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.deck: Any = TableDeck()
        shipped = search_limits()
        ends = msgspec.structs.replace(shipped.ends, tried_by_features=2, rivals_support=20.0)
        limits = msgspec.structs.replace(shipped, ends=ends)
        self.evaluator = Evaluator(np.zeros((120, 120, 3), np.uint8), self.deck, limits=limits)
        self.scorer = Scorer()
        self.looks: list[int] = []
        monkeypatch.setattr(self.evaluator, "_scorer", self.scorer)
        monkeypatch.setattr(self.evaluator.scene, "card_at", lambda quad: None)
        monkeypatch.setattr(evaluating.descriptor, "rotated_half_turn", lambda card: card)
        monkeypatch.setattr(evaluating, "refine_quad", self._refine)

    def _refine(self, scene: object, quad: Floats, look: int, **options: Any) -> tuple[Floats, float]:
        self.looks.append(look)
        self.scorer.look = look
        return quad, 0.1


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(monkeypatch)


@pytest.mark.parametrize(("inliers", "tried"), [(0, 4), (9, 2)])
def test_an_outline_is_tried_with_more_cards_than_a_pose_from_features(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, inliers: int, tried: int
) -> None:
    monkeypatch.setattr(bench.evaluator, "_after_rivals", lambda match: match)
    bench.evaluator.evaluate([Candidate(0.4, look, QUAD) for look in range(8)], inliers)
    assert len(bench.looks) == tried


def test_rivals_are_fitted_likeliest_first_until_one_is_clear(bench: Bench) -> None:
    """Look 7 is the likeliest of the others, then 3; the rest is alike. Look 3 is clear at its own pose."""
    bench.deck.look_costs[:] = 0.5
    bench.deck.look_costs[[0, 7, 3]] = 0.0, 0.1, 0.2
    bench.scorer.found[3] = CLEAR
    assert bench.evaluator._after_rivals(MATCH) is CLEAR
    assert bench.looks == [7, 3]


def test_the_match_stays_if_every_rival_fits_worse(bench: Bench) -> None:
    for look in range(1, LOOKS):
        bench.scorer.found[look] = replace(CLEAR, look=look, cost=MATCH.cost + 0.01)
    assert bench.evaluator._after_rivals(MATCH) is MATCH
    assert sorted(bench.looks) == list(range(1, LOOKS))


@pytest.mark.parametrize(
    ("support", "soft", "fitted"), [(21.0, False, True), (19.0, False, False), (21.0, True, False)]
)
def test_rivals_are_fitted_only_where_much_of_a_card_fits_in_a_sharp_picture(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, support: float, soft: bool, fitted: bool
) -> None:
    monkeypatch.setattr(bench.evaluator, "_soft", soft)
    bench.scorer.found[0] = replace(MATCH, support=support)
    bench.evaluator.evaluate([Candidate(0.4, 0, QUAD)])
    assert (len(bench.looks) > 1) == fitted


def test_pixels_are_compared_only_where_something_is_seen(bench: Bench) -> None:
    assert bench.evaluator._fitted(MATCH).fit == 0.9
    assert bench.evaluator._fitted(replace(MATCH, seen=np.zeros(BLOCKS, bool))).fit == 0.0
