"""Training of an invented sound: its player repeats it, so that it is recognised better when others make it.

This is optional and not part of the rules. The clock of the game is paused; the next card ends the training.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.api.devices import SoundProgress
from companion.core.errors import UsageError
from companion.senses.ears import Ears

TIMES = 3
"""How many times the sound is made, including the first time."""


class SoundTraining:
    """The service behind the board's sound training. Every method may be called from any thread.

    Args:
        ears: learned the sound and learn its repetitions.
        wait: stops the game's clock until the next move.
        repeated: called with the number of repetitions that the ears are to learn from now on.
    """

    def __init__(
        self, ears: Ears, wait: Callable[[], Any], repeated: Callable[[int], None] = lambda times: None
    ) -> None:
        self._ears = ears
        self._wait = wait
        self._repeated = repeated

    def begin(self) -> SoundProgress:
        """Starts: sounds from now on are repetitions of the invented sound; see `state`.

        Raises:
            UsageError: no game listens to the microphone.
        """
        if not self._ears.listening:
            raise UsageError("sound.no_game")
        self._wait()
        self._repeat(TIMES - 1)
        return self.state()

    def state(self) -> SoundProgress:
        """`left`: repetitions still to come; `of`: all of them."""
        return SoundProgress(self._ears.repeats_left, TIMES)

    def stop(self) -> SoundProgress:
        """Ends the training; what was learned is kept."""
        self._repeat(0)
        return self.state()

    def _repeat(self, times: int) -> None:
        self._repeated(times)
        self._ears.repeat_sound(times)
