"""Seven Merry Monsters: what lies in the displays against the record of the tricks."""

from typing import Any

from companion.core.observations import Removal, Sighting

Bench = Any


def begin(bench: Bench, *labels: str) -> None:
    bench.begin("seven_merry_monsters", "Ida", "Jo", "Kai")
    bench.up("camera")
    plays(bench, *labels)


def plays(bench: Bench, *labels: str) -> None:
    for label in labels:
        bench.now += 2.0
        bench.lands(label, "trick")


def lies(bench: Bench, player: str, *labels: str) -> None:
    for place, label in enumerate(labels):
        bench.now += 1.0
        bench.lands(label, f"display:{player}", where=(100.0 * place, 0.0))


def goes(bench: Bench, player: str, label: str) -> None:
    bench.now += 1.0
    corners = ((0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0))
    bench.put(Removal(bench.now, f"display:{player}", Sighting(label, 0.9, corners)))
    bench.passed()


def display(bench: Bench, player: str) -> dict[str, int]:
    columns = bench.shown["state"]["display"][player]
    return {monster: column["cards"] for monster, column in columns.items()}


def test_a_card_in_the_wrong_display_is_asked_about_and_one_tap_moves_the_trick(bench: Bench) -> None:
    begin(bench, "green 4", "blue 2", "red 6")
    lies(bench, "Jo", "green 4")
    (question,) = bench.questions
    assert question["text"] == "Green 4 lies in Jo's display, but Kai took that trick. Whose is it?"
    assert question["picture"] == "/photo/picture-1.jpg"
    assert question["player"] is None, "the referee decides, not the phone of whoever has the card"
    assert [option["label"] for option in question["options"]] == ["Jo", "Kai"]
    assert bench.do("answer", question=question["id"], option="Jo")["ok"]
    assert display(bench, "Jo") == {"green": 1, "blue": 1, "red": 1}
    assert display(bench, "Kai") == {}
    assert (bench.shown["turn"], bench.questions) == ("Jo", [])
    lies(bench, "Jo", "blue 2", "red 6")
    assert bench.questions == []
    lies(bench, "Kai", "red 6")
    (question,) = bench.questions
    assert question["text"] == "Red 6 lies in Kai's display, but Jo took that trick. Whose is it?"


def test_a_tie_that_was_given_to_the_other_is_corrected_where_it_was_given(bench: Bench) -> None:
    begin(bench, "green 5", "red 5")
    bench.event("trick_awarded", player="Jo", to="Ida")
    bench.event("card_placed", player="Kai", card={"monster": "pink", "number": 1})
    lies(bench, "Jo", "red 5")
    (question,) = bench.questions
    assert bench.do("answer", question=question["id"], option="Jo")["ok"]
    assert bench.log[-1]["event"]["event"] == "amended"
    assert display(bench, "Jo") == {"green": 1, "red": 1}
    assert display(bench, "Kai") == {"pink": 1}


def test_play_goes_on_while_it_is_asked_and_the_answer_fits_the_later_game(bench: Bench) -> None:
    begin(bench, "green 4", "blue 2", "red 6")
    lies(bench, "Jo", "green 4")
    assert bench.shown["paused"] is None
    plays(bench, "pink 1", "orange 3", "yellow 2")
    assert bench.shown["turn"] == "Ida", "seat order after Kai: Kai, Ida, Jo"
    (question,) = bench.questions
    assert bench.do("answer", question=question["id"], option="Jo")["ok"]
    assert display(bench, "Jo") == {"green": 1, "blue": 1, "red": 1}
    assert display(bench, "Ida") == {"pink": 1, "orange": 1, "yellow": 1}
    assert bench.rejected == []


def test_a_card_that_is_put_right_by_hand_withdraws_the_question_and_is_not_announced_twice(
    bench: Bench,
) -> None:
    begin(bench, "green 4", "blue 2", "red 6")
    lies(bench, "Jo", "green 4")
    sentence = "Green 4 lies in Jo's display, but Kai took that trick. Whose is it?"
    assert bench.given.count(sentence) == 1
    goes(bench, "Jo", "green 4")
    assert bench.questions == []
    lies(bench, "Kai", "green 4")
    assert bench.questions == []
    lies(bench, "Jo", "green 4")
    assert len(bench.questions) == 1, "it lies there again"
    lies(bench, "Kai", "green 4")
    assert bench.questions == [], "it lies where it belongs"


def test_a_question_that_was_answered_is_not_asked_again(bench: Bench) -> None:
    begin(bench, "green 4", "blue 2", "red 6")
    lies(bench, "Jo", "green 4")
    (question,) = bench.questions
    assert bench.do("answer", question=question["id"], option="Kai")["ok"]
    lies(bench, "Jo", "green 4")
    assert bench.questions == []


def test_a_card_from_a_hand_in_another_display_is_remarked_on(bench: Bench) -> None:
    bench.begin("seven_merry_monsters", "Ida", "Jo", "Kai", "Lea")
    bench.up("camera")
    plays(bench, "green 4", "blue 5", "red 5")
    bench.event("trick_awarded", player="Kai", to="Jo")
    lies(bench, "Lea", "pink 7")
    lies(bench, "Ida", "pink 7")
    assert bench.questions == []
    assert bench.given[-1] == "Pink 7 lies in Ida's display. By what I know it is Lea's."


def test_the_last_card_of_a_trick_is_another_one_than_was_read(bench: Bench) -> None:
    begin(bench, "green 4", "blue 2", "red 6")
    lies(bench, "Kai", "green 4", "blue 1")
    assert bench.questions == [], "two cards of the trick are not there yet"
    lies(bench, "Kai", "red 6")
    (question,) = bench.questions
    assert question["text"] == "In Kai's display I see blue 1, not blue 2. Which card was it?"
    assert bench.do("answer", question=question["id"], option="blue 1")["ok"]
    assert bench.log[1]["event"]["card"] == {"monster": "blue", "number": 1}


def test_a_card_that_is_read_otherwise_may_change_who_took_the_trick(bench: Bench) -> None:
    begin(bench, "green 4", "blue 2", "red 6")
    lies(bench, "Kai", "green 4", "red 6", "blue 7")
    (question,) = bench.questions
    assert bench.do("answer", question=question["id"], option="blue 7")["ok"]
    assert bench.shown["turn"] == "Jo"
    assert display(bench, "Jo") == {"green": 1, "red": 1, "blue": 1}


def test_a_card_that_is_never_seen_is_missing_after_the_next_trick(bench: Bench) -> None:
    begin(bench, "green 4", "blue 2", "red 6")
    lies(bench, "Kai", "green 4", "red 6")
    plays(bench, "pink 1", "orange 3", "yellow 2")
    sentence = "I do not see blue 2 in Kai's display."
    assert bench.given.count(sentence) == 1
    lies(bench, "Ida", "pink 1", "orange 3", "yellow 2")
    plays(bench, "pink 2", "orange 4", "yellow 5")
    assert bench.given.count(sentence) == 1


def test_nothing_is_missing_where_the_camera_sees_no_displays(bench: Bench) -> None:
    begin(bench, "green 4", "blue 2", "red 6", "pink 1", "orange 3", "yellow 2")
    plays(bench, "pink 2", "orange 4", "yellow 5")
    assert [text for text in bench.given if "display" in text] == []


def test_a_card_that_lies_there_twice_was_misread(bench: Bench) -> None:
    begin(bench, "green 4", "blue 2", "red 6")
    lies(bench, "Kai", "green 4", "blue 2", "green 4")
    assert bench.given[-1] == "I see green 4 twice in Kai's display. One of them is another card."
    goes(bench, "Kai", "green 4")
    lies(bench, "Kai", "red 6")
    assert bench.questions == []


LAST = (
    *("green 4", "blue 2", "red 6"),
    *("pink 1", "orange 3", "yellow 2"),
    *("pink 2", "orange 4", "yellow 5"),
    *("purple 1", "purple 2", "purple 7"),
    *("blue 1", "blue 4", "blue 7"),
    *("red 1", "red 2", "red 7"),
    *("green 1", "green 2", "green 7"),
    *("yellow 1", "yellow 3", "yellow 7"),
)


def test_of_the_last_two_cards_a_third_one_belongs_to_nobody(bench: Bench) -> None:
    begin(bench, *LAST)
    assert bench.shown["phase"] == "last_cards"
    lies(bench, "Ida", "orange 1", "orange 2")
    assert bench.shown["state"]["to_place"] == {"Jo": 2, "Kai": 2}
    before = len(bench.log)
    lies(bench, "Ida", "orange 5")
    assert (len(bench.log), bench.given[-1]) == (before, "Ida has no card to place.")
    lies(bench, "Jo", "orange 5", "pink 3")
    lies(bench, "Kai", "pink 4", "pink 5")
    assert bench.shown["state"]["round"] == 2
    assert bench.rejected == []


def test_another_round_begins_without_what_lay_there(bench: Bench) -> None:
    begin(bench, *LAST)
    for player, cards in {
        "Ida": "orange 1,orange 2",
        "Jo": "orange 5,pink 3",
        "Kai": "pink 4,pink 5",
    }.items():
        lies(bench, player, *cards.split(","))
    plays(bench, "green 4", "blue 2", "red 6")
    lies(bench, bench.shown["turn"], "green 4", "blue 2", "red 6")
    assert bench.questions == []
    assert [text for text in bench.given if "twice" in text] == []


def test_an_undo_withdraws_what_was_asked(bench: Bench) -> None:
    begin(bench, "green 4", "blue 2", "red 6")
    lies(bench, "Jo", "green 4")
    assert len(bench.questions) == 1
    bench.do("undo")
    assert bench.questions == []
