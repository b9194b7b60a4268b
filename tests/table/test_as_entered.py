"""A correction that changes who took a trick: the table went on as entered, and nothing is lost."""

from typing import Any

import pytest

Bench = Any
NAMES = ("Ida", "Jo", "Kai")
COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "pink")


def card(colour: str, number: int) -> dict[str, Any]:
    return {"monster": colour, "number": number}


def tricks(bench: Bench, number: int) -> None:
    """Jo takes the first trick with a 6; whoever took one leads the next and takes it."""
    leader = "Ida"
    for trick in range(number):
        order = [NAMES[(NAMES.index(leader) + k) % 3] for k in range(3)]
        for k, player in enumerate(order):
            taker = player == ("Jo" if trick == 0 else leader)
            value = (6 if trick == 0 else 7) if taker else k + 1
            assert bench.event("card_played", player=player, card=card(COLOURS[(trick + k) % 7], value))["ok"]
        leader = "Jo" if trick == 0 else leader


@pytest.fixture
def played(bench: Bench) -> Bench:
    bench.begin("seven_merry_monsters", *NAMES)
    tricks(bench, 7)
    assert bench.rejected == []
    return bench


def test_nothing_is_lost_where_the_table_went_on_as_entered(played: Bench) -> None:
    correction = {"n": 3, "event": {"event": "card_played", "player": "Kai", "card": card("yellow", 7)}}
    lost = played.do("amend", **correction, preview=True)["dropped"]
    assert len(lost) >= 3
    kept = played.do("amend", **correction, rest="as_entered", preview=True)
    assert kept["dropped"] == []
    before = played.shown["state"]
    assert played.do("amend", **correction, rest="as_entered")["ok"]
    after = played.shown["state"]
    assert (after["turn"], after["trick"], after["display"]) == (
        before["turn"],
        before["trick"],
        before["display"],
    )
    assert played.log[-1]["dropped"] == []


def test_the_cards_are_those_of_the_correction(played: Bench) -> None:
    """The trick went to Jo, and with it the card as it is known now."""
    correction = {"n": 3, "event": {"event": "card_played", "player": "Kai", "card": card("pink", 7)}}
    before = played.shown["state"]["display"]["Jo"]
    assert played.do("amend", **correction, rest="as_entered")["ok"]
    after = played.shown["state"]["display"]["Jo"]
    assert after["pink"]["cards"] == before.get("pink", {"cards": 0})["cards"] + 1
    assert after.get("yellow", {"cards": 0})["cards"] == before["yellow"]["cards"] - 1


def test_it_is_the_same_after_a_restart_and_can_be_undone(played: Bench) -> None:
    state = played.shown["state"]
    correction = {"n": 3, "event": {"event": "card_played", "player": "Kai", "card": card("pink", 7)}}
    assert played.do("amend", **correction, rest="as_entered")["ok"]
    corrected = played.shown["state"]
    played.restart()
    assert played.shown["state"] == corrected
    assert played.do("undo")["ok"]
    assert played.shown["state"] == state


def test_in_any_game_the_table_goes_on_as_entered(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo", deck_size=40)
    for player, words in (("Ida", "one"), ("Jo", "two"), ("Ida", "three"), ("Jo", "four")):
        bench.event("card_played", player=player, card="racketeer")
        bench.event("heard", words=[words])
    correction = {"n": 2, "event": {"event": "heard", "words": ["six"], "start": 0.0, "end": 0.0}}
    assert bench.do("amend", **correction, preview=True)["dropped"] != []
    assert bench.do("amend", **correction, rest="as_entered", preview=True)["dropped"] == []
    assert bench.event("amended", n=2, replacement=None, rest="otherwise")["code"] == "bad_field"


def test_a_mistake_that_was_none_costs_nothing_where_the_table_went_on_as_entered(bench: Bench) -> None:
    """Ida's wrong call is taken out: she has not taken the card, whatever was played after it."""
    bench.begin("nasty_7", "Ida", "Jo", deck_size=40)
    bench.event("card_played", player="Ida", card="racketeer")
    bench.event("heard", words=["six"])
    for player, words in (("Ida", "one"), ("Jo", "two"), ("Ida", "three")):
        bench.event("card_played", player=player, card="racketeer")
        bench.event("heard", words=[words])
    assert bench.shown["scores"] == {"Ida": 18, "Jo": 19}
    correction = {"n": 2, "event": None, "rest": "as_entered"}
    kept = bench.do("amend", **correction, preview=True)
    assert (kept["dropped"], kept["scores"]) == ([], {"Ida": 17, "Jo": 19})
    assert bench.do("amend", **correction)["ok"]
    assert (bench.shown["turn"], bench.shown["state"]["pile"]) == ("Jo", 4)


def test_a_card_that_nobody_laid_is_gone_where_the_table_went_on_as_entered(bench: Bench) -> None:
    """The card of a turn that ended then: the later cards fit no other way, and stay."""
    bench.begin("trio_monsters", "Ida", "Jo")
    bench.event("card_revealed", card="green", at=[0, 0])
    bench.event("card_played", player="Ida", card="red", at=[1, 0])
    bench.event("card_played", player="Ida", card="blue", at=[1, 1])
    bench.event("turn_ended", player="Ida")
    bench.event("card_played", player="Jo", card="yellow", at=[1, 2])
    assert bench.rejected == []
    before = bench.shown["state"]
    correction = {"n": 3, "event": None}
    assert bench.do("amend", **correction, preview=True)["dropped"] != []
    assert bench.do("amend", **correction, rest="as_entered")["ok"]
    after = bench.shown["state"]
    assert bench.log[-1]["dropped"] == []
    assert [one["card"] for one in after["table"]] == ["green", "red", "yellow"]
    assert after["turn"] == before["turn"]
    assert (
        after["draw_pile"] + sum(after["hand"].values())
        == before["draw_pile"] + sum(before["hand"].values()) + 1
    )
