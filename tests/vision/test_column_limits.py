"""The limits by which cards form a column and outlines count as cards without a name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

from companion.core.observations import Sighting
from companion.vision.cards import columns
from companion.vision.cards.columns import assign_columns, read_display
from companion.vision.image.picture import Floats

WIDE, TALL = 60.0, 90.0


def quad(x: float, y: float, size: float = 1.0) -> Floats:
    """An upright card with its centre there."""
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (WIDE, TALL) * (size / 2)
    return np.asarray(half + np.array([x, y]), np.float32)


def card(label: str, x: float, y: float, confidence: float = 0.9) -> Sighting:
    """A card that was read there."""
    a, b, c, d = ((float(u), float(v)) for u, v in quad(x, y))
    return Sighting(label, confidence, (a, b, c, d))


@pytest.mark.parametrize(
    ("x", "y", "joined"),
    [(0.48, 0.4, True), (0.52, 0.4, False), (0.0, 0.93, True), (0.0, 0.97, False), (0.4, 0.9, True)],
)
def test_a_joker_belongs_to_the_column_that_it_lies_over(x: float, y: float, joined: bool) -> None:
    cards = [card("red 1", 200, 200), card("wild", 200 + x * WIDE, 200 + y * TALL)]
    monsters, _ = assign_columns(cards, "wild")
    assert monsters == ("red", "red" if joined else None)


@dataclass
class Drawn:
    """What CardSearch offers, with the cards and outlines that a test gives."""

    cards: Sequence[Sighting]
    outlines: Sequence[Floats]
    cost: float

    def __call__(self, image: object, deck: object, *, thorough: bool) -> Drawn:
        return self

    @property
    def evaluator(self) -> Drawn:
        return self

    @property
    def scene(self) -> object:
        return SimpleNamespace(image=np.zeros((600, 600, 3), np.uint8))

    def read(self) -> tuple[list[Sighting], int]:
        return list(self.cards), 0

    def rank_outlines(self, quads: Sequence[Floats]) -> list[list[SimpleNamespace]]:
        return [[SimpleNamespace(cost=self.cost)] for _ in quads]

    def evaluate(self, ranked: object) -> object:
        return object()


def doubts(monkeypatch: pytest.MonkeyPatch, search: Drawn) -> int:
    """How many doubts a display leaves that shows what `search` says."""
    named = [SimpleNamespace(quad=quad(*one.centre), sighting=one) for one in search.cards]
    monkeypatch.setattr(Drawn, "read", lambda self: (named, 0))
    monkeypatch.setattr(columns, "CardSearch", search)
    monkeypatch.setattr(columns, "to_sighting", lambda one, scale: one.sighting)
    reading = read_display(np.zeros((600, 600, 3), np.uint8), None, "joker")  # type: ignore[arg-type]
    return len(reading.unsure)


@pytest.mark.parametrize(("confidence", "count"), [(0.61, 0), (0.59, 1)])
def test_a_card_of_little_confidence_is_a_doubt(
    monkeypatch: pytest.MonkeyPatch, confidence: float, count: int
) -> None:
    assert doubts(monkeypatch, Drawn([card("red 1", 100, 100, confidence)], [], 1.0)) == count


@pytest.mark.parametrize(
    ("outline", "cost", "count"),
    [
        (quad(400, 400), 0.64, 1),
        (quad(400, 400), 0.66, 0),
        (quad(400, 400, 0.88), 0.1, 1),
        (quad(400, 400, 0.85), 0.1, 0),
        (quad(400, 400, 1.14), 0.1, 1),
        (quad(400, 400, 1.17), 0.1, 0),
        (quad(100 + 0.92 * WIDE, 100), 0.1, 1),
        (quad(100 + 0.88 * WIDE, 100), 0.1, 0),
    ],
)
def test_an_outline_like_a_card_and_of_its_size_is_a_doubt(
    monkeypatch: pytest.MonkeyPatch, outline: Floats, cost: float, count: int
) -> None:
    assert doubts(monkeypatch, Drawn([card("red 1", 100, 100)], [outline], cost)) == count
