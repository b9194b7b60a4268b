"""A microphone that is switched off: sound comes from it, and every sample is the same.

Even in a silent room a microphone hears its own noise. One that gives nothing at all for long cannot hear
calls either, so it is reported as down: the clock of the game waits, and nobody is found too late.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.message import Message, message

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class MuteDetector:
    """Fed with what the microphone gives.

    Args:
        after_s: so long nothing at all has to come; 0: it is never switched off. A microphone that suppresses
            noise gives nothing between words, too.
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
        """Starts again: the microphone has been opened again."""
        self._since, self.off = None, False

    @property
    def why(self) -> Message | None:
        """What is wrong and what to do about it; None: nothing."""
        return message("microphone.muted") if self.off else None
