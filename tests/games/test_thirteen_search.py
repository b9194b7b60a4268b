"""13 Monsters: set-up, levels, searching, building and trading, rule by rule."""

from typing import Any

import pytest
from rulescripts import codes, found, view
from threescripts import (
    ADA,
    GRUNTS,
    Json,
    a_set,
    attacks,
    builds,
    dealt,
    declines,
    done,
    finds,
    freezes,
    miss,
    names,
    owns,
    parts_as_sets,
    power,
    refused,
    shows,
    stops,
    thirteen,
    throws,
    trades,
)

from companion.games.thirteen_monsters.sets import ALL_SETS, set_as_json

rules = pytest.mark.rules


def sets(record: Any, player: str) -> list[str]:
    return [f"{one['monster']} {one['part']}" for one in view(record)["sets"][player]]


def monsters(record: Any, player: str) -> list[list[int]]:
    return [one["parts"] for one in view(record)["monsters"][player]]


def phase(record: Any) -> tuple[str, str | None]:
    return view(record)["phase"], view(record)["turn"]


# --- set-up -----------------------------------------------------------------------------------------------


@rules("M13-1")
def test_two_to_eight_players() -> None:
    assert [n for n in range(11) if refused("thirteen_monsters", names(n)) is None] == [2, 3, 4, 5, 6, 7, 8]


@rules("M13-2", "M13-3", "M13-6", "M13-7")
def test_the_field_at_the_start() -> None:
    state = view(thirteen(first_player="Bo"))
    assert (state["phase"], state["turn"], state["cards_left"]) == ("before_search", "Bo", 78)
    assert state["level"] == {"Ada": "collector", "Bo": "collector"}
    assert state["sets"] == state["monsters"] == {"Ada": [], "Bo": []}
    assert (state["must_build"], state["frozen"], state["battle"]) == ([], [], None)


@rules("M13-4", "M13-R11")
def test_three_places_have_no_card() -> None:
    record = thirteen(
        *(shows("Ada", 4, column, "1 top") for column in (3, 4, 5)), shows("Ada", 3, 4, "1 top")
    )
    assert [code for _, code in codes(record)] == ["no_card"] * 3
    upright = thirteen(shows("Ada", 3, 4, "1 top"), shows("Ada", 4, 3, "1 top"), gap=[[3, 4], [4, 4], [5, 4]])
    assert codes(upright) == [(1, "no_card")]


@rules("M13-4", "M13-48", "M13-R5", "M13-R7", "M13-R11")
@pytest.mark.parametrize(
    "settings",
    [
        {"gap": [[4, 3], [4, 4]]},
        {"gap": [[4, 3], [4, 4], [4, 4]]},
        {"gap": [[4, 3], [4, 4], [4, 9]]},
        {"gap": [[4, 3], [4, 4], [9, 4]]},
        {"gap": [[4, 3], [4, 4], [-1, 4]]},
        {"gap": [[4, 3], [4, 4], [4, -1]]},
        {"gap": [[4, 3], [4, 4], [4]]},
        {"gap": [[4, 3], [4, 4], [4, True]]},
        {"gap": None},
        {"elements": ["earth"] * 12},
        {"elements": ["earth"] * 14},
        {"elements": [1] * 13},
        {"grunt_permafrost": 1},
        {"attack_again_after_set": "no"},
        {"permafrost_per_turn": -1},
        {"permafrost_per_turn": True},
        {"permafrost_per_turn": 1.5},
        {"single_die_scores": None},
        {"first_player": "Cy"},
        {"dice": 5},
    ],
)
def test_impossible_house_rules(settings: Json) -> None:
    assert refused("thirteen_monsters", ADA, **settings) == "bad_settings"


# --- levels -----------------------------------------------------------------------------------------------


@rules("M13-7")
def test_a_collector_may_only_search() -> None:
    record = thirteen(
        dealt("Bo", "1 top"),
        trades("Ada", "Bo", gets="1 top"),
        freezes("Ada", 0, 0),
        power("Ada", "prophet"),
        power("Ada", "sacrifice", rebuilt=[]),
        attacks("Ada", [1, 1, 1], "1 top"),
        done("Ada"),
    )
    wrong = ["not_allowed_yet", *["no_such_power"] * 3, "no_such_monster", "must_search"]
    assert [code for _, code in codes(record)] == wrong


@rules("M13-8", "M13-9")
def test_levels_go_up() -> None:
    record = thirteen(dealt("Ada", "1 top", "2 eyes"))
    assert view(record)["level"]["Ada"] == "apprentice"
    for event in finds("Ada", "3 bottom", 0):
        record.push(event)
    assert view(record)["level"]["Ada"] == "beastmaster"


@rules("M13-10")
def test_the_short_game_starts_with_grunts_and_attacks() -> None:
    record = thirteen(*GRUNTS, attacks("Ada", [1, 4, 7], "5 eyes"))
    assert phase(record) == ("attack", "Ada")
    assert view(record)["cards_left"] == 78 - 12


@rules("M13-10", "M13-R12")
def test_dealing_comes_before_everything_else() -> None:
    record = thirteen(*GRUNTS, shows("Ada", 0, 0, "9 top"), dealt("Bo", "9 eyes"))
    assert codes(record) == [(4, "wrong_phase")]
    twice = thirteen(dealt("Ada", "1 top"), dealt("Bo", "1 top"), dealt("Bo", "2 top", "2 top"))
    assert codes(twice) == [(2, "impossible_card"), (3, "impossible_card")]
    assert view(twice)["cards_left"] == 76


@rules("M13-10")
def test_nothing_is_dealt_any_more_after_a_trade() -> None:
    start = [dealt("Ada", "1 top"), dealt("Bo", "2 top")]
    assert codes(thirteen(*start, dealt("Ada", "3 top"))) == []
    record = thirteen(*start, trades("Ada", "Bo", "1 top", "2 top"), dealt("Ada", "3 top"))
    assert codes(record) == [(4, "wrong_phase")]
    assert view(record)["cards_left"] == 78 - 4


@rules("M13-10", "M13-R2")
def test_building_is_part_of_dealing() -> None:
    record = thirteen(
        dealt("Ada", "1 top", "2 top", "3 eyes", "4 bottom"),
        dealt("Bo", "9 top"),
        builds("Ada", 2, 3, 4),
        dealt("Bo", "9 top"),
    )
    assert codes(record) == [(2, "must_build")]
    assert sets(record, "Bo") == ["9 top"]


@rules("M13-60")
def test_a_field_that_is_dealt_out_leaves_the_final_round() -> None:
    deals = [owns(ADA[n % 2], n, n, n) for n in range(1, 14)]
    flat = {"elements": ["earth"] * 13}
    assert phase(thirteen(*deals, **flat)) == ("final_round", "Ada")


# --- searching --------------------------------------------------------------------------------------------


@rules("M13-11", "M13-13")
def test_two_cards_make_a_search_and_a_mismatch_ends_it() -> None:
    record = thirteen(shows("Ada", 0, 0, "11 top"))
    assert phase(record) == ("search", "Ada")
    record.push(done("Ada"))
    record.push(shows("Ada", 0, 1, "12 eyes"))
    assert phase(record) == ("after_search", "Ada")
    record.push(shows("Ada", 0, 2, "12 eyes"))
    record.push(done("Bo"))
    record.push(done("Ada"))
    assert phase(record) == ("before_search", "Bo")
    assert codes(record) == [(2, "wrong_phase"), (4, "wrong_phase"), (5, "not_your_turn")]


@rules("M13-12")
@pytest.mark.parametrize("other", ["3 top", "2 eyes", "2 bottom"])
def test_printed_example_other_parts_and_other_monsters_do_not_match(other: str) -> None:
    record = thirteen(shows("Ada", 0, 0, "2 top"), shows("Ada", 0, 1, other))
    assert phase(record)[0] == "after_search"
    assert record.verdicts == []


@rules("M13-12", "M13-14")
def test_a_set_is_taken_and_the_turn_starts_over() -> None:
    record = thirteen(*finds("Ada", "2 eyes", 0), *finds("Ada", "5 top", 1))
    assert found(record) == [(2, "Ada", "set_found"), (4, "Ada", "set_found")]
    assert record.verdicts[0]["set"] == a_set("2 eyes")
    assert phase(record) == ("before_search", "Ada")
    assert sets(record, "Ada") == ["2 eyes", "5 top"]
    assert view(record)["cards_left"] == 74


@rules("M13-12")
def test_left_and_right_are_for_information_only() -> None:
    left, right = finds("Ada", "2 eyes", 0)
    left["card"]["side"], right["card"]["side"] = "left", "right"
    assert found(thirteen(left, right)) == [(2, "Ada", "set_found")]


@rules("M13-11", "M13-2")
def test_places_and_cards_that_are_not_there() -> None:
    taken = finds("Ada", "2 eyes", 0)
    record = thirteen(
        *taken,
        shows("Ada", 0, 1, "3 eyes"),
        shows("Ada", 9, 0, "3 eyes"),
        shows("Ada", 0, -1, "3 eyes"),
        shows("Ada", 1, 1, "14 eyes"),
        shows("Ada", 1, 1, "0 eyes"),
        shows("Ada", 1, 1, "3 tail"),
        shows("Ada", 1, 1, "3 eyes"),
        shows("Ada", 1, 1, "3 eyes"),
    )
    wrong = ["no_card"] * 3 + ["unknown_card"] * 3 + ["already_revealed"]
    assert [code for _, code in codes(record)] == wrong


@rules("M13-11")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("at", [0]),
        ("at", [0, True]),
        ("at", "0,0"),
        ("at", [0, 0.0]),
        ("card", "2 eyes"),
        ("card", {"monster": "2", "part": "eyes"}),
        ("card", {"monster": True, "part": "eyes"}),
        ("card", {"monster": 2}),
        ("card", {"monster": 2, "part": 1}),
    ],
)
def test_fields_of_the_wrong_type(field: str, value: Any) -> None:
    assert codes(thirteen({**shows("Ada", 0, 0, "2 eyes"), field: value})) == [(1, "bad_field")]


@rules("M13-R12")
def test_readings_that_contradict_earlier_ones() -> None:
    record = thirteen(
        *miss("Ada"),
        shows("Bo", 8, 0, "10 top"),
        shows("Bo", 8, 0, "11 top"),
        shows("Bo", 7, 0, "5 top"),
        done("Bo"),
        shows("Ada", 7, 7, "11 top"),
        shows("Ada", 7, 8, "6 top"),
        done("Ada"),
        shows("Bo", 6, 6, "11 top"),
    )
    assert codes(record) == [(4, "impossible_card"), (11, "impossible_card")]


@rules("M13-R12", "M13-2")
def test_a_set_that_somebody_owns_is_not_on_the_field() -> None:
    record = thirteen(*GRUNTS, shows("Ada", 0, 0, "5 eyes"), shows("Ada", 0, 0, "1 top"))
    assert codes(record) == [(3, "impossible_card"), (4, "impossible_card")]


@rules("M13-R6")
def test_one_must_search_if_one_can() -> None:
    assert codes(thirteen(done("Ada"))) == [(1, "must_search")]
    assert codes(thirteen(done("Bo"))) == [(1, "not_your_turn")]


@rules("M13-R6", "M13-14")
def test_after_a_found_set_the_turn_may_end_or_go_on() -> None:
    left, right = finds("Ada", "1 top", 0)
    ended = thirteen(left, right, done("Ada"))
    assert (codes(ended), phase(ended)) == ([], ("before_search", "Bo"))
    assert codes(thirteen(left, right, done("Ada"), done("Bo"))) == [(4, "must_search")]
    again = thirteen(left, right, shows("Ada", 5, 2, "2 top"))
    assert (codes(again), phase(again)) == ([], ("search", "Ada"))


def nearly_empty(*last: str) -> list[Json]:
    """Everything is dealt but the sets named; Ada has the first half of the rest."""
    rest = [f"{n} {part}" for n in range(1, 14) for part in ("top", "eyes", "bottom")]
    rest = [one for one in rest if one not in last]
    return [*_whole(rest, "Ada", range(1, 7)), *_whole(rest, "Bo", range(7, 14))]


def _whole(rest: list[str], player: str, numbers: range) -> list[Json]:
    mine = [one for one in rest if int(one.split()[0]) in numbers]
    return [dealt(player, *[one for one in mine if int(one.split()[0]) == n]) for n in numbers]


FLAT = {"elements": ["earth"] * 13}
"""Nobody can become Elemental Master."""


@rules("M13-R6", "M13-34")
def test_whoever_cannot_turn_over_two_cards_may_end_the_turn() -> None:
    record = thirteen(
        *nearly_empty("13 top", "13 eyes"),
        freezes("Ada", 0, 0),
        freezes("Ada", 0, 1),
        freezes("Ada", 0, 2),
        shows("Ada", 0, 0, "13 top"),
        shows("Ada", 0, 3, "13 eyes"),
        done("Ada"),
        done("Bo"),
        **FLAT,
    )
    assert codes(record) == [(20, "must_search")]
    record = thirteen(
        *nearly_empty("13 top", "13 eyes"),
        *(freezes("Ada", 0, column) for column in range(4)),
        shows("Ada", 0, 4, "13 top"),
        shows("Ada", 0, 0, "13 eyes"),
        done("Ada"),
        **FLAT,
    )
    assert [one["at"] for one in view(record)["frozen"]] == [[0, 1], [0, 2], [0, 3]]
    record.push(done("Bo"))
    assert phase(record) == ("before_search", "Ada")
    assert codes(record) == []


@rules("M13-R6")
def test_a_search_of_the_only_card_to_be_had_is_over_with_it() -> None:
    record = thirteen(
        *nearly_empty("13 top", "13 eyes"),
        *(freezes("Ada", 0, column) for column in range(3)),
        shows("Ada", 0, 4, "13 top"),
        shows("Ada", 0, 5, "13 eyes"),
        done("Ada"),
        shows("Bo", 0, 4, "13 top"),
        **FLAT,
    )
    assert phase(record) == ("after_search", "Bo")
    assert codes(record) == []


# --- building ---------------------------------------------------------------------------------------------


@rules("M13-15", "M13-R2")
def test_a_monster_builds_itself_if_there_is_one_way() -> None:
    record = thirteen(dealt("Ada", "1 top", "4 eyes"), *finds("Ada", "7 bottom", 0))
    assert monsters(record, "Ada") == [[1, 4, 7]]
    assert sets(record, "Ada") == []


@rules("M13-15", "M13-16", "M13-R2")
def test_a_choice_comes_before_everything_else() -> None:
    record = thirteen(
        dealt("Ada", "1 top", "2 top", "4 eyes"),
        *finds("Ada", "7 bottom", 0),
        done("Ada"),
        trades("Ada", "Bo", gives="1 top"),
        builds("Bo", 1, 4, 7),
        builds("Ada", 3, 4, 7),
        builds("Ada", 1, 4, 14),
    )
    assert view(record)["must_build"] == ["Ada"]
    wrong = ["must_build", "must_build", "not_your_turn", "no_such_set", "bad_field"]
    assert [code for _, code in codes(record)] == wrong
    record.push(builds("Ada", 2, 4, 7))
    assert view(record)["must_build"] == []
    assert (monsters(record, "Ada"), sets(record, "Ada")) == ([[2, 4, 7]], ["1 top"])
    record.push(builds("Ada", 2, 4, 7))
    assert codes(record)[-1] == (10, "wrong_phase")


@rules("M13-R2")
def test_after_a_choice_the_rest_may_build_itself() -> None:
    record = thirteen(dealt("Ada", *parts_as_sets(1, 2, 3), *parts_as_sets(4, 5, 6)), builds("Ada", 1, 5, 3))
    assert monsters(record, "Ada") == [[1, 5, 3], [4, 2, 6]]


@rules("M13-R2")
def test_what_is_left_of_a_defender_builds_itself() -> None:
    record = thirteen(
        owns("Ada", 1, 4, 7),
        owns("Bo", 2, 5, 8),
        dealt("Bo", "9 eyes"),
        attacks("Ada", [1, 4, 7], "5 eyes"),
        throws("Ada", 6, 6, 6, 1, 2),
        stops("Ada"),
        throws("Bo", 1, 2, 3, 4, 4),
        stops("Bo"),
    )
    assert monsters(record, "Bo") == [[2, 9, 8]]


@rules("M13-28", "M13-29", "M13-30", "M13-31", "M13-49", "M13-50", "M13-48", "M13-61")
@pytest.mark.parametrize(
    ("parts", "species", "hp", "throws_"),
    [
        ([1, 4, 7], "grunt", 10, 3),
        ([1, 2, 7], "grunt", 10, 4),
        ([1, 2, 3], "grunt", 10, 5),
        ([13, 1, 2], "grunt", 10, 4),
        ([1, 1, 4], "abomination", 20, 4),
        ([1, 1, 2], "abomination", 20, 5),
        ([13, 13, 1], "abomination", 20, 4),
        ([5, 5, 5], "og", 40, 5),
        ([13, 13, 13], "thirteenth", 60, 6),
    ],
)
def test_species_health_points_and_throws(parts: list[int], species: str, hp: int, throws_: int) -> None:
    record = thirteen(owns("Ada", *parts))
    expected = {"parts": parts, "species": species, "hp": hp, "throws": throws_, "spent": False}
    assert view(record)["monsters"]["Ada"] == [expected]
    assert record.scores() == {"Ada": hp, "Bo": 0}


@rules("M13-48")
def test_other_elements_may_be_enrolled() -> None:
    names_ = ["a", "b", "c", "d", *"abcdabcd", "ghost"]
    state = view(thirteen(owns("Ada", 1, 5, 9), owns("Bo", 1, 2, 3), elements=names_))
    assert state["monsters"]["Ada"][0]["throws"] == 5
    state = view(thirteen(owns("Ada", 2, 3, 4), elements=names_))
    assert state["monsters"]["Ada"][0]["throws"] == 3


@rules("M13-61")
def test_sets_and_monsters_are_listed_in_order() -> None:
    record = thirteen(
        dealt("Ada", "5 eyes", "3 eyes", "5 top", "3 top"), owns("Bo", 9, 9, 9), owns("Bo", 2, 7, 7)
    )
    assert sets(record, "Ada") == ["3 top", "3 eyes", "5 top", "5 eyes"]
    assert monsters(record, "Bo") == [[2, 7, 7], [9, 9, 9]]


# --- trading ----------------------------------------------------------------------------------------------


@rules("M13-17", "M13-18", "M13-19")
def test_as_often_with_anybody_and_many_for_few() -> None:
    record = thirteen(
        dealt("Ada", "1 top", "2 top", "3 top"),
        dealt("Bo", "4 eyes"),
        dealt("Cy", "5 eyes"),
        trades("Ada", "Bo", "1 top, 2 top", "4 eyes"),
        trades("Ada", "Cy", "3 top"),
        trades("Ada", "Cy", gets="5 eyes"),
        players=["Ada", "Bo", "Cy"],
    )
    assert codes(record) == []
    assert [sets(record, player) for player in ("Ada", "Bo", "Cy")] == [
        ["4 eyes", "5 eyes"],
        ["1 top", "2 top"],
        ["3 top"],
    ]
    assert phase(record) == ("before_search", "Ada")


@rules("M13-17", "M13-14")
def test_trading_is_before_the_search_and_again_after_a_set() -> None:
    give = trades("Ada", "Bo", "1 top")
    record = thirteen(dealt("Ada", "1 top", "2 top"), shows("Ada", 0, 0, "11 eyes"), give)
    record.push(shows("Ada", 0, 1, "11 eyes"))
    record.push(give)
    assert codes(record) == [(3, "wrong_phase")]
    record = thirteen(dealt("Ada", "1 top"), *miss("Ada")[:2], give, done("Ada"), give)
    assert [code for _, code in codes(record)] == ["wrong_phase", "not_your_turn"]


@rules("M13-20", "M13-R1")
def test_only_loose_sets_in_the_right_hands_change_hands() -> None:
    record = thirteen(
        *GRUNTS,
        dealt("Ada", "9 top"),
        dealt("Bo", "10 top"),
        trades("Ada", "Bo", "1 top"),
        trades("Ada", "Bo", gets="2 top"),
        trades("Ada", "Bo", "10 top", "9 top"),
        trades("Ada", "Bo", "11 top", "10 top"),
        trades("Ada", "Bo", "9 top", "10 top"),
    )
    assert [code for _, code in codes(record)] == ["no_such_set"] * 4
    assert (sets(record, "Ada"), sets(record, "Bo")) == (["10 top"], ["9 top"])


@rules("M13-20")
def test_bargains_that_are_none() -> None:
    bad = [
        trades("Ada", "Bo"),
        trades("Ada", "Ada", "9 top"),
        trades("Ada", "Bo", "9 top, 9 top"),
        trades("Ada", "Bo", "9 top", "9 top"),
        {**trades("Ada", "Bo", "9 top"), "gives": a_set("9 top")},
        {**trades("Ada", "Bo", "9 top"), "gets": None},
    ]
    record = thirteen(
        dealt("Ada", "9 top"), *bad, trades("Ada", "Cy", "9 top"), trades("Ada", "Bo", "14 top")
    )
    assert [code for _, code in codes(record)] == ["bad_field"] * 6 + ["unknown_player", "unknown_card"]
    missing = [
        {k: v for k, v in trades("Ada", "Bo", "9 top").items() if k != key} for key in ("with", "gets")
    ]
    assert [code for _, code in codes(thirteen(*missing))] == ["missing_field"] * 2


@rules("M13-8")
def test_the_partner_may_own_nothing() -> None:
    record = thirteen(dealt("Ada", "9 top"), trades("Ada", "Bo", "9 top"))
    assert sets(record, "Bo") == ["9 top"]
    assert view(record)["level"]["Ada"] == "collector"


@rules("M13-15", "M13-16")
def test_a_bargain_may_complete_monsters_on_both_sides() -> None:
    record = thirteen(
        dealt("Ada", "1 top", "1 eyes", "2 top"),
        dealt("Bo", "3 eyes", "1 bottom", "2 bottom"),
        trades("Ada", "Bo", "2 top", "1 bottom"),
    )
    assert monsters(record, "Ada") == [[1, 1, 1]]
    assert monsters(record, "Bo") == [[2, 3, 2]]


def test_declining_is_for_the_third_card_of_prophet_only() -> None:
    record = thirteen(
        declines("Ada"), shows("Ada", 0, 0, "1 top"), declines("Ada"), shows("Ada", 0, 1, "2 top")
    )
    record.push(declines("Ada"))
    assert [code for _, code in codes(record)] == ["wrong_phase"] * 3


@rules("M13-2")
def test_there_are_thirteen_monsters_of_three_sets() -> None:
    cards = [(card["monster"], card["part"]) for card in map(set_as_json, ALL_SETS)]
    assert len(set(cards)) == 39
    assert {monster for monster, _ in cards} == set(range(1, 14))
    assert {part for _, part in cards} == {"top", "eyes", "bottom"}
