"""The sound of one speaker, taken out of what an array of microphones hears."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np
from numpy.typing import NDArray


class SpeakerSound(msgspec.Struct, frozen=True):
    """The sound from the direction of a speaker."""

    samples: NDArray[np.int16]
    """Mono."""
    softer_db: float
    """By how much what was heard before is softer in it than at one microphone."""


SpeakerFilter = Callable[[str, float, float], SpeakerSound | None]
"""From a player and two moments of the clock to the player's sound between them; None: it cannot be told from
others, and the sound of one microphone is as good."""
