"""Locks exposure, white balance and focus once the camera has adapted to the light.

A camera that keeps adapting changes every pixel when a hand enters the picture or a white card is played,
which would look like movement. On request the camera adapts to the present light again.
"""

from __future__ import annotations

import logging
import threading
from typing import Any

import numpy as np

from hardware.streams import Picture

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
MANUAL, CONTINUOUS = 0, 2
"""libcamera's AfModeEnum."""
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
    """

    def __init__(self, camera: Any) -> None:
        self._camera = camera
        self.settling = Settling()

    def see(self, about: dict[str, Any], t: float) -> None:
        """Takes each picture's metadata."""
        if self.settling.begins(t):
            self._set({"AeEnable": True, "AwbEnable": True, "AfMode": CONTINUOUS})
        exposure = about.get("ExposureTime")
        gain = about.get("AnalogueGain", 1.0)
        if self.settling.ends(t, None if exposure is None else float(exposure) * float(gain)):
            self._set(self._values(about))

    def _set(self, values: dict[str, Any]) -> None:
        known = {name: value for name, value in values.items() if name in self._camera.camera_controls}
        if known:
            self._camera.set_controls(known)

    def _values(self, about: dict[str, Any]) -> dict[str, Any]:
        """The present values as fixed controls; a value that the camera does not report stays automatic."""
        fixed: dict[str, Any] = {}
        if "ExposureTime" in about and "AnalogueGain" in about:
            exposure, gain = about["ExposureTime"], about["AnalogueGain"]
            fixed |= {"AeEnable": False, "ExposureTime": exposure, "AnalogueGain": gain}
        if "ColourGains" in about:
            fixed |= {"AwbEnable": False, "ColourGains": tuple(about["ColourGains"])}
        if "LensPosition" in about:
            fixed |= {"AfMode": MANUAL, "LensPosition": about["LensPosition"]}
        return fixed


class WebcamLock:
    """Locks a V4L2 webcam through OpenCV; other systems' webcams are left as they are.

    Some webcams change their exposure when it is locked: if the brightness changes by more than JUMP,
    automatic exposure is switched on again.
    """

    def __init__(self, camera: Any) -> None:
        import cv2

        self._cv = cv2
        self._camera = camera
        self._able = _backend(camera) == "V4L2"
        self._before: float | None = None
        self._judged_at = 0.0
        self.settling = Settling()

    def see(self, image: Picture, t: float) -> None:
        """Takes each picture."""
        if not self._able:
            return
        if self.settling.begins(t):
            self._free()
            self._before = None
        light = float(np.mean(image[::8, ::8]))
        if self.settling.ends(t, light):
            self._before, self._judged_at = light, t + 1.0
            self._fix()
        elif self._before is not None and t >= self._judged_at:
            before, self._before = self._before, None
            if abs(light - before) > JUMP * max(before, 8.0):
                logger.warning("the webcam changes its exposure when it is locked: it stays automatic")
                self._free()

    def _fix(self) -> None:
        cv = self._cv
        for automatic, off, value in (
            (cv.CAP_PROP_AUTO_EXPOSURE, V4L2_MANUAL, cv.CAP_PROP_EXPOSURE),
            (cv.CAP_PROP_AUTO_WB, 0, cv.CAP_PROP_WB_TEMPERATURE),
            (cv.CAP_PROP_AUTOFOCUS, 0, cv.CAP_PROP_FOCUS),
        ):
            now = self._camera.get(value)
            if self._camera.set(automatic, off) and now > 0:
                self._camera.set(value, now)

    def _free(self) -> None:
        cv = self._cv
        for automatic, on in (
            (cv.CAP_PROP_AUTO_EXPOSURE, V4L2_AUTO),
            (cv.CAP_PROP_AUTO_WB, 1),
            (cv.CAP_PROP_AUTOFOCUS, 1),
        ):
            self._camera.set(automatic, on)


def _backend(camera: Any) -> str:
    name = getattr(camera, "getBackendName", None)
    return str(name()) if name is not None else ""
