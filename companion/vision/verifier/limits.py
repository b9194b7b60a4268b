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


class EvidenceBounds(msgspec.Struct, frozen=True):
    """What is weighed by the fitted models, and how alike the cards of a deck are. These numbers were set by
    hand; with others all models must be fitted again."""

    features: float
    """More features than this add nothing: a card beside the place may have fifty, where the log odds are
    -10."""
    lead: float
    """A larger lead over the likeliest other card adds nothing."""
    likeness: float
    """The likeness of a deck counts as this if it is less: all of its cards are different."""
    like_share: float
    """The likeness of a deck is what the log odds of another card exceed for that share of its cards."""
    end_share: float
    """Share of a card's length that its end has."""


@dataclass(frozen=True, eq=False)
class PlaceEvidence:
    """What speaks for each of the cards of a place (n,): the `log_odds` of the verifier; `features` that are
    seen there and that no other card of the deck has; `support`, the marks of the card that fit (see
    match.score); and the `lead` of its log odds over those of the likeliest other card. 0 where one of them
    is not asked."""

    log_odds: Floats
    features: Floats
    support: Floats
    lead: Floats

    @staticmethod
    def of_strip(log_odds: Floats) -> PlaceEvidence:
        """The evidence for the cards of a strip: what the verifier says of each card.

        >>> PlaceEvidence.of_strip(np.array([2.5, -1.0, -40.0], np.float32)).lead.tolist()
        [3.5, -3.5, -42.5]
        """
        others = [np.delete(log_odds, at).max(initial=-np.inf) for at in range(len(log_odds))]
        none, lead = np.zeros_like(log_odds), np.minimum(log_odds - others, verifier_limits().bounds.lead)
        return PlaceEvidence(log_odds, none, none, np.asarray(lead, np.float32))

    def columns(self) -> Floats:
        """The evidence as the model weighs it (n, 4)."""
        features = np.minimum(self.features, verifier_limits().bounds.features)
        return np.stack([self.log_odds, features, np.log1p(self.support), self.lead], axis=1)


@dataclass(frozen=True)
class ChoiceModel:
    """Which card a place shows (a conditional logit with "none of them" among the choices). A card has the
    share of exp(by_log_odds * log odds + by_features * features + by_support * log(1 + support) + by_lead *
    lead + offset) among those of all cards and one."""

    by_log_odds: float
    by_features: float
    by_support: float
    by_lead: float
    offset: float

    def probabilities(self, evidence: PlaceEvidence) -> Floats:
        """The probability of each of the cards of a place (n,); what is left to 1 is that of none of them.

        >>> nothing = np.zeros(2, np.float32)
        >>> model = ChoiceModel(by_log_odds=1.0, by_features=0.2, by_support=1.0, by_lead=0.0, offset=0.0)
        >>> model.probabilities(PlaceEvidence(nothing, nothing, nothing, nothing)).round(3).tolist()
        [0.3330000042915344, 0.3330000042915344]
        """
        return np.asarray(choice_probabilities(self._odds(evidence)), np.float32)

    def each_alone(self, evidence: PlaceEvidence) -> Floats:
        """The probabilities of cards (n,) of which each is the only one of its place."""
        odds = self._odds(evidence)
        return np.asarray(odds / (1.0 + odds), np.float32)

    def _odds(self, evidence: PlaceEvidence) -> Array:
        weights = np.array([self.by_log_odds, self.by_features, self.by_support, self.by_lead])
        return choice_odds(evidence.columns() @ weights + self.offset)


@dataclass(frozen=True)
class NameLimit:
    """The least probability of a name. The more the cards of a deck are alike, the more probable a card must
    be: one that is not enrolled may be like one that is. `log_odds`: the log odds of that probability in a
    deck of likeness 0 (see EnrolledCards); `by_likeness`: how much they rise for each unit of likeness;
    `least`: the least probability in any deck, by which a card is more probable than all else together.

    >>> limit = NameLimit(log_odds=1.0, by_likeness=0.2)
    >>> [round(limit.probability(likeness), 3) for likeness in (-np.inf, -2.0, 0.0, 5.0)]
    [0.5, 0.646, 0.731, 0.881]
    """

    log_odds: float
    by_likeness: float
    least: float = 0.5

    def probability(self, likeness: float) -> float:
        """The probability above which cards of a deck of this likeness are named."""
        found = least_probability(np.array(self.log_odds), np.array(self.by_likeness), likeness)
        return max(self.least, float(found))


def least_probability(log_odds: Array, by_likeness: Array, likeness: float) -> Array:
    """The least probability of a name for many limits at once, whatever is the least in any deck; the shapes
    of the arrays broadcast."""
    least = log_odds + by_likeness * max(likeness, verifier_limits().bounds.likeness)
    return np.asarray(1.0 / (1.0 + np.exp(-least)))


@dataclass(frozen=True)
class Naming:
    """When cards are named, by their probability by `model`."""

    model: ChoiceModel
    limit: NameLimit


@dataclass(frozen=True)
class FieldLimits:
    """Places of the field of 13 Monsters that do not show the back: the probability of the likeliest card
    above which the place shows it, and that the finder sees any card above which one that is not known lies
    there."""

    card: float
    seen: float


class VerifierLimits(msgspec.Struct, frozen=True):
    """When cards are named: `matches`, each of which explains most of its part of the picture; `places` of
    soft pictures that no named match covers, `places_refined` by a judge that was refined on the deck, and
    such places of `sharp` pictures; `strips`, the ends of covered cards, by the likeness of ends; the
    `field` of 13 Monsters; and the `bounds` of what is weighed."""

    matches: Naming
    places: Naming
    places_refined: Naming
    sharp: Naming
    strips: Naming
    bounds: EvidenceBounds
    field: FieldLimits


def verifier_limits() -> VerifierLimits:
    """The limits that are shipped."""
    return shipped_limits(ABOUT, VerifierLimits)
