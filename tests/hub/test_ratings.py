"""Ratings: who wins rises, and each game makes a rating more certain."""

from datetime import datetime, timedelta, timezone

import pytest
from hall_messages import result, taken

from companion.hub.database import HubDatabase
from companion.hub.ratings import RatedGame, RatingBook, RatingReader
from companion.hub.standings import HallReader
from companion.hub.storing import ResultStore

START = datetime(2026, 11, 20, 20, 0, tzinfo=timezone(timedelta(hours=1)))


def test_winners_rise_and_uncertainty_falls() -> None:
    book = RatingBook()
    for _ in range(20):
        book.add(RatedGame("nasty_7", {"Ida": 1, "Jo": 2, "Kai": 3}))
    found = book.of_game("nasty_7")
    assert found["Ida"].mean > 25 > found["Kai"].mean
    assert found["Ida"].mean > found["Jo"].mean > found["Kai"].mean
    assert all(one.deviation < 7 and one.games == 20 for one in found.values())
    assert book.of_game("trio_monsters") == {}


def test_equal_places_change_equal_players_alike() -> None:
    book = RatingBook()
    book.add(RatedGame("nasty_7", {"Ida": 1, "Jo": 1}))
    found = book.of_game("nasty_7")
    assert found["Ida"].mean == pytest.approx(found["Jo"].mean)


def test_a_game_alone_is_not_rated() -> None:
    book = RatingBook()
    book.add(RatedGame("nasty_7", {"Ida": 1}))
    assert book.of_game("nasty_7") == {}


def test_new_games_are_added_and_left_out_ones_removed(database: HubDatabase) -> None:
    moments = iter(START + timedelta(minutes=k) for k in range(1000))
    store, reader = ResultStore(database, lambda: next(moments)), RatingReader(database)
    store.store(taken(result("g1", 1)))
    first = reader.of_game("trio_monsters")
    store.store(taken(result("g2", 2, "Jo", scores={"Jo": 9, "Ida": 2, "Kai": 1})))
    second = reader.of_game("trio_monsters")
    assert second["Ida"].games == 2
    assert second == RatingReader(database).of_game("trio_monsters"), "step by step as all at once"
    HallReader(database).leave_out("window", "g2", True)
    assert reader.of_game("trio_monsters") == first
    assert reader.of_game("nasty_7") == {}
