"""The record: undo, correction and agreement, against scripts that never held what was taken back."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulescripts import (
    UNDONE,
    awarded,
    codes,
    counted,
    doubts,
    eight_tricks,
    falls,
    found,
    last_cards,
    monsters,
    nasty,
    passes,
    placed,
    played,
    says,
    trick,
    view,
)
from test_rules_properties import TWO_GAMES, some_event

from bench.rules.play import header_of, next_event
from companion.api.snapshot import DroppedEntry
from companion.core.errors import Rejected
from companion.games import rulebook
from companion.table.record import Record, opened

Json = dict[str, Any]
seeds = st.integers(0, 2**32)
few = settings(max_examples=60, deadline=None)


def amended(n: Any, replacement: Any = None) -> Json:
    return {"event": "amended", "n": n, "replacement": replacement}


def overruled(n: Any) -> Json:
    return {"event": "overruled", "n": n}


# --- undo -------------------------------------------------------------------------------------------------


def test_undone_takes_back_event_after_event() -> None:
    record = monsters(
        *trick(("Anna", "red 4"), ("Ben", "red 1")), UNDONE, UNDONE, UNDONE, played("Anna", "red 9")
    )
    assert codes(record) == [(5, "nothing_to_undo")]
    assert view(record)["table"] == [{"player": "Anna", "card": {"monster": "red", "number": 9}}]
    assert record.undone() == {1, 2}
    assert record.effective() == [played("Anna", "red 9")]


def test_undone_passes_over_rejected_events_and_other_undones() -> None:
    record = monsters(
        played("Anna", "red 4"), played("Anna", "red 5"), UNDONE, played("Anna", "red 6"), UNDONE
    )
    assert codes(record) == [(2, "not_your_turn")]
    assert (view(record)["table"], view(record)["turn"]) == ([], "Anna")


def test_undone_takes_the_verdicts_along() -> None:
    record = nasty(
        *counted(1), falls("Beth", "racketeer", 12.0), says("nine", 12.5), UNDONE, says("two", 12.6)
    )
    assert found(record) == [(2, "Abby", "correct"), (6, "Beth", "correct")]
    assert view(record)["pile"] == 2


def test_undone_works_after_the_game_is_over() -> None:
    record = monsters(*eight_tricks(), *last_cards(), target=50)
    assert record.winner() == ["Anna"]
    record.push(UNDONE)
    assert (record.winner(), view(record)["phase"]) == ([], "last_cards")
    record.push(placed("Conny", "green 3"))
    assert record.scores()["Conny"] == 25


def test_undone_settles_no_deadline_and_sets_no_time() -> None:
    record = nasty(*counted(1), {**UNDONE, "t": 60.0}, says("one", 10.9))
    assert found(record) == [(4, "Abby", "correct")]
    assert codes(nasty(*counted(1), {**UNDONE, "t": 3.0}, {**UNDONE, "t": True})) == [
        (3, "time_reversed"),
        (4, "bad_field"),
    ]


def test_undoing_an_event_that_settled_a_deadline_takes_the_settlement_back() -> None:
    record = nasty(*counted(1), passes(20.0), UNDONE)
    assert found(record) == [(2, "Abby", "correct")]
    assert (view(record)["pile"], record.state.time) == (1, 10.5)


def test_time_that_a_rejected_event_showed_to_have_passed_passes_again_after_an_undo() -> None:
    """Beth's card is taken back: then it was Beth who did not turn a card over by 14.0, said by Carter's."""
    record = nasty(*counted(1), falls("Beth", "racketeer", 13.0), falls("Debbie", "racketeer", 16.4))
    assert (found(record)[1:], codes(record)) == ([(4, "Beth", "too_late")], [(4, "not_your_turn")])
    assert view(record)["stack"]["Beth"] == 28
    record.push(UNDONE)
    assert (found(record)[1:], codes(record)) == ([(4, "Beth", "too_late")], [(4, "not_your_turn")])
    assert view(record)["stack"]["Beth"] == 28
    assert view(record)["stack"]["Abby"] == 26
    record.push(UNDONE)
    assert found(record) == [(4, "Abby", "too_late")]
    record.push(UNDONE)
    assert (found(record), view(record)["stack"]["Abby"]) == ([], 27)


def from_scratch(header: Json, script: list[Json]) -> Record[Any]:
    """The same by brute force: whatever is undone, all that is left is played again from the start."""
    lines: list[tuple[int, Json, str | None]] = []

    def again() -> Record[Any]:
        record = opened(header)
        for n, event, code in lines:
            settled = (
                record.book.lapse(record.state, event) if code else record.book.play(record.state, event)
            )
            if settled is not None:
                record.state = settled.state
                found_so_far.extend({"n": n, **_json(one)} for one in settled.verdicts)
        return record

    for n, event in enumerate(script, 1):
        found_so_far: list[Json] = []
        if event == UNDONE:
            latest = [line for line in lines if line[2] is None and line[1] != UNDONE]
            if latest:
                lines.remove(latest[-1])
            else:
                lines.append((n, {}, "nothing_to_undo"))
            continue
        record = again()
        try:
            record.book.play(record.state, event)
        except Rejected as rejected:
            lines.append((n, event, rejected.code))
        else:
            lines.append((n, event, None))
    found_so_far = []
    record = again()
    record.verdicts_by_hand = found_so_far  # type: ignore[attr-defined]
    record.rejected_by_hand = [{"n": n, "code": code} for n, _, code in lines if code]  # type: ignore[attr-defined]
    return record


def _json(verdict: Any) -> Json:
    return {"player": verdict.player, "verdict": verdict.verdict, **verdict.details}


@pytest.mark.parametrize("game", TWO_GAMES)
@few
@given(seeds)
def test_undo_equals_the_script_without_it(game: str, seed: int) -> None:
    random = Random(seed)
    header = header_of(rulebook(game), random)
    record = opened(header)
    for _ in range(random.randint(1, 50)):
        chance = random.random()
        if chance < 0.15:
            record.push(UNDONE)
        elif chance < 0.4 or record.state.phase == "over":
            record.push(some_event(record, random))
        else:
            record.push(next_event(record, random))
    plain = from_scratch(header, [entry.event for entry in record.entries])
    assert record.state == plain.state
    assert record.verdicts == plain.verdicts_by_hand  # type: ignore[attr-defined]
    assert record.rejected == plain.rejected_by_hand  # type: ignore[attr-defined]


@pytest.mark.parametrize("game", TWO_GAMES)
@few
@given(seeds)
def test_undoing_all_gives_the_start(game: str, seed: int) -> None:
    random = Random(seed)
    header = header_of(rulebook(game), random)
    record = opened(header)
    for _ in range(random.randint(1, 40)):
        if record.state.phase == "over":
            break
        record.push(next_event(record, random))
    for _ in range(len(record.entries)):
        assert record.push(UNDONE).code is None
    assert record.state == opened(header).state
    assert (record.verdicts, record.effective()) == ([], [])
    assert record.push(UNDONE).code == "nothing_to_undo"


# --- amended ----------------------------------------------------------------------------------------------


def test_an_earlier_event_is_replaced_and_the_later_ones_are_played_again() -> None:
    three = trick(("Anna", "red 5"), ("Ben", "red 6"), ("Conny", "blue 1"))
    record = monsters(*three, played("Ben", "pink 1"))
    record.push(amended(1, played("Anna", "red 7")))
    assert record.entries[-1].dropped == (DroppedEntry(4, "not_your_turn"),)
    assert (view(record)["leader"], view(record)["trick"]) == ("Anna", 2)
    assert codes(record) == [(4, "not_your_turn")]
    assert record.entries[0].event == played("Anna", "red 7")
    record.push(UNDONE)
    assert (view(record)["leader"], codes(record), len(view(record)["table"])) == ("Ben", [], 1)
    assert record.entries[0].event == played("Anna", "red 5")


def test_an_earlier_event_did_not_happen() -> None:
    record = nasty(
        *counted(1), falls("Beth", "racketeer", 12.0), says("nine", 12.2), says("two", 12.6), amended(4)
    )
    assert found(record) == [(2, "Abby", "correct"), (5, "Beth", "correct")]
    assert record.undone() == {4}
    record.push(amended(4))
    assert codes(record) == [(7, "nothing_to_amend")]


def test_a_rejected_event_may_be_corrected_too() -> None:
    record = monsters(played("Anna", "red 5"), played("Conny", "blue 1"), played("Conny", "red 1"))
    record.push(amended(2, played("Ben", "blue 1")))
    assert codes(record) == [(3, "not_your_turn")]
    assert view(record)["turn"] == "Conny"


@pytest.mark.parametrize(
    ("correction", "code"),
    [
        ({"event": "amended"}, "missing_field"),
        ({"event": "amended", "n": 1}, "missing_field"),
        (amended("1"), "bad_field"),
        (amended(True), "bad_field"),
        (amended(0), "nothing_to_amend"),
        (amended(9), "nothing_to_amend"),
        (amended(2), "nothing_to_amend"),
        (amended(3), "nothing_to_amend"),
        (amended(1, []), "bad_field"),
        (amended(1, UNDONE), "bad_field"),
        (amended(1, played("Ben", "red 1")), "not_your_turn"),
        ({"event": "overruled"}, "missing_field"),
        (overruled(1.0), "bad_field"),
        (overruled(1), "nothing_to_overrule"),
        ({**amended(1), "t": -1}, "bad_field"),
    ],
)
def test_corrections_that_are_none(correction: Json, code: str) -> None:
    record = monsters(played("Anna", "red 5"), played("Ben", "red 1"), UNDONE, played("Ben", "pink 1"))
    before = record.result()
    assert record.push(correction).code == code
    assert {**record.result(), "rejected": []} == {**before, "rejected": []}


def test_a_preview_shows_the_scores_and_changes_nothing() -> None:
    record = monsters(*eight_tricks(), *last_cards())
    before = record.result()
    shown = record.preview(amended(30, placed("Conny", "green 3")))
    assert (shown.code, shown.dropped) == (None, ())
    assert shown.scores == {"Anna": 55, "Ben": 42, "Conny": 25}
    assert record.result() == before
    assert len(record.entries) == 30
    record.push(amended(30, placed("Conny", "green 3")))
    assert record.scores() == shown.scores
    assert record.preview(amended(99)).code == "nothing_to_amend"
    assert record.preview(UNDONE).scores["Conny"] == 38


@pytest.mark.parametrize("game", TWO_GAMES)
@few
@given(seeds)
def test_an_amended_game_is_the_game_as_it_should_have_been(game: str, seed: int) -> None:
    random = Random(seed)
    header = header_of(rulebook(game), random)
    record = opened(header)
    for _ in range(random.randint(2, 30)):
        if record.state.phase == "over":
            break
        record.push(next_event(record, random))
    n = random.randint(1, len(record.entries))
    halfway = opened(header)
    for entry in record.entries[: n - 1]:
        halfway.push(entry.event)
    replacement = random.choice((None, next_event(halfway, random)))
    before, state = record.result(), record.state
    entry = record.push(amended(n, replacement))
    assert entry.code is None
    plain = opened(header)
    for other in record.entries[:-1]:
        if other.n not in record.undone():
            plain.push(other.event)
    assert plain.state == record.state
    assert [code for _, code in codes(plain)] == [code for _, code in codes(record)]
    assert [one["n"] for one in record.rejected] == [one.n for one in entry.dropped]
    record.push(UNDONE)
    assert (record.result(), record.state) == (before, state)


# --- overruled --------------------------------------------------------------------------------------------


def test_a_wrong_call_counts_as_right_if_the_table_agrees() -> None:
    record = nasty(*counted(1), falls("Beth", "racketeer", 12.0), says("nine", 12.5))
    assert view(record)["turn"] == "Beth"
    record.push(overruled(4))
    assert found(record) == [(2, "Abby", "correct")]
    assert (view(record)["turn"], view(record)["pile"], view(record)["round"]) == ("Carter", 2, 1)
    assert record.result()["overruled"] == [4]
    record.push(falls("Carter", "racketeer", 13.5))
    record.push(says("three", 14.0))
    assert found(record)[-1] == (7, "Carter", "correct")
    assert record.push(overruled(4)).code == "nothing_to_overrule"
    assert record.push(overruled(7)).code == "nothing_to_overrule"


@pytest.mark.parametrize(
    ("events", "pile", "turn"),
    [
        ([passes(20.0)], 1, "Beth"),
        ([falls("Beth", "gun", 20.0)], 2, "Carter"),
        ([falls("Carter", "gun", 20.0)], 1, "Beth"),
        ([doubts(["Carter"], 11.0)], 1, "Beth"),
        ([falls("Beth", "racketeer", 12.0), falls("Carter", "racketeer", 13.0)], 3, "Debbie"),
        ([falls("Beth", "twin_racketeer", 12.0), falls("Carter", "gun", 13.0)], 3, "Debbie"),
        ([falls("Beth", "gun", 12.0), says("ouch", 13.0)], 2, "Carter"),
        ([falls("Beth", "racketeer", 12.0), says("two", 16.0)], 2, "Carter"),
    ],
)
def test_what_the_table_forgives_in_the_nasty_7(events: list[Json], pile: int, turn: str) -> None:
    record = nasty(*counted(1), *events)
    blamed = record.verdicts[-1]
    assert blamed["verdict"] != "correct"
    record.push(overruled(blamed["n"]))
    assert all(verdict["verdict"] == "correct" for verdict in record.verdicts)
    assert (view(record)["pile"], view(record)["turn"], view(record)["round"]) == (pile, turn, 1)
    record.push(UNDONE)
    assert record.verdicts[-1] == blamed
    assert "overruled" not in record.result()


def test_a_misplaced_column_may_be_agreed_on() -> None:
    hidden = [
        {"event": "card_placed", "player": player, "face_down": True, "column": 1}
        for player in ("Anna", "Ben", "Conny")
        for _ in range(2)
    ]
    taken = trick(("Anna", "red 7"), ("Ben", "red 2"), ("Conny", "blue 1"))
    cards = [{"monster": "red"}, {"monster": "pink"}]
    reveal = {"event": "card_revealed", "player": "Anna", "column": 1, "cards": cards}
    record = monsters(*hidden, *taken, reveal, overruled(10), variant="monster_under_the_bed")
    assert (record.verdicts, record.result()["overruled"]) == ([], [10])
    assert view(record)["display"]["Anna"]["pink"] == {"cards": 1, "jokers": 0}


def test_a_late_shown_by_a_rejected_card_may_be_forgiven() -> None:
    record = nasty(*counted(1), falls("Carter", "gun", 16.0), overruled(3), falls("Beth", "gun", 18.5))
    assert found(record) == [(2, "Abby", "correct")]
    assert codes(record) == [(3, "not_your_turn")]


def test_corrections_can_be_undone_one_after_the_other() -> None:
    base = [*trick(("Anna", "red 5"), ("Ben", "red 5")), awarded("Ben", "Ben"), placed("Conny", "pink 1")]
    record = monsters(*base)
    states = [record.result()]
    for event in (
        amended(4, placed("Conny", "blue 1")),
        played("Ben", "red 1"),
        amended(3, awarded("Ben", "Anna")),
    ):
        record.push(event)
        states.append(record.result())
    assert record.entries[-1].dropped == (DroppedEntry(6, "not_your_turn"),)
    for expected in reversed(states[:-1]):
        assert record.push(UNDONE).code is None
        assert record.result() == expected
    assert record.undone() == {5, 6, 7}


# --- lines that are no events -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "",
        "nonsense",
        "[1, 2]",
        "7",
        '"card_played"',
        "null",
        "{",
        "{'event': 'x'}",
        '{"event": NaN}',
        '{"a": 1} x',
    ],
)
def test_a_line_that_is_no_json_object(line: str) -> None:
    record = monsters(line, played("Anna", "red 1"))
    assert codes(record) == [(1, "bad_json")]
    assert record.entries[0].event == {}
    assert view(record)["turn"] == "Ben"


@pytest.mark.parametrize(
    "event", [{}, {"event": 7}, {"event": None}, {"event": ["undone"]}, {"event": "Undone"}]
)
def test_an_event_of_no_known_kind(event: Json) -> None:
    assert codes(monsters(event)) == [(1, "unknown_event")]


def test_a_number_beyond_all_doubles_is_json_but_no_time() -> None:
    assert codes(nasty('{"event": "time_passed", "t": 1e999}')) == [(1, "bad_field")]
    assert codes(nasty('{"event": "time_passed", "t": 1' + "0" * 400 + "}")) == [(1, "bad_field")]
