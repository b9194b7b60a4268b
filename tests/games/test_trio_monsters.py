"""Trio Monsters, rule by rule. The ids are those of the digest."""

from typing import Any

import pytest
from rulescripts import codes, found, view
from threescripts import AB, Json, ends, lays, names, opens, refused, trio, turn

from companion.games.trio_monsters.lattice import corners, points_up, sides

rules = pytest.mark.rules
ROUND_BLUE = [("red", 0, 1), ("green", 0, -1), ("yellow", 1, 0)]
"""Three colours on the three sides of the start card."""
ROW_OF_RED = [opens("red"), *turn("Anna", ("red", 0, 1), ("red", 0, 2))]


def cards(record: Any) -> dict[tuple[int, int], str]:
    return {tuple(one["at"]): one["card"] for one in view(record)["table"]}


def caught(record: Any, verdict: str = "caught") -> list[list[list[int]]]:
    return [one["cards"] for one in record.verdicts if one["verdict"] == verdict]


# --- the lattice ------------------------------------------------------------------------------------------


def test_sides_are_mutual_and_neighbours_share_two_corners() -> None:
    for at in [(row, column) for row in range(-3, 4) for column in range(-3, 4)]:
        for other in sides(at):
            assert at in sides(other)
            assert points_up(at) != points_up(other)
            assert len(set(corners(at)) & set(corners(other))) == 2


def test_six_triangles_meet_at_a_corner() -> None:
    places = [(row, column) for row in range(-3, 4) for column in range(-5, 6)]
    assert sorted(at for at in places if (1, 0) in corners(at)) == [
        (-1, -1),
        (-1, 0),
        (-1, 1),
        (0, -1),
        (0, 0),
        (0, 1),
    ]


# --- set-up -----------------------------------------------------------------------------------------------


@rules("TRIO-1")
def test_two_to_five_players() -> None:
    allowed = [refused("trio_monsters", names(n)) is None for n in range(1, 8)]
    assert allowed == [False, True, True, True, True, False, False]


@rules("TRIO-2", "TRIO-3", "TRIO-4")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_three_cards_each_and_one_on_the_table(players: int) -> None:
    before = view(trio(players=names(players)))
    assert (before["phase"], before["turn"], before["draw_pile"]) == ("setup", None, 60 - 3 * players)
    after = view(trio(opens("blue"), players=names(players)))
    assert (after["phase"], after["turn"], after["draw_pile"]) == ("play", "P1", 59 - 3 * players)
    assert set(after["hand"].values()) == {3}
    assert after["table"] == [{"at": [0, 0], "card": "blue"}]


@rules("TRIO-2", "TRIO-3")
@pytest.mark.parametrize(
    "settings",
    [
        {"deck_size": 6},
        {"deck_size": True},
        {"deck_size": 60.0},
        {"deck_size": "60"},
        {"deck_size": None},
        {"colours": []},
        {"colours": ["red", "red"]},
        {"colours": ["red", ""]},
        {"colours": "red"},
        {"colours": [1, 2]},
        {"black_counts_as_colour": 1},
        {"black_follows_colour_rule": "yes"},
        {"first_player": "Nobody"},
        {"first_player": 0},
        {"target": 3},
    ],
)
def test_impossible_house_rules(settings: Json) -> None:
    assert refused("trio_monsters", AB, **settings) == "bad_settings"


@rules("TRIO-2")
def test_the_smallest_deck() -> None:
    assert refused("trio_monsters", AB, deck_size=7) is None
    assert refused("trio_monsters", AB, colours=None, first_player="Ben") is None
    assert view(trio(opens("blue"), deck_size=7))["draw_pile"] == 0


@rules("TRIO-4")
def test_the_start_card_lies_in_the_middle_and_comes_first() -> None:
    start = {"event": "card_revealed", "card": "blue"}
    record = trio(
        *lays("Anna", ("blue", 0, 1)),
        {**start, "at": [1, 0]},
        {**start, "at": [0, 0.0]},
        {**start, "at": [False, 0]},
        start,
        {"event": "card_revealed", "at": [0, 0]},
        opens("blue"),
        opens("blue"),
    )
    wrong = ["wrong_phase", *["bad_field"] * 3, *["missing_field"] * 2, "wrong_phase"]
    assert [code for _, code in codes(record)] == wrong


@rules("TRIO-5")
def test_the_youngest_begins_and_it_goes_clockwise() -> None:
    record = trio(opens("blue"), first_player="Cleo", players=["Anna", "Ben", "Cleo"])
    assert view(record)["turn"] == "Cleo"
    for event in turn("Cleo", ("red", 0, 1)):
        record.push(event)
    assert view(record)["turn"] == "Anna"
    record.push(lays("Ben", ("red", 0, 2))[0])
    assert codes(record) == [(4, "not_your_turn")]


# --- laying -----------------------------------------------------------------------------------------------


@rules("TRIO-6", "TRIO-8")
@pytest.mark.parametrize("count", [1, 2, 3])
def test_one_two_or_three_cards_then_draw_up_to_three(count: int) -> None:
    record = trio(opens("blue"), *turn("Anna", *ROUND_BLUE[:count]))
    state = view(record)
    assert (state["turn"], state["draw_pile"], state["laid"]) == ("Ben", 53 - count, 0)
    assert state["hand"] == {"Anna": 3, "Ben": 3}


@rules("TRIO-6")
def test_nothing_is_drawn_during_a_turn() -> None:
    record = trio(opens("blue"), *lays("Anna", *ROUND_BLUE, ("pink", -1, 1)))
    assert codes(record) == [(5, "no_cards_left")]
    assert view(record)["hand"]["Anna"] == 0
    assert view(record)["laid"] == 3


@rules("TRIO-7")
def test_a_side_must_meet_a_side() -> None:
    record = trio(
        opens("blue"),
        *lays("Anna", ("red", 0, 0), ("red", 0, 2), ("red", -1, 0), ("red", 5, 5), ("red", 1, 0)),
    )
    wrong = ["occupied", "no_side_contact", "no_side_contact", "no_side_contact"]
    assert [code for _, code in codes(record)] == wrong


@rules("TRIO-7")
@pytest.mark.parametrize("at", [[0], [0, 1, 2], ["0", 1], [0, True], [0, 1.0], "0,1", None, [10**9, 0]])
def test_a_place_is_two_integers(at: Any) -> None:
    laid = {**lays("Anna", ("red", 0, 1))[0], "at": at}
    assert codes(trio(opens("blue"), laid)) == [(2, "bad_field")]


@rules("TRIO-9")
def test_any_colour_may_be_laid_but_only_those_enrolled() -> None:
    assert codes(trio(opens("blue"), *lays("Anna", ("mauve", 0, 1)))) == []
    record = trio(
        opens("blue"),
        *lays("Anna", ("mauve", 0, 1), ("red", 0, 1)),
        {**lays("Anna", ("red", 0, 2))[0], "card": 5},
        {**lays("Anna", ("", 0, 2))[0]},
        colours=["red", "blue"],
    )
    assert codes(record) == [(2, "unknown_card"), (4, "bad_field"), (5, "bad_field")]


@rules("TRIO-10")
def test_a_colour_on_the_table_has_to_be_joined() -> None:
    record = trio(opens("blue"), *lays("Anna", ("red", 0, 1), ("blue", 0, 2), ("blue", 0, -1)))
    assert codes(record) == [(3, "must_touch_same_colour")]
    assert cards(record)[(0, -1)] == "blue"


@rules("TRIO-10")
def test_touching_the_colour_by_a_corner_is_not_joining_it() -> None:
    record = trio(opens("blue"), *lays("Anna", ("red", 0, 1), ("green", 0, 2), ("blue", -1, 1)))
    assert codes(record) == [(4, "must_touch_same_colour")]


@rules("TRIO-11")
def test_printed_nb1_the_blue_monster_may_be_laid_anywhere() -> None:
    record = trio(
        opens("blue"),
        *turn("Anna", *ROUND_BLUE),
        *lays("Ben", ("blue", 4, 4), ("blue", 0, 2)),
    )
    assert codes(record) == [(6, "no_side_contact")]
    assert cards(record)[(0, 2)] == "blue"


@rules("TRIO-11")
def test_one_free_side_of_any_monster_of_the_colour_is_enough_to_bind() -> None:
    record = trio(
        opens("blue"),
        *turn("Anna", *ROUND_BLUE),
        *lays("Ben", ("blue", 0, 2), ("blue", 0, -2), ("blue", 0, 3)),
    )
    assert codes(record) == [(7, "must_touch_same_colour")]


# --- catching ---------------------------------------------------------------------------------------------


@rules("TRIO-12", "TRIO-14", "TRIO-R2", "TRIO-R11")
def test_printed_catch_four_in_a_row() -> None:
    record = trio(*ROW_OF_RED, *lays("Ben", ("red", 0, 3)))
    assert found(record) == [(5, "Ben", "caught")]
    assert caught(record) == [[[0, 0], [0, 1], [0, 2], [0, 3]]]
    assert record.scores() == {"Anna": 0, "Ben": 4}
    assert view(record)["won"] == record.scores()


@rules("TRIO-12", "TRIO-R2")
def test_printed_catch_a_monster_between_three_others() -> None:
    record = trio(
        opens("green"),
        *turn("Anna", ("green", 0, 1), ("red", 0, -1)),
        *lays("Ben", ("green", 1, 0), ("red", -1, -1), ("red", -1, 0)),
        ends("Ben"),
        *lays("Anna", ("red", -1, 1)),
    )
    assert caught(record) == [[[-1, -1], [-1, 0], [-1, 1], [0, -1]]]


@rules("TRIO-12")
def test_three_are_not_enough() -> None:
    assert found(trio(*ROW_OF_RED)) == []


@rules("TRIO-13")
def test_printed_nb2_a_longer_chain_is_won_whole() -> None:
    record = trio(
        opens("red"),
        *turn("Anna", ("blue", 0, 1), ("green", 0, -1), ("yellow", 1, 0)),
        *turn("Ben", ("red", 0, 2), ("red", 0, 3), ("red", 0, 4)),
        *turn("Anna", ("blue", -1, 1), ("blue", -1, 0), ("blue", -1, 2)),
        *lays("Ben", ("red", 0, 1)),
    )
    assert [len(one) for one in caught(record)] == [4, 5]
    assert record.scores() == {"Anna": 4, "Ben": 5}


@rules("TRIO-15")
def test_black_monsters_are_not_won_in_chains() -> None:
    record = trio(opens("black"), *turn("Anna", ("black", 0, 1), ("black", 0, 2), ("black", 0, 3)))
    assert record.verdicts == []
    assert view(record)["won"] == {"Anna": 0, "Ben": 0}


@rules("TRIO-16")
def test_a_black_monster_among_three_colours_is_won_with_them() -> None:
    record = trio(opens("black"), *lays("Anna", *ROUND_BLUE))
    assert caught(record) == [[[0, -1], [0, 0], [0, 1], [1, 0]]]
    assert view(record)["table"] == []


@rules("TRIO-12", "TRIO-16")
def test_a_catch_names_its_rule() -> None:
    black = trio(opens("black"), *lays("Anna", *ROUND_BLUE))
    chained = trio(*ROW_OF_RED, *lays("Ben", ("red", 0, 3)))
    found_rules = [
        [one.rule for entry in record.entries for one in entry.findings] for record in (black, chained)
    ]
    assert found_rules == [["TRIO-16"], ["TRIO-12"]]


@rules("TRIO-16")
def test_a_black_monster_with_two_neighbours_of_one_colour_stays() -> None:
    record = trio(opens("black"), *lays("Anna", ("black", 0, 1), ("black", 1, 0), ("red", 0, -1)))
    assert codes(record) == [] == record.verdicts


@rules("TRIO-16")
def test_the_black_monster_may_be_the_last_to_come() -> None:
    hollow = [("green", 0, 1), ("yellow", 0, 2), ("purple", 1, 2)]
    left = [("orange", 0, -1), ("white", 0, -2), ("pink", 1, -2)]
    record = trio(
        opens("red"),
        *turn("Anna", *hollow),
        *turn("Ben", *left),
        *turn("Anna", ("blue", 1, 1), ("grey", 1, -1)),
        *lays("Ben", ("black", 1, 0)),
    )
    assert codes(record) == []
    assert caught(record) == [[[0, 0], [1, -1], [1, 0], [1, 1]]]
    assert caught(record, "detached") == []


@rules("TRIO-17")
def test_printed_example_four_won_and_two_returned() -> None:
    record = trio(
        opens("blue"),
        *turn("Anna", ("green", 0, -1), ("red", 0, 1), ("red", 0, 2)),
        *turn("Ben", ("red", 0, 3), ("purple", 0, 4), ("orange", 0, 5)),
        *lays("Anna", ("yellow", 0, 6), ("red", 1, 2)),
    )
    assert found(record) == [(11, "Anna", "caught"), (11, "Anna", "detached")]
    assert caught(record) == [[[0, 1], [0, 2], [0, 3], [1, 2]]]
    assert caught(record, "detached") == [[[0, -1], [0, 0]]]
    assert view(record)["draw_pile"] == 53 - 6 + 2
    assert sorted(cards(record)) == [(0, 4), (0, 5), (0, 6)]


@rules("TRIO-18")
def test_touching_by_a_corner_is_not_detached() -> None:
    record = trio(
        opens("red"),
        *turn("Anna", ("red", 0, 1), ("red", 0, 2), ("green", 0, -1)),
        *lays("Ben", ("yellow", 1, 0), ("red", 0, 3)),
    )
    assert caught(record, "detached") == []
    assert sorted(cards(record)) == [(0, -1), (1, 0)]
    assert set(corners((0, -1))) & set(corners((1, 0)))
    assert (1, 0) not in sides((0, -1))


# --- the end ----------------------------------------------------------------------------------------------

STRING = [opens("a"), *turn("Anna", ("b", 0, 1)), *turn("Ben", ("c", 0, 2), ("d", 0, 3), ("e", 0, 4))]


@rules("TRIO-19", "TRIO-20", "TRIO-R8", "TRIO-R10", "TRIO-R13")
def test_the_end_when_everything_has_been_laid() -> None:
    last = lays("Anna", ("f", 0, 5), ("g", 0, 6), ("h", 0, 7))
    record = trio(*STRING, *last, deck_size=8)
    assert view(record)["phase"] == "play"
    record.push(ends("Anna"))
    assert (view(record)["phase"], view(record)["turn"]) == ("over", None)
    assert record.winner() == ["Anna", "Ben"]
    assert record.scores() == {"Anna": 0, "Ben": 0}
    assert len(cards(record)) == 8
    record.push(ends("Ben"))
    assert codes(record)[-1][1] == "game_over"


@rules("TRIO-20")
def test_most_cards_win() -> None:
    record = trio(
        *ROW_OF_RED, *turn("Ben", ("red", 0, 3), ("blue", 0, 0)), *turn("Anna", ("red", 0, 1)), deck_size=7
    )
    assert view(record)["hand"] == {"Anna": 0, "Ben": 1}
    for event in turn("Ben", ("green", 1, 0)):
        record.push(event)
    assert record.winner() == ["Ben"]
    assert record.scores() == {"Anna": 0, "Ben": 4}


# --- rulings ----------------------------------------------------------------------------------------------


@rules("TRIO-R1")
def test_catches_are_resolved_in_the_middle_of_a_turn() -> None:
    record = trio(*ROW_OF_RED, *lays("Ben", ("red", 0, 3), ("red", 2, 2), ("green", 2, 3)))
    assert view(record)["won"]["Ben"] == 4
    assert sorted(cards(record)) == [(2, 2), (2, 3)]


@rules("TRIO-R3")
def test_one_card_makes_two_catches_and_each_card_is_won_once() -> None:
    record = trio(
        opens("black"),
        *turn("Anna", ("green", 0, 1), ("yellow", 1, 0), ("red", 1, -1)),
        *lays("Ben", ("red", 1, -2), ("red", 0, -2), ("red", 0, -1)),
    )
    assert [len(one) for one in caught(record)] == [7]
    assert record.scores()["Ben"] == 7
    assert view(record)["table"] == []


@rules("TRIO-R4")
def test_black_follows_the_colour_rule_unless_the_table_says_no() -> None:
    script = [opens("black"), *lays("Anna", ("red", 0, 1), ("black", 0, 2))]
    assert codes(trio(*script)) == [(3, "must_touch_same_colour")]
    assert codes(trio(*script, black_follows_colour_rule=False)) == []


@rules("TRIO-R5")
def test_a_black_neighbour_is_a_colour_unless_the_table_says_no() -> None:
    script = [opens("black"), *lays("Anna", ("black", 0, 1), ("green", 1, 0), ("red", 0, -1))]
    assert caught(trio(*script)) == [[[0, -1], [0, 0], [0, 1], [1, 0]]]
    assert caught(trio(*script, black_counts_as_colour=False)) == []


@rules("TRIO-R6")
def test_of_two_groups_the_larger_one_stays_even_if_it_is_younger() -> None:
    script = [
        opens("blue"),
        *turn("Anna", ("red", 0, 1), ("red", 0, 2), ("red", 0, 3)),
        *lays("Ben", ("purple", -1, 3), ("orange", -1, 4), ("red", 0, 4)),
    ]
    assert sorted(cards(trio(*script))) == [(-1, 3), (-1, 4)]


@rules("TRIO-R6")
def test_of_equal_groups_the_one_with_the_oldest_card_stays() -> None:
    record = trio(
        opens("blue"),
        *turn("Anna", ("red", 0, 1), ("red", 0, 2), ("red", 0, 3)),
        *lays("Ben", ("purple", 0, 4), ("red", 1, 2)),
    )
    assert cards(record) == {(0, 0): "blue"}
    assert caught(record, "detached") == [[[0, 4]]]


@rules("TRIO-R7")
def test_on_an_empty_table_the_next_card_goes_anywhere() -> None:
    record = trio(*ROW_OF_RED, *lays("Ben", ("red", 0, 3), ("green", -7, 12)))
    assert codes(record) == []
    assert cards(record) == {(-7, 12): "green"}


@rules("TRIO-R7")
def test_no_place_beyond_the_largest_table_is_offered() -> None:
    edge = 1_000_000
    record = trio(*ROW_OF_RED, *lays("Ben", ("red", 0, 3), ("green", 0, edge)))
    offers = [offer for offer in record.book.expects(record.state) if offer.event == "card_played"]
    places = [at for offer in offers for at in offer.fields["at"].values]
    assert places
    assert all(column <= edge for _row, column in places)
    assert codes(trio(*ROW_OF_RED, *lays("Ben", ("red", 0, 3), ("green", 0, edge), ("red", 0, edge + 1))))


@rules("TRIO-R8")
def test_players_without_cards_are_passed_over() -> None:
    row = [opens("a"), *turn("Anna", ("b", 0, 1), ("c", 0, 2), ("d", 0, 3))]
    record = trio(*row, *turn("Ben", ("e", 0, 4)), deck_size=7)
    assert (view(record)["turn"], view(record)["hand"]) == ("Ben", {"Anna": 0, "Ben": 2})
    record = trio(*row, *turn("Ben", ("e", 0, 4)), deck_size=9)
    assert (view(record)["turn"], view(record)["hand"]) == ("Anna", {"Anna": 2, "Ben": 2})
    assert view(record)["draw_pile"] == 0


@rules("TRIO-R9")
def test_at_least_one_card_is_laid() -> None:
    record = trio(opens("blue"), ends("Anna"), ends("Ben"))
    assert codes(record) == [(2, "must_play"), (3, "not_your_turn")]


@rules("TRIO-R12")
def test_cards_that_come_back_are_drawn_when_the_turn_comes() -> None:
    record = trio(
        opens("blue"),
        *turn("Anna", ("green", 0, -1), ("red", 0, 1), ("red", 0, 2)),
        *turn("Ben", ("red", 0, 3), ("purple", 0, 4)),
        players=AB,
        deck_size=7,
    )
    assert view(record)["hand"] == {"Anna": 0, "Ben": 1}
    record = trio(
        opens("blue"),
        *turn("Anna", ("green", 0, -1), ("red", 0, 1), ("red", 0, 2)),
        *turn("Ben", ("red", 0, 3), ("purple", 0, 4), ("pink", 0, 5)),
        *turn("Cleo", ("orange", 0, 6), ("red", 1, 2)),
        players=["Anna", "Ben", "Cleo"],
        deck_size=10,
    )
    assert caught(record, "detached") == [[[0, -1], [0, 0]]]
    assert view(record)["hand"] == {"Anna": 0, "Ben": 0, "Cleo": 3}
    assert view(record)["turn"] == "Cleo"
    record = trio(
        opens("blue"),
        *turn("Anna", ("green", 0, -1), ("red", 0, 1), ("red", 0, 2)),
        *turn("Ben", ("red", 0, 3), ("purple", 0, 4), ("pink", 0, 5)),
        *turn("Cleo", ("orange", 0, 6), ("yellow", 0, -2), ("white", 0, -3)),
        players=["Anna", "Ben", "Cleo"],
        deck_size=10,
    )
    assert view(record)["phase"] == "over"


def test_times_must_be_in_order_though_nobody_needs_them() -> None:
    record = trio(
        {**opens("blue"), "t": 5},
        {**lays("Anna", ("red", 0, 1))[0], "t": 4.9},
        *[{**lays("Anna", ("red", 0, 1))[0], "t": t} for t in (-1, "6", True, 5.0)],
    )
    wrong = [(2, "time_reversed"), (3, "bad_field"), (4, "bad_field"), (5, "bad_field")]
    assert codes(record) == wrong


def test_nobody_else_and_nothing_else_is_known() -> None:
    record = trio(
        opens("blue"),
        {"event": "heard", "words": ["one"], "start": 1, "end": 2},
        {"event": "time_passed", "t": 3},
        *lays("Nobody", ("red", 0, 1)),
        {"event": "turn_ended"},
    )
    wrong = ["unknown_event", "unknown_event", "unknown_player", "missing_field"]
    assert [code for _, code in codes(record)] == wrong
