"""A player who invented a sound repeats it, so that it is recognised better when others make it.

This is optional and no part of the rules. The clock of the game waits; the next card ends it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.api.devices import SoundProgress
from companion.core.errors import UsageError
from companion.senses.ears import Ears

TIMES = 3
"""How often the sound is made, including the first time."""


class SoundTraining:
    """What the board asks for. Every method may be called from any thread.

    Args:
        ears: they learned the sound.
        wait: stops the game's clock until the next move.
    """

    def __init__(self, ears: Ears, wait: Callable[[], Any]) -> None:
        self._ears = ears
        self._wait = wait

    def begin(self) -> SoundProgress:
        """From now on what is heard is the sound again; see `state`.

        Raises:
            UsageError: no microphone listens.
        """
        if not self._ears.listening:
            raise UsageError("sound.no_game")
        self._wait()
        self._ears.repeat_sound(TIMES - 1)
        return self.state()

    def state(self) -> SoundProgress:
        """`left`: how many times more; `of`: how often in all."""
        return SoundProgress(self._ears.repeats_left, TIMES)

    def stop(self) -> SoundProgress:
        """Ends it; what was learned is kept."""
        self._ears.repeat_sound(0)
        return self.state()
