"""Cameras: the Pi's own through picamera2, a USB camera through OpenCV. Both give Frames.

picamera2 is installed from apt, never from pip (which would replace apt's numpy), so it is imported where it
is used. It also lists USB cameras, but delivers their pictures in other formats and without OpenCV's
controls: those are never opened through it.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from companion.core.clock import Clock
from companion.core.config import Camera
from companion.core.errors import Unavailable, reason
from companion.core.message import Message, message
from hardware.camera_faults import no_ribbon, of_the_ribbon, of_the_webcam
from hardware.locking import PiLock, WebcamLock
from hardware.picture_formats import TOO_FEW_PX, as_picture, card_px, fourcc, smaller, wanted_size
from hardware.streams import Frame, IsIdle, Stalled, Stream, can_skip, never_idle
from hardware.v4l2 import set_mains

USB = re.compile(r"usb|:\d+\.\d+-[0-9a-f]{4}:[0-9a-f]{4}$", re.IGNORECASE)
"""libcamera's name of a USB camera holds the bus, or ends with interface, vendor and product."""
BLUE_FIRST = ("RGB888", "XRGB8888")
"""libcamera's formats whose bytes in memory are blue green red."""
MJPG = "MJPG"
LOG_ERRORS = 2
"""OpenCV's level of the log on which it reports errors only."""
SLOW = 0.6
"""An uncompressed format that gives less than this share of the wanted pictures a second is too large."""
logger = logging.getLogger(__name__)


class PiCamera:
    """The camera on the Pi's ribbon cable. Pictures carry the sensor's own time stamp.

    `capture_request` never returns if the cable is disturbed, so it gets a time limit.
    """

    def __init__(self, camera: Camera, is_idle: IsIdle = never_idle) -> None:
        try:
            from picamera2 import Picamera2
        except ImportError as error:
            raise Unavailable(
                "camera.no_picamera2", why=str(error), remedy=message("camera.install_picamera2")
            ) from error
        except ValueError as error:  # its compiled parts were built for another numpy
            raise Unavailable("camera.other_numpy", why=str(error)) from error
        ribbons = [n for n, one in enumerate(Picamera2.global_camera_info()) if not _is_usb(one)]
        if camera.device >= len(ribbons):
            raise no_ribbon(camera.device)
        self._stall_s = camera.stall_s
        self._is_idle = is_idle
        try:
            self._camera: Any = Picamera2(ribbons[camera.device])
        except (RuntimeError, IndexError) as error:
            raise of_the_ribbon(camera.device, error) from error
        try:
            self.format = self._begin(camera)
        except RuntimeError as error:
            self._camera.close()  # otherwise this process would keep it open
            raise of_the_ribbon(camera.device, error) from error
        self._lock = PiLock(self._camera, camera.mains_hz)

    def _begin(self, camera: Camera) -> str:
        """Starts the camera; returns the pixel format that it has."""
        # picamera2's "RGB888" is blue green red in memory, as OpenCV expects.
        settings = self._camera.create_video_configuration(
            main={"size": wanted_size(camera), "format": "RGB888"},
            controls={"FrameRate": camera.fps}
            if "FrameDurationLimits" in self._camera.camera_controls
            else {},
            buffer_count=4,
        )
        self._camera.configure(settings)
        self._camera.start()
        return str(self._camera.camera_configuration()["main"]["format"])

    def relock(self) -> None:
        """Has exposure, white balance and focus adapt and locks them again."""
        self._lock.again()

    @property
    def notes(self) -> tuple[Message, ...]:
        """What the camera does not do as it should."""
        return self._lock.notes

    def __iter__(self) -> Iterator[Frame]:
        given = -np.inf
        order = "BGR" if self.format in BLUE_FIRST else "RGB"
        while True:
            try:
                request = self._camera.capture_request(wait=self._stall_s)
            except TimeoutError as error:
                raise Stalled("camera.ribbon_silent") from error
            try:
                about = request.get_metadata()
                t = about["SensorTimestamp"] / 1e9
                image = None if can_skip(t, given, self._is_idle) else request.make_array("main")
            finally:
                request.release()
            self._lock.see(about, t)
            if image is not None:
                given = t
                yield Frame(as_picture(image, order), t)

    def close(self) -> None:
        self._camera.close()


class Webcam:
    """A USB camera through OpenCV.

    It is asked for MJPG: uncompressed pictures of the size that cards need arrive at 5 a second over USB 2.
    isOpened() stays true for an unplugged camera, so only its pictures show whether it works.
    """

    def __init__(self, camera: Camera, clock: Clock, is_idle: IsIdle = never_idle) -> None:
        import cv2

        self._wanted = camera
        self._clock = clock
        self._is_idle = is_idle
        # OpenCV 4 has the function at its top, OpenCV 5 in a module of its own.
        set_level = getattr(cv2, "setLogLevel", None) or cv2.utils.logging.setLogLevel
        set_level(LOG_ERRORS)
        self._camera = cv2.VideoCapture(camera.device)
        if not self._camera.isOpened():
            self._camera.release()
            raise of_the_webcam(camera.device)
        self.format = self._begin(camera)
        self._stamp = cv2.CAP_PROP_POS_MSEC
        set_mains(f"/dev/video{camera.device}", camera.mains_hz)
        self._lock = WebcamLock(self._camera)
        self._size_note: tuple[Message, ...] = ()

    def _begin(self, camera: Camera) -> str:
        """Asks for format, size and rate; returns the pixel format that the camera has, "" if unknown."""
        import cv2

        size = wanted_size(camera)
        self._camera.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*MJPG))
        self._ask(size, camera.fps)
        found = fourcc(self._camera.get(cv2.CAP_PROP_FOURCC))
        if found != MJPG and not camera.width:
            for less in smaller(size):
                rate = self._camera.get(cv2.CAP_PROP_FPS)
                if rate <= 0 or rate >= SLOW * camera.fps:
                    break
                self._ask(less, camera.fps)
        self._camera.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        return found

    def _ask(self, size: tuple[int, int], fps: float) -> None:
        import cv2

        self._camera.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        self._camera.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        self._camera.set(cv2.CAP_PROP_FPS, fps)

    def relock(self) -> None:
        """Has exposure, white balance and focus adapt and locks them again."""
        self._lock.again()

    @property
    def notes(self) -> tuple[Message, ...]:
        """What the camera does not do as it should."""
        return (*self._size_note, *self._lock.notes)

    def __iter__(self) -> Iterator[Frame]:
        given = -np.inf
        while True:
            good, image = self._camera.grab(), None
            t = self._exposure(self._clock())
            if good and can_skip(t, given, self._is_idle):
                continue  # taken from the driver but not decoded
            if good:
                good, image = self._camera.retrieve()
            if not good or image is None:
                raise Unavailable("camera.webcam_silent")
            picture = as_picture(image)
            if given == -np.inf:
                self._check_size(picture.shape[1], picture.shape[0])
            self._lock.see(picture, t)
            given = t
            yield Frame(picture, t)

    def _check_size(self, width: int, height: int) -> None:
        """Notes if a card is too narrow in what really arrives."""
        px = round(card_px(self._wanted, width))
        if px < TOO_FEW_PX:
            note = message(
                "camera.too_small",
                width=width,
                height=height,
                format=self.format or "?",
                px=px,
                least=TOO_FEW_PX,
            )
            logger.warning("%s", note)
            self._size_note = (note,)

    def _exposure(self, now: float) -> float:
        """The moment of exposure. V4L2 stamps pictures on CLOCK_MONOTONIC; other systems' stamps are not
        used."""
        stamp = float(self._camera.get(self._stamp)) / 1000.0
        return stamp if 0.0 <= now - stamp < 1.0 else now

    def close(self) -> None:
        self._camera.release()


def open_camera(camera: Camera, clock: Clock, is_idle: IsIdle = never_idle) -> Stream[Frame]:
    """Opens the configured camera; `auto` takes the one on the Pi's ribbon if there is one, otherwise a USB
    camera.

    While `is_idle()` is true, it delivers one picture every IDLE_INTERVAL_S seconds.

    Raises:
        Unavailable: there is no camera; the message names the remedy.
    """
    if camera.backend == "picamera2":
        return PiCamera(camera, is_idle)
    if camera.backend == "webcam":
        return Webcam(camera, clock, is_idle)
    try:
        return PiCamera(camera, is_idle)
    except Unavailable as no_ribbon:
        try:
            return Webcam(camera, clock, is_idle)
        except Unavailable as no_webcam:
            raise Unavailable(
                "camera.none", webcam=reason(no_webcam), ribbon=reason(no_ribbon)
            ) from no_webcam


def _is_usb(about: dict[str, Any]) -> bool:
    """Whether libcamera's description is of a USB camera."""
    return USB.search(str(about.get("Id", ""))) is not None
