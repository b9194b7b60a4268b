"""One point for each player finished above."""

import pytest

from companion.table.night import Finished, night, places, points, standings


def game(name: str, scores: dict[str, int], winner: tuple[str, ...], ended: bool = True) -> Finished:
    return Finished(1, name, tuple(scores), winner, scores, ended)


@pytest.mark.parametrize(
    ("finished", "expected"),
    [
        (
            game("seven_merry_monsters", {"Ida": 90, "Jo": 150, "Kai": 120}, ("Jo",)),
            {"Ida": 0, "Jo": 2, "Kai": 1},
        ),
        (
            game("seven_merry_monsters", {"Ida": 90, "Jo": 150, "Kai": 90}, ("Jo",)),
            {"Ida": 0, "Jo": 2, "Kai": 0},
        ),
        (
            game("seven_merry_monsters", {"Ida": 150, "Jo": 150, "Kai": 9}, ("Ida", "Jo")),
            {"Ida": 1, "Jo": 1, "Kai": 0},
        ),
        (game("nasty_7", {"Ida": 12, "Jo": 0, "Kai": 5}, ("Jo",)), {"Ida": 0, "Jo": 2, "Kai": 1}),
        (game("thirteen_monsters", {"Ida": 60, "Jo": 80}, ("Ida",)), {"Ida": 1, "Jo": 0}),
        (game("nasty_7", {"Ida": 12, "Jo": 3}, ()), {"Ida": 0, "Jo": 0}),
    ],
)
def test_points(finished: Finished, expected: dict[str, int]) -> None:
    assert points(finished) == expected


def test_equal_results_share_a_place() -> None:
    finished = game("seven_merry_monsters", {"Ida": 9, "Jo": 20, "Kai": 9, "Lea": 5}, ("Jo",))
    assert places(finished) == {"Ida": 2, "Jo": 1, "Kai": 2, "Lea": 4}


def test_a_player_without_a_score_is_last() -> None:
    finished = Finished(1, "bugs_and_co", ("Ida", "Jo", "Kai"), ("Jo",), {"Jo": 5, "Kai": -2}, True)
    assert places(finished) == {"Ida": 3, "Jo": 1, "Kai": 2}


def test_the_standings_add_up_over_games_of_different_people() -> None:
    games = [
        game("nasty_7", {"Ida": 0, "Jo": 5, "Kai": 9}, ("Ida",)),
        game("seven_merry_monsters", {"Lea": 150, "Jo": 20}, ("Lea",)),
        game("seven_merry_monsters", {"Lea": 1, "Jo": 2}, (), ended=False),
    ]
    assert [(one.player, one.points) for one in standings(games)] == [
        ("Ida", 2),
        ("Jo", 1),
        ("Lea", 1),
        ("Kai", 0),
    ]
    shown = night(games)
    assert [one.ended for one in shown.games] == [True, True, False]
    assert shown.standings == standings(games)
