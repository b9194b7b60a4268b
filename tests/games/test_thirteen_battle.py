"""13 Monsters: attack, dice, the final round, the Death Battle and the Elemental Master, rule by rule."""

from typing import Any

import pytest
from rulescripts import codes, found, view
from threescripts import (
    ADA,
    DEATH_BATTLE,
    EVEN,
    GRUNTS,
    LAST_ROUND,
    OGS,
    Json,
    attacks,
    chooses,
    dealt,
    done,
    finds,
    miss,
    owns,
    power,
    shows,
    spoils,
    stops,
    thirteen,
    throw_and_stop,
    throws,
    trades,
)

rules = pytest.mark.rules
ATTACK = [*GRUNTS, attacks("Ada", [1, 4, 7], "5 eyes")]
"""Ada's Grunt for Bo's eyes of 5; three throws each."""
WON = [*throw_and_stop("Ada", 6, 6, 6, 1, 2), *throw_and_stop("Bo", 1, 2, 3, 4, 4)]
LOST = [*throw_and_stop("Ada", 1, 2, 3, 4, 4), *throw_and_stop("Bo", 6, 6, 6, 1, 2)]
NAMED = [chooses("Ada", 1, 1, 1), chooses("Bo", 7, 7, 7)]


def phase(record: Any) -> tuple[str, str | None]:
    return view(record)["phase"], view(record)["turn"]


def sets(record: Any, player: str) -> list[str]:
    return [f"{one['monster']} {one['part']}" for one in view(record)["sets"][player]]


def monsters(record: Any, player: str) -> list[list[int]]:
    return [one["parts"] for one in view(record)["monsters"][player]]


def points(*dice: int, **settings: Any) -> int:
    record = thirteen(*ATTACK, *throw_and_stop("Ada", *dice), **settings)
    found_: int = view(record)["battle"]["points"]["Ada"]
    return found_


# --- declaring --------------------------------------------------------------------------------------------


@rules("M13-24")
def test_an_attack_needs_a_monster_and_comes_before_the_search() -> None:
    record = thirteen(dealt("Ada", "1 top"), owns("Bo", 2, 5, 8), attacks("Ada", [1, 4, 7], "5 eyes"))
    assert codes(record) == [(3, "no_such_monster")]
    late = attacks("Ada", [1, 4, 7], "5 eyes")
    record = thirteen(*GRUNTS, shows("Ada", 0, 0, "9 top"), late, shows("Ada", 0, 1, "10 top"), late)
    assert codes(record) == [(4, "wrong_phase"), (6, "wrong_phase")]
    assert codes(thirteen(*GRUNTS, attacks("Bo", [2, 5, 8], "1 top"))) == [(3, "not_your_turn")]


@rules("M13-26")
def test_monster_and_set_are_named_first() -> None:
    record = thirteen(
        *GRUNTS,
        attacks("Ada", [2, 5, 8], "5 eyes"),
        attacks("Ada", [1, 4, 8], "5 eyes"),
        attacks("Ada", [1, 4, 7], "4 eyes"),
        attacks("Ada", [1, 4, 7], "9 eyes"),
        attacks("Ada", [1, 4, 7], "5 eyes"),
    )
    wrong = ["no_such_monster", "no_such_monster", "no_such_set", "no_such_set"]
    assert [code for _, code in codes(record)] == wrong
    battle = view(record)["battle"]
    assert (battle["attacker"], battle["defender"]) == ("Ada", "Bo")
    assert (battle["parts"], battle["set"]) == ([1, 4, 7], {"monster": 5, "part": "eyes"})
    assert (battle["throws"], battle["points"]) == ({"Ada": 3, "Bo": 3}, {})


@rules("M13-26")
@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("parts", [1, 4], "bad_field"),
        ("parts", [1, 4, "7"], "bad_field"),
        ("parts", [1, 4, 0], "bad_field"),
        ("set", "5 eyes", "bad_field"),
        ("set", {"monster": 5, "part": "tail"}, "unknown_card"),
    ],
)
def test_malformed_attacks(field: str, value: Any, code: str) -> None:
    assert codes(thirteen(*GRUNTS, {**attacks("Ada", [1, 4, 7], "5 eyes"), field: value})) == [(3, code)]


@rules("M13-27", "M13-49")
def test_a_set_in_a_monster_is_defended_with_its_throws() -> None:
    record = thirteen(owns("Ada", 13, 13, 13), owns("Bo", 5, 5, 1), attacks("Ada", [13, 13, 13], "1 bottom"))
    assert view(record)["battle"]["throws"] == {"Ada": 6, "Bo": 4}


@rules("M13-27", "M13-66")
def test_a_loose_set_is_defended_with_the_attackers_throws() -> None:
    record = thirteen(owns("Ada", 1, 2, 3), dealt("Bo", "5 eyes"), attacks("Ada", [1, 2, 3], "5 eyes"))
    assert view(record)["battle"]["throws"] == {"Ada": 5, "Bo": 5}


@rules("M13-25", "M13-R3")
def test_one_attack_in_a_turn() -> None:
    again = attacks("Ada", [1, 4, 7], "2 top")
    record = thirteen(*ATTACK, *WON, again, *finds("Ada", "9 top", 0))
    assert codes(record) == [(8, "already_attacked")]
    record.push(again)
    assert codes(record)[-1] == (11, "already_attacked")
    free = thirteen(*ATTACK, *WON, again, *finds("Ada", "9 top", 0), again, attack_again_after_set=True)
    assert codes(free) == [(8, "already_attacked")]
    assert phase(free) == ("attack", "Ada")


@rules("M13-25")
def test_the_next_turn_allows_a_new_attack() -> None:
    record = thirteen(
        *ATTACK,
        *WON,
        *miss("Ada"),
        *miss("Bo"),
        attacks("Ada", [1, 4, 7], "2 top"),
        attacks("Ada", [9] * 3, "2 top"),
    )
    assert phase(record) == ("attack", "Ada")
    assert codes(record) == [(15, "wrong_phase")]


@rules("M13-25", "M13-26")
def test_a_foreign_monster_is_noticed_before_a_second_attack_and_that_before_the_set() -> None:
    record = thirteen(*ATTACK, *WON, attacks("Ada", [9, 9, 9], "12 top"), attacks("Ada", [1, 4, 7], "12 top"))
    assert [code for _, code in codes(record)] == ["no_such_monster", "already_attacked"]


@rules("M13-32")
def test_while_they_fight_nothing_else_happens() -> None:
    others: list[Json] = [
        shows("Ada", 0, 0, "9 top"),
        trades("Ada", "Bo", "9 top"),
        power("Ada", "permafrost", at=[0, 0]),
        done("Ada"),
        attacks("Ada", [1, 4, 7], "2 top"),
        spoils("Bo", "1 top"),
        chooses("Ada", 1, 4, 7),
    ]
    assert [code for _, code in codes(thirteen(*ATTACK, *others))] == ["wrong_phase"] * 7


# --- dice -------------------------------------------------------------------------------------------------


@rules("M13-51", "M13-56")
def test_the_attacker_throws_first_with_all_five_dice() -> None:
    record = thirteen(
        *ATTACK,
        throws("Bo", 1, 2, 3, 4, 5),
        throws("Ada", 1, 2, 3, 4),
        throws("Ada", 1, 2, 3, kept=[4, 4]),
        throws("Ada", kept=[1, 1, 1, 1, 1]),
        throws("Ada", 1, 2, 3, 4, 7),
        throws("Ada", 1, 2, 3, 4, 0),
        throws("Ada", 1, 2, 3, 4, 5, 6),
        throws("Ada"),
        stops("Ada"),
        throws("Ada", 1, 2, 3, 4, 5),
        stops("Bo"),
    )
    wrong = ["not_your_turn", *["bad_dice"] * 7, "must_throw", "not_your_turn"]
    assert [code for _, code in codes(record)] == wrong
    record.push(stops("Ada"))
    assert phase(record) == ("attack", "Bo")
    record.push(stops("Bo"))
    assert codes(record)[-1][1] == "must_throw"


@pytest.mark.parametrize("dice", [[1, 2, 3, 4, "5"], [1, 2, 3, 4, True], [1, 2, 3, 4, 5.0], "12345", None])
def test_dice_are_whole_numbers(dice: Any) -> None:
    thrown = {"event": "dice_thrown", "player": "Ada", "dice": dice}
    assert codes(thirteen(*ATTACK, thrown)) == [(4, "bad_field")]
    kept = {"event": "dice_thrown", "player": "Ada", "dice": [1], "kept": dice}
    assert codes(thirteen(*ATTACK, kept)) == [(4, "bad_field")]


@rules("M13-52")
def test_equal_dice_may_stay() -> None:
    first = throws("Ada", 4, 4, 1, 2, 6)
    bad: list[Json] = [
        throws("Ada", 1, 1, 1, kept=[4, 6]),
        throws("Ada", 1, 1, kept=[4, 4, 4]),
        throws("Ada", 1, 1, 1, 1, kept=[5]),
        throws("Ada", 1, 1, kept=[4, 4]),
        throws("Ada", 1, 1, 1, 1, kept=[7]),
    ]
    record = thirteen(*ATTACK, first, *bad, throws("Ada", 4, 3, 5, kept=[4, 4]), stops("Ada"))
    assert [code for _, code in codes(record)] == ["bad_dice"] * 5
    assert view(record)["battle"]["points"] == {"Ada": 12}


@rules("M13-52")
def test_not_all_five_may_stay() -> None:
    record = thirteen(*ATTACK, throws("Ada", 6, 6, 6, 6, 6), throws("Ada", kept=[6] * 5))
    assert codes(record) == [(5, "bad_dice")]
    assert codes(thirteen(*ATTACK, throws("Ada", 6, 6, 6, 6, 6), throws("Ada", 1, kept=[6] * 4))) == []


@rules("M13-53", "M13-49")
def test_stopping_at_any_time_and_automatically_after_the_last_throw() -> None:
    any_ = throws("Ada", 1, 2, 3, 4, 5)
    assert phase(thirteen(*ATTACK, any_)) == ("attack", "Ada")
    assert phase(thirteen(*ATTACK, any_, stops("Ada"))) == ("attack", "Bo")
    record = thirteen(*ATTACK, any_, any_, any_, any_)
    assert phase(record) == ("attack", "Bo")
    assert codes(record) == [(7, "not_your_turn")]


@rules("M13-53", "M13-55", "M13-R4")
@pytest.mark.parametrize(
    ("dice", "total"),
    [
        ((6, 6, 6, 6, 6), 30),
        ((6, 6, 6, 1, 2), 18),
        ((5, 5, 5, 2, 2), 15),
        ((2, 2, 2, 6, 6), 12),
        ((2, 3, 4, 5, 5), 10),
        ((2, 3, 4, 4, 4), 12),
        ((1, 1, 1, 1, 6), 6),
        ((1, 2, 3, 4, 5), 5),
        ((1, 1, 1, 2, 3), 3),
    ],
)
def test_printed_totals_of_equal_dice(dice: tuple[int, ...], total: int) -> None:
    assert points(*dice) == total


@rules("M13-R4")
def test_a_single_die_need_not_score() -> None:
    assert points(1, 2, 3, 4, 6, single_die_scores=False) == 0
    assert points(1, 1, 3, 4, 6, single_die_scores=False) == 2


@rules("M13-54", "M13-R18")
def test_all_dice_or_some_of_those_put_aside_may_be_thrown_again() -> None:
    record = thirteen(*ATTACK, throws("Ada", 5, 5, 5, 1, 2), throws("Ada", 4, 6, 6, kept=[5, 5]))
    record.push(throws("Ada", 1, 6, 3, kept=[6, 6]))
    assert view(record)["battle"]["points"]["Ada"] == 18
    record = thirteen(*ATTACK, throws("Ada", 5, 5, 5, 1, 2), throws("Ada", 1, 1, 2, 3, 4), stops("Ada"))
    assert view(record)["battle"]["points"]["Ada"] == 4


@rules("M13-56")
def test_the_defender_throws_with_the_own_number_of_throws() -> None:
    any_ = [throws("Bo", 1, 2, 3, 4, 4)] * 4
    record = thirteen(owns("Ada", 1, 4, 7), owns("Bo", 5, 5, 1), attacks("Ada", [1, 4, 7], "1 bottom"))
    for event in (*throw_and_stop("Ada", 6, 6, 6, 1, 2), *any_[:3]):
        record.push(event)
    assert phase(record) == ("attack", "Bo")
    record.push(any_[3])
    assert found(record) == [(9, "Ada", "attack_won")]


# --- the outcome ------------------------------------------------------------------------------------------


@rules("M13-57")
def test_a_winning_attacker_takes_the_set_and_the_monster_falls_apart() -> None:
    record = thirteen(*ATTACK, *WON)
    assert found(record) == [(7, "Ada", "attack_won")]
    assert (sets(record, "Ada"), sets(record, "Bo")) == (["5 eyes"], ["2 top", "8 bottom"])
    assert monsters(record, "Bo") == []
    assert (phase(record), view(record)["battle"]) == (("before_search", "Ada"), None)
    assert record.scores() == {"Ada": 10, "Bo": 0}


@rules("M13-57", "M13-15")
def test_the_booty_may_complete_a_monster() -> None:
    record = thirteen(
        owns("Ada", 1, 4, 7),
        dealt("Ada", "5 top", "5 bottom"),
        dealt("Bo", "5 eyes"),
        attacks("Ada", [1, 4, 7], "5 eyes"),
        *WON,
    )
    assert monsters(record, "Ada") == [[1, 4, 7], [5, 5, 5]]
    assert view(record)["level"]["Bo"] == "collector"


@rules("M13-58", "M13-R19")
def test_a_winning_defender_takes_a_set_of_the_attacking_monster() -> None:
    record = thirteen(*ATTACK, *LOST)
    assert found(record) == [(7, "Ada", "attack_lost")]
    assert phase(record) == ("spoils", "Bo")
    assert view(record)["battle"]["points"] == {"Ada": 8, "Bo": 18}
    for event in (done("Bo"), spoils("Ada", "1 top"), spoils("Bo", "2 top"), spoils("Bo", "9 top")):
        record.push(event)
    wrong = ["wrong_phase", "not_your_turn", "no_such_set", "no_such_set"]
    assert [code for _, code in codes(record)] == wrong
    record.push(spoils("Bo", "4 eyes"))
    assert (sets(record, "Ada"), sets(record, "Bo")) == (["1 top", "7 bottom"], ["4 eyes"])
    assert phase(record) == ("before_search", "Ada")


@rules("M13-R19")
def test_a_winning_defender_may_decline_the_spoils() -> None:
    record = thirteen(*ATTACK, *LOST)
    before = view(record)
    assert any(offer.matches(spoils("Bo", None)) for offer in record.book.expects(record.state))
    record.push(spoils("Bo", None))
    after = view(record)
    assert (codes(record), phase(record)) == ([], ("before_search", "Ada"))
    assert (after["sets"], after["monsters"], after["battle"]) == (before["sets"], before["monsters"], None)


@rules("M13-58")
def test_another_monster_of_the_attacker_is_safe() -> None:
    record = thirteen(*GRUNTS, owns("Ada", 3, 6, 9), attacks("Ada", [1, 4, 7], "5 eyes"), *LOST)
    record.push(spoils("Bo", "3 top"))
    assert codes(record) == [(9, "no_such_set")]


@rules("M13-59")
def test_equal_points_go_to_the_attacker() -> None:
    equal = [*throw_and_stop("Ada", 5, 5, 5, 1, 2), *throw_and_stop("Bo", 3, 3, 3, 3, 3)]
    assert found(thirteen(*ATTACK, *equal)) == [(7, "Ada", "attack_won")]


# --- the final round --------------------------------------------------------------------------------------


@rules("M13-60", "M13-15")
def test_the_finder_of_the_last_set_begins_the_final_round() -> None:
    record = thirteen(*LAST_ROUND)
    assert phase(record) == ("final_round", "Ada")
    assert (view(record)["cards_left"], monsters(record, "Ada")[-1]) == (0, [13, 13, 13])
    second = thirteen(
        *OGS,
        dealt("Ada", "13 top"),
        shows("Ada", 0, 0, "13 eyes"),
        shows("Ada", 0, 2, "13 bottom"),
        done("Ada"),
        *finds("Bo", "13 eyes", 0),
        *finds("Bo", "13 bottom", 0, 2),
    )
    assert phase(second) == ("final_round", "Bo")
    second.push(done("Bo"))
    assert phase(second) == ("final_round", "Ada")


@rules("M13-60", "M13-R13")
def test_powers_and_one_attack_each_and_nothing_else() -> None:
    record = thirteen(
        *LAST_ROUND,
        trades("Ada", "Bo", "13 top"),
        shows("Ada", 0, 0, "13 top"),
        power("Ada", "supernova", parts=[7, 7, 7]),
        attacks("Ada", [1, 1, 1], "8 top"),
        *throw_and_stop("Ada", 6, 6, 6, 6, 6),
        *throw_and_stop("Bo", 1, 2, 3, 4, 5),
        attacks("Ada", [1, 1, 1], "9 top"),
        done("Ada"),
        attacks("Bo", [9, 9, 9], "8 top"),
    )
    wrong = ["wrong_phase", "wrong_phase", "already_attacked"]
    assert [code for _, code in codes(record)] == wrong
    assert phase(record) == ("attack", "Bo")


@rules("M13-60")
def test_an_attack_before_the_last_set_does_not_count_for_the_final_round() -> None:
    first = [attacks("Ada", [1, 1, 1], "8 top"), *throw_and_stop("Ada", 6, 6, 6, 6, 6)]
    first += throw_and_stop("Bo", 1, 2, 3, 4, 5)
    record = thirteen(*EVEN[:-2], *first, *EVEN[-2:], attacks("Ada", [1, 1, 1], "9 top"))
    assert codes(record) == []
    assert phase(record) == ("attack", "Ada")
    for event in (*throw_and_stop("Ada", 1, 2, 3, 4, 5), *throw_and_stop("Bo", 6, 6, 6, 6, 6)):
        record.push(event)
    record.push(spoils("Bo", "1 top"))
    assert phase(record) == ("final_round", "Ada")


@rules("M13-61", "M13-60")
def test_most_health_points_win_and_loose_sets_count_nothing() -> None:
    record = thirteen(*LAST_ROUND, done("Bo"), done("Ada"), done("Ada"), done("Bo"))
    assert [code for _, code in codes(record)] == ["not_your_turn", "not_your_turn"]
    assert (record.winner(), record.scores()) == (["Ada"], {"Ada": 300, "Bo": 240})
    assert phase(record) == ("over", None)
    assert view(record)["battle"] is None
    record.push(done("Ada"))
    assert codes(record)[-1][1] == "game_over"


# --- the Death Battle -------------------------------------------------------------------------------------


@rules("M13-62")
def test_a_tie_leads_to_the_death_battle() -> None:
    record = thirteen(*DEATH_BATTLE)
    assert phase(record) == ("death_battle", None)
    nobody = {"Ada": None, "Bo": None}
    dice = {"throws": {}, "points": {}, "thrown": 0, "lying": []}
    assert view(record)["battle"] == {"players": ["Ada", "Bo"], "chosen": nobody, **dice}
    assert record.winner() == []


@rules("M13-62")
def test_each_chooses_a_monster_then_they_throw_in_seating_order() -> None:
    record = thirteen(
        *DEATH_BATTLE,
        throws("Ada", 6, 6, 6, 6, 6),
        chooses("Bo", 1, 1, 1),
        chooses("Bo", 7, 7, 7),
        chooses("Bo", 8, 8, 8),
        chooses("Ada", 9, 9, 9),
        chooses("Ada", 1, 1, 1),
        chooses("Ada", 2, 2, 2),
        throws("Bo", 6, 6, 6, 6, 6),
    )
    wrong = ["wrong_phase", "no_such_monster", "not_your_turn", "no_such_monster", "wrong_phase"]
    assert [code for _, code in codes(record)] == [*wrong, "not_your_turn"]
    assert phase(record) == ("death_battle", "Ada")
    assert view(record)["battle"]["throws"] == {"Ada": 5, "Bo": 5}


@rules("M13-62")
@pytest.mark.parametrize(("ada", "bo", "winner"), [((6,) * 5, (5,) * 5, "Ada"), ((1,) * 5, (5,) * 5, "Bo")])
def test_the_higher_throw_wins_the_game(ada: Any, bo: Any, winner: str) -> None:
    record = thirteen(*DEATH_BATTLE, *NAMED, *throw_and_stop("Ada", *ada), *throw_and_stop("Bo", *bo))
    assert (record.winner(), phase(record)) == ([winner], ("over", None))
    assert record.scores() == {"Ada": 240, "Bo": 240}


@rules("M13-63")
def test_tied_again_they_fight_again_with_other_monsters_if_they_like() -> None:
    tie = [*NAMED, *throw_and_stop("Ada", 5, 5, 1, 2, 3), *throw_and_stop("Bo", 5, 5, 1, 2, 3)]
    record = thirteen(*DEATH_BATTLE, *tie)
    assert phase(record) == ("death_battle", None)
    nobody = {"Ada": None, "Bo": None}
    dice = {"throws": {}, "points": {}, "thrown": 0, "lying": []}
    assert view(record)["battle"] == {"players": ["Ada", "Bo"], "chosen": nobody, **dice}
    again = [chooses("Ada", 2, 2, 2), chooses("Bo", 7, 7, 7)]
    for event in (*again, *throw_and_stop("Ada", 5, 5, 1, 2, 3), *throw_and_stop("Bo", 6, 6, 1, 2, 3)):
        record.push(event)
    assert record.winner() == ["Bo"]


def three_level() -> list[Json]:
    """Three players with one OG each and all the rest in loose sets; the final round is over."""
    eyes = [f"{n} eyes" for n in range(1, 14) if n not in (1, 4, 7)]
    tops = [f"{n} top" for n in range(1, 14) if n not in (1, 4, 7)]
    bottoms = [f"{n} bottom" for n in range(1, 13) if n not in (1, 4, 7)]
    return [
        *(owns(player, n, n, n) for player, n in (("Ada", 1), ("Bo", 4), ("Cy", 7))),
        dealt("Ada", *eyes),
        dealt("Bo", *tops),
        dealt("Cy", *bottoms),
        *finds("Ada", "13 bottom", 0),
        *(done(player) for player in ("Ada", "Bo", "Cy")),
    ]


@rules("M13-R14")
def test_only_those_level_at_the_top_go_on() -> None:
    players = ["Ada", "Bo", "Cy"]
    throw = {"Ada": (6, 6, 1, 2, 3), "Bo": (1, 2, 3, 4, 4), "Cy": (6, 6, 1, 2, 3)}
    record = thirteen(*three_level(), players=players)
    assert record.scores() == {"Ada": 40, "Bo": 40, "Cy": 40}
    assert phase(record) == ("death_battle", None)
    own = {"Ada": 1, "Bo": 4, "Cy": 7}
    for player in reversed(players):
        record.push(chooses(player, *(own[player],) * 3))
    for player in players:
        for event in throw_and_stop(player, *throw[player]):
            record.push(event)
    assert view(record)["battle"]["players"] == ["Ada", "Cy"]
    record.push(chooses("Bo", 4, 4, 4))
    assert codes(record)[-1][1] == "not_your_turn"
    for event in (chooses("Ada", 1, 1, 1), chooses("Cy", 7, 7, 7)):
        record.push(event)
    for event in (*throw_and_stop("Ada", 1, 2, 3, 4, 5), *throw_and_stop("Cy", 6, 6, 1, 2, 3)):
        record.push(event)
    assert record.winner() == ["Cy"]


@rules("M13-R15")
def test_a_tie_with_somebody_who_has_no_monster_is_shared() -> None:
    tops = [f"{n} top" for n in range(1, 14)]
    bottoms = [f"{n} bottom" for n in range(1, 14)]
    eyes = [f"{n} eyes" for n in range(1, 13)]
    record = thirteen(
        dealt("Ada", *tops),
        dealt("Bo", *bottoms),
        dealt("Cy", *eyes),
        trades("Ada", "Cy", "1 top"),
        trades("Ada", "Cy", gets="1 top"),
        *finds("Ada", "13 eyes", 0),
        players=["Ada", "Bo", "Cy"],
    )
    assert record.scores() == {"Ada": 0, "Bo": 0, "Cy": 0}
    for player in ("Ada", "Bo", "Cy"):
        record.push(done(player))
    assert (phase(record), record.winner()) == (("over", None), ["Ada", "Bo", "Cy"])


@rules("M13-R15", "M13-45")
def test_a_tie_with_a_spent_13th_only_is_shared() -> None:
    """Ada: a spent 13th, 60. Bo: an OG and an Abomination, 60. All else is loose."""
    rest = [n for n in range(1, 13) if n not in (1, 2, 3)]
    record = thirteen(
        owns("Ada", 13, 13, 13),
        owns("Bo", 1, 1, 1),
        owns("Bo", 2, 2, 3),
        owns("Cy", 3, 3, 2),
        dealt("Cy", *(f"{n} top" for n in rest)),
        dealt("Bo", *(f"{n} eyes" for n in rest)),
        dealt("Ada", *(f"{n} bottom" for n in rest[:-1])),
        power("Ada", "supernova", parts=[3, 3, 2]),
        attacks("Ada", [3, 3, 2], "4 eyes"),
        *throw_and_stop("Ada", 1, 2, 3, 4, 4),
        *throw_and_stop("Bo", 6, 6, 6, 6, 6),
        spoils("Bo", "3 eyes"),
        players=["Ada", "Bo", "Cy"],
    )
    assert record.scores() == {"Ada": 60, "Bo": 60, "Cy": 0}
    assert record.rejected == []
    last = f"{rest[-1]} bottom"
    give_back = [trades("Ada", "Cy", "3 top")]
    for event in (*give_back, *finds("Ada", last, 0), *(done(player) for player in ("Ada", "Bo", "Cy"))):
        record.push(event)
    assert record.winner() == ["Ada", "Bo"]


# --- Elemental Master -------------------------------------------------------------------------------------

THREE = [owns("Ada", n, n, n) for n in (1, 4, 7)]


@rules("M13-64")
def test_four_ogs_of_four_elements_win_at_once() -> None:
    record = thirteen(*THREE, dealt("Ada", "10 top", "10 bottom"), *finds("Ada", "10 eyes", 0), done("Ada"))
    assert record.winner() == ["Ada"]
    assert found(record) == [(6, "Ada", "set_found"), (6, "Ada", "elemental_master")]
    assert codes(record) == [(7, "game_over")]


@rules("M13-64")
def test_two_ogs_of_one_element_are_not_enough() -> None:
    assert thirteen(*THREE, owns("Ada", 2, 2, 2)).winner() == []


@rules("M13-65")
def test_the_13th_monster_stands_for_one_of_them() -> None:
    assert thirteen(*THREE, owns("Ada", 13, 13, 13)).winner() == ["Ada"]


@rules("M13-64", "M13-57")
def test_elemental_master_by_booty() -> None:
    record = thirteen(
        *THREE,
        dealt("Ada", "10 top", "10 bottom"),
        dealt("Bo", "10 eyes"),
        attacks("Ada", [1, 1, 1], "10 eyes"),
        *WON,
    )
    assert found(record) == [(10, "Ada", "attack_won"), (10, "Ada", "elemental_master")]
    assert view(record)["battle"] is None


@rules("M13-64")
def test_somebody_elses_turn_may_make_one_elemental_master() -> None:
    record = thirteen(
        *(owns("Bo", n, n, n) for n in (1, 4, 7)),
        dealt("Bo", "10 top", "10 bottom"),
        dealt("Ada", "10 eyes"),
        trades("Ada", "Bo", "10 eyes"),
        players=ADA,
    )
    assert record.winner() == ["Bo"]
