"""The table as an MQTT device, with a real broker: in order, complete, each once for whoever counts ids."""

import json
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from subprocess import run
from typing import Any

import jsonschema
import msgspec
import pytest
from mosquitto_broker import Consumer, Mosquitto, until

from companion.api.commands import Caller, EnterEvent
from companion.mqtt.broker import BrokerConnection, check
from companion.mqtt.cursor import CursorFile, OutboxPosition
from companion.mqtt.device import CURSOR, MqttDevice
from companion.mqtt.messages import ResendRequest, encoded
from companion.mqtt.outbox import JournalOutbox
from companion.store.forgetting import forget_games
from companion.store.journal import Journal, read_journal

DOCS = Path(__file__).parents[2] / "docs"
MakeConsumer = Callable[..., Consumer]


def ids(messages: list[dict[str, Any]]) -> list[tuple[str, int]]:
    return [(one["game"], one["sequence"]) for one in messages]


def test_a_game_arrives_in_order_and_complete(broker: Mosquitto, played: Any, consumer: MakeConsumer) -> None:
    seen = consumer()
    played.device(broker)
    played.begin()
    played.play("Ida", "gun")
    played.play("Jo", "gun")
    played.end()
    until(lambda: seen.on("result"))
    opened, *judged = seen.on("event")
    assert opened["kind"] == "game_opened"
    assert opened["players"] == ["Ida", "Jo"]
    with read_journal(played.journal) as journal:
        [game] = journal.games()
        lines = journal.lines(game.id)
    assert [one["sequence"] for one in judged] == [line.n for line in lines]
    assert [one["event"] for one in judged] == [line.event for line in lines]
    assert [one["number"] for one in (opened, *judged)] == list(range(1, len(lines) + 2))
    [result] = seen.on("result")
    assert (result["game"], result["sequence"]) == (game.key, len(lines))
    assert result["scores"] == game.scores
    until(lambda: seen.on("status")[-1]["number"] == len(lines) + 2)


def test_verdicts_are_those_of_the_table(broker: Mosquitto, played: Any, consumer: MakeConsumer) -> None:
    seen = consumer()
    played.device(broker)
    played.begin()
    played.play("Ida", "gun")
    played.table.command(EnterEvent({"event": "heard", "player": "Ida", "words": ["two"]}), Caller("referee"))
    shown = [one for entry in played.table.snapshot().log for one in entry.verdicts]
    assert shown, "the example gives no verdict"
    until(lambda: len(seen.on("verdict")) == len(shown))
    assert [(one["sequence"], one["player"], one["verdict"]) for one in seen.on("verdict")] == [
        (one.n, one.player, one.verdict) for one in shown
    ]


def test_state_is_retained_small_and_follows(broker: Mosquitto, played: Any, consumer: MakeConsumer) -> None:
    played.device(broker)
    played.begin()
    seen = consumer("companion/window/state")
    until(lambda: seen.on("state") and seen.on("state")[-1]["players"] == ["Ida", "Jo"])
    played.play("Ida")
    until(lambda: seen.on("state")[-1]["turn"] == "Jo")
    assert all(len(one.payload) < 2000 for one in seen.messages)
    played.end()
    until(lambda: seen.on("state")[-1]["game"] is None)


def test_a_restart_sends_nothing_again_and_nothing_is_missed(
    broker: Mosquitto, played: Any, consumer: MakeConsumer
) -> None:
    seen = consumer()
    device = played.device(broker)
    played.begin()
    played.play("Ida")
    until(lambda: len(seen.on("event")) == 2 and not device.pending)
    device.stop()
    assert seen_last_status(seen) is False
    played.play("Jo")
    played.end()
    played.device(broker)
    until(lambda: seen.on("result"))
    time.sleep(0.3)
    assert [number for _, number in ids(seen.on("event"))] == [0, 1, 2]
    assert len(seen.on("result")) == 1


def seen_last_status(seen: Consumer) -> bool:
    until(lambda: seen.on("status") and seen.on("status")[-1]["online"] is False)
    return bool(seen.on("status")[-1]["online"])


def test_without_a_broker_the_table_plays_on_and_all_of_it_arrives_later(
    broker: Mosquitto, played: Any
) -> None:
    broker.kill()
    played.device(broker)
    played.begin()
    began = time.monotonic()
    for _ in range(20):
        played.play("Ida")
        played.play("Jo")
    assert time.monotonic() - began < 10
    played.end()
    broker.start()
    seen = Consumer(broker.config(), "companion/#")
    until(lambda: seen.on("result"), 40)
    numbers = [one["number"] for one in seen.on("event")]
    assert numbers == sorted(numbers)
    assert set(numbers) == set(range(1, 42))
    seen.close()


def test_what_a_killed_broker_lost_is_sent_again_on_request(
    broker: Mosquitto, played: Any, consumer: MakeConsumer
) -> None:
    device = played.device(broker)
    until(lambda: device.connected)
    played.begin()
    played.play("Ida")
    until(lambda: cursor(played.folder).number == 2)
    broker.kill()
    broker.start()
    seen = Consumer(broker.config(), "companion/#", name="later")
    until(lambda: seen.on("status") and seen.on("status")[-1]["number"] == 2, 40)
    assert seen.on("event") == []
    series = seen.on("status")[-1]["series"]
    seen.send("companion/window/resend", encoded(ResendRequest(series="other", number=0)))
    seen.send("companion/window/resend", b"{")
    seen.send("companion/window/resend", encoded(ResendRequest(series=series, number=0)))
    until(lambda: len(seen.on("event")) == 2)
    until(lambda: cursor(played.folder).number == 2)
    seen.close()


def test_only_what_is_missing_is_sent_again(broker: Mosquitto, played: Any, consumer: MakeConsumer) -> None:
    seen = consumer()
    device = played.device(broker)
    played.begin()
    for player in ("Ida", "Jo", "Ida", "Jo"):
        played.play(player)
    until(lambda: cursor(played.folder).number == 5)
    before = len(seen.on("event"))
    series = cursor(played.folder).series
    seen.send("companion/window/resend", encoded(ResendRequest(series=series, number=1, last=3)))
    until(lambda: len(seen.on("event")) == before + 2)
    assert [one["number"] for one in seen.on("event")[before:]] == [2, 3]
    assert cursor(played.folder).number == 5, "the position is that of the broker's acknowledgements"
    seen.send("companion/window/resend", encoded(ResendRequest(series=series, number=4, last=99)))
    until(lambda: len(seen.on("event")) == before + 3)
    seen.send("companion/window/resend", encoded(ResendRequest(series=series, number=5, last=99)))
    played.play("Ida")
    # Whichever the device reads first, the request or the move: move 6 may come twice, nothing else may.
    until(lambda: len(seen.on("event")) >= before + 4)
    assert sorted({one["number"] for one in seen.on("event")[before + 2 :]}) == [5, 6]
    until(lambda: not device.pending)


def cursor(folder: Path) -> Any:
    return CursorFile(folder / CURSOR).read()


def test_a_journal_that_was_written_anew_starts_a_new_series(
    broker: Mosquitto, played: Any, consumer: MakeConsumer
) -> None:
    seen = consumer()
    device = played.device(broker)
    for _ in range(2):
        played.begin()
        played.play("Ida")
    until(lambda: len(seen.on("event")) == 4 and not device.pending)
    first = seen.on("event")[0]["game"]
    device.stop()
    played.table.stop()
    forget_games(played.journal, [1])
    again = type(played)(played.folder)
    again.device(broker)
    until(lambda: len({one["series"] for one in seen.on("event")}) == 2)
    until(lambda: not again.devices[0].pending)
    second = seen.on("event")[4:]
    assert [one["number"] for one in second] == [1, 2]
    assert seen.on("forgotten")[-1]["games"] == [first], "others have to delete it, too"
    assert first not in {one["game"] for one in second}
    again.close()


def test_the_last_will_says_that_the_table_is_gone(broker: Mosquitto, played: Any, tmp_path: Path) -> None:
    script = (
        "import sys, time; from pathlib import Path; from companion.core.config import Mqtt;"
        "from companion.mqtt.broker import BrokerConnection, LastWill;"
        f"c = BrokerConnection(Mqtt(host='127.0.0.1', port={broker.port}, tls=False), 'dies',"
        " LastWill('companion/dies/status', b'{\"online\": false}')); c.start()\n"
        "while not c.connected: time.sleep(0.01)\n"
        "import os; os._exit(9)"
    )
    seen = Consumer(broker.config(), "companion/dies/status")
    assert run([sys.executable, "-c", script], cwd=DOCS.parent, timeout=20).returncode == 9
    until(lambda: seen.on("status") == [{"online": False}])
    seen.close()


def test_commands_need_the_owners_consent(
    broker: Mosquitto, played: Any, consumer: MakeConsumer, caplog: pytest.LogCaptureFixture
) -> None:
    seen = consumer()
    device = played.device(broker)
    until(lambda: device.connected)
    played.begin()
    played.play("Ida")
    seen.send("companion/window/command/undo")
    assert not seen.refused()
    time.sleep(0.5)
    assert played.table.snapshot().turn == "Jo"
    device.stop()
    seen.send("companion/window/command/undo", b"{}", retain=True)  # an empty one would not be retained
    assert not seen.refused()  # the broker has it before the device subscribes
    allowed = played.device(broker, commands=True)
    until(lambda: allowed.connected)
    until(lambda: "companion/window/command/undo is ignored" in caplog.text)
    assert played.table.snapshot().turn == "Jo", "a retained command is old"
    assert seen.on("reply") == []
    seen.send("companion/window/command/undo")
    until(lambda: seen.on("reply"))
    assert seen.on("reply")[-1]["ok"] is True
    assert played.table.snapshot().turn == "Ida"
    seen.send("companion/window/command/undo")
    time.sleep(0.3)
    assert len(seen.on("reply")) == 1, "so soon after the first it does not count"
    time.sleep(1.0)
    seen.send("companion/window/command/pause")
    until(lambda: len(seen.on("reply")) == 2)
    until(lambda: seen.on("state")[-1]["paused"] is not None)


def test_every_payload_fits_the_published_schema(
    broker: Mosquitto, played: Any, consumer: MakeConsumer
) -> None:
    whole = json.loads((DOCS / "mqtt.schema.json").read_text())
    seen = consumer()
    played.device(broker, commands=True)
    played.begin()
    played.play("Ida")
    played.play("Ida")
    played.end()
    until(lambda: seen.on("result"))
    seen.on("")
    for one in seen.messages:
        level = one.topic.split("/")[2]
        topic = "companion/<table>/" + ("result/<game id>" if level == "result" else level)
        schema = {"$defs": whole["$defs"], **whole["topics"][topic]}
        jsonschema.validate(json.loads(one.payload), schema, jsonschema.Draft202012Validator)
    assert {one.topic.split("/")[2] for one in seen.messages} >= {"status", "state", "event", "result"}


def test_the_written_reference_is_current() -> None:
    from companion.mqtt import reference

    assert (DOCS / "mqtt.md").read_text() == reference.page()
    assert json.loads((DOCS / "mqtt.schema.json").read_text()) == json.loads(
        msgspec.json.encode(reference.schema())
    )
    jsonschema.Draft202012Validator.check_schema(reference.schema())


def test_nothing_of_the_library_is_loaded_without_a_broker() -> None:
    script = (
        "import sys, companion.runtime.mqtt, companion.mqtt.device;"
        "sys.exit(any(name.startswith('paho') for name in sys.modules))"
    )
    assert run([sys.executable, "-c", script], cwd=DOCS.parent, timeout=60).returncode == 0


def test_a_broken_cursor_file_sends_everything_again(
    broker: Mosquitto, played: Any, consumer: MakeConsumer
) -> None:
    (played.folder / CURSOR).write_bytes(b"\0\0")
    seen = consumer()
    played.device(broker)
    played.begin()
    until(lambda: len(seen.on("event")) == 1)


@pytest.mark.parametrize("password", ["right", "wrong"])
def test_user_and_password(tmp_path: Path, password: str) -> None:
    broker = Mosquitto(tmp_path / "secured", users={"window": "right"})
    file = tmp_path / "password"
    file.write_text(password + "\n")
    why = check(broker.config(user="window", password_file=str(file)), "probe")
    assert (why == "") == (password == "right")
    assert password == "right" or "uthor" in why
    broker.kill()


def test_messages_that_the_broker_refuses_are_kept(tmp_path: Path, played: Any) -> None:
    acl = tmp_path / "acl"
    acl.write_text("user other\ntopic readwrite companion/other/#\n")
    acl.chmod(0o644)
    broker = Mosquitto(tmp_path / "secured", f"acl_file {acl}", users={"other": "x"})
    file = tmp_path / "password"
    file.write_text("x")
    device: MqttDevice = played.device(broker, user="other", password_file=str(file))
    until(lambda: device.connected)
    played.begin()
    time.sleep(0.7)
    assert cursor(played.folder).number == 0
    broker.kill()


def test_what_happened_long_ago_is_marked_as_late(
    broker: Mosquitto, played: Any, consumer: MakeConsumer
) -> None:
    with Journal(played.folder / "old.sqlite", wall=lambda: datetime(2026, 1, 1, tzinfo=UTC)) as journal:
        game = journal.begin_game("nasty_7", ["Ida", "Jo"], {})
        journal.append(game.id, 1, 1.0, {"event": "card_played"}, source="phone")
    [_, entry] = JournalOutbox("bay", played.folder / "old.sqlite").after(OutboxPosition("s"), 9) or []
    assert json.loads(entry.messages[0][1])["late"] is True
    seen = consumer()
    played.device(broker)
    played.begin()
    played.play("Ida")
    until(lambda: len(seen.on("event")) == 2)
    assert seen.on("event")[1]["late"] is False


def test_a_connection_counts_only_once_the_broker_answered_its_subscriptions(broker: Mosquitto) -> None:
    sent: list[object] = []
    connection = BrokerConnection(broker.config(), "subscribes")
    connection.receive(["companion/window/seating"], lambda _message, _number: None)
    subscribe = connection._client.subscribe
    connection._client.subscribe = sent.append
    connection.start()
    until(lambda: sent)
    until(connection._client.is_connected)
    assert not connection.connected, "what is sent now would be lost"
    subscribe(sent[0])
    until(lambda: connection.connected)
    connection.stop()
