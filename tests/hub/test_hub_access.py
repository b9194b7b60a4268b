"""The access rules and the unit that the hub is installed with."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from free_port import free_port
from mosquitto_broker import Consumer, Mosquitto, until

from companion.hub.settings import HubSettings, load_settings, reference

ROOT = Path(__file__).parents[2]
FILES = ROOT / "systemd" / "hub"
USERS = ("window", "bay", "hub-service", "homeassistant-service")


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Mosquitto]:
    acl = tmp_path / "acl"
    acl.write_text((FILES / "companion.acl").read_text())
    acl.chmod(0o600)
    broker = Mosquitto(
        tmp_path / "broker",
        f"acl_file {acl}",
        "message_size_limit 65536",
        users=dict.fromkeys(USERS, "x"),
    )
    (tmp_path / "password").write_text("x")
    yield broker
    broker.kill()


def client(broker: Mosquitto, user: str, *topics: str) -> Consumer:
    password = str(broker.folder.parent / "password")
    return Consumer(
        broker.config(user=user, password_file=password), *(topics or ("companion/#",)), name=user
    )


@pytest.mark.parametrize(
    ("topic", "allowed"),
    [
        ("companion/window/status", True),
        ("companion/window/result/g1", True),
        ("homeassistant/sensor/companion-window/game/config", True),
        ("companion/bay/status", False),
        ("companion/bay/result/g1", False),
        ("companion/bay/command/undo", False),
        ("companion/bay/resend", False),
        ("companion/window/resend", False),
        ("companion/window/forgotten", True),
        ("companion/bay/forgotten", False),
        ("companion/window/seating", False),
        ("companion/bay/seating", False),
        ("companion/window/other", False),
        ("homeassistant/sensor/companion-bay/game/config", False),
        ("companion/window/../bay/status", False),
        ("$SYS/x", False),
    ],
)
def test_a_table_writes_its_own_topics_only(guarded: Mosquitto, topic: str, allowed: bool) -> None:
    table = client(guarded, "window")
    table.send(topic, b"{}")
    assert table.refused() is not allowed
    table.close()


def test_a_table_reads_nothing_of_others_and_the_hub_reads_all(guarded: Mosquitto) -> None:
    table, hub = client(guarded, "bay"), client(guarded, "hub-service")
    sender = client(guarded, "window")
    sender.send("companion/window/event", b"{}")
    until(lambda: hub.on("event"))
    assert table.on("event") == []
    hub.send("companion/bay/resend", b"{}")
    until(lambda: table.on("resend"))
    hub.send("companion/bay/seating", b"{}")
    until(lambda: table.on("seating"))
    hub.send("companion/bay/result/g1", b"{}")
    time.sleep(0.3)
    assert hub.on("result") == []
    for one in (table, hub, sender):
        one.close()


def test_ten_megabytes_are_refused_by_the_broker(guarded: Mosquitto) -> None:
    hub, sender = client(guarded, "hub-service"), client(guarded, "window")
    sender.send("companion/window/event", b"0" * 10_000_000)
    time.sleep(0.5)
    assert hub.on("event") == []
    for one in (hub, sender):
        one.close()


def test_the_installed_configuration_is_valid() -> None:
    settings = load_settings(FILES / "hub.toml")
    assert settings.broker.user == "hub-service"
    assert isinstance(settings, HubSettings)
    text = (FILES / "companion-hub.service").read_text()
    for file in (settings.broker.password_file, settings.pages.organiser_file):
        assert f"LoadCredential={os.path.basename(file)}:" in text


def test_the_written_reference_is_current() -> None:
    assert (ROOT / "docs" / "hub-configuration.md").read_text() == reference()


def test_make_hub_starts_broker_and_hub(tmp_path: Path) -> None:
    mqtt, pages = free_port(), free_port()
    environ = {**os.environ, "MQTT_PORT": str(mqtt), "HUB_PORT": str(pages)}
    command = [str(FILES / "try.sh"), sys.executable, str(tmp_path / "data")]
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(command, env=environ, cwd=ROOT, stdout=log, stderr=log)

    def answers_or_ended() -> bool:
        assert process.poll() is None, (tmp_path / "log").read_text()
        return answers(f"http://127.0.0.1:{pages}/")

    try:
        until(answers_or_ended, 60)
        until(
            lambda: "broker_connected 1" in requests.get(f"http://127.0.0.1:{pages}/metrics", timeout=9).text
        )
    finally:
        process.terminate()
        process.wait(20)
    assert "port = " + str(mqtt) in (tmp_path / "log").read_text()
    until(lambda: not answers(f"http://127.0.0.1:{pages}/"))


@pytest.mark.parametrize(
    ("taken", "said"),
    [("MQTT_PORT", "name another port: MQTT_PORT="), ("HUB_PORT", "name another port in [pages]")],
)
def test_make_hub_says_what_to_do_about_a_port_that_is_taken(tmp_path: Path, taken: str, said: str) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        ports = {"MQTT_PORT": str(free_port()), "HUB_PORT": str(free_port())}
        environ = {**os.environ, **ports, taken: str(other.getsockname()[1])}
        command = [str(FILES / "try.sh"), sys.executable, str(tmp_path / "data")]
        ended = subprocess.run(command, env=environ, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert ended.returncode != 0
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr


def answers(address: str) -> bool:
    try:
        return requests.get(address, timeout=9).ok
    except requests.ConnectionError:
        return False
