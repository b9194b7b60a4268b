"""Fits how sure the verifier is of cards in displays (companion.vision.display.limits.CardModel), so that the
true monsters of the columns of development decks are likeliest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from companion.vision.display.limits import CardModel
from companion.vision.display.naming import ComparedPart, DeckMonsters

FIRST = CardModel(by_log_odds=1.0, other=0.01)
SPREADS = (2.0, 1.4, 1.2, 1.1)
"""Factors by which both numbers are made larger and smaller, one after the other, as long as that helps."""


@dataclass(frozen=True, eq=False)
class FittedMonster:
    """The parts of a column that were counted, and the monster that it is of."""

    parts: tuple[ComparedPart, ...]
    monsters: DeckMonsters
    monster: str

    def cost(self, model: CardModel) -> float:
        """How unlikely the model finds the true monster: the negative logarithm of its probability."""
        logs = replace(self.monsters, model=model).log_likelihoods(self.parts)
        own = logs[list(self.monsters.cards).index(self.monster)]
        return float(np.log(np.exp(logs - logs.max()).sum()) + logs.max() - own)


def fit_card_model(columns: Sequence[FittedMonster]) -> tuple[CardModel, dict[str, object]]:
    """The model of least mean cost, and the figures of the data it comes from."""
    best = FIRST
    least = _cost(columns, best)
    for spread in SPREADS:
        while True:
            steps = product((1 / spread, 1.0, spread), repeat=2)
            trials = [CardModel(best.by_log_odds * a, best.other * b) for a, b in steps if (a, b) != (1, 1)]
            costs = [_cost(columns, trial) for trial in trials]
            if min(costs) >= least:
                break
            least, best = min(costs), trials[int(np.argmin(costs))]
    model = CardModel(round(best.by_log_odds, 3), round(best.other, 4))
    return model, {"monsters": len(columns), "cost_of_a_monster": round(_cost(columns, model), 4)}


def _cost(columns: Sequence[FittedMonster], model: CardModel) -> float:
    return float(np.mean([one.cost(model) for one in columns]))
