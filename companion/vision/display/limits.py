"""When the number of cards of a column is certain. The limits are fitted by `python -m bench --fit displays`
and stand in models/vision/displays.json."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from companion.vision.display.column_events import ColumnCards, ColumnEvent

FILE = Path(__file__).resolve().parents[3] / "models" / "vision" / "displays.json"


@dataclass(frozen=True)
class CountLimits:
    """`certain`: probability of a number of cards from which nobody is asked; `doubtful`: log-odds of a start
    up to which it is asked about; `intercept`, `slope`: what is added to the log-odds of a start where the
    number is uncertain, by the share of the part that the deck leaves unexplained; `beyond`: mean probability
    of a card just beyond the covered end from which one more is asked about."""

    certain: float
    doubtful: float
    intercept: float
    slope: float
    beyond: float

    def evidence(self, left: float) -> float:
        """What a part of which the deck leaves that share unexplained adds to the log-odds of its start."""
        return self.intercept + self.slope * left


@lru_cache(maxsize=1)
def count_limits() -> CountLimits:
    """The limits that are shipped."""
    return CountLimits(**json.loads(FILE.read_text(encoding="utf-8"))["limits"])


def asked_starts(cards: ColumnCards, limits: CountLimits) -> list[ColumnEvent]:
    """The starts that must be asked about, most doubtful first: none if the number of cards is certain; the
    open card's if no other is in doubt."""
    if cards.certainty >= limits.certain:
        return []
    near = [one for one in (*cards.starts[:-1], *cards.unused) if abs(one.odds) < limits.doubtful]
    return sorted(near, key=lambda one: abs(one.odds)) or [cards.starts[-1]]
