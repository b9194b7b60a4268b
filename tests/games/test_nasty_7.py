"""The Nasty 7, rule by rule. The ids are those of the digest."""

from typing import Any

import pytest
from rulescripts import (
    NASTY,
    codes,
    counted,
    doubts,
    falls,
    found,
    nasty,
    passes,
    says,
    view,
)

from companion.core.errors import BadHeader
from companion.games import rulebook
from companion.games.nasty_7.calls import number_of

rules = pytest.mark.rules
TWO = ["Abby", "Beth"]
Event = dict[str, Any]


def stacks(*cards: int, players: list[str] | None = None) -> dict[str, int]:
    return dict(zip(players or NASTY, cards, strict=True))


def last_verdict(*events: Event, **settings: Any) -> tuple[str, str] | None:
    verdicts = nasty(*events, **settings).verdicts
    return (verdicts[-1]["player"], verdicts[-1]["verdict"]) if verdicts else None


# --- the deal ---------------------------------------------------------------------------------------------


@rules("N7-1")
@pytest.mark.parametrize("number", [1, 7])
def test_two_to_six_players(number: int) -> None:
    with pytest.raises(BadHeader) as error:
        nasty(players=[f"P{i}" for i in range(number)])
    assert error.value.code == "bad_players"


@rules("N7-2", "N7-3")
@pytest.mark.parametrize(
    ("number", "each", "box"), [(2, 55, 0), (3, 36, 2), (4, 27, 2), (5, 22, 0), (6, 18, 2)]
)
def test_the_cards_are_dealt_evenly_and_the_rest_goes_to_the_box(number: int, each: int, box: int) -> None:
    state = view(nasty(players=[f"P{i}" for i in range(number)]))
    assert set(state["stack"].values()) == {each}
    assert (state["box"], state["pile"], state["round"], state["count"]) == (box, 0, 1, 0)


@rules("N7-2", "N7-32")
def test_enrolled_cards_make_up_the_deck_without_twins_for_younger_players() -> None:
    cards = {"racketeer": 50, "twin_racketeer": 10, "phone": 20, "twin_phone": 6, "gun": 14}
    assert view(nasty(cards=cards, deck_size=9))["stack"]["Abby"] == 25
    young = nasty(falls("Abby", "twin_phone", 1.0), falls("Abby", "knife", 2.0), cards=cards, twins=False)
    assert (view(young)["stack"]["Abby"], view(young)["box"]) == (21, 0)
    assert codes(young) == [(1, "unknown_card"), (2, "unknown_card")]
    assert view(nasty(twins=False))["stack"]["Abby"] == 27


@rules("N7-5", "N7-6")
def test_the_youngest_starts_and_play_goes_clockwise() -> None:
    state = view(nasty(falls("Carter", "racketeer", 5.0), first_player="Carter"))
    assert (state["turn"], state["pile"], state["stack"]["Carter"]) == ("Debbie", 1, 26)


# --- the count --------------------------------------------------------------------------------------------


@rules("N7-7", "N7-8", "N7-R1")
def test_up_to_seven_down_to_one_and_up_again() -> None:
    assert [number_of(k) for k in range(14)] == [0, 1, 2, 3, 4, 5, 6, 7, 6, 5, 4, 3, 2, 1]
    record = nasty(*counted(26))
    assert {verdict for _, _, verdict in found(record)} == {"correct"}
    assert len(record.verdicts) == 26


@rules("N7-9", "N7-10", "N7-R1")
@pytest.mark.parametrize(
    ("before", "words"),
    [
        (5, "six seven"),
        (6, "seven six"),
        (7, "six five"),
        (11, "two one"),
        (12, "one two"),
        (13, "two three"),
    ],
)
def test_a_twin_needs_its_two_numbers_in_order_and_the_next_player_skips(before: int, words: str) -> None:
    cards = counted(before)
    t = 10.0 + 2 * before
    player, skipped, following = (NASTY[(before + i) % 4] for i in range(3))
    record = nasty(*cards, falls(player, "twin_racketeer", t), says(words, t + 0.5))
    assert found(record)[-1][1:] == (player, "correct")
    assert (view(record)["skipped"], view(record)["turn"]) == (skipped, following)


@rules("N7-11", "N7-12", "N7-13")
def test_phones_need_the_sound_once_or_twice() -> None:
    one = nasty(falls("Abby", "phone", 5.0), says("HMMRRR", 5.5))
    assert found(one) == [(2, "Abby", "correct")]
    two = nasty(falls("Abby", "twin_phone", 5.0), says("hmmrrr", 5.5), says("hmmrrr", 6.2))
    assert found(two) == [(3, "Abby", "correct")]
    assert (view(two)["skipped"], view(two)["turn"], view(two)["count"]) == ("Beth", "Carter", 2)


@rules("N7-14", "N7-15")
def test_a_gun_wants_silence_and_counts() -> None:
    record = nasty(
        *counted(4), falls("Abby", "gun", 18.5), falls("Beth", "racketeer", 20.0), says("six", 20.5)
    )
    assert found(record)[-2:] == [(10, "Abby", "correct"), (11, "Beth", "correct")]


@rules("N7-16")
def test_printed_example() -> None:
    """1, 2, hmmrrr, 4, (silence), 6, "7, 6", skip, 5, "hmmrrr hmmrrr", skip, 2."""
    play = [
        ("Abby", "racketeer", "one"),
        ("Beth", "racketeer", "two"),
        ("Carter", "phone", "hmmrrr"),
        ("Debbie", "racketeer", "four"),
        ("Abby", "gun", ""),
        ("Beth", "racketeer", "six"),
        ("Carter", "twin_racketeer", "seven six"),
        ("Abby", "racketeer", "five"),
        ("Beth", "twin_phone", "hmmrrr hmmrrr"),
        ("Debbie", "racketeer", "two"),
    ]
    events = []
    for k, (player, card, words) in enumerate(play):
        events.append(falls(player, card, 2.0 * k))
        if words:
            events.append(says(words, 2.0 * k + 0.5))
    record = nasty(*events)
    assert [verdict for _, _, verdict in found(record)] == ["correct"] * 10
    assert (view(record)["count"], view(record)["next_number"], view(record)["pile"]) == (2, 1, 10)


# --- mistakes ---------------------------------------------------------------------------------------------


@rules("N7-17", "N7-18", "N7-R2")
def test_a_mistake_costs_the_pile_and_starts_a_round() -> None:
    record = nasty(*counted(2), falls("Carter", "twin_racketeer", 14.0), says("three five", 14.5))
    assert record.verdicts[-1] == {"n": 6, "player": "Carter", "verdict": "wrong_number", "expected": [3, 4]}
    state = view(record)
    assert (state["round"], state["turn"], state["pile"], state["count"], state["next_number"]) == (
        2,
        "Carter",
        0,
        0,
        1,
    )
    assert state["stack"] == stacks(26, 26, 29, 27)
    assert state["skipped"] is None


@rules("N7-18", "N7-19", "N7-21", "N7-R7")
@pytest.mark.parametrize(
    ("card", "words", "verdict"),
    [
        ("racketeer", "four", "wrong_number"),
        ("racketeer", "zero", "wrong_number"),
        ("racketeer", "10", "wrong_number"),
        ("racketeer", "12", "wrong_number"),
        ("racketeer", "hmmrrr", "wrong_sound"),
        ("racketeer", "drei", "wrong_word"),
        ("racketeer", "eleven", "wrong_word"),
        ("racketeer", "three four", "wrong_number"),
        ("racketeer", "three hmmrrr", "wrong_sound"),
        ("racketeer", "three puh", "wrong_word"),
        ("racketeer", "3", "correct"),
        ("racketeer", "THREE", "correct"),
        ("twin_racketeer", "four three", "wrong_number"),
        ("twin_racketeer", "three puh", "wrong_word"),
        ("twin_racketeer", "three four five", "wrong_number"),
        ("phone", "three", "wrong_sound"),
        ("phone", "hmmrrr hmmrrr", "wrong_sound"),
        ("phone", "hmmrrr puh", "wrong_sound"),
        ("twin_phone", "hmmrrr three", "wrong_sound"),
        ("gun", "three", "should_be_silent"),
        ("gun", "hmmrrr", "should_be_silent"),
    ],
)
def test_words_that_do_not_fit(card: str, words: str, verdict: str) -> None:
    record = nasty(*counted(2), falls("Carter", card, 14.0), says(words, 14.5))
    assert found(record)[2:] == [(6, "Carter", verdict)]
    assert ("expected" in record.verdicts[-1]) == (verdict == "wrong_number")


@rules("N7-20", "N7-R14")
@pytest.mark.parametrize("called", [True, False])
def test_playing_instead_of_skipping_closes_the_twin_call_unjudged(called: bool) -> None:
    call = [says("one two", 5.5)] if called else []
    record = nasty(falls("Abby", "twin_racketeer", 5.0), *call, falls("Beth", "gun", 7.0))
    assert found(record)[-1][1:] == ("Beth", "should_have_skipped")
    assert len(record.verdicts) == 1 + called
    assert (view(record)["stack"], view(record)["turn"]) == (stacks(26, 28, 27, 27), "Beth")


@rules("N7-20", "N7-22")
def test_the_skipped_player_after_the_twin_caller_has_hesitated_is_out_of_turn() -> None:
    record = nasty(falls("Abby", "twin_racketeer", 5.0), falls("Beth", "gun", 9.0))
    assert found(record) == [(2, "Abby", "too_late")]
    assert codes(record) == [(2, "not_your_turn")]


@rules("N7-19", "N7-R13")
def test_talk_on_a_gun_card_is_a_mistake_of_its_own() -> None:
    assert last_verdict(falls("Abby", "gun", 1.0), says("puh", 1.5)) == ("Abby", "should_be_silent")


@rules("N7-R9")
def test_talk_of_others_and_after_the_call_does_not_count() -> None:
    record = nasty(
        falls("Abby", "racketeer", 5.0),
        says("seven", 5.2, player="Beth"),
        says("one", 5.6, player="Abby"),
        says("seven", 6.5),
        falls("Beth", "gun", 7.0),
        says("ouch", 7.5, player="Debbie"),
        falls("Carter", "gun", 8.0),
    )
    assert found(record) == [(3, "Abby", "correct"), (7, "Beth", "correct")]
    assert codes(nasty(says("hello there", 1.0))) == []


@rules("N7-R8", "N7-6")
def test_a_card_out_of_turn_is_handed_back() -> None:
    record = nasty(
        *counted(1), falls("Carter", "gun", 12.0), falls("Abby", "gun", 12.1), falls("Beth", "gun", 12.2)
    )
    assert codes(record) == [(3, "not_your_turn"), (4, "not_your_turn")]
    assert view(record)["stack"] == stacks(26, 26, 27, 27)


@rules("N7-R6")
def test_no_call_before_the_next_player_plays() -> None:
    record = nasty(*counted(1), falls("Beth", "racketeer", 12.0), falls("Carter", "gun", 14.0))
    assert found(record)[1:] == [(4, "Beth", "no_call")]
    assert (view(record)["stack"], view(record)["turn"]) == (stacks(26, 29, 26, 27), "Beth")


@rules("N7-R6")
def test_half_a_call_is_none() -> None:
    half = [falls("Abby", "twin_racketeer", 5.0), says("one", 5.5), falls("Carter", "gun", 7.0)]
    assert last_verdict(*half) == ("Abby", "no_call")


# --- hesitating -------------------------------------------------------------------------------------------


@rules("N7-22", "N7-R3")
@pytest.mark.parametrize(("start", "verdict"), [(14.3, "correct"), (14.301, "too_late")])
def test_three_seconds_to_call_and_exactly_three_are_in_time(start: float, verdict: str) -> None:
    record = nasty(falls("Abby", "racketeer", 11.3), says("one", start))
    assert found(record) == [(2, "Abby", verdict)]
    assert codes(record) == []


@rules("N7-22", "N7-R3")
@pytest.mark.parametrize("tenths", range(0, 200, 7))
def test_exactly_three_seconds_are_in_time_in_decimal_times(tenths: int) -> None:
    t = round(tenths / 10 + 0.1, 1)
    record = nasty(falls("Abby", "racketeer", t), says("one", round(t + 3.0, 1), round(t + 3.4, 1)))
    assert found(record) == [(2, "Abby", "correct")]
    record.push(falls("Beth", "gun", round(t + 6.4, 1)))
    assert len(record.verdicts) == 1


@rules("N7-22", "N7-R3")
def test_the_time_starts_again_with_each_part_of_a_call() -> None:
    parts = [falls("Abby", "twin_racketeer", 5.0), says("one", 7.9, 8.4), says("two", 11.4)]
    assert last_verdict(*parts) == ("Abby", "correct")
    assert last_verdict(*parts[:2], says("two", 11.5)) == ("Abby", "too_late")
    assert last_verdict(*parts[:2], says("two", 9.0, player="Beth"), says("two", 11.5)) == (
        "Abby",
        "too_late",
    )


@rules("N7-22", "N7-R17")
def test_a_card_that_falls_too_late_is_taken_with_the_pile() -> None:
    record = nasty(*counted(1), falls("Beth", "twin_racketeer", 14.1))
    assert found(record)[1:] == [(3, "Beth", "too_late")]
    assert codes(record) == []
    state = view(record)
    assert (state["stack"], state["pile"], state["turn"]) == (stacks(26, 28, 27, 27), 0, "Beth")
    assert (state["skipped"], state["round"]) == (None, 2)


@rules("N7-22", "N7-14")
def test_after_a_gun_the_time_runs_from_the_card() -> None:
    record = nasty(falls("Abby", "gun", 5.0), falls("Beth", "gun", 8.1))
    assert found(record) == [(2, "Abby", "correct"), (2, "Beth", "too_late")]
    assert view(record)["stack"] == stacks(26, 28, 27, 27)
    assert found(nasty(falls("Abby", "gun", 5.0), falls("Beth", "gun", 8.0))) == [(2, "Abby", "correct")]


@rules("N7-22", "N7-R3")
def test_time_runs_out_at_whatever_event_comes_next() -> None:
    late = [passes(16.0), says("puh", 16.0), doubts(["Carter"], 16.0)]
    for event in late:
        record = nasty(*counted(1), event)
        assert found(record)[1:] == [(3, "Beth", "too_late")]
        assert view(record)["stack"] == stacks(26, 28, 27, 27)
    assert codes(nasty(*counted(1), late[2])) == [(3, "nothing_to_accuse")]


@rules("N7-22")
@pytest.mark.parametrize(
    "event",
    [
        {"event": "card_played", "player": "Zoe", "card": "gun", "t": 20.0},
        {"event": "card_played", "player": "Beth", "card": "knife", "t": 20.0},
        {"event": "card_played", "player": "Beth", "t": 20.0},
        {"event": "accused", "t": 20.0},
    ],
)
def test_what_has_run_out_stands_although_the_event_is_rejected(event: Event) -> None:
    record = nasty(*counted(1), event)
    assert found(record)[1:] == [(3, "Beth", "too_late")]
    assert len(record.rejected) == 1
    assert record.state.time == 10.5
    assert view(record)["stack"] == stacks(26, 28, 27, 27)


@rules("N7-22")
@pytest.mark.parametrize(
    "event",
    [
        {"event": "card_played", "player": "Beth", "card": "gun", "t": -1},
        {"event": "card_played", "player": "Beth", "card": "gun", "t": "20"},
        {"event": "card_played", "player": "Beth", "card": "gun", "t": True},
        {"event": "card_played", "player": "Beth", "card": "gun", "t": None},
        {"event": "dealt", "t": 20.0},
        {"event": "heard", "words": [], "start": 20.0, "end": 20.5},
        {"event": "heard", "start": 20.0, "end": 20.5},
        {"event": "heard", "words": ["one"], "start": 20.0, "end": 19.5},
    ],
)
def test_an_event_without_a_time_in_order_settles_nothing(event: Event) -> None:
    record = nasty(*counted(1), event)
    assert len(record.verdicts) == 1
    code = "unknown_event" if event["event"] == "dealt" else "bad_field"
    assert codes(record) == [(3, code)]


@rules("N7-R4")
def test_no_limit_before_the_first_card_of_a_round() -> None:
    record = nasty(falls("Abby", "racketeer", 300.0), says("two", 300.5), falls("Abby", "racketeer", 900.0))
    assert found(record) == [(2, "Abby", "wrong_number")]
    assert record.book.deadline(record.state) == 903.0


@rules("N7-22")
def test_the_caller_who_was_too_late_starts_the_new_round_at_once() -> None:
    record = nasty(
        *counted(1),
        falls("Beth", "gun", 12.0),
        falls("Carter", "racketeer", 13.0),
        falls("Carter", "gun", 17.0),
    )
    assert found(record)[1:] == [(4, "Beth", "correct"), (5, "Carter", "too_late")]
    assert codes(record) == []
    assert (view(record)["pile"], view(record)["turn"], view(record)["round"]) == (1, "Debbie", 2)


@rules("N7-22")
def test_the_limit_can_be_changed() -> None:
    assert last_verdict(falls("Abby", "racketeer", 5.0), says("one", 9.9), hesitation_s=5) == (
        "Abby",
        "correct",
    )


# --- accusations ------------------------------------------------------------------------------------------


@rules("N7-23", "N7-25", "N7-R10")
def test_a_false_accuser_takes_the_pile_and_starts() -> None:
    record = nasty(*counted(4), doubts(["Beth"], 17.5, player="Debbie"))
    assert record.verdicts[-1] == {"n": 9, "player": "Beth", "verdict": "false_accusation"}
    assert (view(record)["stack"], view(record)["turn"]) == (stacks(26, 30, 26, 26), "Beth")


@rules("N7-26", "N7-R11")
@pytest.mark.parametrize(
    ("by", "starter", "left"),
    [
        (["Carter", "Abby"], "Carter", stacks(28, 25, 29, 26)),
        (["Debbie", "Abby", "Carter"], "Debbie", stacks(27, 25, 28, 28)),
    ],
)
def test_the_pile_is_dealt_out_to_several_accusers(by: list[str], starter: str, left: dict[str, int]) -> None:
    """Six cards lie on the pile after Beth's second call."""
    record = nasty(*counted(6), doubts(by, 21.5))
    turn_order = [player for player in ("Carter", "Debbie", "Abby") if player in by]
    assert [player for _, player, verdict in found(record) if verdict == "false_accusation"] == turn_order
    assert view(record)["turn"] == turn_order[(6 - 1) % len(by)]
    assert sum(view(record)["stack"].values()) == 108
    before = stacks(25, 25, 26, 26)
    shares = {player: len(range(turn_order.index(player), 6, len(by))) for player in by}
    assert view(record)["stack"] == {player: before[player] + shares.get(player, 0) for player in NASTY}


@rules("N7-23", "N7-24")
def test_a_true_accusation_costs_the_accused_the_pile() -> None:
    quiet = {"enforcement": "on_accusation"}
    wrong = [*counted(2), falls("Carter", "racketeer", 14.0), says("four", 14.5)]
    record = nasty(*wrong, **quiet)
    assert (record.verdicts, view(record)["pile"]) == ([], 3)
    record.push(doubts(["Abby", "Debbie"], 15.5))
    assert record.verdicts == [{"n": 7, "player": "Carter", "verdict": "wrong_number", "expected": [3]}]
    assert (view(record)["turn"], view(record)["stack"]) == ("Carter", stacks(26, 26, 29, 27))


@rules("N7-R10")
def test_only_the_latest_call_can_be_accused_until_the_next_card() -> None:
    quiet = {"enforcement": "on_accusation"}
    wrong = [
        *counted(2),
        falls("Carter", "racketeer", 14.0),
        says("four", 14.5),
        falls("Debbie", "racketeer", 16.0),
    ]
    record = nasty(*wrong, doubts(["Abby"], 16.2), **quiet)
    assert codes(record) == [(8, "nothing_to_accuse")]
    assert view(record)["count"] == 4
    assert codes(nasty(doubts(["Abby"], 1.0))) == [(1, "nothing_to_accuse")]
    assert codes(nasty(*counted(1), doubts(["Carter"], 11.5, player="Beth"))) == [(3, "nothing_to_accuse")]


@rules("N7-23")
@pytest.mark.parametrize(
    ("by", "code"),
    [
        ([], "bad_field"),
        (["Beth", "Beth"], "bad_field"),
        (["Beth", "Abby"], "bad_field"),
        ("Beth", "bad_field"),
        ([5], "bad_field"),
        (["Zoe"], "unknown_player"),
        (["Beth", "Zoe", 5], "unknown_player"),
    ],
)
def test_who_may_accuse(by: Any, code: str) -> None:
    assert codes(nasty(*counted(1), doubts(by, 11.5))) == [(3, code)]
    without_call = codes(nasty(doubts(by, 11.5)))
    assert without_call == [
        (1, "nothing_to_accuse" if isinstance(by, list) and code == "bad_field" and 5 not in by else code)
    ]


@rules("N7-R12")
def test_on_accusation_keeps_silent_about_words_but_not_about_time_and_turns() -> None:
    quiet = {"enforcement": "on_accusation"}
    assert nasty(*counted(6), **quiet).verdicts == []
    assert last_verdict(falls("Abby", "racketeer", 5.0), passes(8.5), **quiet) == ("Abby", "too_late")
    assert last_verdict(falls("Abby", "racketeer", 5.0), falls("Beth", "gun", 7.0), **quiet) == (
        "Abby",
        "no_call",
    )
    twin = [falls("Abby", "twin_racketeer", 5.0), says("puh", 5.5), falls("Beth", "gun", 7.0)]
    assert found(nasty(*twin, **quiet)) == [(3, "Beth", "should_have_skipped")]
    gun = [falls("Abby", "gun", 5.0), says("puh", 5.5), doubts(["Beth"], 6.0)]
    assert found(nasty(*gun, **quiet)) == [(3, "Abby", "should_be_silent")]
    assert codes(nasty(gun[0], doubts(["Beth"], 6.0), **quiet)) == [(2, "nothing_to_accuse")]
    assert nasty(*gun[:2], falls("Beth", "gun", 7.0), **quiet).verdicts == []


@rules("N7-R12", "N7-R3")
def test_a_wrong_call_that_nobody_doubts_starts_the_time_for_the_next_card() -> None:
    quiet = {"enforcement": "on_accusation"}
    wrong = [falls("Abby", "racketeer", 5.0), says("four", 7.0, 7.5)]
    assert nasty(*wrong, falls("Beth", "gun", 10.5), **quiet).verdicts == []
    assert last_verdict(*wrong, falls("Beth", "gun", 10.6), **quiet) == ("Beth", "too_late")


# --- nasty rules ------------------------------------------------------------------------------------------

NASTIER = {"nasty_rules": True}
ROUND_TWO = [falls("Abby", "racketeer", 5.0), says("nine", 5.5)]


@rules("N7-27")
def test_the_first_round_is_played_with_the_standard_sound() -> None:
    assert view(nasty(**NASTIER))["sound"] == ["hmmrrr"]
    assert last_verdict(falls("Abby", "phone", 5.0), says("pfft", 5.5), **NASTIER) == ("Abby", "wrong_sound")


@rules("N7-28", "N7-29")
def test_the_first_phone_of_a_later_round_sets_its_sound() -> None:
    events = [
        *ROUND_TWO,
        falls("Abby", "phone", 7.0),
        says("Hands up", 7.5),
        falls("Beth", "twin_phone", 9.0),
    ]
    record = nasty(*events, **NASTIER)
    assert (view(record)["sound"], found(record)[1:]) == (["hands", "up"], [(4, "Abby", "correct")])
    record.push(says("hands up hands", 9.5))
    record.push(says("up", 10.5))
    assert found(record)[2:] == [(7, "Beth", "correct")]
    record.push(falls("Debbie", "racketeer", 12.0))
    record.push(says("up", 12.5))
    assert found(record)[3:] == [(9, "Debbie", "wrong_sound")]
    assert view(record)["sound"] is None


@rules("N7-29")
def test_a_sound_may_be_numbers() -> None:
    events = [*ROUND_TWO, falls("Abby", "phone", 7.0), says("eight", 7.5), falls("Beth", "racketeer", 9.0)]
    assert last_verdict(*events, says("eight", 9.5), **NASTIER) == ("Beth", "wrong_number")
    assert last_verdict(*events, says("two", 9.5), **NASTIER) == ("Beth", "correct")
    more = [*events, says("two", 9.5), falls("Carter", "phone", 11.0)]
    assert last_verdict(*more, says("8", 11.5), **NASTIER) == ("Carter", "correct")


@rules("N7-28")
def test_while_no_sound_is_set_the_standard_one_is_a_sound() -> None:
    events = [*ROUND_TWO, falls("Abby", "racketeer", 7.0)]
    assert view(nasty(*ROUND_TWO, **NASTIER))["sound"] is None
    assert last_verdict(*events, says("hmmrrr", 7.5), **NASTIER) == ("Abby", "wrong_sound")
    assert last_verdict(*events, says("pfft", 7.5), **NASTIER) == ("Abby", "wrong_word")


@rules("N7-R15")
@pytest.mark.parametrize(
    ("words", "sound"),
    [
        ("ouch ouch", ["ouch"]),
        ("one two one two", ["one", "two"]),
        ("ouch", None),
        ("a b", None),
        ("a a a", None),
    ],
)
def test_a_twin_phone_that_sets_the_sound_says_the_same_twice(words: str, sound: list[str] | None) -> None:
    record = nasty(*ROUND_TWO, falls("Abby", "twin_phone", 7.0), says(words, 7.5), **NASTIER)
    assert view(record)["sound"] == sound
    assert found(record)[1:] == [(4, "Abby", "correct" if sound else "wrong_sound")]


@rules("N7-30")
@pytest.mark.parametrize("mistake", ["wrong", "late", "silent"])
def test_even_more_nasty_costs_the_opponents_cards_as_well(mistake: str) -> None:
    events = {
        "wrong": [says("two", 5.5)],
        "late": [passes(8.5)],
        "silent": [falls("Beth", "gun", 7.0)],
    }[mistake]
    record = nasty(falls("Abby", "racketeer", 5.0), *events, even_more_nasty=True)
    beth = 25 if mistake == "silent" else 26
    assert view(record)["stack"] == stacks(108 - 52 - beth, beth, 26, 26)
    second = nasty(*counted(1), falls("Beth", "racketeer", 12.0), says("nine", 12.5), even_more_nasty=True)
    assert view(second)["stack"] == stacks(26, 28, 27, 27)


@rules("N7-30", "N7-24")
def test_even_more_nasty_after_a_true_accusation_of_the_first_card() -> None:
    events = [falls("Abby", "racketeer", 5.0), says("two", 5.5), doubts(["Beth"], 6.5)]
    record = nasty(*events, even_more_nasty=True, enforcement="on_accusation")
    assert view(record)["stack"] == stacks(30, 26, 26, 26)


@rules("N7-30", "N7-R16")
def test_opponents_without_cards_share_the_win() -> None:
    players = ["Abby", "Beth", "Carter"]
    events = [*counted(3, players), falls("Abby", "racketeer", 16.0), says("nine", 16.5)]
    events += [falls("Abby", "racketeer", 20.0), says("nine", 20.5), passes(21.0)]
    record = nasty(*events, players=players, deck_size=6, even_more_nasty=True)
    assert record.winner() == ["Beth", "Carter"]
    assert (view(record)["turn"], record.scores()) == (None, {"Abby": 6, "Beth": 0, "Carter": 0})
    assert codes(record) == [(11, "game_over")]


# --- the end ----------------------------------------------------------------------------------------------


@rules("N7-31", "N7-R5")
def test_the_last_card_has_to_be_called_properly() -> None:
    to_last = [*counted(2, TWO), falls("Abby", "racketeer", 14.0)]
    assert nasty(*to_last, players=TWO, deck_size=4).winner() == []
    record = nasty(*to_last, says("three", 14.5), falls("Beth", "gun", 15.5), players=TWO, deck_size=4)
    assert (record.winner(), view(record)["phase"]) == (["Abby"], "over")
    assert codes(record) == [(7, "game_over")]
    wrong = nasty(*to_last, says("four", 14.5), players=TWO, deck_size=4)
    assert (wrong.winner(), view(wrong)["stack"]) == ([], {"Abby": 3, "Beth": 1})


@rules("N7-R5", "N7-14")
def test_a_gun_as_last_card_is_settled_by_the_next_card_or_three_silent_seconds() -> None:
    to_last = [*counted(2, TWO), falls("Abby", "gun", 14.0)]
    deal: dict[str, Any] = {"players": TWO, "deck_size": 4}
    fallen = nasty(*to_last, falls("Beth", "racketeer", 16.0), **deal)
    assert found(fallen)[-1] == (6, "Abby", "correct")
    assert (fallen.winner(), codes(fallen)) == (["Abby"], [(6, "game_over")])
    assert (view(fallen)["pile"], view(fallen)["stack"]) == (3, {"Abby": 0, "Beth": 1})
    waited = nasty(*to_last, passes(17.1), **deal)
    assert (waited.winner(), waited.rejected) == (["Abby"], [])
    late = nasty(*to_last, falls("Beth", "racketeer", 17.1), **deal)
    assert (late.winner(), codes(late)) == (["Abby"], [(6, "game_over")])
    assert found(late)[-1] == (6, "Abby", "correct")
    spoken = nasty(*to_last, says("puh", 15.0), **deal)
    assert (spoken.winner(), view(spoken)["stack"]) == ([], {"Abby": 3, "Beth": 1})


@rules("N7-31", "N7-R12")
def test_on_accusation_the_last_call_waits_for_the_next_card() -> None:
    to_last = [*counted(2, TWO), falls("Abby", "racketeer", 14.0), says("four", 14.5)]
    deal: dict[str, Any] = {"players": TWO, "deck_size": 4, "enforcement": "on_accusation"}
    assert nasty(*to_last, **deal).winner() == []
    fallen = nasty(*to_last, falls("Beth", "gun", 16.0), **deal)
    assert (fallen.winner(), codes(fallen)) == (["Abby"], [(7, "game_over")])
    assert (view(fallen)["pile"], view(fallen)["stack"]) == (3, {"Abby": 0, "Beth": 1})
    assert nasty(*to_last, passes(18.1), **deal).winner() == ["Abby"]
    assert nasty(*to_last, passes(18.0), **deal).winner() == []
    late = nasty(*to_last, falls("Beth", "gun", 18.1), **deal)
    assert (late.winner(), codes(late), late.verdicts) == (["Abby"], [(7, "game_over")], [])
    accused = nasty(*to_last, doubts(["Beth"], 16.0), **deal)
    assert (accused.winner(), found(accused)) == ([], [(7, "Abby", "wrong_number")])
    right = [*to_last[:-1], says("three", 14.5), doubts(["Beth"], 16.0)]
    falsely = nasty(*right, **deal)
    assert (falsely.winner(), found(falsely)) == (["Abby"], [(7, "Beth", "false_accusation")])


@rules("N7-31", "N7-R5", "N7-10")
def test_the_caller_of_a_last_twin_has_no_card_for_the_next_turn() -> None:
    to_last = [*counted(2, TWO), falls("Abby", "twin_racketeer", 14.0)]
    deal: dict[str, Any] = {"players": TWO, "deck_size": 4}
    record = nasty(*to_last, says("three", 14.5), falls("Abby", "gun", 15.2), says("four", 15.5), **deal)
    assert codes(record) == [(7, "no_cards_left")]
    assert (record.winner(), view(record)["skipped"]) == (["Abby"], None)


@rules("N7-R17", "N7-22", "N7-31")
@pytest.mark.parametrize("enforcement", ["automatic", "on_accusation"])
def test_a_last_card_that_falls_too_late_after_the_own_twin_does_not_win(enforcement: str) -> None:
    events = [falls("Abby", "twin_racketeer", 10.0), says("one two", 10.5), falls("Abby", "racketeer", 14.1)]
    record = nasty(*events, players=TWO, deck_size=4, enforcement=enforcement)
    assert found(record)[-1] == (3, "Abby", "too_late")
    assert (codes(record), record.winner()) == ([], [])
    state = view(record)
    assert (state["phase"], state["round"], state["turn"]) == ("play", 2, "Abby")
    assert (state["stack"], state["pile"]) == ({"Abby": 2, "Beth": 2}, 0)


@rules("N7-31", "N7-R14", "N7-R16")
def test_whoever_has_no_card_left_when_the_pile_is_taken_away_has_won() -> None:
    to_last = [*counted(2, TWO), falls("Abby", "twin_racketeer", 14.0), falls("Beth", "gun", 15.0)]
    record = nasty(*to_last, players=TWO, deck_size=4)
    assert found(record)[2:] == [(6, "Beth", "should_have_skipped")]
    assert (record.winner(), view(record)["stack"]) == (["Abby"], {"Abby": 0, "Beth": 4})
    silent = [*counted(1, TWO), falls("Beth", "racketeer", 12.0), says("two", 12.5)]
    silent += [falls("Abby", "racketeer", 14.0), falls("Beth", "racketeer", 15.0)]
    record = nasty(*silent, players=TWO, deck_size=4)
    assert (record.winner(), found(record)[2:]) == (["Beth"], [(6, "Abby", "no_call")])


# --- words, fields and settings ---------------------------------------------------------------------------


@rules("N7-7", "N7-29")
@pytest.mark.parametrize(
    ("language", "words"),
    [("de", "eins ZWEI drei vier fünf sechs sieben"), ("fr", "un deux trois quatre cinq six sept")],
)
def test_counting_in_other_languages(language: str, words: str) -> None:
    events = counted(7)
    for event, word in zip(events[1::2], words.split(), strict=True):
        event["words"] = [word]
    assert {v for _, _, v in found(nasty(*events, language=language))} == {"correct"}
    assert last_verdict(falls("Abby", "racketeer", 1.0), says("one", 1.5), language=language) == (
        "Abby",
        "wrong_word",
    )


@pytest.mark.parametrize(
    ("event", "code"),
    [
        ({"event": "card_played", "player": "Abby", "card": "gun"}, "missing_field"),
        ({"event": "card_played", "player": "Abby", "card": 7, "t": 1}, "bad_field"),
        ({"event": "card_played", "player": "Abby", "card": ["gun"], "t": 1}, "bad_field"),
        ({"event": "card_played", "player": "Zoe", "card": "gun"}, "unknown_player"),
        ({"event": "card_played", "player": "Zoe", "t": "1"}, "bad_field"),
        ({"event": "card_played", "card": "knife", "t": 1}, "missing_field"),
        ({"event": "card_played", "player": "Beth", "card": "knife", "t": 1}, "unknown_card"),
        ({"event": "heard", "words": ["one"], "start": 1}, "missing_field"),
        ({"event": "heard", "words": ["one"], "end": 1}, "missing_field"),
        ({"event": "heard", "words": "one", "start": 1, "end": 2}, "bad_field"),
        ({"event": "heard", "words": [1], "start": 1, "end": 2}, "bad_field"),
        ({"event": "heard", "words": ["one"], "start": 1, "end": 2, "player": "Zoe"}, "unknown_player"),
        ({"event": "heard", "words": ["one"], "start": False, "end": 2}, "bad_field"),
        ({"event": "time_passed"}, "missing_field"),
        ({"event": "time_passed", "t": []}, "bad_field"),
        ({"event": "accused", "by": ["Abby"]}, "missing_field"),
    ],
)
def test_bad_events(event: Event, code: str) -> None:
    assert codes(nasty(event)) == [(1, code)]


def test_time_is_that_of_the_last_accepted_event() -> None:
    record = nasty(
        falls("Abby", "gun", 5.0), says("puh", 4.9), falls("Carter", "gun", 7.0), falls("Beth", "gun", 6.0)
    )
    assert codes(record) == [(2, "time_reversed"), (3, "not_your_turn")]
    record.push(says("puh", 6.2, 9.0, player="Abby"))
    record.push(falls("Carter", "gun", 6.5))
    assert len(record.rejected) == 2


@pytest.mark.parametrize(
    "settings",
    [
        {"deck_size": 3},
        {"deck_size": 0},
        {"deck_size": "110"},
        {"deck_size": 110.0},
        {"cards": {"knife": 3}},
        {"cards": {"gun": -1, "phone": 9}},
        {"cards": {"gun": True}},
        {"cards": {}},
        {"cards": {"twin_phone": 80, "gun": 3}, "twins": False},
        {"cards": ["gun"]},
        {"hesitation_s": 0},
        {"hesitation_s": -1},
        {"hesitation_s": "3"},
        {"hesitation_s": True},
        {"language": "es"},
        {"sound": []},
        {"sound": "hmmrrr"},
        {"sound": [""]},
        {"sound": [7]},
        {"twins": 1},
        {"nasty_rules": "yes"},
        {"even_more_nasty": None},
        {"enforcement": "never"},
        {"first_player": "Zoe"},
        {"target": 150},
    ],
)
def test_impossible_settings(settings: dict[str, object]) -> None:
    with pytest.raises(BadHeader) as error:
        rulebook("nasty_7").header(NASTY, settings)
    assert error.value.code == "bad_settings"
