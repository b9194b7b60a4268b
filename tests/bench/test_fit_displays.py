"""How sure the verifier is of the cards of a display is fitted to the true monsters of columns."""

from __future__ import annotations

import numpy as np

from bench.displays.fit_cards import FittedMonster, fit_card_model
from companion.vision.cards.verified_places import VerifiedCard
from companion.vision.display.limits import CardModel
from companion.vision.display.naming import ComparedPart, DeckMonsters
from companion.vision.display.straight import CardPart

QUAD = np.zeros((4, 2), np.float32)
MONSTERS = DeckMonsters.of(["red 1", "pink 1"], "joker", CardModel(1.0, 0.5))


def columns(ahead: float, right: int, wrong: int) -> list[FittedMonster]:
    """So many columns whose red card is ahead by those log odds, and is red or is not."""
    cards = {"red 1": VerifiedCard(0, QUAD, ahead), "pink 1": VerifiedCard(1, QUAD, 0.0)}
    parts = (ComparedPart(CardPart(QUAD, 1.0), None, cards),)
    monsters = ["red"] * right + ["pink"] * wrong
    return [FittedMonster(parts, MONSTERS, monster) for monster in monsters]


def test_the_fitted_model_is_as_sure_as_the_columns_are_right() -> None:
    seen = columns(1.0, 70, 30) + columns(3.0, 92, 8)
    model, about = fit_card_model(seen)
    assert about["monsters"] == 200
    for ahead, share in ((1.0, 0.7), (3.0, 0.92)):
        (one,) = columns(ahead, 1, 0)
        assert abs(np.exp(-one.cost(model)) - share) < 0.06
