"""Devices that people buy, each with the service's own class and in a process of its own. It prints what it
measured as one object in JSON, and fails if the device is not used as it should be.

python bought.py NAME      a name of DEVICES
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import time
import wave
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from table import Edges, Line, now, until

HERE = Path(__file__).parent
BUSY, FREE, BUZZER = 19, 5, 18
"""GPIO numbers."""
CORNERS = {"left": (255, 0, 0), "right": (0, 0, 255)}
"""What the coloured picture shows, blue green red."""


@contextlib.contextmanager
def running(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A program that runs meanwhile."""
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def microphone() -> dict[str, Any]:
    """A sound card that offers 48 kHz and two channels only: the other end of the loopback holds it there."""
    from companion.core.observations import Utterance
    from companion.speech.model.grammar import language
    from companion.speech.model.models import find_model
    from companion.speech.recognition.recogniser import Listener
    from hardware.microphone import RATE, Microphone

    with running("aplay", "-q", "-D", "hw:Loopback,1,0", "--buffer-time=2000000", "/hil/sound/stereo48.wav"):
        until(_opened, 30, "the loopback is locked")
        device = Microphone("Loopback", 10.0, time.monotonic)
        assert device.rate == 48_000, device.rate
        blocks, begun = [], now()
        for block in device:
            blocks.append(block)
            if now() - begun > 7.0:
                break
        device.close()
    calls = language().calls()
    listener = Listener(find_model("en"), calls, RATE)
    listener.expect(calls)
    seen = [one for block in blocks for one in listener.feed(block.samples, block.t)] + listener.flush()
    words = [word.word for one in seen if isinstance(one, Utterance) for word in one.words]
    assert words == ["one"], words
    sound = np.concatenate([block.samples for block in blocks])
    alike = _likeness(sound)
    assert alike > 0.95, alike
    ends = [block.t + len(block.samples) / RATE for block in blocks]
    jumps = [abs(after.t - end) for end, after in zip(ends, blocks[1:], strict=False)]
    return {
        "rate": device.rate,
        "words": words,
        "likeness": alike,
        "largest_jump_ms": round(1e3 * max(jumps), 1),
    }


def _opened() -> bool:
    end = Path("/proc/asound/Loopback/pcm1p/sub0/hw_params").read_text()
    return "rate: 48000" in end and "channels: 2" in end


def _likeness(heard: NDArray[np.int16]) -> float:
    """Correlation of what was heard with the call at 16 kHz, where they fit best."""
    with wave.open("/hil/sound/one.wav") as source:
        call = np.frombuffer(source.readframes(source.getnframes()), "<i2").astype(float)
    call = np.trim_zeros(call)
    size = 2 ** int(np.ceil(np.log2(len(heard) + len(call))))
    match = np.fft.irfft(np.fft.rfft(heard.astype(float), size) * np.conj(np.fft.rfft(call, size)), size)
    start = int(np.argmax(match[: len(heard)]))
    part = heard[start : start + len(call)].astype(float)
    return round(float(np.corrcoef(part, call[: len(part)])[0, 1]), 3)


def mjpg() -> dict[str, Any]:
    """A camera that gives MJPG."""
    found = _camera(51, "MJPG", "colours.jpg")
    assert found["format"] == "MJPG", found
    return found


def yuyv() -> dict[str, Any]:
    """A camera that gives YUYV only."""
    found = _camera(52, "YUYV", "colours.yuyv")
    assert found["format"] in ("YUYV", "YUY2"), found
    return found


def _camera(number: int, kind: str, file: str) -> dict[str, Any]:
    """Opens a camera as configured without a size, and compares the colours of its picture."""
    from companion.core.config import Camera
    from companion.core.errors import Unavailable
    from hardware.camera import open_camera

    with running(sys.executable, str(HERE / "film.py"), f"/hil/pictures/{file}", "10", str(number), kind):
        asked = Camera(backend="webcam", device=number, fps=10.0)
        opened: list[Any] = []

        def opens() -> bool:
            with contextlib.suppress(Unavailable):  # until the first picture is written there is no camera
                opened.append(open_camera(asked, time.monotonic))
            return bool(opened)

        until(opens, 60, "the camera can be opened", 1.0)
        (camera,) = opened
        pictures = iter(camera)
        shown = [next(pictures) for _ in range(3)]
        ages = [round(now() - one.t, 2) for one in shown]
        camera.close()
    image = shown[-1].image
    assert image.shape == (480, 640, 3), image.shape
    halves = {"left": image[:, 40:280], "right": image[:, 360:600]}
    colours = {name: [round(float(one)) for one in half.mean(axis=(0, 1))] for name, half in halves.items()}
    for name, wanted in CORNERS.items():
        assert np.abs(np.subtract(colours[name], wanted)).max() < 60, (name, colours)
    assert [note.code for note in camera.notes][:1] == ["camera.too_small"], camera.notes
    return {"format": camera.format, "colours": colours, "age_s": ages}


def busy_pin() -> dict[str, Any]:
    """A pin that another program holds costs its button only, and is named."""
    from companion.core.observations import Press
    from hardware.gpio import Buttons, busy_pins

    pressed: queue.SimpleQueue[Press] = queue.SimpleQueue()
    with running("gpioset", "-c", "gpiochip0", f"{BUSY}=0"):
        until(lambda: BUSY in busy_pins([BUSY]), 20, "the pin is held", 0.5)
        buttons = Buttons({"seat 1": FREE, "trophy 3": BUSY}, pressed.put, now)
        assert list(buttons.failed) == ["trophy 3"], buttons.failed
        why = buttons.failed["trophy 3"].message
        assert f"GPIO {BUSY}" in str(why), why
        assert "busy" in str(why), f"the kernel's reason, not an earlier claim of this process: {why}"
        Line(FREE).press(0.3)
        assert pressed.get(timeout=10).button == "seat 1"
        assert list(busy_pins([BUSY, 6])) == [BUSY]
        buttons.close()
    return {"why": str(why)}


def passive_buzzer() -> dict[str, Any]:
    """A bare piezo from 100 to 8000 Hz: the periods on the line in a second. lgpio makes the tone in a
    thread; where the processor wakes it late, it makes up for the periods that are due: single ones are
    shorter, their number is right. The highest tone is too fast for an emulated processor."""
    from hardware.gpio import Buzzer

    found = {}
    for tone in (100, 880, 8000):
        buzzer = Buzzer(BUZZER, passive=True, tone_hz=tone)
        with Edges(Line(BUZZER)) as edges:
            buzzer.play([(1.0, 0.1)], time.sleep)
        buzzer.close()
        assert not Line(BUZZER).high
        assert len(edges.rising) > 20, (tone, len(edges.rising))
        found[tone] = round((len(edges.rising) - 1) / (edges.rising[-1] - edges.rising[0]))
    assert abs(found[100] - 100) < 10, found
    assert abs(found[880] - 880) < 90, found
    assert 2000 < found[8000] < 9000, found
    return {"tone_hz": found}


DEVICES: dict[str, Callable[[], dict[str, Any]]] = {
    each.__name__: each for each in (microphone, mjpg, yuyv, busy_pin, passive_buzzer)
}

if __name__ == "__main__":
    os.environ["GPIOZERO_PIN_FACTORY"] = "lgpio"
    os.chdir("/run")
    print(json.dumps(DEVICES[sys.argv[1]]()))
