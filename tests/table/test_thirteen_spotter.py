"""What is seen of 13 Monsters becomes events, or a question."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.observations import Landing, Sighting
from companion.games import rulebook
from companion.games.spotter import Fact, GameView, Question
from companion.games.thirteen_monsters.spotter import ThirteenMonstersSpotter, card_of_label, place_of

LABELS = ("1 top left", "1 top right", "2 eyes left")


def game_after(*events: dict[str, Any]) -> GameView:
    """The game as a spotter sees it after these events."""
    book = rulebook("thirteen_monsters")
    state = book.start(book.header(["Ida", "Jo"], {}))
    for event in events:
        state = book.play(state, event).state
    return GameView(
        players=("Ida", "Jo"),
        settings=None,
        view=book.view(state),
        offers=tuple(book.expects(state)),
        time=lambda t: t,
        past=events,
        labels=LABELS,
    )


def turned(label: str | None, confidence: float = 0.9, zone: str = "grid:2,3") -> Landing:
    corners = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    return Landing(4.0, zone, Sighting(label, confidence, corners) if label else None)


FIGHT: tuple[dict[str, Any], ...] = (
    {
        "event": "sets_dealt",
        "player": "Ida",
        "sets": [
            {"monster": 3, "part": "top"},
            {"monster": 6, "part": "eyes"},
            {"monster": 6, "part": "bottom"},
        ],
    },
    {"event": "sets_dealt", "player": "Jo", "sets": [{"monster": 9, "part": "top"}]},
    {
        "event": "attack_declared",
        "player": "Ida",
        "parts": [3, 6, 6],
        "set": {"monster": 9, "part": "top"},
    },
)


def test_a_card_turned_over_is_the_searchers() -> None:
    (found,) = ThirteenMonstersSpotter().observe(turned("1 top left"), game_after())
    assert isinstance(found, Fact)
    assert found.event == {
        "event": "card_revealed",
        "player": "Ida",
        "at": [2, 3],
        "t": 4.0,
        "card": {"monster": 1, "part": "top"},
    }


@pytest.mark.parametrize("landing", [turned(None), turned("1 top left", 0.3)])
def test_a_card_that_cannot_be_read_is_asked_for(landing: Landing) -> None:
    (found,) = ThirteenMonstersSpotter().observe(landing, game_after())
    assert isinstance(found, Question)
    assert [option.id for option in found.options] == ["1 top", "2 eyes", "none"]


EYES_SEEN: tuple[dict[str, Any], ...] = (
    {"event": "card_revealed", "player": "Ida", "at": [2, 3], "card": {"monster": 2, "part": "eyes"}},
    {"event": "card_revealed", "player": "Ida", "at": [0, 0], "card": {"monster": 5, "part": "top"}},
    {"event": "turn_ended", "player": "Ida"},
)


def test_a_card_that_contradicts_what_lay_there_is_asked_for() -> None:
    (found,) = ThirteenMonstersSpotter().observe(turned("1 top left"), game_after(*EYES_SEEN))
    assert isinstance(found, Question)
    assert [option.id for option in found.options] == ["1 top", "2 eyes", "none"]


@pytest.mark.parametrize("landing", [turned(None), turned("1 top left", 0.3)])
def test_of_a_card_that_cannot_be_read_the_one_that_lay_there_is_offered_first(landing: Landing) -> None:
    (found,) = ThirteenMonstersSpotter().observe(landing, game_after(*EYES_SEEN))
    assert isinstance(found, Question)
    assert [option.id for option in found.options] == ["2 eyes", "1 top", "none"]


def test_a_card_that_is_hardly_read_is_believed_if_it_lay_there_before() -> None:
    (found,) = ThirteenMonstersSpotter().observe(turned("2 eyes left", 0.3), game_after(*EYES_SEEN))
    assert isinstance(found, Fact)
    assert found.event["card"] == {"monster": 2, "part": "eyes"}
    (asked,) = ThirteenMonstersSpotter().observe(turned("2 eyes left", 0.3), game_after())
    assert isinstance(asked, Question)


def test_a_first_throw_is_a_fact() -> None:
    (found,) = ThirteenMonstersSpotter().observe(turned("dice 4 4 1 2 6", zone="dice"), game_after(*FIGHT))
    assert isinstance(found, Fact)
    assert found.event == {
        "event": "dice_thrown",
        "player": "Ida",
        "dice": [4, 4, 1, 2, 6],
        "kept": [],
        "t": 4.0,
    }


FIRST: dict[str, Any] = {"event": "dice_thrown", "player": "Ida", "dice": [4, 4, 1, 2, 6], "kept": []}


def thrown_again(label: str) -> Any:
    (found,) = ThirteenMonstersSpotter().observe(turned(label, zone="dice"), game_after(*FIGHT, FIRST))
    return found


def test_dice_that_lie_where_they_lay_were_kept() -> None:
    event = thrown_again("dice 3 5 4 kept 4 4").event
    assert (event["dice"], event["kept"]) == ([3, 5, 4], [4, 4])


def test_kept_dice_that_were_pushed_aside_need_no_question_because_the_points_are_the_same() -> None:
    event = thrown_again("dice 4 4 3 5 4").event
    assert (sorted(event["dice"]), event["kept"]) == ([3, 4, 5], [4, 4])
    assert thrown_again("dice 1 3 3 5 5").event["kept"] == []


def test_kept_dice_that_are_not_equal_are_asked_about() -> None:
    found = thrown_again("dice 3 5 kept 4 4 1")
    assert (found.code, found.params) == ("kept_unequal", {"player": "Ida", "dice": [4, 4, 1]})
    (event,) = found.options[0].events
    assert sorted([*event["dice"], *event["kept"]]) == [1, 3, 4, 4, 5]
    assert [option.words for option in found.options] == [("yes",), ("no",)]


def test_dice_of_the_other_player_that_still_lie_there_were_not_kept() -> None:
    stopped = {"event": "throwing_ended", "player": "Ida"}
    game = game_after(*FIGHT, FIRST, stopped)
    (found,) = ThirteenMonstersSpotter().observe(turned("dice 3 5 2 kept 4 4", zone="dice"), game)
    assert isinstance(found, Fact)
    assert found.event["player"] == "Jo"
    assert (found.event["dice"], found.event["kept"]) == ([3, 5, 2, 4, 4], [])


def test_places_and_labels() -> None:
    assert place_of("8,0") == [8, 0]
    assert place_of("9,0") is None
    assert place_of("nowhere") is None
    assert card_of_label("13 eyes left") == {"monster": 13, "part": "eyes"}
    assert card_of_label("14 eyes left") is None
    assert card_of_label("joker") is None


def test_a_die_that_leans_is_asked_about_and_nothing_is_entered() -> None:
    (found,) = ThirteenMonstersSpotter().observe(turned("dice 4 4 1 2", zone="dice"), game_after(*FIGHT))
    assert isinstance(found, Question)
    assert (found.code, found.params) == ("cocked_dice_of", {"player": "Ida", "seen": 4})
    assert [option.events for option in found.options] == [()]
    assert not found.blocks


def test_dice_are_expected_while_they_are_thrown_and_cards_while_they_are_turned_over() -> None:
    eyes = ThirteenMonstersSpotter()
    assert eyes.expectation(game_after(*FIGHT)).cards == frozenset({"dice"})
    assert eyes.expectation(game_after()).cards is None


def test_a_die_on_a_card_is_permafrost_where_the_rules_allow_it() -> None:
    eyes = ThirteenMonstersSpotter()
    (found,) = eyes.observe(turned("die 5"), game_after(*FIGHT[:2]))
    assert isinstance(found, Fact)
    assert found.event == {
        "event": "power_used",
        "player": "Ida",
        "power": "permafrost",
        "at": [2, 3],
        "t": 4.0,
    }
    (asked,) = eyes.observe(turned("die 5"), game_after())
    assert isinstance(asked, Question)
    assert asked.code == "whose_die"
