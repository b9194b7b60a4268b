"""Rules that meet: several house rules at once, and slips that come at the same moment."""

from rulescripts import (
    ABC,
    codes,
    counted,
    doubts,
    falls,
    found,
    hid,
    monsters,
    nasty,
    passes,
    placed,
    says,
    scanned,
    trick,
    view,
)
from threescripts import (
    STARTED,
    attacks,
    bugs,
    call,
    dealt,
    done,
    finds,
    freezes,
    lays,
    miss,
    opens,
    owns,
    power,
    shows,
    spoils,
    thirteen,
    throw_and_stop,
    tile,
    trio,
    trophy,
    turn,
)

TWO = ["Abby", "Beth"]


def test_an_accusation_that_comes_too_late_only_shows_that_the_next_player_hesitated() -> None:
    record = nasty(*counted(1), doubts(["Carter"], 14.1))
    assert found(record) == [(2, "Abby", "correct"), (3, "Beth", "too_late")]
    assert codes(record) == [(3, "nothing_to_accuse")]


def test_words_on_a_gun_count_up_to_the_last_moment_and_not_beyond_it() -> None:
    in_time = nasty(falls("Abby", "gun", 1.0), says("oops", 4.0))
    assert found(in_time) == [(2, "Abby", "should_be_silent")]
    late = nasty(falls("Abby", "gun", 1.0), says("oops", 4.1))
    assert found(late) == [(2, "Abby", "correct"), (2, "Beth", "too_late")]


def test_a_doubted_gun_on_the_first_card_costs_the_opponents_cards_as_well() -> None:
    events = [falls("Abby", "gun", 1.0), says("oops", 1.5), doubts(["Debbie"], 3.0)]
    record = nasty(*events, enforcement="on_accusation", even_more_nasty=True)
    assert found(record) == [(3, "Abby", "should_be_silent")]
    assert record.scores() == {"Abby": 30, "Beth": 26, "Carter": 26, "Debbie": 26}


def test_a_badly_invented_sound_that_nobody_doubts_is_none() -> None:
    events = [*counted(1), falls("Beth", "racketeer", 12.0), passes(15.1)]
    events += [falls("Beth", "twin_phone", 16.0), says("tick tock", 16.5), falls("Debbie", "phone", 17.5)]
    record = nasty(*events, enforcement="on_accusation", nasty_rules=True)
    assert (found(record), view(record)["sound"]) == ([(4, "Beth", "too_late")], None)
    record.push(says("boing", 18.0))
    assert view(record)["sound"] == ["boing"]


def test_a_number_invented_as_the_sound_is_still_a_wrong_number_where_one_is_due() -> None:
    events = [falls("Abby", "racketeer", 1.0), says("two", 1.5), falls("Abby", "phone", 3.0)]
    record = nasty(
        *events, says("eight", 3.5), falls("Beth", "racketeer", 5.0), says("eight", 5.5), nasty_rules=True
    )
    assert record.verdicts[-1] == {"n": 6, "player": "Beth", "verdict": "wrong_number", "expected": [2]}


def test_a_false_doubt_of_the_last_card_makes_its_caller_the_winner() -> None:
    events = [*counted(3, TWO), doubts(["Beth"], 16.0)]
    record = nasty(*events, players=TWO, deck_size=4, enforcement="on_accusation")
    assert (found(record), record.winner()) == ([(7, "Beth", "false_accusation")], ["Abby"])


def test_a_joker_without_a_number_is_taken_by_a_monster_of_zero() -> None:
    record = monsters(*trick(("Anna", "joker"), ("Ben", "red 0"), ("Conny", "joker")), joker_number=None)
    assert (view(record)["leader"], view(record)["to_place"]) == ("Ben", {"Ben": 2})


def test_scans_are_judged_with_the_displays_of_all_players() -> None:
    record = monsters(
        scanned("Anna", aside=12),
        scanned("Anna", aside=10),
        scanned("Ben", red=7, blue=(3, 1)),
        scanned("Conny", red=1),
        scanned("Conny", blue=5, pink=(5, 1)),
        scanned("Conny", blue=5, pink=5),
        tracking="scan",
        variant="monster_under_the_bed",
    )
    assert codes(record) == [(1, "impossible_card"), (4, "impossible_card"), (5, "impossible_card")]
    assert (record.scores(), view(record)["round"]) == (dict.fromkeys(ABC, 10), 2)


def test_hidden_cards_are_owed_before_the_tricks_by_each_player_twice() -> None:
    events = [hid("Anna", 1), hid("Anna", 2), hid("Anna", 2), placed("Ben", "red 1"), hid("Ben", 1)]
    record = monsters(*events, variant="monster_under_the_bed")
    assert codes(record) == [(3, "nothing_to_place"), (4, "bad_field")]
    assert view(record)["to_place"] == {"Ben": 1, "Conny": 2}


def test_a_slower_countdown_stops_after_ten_of_its_steps() -> None:
    events = [
        STARTED,
        trophy("Amy", 3, 10.0),
        tile("Bob", 29.9),
        tile("Bob", 30.0),
        tile("Bob", 31.0, "returned"),
    ]
    record = bugs(*events, players=["Amy", "Bob"], countdown="companion", countdown_step_s=2)
    assert (found(record), codes(record)) == ([(4, "Bob", "must_stop")], [(5, "wrong_phase")])
    assert view(record)["taken"] == {"Amy": 0, "Bob": 1}


def test_a_whole_countdown_in_one_breath_in_german() -> None:
    breath = "zehn äh NEUN acht sieben sechs 5 vier drei zwei eins Stopp eins"
    record = bugs(STARTED, trophy("Amy", 3, 1.0), call(breath, 2.0), players=["Amy", "Bob"], language="de")
    assert (view(record)["phase"], view(record)["countdown"]) == ("scoring", None)


def test_a_black_and_a_chain_caught_by_one_card_are_won_once() -> None:
    record = trio(
        opens("red"),
        *turn("Anna", ("red", 0, 1), ("blue", 1, 0), ("blue", 1, 1)),
        *turn("Ben", ("black", 1, 2), ("green", 1, 3), ("red", 0, -1)),
        *lays("Anna", ("red", 0, 2)),
    )
    places = [[0, -1], [0, 0], [0, 1], [0, 2], [1, 1], [1, 2], [1, 3]]
    assert record.verdicts == [{"n": 10, "player": "Anna", "verdict": "caught", "cards": places}]
    assert record.scores() == {"Anna": 7, "Ben": 0}
    assert view(record)["table"] == [{"at": [1, 0], "card": "blue"}]


def test_what_a_monster_leaves_behind_builds_itself_anew_in_the_middle_of_the_others_turn() -> None:
    record = thirteen(
        owns("Ada", 1, 4, 7),
        owns("Bo", 2, 5, 8),
        dealt("Bo", "3 top", "6 eyes"),
        attacks("Ada", [1, 4, 7], "2 top"),
        *throw_and_stop("Ada", 1, 1, 2, 3, 4),
        *throw_and_stop("Bo", 6, 6, 6, 6, 6),
        spoils("Ada", "1 top"),
        spoils("Bo", "7 bottom"),
    )
    assert codes(record) == [(9, "not_your_turn")]
    state = view(record)
    assert (state["turn"], state["phase"], record.scores()) == ("Ada", "before_search", {"Ada": 0, "Bo": 20})
    assert [monster["parts"] for monster in state["monsters"]["Bo"]] == [[2, 5, 8], [3, 6, 7]]


def test_a_denied_power_stays_denied_when_the_turn_starts_over() -> None:
    record = thirteen(
        owns("Ada", 5, 5, 5),
        power("Ada", "prophet", announced=False),
        freezes("Ada", 0, 0),
        *finds("Ada", "1 top", 2),
        power("Ada", "prophet"),
        *miss("Ada"),
        *miss("Bo"),
        power("Ada", "prophet"),
    )
    assert codes(record) == [(6, "power_lost")]


def test_a_limit_of_frozen_cards_holds_for_the_whole_turn_and_the_owner_thaws_them() -> None:
    record = thirteen(
        owns("Ada", 1, 4, 7),
        freezes("Ada", 0, 0),
        *finds("Ada", "8 top", 2),
        freezes("Ada", 0, 1),
        shows("Ada", 0, 0, "9 top"),
        shows("Ada", 0, 1, "9 eyes"),
        freezes("Ada", 0, 0),
        done("Ada"),
        *miss("Bo"),
        freezes("Ada", 0, 0),
        permafrost_per_turn=1,
    )
    assert codes(record) == [(5, "no_dice_left"), (8, "no_dice_left")]
    assert view(record)["frozen"] == [{"at": [0, 0], "player": "Ada"}]
