"""The evening's tables as the camera sees them, at ten pictures a second: each landing once, in order."""

from __future__ import annotations

import numpy as np
import pytest
from tabletops import drawn_deck

from companion.commands.demo_night.drawn_table import DrawnTable
from companion.commands.demo_night.programme import programme
from companion.commands.demo_night.stage import schedule
from companion.core.observations import Landing, Removal, Watched
from companion.games import game_named
from companion.games.zone import default_zones
from companion.vision.tracking.landing import LandingWatcher

FPS = 10.0


@pytest.mark.parametrize("number", [0, 1], ids=["seven_merry_monsters", "nasty_7"])
def test_each_landing_of_the_evening_is_reported_once_with_its_card(number: int) -> None:
    scheduled = schedule(programme())[number]
    game = scheduled.plan.game
    performance = DrawnTable(scheduled, np.random.default_rng([7, number])).performance
    # A trick and the next one's first card; a round of the pile and the next one's first two cards.
    start, seconds = scheduled.start, (16.5, 27.0)[number]
    zones = default_zones(game_named(game).zones, len(scheduled.plan.players))
    watcher = LandingWatcher(drawn_deck(game), zones)
    reported: list[Landing] = []
    removed: list[Removal] = []
    mark = 0.0
    for index in range(int(seconds * FPS)):
        t = start + index / FPS
        for seen in watcher.feed(performance.frame(t).image, t):
            if isinstance(seen, Watched):
                assert seen.t >= mark
                mark = seen.t
            elif isinstance(seen, Removal):
                removed.append(seen)
            else:
                assert seen.t >= mark, "reported after the watermark had passed it"
                reported.append(seen)
    truth = [landing for landing in performance.landings() if landing.t < start + seconds - 1.5]
    assert len(truth) in (4, 6)
    assert [seen.sighting and seen.sighting.label for seen in reported] == [card.label for card in truth]
    for seen, card in zip(reported, truth, strict=True):
        assert seen.sighting is not None
        assert seen.zone == ("trick", "pile")[number]
        # Within a tenth of a second; under a hand that covers the card it may be a picture too early.
        assert -0.101 <= seen.t - card.t <= 1.5 / FPS
        assert np.abs(np.array(seen.sighting.corners) - card.corners).max() < 8.0
    cleared = sorted(card.label for card in truth[: (3, 4)[number]])
    assert sorted(seen.sighting.label for seen in removed if seen.sighting) == cleared
    assert mark > start + seconds - 0.2
