"""A command that is sent again with its key counts once and gets the same reply."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from api_client import answered, request

from companion.api.commands import Caller, Command, EnterEvent, NewGame
from companion.core.clock import monotonic
from companion.store.journal import Journal, JournalFailed, read_journal
from companion.table.table import Table

REFEREE = Caller("referee")
PLAYED = {"event": "card_played", "player": "Ida", "card": "racketeer"}


def send(bench: Any, name: str, key: str, caller: Caller = REFEREE, **data: Any) -> dict[str, Any]:
    answer = bench.table.ask(Command(bench.now, request(name, data), caller, key))
    bench.step()
    return answered(answer.result(0))


def written(bench: Any) -> int:
    with read_journal(bench.path) as journal:
        return len(journal.since(0))


def test_a_command_that_is_sent_again_counts_once(bench: Any) -> None:
    started = send(bench, "new_game", "a", game="nasty_7", players=["Ida", "Jo"])
    first = send(bench, "event", "b", **PLAYED)
    assert first["ok"]
    assert send(bench, "event", "b", **PLAYED) == first
    assert send(bench, "new_game", "a", game="nasty_7", players=["Ida", "Jo"]) == started
    assert written(bench) == 1
    with read_journal(bench.path) as journal:
        assert len(journal.games()) == 1


def test_it_counts_once_across_a_restart(bench: Any) -> None:
    send(bench, "new_game", "a", game="nasty_7", players=["Ida", "Jo"])
    first = send(bench, "event", "b", **PLAYED)
    undone = send(bench, "undo", "c")
    bench.restart()
    assert send(bench, "undo", "c") == undone
    assert send(bench, "event", "b", **PLAYED) == first
    assert written(bench) == 2


def test_a_refusal_is_given_again_in_the_same_words(bench: Any) -> None:
    send(bench, "new_game", "a", game="nasty_7", players=["Ida", "Jo"])
    refused = send(bench, "event", "b", event="card_played", player="Jo", card="gun")
    assert refused["code"] == "not_your_turn"
    assert send(bench, "event", "c", **PLAYED)["ok"]
    assert send(bench, "event", "b", event="card_played", player="Jo", card="gun") == refused
    assert written(bench) == 2


def test_a_key_of_another_command_or_sender_is_refused(bench: Any) -> None:
    send(bench, "new_game", "a", game="nasty_7", players=["Ida", "Jo"])
    send(bench, "event", "b", **PLAYED)
    assert send(bench, "event", "b", event="card_played", player="Jo", card="gun")["code"] == "key_reused"
    assert send(bench, "event", "b", Caller("guest", "Ida"), **PLAYED)["code"] == "key_reused"
    assert written(bench) == 1


def test_nothing_is_stored_for_a_guest_without_the_right(bench: Any) -> None:
    send(bench, "new_game", "a", game="nasty_7", players=["Ida", "Jo"])
    assert send(bench, "event", "b", Caller("guest"), **PLAYED)["code"] == "referee_only"
    assert send(bench, "event", "b", **PLAYED)["ok"]


def test_commands_without_a_key_count_each_time(bench: Any) -> None:
    bench.begin("nasty_7", "Ida", "Jo")
    assert bench.event(**PLAYED)["ok"]
    assert bench.event(**PLAYED)["code"] == "not_your_turn"


def test_a_command_of_several_lines_is_written_whole_or_not_at_all(
    bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(bench, "new_game", "a", game="nasty_7", players=["Ida", "Jo"])
    bench.event(**PLAYED)
    position = {"scores": {"Ida": 3, "Jo": 1}}

    def full(*_: object, **__: object) -> int:
        raise JournalFailed("disk.full")

    asked = {"game": "nasty_7", "players": ["Kai", "Lou"], "position": {"scores": {"Kai": 3, "Lou": 1}}}
    with monkeypatch.context() as patched:
        patched.setattr(Journal, "append", full)
        assert send(bench, "new_game", "p", **asked)["code"] == "not_written"
    with read_journal(bench.path) as journal:
        assert [game.players for game in journal.games()] == [["Ida", "Jo"]]
        assert journal.games()[0].ended is None
    assert [one["name"] for one in bench.shown["game"]["players"]] == ["Ida", "Jo"]
    assert len(bench.shown["night"]["games"]) == 1
    again = send(bench, "new_game", "p", **asked)
    assert again["ok"] or again["code"] == "bad_position", position


def test_a_reply_that_cannot_be_stored_takes_its_command_back(
    bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(bench, "new_game", "a", game="nasty_7", players=["Ida", "Jo"])

    def full(*_: object) -> None:
        raise JournalFailed("disk.full")

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "keep_receipt", full)
        assert send(bench, "event", "b", **PLAYED)["code"] == "not_written"
    assert written(bench) == 0
    assert bench.shown["game"]["name"] == "nasty_7"
    assert send(bench, "event", "b", **PLAYED)["ok"]
    assert written(bench) == 1


SENDER = """
import sys
from pathlib import Path
from companion.api.commands import Caller, EnterEvent
from companion.core.clock import monotonic
from companion.store.journal import Journal
from companion.table.table import Table

table = Table(lambda: Journal(Path(sys.argv[1])), monotonic)
table.start()
print("up", flush=True)
for line in sys.stdin:
    key, player, card = line.split()
    event = {"event": "card_played", "player": player, "card": card}
    print(table.command(EnterEvent(event), Caller("referee"), key).ok, flush=True)
"""


def test_commands_of_a_service_that_is_killed_are_sent_again_and_count_once(tmp_path: Path) -> None:
    """Kills the process before it has answered, at different moments, and sends the same command again."""
    path = tmp_path / "journal.sqlite"
    table = Table(lambda: Journal(path), monotonic)
    table.start()
    table.command(NewGame("seven_merry_monsters", ("Ida", "Jo", "Kai")), REFEREE, "new")
    table.stop()
    for number in range(8):
        with subprocess.Popen(
            [sys.executable, "-c", SENDER, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as service:
            assert service.stdin is not None
            assert service.stdout is not None
            assert service.stdout.readline() == "up\n"
            service.stdin.write(f"key-{number} Ida racketeer\n")
            service.stdin.flush()
            if number % 2:
                service.stdout.readline()  # it has been carried out; the phone never saw the answer
            os.kill(service.pid, signal.SIGKILL)
        table = Table(lambda: Journal(path), monotonic)
        table.start()
        event = EnterEvent({"event": "card_played", "player": "Ida", "card": "racketeer"})
        first = table.command(event, REFEREE, f"key-{number}")
        assert table.command(event, REFEREE, f"key-{number}") == first
        table.stop()
        with read_journal(path) as journal:
            assert len(journal.since(0)) == number + 1
