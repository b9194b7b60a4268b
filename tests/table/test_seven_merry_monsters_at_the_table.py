"""Seven Merry Monsters refereed from what is seen: tricks, carried cards, displays."""

from typing import Any

from companion.core.observations import Removal, Sighting

Bench = Any


def begin(bench: Bench, *players: str, **settings: Any) -> None:
    bench.begin("seven_merry_monsters", *(players or ("Ida", "Jo", "Kai")), **settings)
    bench.up("camera")


def plays(bench: Bench, *labels: str | None) -> None:
    for label in labels:
        bench.now += 2.0
        bench.lands(label, "trick")


def goes(bench: Bench, label: str) -> None:
    """A card is taken out of the trick."""
    corners = ((0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0))
    bench.now += 1.0
    bench.put(Removal(bench.now, "trick", Sighting(label, 0.9, corners)))
    bench.passed()


def test_a_trick_is_followed_card_by_card(bench: Bench) -> None:
    begin(bench)
    plays(bench, "green 4", "joker", "red 6")
    assert bench.shown["phase"] == "placing"
    assert bench.shown["state"]["display"]["Kai"] == {
        "green": {"cards": 1, "jokers": 0},
        "red": {"cards": 1, "jokers": 0},
    }
    assert bench.shown["state"]["to_place"] == {"Kai": 1}
    assert bench.rejected == []


def test_carried_cards_are_no_new_ones_and_a_joker_joins_the_column_it_lies_at(bench: Bench) -> None:
    begin(bench)
    plays(bench, "green 4", "joker", "red 6")
    bench.now += 1.0
    bench.lands("green 4", "display:Kai", where=(100, 0))
    bench.lands("red 6", "display:Kai", where=(300, 0))
    assert len(bench.log) == 3
    bench.lands("joker", "display:Kai", where=(300, 40))
    assert bench.log[-1]["event"] == {
        "event": "card_placed",
        "player": "Kai",
        "card": {"monster": "joker"},
        "column": "red",
    }
    assert bench.shown["phase"] == "trick"
    assert bench.shown["turn"] == "Kai"


def test_a_joker_between_two_columns_is_asked_about(bench: Bench) -> None:
    begin(bench)
    plays(bench, "green 4", "joker", "red 6")
    bench.lands("green 4", "display:Kai", where=(100, 0))
    bench.lands("red 6", "display:Kai", where=(300, 0))
    bench.lands("joker", "display:Kai", where=(195, 0))
    (question,) = bench.questions
    assert question["text"] == "I am not sure: where does Kai's joker go?"
    assert [option["label"] for option in question["options"]] == ["green", "red"]
    assert bench.do("answer", question=question["id"], option="green")["ok"]
    assert bench.shown["state"]["display"]["Kai"]["green"] == {"cards": 2, "jokers": 1}


def test_a_leading_card_that_goes_away_was_taken_back(bench: Bench) -> None:
    begin(bench)
    plays(bench, "green 4")
    goes(bench, "green 4")
    assert bench.questions == []
    assert bench.shown["state"]["table"] == []
    assert bench.shown["turn"] == "Ida"
    assert bench.given[-1] == "Taken back: Ida leads trick 1 with green 4."
    plays(bench, "blue 2")
    assert [laid["card"] for laid in bench.shown["state"]["table"]] == [{"monster": "blue", "number": 2}]
    assert bench.shown["turn"] == "Jo"


def test_a_later_card_that_goes_away_is_asked_about(bench: Bench) -> None:
    """The whole trick may have been put away, of which a card was missed."""
    begin(bench)
    plays(bench, "green 4", "red 2")
    goes(bench, "red 2")
    (question,) = bench.questions
    assert question["code"] == "card_taken_back"
    plays(bench, "blue 2")
    assert bench.questions == []
    assert [entry["event"]["event"] for entry in bench.log] == ["card_played"] * 3


def test_a_trick_that_is_put_away_asks_nothing(bench: Bench) -> None:
    begin(bench)
    plays(bench, "green 4", "red 2", "blue 2")
    for label in ("green 4", "red 2", "blue 2"):
        goes(bench, label)
    assert bench.questions == []


def test_a_joker_goes_to_the_only_column(bench: Bench) -> None:
    begin(bench)
    plays(bench, "green 4", "joker", "green 6")
    bench.lands("joker", "display:Kai", where=(900, 900))
    assert bench.shown["state"]["display"]["Kai"]["green"] == {"cards": 3, "jokers": 1}


def test_who_was_left_out_places_a_hand_card(bench: Bench) -> None:
    begin(bench, "Ida", "Jo", "Kai", "Lea")
    plays(bench, "green 5", "red 5")
    assert bench.shown["phase"] == "award"
    bench.event("trick_awarded", player="Jo", to="Ida")
    assert bench.shown["state"]["to_place"] == {"Kai": 1, "Lea": 1}
    bench.now += 1.0
    bench.lands("green 5", "display:Ida")
    bench.lands("blue 2", "display:Lea")
    bench.lands("pink 1", "display:Kai")
    assert bench.shown["state"]["display"]["Lea"] == {"blue": {"cards": 1, "jokers": 0}}
    assert bench.shown["phase"] == "trick"
    assert bench.rejected == []


def test_carrying_a_tied_trick_away_says_who_got_it(bench: Bench) -> None:
    begin(bench)
    plays(bench, "green 5", "red 5")
    bench.now += 1.0
    bench.lands("green 5", "display:Jo")
    assert bench.log[-1]["event"] == {"event": "trick_awarded", "player": "Jo", "to": "Jo"}
    assert bench.log[-1]["source"] == "camera"
    bench.lands("red 5", "display:Jo")
    assert len(bench.log) == 3


def test_a_card_that_is_hardly_seen_decides_no_tied_trick(bench: Bench) -> None:
    begin(bench)
    plays(bench, "green 5", "red 5")
    bench.now += 1.0
    bench.lands("green 5", "display:Jo", confidence=0.4)
    (question,) = bench.questions
    assert question["text"] == "I am not sure: who got the trick?"
    assert len(bench.log) == 2
    assert bench.do("answer", question=question["id"], option="Ida")["ok"]
    assert bench.log[-1]["event"] == {"event": "trick_awarded", "player": "Jo", "to": "Ida"}
    assert bench.rejected == []


def test_leading_on_before_the_award_is_asked_about_and_the_card_is_not_lost(bench: Bench) -> None:
    begin(bench, "Ida", "Jo", "Kai")
    plays(bench, "green 5", "red 5", "blue 3")
    (question,) = bench.questions
    assert question["text"] == "I am not sure: who got the trick?"
    assert [option["label"] for option in question["options"]] == ["Ida", "Jo"]
    assert bench.do("answer", question=question["id"], option="Jo")["ok"]
    (question,) = bench.questions
    assert question["text"] == "Kai places a card first. Which one?"
    assert bench.event("card_placed", player="Kai", card={"monster": "pink"})["ok"]
    assert bench.questions == []
    assert bench.shown["state"]["table"] == [{"player": "Jo", "card": {"monster": "blue", "number": 3}}]
    assert bench.rejected == []


def test_a_card_that_was_placed_and_not_seen_is_one_tap(bench: Bench) -> None:
    begin(bench, "Ida", "Jo", "Kai", "Lea")
    plays(bench, "green 5", "red 5")
    bench.event("trick_awarded", player="Jo", to="Ida")
    plays(bench, "blue 2")
    (question,) = bench.questions
    assert question["text"] == "Kai places a card first. Which one?"
    bench.do("answer", question=question["id"], option="pink 1")
    (question,) = bench.questions
    assert question["text"] == "Lea places a card first. Which one?"
    assert "pink 3" in [option["id"] for option in question["options"]]
    bench.do("answer", question=question["id"], option="blue 6")
    assert bench.questions == []
    assert bench.shown["state"]["display"]["Lea"] == {"blue": {"cards": 1, "jokers": 0}}
    assert [laid["card"] for laid in bench.shown["state"]["table"]] == [{"monster": "blue", "number": 2}]
    assert bench.rejected == []


def test_an_award_by_phone_answers_the_question_too(bench: Bench) -> None:
    begin(bench)
    plays(bench, "green 5", "red 5", "blue 3")
    bench.event("trick_awarded", player="Jo", to="Ida")
    assert [question["text"] for question in bench.questions] == ["Kai places a card first. Which one?"]


def test_a_card_without_a_name_is_picked_from_all_of_them(bench: Bench) -> None:
    begin(bench)
    plays(bench, "green 4", None, "red 6")
    (question,) = bench.questions
    assert question["player"] == "Jo"
    assert len(question["options"]) == 51
    assert bench.do("answer", question=question["id"], option="joker")["ok"]
    assert [entry["event"]["player"] for entry in bench.log] == ["Ida", "Jo", "Kai"]
    assert bench.shown["phase"] == "placing"


def test_a_card_entered_by_hand_answers_the_question(bench: Bench) -> None:
    begin(bench)
    plays(bench, None)
    assert bench.event("card_played", player="Ida", card={"monster": "red", "number": 2})["ok"]
    assert bench.questions == []


def test_a_card_that_cannot_be_is_asked_about(bench: Bench) -> None:
    begin(bench, numbers=[1, 2, 3, 4, 5, 6, 7])
    plays(bench, "green 4", "red 5", "green 4")
    (question,) = bench.questions
    assert question["options"][0]["label"] == "green 4"
    assert bench.do("answer", question=question["id"], option="green 3")["ok"]
    assert bench.rejected == []


def test_a_card_that_is_only_moved_says_nothing(bench: Bench) -> None:
    begin(bench, "Ida", "Jo", "Kai", "Lea")
    plays(bench, "green 4", "blue 2", "joker", "red 6")
    assert bench.shown["state"]["to_place"] == {"Lea": 1}
    bench.lands("pink 7", "display:Lea")
    bench.lands("pink 7", "display:Ida")
    bench.lands("pink 7", "somewhere")
    bench.lands("pink 7", "display:Zoe")
    assert len(bench.log) == 4


def test_monsters_under_the_bed_are_laid_face_down(bench: Bench) -> None:
    begin(bench, variant="monster_under_the_bed")
    bench.lands(None, "display:Ida")
    assert bench.log[-1]["event"] == {"event": "card_placed", "player": "Ida", "face_down": True, "column": 1}
    bench.lands(None, "display:Ida")
    (question,) = bench.questions
    assert bench.do("answer", question=question["id"], option="2")["ok"]
    assert bench.shown["state"]["face_down"]["Ida"] == [1, 1]


def test_scanned_rounds_are_scored_and_announced(bench: Bench) -> None:
    begin(bench, tracking="scan")
    columns = {
        "Ida": {"red": {"cards": 7, "jokers": 0}, "green": {"cards": 3, "jokers": 0}},
        "Jo": {"blue": {"cards": 7, "jokers": 0}, "green": {"cards": 3, "jokers": 0}},
        "Kai": {m: {"cards": 2, "jokers": 0} for m in ("orange", "yellow", "purple", "pink")}
        | {"green": {"cards": 1, "jokers": 0}},
    }
    for player, display in columns.items():
        answer = bench.event("display_scanned", player=player, display=display)
    assert answer["code"] == "wrong_total"
    columns["Kai"]["green"] = {"cards": 2, "jokers": 1}
    assert bench.event("display_scanned", player="Kai", display=columns["Kai"])["ok"]
    assert bench.given[-1] == "Round 1: Ida 10, Jo 10 and Kai 30."
    assert bench.shown["scores"] == {"Ida": 10, "Jo": 10, "Kai": 30}


def test_undo_forgets_what_was_carried(bench: Bench) -> None:
    begin(bench)
    plays(bench, "green 4", "red 1", "red 6")
    bench.do("undo")
    plays(bench, "yellow 7")
    assert bench.shown["state"]["display"]["Kai"]["yellow"] == {"cards": 1, "jokers": 0}
    assert bench.rejected == []


def test_jokers_of_an_earlier_trick_that_did_not_arrive_are_not_those_that_are_owed(bench: Bench) -> None:
    begin(bench)
    plays(bench, "joker", "joker")
    bench.event("trick_awarded", player="Jo", to="Jo")
    bench.lands("pink 1", "display:Kai")
    plays(bench, "orange 6", "orange 2", "orange 3")
    assert bench.shown["turn"] == "Jo"
    plays(bench, "joker", "joker")
    bench.event("trick_awarded", player="Kai", to="Jo")
    assert bench.shown["state"]["to_place"]["Jo"] == 2
    bench.lands("joker", "display:Jo")
    assert bench.log[-1]["event"] == {
        "event": "card_placed",
        "player": "Jo",
        "card": {"monster": "joker"},
        "column": "orange",
    }
    assert bench.rejected == []


def test_a_card_in_the_trick_while_one_is_owed_is_asked_about_once(bench: Bench) -> None:
    begin(bench)
    plays(bench, "green 4", "joker", "red 6")
    plays(bench, "pink 5")
    (question,) = bench.questions
    assert question["code"] == "place_first"
    assert bench.do("answer", question=question["id"], option="none")["ok"]
    assert bench.questions == []
    bench.lands("joker", "display:Kai")
    assert bench.shown["phase"] == "trick" or bench.questions[0]["code"] == "unsure_column"


def test_a_card_in_the_trick_while_one_is_owed_leads_once_that_was_placed(bench: Bench) -> None:
    begin(bench)
    plays(bench, "green 4", "joker", "green 6", "pink 5")
    (question,) = bench.questions
    assert [option["label"] for option in question["options"]] == ["joker → green", "None of these"]
    assert bench.do("answer", question=question["id"], option="joker green")["ok"]
    assert bench.questions == []
    assert [laid["card"] for laid in bench.shown["state"]["table"]] == [{"monster": "pink", "number": 5}]
