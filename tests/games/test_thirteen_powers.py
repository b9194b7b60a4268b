"""13 Monsters: the four powers, rule by rule."""

from typing import Any

import pytest
from rulescripts import codes, found, view
from threescripts import (
    EVEN,
    GRUNTS,
    a_set,
    attacks,
    builds,
    dealt,
    declines,
    done,
    finds,
    freezes,
    miss,
    owns,
    power,
    shows,
    stops,
    thirteen,
    throws,
)

from companion.table.amend import corrected

rules = pytest.mark.rules
OG = owns("Ada", 5, 5, 5)
PROPHET = power("Ada", "prophet")
THIRTEENTH = [owns("Ada", 13, 13, 13), owns("Bo", 5, 5, 5), owns("Bo", 1, 4, 7)]


def phase(record: Any) -> str:
    state: str = view(record)["phase"]
    return state


def monsters(record: Any, player: str) -> list[list[int]]:
    return [one["parts"] for one in view(record)["monsters"][player]]


def ices(record: Any) -> list[list[int]]:
    return [one["at"] for one in view(record)["frozen"]]


# --- powers in general ------------------------------------------------------------------------------------


@rules("M13-21", "M13-23", "M13-38")
def test_powers_come_before_the_search_and_permafrost_also_after_it() -> None:
    late = [
        PROPHET,
        power("Ada", "sacrifice", rebuilt=[[5, 5, 5]]),
        power("Ada", "supernova", parts=[1, 4, 7]),
        freezes("Ada", 3, 3),
    ]
    record = thirteen(OG, shows("Ada", 0, 0, "1 top"), *late)
    assert [code for _, code in codes(record)] == ["wrong_phase"] * 4
    record = thirteen(OG, *miss("Ada")[:2], *late)
    assert [code for _, code in codes(record)] == ["wrong_phase"] * 3
    assert ices(record) == [[3, 3]]


@rules("M13-21")
def test_powers_belong_to_ones_own_turn() -> None:
    record = thirteen(*GRUNTS, freezes("Bo", 0, 0))
    assert codes(record) == [(3, "not_your_turn")]


@rules("M13-22", "M13-R10")
def test_a_power_that_is_not_announced_does_nothing_and_is_denied_for_the_turn() -> None:
    record = thirteen(
        *GRUNTS,
        freezes("Ada", 0, 0, announced=False),
        freezes("Ada", 0, 0),
        freezes("Ada", 0, 0, announced=False),
        *finds("Ada", "9 eyes", 3),
        freezes("Ada", 0, 0),
        *miss("Ada"),
        *miss("Bo"),
        freezes("Ada", 0, 0),
    )
    assert found(record)[0] == (3, "Ada", "not_announced")
    assert codes(record) == [(4, "power_lost"), (5, "power_lost"), (8, "power_lost")]
    assert ices(record) == [[0, 0]]


@rules("M13-22")
def test_only_the_power_that_was_not_announced_is_denied() -> None:
    record = thirteen(*GRUNTS, freezes("Ada", 0, 0, announced=False))
    record.push(power("Ada", "sacrifice", rebuilt=[[1, 4, 7]]))
    assert codes(record) == []


@rules("M13-22", "M13-R10")
def test_nothing_of_an_unannounced_power_stays() -> None:
    nova = power("Ada", "supernova", parts=[5, 5, 5], announced=False)
    record = thirteen(*THIRTEENTH, nova)
    assert monsters(record, "Bo") == [[1, 4, 7], [5, 5, 5]]
    assert view(record)["monsters"]["Ada"][0]["spent"] is False
    agreed = corrected(record, {"event": "overruled", "n": 4})
    assert monsters(agreed, "Ada") == [[5, 5, 5], [13, 13, 13]]
    assert [one for entry in agreed.entries for one in entry.verdicts] == []


@rules("M13-R9")
@pytest.mark.parametrize("used", [PROPHET, freezes("Ada", 0, 0), power("Ada", "sacrifice", rebuilt=[])])
def test_without_a_monster_there_are_no_powers(used: Any) -> None:
    assert codes(thirteen(dealt("Ada", "1 top"), used)) == [(2, "no_such_power")]


@pytest.mark.parametrize(
    ("event", "code"),
    [
        ({"event": "power_used", "player": "Ada"}, "missing_field"),
        (power("Ada", "flood"), "bad_field"),
        (power("Ada", 3), "bad_field"),
        (power("Ada", ["prophet"]), "bad_field"),
        (power("Ada", "sacrifice"), "missing_field"),
        (power("Ada", "sacrifice", rebuilt=[[1, 4]]), "bad_field"),
        (power("Ada", "sacrifice", rebuilt=[1, 4, 7]), "bad_field"),
        (power("Ada", "sacrifice", rebuilt=[[1, 4, 14]]), "bad_field"),
        (power("Ada", "sacrifice", rebuilt=[[1, 4, True]]), "bad_field"),
        (power("Ada", "permafrost"), "missing_field"),
        (power("Ada", "permafrost", at=[0]), "bad_field"),
        (power("Ada", "permafrost", at=[0, 0], announced="no"), "bad_field"),
        (power("Ada", "permafrost", at=[0, 0], announced=None), "bad_field"),
        (power("Ada", "permafrost", at=[0, 0], announced=0), "bad_field"),
        (power("Ada", "supernova"), "missing_field"),
        (power("Ada", "supernova", parts="13"), "bad_field"),
        (power("Cy", "flood"), "unknown_player"),
    ],
)
def test_malformed_powers(event: Any, code: str) -> None:
    assert codes(thirteen(*GRUNTS, event)) == [(3, code)]


@rules("M13-32")
def test_powers_go_together_with_each_other_and_the_attack() -> None:
    record = thirteen(
        *THIRTEENTH,
        dealt("Ada", "2 top"),
        PROPHET,
        freezes("Ada", 0, 0),
        power("Ada", "sacrifice", rebuilt=[[13, 13, 13]]),
        attacks("Ada", [13, 13, 13], "1 top"),
        throws("Ada", 6, 6, 6, 6, 6),
        stops("Ada"),
        throws("Bo", 1, 2, 3, 4, 6),
        stops("Bo"),
        power("Ada", "supernova", parts=[5, 5, 5]),
        *finds("Ada", "9 top", 0),
    )
    assert codes(record) == []
    assert phase(record) == "search"


# --- Sacrifice --------------------------------------------------------------------------------------------


@rules("M13-33", "M13-28")
def test_sacrifice_rearranges_all_sets() -> None:
    record = thirteen(
        owns("Ada", 1, 4, 7),
        owns("Ada", 4, 7, 1),
        dealt("Ada", "7 top"),
        power("Ada", "sacrifice", rebuilt=[[1, 7, 1], [7, 4, 7]]),
    )
    assert monsters(record, "Ada") == [[1, 7, 1], [7, 4, 7]]
    assert [a_set("4 top")] == view(record)["sets"]["Ada"]
    assert record.scores()["Ada"] == 40


@rules("M13-33", "M13-28", "M13-29", "M13-30", "M13-31")
@pytest.mark.parametrize("parts", [[1, 4, 7], [1, 1, 4], [5, 5, 5], [13, 13, 13]])
def test_every_species_has_sacrifice(parts: list[int]) -> None:
    assert codes(thirteen(owns("Ada", *parts), power("Ada", "sacrifice", rebuilt=[parts]))) == []


@rules("M13-33")
@pytest.mark.parametrize(
    "rebuilt", [[[1, 4, 8]], [[1, 4, 7], [1, 4, 7]], [[2, 5, 8]], [[1, 4, 7], [9, 9, 9]]]
)
def test_sacrifice_uses_ones_own_sets_once(rebuilt: Any) -> None:
    record = thirteen(*GRUNTS, power("Ada", "sacrifice", rebuilt=rebuilt))
    assert codes(record) == [(3, "no_such_set")]


@rules("M13-R17")
def test_sacrifice_leaves_no_monster_that_could_be_built() -> None:
    two = [owns("Ada", 1, 4, 7), owns("Ada", 2, 5, 8)]
    record = thirteen(
        *two, power("Ada", "sacrifice", rebuilt=[]), power("Ada", "sacrifice", rebuilt=[[1, 5, 7]])
    )
    assert [code for _, code in codes(record)] == ["must_build", "must_build"]
    assert monsters(record, "Ada") == [[1, 4, 7], [2, 5, 8]]


@rules("M13-R17", "M13-44")
def test_a_spent_13th_stays_out_of_a_sacrifice() -> None:
    nova = [*THIRTEENTH, power("Ada", "supernova", parts=[1, 4, 7])]
    record = thirteen(
        *nova,
        power("Ada", "sacrifice", rebuilt=[[1, 4, 7], [13, 13, 13]]),
        power("Ada", "sacrifice", rebuilt=[[13, 4, 7]]),
        power("Ada", "sacrifice", rebuilt=[[1, 4, 7]]),
    )
    assert [code for _, code in codes(record)] == ["no_such_set", "no_such_set"]
    assert monsters(record, "Ada") == [[1, 4, 7], [13, 13, 13]]


@rules("M13-33", "M13-64")
def test_elemental_master_by_sacrifice() -> None:
    mixed = [owns("Ada", *parts) for parts in ((1, 4, 7), (4, 7, 10), (7, 10, 1), (10, 1, 4))]
    whole = [[n, n, n] for n in (1, 4, 7, 10)]
    record = thirteen(*mixed, power("Ada", "sacrifice", rebuilt=whole))
    assert record.winner() == ["Ada"]
    assert found(record) == [(5, "Ada", "elemental_master")]


# --- Permafrost -------------------------------------------------------------------------------------------


@rules("M13-34")
def test_opponents_may_not_turn_a_frozen_card_over() -> None:
    record = thirteen(
        *GRUNTS,
        freezes("Ada", 0, 0),
        *miss("Ada"),
        shows("Bo", 0, 0, "9 top"),
        shows("Bo", 0, 1, "9 top"),
        shows("Bo", 0, 0, "9 top"),
    )
    assert codes(record) == [(7, "frozen"), (9, "frozen")]
    assert view(record)["frozen"] == [{"at": [0, 0], "player": "Ada"}]


@rules("M13-34")
def test_what_can_be_frozen() -> None:
    record = thirteen(
        *GRUNTS,
        freezes("Ada", 4, 4),
        freezes("Ada", 9, 0),
        freezes("Ada", 0, 0),
        freezes("Ada", 0, 0),
        *miss("Ada"),
        freezes("Bo", 0, 0),
    )
    assert codes(record) == [(3, "no_card"), (4, "no_card"), (6, "already_frozen"), (10, "already_frozen")]


@rules("M13-35")
def test_five_dice_for_all_in_the_order_of_freezing() -> None:
    record = thirteen(
        *GRUNTS,
        *(freezes("Ada", 1, column) for column in (3, 0, 1)),
        *miss("Ada"),
        *(freezes("Bo", 2, column) for column in (2, 0, 1)),
    )
    assert codes(record) == [(11, "no_dice_left")]
    assert ices(record) == [[1, 3], [1, 0], [1, 1], [2, 2], [2, 0]]


@rules("M13-36")
def test_the_owner_turns_it_over_and_it_is_free() -> None:
    record = thirteen(*GRUNTS, freezes("Ada", 0, 0), freezes("Ada", 0, 1), shows("Ada", 0, 0, "9 top"))
    assert ices(record) == [[0, 1]]


@rules("M13-37", "M13-R16", "M13-51")
def test_an_attack_frees_all_for_good() -> None:
    record = thirteen(
        *GRUNTS,
        freezes("Ada", 0, 0),
        *miss("Ada"),
        freezes("Bo", 0, 1),
        attacks("Bo", [2, 5, 8], "1 top"),
    )
    assert ices(record) == []
    for event in (throws("Bo", 6, 6, 1, 2, 3), stops("Bo"), throws("Ada", 1, 2, 3, 4, 5), stops("Ada")):
        record.push(event)
    assert (phase(record), ices(record)) == ("before_search", [])


@rules("M13-39", "M13-28", "M13-29", "M13-30", "M13-31", "M13-R7")
@pytest.mark.parametrize("parts", [[1, 4, 7], [1, 1, 4], [5, 5, 5], [13, 13, 13]])
@pytest.mark.parametrize("grunts", [True, False])
def test_who_has_permafrost(parts: list[int], grunts: bool) -> None:
    record = thirteen(owns("Ada", *parts), freezes("Ada", 0, 0), grunt_permafrost=grunts)
    has = grunts or parts != [1, 4, 7]
    assert codes(record) == ([] if has else [(2, "no_such_power")])


@rules("M13-R5")
def test_how_many_cards_one_player_may_freeze_in_a_turn() -> None:
    five = [freezes("Ada", 0, column) for column in range(5)]
    assert codes(thirteen(*GRUNTS, *five)) == []
    record = thirteen(
        *GRUNTS,
        *five[:2],
        *finds("Ada", "9 eyes", 3),
        five[2],
        *miss("Ada")[:2],
        five[2],
        done("Ada"),
        *miss("Bo"),
        *five[2:],
        permafrost_per_turn=2,
    )
    assert codes(record) == [(7, "no_dice_left"), (10, "no_dice_left"), (17, "no_dice_left")]
    assert codes(thirteen(*GRUNTS, five[0], permafrost_per_turn=0)) == [(3, "no_dice_left")]


# --- Prophet ----------------------------------------------------------------------------------------------


@rules("M13-40", "M13-30")
@pytest.mark.parametrize("twin", ["1 top", "2 top"])
def test_the_third_card_may_match_either(twin: str) -> None:
    record = thirteen(
        OG, PROPHET, shows("Ada", 0, 0, "1 top"), shows("Ada", 0, 1, "2 top"), shows("Ada", 0, 2, twin)
    )
    assert found(record) == [(5, "Ada", "set_found")]
    assert (phase(record), view(record)["sets"]["Ada"]) == ("before_search", [a_set(twin)])


@rules("M13-40", "M13-13")
def test_three_cards_without_a_match_end_the_search() -> None:
    faces = ("1 top", "2 top", "3 top", "4 top")
    record = thirteen(OG, PROPHET, *(shows("Ada", 0, n, face) for n, face in enumerate(faces)))
    assert phase(record) == "after_search"
    assert codes(record) == [(6, "wrong_phase")]


@rules("M13-41", "M13-R8")
def test_after_a_match_the_third_card_may_be_looked_at_or_left() -> None:
    pair = [OG, PROPHET, *finds("Ada", "1 top", 0)]
    record = thirteen(*pair)
    assert (phase(record), view(record)["sets"]["Ada"]) == ("search", [a_set("1 top")])
    assert phase(thirteen(*pair, declines("Ada"))) == "before_search"
    record = thirteen(*pair, shows("Ada", 0, 0, "2 top"), shows("Ada", 5, 5, "2 top"))
    assert codes(record) == [(5, "no_card")]
    assert phase(record) == "before_search"
    record = thirteen(*pair, shows("Ada", 5, 5, "2 top"), PROPHET, shows("Ada", 5, 5, "3 top"))
    assert codes(record) == [(7, "impossible_card")]


@rules("M13-41")
def test_without_a_match_the_third_card_may_be_left() -> None:
    record = thirteen(OG, PROPHET, shows("Ada", 0, 0, "1 top"), shows("Ada", 0, 1, "2 top"), declines("Ada"))
    assert phase(record) == "after_search"


@rules("M13-41")
def test_not_before_two_cards_and_not_without_prophet() -> None:
    record = thirteen(OG, PROPHET, shows("Ada", 0, 0, "1 top"), declines("Ada"), done("Ada"))
    assert [code for _, code in codes(record)] == ["wrong_phase", "wrong_phase"]


@rules("M13-42", "M13-28", "M13-29", "M13-31")
@pytest.mark.parametrize(
    ("parts", "has"), [([1, 4, 7], False), ([1, 1, 4], False), ([5, 5, 5], True), ([13, 13, 13], True)]
)
def test_who_has_prophet(parts: list[int], has: bool) -> None:
    record = thirteen(owns("Ada", *parts), PROPHET)
    assert codes(record) == ([] if has else [(2, "no_such_power")])


@rules("M13-R8")
def test_prophet_is_for_one_search() -> None:
    record = thirteen(
        OG,
        PROPHET,
        PROPHET,
        *finds("Ada", "1 top", 0),
        declines("Ada"),
        shows("Ada", 1, 0, "2 top"),
        shows("Ada", 1, 1, "3 top"),
    )
    assert codes(record) == [(3, "already_used")]
    assert phase(record) == "after_search"
    again = thirteen(OG, PROPHET, *finds("Ada", "1 top", 0), declines("Ada"), PROPHET)
    assert codes(again) == []


@rules("M13-40", "M13-60")
def test_the_last_set_ends_the_field_also_with_prophet() -> None:
    record = thirteen(*EVEN[:-2], PROPHET, *finds("Ada", "13 bottom", 0))
    assert phase(record) == "final_round"


@rules("M13-41", "M13-15")
def test_what_the_match_makes_buildable_is_built_before_the_third_card() -> None:
    record = thirteen(
        OG,
        dealt("Ada", "1 top", "2 top", "3 eyes"),
        PROPHET,
        *finds("Ada", "4 bottom", 0),
        shows("Ada", 5, 5, "6 top"),
        builds("Ada", 1, 3, 4),
        shows("Ada", 5, 5, "6 top"),
    )
    assert codes(record) == [(6, "must_build")]
    assert phase(record) == "before_search"


# --- Supernova --------------------------------------------------------------------------------------------


@rules("M13-43", "M13-45", "M13-31")
def test_the_13th_absorbs_a_whole_monster() -> None:
    record = thirteen(*THIRTEENTH, power("Ada", "supernova", parts=[5, 5, 5]))
    assert monsters(record, "Ada") == [[5, 5, 5], [13, 13, 13]]
    assert monsters(record, "Bo") == [[1, 4, 7]]
    assert [one["spent"] for one in view(record)["monsters"]["Ada"]] == [False, True]
    assert record.scores() == {"Ada": 100, "Bo": 10}


@rules("M13-44", "M13-47")
def test_a_spent_13th_does_nothing_and_is_no_target() -> None:
    record = thirteen(
        owns("Ada", 13, 13, 13),
        owns("Bo", 1, 4, 7),
        owns("Bo", 2, 5, 8),
        power("Ada", "supernova", parts=[1, 4, 7]),
        power("Ada", "supernova", parts=[2, 5, 8]),
        PROPHET,
        attacks("Ada", [13, 13, 13], "2 top"),
        *miss("Ada"),
        attacks("Bo", [2, 5, 8], "13 top"),
        attacks("Bo", [2, 5, 8], "1 top"),
    )
    wrong = ["no_such_power", "no_such_power", "no_such_monster", "no_such_set"]
    assert [code for _, code in codes(record)] == wrong
    assert phase(record) == "attack"


@rules("M13-43", "M13-47")
@pytest.mark.parametrize("parts", [[13, 13, 13], [6, 6, 6], [9, 10, 11]])
def test_only_an_opponents_monster_is_absorbed(parts: list[int]) -> None:
    record = thirteen(*THIRTEENTH, owns("Ada", 6, 6, 6), power("Ada", "supernova", parts=parts))
    assert codes(record) == [(5, "no_such_monster")]


@rules("M13-47")
@pytest.mark.parametrize("parts", [[5, 5, 5], [13, 13, 1]])
def test_only_the_complete_13th_goes_supernova(parts: list[int]) -> None:
    record = thirteen(owns("Ada", *parts), owns("Bo", 2, 6, 8), power("Ada", "supernova", parts=[2, 6, 8]))
    assert codes(record) == [(3, "no_such_power")]


@rules("M13-46", "M13-65")
def test_a_spent_13th_is_no_elemental_master() -> None:
    mine = [owns("Ada", n, n, n) for n in (1, 4)]
    record = thirteen(
        *mine, owns("Ada", 13, 13, 13), owns("Bo", 7, 7, 7), power("Ada", "supernova", parts=[7, 7, 7])
    )
    assert record.winner() == []
    record = thirteen(
        *mine,
        owns("Ada", 13, 13, 13),
        owns("Ada", 10, 10, 10),
    )
    assert record.winner() == ["Ada"]


@rules("M13-43", "M13-64")
def test_a_supernova_may_complete_four_elements() -> None:
    elements = [*("earth",) * 3, *("air",) * 3, *("fire",) * 3, *("water",) * 3, "earth"]
    mine = [owns("Ada", n, n, n) for n in (1, 4, 10, 13)]
    record = thirteen(*mine, owns("Bo", 7, 7, 7), elements=elements)
    assert record.winner() == []
    record.push(power("Ada", "supernova", parts=[7, 7, 7]))
    assert record.winner() == ["Ada"]
    assert found(record) == [(6, "Ada", "elemental_master")]


@rules("M13-R13")
def test_in_the_final_round_there_is_nothing_to_freeze_or_foresee() -> None:
    record = thirteen(*EVEN, PROPHET, freezes("Ada", 0, 0), freezes("Ada", 8, 0))
    assert [code for _, code in codes(record)] == ["no_card"] * 3
    assert phase(record) == "final_round"
