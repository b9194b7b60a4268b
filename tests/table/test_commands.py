"""What phones may ask: every command, every refusal in words."""

from typing import Any

import pytest
from api_client import request

from companion.api.commands import Caller

Bench = Any


def test_without_a_game_there_is_nothing_to_do(bench: Bench) -> None:
    fields: dict[str, dict[str, Any]] = {
        "amend": {"n": 1, "event": None},
        "overrule": {"n": 1},
        "answer": {"question": "q1", "option": "a"},
    }
    for name in (
        "event",
        "undo",
        "amend",
        "overrule",
        "answer",
        "end_game",
        "next_game",
        "go_on",
        "too_slow",
        "stop_timing",
        "wait",
    ):
        assert bench.do(name, **fields.get(name, {}))["code"] == "no_game"
    assert bench.shown["game"] is None
    assert bench.shown["log"] == []


@pytest.mark.parametrize(
    ("game", "players", "settings", "code"),
    [
        ("chess", ["Ida", "Jo"], {}, "bad_game"),
        ("nasty_7", ["Ida"], {}, "bad_players"),
        ("nasty_7", ["Ida", "Ida"], {}, "bad_players"),
        ("nasty_7", ["Ida", "Jo"], {"deck": 3}, "bad_settings"),
        ("nasty_7", ["Ida", "Jo"], {"hesitation_s": "long"}, "bad_settings"),
    ],
)
def test_a_game_that_cannot_be_played_is_refused_in_words(
    bench: Bench, game: Any, players: Any, settings: Any, code: str
) -> None:
    bench.begin("nasty_7", "Kai", "Lea")
    answer = bench.do("new_game", game=game, players=players, settings=settings)
    assert (answer["ok"], answer["code"]) == (False, code)
    assert len(answer["text"]) > 20
    assert [player["name"] for player in bench.shown["game"]["players"]] == ["Kai", "Lea"]


def test_players_have_colours_and_shapes(bench: Bench) -> None:
    bench.begin("nasty_7", *"ABCDEF")
    players = bench.shown["game"]["players"]
    assert len({player["colour"] for player in players}) == len({player["shape"] for player in players}) == 6
    assert bench.given == ["The Nasty 7 begins. A starts."]


def test_an_event_of_a_phone_gets_its_time_from_the_table(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo")
    bench.do("go_on")
    bench.at(4.25)
    assert bench.event("card_played", player="Ida", card="racketeer")["ok"]
    bench.at(5.0)
    assert bench.event("heard", words=["one"])["ok"]
    assert bench.log[0]["event"]["t"] == 4.25
    assert (bench.log[1]["event"]["start"], bench.log[1]["event"]["end"]) == (5.0, 5.0)
    assert bench.log[1]["verdicts"][0]["text"] == "Ida was right."


def test_a_refused_event_says_why_and_stays_in_the_log(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo")
    answer = bench.event("card_played", player="Jo", card="racketeer")
    assert answer == {
        "ok": False,
        "code": "not_your_turn",
        "text": "It is Ida's turn.",
        "params": {"event": "card_played", "player": "Jo", "card": "racketeer", "t": 0.0, "turn": "Ida"},
        "n": 1,
        "seq": answer["seq"],
    }
    assert bench.log[0]["why"] == "It is Ida's turn."
    assert bench.given == ["The Nasty 7 begins. Ida starts."]


def test_a_long_refused_event_of_the_referee_leaves_no_entry(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo")
    long = {"player": "Jo", "card": "racketeer", "note": "x" * 2000}
    answer = bench.event("card_played", **long)
    assert (answer["ok"], answer["code"], answer["params"]) == (False, "bad_field", {"player": "Jo"})
    assert bench.log == []
    assert bench.event("card_played", player="Jo", card="x" * 900)["ok"] is False
    assert len(bench.log) == 1, "a short one can be agreed to later"


@pytest.mark.parametrize(
    "event", [{}, {"event": 7}, {"event": []}, {"event": {}}, {"event": "card_played", "player": {}}]
)
def test_nonsense_from_a_phone_is_refused(bench: Bench, event: dict[str, Any]) -> None:
    bench.begin("nasty_7", "Ida", "Jo")
    refused = bench.do("event", **event)
    assert refused["ok"] is False
    assert refused["code"] != "not_written", "it was judged, and no fault of the program"
    assert bench.event("card_played", player="Ida", card="gun")["ok"]


def test_unknown_commands_answers_and_options(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo", deck_size=20)
    assert bench.do("answer", question="q1", option="x")["code"] == "no_question"
    bench.up("camera", "microphone")
    bench.at(5.0).lands(None, "pile")
    assert bench.do("answer", question="q1", option="ace of spades")["code"] == "no_option"
    assert bench.do("answer", question="q1", option="none")["ok"]
    assert bench.log == []
    assert bench.questions == []


def test_guests_enter_their_own_readings_and_answer_questions_only(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo")
    for name, data in [
        ("event", {"event": "card_played", "player": "Ida", "card": "gun"}),
        ("undo", {}),
        ("amend", {"n": 1, "event": None}),
        ("overrule", {"n": 1}),
        ("end_game", {}),
        ("new_game", {"game": "nasty_7", "players": ["Ida", "Jo"], "settings": {}}),
    ]:
        for player in (None, "Ida"):
            reply = bench.ask(request(name, data), Caller("guest", player))
            assert (reply["ok"], reply["code"]) == (False, "referee_only"), (name, player)
    assert bench.log == []
    reading = {"event": "display_scanned", "player": "Ida", "display": {}}
    assert bench.ask(request("event", reading), Caller("guest", "Ida"))["code"] == "unknown_event"
    for player in (None, "Jo"):
        assert bench.ask(request("event", reading), Caller("guest", player))["code"] == "referee_only"


def test_undo_takes_back_and_says_what(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo")
    bench.event("card_played", player="Ida", card="gun")
    assert bench.do("undo")["ok"]
    assert bench.given[-1] == "Taken back: Ida plays gun: silence, and one counts unsaid."
    assert [entry["undone"] for entry in bench.log] == [True, False]
    assert bench.shown["scores"] == {"Ida": 55, "Jo": 55}
    assert bench.do("undo")["text"] == "There is nothing to undo."


def test_a_correction_is_shown_before_it_is_made(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo", deck_size=20)
    bench.at(1.0).event("card_played", player="Ida", card="racketeer")
    bench.at(1.5).event("heard", words=["two"])
    assert bench.verdicts == ["wrong_number"]
    heard = {"event": "heard", "words": ["one"], "start": 1.5, "end": 1.5}
    preview = bench.do("amend", n=2, event=heard, preview=True)
    assert (preview["before"], preview["scores"]) == ({"Ida": 10, "Jo": 10}, {"Ida": 9, "Jo": 10})
    assert len(bench.log) == 2
    assert bench.do("amend", n=2, event=heard)["ok"]
    assert bench.verdicts == ["correct"]
    assert bench.shown["scores"] == preview["scores"]
    assert bench.do("amend", n=17, event=None)["text"] == "There is no move 17 that could be changed."
    assert bench.do("undo")["ok"]
    assert bench.verdicts == ["wrong_number"]


def test_the_clock_waits_for_the_next_move_where_it_is_asked_to(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo")
    bench.do("go_on")
    bench.at(1.0).event("card_played", player="Ida", card="racketeer")
    bench.at(1.5).event("heard", words=["one"])
    assert bench.at(2.0).do("wait")["ok"]
    assert bench.shown["paused"] == "resumed"
    bench.at(60.0).event("card_played", player="Jo", card="racketeer")
    assert bench.verdicts == ["correct"]
    assert bench.shown["paused"] is None


def test_moves_that_no_longer_fit_are_named_in_the_preview(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo")
    bench.at(1.0).event("card_played", player="Ida", card="gun")
    bench.at(2.0).event("card_played", player="Jo", card="gun")
    preview = bench.do("amend", n=1, event=None, preview=True)
    (dropped,) = preview["dropped"]
    assert (dropped["n"], dropped["code"], dropped["text"]) == (2, "not_your_turn", "Jo played gun.")
    assert dropped["why"] == "It is Ida's turn."


def test_what_a_correction_made_impossible_says_whose_turn_it_was_then(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo", "Kai")
    bench.at(1.0).event("card_played", player="Ida", card="racketeer")
    bench.at(1.5).event("heard", words=["five"])
    bench.at(2.0).event("card_played", player="Ida", card="racketeer")
    bench.at(2.5).event("heard", words=["one"])
    bench.at(3.0).event("card_played", player="Jo", card="gun")
    assert bench.do("overrule", n=2)["ok"]
    assert (bench.log[2]["rejected"], bench.log[2]["why"]) == ("not_your_turn", "It is Jo's turn.")
    bench.restart()
    assert (bench.log[2]["rejected"], bench.log[2]["why"]) == ("not_your_turn", "It is Jo's turn.")


def test_the_table_agrees_otherwise(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo")
    bench.at(1.0).event("card_played", player="Ida", card="racketeer")
    bench.at(1.5).event("heard", words=["two"])
    assert bench.do("overrule", n=2)["ok"]
    assert bench.verdicts == []
    assert bench.log[1]["overruled"]
    assert bench.given[-1] == "The table agrees otherwise. Finding 2 is set aside."
    assert bench.do("overrule", n=1)["code"] == "nothing_to_overrule"


def test_a_night_of_several_games(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo", deck_size=2)
    bench.at(1.0).event("card_played", player="Ida", card="racketeer")
    bench.at(1.5).event("heard", words=["one"])
    assert bench.given[-1] == "Ida was right."
    assert "Ida wins." in bench.given
    assert bench.shown["winner"] == ["Ida"]
    assert bench.event("card_played", player="Jo", card="gun")["code"] == "game_over"
    assert bench.do("next_game")["ok"]
    assert bench.shown["game"]["settings"]["deck_size"] == 2
    assert bench.do("next_game")["ok"]
    assert bench.do("end_game")["ok"]
    night = bench.shown["night"]
    assert [(game["winner"], game["ended"]) for game in night["games"]] == [
        (["Ida"], True),
        ([], True),
        ([], True),
    ]
    assert night["standings"] == [{"player": "Ida", "points": 1}, {"player": "Jo", "points": 0}]
    assert bench.shown["game"] is None


def test_undo_reaches_across_the_end_of_the_game(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo", deck_size=2)
    bench.at(1.0).event("card_played", player="Ida", card="racketeer")
    bench.at(1.5).event("heard", words=["one"])
    assert bench.shown["phase"] == "over"
    assert bench.do("undo")["ok"]
    assert (bench.shown["phase"], bench.shown["winner"]) == ("play", [])


def test_the_referees_button_takes_back(bench: Bench) -> None:
    from companion.core.observations import Press

    bench.begin("nasty_7", "Ida", "Jo")
    bench.event("card_played", player="Ida", card="gun")
    bench.put(Press(bench.now, "referee"))
    assert bench.log[0]["undone"]
    assert bench.log[1]["source"] == "buttons"


def test_every_change_reaches_every_subscriber_and_one_that_sleeps_blocks_nobody(bench: Bench) -> None:
    awake, asleep = bench.table.subscribe(), bench.table.subscribe()
    bench.begin("nasty_7", "Ida", "Jo")
    seen = []
    for i in range(130):
        bench.at(float(i)).event("card_played", player="Kai", card="gun")
        while not awake.empty():
            seen.append(awake.get_nowait())
    assert [message.kind for _, message in seen] == ["change"] * 131
    assert [seq for seq, _ in seen] == sorted(seq for seq, _ in seen)
    assert asleep.qsize() == 100
    assert [*asleep.queue][-1][1].snapshot.seq == bench.shown["seq"] == 130
    bench.table.unsubscribe(awake)
    bench.table.unsubscribe(awake)
    bench.event("undo")
    assert awake.empty()
    bench.table.close()
    assert [*asleep.queue][-1] is None


def test_the_deadline_counts_down_in_the_snapshot(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo")
    bench.do("go_on")
    assert bench.shown["deadline"] is None
    bench.at(1.0).event("card_played", player="Ida", card="racketeer")
    bench.at(2.5)
    assert bench.shown["deadline"] == {"in": 1.5, "player": "Ida"}
    bench.at(3.0).event("heard", words=["one"])
    bench.at(4.0)
    assert bench.shown["deadline"] == {"in": 2.0, "player": "Jo"}


def test_a_change_that_cannot_be_published_does_not_end_the_service(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bench.begin("nasty_7", "Ida", "Jo")
    with monkeypatch.context() as broken:
        broken.setattr("companion.table.referee.snapshot", lambda *known: 1 / 0)
        assert bench.event("card_played", player="Ida", card="gun")["ok"]
    assert "cannot be published" in caplog.text
    bench.restart()
    assert [one["text"] for one in bench.log] == ["Ida plays gun: silence, and one counts unsaid."]


def test_two_phones_that_take_back_the_same_slip_take_back_one_move(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo")
    assert bench.event("card_played", player="Ida", card="gun")["ok"]
    assert bench.event("card_played", player="Jo", card="gun")["ok"]
    assert bench.do("undo", n=2)["ok"]
    late = bench.do("undo", n=2)
    assert (late["code"], late["text"]) == ("meanwhile", "Something else has happened meanwhile. Look again.")
    assert [one["undone"] for one in bench.log[:2]] == [False, True]
    assert bench.do("undo", n=1)["ok"]
    assert bench.do("undo", n=1)["code"] == "meanwhile"


def test_the_move_that_a_phone_shows_is_the_one_that_is_taken_back(bench: Bench) -> None:
    """What the board's script takes for the latest move is the table's, through corrections as well."""

    def shown() -> int:
        live = [one for one in bench.log if not one["undone"] and not one["rejected"]]
        return max(one["n"] for one in live if one["event"].get("event") != "undone")

    bench.begin("nasty_7", "Ida", "Jo")
    for player in ("Ida", "Jo", "Ida"):
        assert bench.event("card_played", player=player, card="gun")["ok"]
    bench.event("card_played", player="Ida", card="gun")
    assert bench.do("amend", n=3, event=None)["ok"]
    assert bench.do("amend", n=2, event={**bench.log[1]["event"], "card": "phone"})["ok"]
    for _ in range(4):
        assert bench.do("undo", n=shown())["ok"], bench.log


def test_two_phones_that_start_a_game_at_once_do_not_end_each_others(bench: Bench) -> None:
    mine = {"game": "nasty_7", "players": ["Ida", "Jo"], "settings": {}}
    other = {"game": "bugs_and_co", "players": ["Kai", "Mara"], "settings": {}}
    first = bench.do("new_game", **mine, over=None)
    late = bench.do("new_game", **other, over=None)
    assert (late["code"], late["text"]) == (
        "game_is_on",
        "Meanwhile The Nasty 7 has been started with Ida and Jo.",
    )
    assert bench.shown["game"]["id"] == late["params"]["game"] == first["game"]
    assert bench.do("new_game", **other, over=first["game"])["ok"], "replaced knowingly"
    assert bench.shown["game"]["name"] == "bugs_and_co"
    assert bench.do("next_game", over=first["game"])["code"] == "game_is_on"
    assert bench.do("end_game")["ok"]
    assert bench.do("new_game", **mine, over=first["game"])["ok"], "nobody plays: nothing is lost"
