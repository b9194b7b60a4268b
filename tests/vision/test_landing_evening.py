"""The evening's tables as the camera sees them, at ten pictures a second: each landing once, in order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion import art
from companion.app import DEFAULT_ZONES
from companion.evening.programme import programme
from companion.evening.stage import Table, schedule
from companion.observations import Landing, Watched
from companion.vision.deck import Deck
from companion.vision.enrolling import enrol_pictures
from companion.vision.landing import LandingWatcher

FPS = 10.0


@pytest.fixture(scope="session", params=["seven_merry_monsters", "nasty_7"])
def drawn_deck(request: pytest.FixtureRequest) -> Deck:
    """A deck enrolled from the drawings of its cards."""
    game = str(request.param)
    shipped = Path(__file__).parents[2] / "models" / "decks" / game
    if (shipped / "deck.npz").is_file():
        return Deck.load(shipped)
    labels = art.card_labels(game)
    return enrol_pictures(game, labels, [art.draw_card(game, label, 440) for label in labels]).deck


def test_each_landing_of_the_evening_is_told_once_with_its_card(drawn_deck: Deck) -> None:
    number = ["seven_merry_monsters", "nasty_7"].index(drawn_deck.name)
    scheduled = schedule(programme())[number]
    performance = Table(scheduled, np.random.default_rng([7, number])).performance
    # A trick and the next one's first card; a round of the pile and the next one's first two cards.
    start, seconds = scheduled.start, (16.5, 27.0)[number]
    watcher = LandingWatcher(drawn_deck, DEFAULT_ZONES[drawn_deck.name])
    told: list[Landing] = []
    mark = 0.0
    for index in range(int(seconds * FPS)):
        t = start + index / FPS
        for seen in watcher.feed(performance.frame(t).image, t):
            if isinstance(seen, Watched):
                assert seen.t >= mark
                mark = seen.t
            else:
                assert seen.t >= mark, "told after the watermark had passed it"
                told.append(seen)
    truth = [landing for landing in performance.landings() if landing.t < start + seconds - 1.5]
    assert len(truth) in (4, 6)
    assert [seen.sighting and seen.sighting.label for seen in told] == [card.label for card in truth]
    for seen, card in zip(told, truth, strict=True):
        assert seen.sighting is not None
        assert seen.zone == ("trick", "pile")[number]
        assert -0.5 / FPS <= seen.t - card.t <= 1.5 / FPS
        assert np.abs(np.array(seen.sighting.corners) - card.corners).max() < 8.0
    assert mark > start + seconds - 0.2
