"""A photographed display: its columns, its score, and what is asked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from click.testing import CliRunner
from flat_cards import GAME, drawn, lay, quad_at, table

from companion.commands.cli import group
from companion.core.errors import UsageError
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.display.limits import CoveredNameLimits, display_limits
from companion.vision.display.read import read_display
from companion.vision.image.picture import Image

STEP = 70.0


@pytest.fixture(scope="module")
def cards() -> dict[str, Image]:
    return drawn(["yellow 7", "blue 2", "blue 5", "red 4", "green 1", "joker"])


@pytest.fixture(scope="module")
def deck(cards: dict[str, Image]) -> Deck:
    return enrol_pictures(GAME, list(cards), list(cards.values())).deck


def display(cards: Mapping[str, Image], columns: Sequence[Sequence[str]]) -> Image:
    """Columns side by side, the last card of each on top."""
    picture = table(np.random.default_rng(1))
    for place, labels in enumerate(columns):
        for row, label in enumerate(labels):
            lay(picture, cards[label], quad_at(160 + 200 * place, 160 + STEP * row, 1.5 - row))
    return picture


def test_a_display_is_read_by_its_columns(deck: Deck, cards: dict[str, Image]) -> None:
    reading = read_display(
        display(cards, [["blue 2", "blue 5", "joker"], ["red 4"], ["green 1"]]), deck, "joker"
    )
    assert reading.display == {
        "blue": {"cards": 3, "jokers": 1},
        "red": {"cards": 1, "jokers": 0},
        "green": {"cards": 1, "jokers": 0},
    }
    assert reading.unsure == ()


def test_a_card_whose_number_is_not_sure_is_called_by_its_monster_alone(
    deck: Deck, cards: dict[str, Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = CoveredNameLimits(0.0, 0.0, 0.0, named=0.6)
    limits = msgspec.structs.replace(display_limits(), names=names)
    monkeypatch.setattr("companion.vision.display.read.display_limits", lambda: limits)
    reading = read_display(display(cards, [["blue 2", "joker"], ["red 4"]]), deck, "joker")
    assert sorted(card.label for card in reading.cards) == ["blue", "joker", "red"]
    assert all(card.confidence == pytest.approx(0.5, abs=0.01) for card in reading.cards)
    assert reading.display["blue"] == {"cards": 2, "jokers": 1}


def test_an_empty_table_is_asked_about_as_a_whole(deck: Deck) -> None:
    reading = read_display(table(np.random.default_rng(1)), deck, "joker")
    assert reading.cards == ()
    assert [place.reason.code for place in reading.unsure] == ["display.no_card"]


def test_an_open_score_lists_its_places_and_is_no_error(
    deck: Deck, cards: dict[str, Image], tmp_path: Path
) -> None:
    deck.save(tmp_path / "deck")
    cv2.imwrite(str(tmp_path / "empty.png"), table(np.random.default_rng(1)))
    cv2.imwrite(str(tmp_path / "display.png"), display(cards, [["blue 2", "blue 5"], ["red 4"]]))
    files = [str(tmp_path / "empty.png"), str(tmp_path / "display.png")]
    result = CliRunner().invoke(group, ["score", GAME, *files, "--deck", str(tmp_path / "deck"), "--json"])
    assert result.exit_code == 0, result.output
    empty, shown = (json.loads(line) for line in result.output.splitlines())
    assert empty["score"] is None
    (place,) = empty["unsure"]
    assert (len(place["corners"]), place["likely"], place["counted"]) == (4, [], False)
    assert (shown["score"], shown["unsure"]) == (16, [])
    assert shown["columns"] == {"blue": {"cards": 2, "jokers": 0}, "red": {"cards": 1, "jokers": 0}}


def test_a_deck_without_a_card_of_a_monster_says_what_to_do(cards: dict[str, Image]) -> None:
    joker = enrol_pictures("jokers", ["joker"], [cards["joker"]]).deck
    with pytest.raises(UsageError, match="learn the cards"):
        read_display(display(cards, [["blue 2", "joker"]]), joker, "joker")
