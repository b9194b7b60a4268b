"""Detects that nothing has moved on the table for a while: then every third picture is enough.

Skipped pictures are not decoded (hardware.camera), which saves most of the processor time. The first picture
with movement ends the idle state, at most 0.1 s after the movement began. A hand is in the picture for longer
than that before its card is on the table, so the times of landings do not change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

QUIET_S = 10.0
"""Seconds without movement before the idle state begins."""
COARSE = (160, 90)
"""Width and height of the reduced picture that is searched for movement: a card covers 100 of its pixels."""
LEVELS = 12
"""Change of a pixel, of 255, that counts as movement (camera noise of 8 levels is 2 after reduction) ..."""
PIXELS = 4
"""... if at least this many pixels have it in any channel."""
RENEWED_S = 1.0
"""Seconds after which the reference picture is replaced: slow movement is noticed, slow light is not."""


class IdleDetector:
    """Gets every picture on the camera's thread; the camera asks it before it decodes the next one."""

    def __init__(self) -> None:
        self._before: NDArray[np.uint8] | None = None
        self._renewed = self._moved = self._t = 0.0

    def see(self, image: Any, t: float) -> None:
        """Takes the picture of the moment `t`, in seconds."""
        import cv2
        import numpy as np

        twice = (2 * COARSE[0], 2 * COARSE[1])  # two steps take a fifth of the time of one area average
        fine = cv2.resize(image, twice, interpolation=cv2.INTER_LINEAR)
        coarse = np.asarray(cv2.resize(fine, COARSE, interpolation=cv2.INTER_AREA), np.uint8)
        before = self._before
        backwards = t < self._t
        self._t = t
        if before is None or backwards or np.count_nonzero(cv2.absdiff(coarse, before) > LEVELS) >= PIXELS:
            self._moved = t
        elif t - self._renewed < RENEWED_S:
            return
        self._before, self._renewed = coarse, t

    def __call__(self) -> bool:
        """Whether the table is idle."""
        return self._before is not None and self._t - self._moved > QUIET_S
