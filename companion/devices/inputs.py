"""Camera and microphone: the configured devices, or recordings of them.

A device's library is imported when the device is opened, after the service is ready.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from companion.core.clock import Clock
from companion.core.config import Config
from companion.core.message import Message
from hardware.arrays import configured_channels
from hardware.streams import Block, Frame, IsIdle, Stream, never_idle


@dataclass(frozen=True)
class Inputs:
    """Functions that open camera and microphone; None: there is no such device.

    `lossless`: pictures are queued instead of dropped, for simulated cameras.
    """

    camera: Callable[[], Stream[Frame]] | None = None
    microphone: Callable[[], Stream[Block]] | None = None
    camera_stall_s: float | None = None
    lossless: bool = False


class CameraOpener:
    """Opens the camera and keeps it, so that its settings can be locked again.

    Args:
        open_camera: opens it.
    """

    def __init__(self, open_camera: Callable[[], Stream[Frame]]) -> None:
        self._open = open_camera
        self._camera: Stream[Frame] | None = None

    def open(self) -> Stream[Frame]:
        """Opens the camera.

        Raises:
            Unavailable: there is no camera.
        """
        self._camera = self._open()
        return self._camera

    def relock(self) -> None:
        """Has exposure, white balance and focus adapt and locks them again; does nothing for cameras that
        cannot lock them."""
        relock = getattr(self._camera, "relock", None)
        if relock is not None:
            relock()

    def notes(self) -> tuple[Message, ...]:
        """What the camera does not do as it should, with what helps; nothing for cameras that report none."""
        return tuple(getattr(self._camera, "notes", ()))


DRAWN_FPS = 5.0
"""Pictures a second of the drawn table, on which nothing moves."""
DRAWN_SIZE = (1280, 720)
"""Width and height of the drawn table in pixels, where none are configured."""


def configured_inputs(config: Config, clock: Clock, is_idle: IsIdle = never_idle) -> Inputs:
    """The configured devices; their supervisors open them. While `is_idle()` is true, the camera may skip
    pictures."""
    camera, microphone = config.camera, config.microphone
    true_rates: dict[int, int] = {}

    def simulated_camera() -> Stream[Frame]:
        from hardware.simulated import SimulatedCamera, recorded_pictures, waiting

        if camera.backend == "recording":
            pictures = recorded_pictures(Path(camera.file), camera.fps, is_idle)
        else:
            from companion.devices import drawn_camera

            width, height = camera.width or DRAWN_SIZE[0], camera.height or DRAWN_SIZE[1]
            pictures = drawn_camera.pictures(camera.file, width, height, min(camera.fps, DRAWN_FPS))
        return SimulatedCamera(pictures, clock(), waiting(clock, time.sleep))

    def open_camera() -> Stream[Frame]:
        if camera.backend in ("recording", "drawn"):
            return simulated_camera()
        from hardware.camera import open_camera

        return open_camera(camera, clock, is_idle)

    def open_microphone() -> Stream[Block]:
        if microphone.backend == "recording":
            from hardware.simulated import SimulatedMicrophone, waiting, wav_blocks

            blocks = wav_blocks(Path(microphone.file))
            return SimulatedMicrophone(blocks, clock(), waiting(clock, time.sleep))
        from hardware.microphone import Microphone

        channels = configured_channels(microphone)
        return Microphone(microphone.device, microphone.stall_s, clock, channels, true_rates)

    return Inputs(
        camera=None if camera.backend == "none" else open_camera,
        microphone=None if microphone.backend == "none" else open_microphone,
        camera_stall_s=None if camera.backend in ("recording", "drawn") else camera.stall_s + 1.0,
        lossless=camera.backend == "recording",
    )
