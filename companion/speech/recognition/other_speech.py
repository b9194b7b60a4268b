"""Was it a call at all? Words that are not the right call, weighed against other speech, noise and silence.

Numbers are found in talk, music and the numbers of other languages. Four pieces of evidence tell a call from
them, and a logistic function turns them into a probability (`python -m bench --fit calls`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from companion.core.observations import HeardWord
from companion.speech.audio.levels import Levels, loudest

MAX_LOG_RATIO = 20.0
"""The log-likelihood ratio is limited to this many nats either way."""
MAX_SOFTER_DB = 15.0
"""More than this below the players' calls makes no difference."""


class CallEvidence(msgspec.Struct, frozen=True):
    """What tells whether words were called by a player."""

    log_ratio: float
    """Log-likelihood ratio (nats) of the words against other speech and noises alone."""
    verifier_log_odds: float
    """The verifier's log odds of the least certain word."""
    softer_db: float
    """How far the words are below the median of the players' calls; 0 if that is not known."""
    throat: bool
    """Whether it is the throat sound, for which music and coughs are taken, and no phone card lies there."""


class CallCalibration(msgspec.Struct, frozen=True):
    """Turns evidence into log odds of a call, for equally many calls and other sounds."""

    offset: float
    log_ratio: float
    verifier: float
    softer: float
    throat: float

    def log_odds(self, evidence: CallEvidence) -> float:
        """Log odds that the words were called."""
        return (
            self.offset
            + self.log_ratio * evidence.log_ratio
            + self.verifier * evidence.verifier_log_odds
            + self.softer * evidence.softer_db
            + self.throat * evidence.throat
        )


FITTED = CallCalibration(offset=-2.30, log_ratio=0.165, verifier=0.433, softer=-0.213, throat=0.257)
"""`python -m bench --fit calls` (docs/lab/speech/other-speech.md): four development speakers and half of the
noises, 658 calls and 120 other sounds. On four other speakers and the other half (693 and 136): of
probabilities from 0.9 to 0.98, 0.98 are calls; of those below 0.1, 0.03."""


def evidence(
    words: Sequence[HeardWord],
    levels: Levels,
    log_ratio: float,
    verifier_log_odds: float,
    usual_db: float | None,
    throat: bool,
) -> CallEvidence:
    """The evidence of words found in a piece of sound.

    Args:
        words: at least one; times are seconds of the piece.
        levels: of the piece.
        log_ratio: of the words against no call, in nats.
        verifier_log_odds: of the least certain word.
        usual_db: the median level of the players' calls; None: not known.
        throat: whether it is the throat sound, and no phone card lies there.
    """
    level_db = max(loudest(levels, word.start, word.end) for word in words)
    return CallEvidence(
        max(-MAX_LOG_RATIO, min(MAX_LOG_RATIO, log_ratio)),
        verifier_log_odds,
        softer_by(level_db, usual_db),
        throat,
    )


def softer_by(level_db: float, usual_db: float | None) -> float:
    """How far a level lies below the players' calls, 0 to MAX_SOFTER_DB; 0 if those are not known."""
    return 0.0 if usual_db is None else min(MAX_SOFTER_DB, max(0.0, usual_db - level_db))


def probability(found: CallEvidence, prior: float, calibration: CallCalibration = FITTED) -> float:
    """The probability that the words were called.

    Args:
        prior: share of calls among the sounds in which words are found, above 0 and below 1.
    """
    odds = calibration.log_odds(found) + math.log(prior / (1.0 - prior))
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, odds))))
