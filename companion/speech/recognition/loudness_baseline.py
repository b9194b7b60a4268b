"""How loud each player's calls are: words that are much softer come from somebody else.

One microphone cannot tell who spoke; but what comes from behind the table, from another room or a loudspeaker
is softer than the calls of the player whose turn it is.
"""

from __future__ import annotations

from collections import deque

import numpy as np

MIN_CALLS = 3
"""So many right calls of a player, or of all players together, give a baseline ..."""
LATEST = 8
"""... of the latest so many: people move, and so do microphones."""
MIN_PROBABILITY = 0.9
"""A right call counts for the baseline from this probability on."""


class LoudnessBaseline:
    """The loudness of the latest right calls of each player."""

    def __init__(self) -> None:
        self._levels: dict[str, deque[float]] = {}

    def learn(self, player: str, probability: float, level_db: float) -> None:
        """Takes the level (dB of full scale) of a call that is right with this probability."""
        if player and probability >= MIN_PROBABILITY:
            self._levels.setdefault(player, deque(maxlen=LATEST)).append(level_db)

    def usual_db(self, player: str) -> float | None:
        """The median level of a player's calls; of all players' while too few of the own are known, None
        while too few are known at all."""
        own = list(self._levels.get(player, ()))
        known = own if len(own) >= MIN_CALLS else [one for levels in self._levels.values() for one in levels]
        return float(np.median(known)) if len(known) >= MIN_CALLS else None
