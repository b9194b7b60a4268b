"""Bugs & Co, rule by rule. The ids are those of the digest."""

from typing import Any

import pytest
from rulescripts import codes, found, passes, view
from threescripts import (
    ABC,
    COUNTING,
    STARTED,
    STOPPED,
    TEN_TO_ONE,
    Json,
    bugs,
    call,
    names,
    refused,
    scored,
    tile,
    trophy,
)

from companion.games import game_named
from companion.games.bugs_and_co.countdown import right_words
from companion.games.bugs_and_co.state import points
from companion.table.amend import corrected
from companion.table.record import Record

rules = pytest.mark.rules
BY_COMPANION = {"countdown": "companion"}


# --- components -------------------------------------------------------------------------------------------


@rules("BUGS-1")
def test_two_to_eight_players() -> None:
    allowed = [n for n in range(11) if refused("bugs_and_co", names(n)) is None]
    assert allowed == [2, 3, 4, 5, 6, 7, 8]


@rules("BUGS-2", "BUGS-3", "BUGS-4", "BUGS-5", "BUGS-6", "BUGS-7", "BUGS-8", "BUGS-9", "BUGS-R2")
@pytest.mark.parametrize(
    ("players", "eyes", "sets", "tiles", "trophies"),
    [
        (2, [2], 15, 38, [3]),
        (3, [2], 15, 38, [3, 2]),
        (4, [2], 15, 38, [3, 2, 1]),
        (5, [1, 2], 20, 53, [3, 2, 2, 1]),
        (6, [1, 2], 20, 53, [3, 3, 2, 2, 1]),
        (7, [1, 2, 3], 25, 68, [3, 3, 2, 2, 1]),
        (8, [1, 2, 3], 25, 68, [3, 3, 2, 2, 1]),
    ],
)
def test_printed_table_of_components(
    players: int, eyes: list[int], sets: int, tiles: int, trophies: list[int]
) -> None:
    state = view(bugs(players=names(players)))
    assert (state["phase"], state["eyes"], state["sets"], state["tiles"]) == ("setup", eyes, sets, tiles)
    assert state["trophies"] == trophies
    assert state["trophy"] == dict.fromkeys(names(players))
    assert state["taken"] == dict.fromkeys(names(players), 0)
    assert "turn" not in state


@rules("BUGS-4")
def test_five_or_six_choose_the_other_kind() -> None:
    eyes = [view(bugs(players=names(n), extra_eyes=3))["eyes"] for n in (4, 5, 6, 7)]
    assert eyes == [[2], [2, 3], [2, 3], [1, 2, 3]]
    assert view(bugs(players=names(5), extra_eyes=3))["tiles"] == 53


@rules("BUGS-4", "BUGS-R4")
@pytest.mark.parametrize(
    "settings",
    [
        {"extra_eyes": 2},
        {"extra_eyes": True},
        {"extra_eyes": 1.0},
        {"extra_eyes": "1"},
        {"countdown": "nobody"},
        {"countdown": None},
        {"countdown_step_s": 0},
        {"countdown_step_s": -1},
        {"countdown_step_s": True},
        {"countdown_step_s": "1"},
        {"language": "it"},
        {"first_player": "Amy"},
    ],
)
def test_impossible_house_rules(settings: Json) -> None:
    assert refused("bugs_and_co", ABC, **settings) == "bad_settings"


# --- play -------------------------------------------------------------------------------------------------


@rules("BUGS-10")
def test_the_start_signal_comes_first_and_once() -> None:
    record = bugs(tile("Amy", 0.5), trophy("Amy", 3, 1.0), {"event": "game_started"}, STARTED, STARTED)
    wrong = ["wrong_phase", "wrong_phase", "missing_field", "wrong_phase"]
    assert [code for _, code in codes(record)] == wrong
    assert view(record)["phase"] == "play"


@rules("BUGS-11", "BUGS-13")
def test_everybody_plays_at_once_and_tiles_are_counted() -> None:
    order = ["Amy", "Cat", "Amy", "Bob", "Amy"]
    record = bugs(STARTED, *(tile(player, 3.0) for player in order), tile("Bob"))
    assert view(record)["taken"] == {"Amy": 3, "Bob": 2, "Cat": 1}
    assert record.verdicts == []


@rules("BUGS-15", "BUGS-R5")
def test_kept_tiles_are_neither_looked_at_nor_put_back() -> None:
    record = bugs(STARTED, tile("Amy", 2.0), tile("Amy", 3.0, "looked_at"), tile("Amy", 4.0, "returned"))
    assert found(record) == [(3, "Amy", "must_not_look"), (4, "Amy", "must_not_return")]
    assert view(record)["taken"]["Amy"] == 1
    assert record.scores() == {}


@rules("BUGS-15")
def test_hands_are_watched_while_they_play_and_not_after() -> None:
    assert codes(bugs(tile("Amy", 1.0, "looked_at"), tile("Amy", 1.0, "returned"))) == [
        (1, "wrong_phase"),
        (2, "wrong_phase"),
    ]
    record = bugs(*COUNTING, tile("Cat", 51.0, "looked_at"), tile("Amy", 51.0, "returned"))
    assert found(record) == [(4, "Cat", "must_not_look"), (5, "Amy", "must_not_return")]
    record = bugs(*STOPPED, tile("Cat", None, "looked_at"), tile("Cat", None, "returned"))
    assert [code for _, code in codes(record)] == ["wrong_phase", "wrong_phase"]


@rules("BUGS-16")
def test_only_the_highest_trophy_is_to_be_had() -> None:
    record = bugs(
        STARTED,
        trophy("Amy", 2, 5.0),
        trophy("Amy", 1, 5.0),
        trophy("Amy", 7, 5.0),
        trophy("Amy", 3, 5.0),
        trophy("Bob", 3, 6.0),
    )
    wrong = ["not_highest_trophy", "no_such_trophy", "no_such_trophy", "no_such_trophy"]
    assert [code for _, code in codes(record)] == wrong
    assert view(record)["trophies"] == [2]
    assert view(record)["trophy"] == {"Amy": 3, "Bob": None, "Cat": None}


@rules("BUGS-16")
@pytest.mark.parametrize("value", ["3", 3.0, True, None, [3]])
def test_a_trophy_has_a_whole_value(value: Any) -> None:
    assert codes(bugs(STARTED, trophy("Amy", value, 1.0))) == [(2, "bad_field")]


@rules("BUGS-16")
def test_of_two_equal_trophies_one_stays() -> None:
    record = bugs(STARTED, trophy("P1", 3, 1.0), trophy("P2", 3, 2.0), players=names(6))
    assert view(record)["trophies"] == [2, 2, 1]


@rules("BUGS-17")
def test_with_a_trophy_one_stops() -> None:
    record = bugs(STARTED, tile("Amy", 1.0), trophy("Amy", 3, 2.0), tile("Amy", 3.0), trophy("Amy", 2, 4.0))
    assert found(record) == [(4, "Amy", "must_stop")]
    assert view(record)["taken"]["Amy"] == 1
    assert codes(record) == [(5, "already_stopped")]
    assert codes(bugs(*COUNTING, trophy("Amy", 1, 60.0))) == [(4, "wrong_phase")]


@rules("BUGS-17")
def test_having_stopped_is_checked_before_the_value() -> None:
    record = bugs(STARTED, trophy("Amy", 3, 2.0), trophy("Amy", 9, 4.0))
    assert codes(record) == [(3, "already_stopped")]


@rules("BUGS-R7")
def test_a_trophy_without_a_tile() -> None:
    record = bugs(*STOPPED, scored("Amy"), scored("Bob", x=0), scored("Cat", a=1))
    assert record.scores() == {"Amy": 3, "Bob": 2, "Cat": -1}
    assert record.winner() == ["Amy"]


# --- countdown --------------------------------------------------------------------------------------------


@rules("BUGS-18", "BUGS-19")
def test_the_players_count_down_and_the_others_go_on() -> None:
    record = bugs(*COUNTING)
    assert (view(record)["phase"], view(record)["countdown"]) == ("countdown", None)
    for n, word in enumerate(TEN_TO_ONE):
        record.push(call(word, 51.0 + n))
        record.push(tile("Cat", 51.6 + n))
        assert view(record)["countdown"] == 10 - n
    assert view(record)["taken"]["Cat"] == 10
    record.push(call("stop", 61.7))
    assert (view(record)["phase"], view(record)["countdown"]) == ("scoring", None)
    record.push(tile("Cat", 62.0))
    assert found(record) == [(25, "Cat", "must_stop")]
    assert view(record)["taken"]["Cat"] == 10


@rules("BUGS-18")
def test_counting_before_the_last_trophy_does_nothing() -> None:
    early = [call(" ".join((*TEN_TO_ONE, "stop")), 1.0)]
    record = bugs(*early, STARTED | {"t": 2.0}, trophy("Amy", 3, 5.0), *early_at(6.0))
    assert codes(record) == []
    assert (view(record)["phase"], view(record)["countdown"]) == ("play", None)


def early_at(start: float) -> list[Json]:
    return [call(" ".join((*TEN_TO_ONE, "stop")), start)]


@rules("BUGS-R6")
@pytest.mark.parametrize(
    ("words", "reached"),
    [
        ("ten nine eight", 8),
        ("ten eight nine", 9),
        ("nine", None),
        ("ten ten nine nine", 9),
        ("ten stop nine", 9),
        ("TEN Nine", 9),
        ("10 9 8", 8),
        ("ten er nine please", 9),
        ("zehn neun", None),
        ("eleven ten", 10),
        ("zero", None),
    ],
)
def test_each_number_comes_in_its_turn(words: str, reached: int | None) -> None:
    assert view(bugs(*COUNTING, call(words, 51.0)))["countdown"] == reached


@rules("BUGS-R6")
@pytest.mark.parametrize(("said", "due"), [((), "ten"), (("ten",), "nine"), (TEN_TO_ONE, "stop")])
def test_the_next_number_is_the_one_that_is_due(said: tuple[str, ...], due: str) -> None:
    record = bugs(*COUNTING, *([call(" ".join(said), 51.0)] if said else []))
    assert right_words(record.state) == ((due,),)


@rules("BUGS-R6")
def test_stop_counts_only_after_one() -> None:
    record = bugs(*COUNTING, call("stop", 51.0), call(" ".join(TEN_TO_ONE[:-1]), 52.0), call("stop", 55.0))
    assert (view(record)["phase"], view(record)["countdown"]) == ("countdown", 2)
    record.push(call("one zero stop ten", 57.0))
    assert view(record)["phase"] == "scoring"


@rules("BUGS-18")
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "ten nine eight seven six five four three two one stop"),
        ("de", "zehn neun acht sieben sechs fünf vier drei zwei eins Stopp"),
        ("de", "Zehn neun acht sieben sechs FÜNF vier drei zwei eins STOPP"),
        ("fr", "dix neuf huit sept six cinq quatre trois deux un stop"),
        ("fr", "10 9 8 7 6 5 4 3 2 1 stop"),
    ],
)
def test_three_languages(language: str, words: str) -> None:
    assert view(bugs(*COUNTING, call(words, 51.0), language=language))["phase"] == "scoring"


@rules("BUGS-18")
def test_another_language_is_not_understood() -> None:
    german = call("zehn neun acht sieben sechs fünf vier drei zwei eins stop", 51.0)
    assert view(bugs(*COUNTING, german, language="de"))["countdown"] == 1


@rules("BUGS-18", "BUGS-R4")
@pytest.mark.parametrize(
    ("t", "count"), [(50.0, 10), (50.9, 10), (51.0, 9), (55.5, 5), (59.0, 1), (59.999, 1)]
)
def test_the_companion_counts_a_number_each_second(t: float, count: int) -> None:
    record = bugs(*COUNTING, passes(t), **BY_COMPANION)
    assert (view(record)["phase"], view(record)["countdown"]) == ("countdown", count)


@rules("BUGS-R4")
def test_the_companion_calls_stop_after_ten_steps() -> None:
    assert view(bugs(*COUNTING, passes(60.0), **BY_COMPANION))["phase"] == "scoring"
    slow = bugs(*COUNTING, passes(69.9), countdown_step_s=2, **BY_COMPANION)
    assert view(slow)["countdown"] == 1
    slow.push(passes(70))
    assert view(slow)["phase"] == "scoring"
    quick = [STARTED, trophy("Amy", 3, 0.1), trophy("Bob", 2, 0.3)]
    for n in range(10):
        moment = 0.3 + 0.1 * n
        record = bugs(*quick, passes(moment), countdown_step_s=0.1, **BY_COMPANION)
        assert view(record)["countdown"] == 10 - n
    assert view(bugs(*quick, passes(1.3), countdown_step_s=0.1, **BY_COMPANION))["phase"] == "scoring"


@rules("BUGS-19", "BUGS-R4")
def test_every_event_with_a_time_moves_the_companions_countdown() -> None:
    for event in (tile("Cat", 53.2), tile("Cat", 53.2, "looked_at"), call("hm", 53.2)):
        assert view(bugs(*COUNTING, event, **BY_COMPANION))["countdown"] == 7
    late = bugs(*COUNTING, tile("Cat", 60.0), **BY_COMPANION)
    assert found(late) == [(4, "Cat", "must_stop")]
    assert view(late)["taken"]["Cat"] == 0
    counted = bugs(*COUNTING, {**scored("Cat"), "t": 60.0}, **BY_COMPANION)
    assert counted.scores() == {"Cat": 0}


@rules("BUGS-R4")
def test_a_rejected_event_does_not_move_it() -> None:
    record = bugs(*COUNTING, trophy("Cat", 1, 55.0), tile("Cat", 61.0, "looked_at"), **BY_COMPANION)
    assert [code for _, code in codes(record)] == ["wrong_phase", "wrong_phase"]
    assert (view(record)["phase"], view(record)["countdown"]) == ("countdown", 10)


@rules("BUGS-R4")
def test_who_counts_is_agreed_before() -> None:
    record = bugs(*COUNTING, call(" ".join((*TEN_TO_ONE, "stop")), 50.5), **BY_COMPANION)
    assert view(record)["countdown"] == 10
    assert view(bugs(*COUNTING, passes(500.0)))["phase"] == "countdown"


@rules("BUGS-R4")
def test_the_deadline_is_the_next_number() -> None:
    record = bugs(*COUNTING, **BY_COMPANION)
    for n in range(9, 0, -1):
        moment = record.book.deadline(record.state)
        assert moment == pytest.approx(60.0 - n)
        record.push(passes(moment))
        assert view(record)["countdown"] == n
    record.push(passes(record.book.deadline(record.state) or 0))
    assert view(record)["phase"] == "scoring"
    assert record.book.deadline(record.state) is None
    aloud = bugs(*COUNTING)
    assert aloud.book.deadline(aloud.state) is None


# --- scoring ----------------------------------------------------------------------------------------------


@rules("BUGS-19", "BUGS-20")
def test_scoring_begins_after_stop() -> None:
    assert codes(bugs(*COUNTING, scored("Amy", spiral=3))) == [(4, "wrong_phase")]
    assert bugs(*STOPPED, scored("Amy", spiral=3)).scores() == {"Amy": 6}


@rules("BUGS-20")
@pytest.mark.parametrize("tiles", [{"a": -1}, {"a": 1.0}, {"a": True}, {"a": "2"}, {"a": None}, [3], 3, None])
def test_tiles_are_whole_numbers(tiles: Any) -> None:
    record = bugs(*STOPPED, {"event": "tiles_scored", "player": "Amy", "tiles": tiles})
    assert codes(record) == [(15, "bad_field")]


@rules("BUGS-20")
def test_each_player_is_counted_once() -> None:
    record = bugs(*STOPPED, scored("Amy", a=3), scored("Amy", b=4), scored("Bob", b=4))
    assert codes(record) == [(16, "already_scored"), (17, "impossible_tiles")]


@rules("BUGS-21", "BUGS-22", "BUGS-R3")
def test_three_alike_are_three_points_and_every_other_tile_costs_one() -> None:
    assert points({"a": 3}, 0) == 3
    assert points({"a": 2}, 0) == -2
    assert points({"a": 1, "b": 1}, 0) == -2
    assert points({}, 0) == 0


@rules("BUGS-23", "BUGS-25")
def test_printed_example_eleven_points() -> None:
    record = bugs(*STOPPED, scored("Bob", a=3, b=3, c=3, d=3, e=2, f=1))
    assert record.scores() == {"Bob": 11}


@rules("BUGS-24")
def test_most_points_win() -> None:
    record = bugs(*STOPPED, scored("Cat", a=3, b=3), scored("Amy", c=3, d=1))
    assert record.winner() == []
    record.push(scored("Bob", e=3))
    assert (view(record)["phase"], record.winner()) == ("over", ["Cat"])
    record.push(passes(99.0))
    assert codes(record) == [(18, "game_over")]


@rules("BUGS-R1")
def test_a_tie_is_shared() -> None:
    record = bugs(*STOPPED, scored("Cat", a=3, b=3), scored("Amy", c=3), scored("Bob", d=3, e=1))
    assert record.scores() == {"Amy": 6, "Bob": 4, "Cat": 6}
    assert record.winner() == ["Amy", "Cat"]


@rules("BUGS-2")
def test_there_are_three_of_a_symbol_for_all_together() -> None:
    record = bugs(*STOPPED, scored("Amy", a=2), scored("Bob", a=2), scored("Bob", a=1))
    assert codes(record) == [(16, "impossible_tiles")]


@rules("BUGS-2", "BUGS-7")
def test_no_more_symbols_and_tiles_than_are_in_play() -> None:
    fifteen = {f"s{n}": 1 for n in range(15)}
    record = bugs(*STOPPED, scored("Amy", **fifteen, more=1), scored("Amy", **fifteen), scored("Bob", more=1))
    assert codes(record) == [(15, "impossible_tiles"), (17, "impossible_tiles")]
    twelve = {f"s{n}": 3 for n in range(12)}
    record = bugs(*STOPPED, scored("Amy", **twelve, x=3), scored("Amy", **twelve, x=2), scored("Bob", y=1))
    assert codes(record) == [(15, "impossible_tiles"), (17, "impossible_tiles")]


@rules("BUGS-R8")
def test_one_round_is_a_game() -> None:
    record = bugs(*STOPPED, *(scored(player) for player in ABC), STARTED | {"t": 99.0})
    assert codes(record) == [(18, "game_over")]


# --- times and corrections --------------------------------------------------------------------------------


def test_times_are_in_order() -> None:
    record = bugs(
        STARTED,
        tile("Amy", 5.0),
        tile("Amy", 4.9),
        call("ten", 4.0),
        {"event": "heard", "words": [], "start": 6, "end": 7},
        {"event": "heard", "words": ["ten"], "start": 7, "end": 6},
        {"event": "time_passed"},
        {"event": "time_passed", "t": "7"},
        tile("Amy", -1.0),
    )
    wrong = ["time_reversed", "time_reversed", "bad_field", "bad_field", "missing_field", "bad_field"]
    assert [code for _, code in codes(record)] == [*wrong, "bad_field"]


def test_an_overruled_stop_counts_the_tile() -> None:
    record: Record[Any] = bugs(STARTED, trophy("Amy", 3, 2.0), tile("Amy", 3.0))
    agreed = corrected(record, {"event": "overruled", "n": 3})
    assert view(agreed)["taken"]["Amy"] == 1
    assert [one for entry in agreed.entries for one in entry.verdicts] == []


def test_photographed_tiles_are_worth_three_a_set_and_minus_one_each_without_a_trophy() -> None:
    game = game_named("bugs_and_co")
    assert game.points_of_tiles({"ant": 3, "bat": 2, "worm": 1}) == 0
    assert game.most_copies == 3
