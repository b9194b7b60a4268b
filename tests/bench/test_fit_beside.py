"""Places of tables of known truth, to fit when the card of a place is named."""

from __future__ import annotations

import pytest

from bench.surrogates.sets import own_cards
from bench.vision import fit_beside, fit_matches
from bench.vision.half_decks import KINDS, PrintedDeck
from companion.vision.cards.recognise import CardReader
from companion.vision.match.limits import search_limits
from companion.vision.match.score import CardMatch

LABELS = tuple(f"{colour} {number}" for colour in ("blue", "red", "orange", "yellow") for number in (2, 5))


def test_places_of_cards_that_no_match_names_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """No match is named: every card of the picture is left for the places, as many as are asked about."""

    def none(_: CardReader) -> list[CardMatch]:
        return []

    monkeypatch.setattr(CardReader, "confirmed", none)
    monkeypatch.setattr(fit_matches, "TABLES", {"table": KINDS["table"]})
    cards = {label: own_cards()[label] for label in LABELS}
    _, other, whole = fit_beside.fitted_parts("four", PrintedDeck(cards, cards), 2, 4)
    pictures = whole.pictures
    assert sum(one.known for one in pictures) > 1
    right = [place.right < len(place.evidence.log_odds) for one in pictures for place in one.places]
    assert sum(right) == sum(min(one.known, search_limits().places.most_beside) for one in pictures)
    assert {one.known for one in other.pictures} == {0}, "its cards are not in the picture"
    assert all(place.right == len(place.evidence.log_odds) for one in other.pictures for place in one.places)


def test_cards_that_a_match_names_are_not_left(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = {label: own_cards()[label] for label in LABELS}
    monkeypatch.setattr(fit_matches, "TABLES", {"table": KINDS["table"]})
    _, _, whole = fit_beside.fitted_parts("four", PrintedDeck(cards, cards), 2, 4)
    assert [one.known for one in whole.pictures] == [0, 0]
