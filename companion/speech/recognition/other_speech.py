"""Was it a call at all? Words that are not the right call, weighed against other speech, noise and silence.

Numbers are found in talk, music and the numbers of other languages. Five pieces of evidence tell a call from
them, and a logistic function turns them into a probability (`python -m bench --fit calls`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np

from companion.core.observations import HeardWord
from companion.speech.audio.levels import FRAME_S, MIN_SNR_DB, Levels, loudest

MAX_LOG_RATIO = 20.0
"""The log-likelihood ratio is limited to this many nats either way."""
BESIDE_S = 0.12
"""A word takes in so many seconds before and behind it."""
MAX_OUTSIDE_S = 1.5
"""More sound than this (s) outside the words makes no difference."""
MAX_SOFTER_DB = 15.0
"""More than this below the players' calls makes no difference."""


class CallEvidence(msgspec.Struct, frozen=True):
    """What tells whether words were called by a player."""

    log_ratio: float
    """Log-likelihood ratio (nats) of the words against other speech and noises alone."""
    verifier_log_odds: float
    """The verifier's log odds of the least certain word."""
    outside_s: float
    """Seconds of sound above the background outside the words: talk goes on before and behind them."""
    surplus: int
    """How many words there are more than two."""
    softer_db: float
    """How far the words are below the median of the players' calls; 0 if that is not known."""
    throat: bool
    """Whether it is the throat sound, for which music and coughs are taken, and no phone card lies there."""


class CallCalibration(msgspec.Struct, frozen=True):
    """Turns evidence into log odds of a call, for equally many calls and other sounds."""

    offset: float
    log_ratio: float
    verifier: float
    outside: float
    surplus: float
    softer: float
    throat: float

    def log_odds(self, evidence: CallEvidence) -> float:
        """Log odds that the words were called."""
        return (
            self.offset
            + self.log_ratio * evidence.log_ratio
            + self.verifier * evidence.verifier_log_odds
            + self.outside * evidence.outside_s
            + self.surplus * evidence.surplus
            + self.softer * evidence.softer_db
            + self.throat * evidence.throat
        )


FITTED = CallCalibration(
    offset=0.0, log_ratio=0.1, verifier=0.5, outside=-2.0, surplus=-1.0, softer=-0.2, throat=-2.0
)
"""`python -m bench --fit calls`."""


def evidence(
    words: Sequence[HeardWord],
    levels: Levels,
    background_db: float,
    log_ratio: float,
    verifier_log_odds: float,
    usual_db: float | None,
    throat: bool,
) -> CallEvidence:
    """The evidence of words found in a piece of sound.

    Args:
        words: at least one; times are seconds of the piece.
        levels: of the piece.
        background_db: level about it.
        log_ratio: of the words against no call, in nats.
        verifier_log_odds: of the least certain word.
        usual_db: the median level of the players' calls; None: not known.
        throat: whether it is the throat sound, and no phone card lies there.
    """
    outside = levels > background_db + MIN_SNR_DB
    for word in words:
        first, last = word.start - BESIDE_S, word.end + BESIDE_S
        outside[max(0, round(first / FRAME_S)) : max(0, round(last / FRAME_S))] = False
    level = max(loudest(levels, word.start, word.end) for word in words)
    softer = 0.0 if usual_db is None else max(0.0, usual_db - level)
    return CallEvidence(
        max(-MAX_LOG_RATIO, min(MAX_LOG_RATIO, log_ratio)),
        verifier_log_odds,
        min(MAX_OUTSIDE_S, float(np.count_nonzero(outside)) * FRAME_S),
        max(0, len(words) - 2),
        min(MAX_SOFTER_DB, softer),
        throat,
    )


def probability(found: CallEvidence, prior: float, calibration: CallCalibration = FITTED) -> float:
    """The probability that the words were called.

    Args:
        prior: share of calls among the sounds in which words are found, above 0 and below 1.
    """
    odds = calibration.log_odds(found) + math.log(prior / (1.0 - prior))
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, odds))))
