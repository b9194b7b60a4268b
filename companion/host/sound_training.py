"""Say it three times: whoever invented a sound makes it again, so that it is known better in other mouths.

It is no part of the rules and nobody has to. The game's clock waits meanwhile; the next card ends it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.api.devices import SoundProgress
from companion.core.errors import UsageError
from companion.senses.ears import Ears

TIMES = 3
"""So often the sound is made, the first time included."""


class SoundTraining:
    """What the board asks for. Every method may be called from any thread.

    Args:
        ears: they learnt the sound.
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
        """Ends it; what was learnt stays."""
        self._ears.repeat_sound(0)
        return self.state()
