"""Exposure, white and focus settle and are locked; on request they settle anew."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from hardware.locking import LONGEST_S, SETTLE_S, PiLock, Settling, WebcamLock

COLOUR = ("AeEnable", "ExposureTime", "AnalogueGain", "AwbEnable", "ColourGains")
"""What every camera for the ribbon has whose sensor sees colours."""


class Pi:
    """What PiLock asks of picamera2, which refuses what the camera does not have."""

    def __init__(self, *controls: str) -> None:
        self.camera_controls = dict.fromkeys(controls)
        self.told: list[dict[str, Any]] = []

    def set_controls(self, controls: dict[str, Any]) -> None:
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.told.append(controls)


class Usb:
    """A webcam that remembers its settings; `drifts`: it changes its exposure when it is made manual."""

    def __init__(self, backend: str = "V4L2", drifts: bool = False) -> None:
        self.backend = backend
        self.light = 120
        self.drifts = drifts
        self.refuses: tuple[int, ...] = ()
        self.settings = {
            cv2.CAP_PROP_EXPOSURE: 157.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
            cv2.CAP_PROP_FOCUS: 30.0,
            cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
            cv2.CAP_PROP_AUTO_WB: 1.0,
            cv2.CAP_PROP_AUTOFOCUS: 1.0,
        }

    def getBackendName(self) -> str:  # noqa: N802 - OpenCV's name
        return self.backend

    def get(self, key: int) -> float:
        return self.settings[key]

    def set(self, key: int, value: float) -> bool:
        if key in self.refuses:
            return False
        self.settings[key] = value
        if self.drifts and key == cv2.CAP_PROP_AUTO_EXPOSURE:
            self.light = 40 if value == 1 else 120
        return True

    @property
    def automatic(self) -> tuple[float, float, float]:
        keys = (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS)
        return tuple(self.settings[key] for key in keys)  # type: ignore[return-value]


def about(exposure: int, **more: Any) -> dict[str, Any]:
    return {"ExposureTime": exposure, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.8), **more}


def test_the_pis_camera_is_locked_when_it_has_settled() -> None:
    pi = Pi(*COLOUR, "AfMode", "LensPosition")
    lock = PiLock(pi)
    for k in range(100):
        exposure = 9000 + 400 * max(0, 30 - k)  # comes to rest after three seconds
        lock.see(about(exposure, LensPosition=2.2), 100 + k / 10)
    assert pi.told == [
        {"AeEnable": True, "AwbEnable": True, "AfMode": 2},
        {
            "AeEnable": False,
            "ExposureTime": 9000,
            "AnalogueGain": 2.0,
            "AwbEnable": False,
            "ColourGains": (1.5, 1.8),
        },
        {"AfMode": 0, "LensPosition": 2.2},
    ]


def test_the_focus_is_locked_when_it_has_settled() -> None:
    """AfState: 1 searches, 2 has found it, 3 has failed."""
    pi = Pi(*COLOUR, "AfMode", "LensPosition")
    lock = PiLock(pi)
    for k in range(200):
        state = 1 if k < 120 else 3 if k < 150 else 2
        lock.see(about(9000, LensPosition=k / 10, AfState=state), k / 10)
        if k == 60:
            assert [note.code for note in lock.notes] == ["camera.focus_searches"]
        if k < 150:
            assert all(told.get("AfMode") != 0 for told in pi.told)
    assert pi.told[-1] == {"AfMode": 0, "LensPosition": 15.0}
    assert lock.notes == ()


@pytest.mark.parametrize(("mains", "period"), [(50, 10_000), (60, 8333)])
def test_lamps_do_not_flicker(mains: int, period: int) -> None:
    pi = Pi(*COLOUR, "AeFlickerMode", "AeFlickerPeriod")
    PiLock(pi, mains).see(about(9000), 0.0)
    assert (pi.told[0]["AeFlickerMode"], pi.told[0]["AeFlickerPeriod"]) == (1, period)


def test_what_a_grey_sensor_does_not_have_is_left_out() -> None:
    pi = Pi("AeEnable", "ExposureTime", "AnalogueGain")
    lock = PiLock(pi)
    for k in range(40):
        lock.see(about(9000), k / 10)
    assert pi.told == [{"AeEnable": True}, {"AeEnable": False, "ExposureTime": 9000, "AnalogueGain": 2.0}]


def test_on_request_it_settles_anew() -> None:
    pi = Pi(*COLOUR)
    lock = PiLock(pi)
    for k in range(40):
        lock.see(about(9000), k / 10)
    lock.again()
    for k in range(40, 80):
        lock.see(about(5000), k / 10)
    assert [told["AeEnable"] for told in pi.told] == [True, False, True, False]
    assert pi.told[-1]["ExposureTime"] == 5000
    assert all("AfMode" not in told for told in pi.told), "a camera of fixed focus is not asked to focus"


@pytest.mark.parametrize(("restless", "after"), [(0.0, SETTLE_S), (0.5, LONGEST_S)])
def test_a_restless_light_is_not_waited_for_without_end(restless: float, after: float) -> None:
    settling = Settling()
    assert settling.begins(0.0)
    moments = [k / 20 for k in range(200)]
    ended = [t for t in moments if settling.ends(t, 100.0 * (1 + restless * (round(t * 20) % 2)))]
    assert ended == [pytest.approx(after, abs=0.06)]


def pictures(lock: WebcamLock, usb: Usb, begin: float, seconds: float) -> None:
    for k in range(round(seconds * 10)):
        lock.see(np.full((48, 64, 3), usb.light, np.uint8), begin + k / 10)


def test_a_webcam_keeps_the_values_it_had() -> None:
    usb = Usb()
    lock = WebcamLock(usb)
    pictures(lock, usb, 0.0, 1.0)
    assert usb.automatic == (3, 1, 1)
    pictures(lock, usb, 1.0, 4.0)
    assert usb.automatic == (1, 0, 0)
    assert usb.settings[cv2.CAP_PROP_EXPOSURE] == 157
    lock.again()
    pictures(lock, usb, 5.0, 1.0)
    assert usb.automatic == (3, 1, 1)


def test_a_webcam_that_goes_dark_when_it_is_locked_is_let_go(caplog: pytest.LogCaptureFixture) -> None:
    usb = Usb(drifts=True)
    lock = WebcamLock(usb)
    pictures(lock, usb, 0.0, 6.0)
    assert usb.automatic == (3, 0, 0)
    assert "stays automatic" in caplog.text
    assert [note.code for note in lock.notes] == ["camera.unlocked_exposure"]
    usb.light = 60
    pictures(lock, usb, 6.0, 1.0)
    assert "its brightness went from 120 to 60" in caplog.text


def test_a_webcam_that_refuses_to_be_locked_is_watched(caplog: pytest.LogCaptureFixture) -> None:
    usb = Usb()
    usb.refuses = (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB)
    lock = WebcamLock(usb)
    pictures(lock, usb, 0.0, 6.0)
    assert usb.automatic == (3, 1, 0)
    assert [note.code for note in lock.notes] == ["camera.unlocked_exposure", "camera.unlocked_white"]
    usb.light = 30
    pictures(lock, usb, 6.0, 2.0)
    assert caplog.text.count("its brightness went from 120 to 30") == 1


def test_the_focus_of_a_webcam_is_locked_when_its_pictures_are_equally_sharp() -> None:
    usb = Usb()
    lock = WebcamLock(usb)
    rng = np.random.default_rng(3)
    texture = rng.integers(0, 255, (48, 64, 3)).astype(np.uint8)
    for k in range(100):
        blur = 1 + 2 * (k % 4) if k < 80 else 3  # it searches for eight seconds
        lock.see(np.asarray(cv2.blur(texture, (blur, blur)), np.uint8), k / 10)
        if k == 79:
            assert usb.automatic == (1, 0, 1)
            assert [note.code for note in lock.notes] == ["camera.focus_searches"]
    assert usb.automatic == (1, 0, 0)
    assert lock.notes == ()


def test_webcams_of_other_systems_are_left_alone() -> None:
    usb = Usb("MSMF")
    pictures(WebcamLock(usb), usb, 0.0, 6.0)
    assert usb.automatic == (3, 1, 1)
