"""13 Monsters: found sets and dice on cards, as the camera sees them and as the record has them."""

from typing import Any

from companion.core.observations import Landing, Removal, Sighting

Bench = Any
CORNERS = ((0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0))
LABELS = ("3 top left", "3 top right", "6 top left", "6 top right", "7 eyes left")
ASKED = "I took it for a set, but it was turned back. Which card lay in row 1, place 2?"


def begin(bench: Bench) -> None:
    bench.table._referee._labels = lambda game: LABELS
    bench.begin("thirteen_monsters", "Ida", "Jo")
    bench.up("camera")


def turns(bench: Bench, label: str, row: int, column: int) -> None:
    bench.now += 1.0
    bench.put(Landing(bench.now, f"grid:{row},{column}", Sighting(label, 0.95, CORNERS), "picture-3"))
    bench.passed()


def goes(bench: Bench, label: str, row: int, column: int) -> None:
    bench.now += 1.0
    bench.put(Removal(bench.now, f"grid:{row},{column}", Sighting(label, 0.95, CORNERS), "picture-4"))
    bench.passed()


def deals(bench: Bench) -> None:
    """Ida and Jo have a Grunt each, which has Permafrost."""
    for player, first in (("Ida", 1), ("Jo", 4)):
        sets = [{"monster": first + i, "part": part} for i, part in enumerate(("top", "eyes", "bottom"))]
        assert bench.event("sets_dealt", player=player, sets=sets)["ok"]


def owned(bench: Bench, player: str) -> list[str]:
    return [f"{one['monster']} {one['part']}" for one in bench.shown["state"]["sets"][player]]


def test_a_set_that_is_turned_back_was_none_and_one_tap_says_which_card_it_was(bench: Bench) -> None:
    begin(bench)
    turns(bench, "3 top left", 0, 0)
    turns(bench, "3 top right", 0, 1)
    assert owned(bench, "Ida") == ["3 top"]
    turns(bench, "back", 0, 0)
    (question,) = bench.questions
    assert (question["text"], question["picture"]) == (ASKED, "/photo/picture-3.jpg")
    assert [option["label"] for option in question["options"]] == ["3 top", "6 top", "7 eyes"]
    turns(bench, "back", 0, 1)
    assert bench.given.count(ASKED) == 1
    assert bench.do("answer", question=question["id"], option="6 top")["ok"]
    assert (owned(bench, "Ida"), bench.shown["phase"]) == ([], "after_search")


def test_cards_that_are_taken_away_without_a_set_are_one_after_all(bench: Bench) -> None:
    begin(bench)
    turns(bench, "3 top left", 0, 0)
    turns(bench, "6 top left", 0, 1)
    assert owned(bench, "Ida") == []
    goes(bench, "3 top left", 0, 0)
    assert bench.questions == [], "one card alone may be lifted to be looked at"
    goes(bench, "6 top left", 0, 1)
    (question,) = bench.questions
    assert question["text"] == "Ida took both cards away, but I saw no set. Which set is it?"
    assert [option["label"] for option in question["options"]] == ["3 top", "6 top", "None of these"]
    assert bench.do("answer", question=question["id"], option="3 top")["ok"]
    assert owned(bench, "Ida") == ["3 top"]
    assert bench.log[1]["event"]["card"] == {"monster": 3, "part": "top"}


def test_a_found_set_that_is_taken_away_and_cards_that_are_turned_back_say_nothing(bench: Bench) -> None:
    begin(bench)
    turns(bench, "3 top left", 0, 0)
    turns(bench, "3 top right", 0, 1)
    for column, label in enumerate(("3 top left", "3 top right")):
        goes(bench, label, 0, column)
    turns(bench, "6 top left", 2, 0)
    turns(bench, "7 eyes left", 2, 1)
    before = list(bench.given)
    for column in (0, 1):
        turns(bench, "back", 2, column)
    assert (bench.questions, bench.given) == ([], before)


def test_a_die_that_nobody_could_lay_now_is_asked_about(bench: Bench) -> None:
    begin(bench)
    turns(bench, "die 5", 4, 7)
    (question,) = bench.questions
    assert question["text"] == "A die lies in row 5, place 8. Who has frozen it?"
    assert [option["label"] for option in question["options"]] == ["Ida", "Jo", "None of these"]
    turns(bench, "3 top left", 0, 0)
    assert len(bench.questions) == 1
    assert bench.do("answer", question=question["id"], option="Jo")["ok"]
    assert bench.shown["state"]["frozen"] == [{"at": [4, 7], "player": "Jo"}]
    assert bench.shown["phase"] == "search", "the search goes on"


def test_a_die_that_is_taken_away_again_withdraws_the_question(bench: Bench) -> None:
    begin(bench)
    turns(bench, "die 5", 4, 7)
    goes(bench, "die 5", 4, 7)
    assert bench.questions == []


def test_a_frozen_card_that_loses_its_die_is_asked_about(bench: Bench) -> None:
    begin(bench)
    deals(bench)
    turns(bench, "die 5", 4, 7)
    assert bench.shown["state"]["frozen"] == [{"at": [4, 7], "player": "Ida"}]
    bench.event("card_revealed", player="Ida", at=[0, 0], card={"monster": 7, "part": "top"})
    bench.event("card_revealed", player="Ida", at=[0, 1], card={"monster": 8, "part": "top"})
    bench.event("turn_ended", player="Ida")
    bench.event("card_revealed", player="Jo", at=[0, 2], card={"monster": 9, "part": "top"})
    goes(bench, "die 5", 4, 7)
    (question,) = bench.questions
    assert question["text"] == "Ida's die in row 5, place 8 is gone. Is the card no longer frozen?"
    assert bench.do("answer", question=question["id"], option="yes")["ok"]
    assert bench.shown["state"]["frozen"] == []
    assert bench.shown["turn"] == "Jo"


def test_an_owner_may_lift_the_die_to_turn_the_card_over(bench: Bench) -> None:
    begin(bench)
    deals(bench)
    turns(bench, "die 5", 4, 7)
    goes(bench, "die 5", 4, 7)
    assert bench.questions == []
