"""Faults of devices that `companion doctor` names, each with the function that puts it in."""

import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import gpiozero
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from sound_card import FakePortAudio, device

from companion.core.config import ButtonsConfig, Camera, Config, MicrophoneConfig, VoiceConfig
from companion.core.finding import Finding
from hardware import access, camera_faults, detect
from hardware.microphone import Microphone
from hardware.streams import Block

Put = Callable[[pytest.MonkeyPatch, Path], list[Finding]]
"""Puts a fault in and returns what is found."""
Fault = tuple[Put, str, str, str]
"""How it is put in, the name of the finding, and parts of what is found and of the remedy."""


class Capture:
    """A webcam that gives one picture, or none."""

    picture: Any = None

    def __init__(self, number: int) -> None:
        self.settings: dict[int, float] = {}

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return True

    def set(self, key: int, value: float) -> bool:
        self.settings[key] = value
        return True

    def get(self, key: int) -> float:
        return self.settings.get(key, 0.0)

    def grab(self) -> bool:
        return type(self).picture is not None

    def retrieve(self) -> tuple[bool, Any]:
        return True, type(self).picture

    def release(self) -> None: ...


def webcam(picture: Any) -> Put:
    def put(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
        monkeypatch.setattr(cv2, "VideoCapture", type("Made", (Capture,), {"picture": picture}))
        config = Config(camera=Camera(backend="webcam"))
        return [detect.limited(detect.CAMERA, lambda: detect.camera(config))]

    return put


def no_webcam(number: int) -> Put:
    """OpenCV cannot open it, and the kernel gives this error."""

    def put(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
        def ask(device: str) -> None:
            raise OSError(number, "not now")

        monkeypatch.setattr(Capture, "isOpened", lambda self: False)
        monkeypatch.setattr(camera_faults, "_ask", ask)
        monkeypatch.setitem(sys.modules, "picamera2", None)
        return webcam(None)(monkeypatch, path)

    return put


def microphones(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
    monkeypatch.setattr("hardware.microphone.microphones", list)
    monkeypatch.setattr(detect, "forbidden", lambda group: [])
    return [detect.limited(detect.MICROPHONE, lambda: detect.microphone(Config()))]


def no_audio_group(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
    monkeypatch.setattr("hardware.microphone.microphones", list)
    monkeypatch.setattr(detect, "forbidden", lambda group: ["/dev/snd/pcmC1D0c"])
    return [detect.limited(detect.MICROPHONE, lambda: detect.microphone(Config()))]


def sound_card(config: Config, portaudio: FakePortAudio | None) -> Put:
    """PortAudio as described; None: it is not installed."""

    def put(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
        monkeypatch.setitem(sys.modules, "sounddevice", portaudio)
        return [detect.limited(detect.MICROPHONE, lambda: detect.microphone(config))]

    return put


def silent_microphone(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
    def given(self: Microphone) -> Iterator[Block]:
        yield Block(np.zeros(960, np.int16), 0.0, 16_000, False, None)

    monkeypatch.setattr(Microphone, "__iter__", given)
    return sound_card(Config(), FakePortAudio())(monkeypatch, path)


def ribbon(picamera2: Any) -> Put:
    """The Pi's own camera is configured, and this is the module picamera2; None: it is not installed."""

    def put(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
        monkeypatch.setitem(sys.modules, "picamera2", picamera2)
        config = Config(camera=Camera(backend="picamera2"))
        return [detect.limited(detect.CAMERA, lambda: detect.camera(config))]

    return put


class Ribbons:
    """picamera2 with some cameras on the ribbon, or one that cannot be opened."""

    def __init__(self, cameras: int, error: Exception | None = None) -> None:
        self._cameras = cameras
        self._error = error

    @property
    def Picamera2(self) -> Any:  # noqa: N802 - picamera2's name
        if isinstance(self._error, ValueError):
            raise self._error  # as its import does
        return self

    def global_camera_info(self) -> list[dict[str, str]]:
        return [{"Id": "/base/soc/i2c0mux/i2c@1/imx708@1a"}] * self._cameras

    def __call__(self, number: int) -> Any:
        assert self._error is not None
        raise self._error


def loudspeaker(script: str, device: str = "") -> Put:
    """`aplay` does this."""

    def put(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
        for name, text in (("aplay", script), ("espeak-ng", "exit 0")):
            (path / name).write_text(f"#!/bin/sh\n{text}\n")
            (path / name).chmod(0o755)
        monkeypatch.setenv("PATH", str(path), prepend=os.pathsep)
        config = Config(voice=VoiceConfig(device=device))
        return [detect.limited(detect.VOICE, lambda: detect.loudspeaker(config))]

    return put


def closed_device(name: str) -> Put:
    def put(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
        (path / name).parent.mkdir(exist_ok=True)
        (path / name).touch()
        monkeypatch.setattr("os.access", lambda path, mode: False)
        return list(access.access_findings(path))

    return put


def busy_pin(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
    monkeypatch.setattr(gpiozero.Device, "pin_factory", MockFactory(pin_class=MockPWMPin))
    other = gpiozero.LED(17)
    found = [detect.gpio(Config(buttons=ButtonsConfig(seats=[5, 17], referee=27)))]
    other.close()
    return found


def no_gpio(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    return [detect.limited(detect.GPIO, lambda: detect.gpio(Config(buttons=ButtonsConfig(seats=[5]))))]


def no_voice(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
    monkeypatch.setenv("PATH", str(path))
    return [detect.limited(detect.VOICE, lambda: detect.loudspeaker(Config()))]


def hanging_driver(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
    return [detect.limited(detect.CAMERA, lambda: threading.Event().wait(60) and webcam(None), 0.05)]  # type: ignore[arg-type, return-value]


DEVICE_FAULTS: dict[str, Fault] = {
    "no camera": (no_webcam(2), "camera", "no webcam 0", "plug one in"),
    "camera in use": (no_webcam(16), "camera", "another program has webcam 0", "close that one"),
    "camera closed to the user": (no_webcam(13), "camera", "may not be opened", "group video"),
    "camera gives nothing": (webcam(None), "camera", "gives no picture", "plugged in?"),
    "lens covered": (webcam(np.zeros((720, 1280, 3), np.uint8)), "camera", "very dark", "more light"),
    "cards too small": (
        webcam(np.full((480, 640, 3), 120, np.uint8)), "camera", "a card has 44 pixels", "camera lower",
    ),
    "no picture format": (
        webcam(np.full((480, 640), 1200, np.uint16)), "camera", "which is no picture", "camera.width",
    ),
    "no camera on the ribbon": (ribbon(Ribbons(0)), "camera", "no Pi camera 0", "check the ribbon"),
    "camera on the ribbon in use": (
        ribbon(Ribbons(1, RuntimeError("failed to acquire camera"))), "camera", "another program",
        "close that one",
    ),
    "picamera2 missing": (
        ribbon(None), "camera", "picamera2 is not installed", "apt install python3-picamera2",
    ),
    "picamera2 for another numpy": (
        ribbon(Ribbons(1, ValueError("numpy.dtype size changed"))), "camera", "another numpy", "remove numpy",
    ),
    "driver hangs": (hanging_driver, "camera", "does not answer", "plug"),
    "no microphone": (microphones, "microphone", "no microphone", "plug one in"),
    "another microphone configured": (
        sound_card(Config(microphone=MicrophoneConfig(device="ReSpeaker")), FakePortAudio()), "microphone",
        "no microphone named ReSpeaker", "USB Table Mic",
    ),
    "microphone in use": (
        sound_card(Config(), FakePortAudio("Device unavailable")), "microphone", "Device unavailable",
        "plug one in",
    ),
    "microphone switched off": (silent_microphone, "microphone", "it is silent", "switch it on"),
    "sound cards without a microphone": (
        sound_card(Config(), FakePortAudio(devices=[device("HDMI", channels=0)])), "microphone",
        "no microphone", "plug one in",
    ),
    "PortAudio missing": (sound_card(Config(), None), "microphone", "PortAudio", "apt install libportaudio2"),
    "no loudspeaker": (loudspeaker("exit 0"), "voice", "no loudspeaker", "plug one in"),
    "another loudspeaker configured": (
        loudspeaker("echo 'audio open error: No such device' >&2; exit 1", "plughw:CARD=USB"), "voice",
        "No such device", "plugged in?",
    ),
    "not in group audio": (no_audio_group, "microphone", "may not open /dev/snd", "usermod -aG audio"),
    "closed sound card": (closed_device("snd/pcmC0D0c"), "access", "may not open", "usermod -aG audio"),
    "closed camera": (closed_device("video0"), "access", "may not open", "usermod -aG video"),
    "closed pins": (closed_device("gpiochip0"), "access", "may not open", "usermod -aG gpio"),
    "busy pin": (busy_pin, "gpio", "buttons.seats[1]", "gpioinfo"),
    "no GPIO": (no_gpio, "gpio", "no GPIO", "the phones do"),
    "no voice": (no_voice, "voice", "espeak-ng", "apt install"),
}  # fmt: skip
