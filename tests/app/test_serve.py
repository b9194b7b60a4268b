"""The service as a process: pages, one clear line for what is wrong, an end within two seconds."""

import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

QUICK_S = 6.0
"""An end that waits for a phone's stream takes ten; two seconds are wanted, where nothing else runs."""
CLI = [sys.executable, "-c", "from companion.commands.cli import main; main()"]


def companion(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*CLI, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **environ},
        check=False,
    )


class Running:
    """A service in its own process."""

    def __init__(self, data: Path, *arguments: str, **environ: str) -> None:
        data.mkdir(exist_ok=True)
        if not (data / "config.toml").exists() and "--config" not in arguments:
            (data / "config.toml").write_text('[camera]\nbackend = "none"\n')
        self.process = subprocess.Popen(
            [*CLI, "serve", "--simulated", "--port", "0", "--data", str(data), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **environ},
        )
        assert self.process.stdout is not None
        self.said = self.process.stdout.readline()
        found = re.search(r":(\d+)/", self.said)
        if found is None:
            self.process.kill()
            raise AssertionError((self.said, self.process.communicate(timeout=60)))
        self.url = f"http://127.0.0.1:{found[1]}"
        pin = re.search(r"code (\d{6})", self.said)
        self.pin = pin[1] if pin else ""

    def get(self, path: str) -> str:
        with urllib.request.urlopen(self.url + path, timeout=60) as answer:
            return str(answer.read().decode())

    def end(self, number: int = signal.SIGTERM) -> tuple[int, float, str]:
        """Exit status, seconds it took, standard error."""
        before = time.monotonic()
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=60)
        return self.process.returncode, time.monotonic() - before, errors


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    service = Running(tmp_path / "data")
    yield service
    if service.process.poll() is None:
        service.process.kill()
        service.process.communicate(timeout=60)


def test_the_pages_are_there_and_the_end_is_quick_and_silent(running: Running) -> None:
    assert "<html" in running.get("/")
    with socket.create_connection(("127.0.0.1", int(running.url.rpartition(":")[2]))) as phone:
        phone.sendall(b"GET /events HTTP/1.1\r\nHost: x\r\n\r\n")  # holds an event stream open
        assert b"200" in phone.recv(100)
        status, seconds, errors = running.end()
    assert (status, errors) == (0, "")
    assert seconds < QUICK_S


LEAVES = """
import atexit, threading
from companion.runtime.systemd import leave
atexit.register(print, "ended by Python")
if {busy}:
    threading.Thread(target=threading.Event().wait, daemon=True).start()
print("written")
leave()
"""


@pytest.mark.parametrize(("busy", "said"), [(True, "written\n"), (False, "written\nended by Python\n")])
def test_the_end_waits_for_no_thread_that_is_inside_a_library(busy: bool, said: str) -> None:
    code = LEAVES.format(busy=busy)
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert ended.stdout == said


def test_control_c_ends_it_as_well(running: Running) -> None:
    status, seconds, errors = running.end(signal.SIGINT)
    assert (status, errors) == (0, "")
    assert seconds < QUICK_S


def test_a_second_service_on_the_same_data_is_refused_in_one_line(running: Running, tmp_path: Path) -> None:
    second = companion("serve", "--simulated", "--port", "0", "--data", str(tmp_path / "data"))
    assert second.returncode == 1
    assert second.stderr.count("\n") == 1
    assert "are in use by companion serve" in second.stderr
    assert "<html" in running.get("/")


def test_a_port_in_use_is_named_in_one_line_and_nothing_stays(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        port = taken.getsockname()[1]
        data = str(tmp_path / "data")
        refused = companion("serve", "--simulated", "--port", str(port), "--data", data)
    assert refused.returncode == 1
    assert refused.stderr.count("\n") == 1
    assert f"port {port} cannot be used" in refused.stderr
    assert Running(tmp_path / "data").end()[0] == 0


@pytest.mark.parametrize(
    ("arguments", "environ", "message", "status"),
    [
        (["--config", "/nowhere.toml"], {}, "there is no configuration /nowhere.toml", 2),
        (["--data", "/proc/companion"], {}, "cannot make the data folder", 1),
        ([], {"COMPANION_DATA": "/proc/companion"}, "cannot make the data folder", 1),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    arguments: list[str], environ: dict[str, str], message: str, status: int
) -> None:
    refused = companion("serve", "--simulated", "--port", "0", *arguments, **environ)
    assert (refused.returncode, refused.stderr.count("\n")) == (status, 1)
    assert message in refused.stderr


def test_a_wrong_configuration_in_the_data_folder_names_its_key(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("[pages]\nprot = 1\n")
    refused = companion("serve", "--simulated", "--data", str(tmp_path))
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "there is no key pages.prot" in refused.stderr


def test_systemd_is_told_of_start_life_and_end(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(60)
        service = Running(tmp_path / "data", NOTIFY_SOCKET=str(tmp_path / "notify"))
        told = [manager.recv(100).decode() for _ in range(2)]
        service.end()
        while told[-1] != "STOPPING=1":
            told.append(manager.recv(100).decode())
    assert told[:2] == ["READY=1", "WATCHDOG=1"]


def test_a_game_survives_kill_9_and_is_exported(tmp_path: Path) -> None:
    """What a phone was told happened, happened."""
    from companion.store.journal import read_journal

    data = tmp_path / "data"
    first = Running(data)
    (told,) = play(first, [{"event": "card_played", "player": "Ida", "card": "gun"}])
    assert told["ok"]
    first.process.kill()
    first.process.communicate(timeout=60)
    second = Running(data)
    state = json.loads(second.get("/state.json"))
    assert state["log"][0]["event"]["card"] == "gun"
    assert state["paused"] == "microphone", "nobody hears: no deadline expires"
    assert second.end()[0] == 0
    journal = read_journal(data / "journal.sqlite")
    number = journal.games()[-1].id
    journal.close()
    script = companion("export", str(number), "--data", str(data)).stdout.splitlines()
    assert json.loads(script[1])["card"] == "gun"
    assert f"{number}  " in companion("export", "--data", str(data)).stdout
    table = companion("export", "--csv", "-", "--data", str(data))
    assert table.stdout.splitlines()[1].split(",")[5] == "Ida"
    saved = companion("backup", str(tmp_path / "all.zip"), "--data", str(data))
    assert saved.returncode == 0
    restored = companion("backup", "--restore", str(tmp_path / "all.zip"), "--data", str(tmp_path / "new"))
    assert restored.returncode == 0
    assert companion("export", str(number), "--data", str(tmp_path / "new")).stdout.splitlines() == script


def play(service: Running, events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Starts a game as the referee's phone does and enters events; returns the answers."""
    import http.cookiejar

    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def post(path: str, body: dict[str, Any]) -> dict[str, Any]:
        headers = {"Origin": service.url, "Content-Type": "application/json"}
        request = urllib.request.Request(service.url + path, json.dumps(body).encode(), headers)
        with opener.open(request, timeout=60) as answer:
            found: dict[str, Any] = json.loads(answer.read())
        return found

    assert post("/api/role", {"code": service.pin})["ok"]
    assert post("/api/command/new_game", {"game": "nasty_7", "players": ["Ida", "Jo"], "settings": {}})["ok"]
    return [post("/api/command/event", event) for event in events]


def test_without_data_there_is_nothing_to_export(tmp_path: Path) -> None:
    refused = companion("export", "--data", str(tmp_path / "nothing"))
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
    assert "there is no journal" in refused.stderr


def test_the_doctor_finds_and_names_remedies(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('[camera]\nbackend = "none"\n[microphone]\nbackend = "none"\n')
    seen = companion("doctor", "--json", "--data", str(tmp_path))
    found = json.loads(seen.stdout)
    by_name = {one["name"]: one for one in found["findings"]}
    assert by_name["python"]["there"]
    assert by_name["data folder"]["there"]
    assert by_name["camera"]["what"] == "switched off in the configuration"
    assert all(one["remedy"] for one in found["findings"] if one["needed"] and not one["there"])
    assert seen.returncode == (0 if found["ok"] else 1)
    plain = companion("doctor", "--data", str(tmp_path)).stdout
    assert len(plain.splitlines()) >= len(found["findings"])


def test_the_doctor_says_that_the_service_runs(running: Running, tmp_path: Path) -> None:
    found = json.loads(companion("doctor", "--json", "--data", str(tmp_path / "data")).stdout)["findings"]
    assert "uses the data" in next(one["what"] for one in found if one["name"] == "service")


UNTIL_READY = """
import sys
import companion.runtime.systemd
from companion.commands.cli import main

def told(state, environ):
    if state == "READY=1":
        print(sorted({"numpy", "cv2", "vosk", "sounddevice"} & set(sys.modules)), file=sys.stderr)
        companion.runtime.systemd.os._exit(0)

companion.runtime.systemd.notify = told
main()
"""


def test_what_only_the_senses_need_waits_until_the_service_is_ready(tmp_path: Path) -> None:
    """A table that was killed is back by so much sooner, with its game on it."""
    first = Running(tmp_path / "data")
    play(first, [{"event": "card_played", "player": "Ida", "card": "gun"}])
    first.end(signal.SIGKILL)
    again = subprocess.run(
        [sys.executable, "-c", UNTIL_READY, "serve", "--simulated", "--port", "0"],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "COMPANION_DATA": str(tmp_path / "data")},
        check=False,
    )
    assert (again.returncode, again.stderr) == (0, "[]\n"), again


def test_a_service_starts_without_a_disk_that_can_be_written(tmp_path: Path) -> None:
    """Nobody, not even root, can make a file in this folder of the kernel."""
    (tmp_path / "config.toml").write_text('[camera]\nbackend = "none"\n')
    (tmp_path / "run").mkdir()
    options = ("--config", str(tmp_path / "config.toml"))
    service = Running(Path("/sys/kernel"), *options, RUNTIME_DIRECTORY=str(tmp_path / "run"))
    try:
        shown = json.loads(service.get("/state.json"))
        assert shown["sources"]["storage"]["up"] is False
        assert shown["sources"]["storage"]["why"].startswith("nothing is stored")
        assert shown["announcement"]["text"].startswith("Careful: nothing is stored")
    finally:
        _, _, errors = service.end()
    assert "nothing is stored" in errors


def test_a_disk_that_fills_up_in_mid_game_is_said_and_survived(running: Running) -> None:
    """No file of the process may grow, as on a full disk; later it may again."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())

    def post(path: str, **fields: Any) -> dict[str, Any]:
        headers = {"Origin": running.url, "Content-Type": "application/json"}
        request = urllib.request.Request(running.url + path, json.dumps(fields).encode(), headers)
        try:
            with opener.open(request, timeout=60) as answer:
                return dict(json.loads(answer.read()))
        except urllib.error.HTTPError as refused:
            return dict(json.loads(refused.read()))

    def limit(size: int) -> None:
        resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    assert post("/api/role", code=running.pin)["ok"]
    assert post("/api/command/new_game", game="nasty_7", players=["Ida", "Jo"])["ok"]
    limit(0)
    refused = post("/api/command/event", event="card_played", player="Ida", card="gun")
    assert (refused["ok"], refused["code"]) == (False, "not_written")
    shown = json.loads(running.get("/state.json"))
    assert shown["announcement"]["code"] == "not_written"
    assert shown["log"] == []
    limit(resource.RLIM_INFINITY)
    assert post("/api/command/event", event="card_played", player="Ida", card="gun")["ok"]
    assert len(json.loads(running.get("/state.json"))["log"]) == 1
    assert running.end()[0] == 0
