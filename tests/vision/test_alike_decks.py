"""Decks whose cards are hard to tell apart, which the verifier learns from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from invented_sources import invented_sources

from models.vision.namer.alike_decks import LAYOUTS, alike_deck, mark_places
from models.vision.namer.made_decks import HEIGHT, WIDTH, H, W


def test_a_seed_always_makes_the_same_deck(tmp_path: Path) -> None:
    sources = invented_sources(tmp_path)
    first, again, other = (alike_deck(seed, sources, 8) for seed in (60_000, 60_000, 60_001))
    assert [card.shape for card in first] == [(HEIGHT, WIDTH, 3)] * 8
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert alike_deck(60_000, sources, 2, large=True)[0].shape == (H, W, 3)


def test_the_next_card_of_a_deck_differs_in_a_small_part(tmp_path: Path) -> None:
    sources, shares = invented_sources(tmp_path), []
    for seed in range(60_000, 60_012):
        one, following = (card.astype(int) for card in alike_deck(seed, sources)[:2])
        shares.append(float((np.abs(one - following).max(axis=2) > 20).mean()))
    assert np.median(shares) < 0.2
    assert max(shares) > 0.0


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("count", [1, 2, 5, 9, 12])
def test_a_card_shows_as_many_marks_as_its_number(layout: str, count: int) -> None:
    places = mark_places(layout, count, tuple((0.02 * i, 0.5) for i in range(40)))
    assert len(set(places)) == len(places) == count
