"""How loud each player's calls are: words that are much softer come from somebody else.

One microphone cannot tell who spoke; but what comes from behind the table, from another room or a loudspeaker
is softer than the calls of the player whose turn it is. Such words are doubtful: the table is asked. Words
that are the right call keep their confidence, however soft.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np

from companion.core.observations import HeardWord
from companion.speech.audio.levels import Levels, loudest
from companion.speech.recognition.verdict import CallScore, as_doubtful

SOFTER_DB = 10.0
"""Words this much softer than a player's median are not that player's. Of 224 calls by four speakers, each
compared with six others of the same speaker, one in a hundred was 6 to 9 dB softer than their median, one
11 dB."""
MIN_CALLS = 3
"""So many right calls give a baseline ..."""
LATEST = 8
"""... of the latest so many: people move, and so do microphones."""
MIN_PROBABILITY = 0.9
"""A right call counts for the baseline from this probability on."""


class LoudnessBaseline:
    """The loudness of the latest right calls of each player."""

    def __init__(self) -> None:
        self._levels: dict[str, deque[float]] = {}

    def update(
        self, player: str, score: CallScore, words: Sequence[HeardWord], levels: Levels
    ) -> tuple[HeardWord, ...]:
        """The words to report: doubtful if they are too soft to be this player's. Learns from right calls.

        Args:
            player: who is to call; empty: it is not known who, and nothing is changed.
            score: of the sound.
            words: what is to be reported of it.
            levels: of the sound that `score.words` refer to.
        """
        if not player or not score.words:
            return tuple(words)
        level = max(loudest(levels, word.start, word.end) for word in score.words)
        known = self._levels.setdefault(player, deque(maxlen=LATEST))
        if score.fits:
            if score.probability >= MIN_PROBABILITY:
                known.append(level)
        elif len(known) >= MIN_CALLS and level < float(np.median(known)) - SOFTER_DB:
            return as_doubtful(words)
        return tuple(words)
