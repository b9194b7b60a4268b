"""How loud each player's calls are: what is far softer is somebody else's, and is asked about.

One microphone cannot tell who spoke; but what comes from behind the table, from another room or a loudspeaker
is softer than the calls of the player whose turn it is. Such words are doubted: they are asked about and
accuse nobody. Words that are the right call stay what they are, however soft.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np

from companion.core.observations import HeardWord
from companion.speech.audio.levels import Levels, loudest
from companion.speech.recognition.verdict import CallScore, as_doubtful

SOFTER_DB = 10.0
"""So much softer than a player's usual call is not that player's. Of 224 calls by four speakers, each beside
six others of the same speaker, one in a hundred was 6 to 9 dB softer than their median, one 11 dB."""
KNOWN = 3
"""So many right calls tell how loud a player is ..."""
LATEST = 8
"""... and so many are remembered: people move, and so do microphones."""
SURE = 0.9
"""Probability from which on a right call is this player's."""


class LoudnessBaseline:
    """The loudness of the latest right calls of each player."""

    def __init__(self) -> None:
        self._levels: dict[str, deque[float]] = {}

    def update(
        self, player: str, found: CallScore, words: Sequence[HeardWord], levels: Levels
    ) -> tuple[HeardWord, ...]:
        """The words as they are told: doubted where they are too soft to be this player's.

        Args:
            player: who is to call; empty: nobody knows who, and nothing is doubted.
            found: what the sound was; right calls are learnt from.
            words: what is to be told of it.
            levels: of the sound in which `found.words` lie.
        """
        if not player or not found.words:
            return tuple(words)
        level = max(loudest(levels, word.start, word.end) for word in found.words)
        known = self._levels.setdefault(player, deque(maxlen=LATEST))
        if found.fits:
            if found.right >= SURE:
                known.append(level)
        elif len(known) >= KNOWN and level < float(np.median(known)) - SOFTER_DB:
            return as_doubtful(words)
        return tuple(words)
