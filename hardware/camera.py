"""Cameras: the Pi's own through picamera2, a webcam through OpenCV. Both give Frames.

picamera2 is installed from apt, never from pip (which would replace apt's numpy), so it is imported where it
is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from companion.core.clock import Clock
from companion.core.errors import Unavailable, reason
from companion.core.message import message
from hardware.camera_faults import no_ribbon, of_the_ribbon, of_the_webcam
from hardware.locking import PiLock, WebcamLock
from hardware.streams import Frame, IsIdle, Stalled, Stream, can_skip, never_idle


class PiCamera:
    """The camera on the Pi's ribbon cable. Pictures carry the sensor's own time stamp.

    `capture_request` never returns if the cable is disturbed, so it gets a time limit.
    """

    def __init__(
        self, number: int, width: int, height: int, fps: float, stall_s: float, is_idle: IsIdle = never_idle
    ) -> None:
        try:
            from picamera2 import Picamera2
        except ImportError as error:
            raise Unavailable(
                "camera.no_picamera2", why=str(error), remedy=message("camera.install_picamera2")
            ) from error
        if number >= len(Picamera2.global_camera_info()):
            raise no_ribbon(number)
        self._stall_s = stall_s
        self._is_idle = is_idle
        try:
            self._camera: Any = Picamera2(number)
        except (RuntimeError, IndexError) as error:
            raise of_the_ribbon(number, error) from error
        try:
            self._begin(width, height, fps)
        except RuntimeError as error:
            self._camera.close()  # otherwise this process would keep it open
            raise of_the_ribbon(number, error) from error
        self._lock = PiLock(self._camera)

    def _begin(self, width: int, height: int, fps: float) -> None:
        # picamera2's "RGB888" is blue green red in memory, as OpenCV expects.
        settings = self._camera.create_video_configuration(
            main={"size": (width, height), "format": "RGB888"},
            controls={"FrameRate": fps} if "FrameDurationLimits" in self._camera.camera_controls else {},
            buffer_count=4,
        )
        self._camera.configure(settings)
        self._camera.start()

    def relock(self) -> None:
        """Has exposure, white balance and focus adapt and locks them again."""
        self._lock.settling.again()

    def __iter__(self) -> Iterator[Frame]:
        given = -np.inf
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
                yield Frame(np.ascontiguousarray(image), t)

    def close(self) -> None:
        self._camera.close()


class Webcam:
    """A USB camera through OpenCV.

    isOpened() stays true for an unplugged camera, so only its pictures show whether it works.
    """

    def __init__(
        self, number: int, width: int, height: int, fps: float, clock: Clock, is_idle: IsIdle = never_idle
    ) -> None:
        import cv2

        self._clock = clock
        self._is_idle = is_idle
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
        self._camera = cv2.VideoCapture(number)
        if not self._camera.isOpened():
            self._camera.release()
            raise of_the_webcam(number)
        self._camera.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        self._camera.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        self._camera.set(cv2.CAP_PROP_FPS, fps)
        self._camera.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._stamp = cv2.CAP_PROP_POS_MSEC
        self._lock = WebcamLock(self._camera)

    def relock(self) -> None:
        """Has exposure, white balance and focus adapt and locks them again."""
        self._lock.settling.again()

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
            picture = np.asarray(image, dtype=np.uint8)
            self._lock.see(picture, t)
            given = t
            yield Frame(picture, t)

    def _exposure(self, now: float) -> float:
        """The moment of exposure. V4L2 stamps pictures on CLOCK_MONOTONIC; other systems' stamps are not
        used."""
        stamp = float(self._camera.get(self._stamp)) / 1000.0
        return stamp if 0.0 <= now - stamp < 1.0 else now

    def close(self) -> None:
        self._camera.release()


def open_camera(
    backend: str,
    number: int,
    width: int,
    height: int,
    fps: float,
    stall_s: float,
    clock: Clock,
    is_idle: IsIdle = never_idle,
) -> Stream[Frame]:
    """Opens the camera of a back-end; `auto` takes the Pi's if there is one, otherwise a webcam.

    While `is_idle()` is true, it delivers one picture every IDLE_INTERVAL_S seconds.

    Raises:
        Unavailable: there is no camera; the message names the remedy.
    """
    if backend == "picamera2":
        return PiCamera(number, width, height, fps, stall_s, is_idle)
    if backend == "webcam":
        return Webcam(number, width, height, fps, clock, is_idle)
    try:
        return PiCamera(number, width, height, fps, stall_s, is_idle)
    except Unavailable as no_ribbon:
        try:
            return Webcam(number, width, height, fps, clock, is_idle)
        except Unavailable as no_webcam:
            raise Unavailable(
                "camera.none", webcam=reason(no_webcam), ribbon=reason(no_ribbon)
            ) from no_webcam
