"""Was it a call at all? A sound at the table, weighed against other speech, noise and silence.

Numbers are found in talk, music and the numbers of other languages. What was found in a sound, how surely,
and how loud it is tell a call from them; a logistic function turns that into a probability
(`python -m bench --fit calls`, docs/lab/speech/other-speech.md).
"""

from __future__ import annotations

import math
from typing import Literal

import msgspec

MAX_LOG_RATIO = 20.0
"""The log-likelihood ratio is limited to this many nats either way."""
MAX_SOFTER_DB = 15.0
"""More than this below the players' calls makes no difference."""
MAX_ABOVE_ROOM_DB = 20.0
"""More than this above what else is heard in the room makes no difference."""

Found = Literal["right", "other", "on gun", "nothing"]
"""What was found in a sound: the right call or its beginning, other words, words where nothing may be said,
or no words."""


class CallEvidence(msgspec.Struct, frozen=True):
    """What tells whether a sound was a call."""

    found: Found
    above_room_db: float
    """How far the loudest 50 ms are above what else was heard in the latest seconds, 0 to
    MAX_ABOVE_ROOM_DB."""
    softer_db: float
    """How far they are below the median of the caller's calls, 0 to MAX_SOFTER_DB; 0 if that is not known."""
    log_ratio: float = 0.0
    """Of words that are not the right call: the log-likelihood ratio (nats) against other speech and noises
    alone, within +-MAX_LOG_RATIO."""
    verifier_log_odds: float = 0.0
    """Of the same: the verifier's log odds of the least certain word."""


class CallCalibration(msgspec.Struct, frozen=True):
    """Turns evidence into log odds of a call. The first four are those of each thing found, for equally many
    calls and other sounds; nine of ten calls that are due are right."""

    right: float
    other: float
    on_gun: float
    nothing: float
    log_ratio: float
    verifier: float
    above_room: float
    softer: float

    def log_odds(self, evidence: CallEvidence) -> float:
        """Log odds that the sound was a call."""
        found = {"right": self.right, "other": self.other, "on gun": self.on_gun, "nothing": self.nothing}
        return (
            found[evidence.found]
            + self.log_ratio * evidence.log_ratio
            + self.verifier * evidence.verifier_log_odds
            + self.above_room * evidence.above_room_db
            + self.softer * evidence.softer_db
        )


FITTED = CallCalibration(
    right=-0.505,
    other=-3.314,
    on_gun=-3.496,
    nothing=-4.02,
    log_ratio=0.104,
    verifier=0.223,
    above_room=0.255,
    softer=-0.193,
)
"""`python -m bench --fit calls`: four development speakers and half of the noises."""


def evidence(
    found: Found,
    level_db: float,
    room_db: float,
    usual_db: float | None,
    log_ratio: float = 0.0,
    verifier_log_odds: float = 0.0,
) -> CallEvidence:
    """The evidence of a sound.

    Args:
        found: in it.
        level_db: of its loudest 50 ms, dB of full scale.
        room_db: of what else was heard in the latest seconds.
        usual_db: the median level of the caller's calls; None: not known.
        log_ratio: see CallEvidence.
        verifier_log_odds: see CallEvidence.
    """
    return CallEvidence(
        found,
        min(MAX_ABOVE_ROOM_DB, max(0.0, level_db - room_db)),
        0.0 if usual_db is None else min(MAX_SOFTER_DB, max(0.0, usual_db - level_db)),
        max(-MAX_LOG_RATIO, min(MAX_LOG_RATIO, log_ratio)),
        verifier_log_odds,
    )


def probability(evidence: CallEvidence, calibration: CallCalibration = FITTED) -> float:
    """The probability that the sound was a call."""
    odds = calibration.log_odds(evidence)
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, odds))))
