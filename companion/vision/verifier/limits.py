"""The fitted limits of what the verifier decides. `python -m bench --fit eyes` writes them, with the data on
which they were fitted."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import numpy as np

from companion.vision.choice import choice_odds, choice_probabilities
from companion.vision.image.picture import Array, Floats
from companion.vision.models import shipped_limits

ABOUT = "verifier/verifier.json"
MOST_FEATURES = 16.0
"""More features than this add nothing: a card beside the place may have fifty, where the log odds are -10."""
LEAST_RIVAL = -15.0
"""The log odds of a rival count as this if they are less, or if there is none."""


@dataclass(frozen=True, eq=False)
class PlaceEvidence:
    """What speaks for each of the cards of a place (n,): the `log_odds` of the verifier; `features` that are
    seen there and that no other card of the deck has; `support`, the marks of the card that fit (see
    match.score); and what speaks against it, the log odds of its `rivals`, the likeliest other card each. 0
    where one of them is not asked."""

    log_odds: Floats
    features: Floats
    support: Floats
    rivals: Floats

    @staticmethod
    def of_strip(log_odds: Floats) -> PlaceEvidence:
        """That of a strip: what the verifier says of each card, and of its rival.

        >>> PlaceEvidence.of_strip(np.array([2.5, -1.0, -40.0], np.float32)).rivals.tolist()
        [-1.0, 2.5, 2.5]
        """
        rivals = [np.delete(log_odds, at).max(initial=LEAST_RIVAL) for at in range(len(log_odds))]
        none = np.zeros_like(log_odds)
        return PlaceEvidence(log_odds, none, none, np.array(rivals, np.float32))

    def columns(self) -> Floats:
        """All of it as the model weighs it (n, 4)."""
        features = np.minimum(self.features, MOST_FEATURES)
        return np.stack([self.log_odds, features, np.log1p(self.support), self.rivals], axis=1)


@dataclass(frozen=True)
class ChoiceModel:
    """Which card a place shows (a conditional logit with "none of them" among the choices). A card has the
    share of exp(by_log_odds * log odds + by_features * features + by_support * log(1 + support) + by_rivals *
    rivals + offset) among those of all cards and one."""

    by_log_odds: float
    by_features: float
    by_support: float
    by_rivals: float
    offset: float

    def probabilities(self, evidence: PlaceEvidence) -> Floats:
        """The probability of each of the cards of a place (n,); what is left to 1 is that of none of them.

        >>> nothing = np.zeros(2, np.float32)
        >>> model = ChoiceModel(by_log_odds=1.0, by_features=0.2, by_support=1.0, by_rivals=0.0, offset=0.0)
        >>> model.probabilities(PlaceEvidence(nothing, nothing, nothing, nothing)).round(3).tolist()
        [0.3330000042915344, 0.3330000042915344]
        """
        return np.asarray(choice_probabilities(self._odds(evidence)), np.float32)

    def each_alone(self, evidence: PlaceEvidence) -> Floats:
        """The same of cards (n,) of which each is the only one of its place."""
        odds = self._odds(evidence)
        return np.asarray(odds / (1.0 + odds), np.float32)

    def _odds(self, evidence: PlaceEvidence) -> Array:
        weights = np.array([self.by_log_odds, self.by_features, self.by_support, self.by_rivals])
        return choice_odds(evidence.columns() @ weights + self.offset)


@dataclass(frozen=True)
class NameLimits:
    """A card is named if its probability is above `least`, or above `least_ahead` if the closest other card
    costs more by more than `ahead` (its margin, see match.score): a card that is not enrolled may be taken
    for a similar one, which then is hardly ahead of others. A limit above 1: no such card is named.

    >>> limits = NameLimits(ahead=0.1, least_ahead=0.6, least=0.9)
    >>> limits.is_named(0.7, margin=0.2), limits.is_named(0.7, margin=0.0)
    (True, False)
    """

    ahead: float
    least_ahead: float
    least: float

    def is_named(self, probability: float, margin: float) -> bool:
        """Whether a card of that probability is named."""
        return probability > (self.least_ahead if margin > self.ahead else self.least)


@dataclass(frozen=True)
class NamingLimits:
    """When cards are named. Decks of a likeness above `similar` have limits of their own."""

    model: ChoiceModel
    similar: float
    different: NameLimits
    alike: NameLimits

    def of(self, likeness: float) -> NameLimits:
        """Those of a deck of this likeness."""
        return self.alike if likeness > self.similar else self.different


@dataclass(frozen=True)
class FieldLimits:
    """Places of the field of 13 Monsters that do not show the back: the probability of the likeliest card
    above which the place shows it, and that the finder sees any card above which one that is not known lies
    there."""

    card: float
    seen: float


class VerifierLimits(msgspec.Struct, frozen=True):
    """All of them: `places` of soft pictures, and those that are left over beside the named cards of others;
    `places_refined`, those of soft pictures by a judge that was refined on the deck; cards on a `table`, each
    of which explains most of its place; `strips`, the ends of covered cards, where decks are similar by the
    likeness of ends; and the `field` of 13 Monsters."""

    places: NamingLimits
    places_refined: NamingLimits
    table: NamingLimits
    strips: NamingLimits
    field: FieldLimits


def verifier_limits() -> VerifierLimits:
    """The limits that are shipped."""
    return shipped_limits(ABOUT, VerifierLimits)
