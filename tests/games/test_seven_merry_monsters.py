"""Seven Merry Monsters, rule by rule. The ids are those of the digest."""

import pytest
from rulescripts import (
    ABC,
    ABCD,
    a_card,
    awarded,
    bared,
    codes,
    eight_tricks,
    found,
    hid,
    last_cards,
    monsters,
    placed,
    played,
    scanned,
    trick,
    view,
)

from companion.core.errors import BadHeader
from companion.games import game_named, rulebook
from companion.games.seven_merry_monsters.state import Column, worth

rules = pytest.mark.rules
TIED = trick(("Anna", "red 5"), ("Ben", "blue 5"))
JOKERS_ONLY = [*trick(("Anna", "joker"), ("Ben", "joker")), awarded("Ben", "Ben")]
FULL_ROUND = [*eight_tricks(), *last_cards()]


# --- set-up -----------------------------------------------------------------------------------------------


@rules("SMM-1")
@pytest.mark.parametrize("number", [0, 1, 2, 7])
def test_three_to_six_players(number: int) -> None:
    with pytest.raises(BadHeader) as error:
        monsters(players=[f"P{i}" for i in range(number)] or ["only"])
    assert error.value.code == "bad_players"


@rules("SMM-1", "SMM-5", "SMM-7")
@pytest.mark.parametrize("number", [3, 4, 5, 6])
def test_the_first_player_leads_the_first_of_eight_tricks(number: int) -> None:
    names = [f"P{i}" for i in range(number)]
    assert view(monsters(players=names))["leader"] == "P0"
    state = view(monsters(players=names, first_player="P2"))
    assert (state["phase"], state["turn"], state["leader"], state["trick"]) == ("trick", "P2", "P2", 1)


@rules("SMM-2")
def test_seven_cards_of_a_monster_and_eleven_jokers() -> None:
    record = monsters(*eight_tricks()[:22], played("Anna", "red 3"))
    assert codes(record) == []
    full = [scanned("Anna", red=(7, 0)), scanned("Ben", red=1)]
    assert codes(monsters(*full, tracking="scan")) == [(2, "impossible_card")]
    eleven = [
        scanned("Anna", red=(7, 6), blue=(2, 1)),
        scanned("Ben", green=(5, 4)),
        scanned("Ben", green=(6, 5)),
    ]
    assert codes(monsters(*eleven, tracking="scan")) == [(3, "impossible_card")]


@rules("SMM-2")
def test_an_eighth_card_of_a_monster_is_impossible_in_the_middle_of_a_round() -> None:
    reds = [played(ABC[k % 3], f"red {7 - k}") for k in range(3)]
    reds += trick(("Anna", "red 9"), ("Ben", "red 3"), ("Conny", "red 2"))
    reds += trick(("Anna", "red 8"), ("Ben", "red 1"))
    record = monsters(*reds, played("Ben", "blue 1"))
    assert codes(record) == [(8, "impossible_card")]
    assert view(record)["turn"] == "Conny"


@rules("SMM-3", "SMM-27")
def test_points_of_the_rounds_are_added_up() -> None:
    second = [*eight_tricks(["Ben", "Conny", "Anna"]), *last_cards(["Ben", "Conny", "Anna"])]
    record = monsters(*FULL_ROUND, *second)
    assert view(record)["round_scores"] == [
        {"Anna": 55, "Ben": 42, "Conny": 38},
        {"Anna": 38, "Ben": 55, "Conny": 42},
    ]
    assert record.scores() == {"Anna": 93, "Ben": 97, "Conny": 80}
    assert (view(record)["round"], record.winner()) == (3, [])


@rules("SMM-4", "SMM-R10", "SMM-R12")
@pytest.mark.parametrize(("number", "cards"), [(3, 30), (4, 40), (5, 50), (6, 60)])
def test_ten_cards_a_player_are_in_the_displays(number: int, cards: int) -> None:
    names = [f"P{i}" for i in range(number)]
    colours = ("red", "orange", "yellow", "green", "blue", "purple", "pink")
    all_cards = [colours[k // 7] if k < 49 else "joker" for k in range(cards)]
    scans = []
    for seat, name in enumerate(names):
        mine = all_cards[seat::number]
        columns = {colour: (mine.count(colour), 0) for colour in colours if colour in mine}
        jokers, first = mine.count("joker"), next(iter(columns))
        scans.append(scanned(name, **{**columns, first: (columns[first][0] + jokers, jokers)}))
    last = dict(scans[-1]["display"])
    last.popitem()
    short = {**scans[-1], "display": last}
    record = monsters(*scans[:-1], short, players=names, tracking="scan")
    assert (codes(record), view(record)["round"]) == ([(number, "wrong_total")], 1)
    record.push(scans[-1])
    assert view(record)["round"] == 2
    assert len(record.rejected) == 1


@rules("SMM-6", "SMM-R11")
def test_the_lead_moves_on_each_round_and_displays_are_cleared() -> None:
    state = view(monsters(*FULL_ROUND, first_player="Anna"))
    assert (state["round"], state["leader"], state["turn"], state["trick"]) == (2, "Ben", "Ben", 1)
    assert state["display"] == {"Anna": {}, "Ben": {}, "Conny": {}}


# --- the trick --------------------------------------------------------------------------------------------


@rules("SMM-8")
def test_players_play_clockwise_from_the_leader() -> None:
    record = monsters(played("Conny", "red 1"), first_player="Conny")
    assert view(record)["turn"] == "Anna"
    record.push(played("Ben", "red 2"))
    assert codes(record) == [(2, "not_your_turn")]


@rules("SMM-9")
def test_any_card_may_be_played() -> None:
    assert codes(monsters(*trick(("Anna", "red 5"), ("Ben", "joker"), ("Conny", "green 1")))) == []


@rules("SMM-10", "SMM-13", "SMM-16", "SMM-17")
def test_the_highest_number_takes_the_trick_and_leads() -> None:
    state = view(monsters(*trick(("Anna", "red 5"), ("Ben", "red 6"), ("Conny", "blue 1"))))
    assert state["display"]["Ben"] == {"red": {"cards": 2, "jokers": 0}, "blue": {"cards": 1, "jokers": 0}}
    assert (state["leader"], state["turn"], state["trick"], state["table"]) == ("Ben", "Ben", 2, [])


@rules("SMM-11", "SMM-R2")
def test_printed_example_anton_five_bruno_three_conny_five() -> None:
    anton = ["Anton", "Bruno", "Conny", "Dora", "Emil"]
    three = trick(("Anton", "red 5"), ("Bruno", "blue 3"), ("Conny", "green 5"))
    record = monsters(*three, played("Dora", "pink 5"), players=anton)
    assert (view(record)["phase"], view(record)["turn"]) == ("award", "Conny")
    assert codes(record) == [(4, "wrong_phase")]


@rules("SMM-11")
def test_printed_example_two_sevens_end_the_trick_at_once() -> None:
    state = view(monsters(*trick(("Anna", "red 7"), ("Ben", "pink 7"))))
    assert (state["phase"], state["turn"]) == ("award", "Ben")


@rules("SMM-11")
def test_the_last_card_may_tie_as_well() -> None:
    record = monsters(
        *trick(("Anna", "red 3"), ("Ben", "pink 7"), ("Conny", "blue 7")), awarded("Conny", "Ben")
    )
    assert (view(record)["turn"], view(record)["trick"]) == ("Ben", 2)


@rules("SMM-12")
def test_equal_numbers_below_the_highest_do_nothing() -> None:
    cards = trick(("Anna", "red 5"), ("Ben", "blue 7"), ("Conny", "green 5"))
    assert view(monsters(*cards, players=ABCD))["turn"] == "Dora"


@rules("SMM-14")
@pytest.mark.parametrize("taker", ["Anna", "Ben"])
def test_whoever_made_the_tie_decides_between_the_two(taker: str) -> None:
    record = monsters(*TIED, awarded("Anna", taker), awarded("Ben", "Conny"), awarded("Ben", taker))
    assert codes(record) == [(3, "not_your_turn"), (4, "not_tied")]
    assert view(record)["leader"] == taker
    assert set(view(record)["display"][taker]) == {"red", "blue"}


@rules("SMM-15", "SMM-R6")
def test_who_did_not_play_owes_a_card() -> None:
    record = monsters(*TIED, awarded("Ben", "Ben"), players=ABCD)
    assert (view(record)["phase"], view(record)["to_place"]) == ("placing", {"Conny": 1, "Dora": 1})
    early = played("Ben", "red 1")
    for event in (early, placed("Anna", "pink 1"), placed("Dora", "pink 2"), placed("Dora", "pink 3")):
        record.push(event)
    assert codes(record) == [(4, "wrong_phase"), (5, "nothing_to_place"), (7, "nothing_to_place")]
    record.push(placed("Conny", "green 2"))
    assert (view(record)["phase"], view(record)["turn"], view(record)["trick"]) == ("trick", "Ben", 2)


# --- the display ------------------------------------------------------------------------------------------


@rules("SMM-17")
def test_a_monster_goes_into_its_own_column_only() -> None:
    left_out = [*TIED, awarded("Ben", "Ben")]
    for column in ("red", "aside", "nobody"):
        record = monsters(*left_out, placed("Conny", "pink 2", column))
        assert codes(record) == [(4, "wrong_column")]
    assert codes(monsters(*left_out, placed("Conny", "pink 2", "pink"))) == []


@rules("SMM-18", "SMM-20", "SMM-R4")
def test_won_jokers_join_any_column_also_one_of_the_same_trick() -> None:
    record = monsters(*trick(("Anna", "red 5"), ("Ben", "joker"), ("Conny", "joker")))
    assert (view(record)["phase"], view(record)["to_place"]) == ("placing", {"Anna": 2})
    record.push(placed("Anna", "joker", "red"))
    record.push(placed("Anna", "joker", "red"))
    assert view(record)["display"]["Anna"] == {"red": {"cards": 3, "jokers": 2}}


@rules("SMM-19")
def test_a_placed_joker_is_not_moved() -> None:
    cards = trick(("Anna", "red 5"), ("Ben", "joker"), ("Conny", "blue 1"))
    record = monsters(*cards, placed("Anna", "joker", "red"), placed("Anna", "joker", "blue"))
    assert codes(record) == [(5, "wrong_phase")]


@rules("SMM-21")
def test_a_joker_never_starts_a_column() -> None:
    cards = trick(("Anna", "red 5"), ("Ben", "joker"), ("Conny", "blue 1"))
    record = monsters(*cards, placed("Anna", "joker", "green"), placed("Anna", "joker", "aside"))
    assert codes(record) == [(4, "joker_starts_column"), (5, "must_use_column")]


@rules("SMM-22")
def test_a_trick_of_jokers_without_a_monster_is_put_aside() -> None:
    state = view(monsters(*JOKERS_ONLY))
    assert (state["aside"], state["to_place"]) == ({"Anna": 0, "Ben": 2, "Conny": 0}, {"Conny": 1})


@rules("SMM-R1")
def test_a_joker_counts_as_zero_unless_the_table_knows_better() -> None:
    tie = trick(("Anna", "joker"), ("Ben", "joker"))
    assert view(monsters(*tie))["phase"] == "award"
    assert view(monsters(*tie, joker_number=None))["turn"] == "Conny"
    high = trick(("Anna", "red 7"), ("Ben", "joker"))
    assert view(monsters(*high, joker_number=7))["phase"] == "award"
    printed = [played("Anna", "red 5"), {**played("Ben", "joker"), "card": {"monster": "joker", "number": 5}}]
    assert view(monsters(*printed, joker_number=None))["phase"] == "award"
    assert view(monsters(*printed))["table"][1]["card"] == {"monster": "joker", "number": 5}


@rules("SMM-R1")
def test_zero_ties_with_a_joker() -> None:
    assert view(monsters(*trick(("Anna", "red 0"), ("Ben", "joker"))))["phase"] == "award"


@rules("SMM-R7")
def test_the_leader_takes_a_trick_without_a_number() -> None:
    jokers = trick(("Anna", "joker"), ("Ben", "joker"), ("Conny", "joker"))
    state = view(monsters(*jokers, joker_number=None))
    assert (state["leader"], state["aside"]["Anna"], state["trick"]) == ("Anna", 3, 2)


@rules("SMM-R3")
def test_a_left_out_player_without_a_column_puts_a_joker_aside() -> None:
    left_out = [*TIED, awarded("Ben", "Ben")]
    record = monsters(*left_out, placed("Conny", "joker", "red"), placed("Conny", "joker", "aside"))
    assert codes(record) == [(4, "joker_starts_column")]
    assert view(record)["aside"]["Conny"] == 1


@rules("SMM-R8")
def test_left_out_players_and_taker_place_in_any_order() -> None:
    cards = [
        played("Anna", "red 5"),
        played("Ben", "joker"),
        played("Conny", "blue 5"),
        awarded("Conny", "Anna"),
    ]
    record = monsters(*cards, players=ABCD)
    assert view(record)["to_place"] == {"Anna": 1, "Dora": 1}
    both = [placed("Dora", "pink 1"), placed("Anna", "joker", "blue")]
    for order in (both, both[::-1]):
        state = view(monsters(*cards, *order, players=ABCD))
        assert (state["phase"], state["turn"], state["to_place"]) == ("trick", "Anna", {})


@rules("SMM-22")
def test_only_the_joker_is_owed() -> None:
    cards = trick(("Anna", "red 5"), ("Ben", "joker"), ("Conny", "blue 1"))
    assert codes(monsters(*cards, placed("Anna", "pink 1"))) == [(4, "wrong_card")]


# --- end of round and game --------------------------------------------------------------------------------


@rules("SMM-24", "SMM-7")
def test_the_last_two_cards_are_placed_after_the_eighth_trick() -> None:
    record = monsters(*eight_tricks())
    assert (view(record)["phase"], view(record)["turn"], view(record)["trick"]) == ("last_cards", None, 8)
    assert view(record)["to_place"] == {"Anna": 2, "Ben": 2, "Conny": 2}


@rules("SMM-22", "SMM-R3")
def test_set_aside_jokers_are_placed_after_the_hand_cards() -> None:
    eight = [
        *JOKERS_ONLY,
        placed("Conny", "red 1"),
        *trick(("Ben", "blue 5"), ("Conny", "blue 2"), ("Anna", "green 3")),
        *trick(("Ben", "blue 1"), ("Conny", "red 6"), ("Anna", "red 2")),
        *trick(("Conny", "green 1"), ("Anna", "yellow 7"), ("Ben", "yellow 3")),
        *trick(("Anna", "purple 4"), ("Ben", "purple 6"), ("Conny", "pink 5")),
        *trick(("Ben", "orange 2"), ("Conny", "orange 4"), ("Anna", "orange 1")),
        *trick(("Conny", "pink 3"), ("Anna", "pink 6"), ("Ben", "green 5")),
        *trick(("Anna", "blue 4"), ("Ben", "yellow 5"), ("Conny", "yellow 2")),
    ]
    record = monsters(*eight)
    assert view(record)["to_place"] == {"Anna": 2, "Ben": 4, "Conny": 2}
    hands = [placed("Ben", "red 4"), placed("Ben", "joker", "purple"), placed("Ben", "pink 7")]
    for event in (*hands, placed("Ben", "joker", "aside"), placed("Ben", "joker", "blue")):
        record.push(event)
    assert codes(record)[-2:] == [(28, "wrong_card"), (29, "must_use_column")]
    assert view(record)["to_place"] == {"Anna": 2, "Ben": 1, "Conny": 2}


@rules("SMM-23")
def test_a_joker_without_any_monster_counts_one_point() -> None:
    assert worth({}, 3) == 3


@rules("SMM-25", "SMM-26")
def test_printed_example_columns_of_one_one_two_two_three_five_are_forty() -> None:
    columns = {name: Column(cards, 0) for name, cards in zip("abcdef", (1, 1, 2, 2, 3, 5), strict=True)}
    assert worth(columns, 0) == 10 + 10 + 6 + 6 + 3 + 5 == 40
    assert [worth({"a": Column(n, 1)}, 0) for n in (2, 3, 4, 9)] == [6, 3, 4, 9]


@rules("SMM-28", "SMM-29", "SMM-30")
def test_the_game_ends_when_the_target_is_reached() -> None:
    record = monsters(*FULL_ROUND, target=55)
    assert (view(record)["phase"], record.winner(), view(record)["turn"]) == ("over", ["Anna"], None)
    assert view(record)["display"]["Anna"] != {}
    assert (view(record)["round"], view(record)["to_place"]) == (1, {})
    record.push(played("Anna", "red 1"))
    assert codes(record) == [(31, "game_over")]
    assert view(monsters(*FULL_ROUND, target=56))["phase"] == "trick"


SEVENTY = {"red": 1, "orange": 1, "yellow": 1, "green": 1, "blue": 1, "purple": 1, "pink": (4, 3)}
FIRST = [
    scanned("Anna", red=1, orange=1, yellow=1, green=1, blue=6),
    scanned("Ben", purple=1, pink=1, red=1, orange=1, yellow=6),
    scanned("Conny", red=4, orange=4, green=2),
]


@rules("SMM-R5")
def test_equal_highest_totals_share_the_win_or_play_on() -> None:
    record = monsters(*FIRST, tracking="scan", target=46)
    assert record.scores() == {"Anna": 46, "Ben": 46, "Conny": 14}
    assert record.winner() == ["Anna", "Ben"]
    longer = monsters(*FIRST, tracking="scan", target=46, tie_break="extra_round")
    assert (longer.winner(), view(longer)["round"]) == ([], 2)
    for event in (FIRST[0], {**FIRST[2], "player": "Ben"}, {**FIRST[1], "player": "Conny"}):
        longer.push(event)
    assert longer.winner() == ["Anna"]
    assert longer.scores() == {"Anna": 92, "Ben": 60, "Conny": 60}


# --- variants ---------------------------------------------------------------------------------------------

OPEN = {"variant": "two_original_monsters"}
BED = {"variant": "monster_under_the_bed"}
LAID = [hid(player, column) for player in ABC for column in (1, 2)]
SAME = [hid("Anna", 1), hid("Anna", 1), *LAID[2:]]


@rules("SMM-31", "SMM-32")
def test_two_cards_enter_the_display_before_the_tricks() -> None:
    record = monsters(*last_cards()[:5], **OPEN)
    assert (view(record)["phase"], view(record)["trick"]) == ("setup", 0)
    assert view(record)["to_place"] == {"Conny": 1}
    record.push(played("Anna", "red 7"))
    record.push(placed("Anna", "green 1"))
    record.push(last_cards()[5])
    assert codes(record) == [(6, "wrong_phase"), (7, "nothing_to_place")]
    state = view(record)
    assert (state["phase"], state["trick"], state["turn"]) == ("trick", 1, "Anna")


@rules("SMM-32", "SMM-R8")
def test_a_joker_laid_first_joins_the_monster_laid_second() -> None:
    record = monsters(placed("Anna", "joker", "aside"), placed("Anna", "red 1"), **OPEN)
    assert view(record)["display"]["Anna"] == {"red": {"cards": 2, "jokers": 1}}
    assert view(record)["aside"]["Anna"] == 0
    late = monsters(placed("Anna", "red 1"), placed("Anna", "joker", "aside"), **OPEN)
    assert codes(late) == [(2, "must_use_column")]
    alone = monsters(placed("Anna", "joker", "red"), **OPEN)
    assert codes(alone) == [(1, "joker_starts_column")]
    both = monsters(placed("Anna", "joker", "aside"), placed("Anna", "joker", "aside"), **OPEN)
    assert view(both)["aside"]["Anna"] == 2


@rules("SMM-33")
def test_after_the_eighth_trick_no_hand_cards_are_left() -> None:
    record = monsters(*last_cards(), *eight_tricks(), **OPEN)
    assert (view(record)["phase"], view(record)["round"]) == ("setup", 2)
    assert record.scores() == {"Anna": 55, "Ben": 42, "Conny": 38}


@rules("SMM-34")
def test_hidden_cards_lie_in_column_one_first() -> None:
    record = monsters(hid("Anna", 2), hid("Anna", 1), hid("Anna", 1), hid("Anna", 2), **BED)
    assert codes(record) == [(1, "wrong_column"), (4, "nothing_to_place")]
    assert view(record)["face_down"]["Anna"] == [2, 0]
    for column in (3, 0, "1", True, None, 1.0):
        assert codes(monsters(hid("Anna", column), **BED)) == [(1, "bad_field")]


@rules("SMM-34")
def test_face_down_belongs_to_the_set_up_under_the_bed_and_nothing_else_does() -> None:
    assert codes(monsters(placed("Anna", "red 1"), **BED)) == [(1, "bad_field")]
    assert codes(monsters(hid("Anna", 1), **OPEN)) == [(1, "bad_field")]
    assert codes(monsters(hid("Anna", 1))) == [(1, "bad_field")]
    assert codes(monsters(*LAID, hid("Anna", 1), **BED)) == [(7, "bad_field")]
    assert codes(monsters({**hid("Anna", 1), "card": a_card("red 1")}, **BED)) == [(1, "bad_field")]
    openly = {**placed("Anna", "red 1"), "face_down": False}
    assert codes(monsters(openly, **OPEN)) == []


@rules("SMM-36")
def test_a_captured_monster_turns_its_hidden_card_over() -> None:
    captured = trick(("Anna", "red 7"), ("Ben", "red 2"), ("Conny", "blue 1"))
    record = monsters(*LAID, bared("Anna", 1, "red 1"), *captured, bared("Anna", 1, "green 1"), **BED)
    assert codes(record) == [(7, "reveal_not_due"), (11, "reveal_not_due")]
    record.push(bared("Anna", 1, "red 1"))
    record.push(bared("Anna", 1, "red 1"))
    assert codes(record)[2:] == [(13, "nothing_face_down")]
    assert view(record)["display"]["Anna"]["red"] == {"cards": 3, "jokers": 0}
    assert view(record)["face_down"]["Anna"] == [0, 1]
    assert view(record)["phase"] == "trick"


@rules("SMM-36")
def test_all_cards_of_a_hidden_column_are_turned_over() -> None:
    captured = trick(("Anna", "red 7"), ("Ben", "red 2"), ("Conny", "blue 1"))
    record = monsters(*SAME, *captured, bared("Anna", 1, "red 1"), bared("Anna", 1, "red 1", "joker"), **BED)
    assert codes(record) == [(10, "bad_field")]
    assert view(record)["display"]["Anna"]["red"] == {"cards": 4, "jokers": 1}


@rules("SMM-34")
@pytest.mark.parametrize("cards", [("red 1", "green 1"), ("red 1", "red 3"), ("red 1", "joker")])
def test_two_different_monsters_in_one_hidden_column_are_misplaced(cards: tuple[str, str]) -> None:
    captured = trick(("Anna", "red 7"), ("Ben", "red 2"), ("Conny", "blue 1"))
    record = monsters(*SAME, *captured, bared("Anna", 1, *cards), **BED)
    misplaced = [(10, "Anna", "misplaced")] if cards[1] == "green 1" else []
    assert found(record) == misplaced
    assert view(record)["face_down"]["Anna"] == [0, 0]
    assert sum(column["cards"] for column in view(record)["display"]["Anna"].values()) == 5


@rules("SMM-34")
def test_the_same_monster_in_both_hidden_columns_is_misplaced() -> None:
    captured = trick(("Anna", "red 7"), ("Ben", "red 2"), ("Conny", "blue 1"))
    record = monsters(*LAID, *captured, bared("Anna", 2, "red 1"), bared("Anna", 1, "red 3"), **BED)
    assert found(record) == [(11, "Anna", "misplaced")]
    assert view(record)["display"]["Anna"]["red"]["cards"] == 4


@rules("SMM-35", "SMM-37")
def test_what_is_still_hidden_is_turned_over_and_sorted_at_the_end() -> None:
    record = monsters(*SAME, *eight_tricks(), **BED)
    assert view(record)["phase"] == "last_cards"
    assert view(record)["to_place"] == {"Anna": 2, "Ben": 2, "Conny": 2}
    record.push(placed("Anna", "red 1"))
    assert codes(record) == [(31, "nothing_to_place")]
    record.push(bared("Anna", 1, "joker", "joker"))
    assert found(record) == [(32, "Anna", "misplaced")]
    assert (view(record)["aside"]["Anna"], view(record)["to_place"]["Anna"]) == (2, 2)
    record.push(placed("Anna", "pink 1"))
    assert codes(record)[1:] == [(33, "wrong_card")]
    for event in (placed("Anna", "joker", "red"), placed("Anna", "joker", "red")):
        record.push(event)
    for player in ("Ben", "Conny"):
        record.push(bared(player, 2, "pink 1"))
        record.push(bared(player, 1, "yellow 1"))
    assert (view(record)["round"], view(record)["phase"]) == (2, "setup")
    assert record.scores()["Anna"] == 10 + 6 + 6 + 10 + 10 + 4


@rules("SMM-31")
def test_nothing_is_turned_over_without_hidden_cards() -> None:
    assert codes(monsters(bared("Anna", 1, "red 1"))) == [(1, "nothing_face_down")]
    assert codes(monsters(bared("Anna", 1, "red 1"), **BED)) == [(1, "wrong_phase")]
    assert codes(monsters(bared("Anna", 1), **BED)) == [(1, "bad_field")]


# --- scans and enrolled numbers ---------------------------------------------------------------------------


@rules("SMM-R9", "SMM-2")
def test_enrolled_numbers_are_checked() -> None:
    events = [
        played("Anna", "red 5"),
        played("Ben", "red 5"),
        played("Ben", "red 8"),
        played("Ben", "joker"),
        played("Conny", "red 6"),
    ]
    record = monsters(*events, numbers=[1, 2, 3, 4, 5, 6, 7])
    assert codes(record) == [(2, "impossible_card"), (3, "unknown_card")]
    assert codes(monsters(played("Anna", "red 5"), played("Ben", "red 5"), awarded("Ben", "Ben"))) == []


@rules("SMM-R12")
def test_a_table_goes_over_from_cards_to_photographs_and_stays_with_them() -> None:
    half = trick(("Anna", "red 5"), ("Ben", "blue 4"), ("Conny", "blue 6"))
    photographs = {"phase": "scan", "trick": 0, "turn": None, "table": [], "to_place": {}}
    empty = {name: {} for name in ABC}
    switch = {"event": "position", "state": {**photographs, "display": empty}}
    record = monsters(*half, switch, *FIRST, players=ABC)
    assert codes(record) == []
    assert (view(record)["phase"], view(record)["round"], len(view(record)["round_scores"])) == ("scan", 2, 1)


def test_a_table_goes_over_from_photographs_to_cards() -> None:
    cards = {"event": "position", "state": {"phase": "trick", "trick": 1, "turn": "Ben"}}
    record = monsters(*FIRST, cards, played("Ben", "red 5"), players=ABC, tracking="scan")
    assert codes(record) == []
    assert (view(record)["phase"], view(record)["turn"]) == ("trick", "Conny")


def test_a_new_scan_replaces_the_earlier_one() -> None:
    record = monsters(FIRST[1], {**FIRST[1], "player": "Anna"}, FIRST[0], tracking="scan")
    assert codes(record) == [(2, "impossible_card")]
    record.push(scanned("Ben", pink=1))
    assert view(record)["display"]["Ben"] == {"pink": {"cards": 1, "jokers": 0}}
    for event in (FIRST[2], FIRST[1], FIRST[2]):
        record.push(event)
    assert codes(record)[1:] == [(5, "wrong_total")]
    assert view(record)["round"] == 2


@rules("SMM-21", "SMM-22", "SMM-23")
def test_a_scan_knows_jokers_only_and_jokers_aside() -> None:
    def code(event: object) -> list[str]:
        return [code for _, code in codes(monsters(event, tracking="scan"))]  # type: ignore[arg-type]

    assert code(scanned("Anna", red=(2, 2))) == ["joker_starts_column"]
    assert code(scanned("Anna", joker=(2, 2))) == ["joker_starts_column"]
    assert code(scanned("Anna", 1, red=3)) == ["must_use_column"]
    assert code(scanned("Anna", 12)) == ["impossible_card"]
    assert code(scanned("Anna", red=8)) == ["impossible_card"]
    assert code(scanned("Anna", red=(2, 3))) == ["bad_field"]
    assert code(scanned("Anna", red=0)) == ["bad_field"]
    assert code(scanned("Anna", zebra=2)) == ["unknown_card"]
    assert code(scanned("Anna", -1)) == ["bad_field"]
    assert code({**scanned("Anna"), "display": {"red": {"cards": 1}}}) == ["bad_field"]
    assert code({**scanned("Anna"), "display": []}) == ["bad_field"]
    assert code({"event": "display_scanned", "player": "Anna"}) == ["missing_field"]
    assert code(scanned("Anna", 3)) == []
    assert code(played("Anna", "red 1")) == ["wrong_phase"]
    assert codes(monsters(scanned("Anna", red=1))) == [(1, "wrong_phase")]


@rules("SMM-23")
def test_jokers_aside_count_one_point_each_in_a_scan() -> None:
    display = {"red": 7, "orange": 7, "yellow": 1}
    rest = {"yellow": 6, "green": 7}
    record = monsters(
        scanned("Anna", 2), scanned("Ben", **display), scanned("Conny", **rest), tracking="scan"
    )
    assert (codes(record), record.scores()) == ([], {"Anna": 2, "Ben": 24, "Conny": 13})


@rules("SMM-31")
@pytest.mark.parametrize("variant", ["two_original_monsters", "monster_under_the_bed"])
def test_scan_is_the_only_phase_of_scan_tracking(variant: str) -> None:
    state = view(monsters(tracking="scan", variant=variant))
    assert (state["phase"], state["trick"], state["turn"], state["to_place"]) == ("scan", 0, None, {})


# --- fields and settings ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "code"),
    [
        ({"monster": "zebra", "number": 1}, "unknown_card"),
        ({"monster": "red"}, "missing_field"),
        ({"monster": "red", "number": -1}, "bad_field"),
        ({"monster": "red", "number": True}, "bad_field"),
        ({"monster": "red", "number": 1.5}, "bad_field"),
        ({"monster": "red", "number": "5"}, "bad_field"),
        ({"monster": "red", "number": None}, "bad_field"),
        ({"monster": "joker", "number": -1}, "bad_field"),
        ({"monster": 5, "number": 1}, "bad_field"),
        ({"number": 5}, "bad_field"),
        ("red 5", "bad_field"),
        (["red", 5], "bad_field"),
        (None, "bad_field"),
    ],
)
def test_bad_cards(card: object, code: str) -> None:
    assert codes(monsters({"event": "card_played", "player": "Anna", "card": card})) == [(1, code)]


@pytest.mark.parametrize(
    ("event", "code"),
    [
        ({"event": "card_played", "player": "Zoe"}, "unknown_player"),
        ({"event": "card_played"}, "missing_field"),
        ({"event": "card_played", "player": 5}, "missing_field"),
        ({"event": "card_played", "player": 5, "card": a_card("red 1")}, "bad_field"),
        ({"event": "card_placed", "player": "Anna"}, "missing_field"),
        ({"event": "card_placed", "player": "Anna", "column": 5}, "missing_field"),
        ({"event": "card_placed", "player": "Anna", "card": a_card("joker")}, "missing_field"),
        ({"event": "card_placed", "player": "Anna", "card": a_card("joker"), "column": 1}, "bad_field"),
        ({"event": "card_placed", "player": "Anna", "card": a_card("red"), "face_down": 1}, "bad_field"),
        ({"event": "card_placed", "player": "Anna", "face_down": True}, "missing_field"),
        ({"event": "trick_awarded", "player": "Anna", "to": "Zoe"}, "unknown_player"),
        ({"event": "trick_awarded", "player": "Anna"}, "missing_field"),
        ({"event": "heard", "words": ["one"], "start": 1, "end": 2}, "unknown_event"),
        ({"event": "time_passed", "t": 1}, "unknown_event"),
    ],
)
def test_bad_events(event: dict[str, object], code: str) -> None:
    assert codes(monsters(event)) == [(1, code)]


@pytest.mark.parametrize(
    "settings",
    [
        {"target": 0},
        {"target": -5},
        {"target": "150"},
        {"target": True},
        {"target": 99.5},
        {"target": None},
        {"variant": "standart"},
        {"tracking": "none"},
        {"monsters": ["a", "b", "c"]},
        {"monsters": ["a", "b", "c", "d", "e", "f", "f"]},
        {"monsters": ["a", "b", "c", "d", "e", "f", "joker"]},
        {"monsters": ["a", "b", "c", "d", "e", "f", ""]},
        {"monsters": ["a", "b", "c", "d", "e", "f", 7]},
        {"monsters": "abcdefg"},
        {"numbers": [1, 2, 3]},
        {"numbers": [1, 1, 2, 3, 4, 5, 6]},
        {"numbers": [-1, 1, 2, 3, 4, 5, 6]},
        {"numbers": [True, 2, 3, 4, 5, 6, 7]},
        {"joker_number": -1},
        {"joker_number": "0"},
        {"joker_number": False},
        {"tie_break": "coin"},
        {"first_player": "Zoe"},
        {"colours": 7},
    ],
)
def test_impossible_settings(settings: dict[str, object]) -> None:
    with pytest.raises(BadHeader) as error:
        rulebook("seven_merry_monsters").header(ABC, settings)
    assert error.value.code == "bad_settings"


def test_a_photographed_column_of_one_counts_ten_of_two_six_a_longer_one_its_cards() -> None:
    game = game_named("seven_merry_monsters")
    display = {name: {"cards": n, "jokers": 0} for name, n in (("blue", 1), ("red", 2), ("pink", 5))}
    assert game.points_of_display(display) == 10 + 6 + 5
