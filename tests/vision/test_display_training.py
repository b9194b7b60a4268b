"""The pictures that the card finder and the column network are trained on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from invented_sources import invented_sources

from companion.vision.display.column_network import CARD_ROWS, CARD_WIDTH, SIDE
from models.vision.column_reader import pictures
from models.vision.column_reader.scenes import training_columns
from models.vision.finder.cards import random_deck
from models.vision.finder.scenes import HEIGHT, WIDTH, training_picture
from models.vision.namer.made_decks import DeckSources, drawn_card, pale, random_style


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> DeckSources:
    return invented_sources(tmp_path_factory.mktemp("sources"))


def test_cards_of_a_pale_style_are_of_one_light_colour_but_for_few_marks(sources: DeckSources) -> None:
    for seed in range(8):
        rng = np.random.default_rng(seed)
        style = pale(random_style(rng, sources), rng)
        card = drawn_card(style, 0, seed % 7, np.random.default_rng(1), sources)
        usual = np.median(card.reshape(-1, 3), axis=0)
        unlike = float((np.abs(card - usual).max(axis=2) > 12).mean())
        assert usual.max() > 185
        assert unlike < 0.35
        assert card.std() > 0.5


def test_a_pale_card_has_as_many_tokens_as_its_value(sources: DeckSources) -> None:
    rng = np.random.default_rng(2)
    style = pale(random_style(rng, sources), rng)
    style = replace(style, motif="tokens", corner="none", ink="dark", ground="paper", texture=0)
    shares = [
        float((drawn_card(style, 0, value, rng, sources).max(axis=2) < 90).mean()) for value in range(7)
    ]
    assert shares == sorted(shares)
    assert shares[0] > 0


def test_decks_differ_and_a_deck_draws_the_same_card_again(sources: DeckSources) -> None:
    decks = [random_deck(np.random.default_rng(seed), sources) for seed in range(12)]
    assert len({deck.height for deck in decks}) > 6
    assert 0 < sum(deck.is_pale for deck in decks) < 12
    one, two = (decks[0].card(1, np.random.default_rng(4), may_be_joker=False) for _ in range(2))
    assert np.array_equal(one, two)
    assert one.shape[0] == decks[0].height


def test_training_pictures_say_where_cards_are_seen_and_end(sources: DeckSources) -> None:
    made = [training_picture(np.random.default_rng([4, number]), sources) for number in range(6)]
    assert all(one.image.shape == (HEIGHT, WIDTH, 3) for one in made)
    shown = [one for one in made if one.card.any()]
    assert len(shown) > 3
    for one in shown:
        inside = one.card > 0
        beside = np.zeros_like(inside)
        beside[:, :-1] |= inside[:, :-1] != inside[:, 1:]
        beside[:-1] |= inside[:-1] != inside[1:]
        assert (one.edge[beside] == 255).all()


def test_training_columns_say_where_their_cards_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sources: DeckSources
) -> None:
    scenes = [training_columns(np.random.default_rng([3, number]), sources) for number in range(12)]
    made = [one for scene in scenes for one in scene]
    assert {len(scene) for scene in scenes} == {1, 2, 3}
    assert all(one.picture.shape[1] == CARD_WIDTH + 2 * SIDE for one in made)
    assert all(one.picture.shape[0] % 16 == 0 for one in made)
    full = [one for one in made if one.end is not None]
    assert len(full) >= 12
    for one in full:
        assert list(one.starts) == sorted(one.starts)
        assert one.end is not None
        assert one.end - one.starts[-1] == pytest.approx(CARD_ROWS, rel=0.2)
    again = training_columns(np.random.default_rng([3, 0]), sources)[0]
    assert np.array_equal(again.picture, made[0].picture)
    monkeypatch.setattr(pictures, "sources_of", lambda work: sources)
    given = ["pictures", str(tmp_path), "--work", str(tmp_path), "--count", "1", "--seed", "3"]
    monkeypatch.setattr("sys.argv", given)
    pictures.main()
    truth = json.loads((tmp_path / "00000-0.json").read_text())
    assert truth["starts"] == pytest.approx(made[0].starts)
