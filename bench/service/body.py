"""Timing of buttons, countdown and sound, and cost of the service: `python -m bench.service.body`.

Buttons and buzzer are gpiozero's simulated pins, which keep the moment of each change; everything between
them is the service's own: table, journal, announcer and outputs. `--serve SECONDS` measures the whole service
with a camera of 30 pictures a second and a microphone, a game of The Nasty 7 on the table.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
import wave
from pathlib import Path
from typing import Any

import numpy as np

from bench.report import options as results_option
from bench.report.estimates import median, single
from bench.report.results import record
from bench.service.table import median_and_95th
from companion.api.commands import Caller, EnterEvent, NewGame
from companion.senses.idle_detector import QUIET_S

BUZZER, REFEREE = 18, 13
CALLER = Caller("referee")
RATE = 16_000


def table_of_wires(folder: Path) -> Any:
    """An app with two buttons and a buzzer on simulated pins."""
    from companion.core.config import parse
    from companion.devices.inputs import Inputs
    from companion.runtime.app import App
    from companion.store.folder import DataFolder
    from hardware import gpio

    gpio.simulate()
    text = f'[buttons]\nreferee = {REFEREE}\n[buzzer]\npin = {BUZZER}\n[voice]\nbackend = "none"\n'
    app = App(parse(text, ()), DataFolder(folder / "data"), inputs=Inputs())
    app.start()
    return app


def countdown(app: Any) -> tuple[list[float], float]:
    """Errors of the edges nine, eight ... one, stop against the moment of the last trophy plus whole seconds,
    and the seconds from that moment to the edge of ten."""
    from gpiozero import Device

    pin = Device.pin_factory.pin(BUZZER)
    game = {"game": "bugs_and_co", "players": ("Ida", "Jo"), "settings": {"countdown": "companion"}}
    app.table.command(NewGame(**game), CALLER)
    app.table.command(EnterEvent({"event": "game_started"}), CALLER)
    value = app.table.snapshot().state["trophies"][0]
    time.sleep(1.0)
    pin.clear_states()
    begun = time.monotonic()
    app.table.command(EnterEvent({"event": "trophy_taken", "player": "Ida", "value": value}), CALLER)
    while app.table.snapshot().phase == "countdown":
        time.sleep(0.1)
    time.sleep(1.2)
    clear = begun  # states are counted in seconds since the one before
    rising, at = [], None
    for state in pin.states:
        at = clear if at is None else at + state.timestamp
        if state.state and at is not None:
            rising.append(at)
    row = app.table.referee.game
    taken = [entry.event["t"] for entry in row.record.entries if entry.event["event"] == "trophy_taken"]
    start = row.clock.moment(taken[-1])
    assert len(rising) == 11, rising
    return [edge - (start + i) for i, edge in enumerate(rising[1:], 1)], rising[0] - start


def presses(app: Any, times: int = 60) -> list[float]:
    """Seconds from a contact of the referee's button to the change that is sent to the phones."""
    from gpiozero import Device

    game = {"game": "nasty_7", "players": ("Ida", "Jo"), "settings": {"deck_size": 2 * times}}
    app.table.command(NewGame(**game), CALLER)
    for n in range(times):
        event = {"event": "card_played", "player": ("Ida", "Jo")[n % 2], "card": "gun"}
        app.table.command(EnterEvent(event), CALLER)
    changes = app.table.subscribe()
    while not changes.empty():
        changes.get_nowait()
    pin, seconds = Device.pin_factory.pin(REFEREE), []
    for _ in range(times):
        begun = time.perf_counter()
        pin.drive_low()
        changes.get(timeout=5)
        seconds.append(time.perf_counter() - begun)
        pin.drive_high()
        time.sleep(0.03)
        while not changes.empty():
            changes.get_nowait()
    return seconds


def sound_clock(blocks: int = 5000) -> float:
    """Standard deviation in seconds of the time given to blocks that come up to 15 ms late, some 60."""
    from hardware.sampleclock import SampleClock

    rng = np.random.default_rng(1)
    clock, errors = SampleClock(RATE), []
    for n in range(blocks):
        late = rng.gamma(2.0, 0.002) + (0.06 if rng.random() < 0.01 else 0.0)
        t, _ = clock.block(320, 100.0 + (n + 1) * 0.02 + late)
        if n > 250:
            errors.append(t - (100.0 + n * 0.02))
    return float(np.std(errors))


def serve(seconds: float) -> dict[str, float]:
    """CPU share of one core and memory of the service with all senses, nothing happening on the table: while
    it looks at every picture, and when the camera rests."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _recordings(folder)
        data = folder / "data"
        data.mkdir()
        (data / "config.toml").write_text(
            f'[pages]\nopen_to_all = true\n[voice]\nbackend = "none"\n'
            f'[camera]\nbackend = "recording"\nfile = "{folder / "table.avi"}"\n'
            f'[microphone]\nbackend = "recording"\nfile = "{folder / "room.wav"}"\n'
        )
        command = [
            str(Path(sys.executable).parent / "companion"),
            "serve",
            "--simulated",
            "--no-browser",
            "--port",
            "0",
        ]
        begun = time.perf_counter()
        service = subprocess.Popen([*command, "--data", str(data)], stdout=subprocess.PIPE, text=True)
        try:
            assert service.stdout is not None
            url = service.stdout.readline().split()[4]
            ready = time.perf_counter() - begun
            _load(service.pid)
            loaded = time.perf_counter() - begun
            body = {"game": "nasty_7", "players": ("Ida", "Jo"), "settings": {}}
            head = {"Content-Type": "application/json", "Origin": url.rstrip("/")}
            new = urllib.request.Request(f"{url}api/command/new_game", json.dumps(body).encode(), head)
            urllib.request.urlopen(new, timeout=20).close()
            time.sleep(4.0)
            awake = _cpu_percent(service.pid, QUIET_S - 5.0)
            time.sleep(5.0)
            return {
                "ready_s": ready,
                "loaded_s": loaded,
                "awake_percent": awake,
                "cpu_percent": _cpu_percent(service.pid, seconds),
                "memory_mb": _memory_mb(service.pid),
            }
        finally:
            service.terminate()
            service.wait(20)


def _recordings(folder: Path) -> None:
    """A table on which nothing happens, 30 pictures a second, and a quiet room; a minute of each."""
    import cv2

    from companion.art.scene import Conditions, Scene, View

    rng = np.random.default_rng(3)
    light = Conditions("cloth", 1.0, (1.0, 1.0, 1.0), 0.3, blur=0.5, noise=2.0, jpeg=92, worn=0.4)
    scene = Scene("nasty_7", View(width=1280, height=720, span=620.0, tilt=10.0), light, rng)
    still = scene.render([]).image
    noisy = [
        cv2.add(still, rng.normal(0, 1.5, still.shape).astype(np.int8), dtype=cv2.CV_8U) for _ in range(5)
    ]
    video = cv2.VideoWriter(str(folder / "table.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 30.0, (1280, 720))
    for number in range(30 * 60):
        video.write(noisy[number % len(noisy)])
    video.release()
    with wave.open(str(folder / "room.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(rng.normal(0, 20, 60 * RATE).astype("<i2").tobytes())


def _load(pid: int) -> None:
    """Waits until the process has loaded its models: Vosk is there, and little but pictures is computed."""
    limit = time.perf_counter() + 60.0
    while time.perf_counter() < limit:
        if _cpu_percent(pid, 0.2) < 50.0 and "libvosk" in Path(f"/proc/{pid}/maps").read_text():
            return
    raise SystemExit("the service has not loaded its models within a minute")


def _cpu_percent(pid: int, seconds: float) -> float:
    """Share of one core over the next seconds."""
    before = _cpu(pid)
    time.sleep(seconds)
    return 100 * (_cpu(pid) - before) / seconds


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def main() -> None:
    """Prints the figures as rows of a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--serve", type=float, default=0.0, metavar="SECONDS")
    results_option.add(parser)
    asked = parser.parse_args()
    seconds = asked.serve
    with tempfile.TemporaryDirectory() as name:
        app = table_of_wires(Path(name))
        try:
            pressed = presses(app)
            print(f"| a press, judged, written and sent to the phones | {median_and_95th(pressed)} |")
            errors, ten = countdown(app)
        finally:
            app.stop()
    late = ", ".join(f"{1000 * error:.1f}" for error in errors)
    print(f"| the last trophy to the tick of ten | {1000 * ten:.1f} ms |")
    print(f"| error of each edge, nine to stop | {late} ms |")
    drift = 1000 * sound_clock()
    print(f"| sound to clock, standard deviation | {drift:.2f} ms |")
    found = {
        "service/press": median([1000 * second for second in pressed]),
        "service/countdown": single(max(abs(1000 * error) for error in errors)),
        "service/sound-clock": single(drift),
    }
    if seconds:
        costs = serve(seconds)
        print(f"| the service from cold to ready | {costs['ready_s']:.1f} s |")
        print(f"| until its models are loaded, too | {costs['loaded_s']:.1f} s |")
        print(f"| its CPU, one core, nothing moves: every picture | {costs['awake_percent']:.0f} % |")
        print(f"| the same after {QUIET_S:.0f} s: the camera rests | {costs['cpu_percent']:.0f} % |")
        print(f"| its memory with all senses | {costs['memory_mb']:.0f} MB |")
        found["service/resting-cpu"] = single(costs["cpu_percent"] / 100)
        found["service/memory"] = single(costs["memory_mb"])
    record(asked.results, found)


if __name__ == "__main__":
    main()
