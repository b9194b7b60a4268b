"""Both cameras against what their libraries do: pictures, hanging, unplugging, nothing there."""

import errno
import os
import re
import struct
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest

from companion.core.config import Camera
from companion.core.errors import Unavailable
from hardware import camera, v4l2
from hardware.camera_faults import of_the_webcam
from hardware.picture_formats import as_picture
from hardware.streams import Stalled

NOW = 5000.0


def small(**fields: Any) -> Camera:
    """A camera of which pictures of 64 x 48 are wanted."""
    return Camera(**{"width": 64, "height": 48, "fps": 10.0, **fields})


class PlayedCapture:
    """OpenCV's own reader on a video file in the place of a device, with the stamps of V4L2."""

    made: Callable[[], Any]

    def __init__(self, number: int) -> None:
        self._real = type(self).made()
        self.settings: dict[int, float] = {}
        self.released = False

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return bool(self._real.isOpened())

    def grab(self) -> bool:
        return bool(self._real.grab())

    def retrieve(self) -> tuple[bool, Any]:
        return self._real.retrieve()  # type: ignore[no-any-return]

    def set(self, key: int, value: float) -> bool:
        self.settings[key] = value
        return True

    def get(self, key: int) -> float:
        return (NOW - 0.025) * 1000 if key == cv2.CAP_PROP_POS_MSEC else self.settings.get(key, 0.0)

    def release(self) -> None:
        self.released = True
        self._real.release()


@pytest.fixture
def webcam(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> type[PlayedCapture]:
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 10.0, (64, 48))
    for level in (50, 100):
        writer.write(np.full((48, 64, 3), level, np.uint8))
    writer.release()
    real = cv2.VideoCapture

    class Played(PlayedCapture):
        made = staticmethod(lambda: real(str(path)))

    monkeypatch.setattr(cv2, "VideoCapture", Played)
    return Played


def test_pictures_carry_the_time_of_their_exposure(webcam: type[PlayedCapture]) -> None:
    opened = camera.Webcam(small(device=0, fps=10.0), lambda: NOW)
    frame = next(iter(opened))
    assert frame.t == pytest.approx(NOW - 0.025)
    assert frame.image.shape == (48, 64, 3)
    opened.close()


def test_a_stamp_of_another_clock_is_not_believed(
    webcam: type[PlayedCapture], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webcam, "get", lambda self, key: 1.7e12)
    opened = camera.Webcam(small(device=0, fps=10.0), lambda: NOW)
    assert next(iter(opened)).t == NOW
    opened.close()


def test_an_unplugged_webcam_says_so_instead_of_giving_nothing(webcam: type[PlayedCapture]) -> None:
    opened = camera.Webcam(small(device=0, fps=10.0), lambda: NOW)
    pictures = iter(opened)
    next(pictures), next(pictures)
    with pytest.raises(Unavailable, match="still plugged in"):
        next(pictures)
    opened.close()


def test_a_resting_webcam_takes_every_picture_and_decodes_few(
    webcam: type[PlayedCapture], monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter(NOW + n / 30 for n in range(100))
    monkeypatch.setattr(
        webcam, "get", lambda self, key: next(times) * 1000 if key == cv2.CAP_PROP_POS_MSEC else 0.0
    )
    monkeypatch.setattr(webcam, "grab", lambda self: True)
    monkeypatch.setattr(webcam, "retrieve", lambda self: (True, np.zeros((48, 64, 3), np.uint8)))
    idle = True
    opened = camera.Webcam(small(device=0, fps=30.0), lambda: NOW + 0.5, lambda: idle)
    frames = iter(opened)
    assert [round((next(frames).t - NOW) * 30) for _ in range(4)] == [0, 3, 6, 9]
    idle = False
    assert [round((next(frames).t - NOW) * 30) for _ in range(3)] == [10, 11, 12]
    opened.close()


def test_no_webcam_is_said_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    real = cv2.VideoCapture

    class Missing(PlayedCapture):
        made = staticmethod(lambda: real("/nowhere.avi"))

    monkeypatch.setattr(cv2, "VideoCapture", Missing)
    with pytest.raises(Unavailable, match="there is no webcam 3: plug one in"):
        camera.Webcam(small(device=3, fps=10.0), lambda: NOW)


class Request:
    def __init__(self, stamp_ns: int) -> None:
        self.stamp_ns = stamp_ns
        self.released = False

    def make_array(self, name: str) -> Any:
        return np.zeros((48, 64, 3), np.uint8)

    def get_metadata(self) -> dict[str, int]:
        return {"SensorTimestamp": self.stamp_ns}

    def release(self) -> None:
        self.released = True


USB_ID = "/base/scb/pcie@7d500000/pci@0,0/usb@0,0-1.3:1.0-046d:0825"


def picamera2(
    cameras: int = 1,
    answers: tuple[Any, ...] = (),
    fails: Exception | None = None,
    usb: int = 0,
    delivers: str = "RGB888",
) -> types.ModuleType:
    """A module that behaves as picamera2 does."""

    class Picamera2:
        camera_controls: ClassVar[dict[str, tuple[int, int, int]]] = {"AeEnable": (0, 1, 1)}

        def __init__(self, number: int) -> None:
            assert number >= usb, "a USB camera is never opened through picamera2"
            if fails is not None:
                raise RuntimeError("Camera __init__ sequence did not complete.") from fails
            self.answers = list(answers)
            self.closed = False

        @staticmethod
        def global_camera_info() -> list[dict[str, Any]]:
            found = [USB_ID] * usb + ["/base/soc/i2c0mux/i2c@1/imx708@1a"] * cameras
            return [{"Num": n, "Id": name} for n, name in enumerate(found)]

        def create_video_configuration(self, **named: Any) -> dict[str, Any]:
            return named

        def configure(self, settings: dict[str, Any]) -> None:
            assert settings["main"]["format"] == "RGB888"
            assert settings["controls"] == {}, "this camera has no rate to set"

        def start(self) -> None: ...

        def camera_configuration(self) -> dict[str, Any]:
            return {"main": {"format": delivers}}

        def set_controls(self, controls: dict[str, Any]) -> None:
            assert "AfMode" not in controls, "this camera has no focus to set"

        def close(self) -> None:
            self.closed = True

        def capture_request(self, wait: float) -> Request:
            answer = self.answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            assert isinstance(answer, Request)
            return answer

    module = types.ModuleType("picamera2")
    module.Picamera2 = Picamera2  # type: ignore[attr-defined]
    return module


def test_the_pis_camera_gives_the_sensors_own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    request = Request(stamp_ns=4_999_990_000_000)
    monkeypatch.setitem(sys.modules, "picamera2", picamera2(answers=(request, TimeoutError())))
    opened = camera.PiCamera(small(device=0, fps=10.0))
    pictures = iter(opened)
    assert next(pictures).t == pytest.approx(4999.99)
    assert request.released
    with pytest.raises(Stalled, match="check the ribbon"):
        next(pictures)
    opened.close()


def test_the_pis_camera_rests_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    requests = tuple(Request(stamp_ns=10**12 + n * 10**9 // 30) for n in range(8))
    monkeypatch.setitem(sys.modules, "picamera2", picamera2(answers=requests))
    opened = camera.PiCamera(small(device=0, fps=30.0), lambda: True)
    frames = iter(opened)
    assert [round((next(frames).t - 1000) * 30) for _ in range(3)] == [0, 3, 6]
    assert all(request.released for request in requests[:7])
    opened.close()


@pytest.mark.parametrize(
    ("module", "message"),
    [
        (picamera2(cameras=0), "there is no Pi camera 0: check the ribbon"),
        (
            picamera2(fails=RuntimeError("Failed to acquire camera: Device or resource busy")),
            "another program has the camera",
        ),
        (picamera2(fails=IndexError("list index out of range")), "there is no Pi camera 0: check the ribbon"),
        (picamera2(fails=RuntimeError("Camera(s) not found (Do not forget to")), "there is no Pi camera 0"),
        (picamera2(fails=RuntimeError("no sensor modes")), r"cannot be opened \(.*no sensor modes\): try"),
        (None, "--system-site-packages"),
    ],
)
def test_why_there_is_no_pi_camera(
    module: types.ModuleType | None, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", module)
    with pytest.raises(Unavailable, match=message):
        camera.open_camera(small(backend="picamera2"), lambda: NOW)


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (errno.ENOENT, "there is no webcam 3: plug one in"),
        (errno.EBUSY, "another program has webcam 3: close that one"),
        (errno.EACCES, "/dev/video3 may not be opened: add your user to the group video"),
        (errno.EIO, r"webcam 3 cannot be opened \(Input/output error\)"),
        (0, "webcam 3 is there, but OpenCV cannot use it"),
    ],
)
def test_why_opencv_could_not_open_a_webcam(number: int, message: str) -> None:
    def ask(device: str) -> None:
        assert device == "/dev/video3"
        if number:
            raise OSError(number, os.strerror(number))

    assert re.match(message, str(of_the_webcam(3, ask)))


def test_auto_takes_the_pis_camera_first_and_a_webcam_otherwise(
    webcam: type[PlayedCapture], monkeypatch: pytest.MonkeyPatch
) -> None:
    def found() -> str:
        opened = camera.open_camera(small(backend="auto"), lambda: NOW)
        opened.close()
        return type(opened).__name__

    monkeypatch.setitem(sys.modules, "picamera2", picamera2())
    assert found() == "PiCamera"
    monkeypatch.setitem(sys.modules, "picamera2", picamera2(cameras=0))
    assert found() == "Webcam"


def test_auto_never_takes_a_usb_camera_through_picamera2(
    webcam: type[PlayedCapture], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", picamera2(cameras=0, usb=2))
    assert isinstance(camera.open_camera(small(), lambda: NOW), camera.Webcam)
    with pytest.raises(Unavailable, match="there is no Pi camera 0"):
        camera.open_camera(small(backend="picamera2"), lambda: NOW)
    monkeypatch.setitem(sys.modules, "picamera2", picamera2(cameras=1, usb=1))
    opened = camera.open_camera(small(), lambda: NOW)
    assert isinstance(opened, camera.PiCamera)
    opened.close()


@pytest.mark.parametrize(
    ("delivers", "sent", "expected"),
    [
        ("RGB888", np.full((2, 4, 3), (10, 20, 200), np.uint8), (10, 20, 200)),
        ("BGR888", np.full((2, 4, 3), (200, 20, 10), np.uint8), (10, 20, 200)),
        ("MJPEG", np.full((2, 4, 3), (200, 20, 10), np.uint8), (10, 20, 200)),
        ("XRGB8888", np.full((2, 4, 4), (10, 20, 200, 255), np.uint8), (10, 20, 200)),
        ("R8", np.full((2, 4), 90, np.uint8), (90, 90, 90)),
    ],
)
def test_red_arrives_as_red(
    delivers: str, sent: Any, expected: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    request = Request(stamp_ns=10**12)
    request.make_array = lambda name: sent  # type: ignore[method-assign]
    monkeypatch.setitem(sys.modules, "picamera2", picamera2(answers=(request,), delivers=delivers))
    image = next(iter(camera.PiCamera(small()))).image
    assert image.shape == (2, 4, 3)
    assert tuple(image[1, 2]) == expected
    assert image.flags["C_CONTIGUOUS"]


def test_yuyv_becomes_colours_and_what_is_no_picture_is_said() -> None:
    red = np.array([[[81, 90], [81, 240]]], np.uint8)  # Y U, Y V of two red pixels
    blue, green, strong = as_picture(np.tile(red, (2, 2, 1)))[0, 0]
    assert strong > 200
    assert max(blue, green) < 60
    for wrong in (np.zeros((2, 4, 3), np.uint16), np.zeros((2, 4, 5), np.uint8), np.zeros(8, np.uint8)):
        with pytest.raises(Unavailable, match="which is no picture"):
            as_picture(wrong)


class Driver(PlayedCapture):
    """A USB camera with the sizes, formats and rates of a real one."""

    mjpg = True
    largest = (1920, 1080)

    def set(self, key: int, value: float) -> bool:
        if key == cv2.CAP_PROP_FOURCC and not self.mjpg:
            value = cv2.VideoWriter.fourcc(*"YUYV")
        self.settings[key] = value
        width, height = (self.settings.get(one, 640) for one in SIZE)
        if not self.mjpg:
            self.settings[cv2.CAP_PROP_FPS] = min(30.0, 5.0 * 1920 * 1080 / (width * height))
        return True


SIZE = (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)


@pytest.mark.parametrize(
    ("mjpg", "wanted", "size", "format_"),
    [
        (True, {}, (1920, 1080), "MJPG"),
        (True, {"card_px": 90, "above_cm": 50.0}, (1280, 720), "MJPG"),
        (True, {"width": 640, "height": 480}, (640, 480), "MJPG"),
        (False, {}, (1280, 720), "YUYV"),
        (False, {"width": 1920, "height": 1080}, (1920, 1080), "YUYV"),
    ],
)
def test_a_usb_camera_is_asked_for_mjpg_and_the_size_that_cards_need(
    mjpg: bool,
    wanted: dict[str, Any],
    size: tuple[int, int],
    format_: str,
    webcam: type[PlayedCapture],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Made(Driver):
        made = webcam.made

    Made.mjpg = mjpg
    monkeypatch.setattr(cv2, "VideoCapture", Made)
    opened = camera.Webcam(Camera(**wanted), lambda: NOW)
    assert (opened._camera.settings[SIZE[0]], opened._camera.settings[SIZE[1]]) == size
    assert opened.format == format_
    next(iter(opened))
    assert [note.code for note in opened.notes] == ["camera.too_small"], "pictures of 64 x 48 arrive"
    opened.close()


def test_the_mains_frequency_is_set_through_the_kernel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[tuple[int, bytes]] = []
    monkeypatch.setattr("fcntl.ioctl", lambda file, number, data: asked.append((number, bytes(data))))
    device = tmp_path / "video0"
    device.touch()
    assert v4l2.set_mains(str(device), 60)
    assert asked == [(0xC008561C, struct.pack("Ii", 0x00980918, 2))]
    assert not v4l2.set_mains(str(device), 0)
    assert not v4l2.set_mains(str(tmp_path / "video1"), 50)
