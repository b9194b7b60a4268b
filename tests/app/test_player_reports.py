"""Reports about players: wins by game, head to head, times of calls."""

from companion.api.players import CallTimes, GameTally, HeadToHead
from companion.host.player_reports import player_reports
from companion.table.night import Finished

TITLES = {"nasty_7": "The Nasty 7", "trio_monsters": "Trio Monsters"}


def game(n: int, name: str, scores: dict[str, int], *winner: str) -> Finished:
    return Finished(n, name, tuple(scores), winner, scores, True)


GAMES = [
    game(1, "trio_monsters", {"Ida": 3, "Jo": 9, "Kai": 3}, "Jo"),
    game(2, "nasty_7", {"Ida": 0, "Jo": 4}, "Ida"),
    game(3, "trio_monsters", {"Ida": 8, "Jo": 2}, "Ida"),
    game(4, "trio_monsters", {"Ida": 8, "Lu": 2}),
]


def test_wins_are_counted_by_game_and_undecided_games_do_not_count() -> None:
    ida, jo, kai = player_reports(GAMES, TITLES, {})
    assert (ida.player, ida.games, ida.won, ida.points) == ("Ida", 3, 2, 2)
    assert ida.tallies == (
        GameTally("trio_monsters", "Trio Monsters", 2, 1),
        GameTally("nasty_7", "The Nasty 7", 1, 1),
    )
    assert (jo.player, jo.won, kai.won) == ("Jo", 1, 0)


def test_head_to_head_leaves_equal_places_out() -> None:
    ida = player_reports(GAMES, TITLES, {})[0]
    assert ida.opponents == (HeadToHead("Jo", 3, 2, 1), HeadToHead("Kai", 1, 0, 0))


def test_calls_belong_to_their_player() -> None:
    calls = (CallTimes(2, "2026-11-21T19:00:00.000+00:00", (0.8, 1.1)),)
    ida, jo, _ = player_reports(GAMES, TITLES, {"Ida": calls})
    assert (ida.calls, jo.calls) == (calls, ())
