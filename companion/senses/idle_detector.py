"""Detects when nothing has moved on the table for a while: then every third picture is enough.

Pictures that are not needed are not decoded (hardware.camera), which saves most of the processor time. The
first picture with movement ends the idle state, at most a tenth of a second after the movement began. A hand
is in the picture for longer than that before its card is on the table, so landings keep their times.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

QUIET_S = 10.0
"""Seconds without movement before the idle state begins."""
COARSE = (160, 90)
"""Width and height of the picture in which movement is looked for: a card is a hundred of its pixels."""
LEVELS = 12
"""A pixel has changed by so much, of 255 (the noise of a poor camera, 8 levels, is 2 here) ..."""
PIXELS = 4
"""... and so many of them have, in any channel."""
RENEWED_S = 1.0
"""How often the picture that others are compared with is renewed: slow movement shows, slow light not."""


class IdleDetector:
    """Fed with every picture on the camera's thread; asked by the camera before it decodes the next."""

    def __init__(self) -> None:
        self._before: NDArray[np.uint8] | None = None
        self._renewed = self._moved = self._t = 0.0

    def see(self, image: Any, t: float) -> None:
        """Takes the picture of the moment `t`, in seconds."""
        import cv2
        import numpy as np

        twice = (2 * COARSE[0], 2 * COARSE[1])  # in two steps: a fifth of what the average of all would cost
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
        """Whether every picture would show the same."""
        return self._before is not None and self._t - self._moved > QUIET_S
