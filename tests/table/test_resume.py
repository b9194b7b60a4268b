"""After a power cut the game is where it was; what was judged live is what a replay judges."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.store.exports import script
from companion.store.journal import Journal, JournalFailed, read_journal
from companion.table.record import opened

Bench = Any

SERVICE = """
import sys, time
from pathlib import Path
from companion.api.commands import Caller, EnterEvent, NewGame
from companion.core.clock import monotonic
from companion.store.journal import Journal
from companion.table.table import Table

table = Table(lambda: Journal(Path(sys.argv[1])), monotonic)
table.start()
changes = table.subscribe()
table.command(NewGame("nasty_7", ("Ida", "Jo")), Caller("referee"))
for i in range(1000):
    event = {"event": "card_played", "player": ("Ida", "Jo")[i % 2], "card": "gun"}
    reply = table.command(EnterEvent(event), Caller("referee"))
    while not changes.empty():
        print(changes.get_nowait()[0], flush=True)
"""


def result(path: Path) -> dict[str, Any]:
    """What `companion replay` says of the journal's latest game."""
    journal = read_journal(path)
    game = journal.games()[-1]
    header, *lines = script(game, journal.lines(game.id)).splitlines()
    journal.close()
    record = opened(json.loads(header))
    for line in lines:
        record.push(line)
    return record.result()


def known(bench: Bench) -> dict[str, Any]:
    """What must be the same after a restart."""
    keys = ("seq", "game", "state", "scores", "winner", "phase", "turn", "offers", "log", "night")
    return {key: bench.shown[key] for key in keys}


def test_a_game_that_is_over_does_not_go_on(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo", deck_size=2)
    bench.at(1.0).event("card_played", player="Ida", card="racketeer")
    bench.restart()
    assert bench.shown["announcement"]["code"] == "game_resumed"
    bench.event("heard", words=["one"])
    assert bench.shown["winner"] == ["Ida"]
    bench.restart()
    assert bench.shown["winner"] == ["Ida"]
    assert bench.shown["announcement"] is None


def test_whatever_was_announced_is_there_after_kill_9(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with subprocess.Popen([sys.executable, "-c", SERVICE, str(path)], stdout=subprocess.PIPE) as service:
        assert service.stdout is not None
        for line in service.stdout:
            if int(line) >= 20:
                os.kill(service.pid, signal.SIGKILL)
                break
        announced = max([20, *(int(line) for line in service.stdout if line.strip().isdigit())])
    journal = read_journal(path)
    assert journal.seq() >= announced
    journal.close()
    assert result(path)["rejected"] == []


def test_a_restart_gives_the_same_game_and_its_deadline_waits(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo", deck_size=20)
    bench.do("go_on")
    bench.at(5.0).event("card_played", player="Ida", card="racketeer")
    bench.at(5.5).event("card_played", player="Kai", card="racketeer")
    bench.at(6.0).event("heard", words=["one"])
    before = known(bench)
    bench.restart(pause=300.0)
    assert known(bench) == before
    assert bench.shown["paused"] == "microphone"
    assert bench.shown["announcement"]["code"] == "game_resumed"
    bench.up("microphone")
    assert bench.shown["paused"] == "resumed"
    bench.now += 60.0
    bench.step()
    assert bench.verdicts == ["correct"]
    bench.event("card_played", player="Jo", card="racketeer")
    assert bench.shown["paused"] is None
    assert bench.log[-1]["event"]["t"] == 6.0
    assert bench.log[-1]["rejected"] is None
    bench.now += 0.4  # on top of what the inbox held the event back for: 2.55 seconds
    bench.passed()
    assert bench.verdicts == ["correct"]
    bench.now += 0.2
    bench.passed()
    assert bench.verdicts == ["correct", "too_late"]


def test_the_clock_runs_again_when_somebody_says_so(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo")
    bench.at(5.0).event("card_played", player="Ida", card="racketeer")
    bench.restart()
    assert bench.do("go_on")["ok"]
    bench.now += 3.1
    bench.step()
    assert bench.verdicts == ["too_late"]


def test_a_restart_between_games_keeps_the_night(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo", deck_size=2)
    bench.at(1.0).event("card_played", player="Ida", card="racketeer")
    bench.at(1.5).event("heard", words=["one"])
    bench.do("end_game")
    before = known(bench)
    bench.restart()
    assert known(bench) == before
    assert bench.shown["night"]["standings"][0] == {"player": "Ida", "points": 1}


def test_an_event_that_cannot_be_written_did_not_happen(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.begin("nasty_7", "Ida", "Jo", deck_size=20)
    bench.at(1.0).event("card_played", player="Ida", card="racketeer")
    before = known(bench)

    def full(*args: object, **named: object) -> int:
        raise JournalFailed("cannot write the journal: the disk is full; free some space, then play on")

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "append", full)
        answer = bench.at(1.5).event("heard", words=["two"])
        assert answer["code"] == "not_written"
        assert "the disk is full; free some space" in answer["text"]
        assert known(bench) == before
        assert bench.given[-1].startswith("That did not count.")
        assert bench.shown["announcement"]["priority"] == 5
    assert bench.event("heard", words=["one"])["ok"]
    assert bench.verdicts == ["correct"]


def test_a_fault_of_the_program_does_not_end_the_game(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from companion.games.nasty_7.rules import Nasty7

    bench.begin("nasty_7", "Ida", "Jo", deck_size=20)
    bench.at(1.0).event("card_played", player="Ida", card="racketeer")
    state = bench.shown["state"]
    with monkeypatch.context() as patched:
        play = Nasty7.play

        def faulty(self: Nasty7, state: Any, event: Any) -> Any:
            return 1 / 0 if event["event"] == "heard" else play(self, state, event)

        patched.setattr(Nasty7, "play", faulty)
        answer = bench.at(1.5).event("heard", words=["one"])
    assert answer["code"] == "not_written"
    assert "ZeroDivisionError" in caplog.text
    assert bench.shown["state"] == state
    assert bench.event("heard", words=["one"])["ok"]
    assert bench.verdicts == ["correct"]


NAMES = ("Ida", "Jo", "Kai")
CARDS = ("racketeer", "twin_racketeer", "phone", "twin_phone", "gun")
WORDS = ("one", "two", "three", "hmmrrr")

happenings = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "card",
                "card",
                "card",
                "call",
                "call",
                "call",
                "undo",
                "amend",
                "overrule",
                "accuse",
                "nonsense",
            ]
        ),
        st.floats(0.1, 4.0),
        st.integers(0, 30),
        st.sampled_from(CARDS),
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=2),
        st.booleans(),
    ),
    max_size=25,
)


def happen(bench: Bench, what: tuple[Any, ...]) -> None:
    """One thing of a random evening, from a sense or from a phone."""
    kind, after, n, card, words, by_phone = what
    bench.now = round(bench.now + after, 3)
    bench.passed()
    match kind:
        case "card" if by_phone:
            bench.event("card_played", player=NAMES[n % 3], card=card)
        case "card":
            bench.lands(None if n % 7 == 0 else card, "pile")
        case "call" if by_phone:
            bench.event("heard", words=words)
        case "call":
            bench.says(*words, confidence=0.3 + n / 60)
        case "undo":
            bench.do("undo")
        case "amend":
            event = {"event": "heard", "words": words, "start": 1.0, "end": 1.2} if by_phone else None
            bench.do("amend", n=n, event=event)
        case "overrule":
            bench.do("overrule", n=n)
        case "accuse":
            bench.event("accused", by=[NAMES[n % 3]])
        case _:
            bench.event("card_played", player=n, card=words)
    if bench.questions and n % 2:
        question = bench.questions[0]
        bench.do(
            "answer", question=question["id"], option=question["options"][n % len(question["options"])]["id"]
        )


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(happenings, st.booleans())
def test_live_equals_replay_and_resume_equals_live(
    benches: Callable[[], Bench], evening: list[tuple[Any, ...]], nasty: bool
) -> None:
    bench = benches()
    bench.begin("nasty_7", *NAMES, deck_size=15, nasty_rules=nasty)
    bench.up("camera", "microphone")
    for what in evening:
        happen(bench, what)
    bench.step()
    live = bench.table.referee.game.record.result()
    before = known(bench)
    assert json.loads(json.dumps(live)) == result(bench.path)
    bench.restart()
    assert bench.table.referee.game.record.result() == live
    assert known(bench) == before
    bench.table.close()


LABELS = ("red 4", "green 4", "blue 7", "pink 1", "yellow 5", "joker", None)
ZONES = ("trick", "trick", "trick", "display:Ida", "display:Jo", "display:Kai")

moves = st.lists(
    st.tuples(
        st.sampled_from(LABELS),
        st.sampled_from(ZONES),
        st.floats(0.3, 1.0),
        st.integers(0, 60),
        st.sampled_from(["land", "land", "land", "land", "undo", "offer", "amend"]),
    ),
    max_size=40,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves, st.sampled_from(["standard", "two_original_monsters", "monster_under_the_bed"]))
def test_the_same_for_cards_that_are_carried_about(
    benches: Callable[[], Bench], evening: list[tuple[Any, ...]], variant: str
) -> None:
    bench = benches()
    bench.begin("seven_merry_monsters", *NAMES, variant=variant)
    bench.up("camera")
    for label, zone, confidence, n, kind in evening:
        bench.now += 1.0
        bench.passed()
        if kind == "undo":
            bench.do("undo")
        elif kind == "amend":
            bench.do("amend", n=n, event=None)
        elif kind == "offer" and bench.shown["phase"] == "award":
            bench.event("trick_awarded", player=bench.shown["turn"], to=NAMES[n % 3])
        else:
            bench.lands(label, zone, confidence, where=(float(n * 10), 0.0))
        if bench.questions and n % 3:
            options = bench.questions[0]["options"]
            bench.do("answer", question=bench.questions[0]["id"], option=options[n % len(options)]["id"])
    bench.step()
    live = bench.table.referee.game.record.result()
    before = known(bench)
    assert json.loads(json.dumps(live)) == result(bench.path)
    bench.restart()
    assert known(bench) == before
    bench.table.close()
