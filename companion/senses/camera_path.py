"""The path of one camera frame: idle detector, lens correction, latest frame, eyes."""

from __future__ import annotations

from collections.abc import Callable

from companion.senses.eyes import Eyes, Image
from companion.senses.idle_detector import IdleDetector
from companion.senses.latest_frame import LatestFrame
from hardware.streams import Frame


class CameraPath:
    """Takes every frame on the camera's thread.

    Args:
        idle_detector: notices when nothing moves, so that the camera skips frames.
        straighten: corrects the distortion of the lens.
        latest_frame: keeps the frame for the pages.
        eyes: look at the frame on their own thread.
    """

    def __init__(
        self,
        idle_detector: IdleDetector,
        straighten: Callable[[Image], Image],
        latest_frame: LatestFrame,
        eyes: Eyes,
    ) -> None:
        self._idle_detector = idle_detector
        self._straighten = straighten
        self._latest_frame = latest_frame
        self._eyes = eyes

    def take(self, frame: Frame) -> None:
        """Passes one frame on; returns before the eyes have looked at it."""
        self._idle_detector.see(frame.image, frame.t)
        image = self._straighten(frame.image)
        self._latest_frame.see(image, frame.t)
        self._eyes.see(image, frame.t)
