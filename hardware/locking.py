"""Locks exposure, white balance and focus once the camera has adapted to the light.

A camera that keeps adapting changes every pixel when a hand enters the picture or a white card is played,
which would look like movement. On request the camera adapts to the present light again. The focus is locked
when it has settled, which may be later than the exposure: locked in the middle of a search, every picture of
the evening would be out of focus. What a camera cannot lock is noted, and its brightness is watched.
"""

from __future__ import annotations

import logging
import threading
from typing import Any

import numpy as np

from companion.core.message import Message, message
from hardware.streams import Picture

_UNLOCKED = {"exposure": "camera.unlocked_exposure", "white": "camera.unlocked_white"}
"""What cannot be locked -> the message that says so."""
SETTLE_S = 2.0
"""Shortest time in seconds for which a camera adapts ..."""
LONGEST_S = 6.0
"""... and the longest, before it is locked."""
STEADY = 0.02
"""Largest relative change of the exposure from picture to picture that counts as steady."""
STEADY_PICTURES = 5
JUMP = 0.2
"""Largest relative change of a picture's brightness when a webcam is locked; above it, it is unlocked
again."""
DRIFT_S = 30.0
"""At most so often the log says that a camera which cannot be locked has changed its brightness."""
SHARPNESS = 0.05
"""Largest relative change of the sharpness from picture to picture while a webcam does not focus."""
FOCUSED_PICTURES = 8
MANUAL, CONTINUOUS = 0, 2
"""libcamera's AfModeEnum."""
FOCUSED = 2
"""libcamera's AfStateEnum: the search for the focus has ended well."""
FLICKER_MANUAL = 1
"""libcamera's AeFlickerModeEnum."""
V4L2_MANUAL, V4L2_AUTO = 1, 3
"""V4L2's exposure_auto: manual, and aperture priority."""
logger = logging.getLogger(__name__)


class Settling:
    """Detects when the exposure is steady.

    Gets each picture's moment and exposure (None where the camera does not report it).
    """

    def __init__(self) -> None:
        self._again = threading.Event()
        self._again.set()
        self._since = 0.0
        self._steady = 0
        self._last: float | None = None
        self.settled = False

    def again(self) -> None:
        """Starts again with the next picture. May be called from any thread."""
        self._again.set()

    def begins(self, t: float) -> bool:
        """Whether adaptation starts with this picture."""
        if not self._again.is_set():
            return False
        self._again.clear()
        self._since, self._steady, self._last, self.settled = t, 0, None, False
        return True

    def ends(self, t: float, exposure: float | None) -> bool:
        """Whether adaptation ends with this picture; true once."""
        if self.settled:
            return False
        last, self._last = self._last, exposure
        if exposure is not None and last is not None:
            self._steady = self._steady + 1 if abs(exposure - last) <= STEADY * max(last, 1e-9) else 0
        still = exposure is None or self._steady >= STEADY_PICTURES
        self.settled = (t - self._since >= SETTLE_S and still) or t - self._since >= LONGEST_S
        return self.settled


class PiLock:
    """Locks a picamera2 camera by its own controls: AeEnable, AwbEnable, AfMode and the values in force.

    Controls that a camera lacks are left out, because picamera2 refuses them: a grey sensor has no white
    balance, most lenses have no focus.

    Args:
        mains_hz: frequency of the mains, for exposures without flicker; 0: the camera's own setting.
    """

    def __init__(self, camera: Any, mains_hz: int = 0) -> None:
        self._camera = camera
        self._mains_hz = mains_hz
        self._focusing = False
        self._settling = Settling()

    def again(self) -> None:
        """Adapts and locks again, from the next picture on. May be called from any thread."""
        self._settling.again()

    @property
    def notes(self) -> tuple[Message, ...]:
        """What could not be locked."""
        waits = self._focusing and self._settling.settled
        return (message("camera.focus_searches"),) if waits else ()

    def see(self, about: dict[str, Any], t: float) -> None:
        """Takes each picture's metadata."""
        if self._settling.begins(t):
            self._focusing = "AfMode" in self._camera.camera_controls
            self._set({"AeEnable": True, "AwbEnable": True, "AfMode": CONTINUOUS, **self._flicker()})
        exposure = about.get("ExposureTime")
        gain = about.get("AnalogueGain", 1.0)
        if self._settling.ends(t, None if exposure is None else float(exposure) * float(gain)):
            self._set(self._values(about))
        if self._focusing and self._settling.settled and about.get("AfState", FOCUSED) == FOCUSED:
            self._focusing = False
            if "LensPosition" in about:
                self._set({"AfMode": MANUAL, "LensPosition": about["LensPosition"]})

    def _set(self, values: dict[str, Any]) -> None:
        known = {name: value for name, value in values.items() if name in self._camera.camera_controls}
        if known:
            self._camera.set_controls(known)

    def _flicker(self) -> dict[str, Any]:
        if not self._mains_hz:
            return {}
        half_wave_us = round(1e6 / (2 * self._mains_hz))
        return {"AeFlickerMode": FLICKER_MANUAL, "AeFlickerPeriod": half_wave_us}

    def _values(self, about: dict[str, Any]) -> dict[str, Any]:
        """The present values as fixed controls; a value that the camera does not report stays automatic."""
        fixed: dict[str, Any] = {}
        if "ExposureTime" in about and "AnalogueGain" in about:
            exposure, gain = about["ExposureTime"], about["AnalogueGain"]
            fixed |= {"AeEnable": False, "ExposureTime": exposure, "AnalogueGain": gain}
        if "ColourGains" in about:
            fixed |= {"AwbEnable": False, "ColourGains": tuple(about["ColourGains"])}
        return fixed


class WebcamLock:
    """Locks a V4L2 webcam through OpenCV; other systems' webcams are left as they are.

    Some webcams change their exposure when it is locked: if the brightness changes by more than JUMP,
    automatic exposure is switched on again. V4L2 does not say whether a camera has found its focus: it is
    locked when the pictures have been equally sharp for a while.
    """

    def __init__(self, camera: Any) -> None:
        import cv2

        self._cv = cv2
        self._camera = camera
        self._able = _backend(camera) == "V4L2"
        self._before: float | None = None
        self._judged_at = 0.0
        self._sharp = _SharpnessTrend()
        self._focusing = False
        self._unlocked: tuple[str, ...] = ()
        self._watched: float | None = None
        self._said_at = -DRIFT_S
        self._settling = Settling()

    def again(self) -> None:
        """Adapts and locks again, from the next picture on. May be called from any thread."""
        self._settling.again()

    @property
    def notes(self) -> tuple[Message, ...]:
        """What could not be locked."""
        searches = (message("camera.focus_searches"),) if self._focusing and self._settling.settled else ()
        return (*(message(_UNLOCKED[what]) for what in self._unlocked), *searches)

    def see(self, image: Picture, t: float) -> None:
        """Takes each picture."""
        if not self._able:
            return
        if self._settling.begins(t):
            self._free()
        light = float(np.mean(image[::8, ::8]))
        if self._settling.ends(t, light):
            self._before, self._judged_at = light, t + 1.0
            self._fix()
        elif self._before is not None and t >= self._judged_at:
            before, self._before = self._before, None
            if abs(light - before) > JUMP * max(before, 8.0):
                logger.warning("the webcam changes its exposure when it is locked: it stays automatic")
                self._camera.set(self._cv.CAP_PROP_AUTO_EXPOSURE, V4L2_AUTO)
                self._unlocked = tuple(dict.fromkeys((*self._unlocked, "exposure")))
                self._judged_at = t
        if self._focusing and self._settling.settled and self._sharp.steady(self._sharpness(image)):
            self._focusing = False
            self._lock(self._cv.CAP_PROP_AUTOFOCUS, 0, self._cv.CAP_PROP_FOCUS)
        if self._unlocked and self._before is None and t >= self._judged_at + 1.0:
            self._watch(light, t)

    def _fix(self) -> None:
        """Locks exposure and white balance, and remembers what the driver refuses."""
        cv = self._cv
        exposure = self._lock(cv.CAP_PROP_AUTO_EXPOSURE, V4L2_MANUAL, cv.CAP_PROP_EXPOSURE)
        white = self._lock(cv.CAP_PROP_AUTO_WB, 0, cv.CAP_PROP_WB_TEMPERATURE)
        refused = {"exposure": not exposure, "white": not white}
        self._unlocked = tuple(what for what, unlocked in refused.items() if unlocked)
        for note in self.notes:
            logger.warning("the camera: %s", note)
        self._watched = None

    def _lock(self, automatic: int, off: int, value: int) -> bool:
        """Fixes a value that the camera adapts; False: the driver does not let it."""
        now = self._camera.get(value)
        if not self._camera.set(automatic, off) or self._camera.get(automatic) != off:
            return False
        if now > 0:
            self._camera.set(value, now)
        return True

    def _free(self) -> None:
        cv = self._cv
        for automatic, on in ((cv.CAP_PROP_AUTO_EXPOSURE, V4L2_AUTO), (cv.CAP_PROP_AUTO_WB, 1)):
            self._camera.set(automatic, on)
        self._focusing = bool(self._camera.set(cv.CAP_PROP_AUTOFOCUS, 1))
        self._sharp = _SharpnessTrend()
        self._before, self._unlocked = None, ()

    def _sharpness(self, image: Picture) -> float:
        """The variance of the second derivative in the middle of the picture."""
        height, width = image.shape[:2]
        middle = image[height // 4 : 3 * height // 4 : 2, width // 4 : 3 * width // 4, 1]
        return float(self._cv.Laplacian(np.ascontiguousarray(middle), self._cv.CV_32F).var())

    def _watch(self, light: float, t: float) -> None:
        """Logs when a camera that could not be locked has changed its brightness."""
        if self._watched is None:
            self._watched = light
        elif abs(light - self._watched) > JUMP * max(self._watched, 8.0) and t - self._said_at >= DRIFT_S:
            logger.warning(
                "the camera has adapted to the light: its brightness went from %.0f to %.0f",
                self._watched,
                light,
            )
            self._watched, self._said_at = light, t


class _SharpnessTrend:
    """Detects when the pictures have been equally sharp for a while."""

    def __init__(self) -> None:
        self._last: float | None = None
        self._steady = 0

    def steady(self, sharpness: float) -> bool:
        """Whether the latest FOCUSED_PICTURES pictures were equally sharp."""
        last, self._last = self._last, sharpness
        if last is not None:
            same = abs(sharpness - last) <= SHARPNESS * max(last, 1.0)
            self._steady = self._steady + 1 if same else 0
        return self._steady >= FOCUSED_PICTURES


def _backend(camera: Any) -> str:
    name = getattr(camera, "getBackendName", None)
    return str(name()) if name is not None else ""
