"""When the number of cards of a column is certain, and the name of a card. The limits are fitted by
`python -m bench --fit displays` and stand in models/vision/displays.json."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from companion.vision.display.column_events import ColumnCards, ColumnEvent

FILE = Path(__file__).resolve().parents[3] / "models" / "vision" / "displays.json"


@dataclass(frozen=True)
class StartEvidence:
    """What speaks for a card that begins at a place of a column: its log-odds by the network; the probability
    of a card that the finder sees there; and how much more of the picture the deck explains with a card that
    begins there than without. How likely the verifier finds its cards says nothing more."""

    odds: float
    seen: float
    gain: float


@dataclass(frozen=True)
class EvidenceWeights:
    """The log-odds of a start: `intercept`, and slopes by those of the network, which is too careful, by the
    probability that the finder sees, and by the product of that and what the deck gains: what a card explains
    of a bare table says nothing."""

    intercept: float = 0.0
    by_odds: float = 1.0
    by_seen: float = 0.0
    by_gain: float = 0.0

    def odds(self, start: StartEvidence) -> float:
        """The log-odds that a card begins there."""
        return (
            self.intercept
            + self.by_odds * start.odds
            + start.seen * (self.by_seen + self.by_gain * start.gain)
        )


@dataclass(frozen=True)
class CountLimits:
    """`certain`: probability of a number of cards from which nobody is asked; `doubtful`: log-odds of a
    start up to which it is asked about; `beyond`: mean probability of a card just beyond the covered end
    from which one more is asked about."""

    certain: float
    doubtful: float
    beyond: float
    weights: EvidenceWeights


@dataclass(frozen=True)
class CoveredNameLimits:
    """The log-odds that the monster of a column is right: `monster`, and a slope by how much less likely the
    next monster is. The log-odds that the name of a part is right if its monster is: `intercept`, and slopes
    by how much less likely the next card of the column is, by the log odds of this one, and by the share of
    it that is seen. `named`: the probability from which the name is shown."""

    monster: float
    by_monster_lead: float
    intercept: float
    by_lead: float
    by_known: float
    by_share: float
    named: float

    def likely(self, lead: float, monster_lead: float, known: float, share: float) -> float:
        """The probability that a name is right."""
        number = self.intercept + self.by_lead * lead + self.by_known * known + self.by_share * share
        return _probability(self.monster + self.by_monster_lead * monster_lead) * _probability(number)


def _probability(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-odds))


@lru_cache(maxsize=1)
def count_limits() -> CountLimits:
    """The limits of counting that are shipped."""
    return msgspec.convert(_stored()["limits"], CountLimits)


@lru_cache(maxsize=1)
def covered_name_limits() -> CoveredNameLimits:
    """The limits of naming that are shipped."""
    return msgspec.convert(_stored()["names"], CoveredNameLimits)


def _stored() -> dict[str, Any]:
    stored: dict[str, Any] = msgspec.json.decode(FILE.read_bytes())
    return stored


def asked_starts(cards: ColumnCards, limits: CountLimits) -> list[ColumnEvent]:
    """The starts that must be asked about, most doubtful first: none if the number of cards is certain; the
    open card's if no other is in doubt."""
    if cards.certainty >= limits.certain:
        return []
    near = [one for one in (*cards.starts[:-1], *cards.unused) if abs(one.odds) < limits.doubtful]
    return sorted(near, key=lambda one: abs(one.odds)) or [cards.starts[-1]]
