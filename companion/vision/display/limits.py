"""The limits by which displays are read.

What is certain, how sure the verifier is of cards, and when names are shown (DisplayLimits) is fitted by
`python -m bench --fit displays` and stands in models/vision/displays.json. How columns are found and looked
at (ColumnLimits) is fitted by `python -m bench --fit columns`, and stands in models/vision/columns.json.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import msgspec
import numpy as np

from companion.vision.image.picture import Array
from companion.vision.models import shipped_limits

FILE, COLUMNS_FILE = "displays.json", "columns.json"


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


class RegionLimits(msgspec.Struct, frozen=True):
    """Which regions of the finder's maps make a column (display.regions, display.columns)."""

    card: float
    """Probability from which a pixel of the maps is a card's, or an edge."""
    surer_card: float
    """The same where regions are separated by what lies between them a second time."""
    least_side: float
    """Pixels of the maps of the shorter side of a region that is looked at."""
    shortest: float
    """Length of the shortest column, in card lengths."""
    full: float
    """Least share of its parallelogram that a region fills by which the size of cards is measured."""
    same_size: float
    """Deviation of the width (a share) up to which two such regions are of one size."""
    slant: float
    """Largest tangent by which the corner of a card may differ from a right angle."""
    like_slopes: float
    """Difference of the slopes of two opposite sides of a card up to which both are believed."""
    widest: float
    """Width of a column, in card widths, at most, and by what it may be narrower than one card."""
    gap: float
    """Card widths that may lie between two regions of a column."""
    direction: float
    """Least cosine between the direction of a column and that of the cards' length."""
    same_place: float
    """Card widths by which the corners of columns differ at most that are found twice."""


class ShapeLimits(msgspec.Struct, frozen=True):
    """What shape a card of a column may have (display.straight)."""

    narrowest: float
    """Width of a card against the usual width of columns, in which cards lie beside each other a little."""
    broadest: float
    """The same, at most."""
    slope: float
    """Largest slope of a card in its column."""


class ViewLimits(msgspec.Struct, frozen=True):
    """How the camera may look at the table (display.table_view)."""

    away: float
    """Standard deviation of the camera's tilt, in radians, away from who holds it, so that the top of the
    picture is farther away. A camera turns its pictures that way up."""
    aside: float
    """The same in any other direction."""
    width: float
    """Standard deviation of the logarithm of a card's measured width."""
    length: float
    """The same of its length."""
    like_tilt: float
    """Difference of the tilt, in radians, up to which two views are alike."""
    like_scale: float
    """Difference of the logarithm of the scale up to which they are."""


class LookLimits(msgspec.Struct, frozen=True):
    """Which columns are there, and how often each is looked at (display.counting)."""

    good: float
    """Log-odds for each card from which no other size of the picture is looked at, if nothing is left over.
    Of 120 displays of development decks 45 had 7.2 or less at the first size; the likeliest columns of all
    three sizes have the right numbers of cards in 37 of these, those of the first in 33."""
    wrong_area: float
    """Log-odds lost for each card's area that looks like cards and is in no column, or the reverse."""
    overlap: float
    """Share of the smaller of two columns within the other from which both cannot be there."""
    sure: float
    """Probability of the number of cards of a column from which one view is enough."""
    clear_way: float
    """Log-odds by which one way round must be likelier for the other columns not to be asked."""
    wider: float
    """Share of its width by which further views show a column broader or narrower."""
    aside: float
    """Share of its width by which they are moved aside."""
    turned: float
    """Share of its width by which either end is moved aside in a view that is turned."""


class EventLimits(msgspec.Struct, frozen=True):
    """What the column network sees (display.column_events)."""

    least: float
    """Probability from which an event is considered."""
    most_odds: float
    """The largest log-odds of one."""
    length: float
    """Standard deviation of the length of a card, in card lengths."""


class CardLimits(msgspec.Struct, frozen=True):
    """How many cards of the deck a part is compared with (display.comparer), and which monsters are clear."""

    clear_start: float
    """Log-odds by the network from which a card surely begins there, so that the column is not compared
    without it as well, which takes time."""
    judged: int
    """Likeliest cards of each part that the verifier judges,"""
    more_judged: int
    """and if none of those is clear,"""
    most_judged: int
    """and if the monster of the column is not clear after that."""
    clear: float
    """Log odds of a card by the verifier from which it is clear."""
    clear_monster: float
    """Probability of the monster of a column, by itself, from which it is clear."""
    same_monster: float
    """Log odds by which another column's monster must be likelier for two columns to share a monster."""


class ColumnLimits(msgspec.Struct, frozen=True):
    """How columns are found, looked at and compared, by the steps of a reading."""

    regions: RegionLimits
    shapes: ShapeLimits
    views: ViewLimits
    looks: LookLimits
    events: EventLimits
    cards: CardLimits


def column_limits() -> ColumnLimits:
    """The limits that are shipped."""
    return shipped_limits(COLUMNS_FILE, ColumnLimits)
