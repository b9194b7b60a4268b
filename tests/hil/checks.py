"""The checks inside the virtual machine, one after the other; the figures into out/results.json."""

from __future__ import annotations

import json
import os
import queue
import shutil
import statistics
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bought import DEVICES
from table import (
    PLATFORM,
    Edges,
    Line,
    LoopbackCamera,
    Page,
    Service,
    command,
    now,
    play,
    source,
    state,
    until,
)

OUT = Path("/hil/out")
BUZZER, SEAT_1, SEAT_2, REFEREE, LISTENING = (Line(number) for number in (18, 5, 6, 13, 25))
service = Service()
figures: dict[str, Any] = {}


def in_ms(values: list[float]) -> dict[str, float | list[float]]:
    """Some seconds in milliseconds: median, 95th percentile, largest, and all."""
    ordered = sorted(values)
    return {
        "n": len(ordered),
        "median": round(1e3 * statistics.median(ordered), 1),
        "p95": round(1e3 * ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 1),
        "largest": round(1e3 * ordered[-1], 1),
        "values": [round(1e3 * one, 1) for one in values],
    }


camera = LoopbackCamera()


def errors_of(found: list[float]) -> list[float]:
    """How far each of some edges, a second apart, lies from where the middle one of them puts it."""
    errors = [edge - found[0] - i for i, edge in enumerate(found)]
    middle = statistics.median(errors)
    return [error - middle for error in errors]


# --- the checks -------------------------------------------------------------------------------------------


def starts() -> None:
    camera.shows("empty.yuv", fps=2.0)  # an empty table is as empty at two pictures a second
    figures["start_s"] = round(service.start(), 1)
    for name in ("buttons", "buzzer", "lamps", "listening lamp"):
        assert source(name), state()["sources"]
    figures["camera_up_s"] = round(until(lambda: source("camera"), 30, "the camera comes up"), 1)
    figures["microphone_up_s"] = round(until(lambda: source("microphone"), 30, "the microphone comes up"), 1)
    assert not LISTENING.high, "no game listens: the lamp must be dark"


def presses_become_events() -> None:
    """The referee's button takes a tile back: contact to the page's picture of it, and to the buzzer."""
    command("new_game", game="bugs_and_co", players=["Ida", "Jo"], settings={"countdown": "companion"})
    command("event", event="game_started", t=0.0)
    for _ in range(12):
        command("event", event="tile_taken", player="Jo")
    page = Page()
    delays, sounds = [], []
    for _ in range(12):
        time.sleep(0.4)
        taken = state()["state"]["taken"]["Jo"]
        with Edges(BUZZER) as edges:
            moment = REFEREE.pull(False)
            arrived = page.until(
                lambda shown, taken=taken: shown["state"]["taken"]["Jo"] < taken, 20, "the press arrives"
            )
            REFEREE.pull(True)
            delays.append(arrived - moment)
            until(lambda edges=edges: edges.look().rising, 5, "the buzzer tells")
        sounds += [edge - moment for edge in edges.rising[:1]]
    page.close()
    figures["press_to_page_ms"] = in_ms(delays)
    figures["press_to_buzzer_ms"] = in_ms(sounds)


def presses_are_delivered_at_once() -> None:
    """In a process of its own, which gives the lines back when it ends."""
    done = subprocess.run(
        [sys.executable, __file__, "presses"], check=True, capture_output=True, text=True, timeout=120
    )
    figures.update(json.loads(done.stdout))


def presses() -> int:
    """The service's own class for buttons, by itself: contact to callback, and the time it gives."""
    from companion.core.observations import Press
    from hardware.gpio import Buttons

    os.environ["GPIOZERO_PIN_FACTORY"] = "lgpio"
    os.chdir("/run")
    pressed: queue.SimpleQueue[tuple[float, Press]] = queue.SimpleQueue()
    buttons = Buttons({"seat 1": 5, "seat 2": 6}, lambda press: pressed.put((now(), press)), now)
    delays, errors = [], []
    for _ in range(40):
        moment = SEAT_2.pull(False)
        arrived, press = pressed.get(timeout=10)
        SEAT_2.pull(True)
        time.sleep(0.06)
        delays.append(arrived - moment)
        errors.append(abs(press.t - moment))
    buttons.close()
    assert pressed.empty(), "one press, one event"
    print(json.dumps({"press_to_event_ms": in_ms(delays), "press_time_error_ms": in_ms(errors)}))
    return 0


def the_countdown_keeps_time() -> None:
    """Ten ticks and the stop, each against the moment of the last trophy plus whole seconds."""
    value = state()["state"]["trophies"][0]
    page = Page()
    with Edges(BUZZER) as edges:
        command("event", event="trophy_taken", player="Ida", value=value)
        page.until(lambda shown: shown["phase"] == "scoring", 40, "the countdown ends")
        time.sleep(2.0)
    page.close()
    assert len(edges.rising) == 11, edges.rising
    errors = errors_of(edges.rising[1:])
    figures["countdown_edge_error_ms"] = in_ms([abs(error) for error in errors])
    figures["countdown_drift_ms"] = round(1e3 * (errors[-1] - errors[0]), 1)
    stop = edges.falling[-1] - edges.rising[-1]
    figures["stop_length_s"] = round(stop, 2)
    assert 0.8 < stop < 1.1, stop


def the_ears_hear_the_loopback() -> None:
    """Microphone and ears one after the other, so that no processor is too slow for it."""
    heard = told_by([sys.executable, str(Path(__file__).parent / "ears.py")])
    figures["ears"] = heard
    assert heard["words"] == ["one"], heard
    assert heard["lost_or_foreign_samples"] == 0, heard


def a_call_is_judged() -> None:
    """With much time for the call, and the camera unplugged meanwhile: the ears take an emulated processor
    all to themselves, and hear the call long after it was made."""
    camera.unplug()
    until(lambda: not source("camera"), 30, "the camera is missed")
    command("new_game", game="nasty_7", players=["Ida", "Jo"], settings={"hesitation_s": 60.0})
    until(lambda: LISTENING.high, 10, "the listening lamp")
    card = {"event": "card_played", "player": "Ida", "card": "racketeer"}
    threading.Thread(target=lambda: command("event", **card), daemon=True).start()
    # People see the card before they call. A table on an emulated processor needs a second and more to tell
    # the ears what is due, and a call in which they begin to listen anew would be heard in pieces.
    until(lambda: any(e["event"]["event"] == "card_played" for e in state()["log"]), 60, "the card is taken")
    time.sleep(2.0)
    begun = now()
    figures["call_played_into"] = play("one.wav")
    was_heard = lambda: any(e["event"]["event"] == "heard" for e in state()["log"])  # noqa: E731
    until(lambda: was_heard() or state()["questions"], 300, "the call is heard", 2.0)
    assert was_heard(), state()["questions"]
    heard = next(e for e in state()["log"] if e["event"]["event"] == "heard")
    figures["call"] = {
        "words": heard["event"].get("words"),
        "verdicts": [v["verdict"] for v in heard["verdicts"]],
    }
    figures["call_judged_after_s"] = round(now() - begun, 1)
    camera.shows("empty.yuv", fps=2.0)
    until(lambda: source("camera"), 30, "the camera comes back")
    assert heard["event"]["words"] == ["one"], heard


def answered() -> list[str]:
    """Answers open questions as the table would (the call was "one"): no card is played before that."""
    told = []
    for question in state()["questions"]:
        right = next((one for one in question["options"] if one["words"] == ["one"]), question["options"][-1])
        command("answer", question=question["id"], option=right["id"])
        told.append(f"{question['text']} {right['label']}")
    return told


def a_card_is_recognised() -> None:
    if asked := answered():
        figures["answered_first"] = asked
    cards = len([e for e in state()["log"] if e["event"]["event"] == "card_played"])
    # The card stays for half a minute: a busy emulated processor would see it for a picture or two only.
    camera.shows("landing.yuv", stays=10)
    played = lambda: [e for e in state()["log"] if e["event"]["event"] == "card_played"]  # noqa: E731
    took = until(lambda: len(played()) > cards or state()["questions"], 300, "the card is seen", 1.0)
    figures["card_seen_s"] = round(took, 1)
    assert not state()["questions"], state()["questions"]
    figures["card"] = played()[-1]["event"]["card"]
    assert figures["card"] == "phone", played()[-1]


def the_microphone_comes_back() -> None:
    driver = Path("/sys/bus/platform/drivers/snd_aloop")
    device = next(path.name for path in driver.iterdir() if path.name.startswith("snd_aloop."))
    (driver / "unbind").write_text(device)
    figures["microphone_missed_s"] = round(until(lambda: not source("microphone"), 10, "it is missed"), 2)
    assert not LISTENING.high, "nothing is analysed: the lamp must be dark"
    time.sleep(1)
    (driver / "bind").write_text(device)
    figures["microphone_back_s"] = round(until(lambda: source("microphone"), 10, "it comes back"), 2)


def the_camera_comes_back() -> None:
    camera.unplug()
    figures["camera_missed_s"] = round(until(lambda: not source("camera"), 15, "it is missed"), 2)
    camera.shows("empty.yuv", fps=2.0)
    figures["camera_back_s"] = round(until(lambda: source("camera"), 15, "it comes back"), 2)


def a_killed_service_takes_the_game_up() -> None:
    before = state()
    service.as_shipped()
    pid = service.show("MainPID")
    begun = now()
    service.kill("SIGKILL")
    figures["kill_to_ready_s"] = round(service.until_ready(pid, begun, 180), 1)
    after = state()
    assert after["state"] == before["state"], (before["state"], after["state"])
    assert [e["event"] for e in after["log"]] == [e["event"] for e in before["log"]]
    assert not BUZZER.high


def a_hanging_service_is_started_again() -> None:
    before = state()["state"]
    pid = service.show("MainPID")
    begun = now()
    service.kill("SIGSTOP")
    figures["hang_to_ready_s"] = round(service.until_ready(pid, begun, 240), 1)
    assert state()["state"] == before


def bought(device: str) -> Callable[[], None]:
    """The check of a device as people buy it, in a process of its own (bought.py)."""

    def check() -> None:
        figures[device] = told_by([sys.executable, str(Path(__file__).parent / "bought.py"), device])

    check.__name__ = f"bought_{device}"
    return check


def the_pis_camera_gives_pictures() -> None:
    """The kernel's virtual sensor through libcamera and picamera2, under the unit's own restrictions."""
    heap = Path("/dev/dma_heap/linux,cma")  # as a Pi's kernel names the memory for pictures
    if not heap.exists():
        heap.symlink_to("system")
    script = Path("/run/sensor.py")  # the share is root's alone
    shutil.copy(Path(__file__).parent / script.name, script)
    run = ["systemd-run", "--quiet", "--wait", "--pipe", "--collect", *restrictions()]
    command = [*run, sys.executable, str(script)]
    figures["pi_camera"] = told_by(command)


def told_by(command: list[str]) -> Any:
    """The last line of a program of its own, an object in JSON."""
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=400)
    if done.returncode != 0:
        (OUT / f"{Path(command[-1]).stem}.log").write_text(done.stderr)
        raise AssertionError(f"{command[-1]} failed: see out/{Path(command[-1]).stem}.log")
    return json.loads(done.stdout.splitlines()[-1])


def restrictions() -> list[str]:
    """What the shipped unit says of user, devices and the system, as options for systemd-run."""
    unit = Path("/etc/systemd/system/companion.service").read_text()
    lines = unit.partition("[Service]")[2].partition("[Install]")[0].splitlines()
    whose = ("User", "Group", "Supplementary", "Device", "Capability", "Ambient")
    what = ("NoNew", "Protect", "Private", "Restrict", "Remove", "Lock", "SystemCall")
    return [f"-p{line}" for line in lines if line.startswith((*whose, *what))]


def resting() -> None:
    """With a table on which nothing moves."""
    camera.shows("empty.yuv", fps=2.0)
    time.sleep(20)
    spent, begun = service.cpu_s, now()
    time.sleep(20)
    figures["idle_cpu_percent"] = round(100 * (service.cpu_s - spent) / (now() - begun))
    figures["memory_mb"] = round(service.memory_mb)


def ends_in_silence() -> None:
    service.stop()
    assert [BUZZER.high, LISTENING.high] == [False, False]
    assert service.show("Result") == "success", service.show("Result")


def buzzer_and_lamps_are_silenced() -> None:
    """What the unit runs after a kill, with a buzzer that is off when its line is high: that edge is seen."""
    note = Path("/run/hil-outputs")
    note.write_text("18 1\n")
    unit = Path("/etc/systemd/system/companion.service").read_text().replace("\\\n", " ")
    (after,) = (line for line in unit.splitlines() if line.startswith("ExecStopPost="))
    command = after.removeprefix("ExecStopPost=-+").replace("/run/companion/outputs", str(note)).split()
    begun = now()
    with Edges(BUZZER) as edges:
        subprocess.run(command, check=True, cwd="/run")
    figures["silence_s"] = round(now() - begun, 2)
    assert len(edges.rising) == 1, edges.rising


CHECKS: tuple[Callable[[], None], ...] = (
    presses_are_delivered_at_once,
    the_ears_hear_the_loopback,
    buzzer_and_lamps_are_silenced,
    *map(bought, DEVICES),
    starts,
    presses_become_events,
    the_countdown_keeps_time,
    a_call_is_judged,
    a_card_is_recognised,
    resting,
    the_microphone_comes_back,
    the_camera_comes_back,
    a_killed_service_takes_the_game_up,
    a_hanging_service_is_started_again,
    ends_in_silence,
    the_pis_camera_gives_pictures,
)


def starts_without_devices() -> None:
    """Simulated pins, no camera, no sound card: what is missing is said, and the service is ready."""
    figures["start_s"] = round(service.start(), 1)
    assert source("buttons"), state()["sources"]
    until(lambda: {"camera", "microphone"} <= state()["sources"].keys(), 20, "what is missing is told")
    assert not source("camera"), state()["sources"]
    assert not source("microphone"), state()["sources"]


def a_game_is_begun() -> None:
    command("new_game", game="nasty_7", players=["Ida", "Jo"], settings={})
    for player in ("Ida", "Jo"):
        command("event", event="card_played", player=player, card="gun")
    assert state()["state"]["pile"]


CONTAINER: tuple[Callable[[], None], ...] = (
    starts_without_devices,
    a_game_is_begun,
    a_killed_service_takes_the_game_up,
    a_hanging_service_is_started_again,
    ends_in_silence,
)


def main(checks: tuple[Callable[[], None], ...]) -> int:
    failed = []
    if PLATFORM.is_dir():
        Edges.note()
        for line in (SEAT_1, SEAT_2, REFEREE, Line(19)):
            line.pull(True)
    for check in checks:
        begun = now()
        try:
            check()
            result = "passed"
        except Exception:
            failed.append(check.__name__)
            result = "FAILED"
            print("".join(traceback.format_exc().splitlines(keepends=True)[-6:]))
        print(f"{result}  {check.__name__}  {now() - begun:.1f} s", flush=True)
        if check in (starts, starts_without_devices) and check.__name__ in failed:
            break
    (OUT / "service.log").write_text(service.log())
    (OUT / "results.json").write_text(json.dumps({"failed": failed, "figures": figures}, indent=1))
    for name, value in figures.items():
        print(f"{name}: {json.dumps(value)}")
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["presses"]:
        sys.exit(presses())
    if sys.argv[1:] == ["container"]:
        sys.exit(main(CONTAINER))
    only = Path("/hil/only")  # names of checks, where somebody looks for something
    names = only.read_text().split() if only.exists() else [check.__name__ for check in CHECKS]
    sys.exit(main(tuple(check for check in CHECKS if check.__name__ in names)))
