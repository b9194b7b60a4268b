"""The service's own class for the camera on the ribbon, on the kernel's virtual sensor (vimc): it is opened
twice, its pictures have their times, and it is given back. Prints one object in JSON.

python sensor.py
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from picamera2 import Picamera2

from companion.core.config import Camera
from hardware.camera import PiCamera

configure = Picamera2.create_video_configuration


def other_order(camera: Any, main: dict[str, Any] | None = None, **rest: Any) -> Any:
    """vimc gives three bytes a pixel in the other order only."""
    return configure(camera, main={**(main or {}), "format": "BGR888"}, **rest)


def main() -> int:
    """Takes three pictures twice."""
    Picamera2.create_video_configuration = other_order
    firsts, ages = [], []
    for _ in range(2):
        begun = time.monotonic()
        camera = PiCamera(Camera(backend="picamera2", width=640, height=480, fps=10.0, stall_s=60.0))
        pictures, before = iter(camera), 0.0
        for _ in range(3):
            picture = next(pictures)
            now = time.monotonic()
            if not before:
                firsts.append(round(now - begun, 1))
            ages.append(round(now - picture.t, 2))
            assert picture.image.shape == (480, 640, 3), picture.image.shape
            assert picture.image.std() > 10, "the sensor shows coloured bars"
            assert picture.t > before, "times go forward"
            before = picture.t
        camera.close()
    assert all(-0.05 < age < 10 for age in ages), ages
    print(json.dumps({"first_picture_s": firsts, "age_s": ages}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
