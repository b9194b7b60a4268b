"""How things stand, as the table agrees: previews, refused moves that count, undo, resume, games taken up."""

from typing import Any

from api_client import request

from companion.api.commands import Caller

Bench = Any


def refused_card(bench: Bench) -> int:
    """Jo plays out of turn; the number of the refused entry."""
    bench.begin("nasty_7", "Ida", "Jo", "Kai", deck_size=30)
    answer = bench.event("card_played", player="Jo", card="racketeer")
    assert answer["code"] == "not_your_turn"
    number: int = answer["n"]
    return number


def test_a_preview_says_what_would_change_and_changes_nothing(bench: Bench) -> None:
    n = refused_card(bench)
    before = bench.shown
    preview = bench.do("position", n=n, preview=True)
    assert preview["ok"]
    assert (preview["before"], preview["scores"]) == (
        {"Ida": 10, "Jo": 10, "Kai": 10},
        {"Ida": 10, "Jo": 9, "Kai": 10},
    )
    stack = [one for one in preview["changes"] if one["key"] == "stack"]
    assert stack == [{"key": "stack", "player": "Jo", "before": 10, "after": 9}]
    assert {one["key"] for one in preview["changes"]} == {*preview["state"]} >= {"pile", "turn", "count"}
    assert bench.shown == before


def test_a_refused_move_counts_when_the_table_agrees_and_is_undone(bench: Bench) -> None:
    n = refused_card(bench)
    preview = bench.do("position", n=n, preview=True)
    assert bench.do("position", n=n, state=preview["state"], latest=preview["latest"])["ok"]
    refused, position = bench.log
    assert refused["agreed"] == position["n"]
    assert position["event"]["agreed"] == {"n": n, "code": "not_your_turn", "rule": "N7-R8"}
    assert position["text"] == f"The table counts move {n}, against rule N7-R8."
    assert bench.shown["scores"]["Jo"] == 9
    assert bench.do("position", n=n)["code"] == "nothing_to_agree"
    assert bench.event("heard", words=["one"])["ok"]
    assert bench.verdicts == ["correct"]
    bench.do("undo")
    bench.do("undo")
    assert (bench.shown["scores"]["Jo"], bench.log[0]["agreed"]) == (10, None)
    assert bench.do("position", n=n)["ok"], "what was taken back can be agreed to again"


def test_an_agreed_move_is_there_after_a_restart(bench: Bench) -> None:
    n = refused_card(bench)
    bench.do("position", n=n)
    before = bench.shown
    bench.restart()
    after = bench.shown
    assert (after["state"], after["scores"], after["log"]) == (
        before["state"],
        before["scores"],
        before["log"],
    )


def test_what_the_senses_report_can_be_agreed_to_as_well(bench: Bench) -> None:
    bench.begin("thirteen_monsters", "Ida", "Jo")
    bench.event("card_revealed", player="Ida", at=[0, 0], card={"monster": 3, "part": "top"})
    answer = bench.event("turn_ended", player="Ida")
    assert answer["code"] == "wrong_phase"
    assert bench.do("position", n=answer["n"])["ok"]
    assert bench.shown["turn"] == "Jo"


def test_a_preview_of_what_has_changed_meanwhile_is_not_accepted(bench: Bench) -> None:
    n = refused_card(bench)
    preview = bench.do("position", n=n, preview=True)
    bench.event("card_played", player="Ida", card="racketeer")
    reply = bench.do("position", n=n, state=preview["state"], latest=preview["latest"])
    assert reply["code"] == "meanwhile"
    assert len(bench.log) == 2


def test_where_no_outcome_is_known_the_table_says_how_things_stand(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo", deck_size=30)
    answer = bench.event("accused", by=["Jo"])
    assert answer["code"] == "nothing_to_accuse"
    assert bench.do("position", n=answer["n"], preview=True)["code"] == "no_outcome"
    stacks = {"Ida": 14, "Jo": 16}
    assert bench.do("position", n=answer["n"], state={"stack": stacks}, preview=True)["scores"] == stacks
    assert bench.do("position", n=answer["n"], state={"stack": stacks})["ok"]
    assert bench.log[0]["agreed"] == 2
    assert bench.log[1]["text"] == "The table counts move 1, against rule N7-R10."


def test_impossible_positions_are_refused(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo", deck_size=30)
    wrong = {"stack": {"Ida": 16, "Jo": 16}}
    assert bench.do("position", state=wrong, preview=True)["code"] == "bad_position"
    assert bench.log == []
    assert bench.do("position", state=wrong)["code"] == "bad_position"
    assert bench.do("position", n=7)["code"] == "nothing_to_agree"
    assert bench.shown["scores"] == {"Ida": 15, "Jo": 15}


def test_guests_agree_to_nothing(bench: Bench) -> None:
    n = refused_card(bench)
    for data in ({"n": n, "preview": True}, {"n": n}, {"state": {}}):
        reply = bench.ask(request("position", data), Caller("guest", "Jo"))
        assert reply["code"] == "referee_only"


def test_a_game_is_taken_up_in_the_middle(bench: Bench) -> None:
    there = {"stack": {"Ida": 4, "Jo": 7}, "pile": 3, "box": 16, "count": 3, "turn": "Jo"}
    fields: dict[str, Any] = {"game": "nasty_7", "players": ["Ida", "Jo"], "settings": {"deck_size": 30}}
    assert bench.do("new_game", **fields, position={**there, "box": 17})["code"] == "bad_position"
    assert bench.shown["game"] is None
    assert bench.do("new_game", **fields, position=there)["ok"]
    assert {key: bench.shown["state"][key] for key in there} == there
    state = bench.shown["state"]
    bench.do("end_game")
    assert bench.do("new_game", **fields, position=state)["ok"]
    assert bench.shown["state"] == state
