"""Detects a microphone that is switched off: it delivers blocks in which every sample is the same.

Even in a silent room a microphone delivers its own noise. One that delivers constant samples for long cannot
hear calls, so it is reported as down: the clock of the game is paused, and nobody is judged too late.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.message import Message, message

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class MuteDetector:
    """Gets every block of the microphone.

    Args:
        after_s: seconds of constant samples after which the microphone counts as switched off; 0: never, for
            a microphone that suppresses noise and delivers constant samples between words.
    """

    def __init__(self, after_s: float) -> None:
        self._after_s = after_s
        self._since: float | None = None
        self.off = False
        """Whether it is switched off."""

    def update(self, samples: NDArray[np.int16], t: float) -> bool:
        """Takes a block whose first sample sounded at `t`; returns whether `off` has changed."""
        was = self.off
        if samples.size and samples.min() == samples.max():
            self._since = t if self._since is None else self._since
            self.off = 0.0 < self._after_s <= t - self._since
        else:
            self.reset()
        return self.off is not was

    def reset(self) -> None:
        """Starts again, for a microphone that was opened again."""
        self._since, self.off = None, False

    @property
    def why(self) -> Message | None:
        """The fault with its remedy; None: there is none."""
        return message("microphone.muted") if self.off else None
