"""When the number of cards of a column is certain, how sure the verifier is of its cards, and when the name
of a card is shown. These limits are fitted by `python -m bench --fit displays` and stand in
models/vision/displays.json."""

from __future__ import annotations

import math
from dataclasses import dataclass

import msgspec
import numpy as np

from companion.vision.display.column_events import ColumnCards, ColumnEvent
from companion.vision.image.picture import Array
from companion.vision.models import shipped_limits

FILE = "displays.json"


@dataclass(frozen=True)
class StartEvidence:
    """What speaks for a card that begins at a place of a column: its log-odds by the network; the probability
    of a card that the finder sees there; and how much more of the picture the deck explains with a card that
    begins there than without it. (What the verifier says of its cards adds nothing to that.)"""

    odds: float
    seen: float
    gain: float


@dataclass(frozen=True)
class EvidenceWeights:
    """Makes log-odds of what speaks for a start: `intercept`, and what each unit adds of the network's
    log-odds (the network is too careful), of the probability that the finder sees, and of the product of this
    probability and of what the deck gains: what a card explains of a bare table says nothing."""

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
    """`certain`: probability of a number of cards, and of a single start, from which nobody is asked;
    `leftover`: area of what looks like cards and is none that was found, by that of a card, from which it is
    asked about."""

    certain: float
    leftover: float
    weights: EvidenceWeights


@dataclass(frozen=True)
class CardModel:
    """Which card of the deck a part shows. All cards of the deck share the probability `other` alike; the
    rest is shared by the cards that the verifier was asked about, as exp(by_log_odds * log odds)."""

    by_log_odds: float
    other: float

    def shares(self, log_odds: Array) -> Array:
        """The probabilities (n,) of all cards of the deck; those that the verifier was not asked about have
        log odds of minus infinity.

        >>> CardModel(by_log_odds=1.0, other=0.1).shares(np.array([5.0, -np.inf])).round(3).tolist()
        [0.95, 0.05]
        """
        alike = np.full(len(log_odds), 1.0 / max(len(log_odds), 1))
        best = log_odds.max(initial=-math.inf)
        if best == -math.inf:
            return alike
        weights = np.exp(self.by_log_odds * (log_odds - best))
        return np.asarray((1.0 - self.other) * weights / weights.sum() + self.other * alike)


@dataclass(frozen=True)
class CoveredNameLimits:
    """Makes log-odds that the name of a part is right if its monster is: `intercept`, and what each unit adds
    of the lead over the next card of the column (see NamedPart) and of the log odds of the part's likeliest
    card. `named`: the probability from which the name is shown."""

    intercept: float
    by_lead: float
    by_known: float
    named: float

    def likely(self, lead: float, monster: float, known: float) -> float:
        """The probability that a name is right; `monster`: that of the column's monster."""
        odds = self.intercept + self.by_lead * lead + self.by_known * known
        return monster / (1.0 + math.exp(-odds))


class DisplayLimits(msgspec.Struct, frozen=True):
    """The limits of a file: of counting (`limits`), of how sure the verifier is of cards, and of names."""

    limits: CountLimits
    cards: CardModel
    names: CoveredNameLimits


def display_limits() -> DisplayLimits:
    """The limits that are shipped."""
    return shipped_limits(FILE, DisplayLimits)


def asked_starts(cards: ColumnCards, limits: CountLimits) -> list[ColumnEvent]:
    """The starts to ask about, most doubtful first; none if the count is certain, else at least the last."""
    if cards.certainty >= limits.certain:
        return []
    sure = math.log(limits.certain / (1.0 - limits.certain))
    near = [one for one in (*cards.starts[:-1], *cards.unused) if abs(one.odds) < sure]
    return sorted(near, key=lambda one: abs(one.odds)) or [cards.starts[-1]]
