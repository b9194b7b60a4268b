"""Looking a deck over: every look is compared with all others, as if it had come from the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.core.message import Message, message
from companion.vision.deck.deck import Deck
from companion.vision.deck.labels import Template
from companion.vision.finder.limits import enrolment_limits
from companion.vision.image.picture import Array, Floats
from companion.vision.symbols import learn
from companion.vision.triangles.collect import look_costs

MOST_LISTED = 12


@dataclass(frozen=True)
class SimilarPair:
    """Two cards that look too much alike. `cost` is 0 for the same picture, 1 for nothing in common."""

    first: str
    second: str
    cost: float


@dataclass(frozen=True)
class Misread:
    """A look (its number among the card's looks, from 1) that looks more like another card of the deck."""

    label: str
    look: int
    other: str


@dataclass(frozen=True)
class DeckReport:
    """What its owner should know about a deck.

    `alike`: pairs of cards, nearest first. `misread`: looks nearer to another card than to their own.
    `plain`: cards with hardly any detail, found only where nothing covers them. `missing`: cards of the game
    that the deck has not; `strange`: labels that the game does not know, each with the one probably meant.
    `without_detail`: cards that an earlier version enrolled and kept less of; they are named less often.
    """

    alike: tuple[SimilarPair, ...] = ()
    misread: tuple[Misread, ...] = ()
    plain: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    strange: tuple[tuple[str, str], ...] = ()
    without_detail: tuple[str, ...] = ()

    def notes(self) -> tuple[Message, ...]:
        """The findings as messages, the most important first."""
        found = []
        if self.missing:
            found.append(listing("deck_check.missing", "deck_check.missing_many", self.missing))
        if self.without_detail:
            found.append(without_detail_note(self.without_detail))
        for label, meant in self.strange:
            if meant:
                found.append(message("deck_check.strange_meant", label=label, meant=meant))
            else:
                found.append(message("deck_check.strange", label=label))
        for pair in self.alike:
            found.append(message("deck_check.alike", first=pair.first, second=pair.second))
        for one in self.misread:
            found.append(message("deck_check.misread", look=one.look, label=one.label, other=one.other))
        if self.plain:
            found.append(listing("deck_check.plain", "deck_check.plain_many", self.plain))
        return tuple(found)


def check_deck(deck: Deck, template: Template | None = None) -> DeckReport:
    """Compares every look of the deck with all others, and its labels with those of the game."""
    costs = pairwise_costs(deck)
    return DeckReport(
        alike=_similar_pairs(deck, costs),
        misread=_misread_looks(deck, costs),
        plain=() if deck.symbols is not None or deck.triangles is not None else _plain_cards(deck),
        missing=template.missing(deck.names) if template else (),
        strange=template.strange(deck.names) if template else (),
        without_detail=deck.without_detail,
    )


def pairwise_costs(deck: Deck) -> Floats:
    """The costs (n, n) of all looks against each other, whichever way up: 0 same, 1 nothing in common."""
    if deck.symbols is not None:
        return np.asarray(1.0 - learn.pairwise_fits(deck.symbols), np.float32)
    if deck.triangles is not None:
        return np.stack([look_costs(look, deck.triangles) for look in deck.triangles])
    costs = np.stack([deck.gallery.mean_costs(look).min(axis=0) for look in deck.looks])
    return np.asarray(np.maximum(costs, costs.T))


def _similar_pairs(deck: Deck, costs: Floats) -> tuple[SimilarPair, ...]:
    nearest: dict[tuple[int, int], float] = {}
    first, second = np.nonzero(np.triu(costs < enrolment_limits().known.alike, 1))
    for a, b in zip(first.tolist(), second.tolist(), strict=True):
        low, high = sorted((int(deck.cards[a]), int(deck.cards[b])))
        if low != high:
            nearest[low, high] = min(float(costs[a, b]), nearest.get((low, high), 1.0))
    order = sorted(nearest.items(), key=lambda item: item[1])
    return tuple(SimilarPair(deck.names[a], deck.names[b], round(cost, 3)) for (a, b), cost in order)


def _misread_looks(deck: Deck, costs: Floats) -> tuple[Misread, ...]:
    """Leave one out: only cards with several looks can be evaluated by their own."""
    others = costs + np.eye(len(costs), dtype=np.float32) * 2.0
    found, known = [], enrolment_limits().known.known
    for card, label in enumerate(deck.names):
        own = np.flatnonzero(deck.cards == card)
        for number, look in enumerate(own.tolist(), 1):
            nearest = int(others[look].argmin())
            if len(own) > 1 and deck.cards[nearest] != card and others[look, nearest] < known:
                found.append(Misread(label, number, deck.labels[nearest]))
    return tuple(found)


def _plain_cards(deck: Deck) -> tuple[str, ...]:
    counts = np.bincount(deck.owners, minlength=len(deck.labels))
    per_card: Array = np.bincount(deck.cards, weights=counts, minlength=len(deck.names))
    few = np.flatnonzero(per_card < enrolment_limits().known.features)
    return tuple(deck.names[i] for i in few.tolist())


def shortened_list(words: Sequence[str]) -> str:
    """The words in one line, the last of many as a number."""
    if len(words) <= MOST_LISTED:
        return ", ".join(words)
    return f"{', '.join(words[:MOST_LISTED])} and {len(words) - MOST_LISTED} more"


def without_detail_note(names: Sequence[str]) -> Message:
    """The message about cards of an earlier version."""
    return listing("deck_check.without_detail", "deck_check.without_detail_many", names)


def listing(code: str, code_of_many: str, names: Sequence[str]) -> Message:
    """A message that lists names; beyond MOST_LISTED it has the code `code_of_many` and counts the others."""
    if len(names) <= MOST_LISTED:
        return message(code, names=tuple(names))
    return message(code_of_many, names=tuple(names[:MOST_LISTED]), more=len(names) - MOST_LISTED)
