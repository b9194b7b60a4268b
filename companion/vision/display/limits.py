"""When the number of cards of a column is certain, and the name of a card. The limits are fitted by
`python -m bench --fit displays` and stand in models/vision/displays.json."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from companion.vision.display.column_events import ColumnCards, ColumnEvent

FILE = Path(__file__).resolve().parents[3] / "models" / "vision" / "displays.json"


@dataclass(frozen=True)
class CountLimits:
    """`certain`: probability of a number of cards from which nobody is asked; `doubtful`: log-odds of a
    start up to which it is asked about; `intercept`, `by_odds`, `by_seen`, `by_left`: the log-odds of a
    start by those of the network, which is too careful, by the probability of a card that the finder sees
    at its part, and by the product of that and the share that the deck leaves unexplained: what it explains
    of a bare table says nothing;
    `beyond`: mean probability of a card just beyond the covered end from which one more is asked about;
    `foreign`: what the deck leaves unexplained of every part of a column from which it may be none of
    cards."""

    certain: float
    doubtful: float
    intercept: float
    by_odds: float
    by_seen: float
    by_left: float
    beyond: float
    foreign: float

    def odds(self, odds: float, left: float, seen: float) -> float:
        """The log-odds of a start to which the network gives `odds`, of whose part the deck leaves the share
        `left` unexplained, and where the finder sees a card with the probability `seen`."""
        return self.intercept + self.by_odds * odds + seen * (self.by_seen + self.by_left * left)


@dataclass(frozen=True)
class CoveredNameLimits:
    """The log-odds that the name of a part is right: `intercept`, and slopes by how much more the next card
    of the column leaves unexplained than this one, by how much more of the column the next monster does, by
    what this card leaves, and by the share of it that is seen; `named`: the probability from which the name
    is shown."""

    intercept: float
    by_lead: float
    by_monster_lead: float
    by_left: float
    by_share: float
    named: float

    def likely(self, lead: float, monster_lead: float, left: float, share: float) -> float:
        """The probability that a name is right."""
        odds = self.intercept + self.by_lead * lead + self.by_monster_lead * monster_lead
        odds += self.by_left * left + self.by_share * share
        return 1.0 / (1.0 + math.exp(-odds))


@lru_cache(maxsize=1)
def count_limits() -> CountLimits:
    """The limits of counting that are shipped."""
    return CountLimits(**json.loads(FILE.read_text(encoding="utf-8"))["limits"])


@lru_cache(maxsize=1)
def covered_name_limits() -> CoveredNameLimits:
    """The limits of naming that are shipped."""
    return CoveredNameLimits(**json.loads(FILE.read_text(encoding="utf-8"))["names"])


def asked_starts(cards: ColumnCards, limits: CountLimits) -> list[ColumnEvent]:
    """The starts that must be asked about, most doubtful first: none if the number of cards is certain; the
    open card's if no other is in doubt."""
    if cards.certainty >= limits.certain:
        return []
    near = [one for one in (*cards.starts[:-1], *cards.unused) if abs(one.odds) < limits.doubtful]
    return sorted(near, key=lambda one: abs(one.odds)) or [cards.starts[-1]]
