"""Was it the right call, another call, or no call? One fitted posterior over all that was found in a sound.

Numbers are found in talk, music and the numbers of other languages, and right calls are misheard as other
numbers. What was found, how surely, how loud it is in the room, and whether a player who miscounts would say
it, are weighed by multinomial logistic regression (`python -m bench --fit calls`,
docs/lab/speech/other-speech.md).
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import msgspec

from companion.speech.recognition.mistakes import Mistake

MAX_SOFTER_DB = 25.0
"""More than this below the players' calls makes no difference."""
TALK = 0.02
"""Share of the clear calls at a table that are talk of the players: an assumption, since nothing that was
measured holds any."""
MAX_ABOVE_ROOM_DB = 20.0
"""More than this above what else is heard in the room makes no difference."""

Found = Literal["right", "other", "on gun", "nothing"]
"""What was found in a sound: the right call or its beginning, other words, words where nothing may be said,
or no words."""


class CallEvidence(msgspec.Struct, frozen=True):
    """What tells whether a sound was the right call, another call or none. All from
    `verifier_log_odds` on is of words that are not the right call."""

    found: Found
    above_room_db: float
    """How far the loudest 50 ms of the words (without words: of the sound) are above what else was heard in
    the latest seconds, 0 to MAX_ABOVE_ROOM_DB."""
    softer_db: float | None
    """How far they are below the median of the caller's calls, 0 to MAX_SOFTER_DB; None: not known."""
    right_log_odds: float = 0.0
    """Log odds of the right call against all other words, without the prior
    (companion.speech.recognition.verdict); 0 if none is due."""
    verifier_log_odds: float = 0.0
    """The verifier's log odds of the least certain word."""
    mistake: Mistake = "near"
    """What they may be (companion.speech.recognition.mistakes)."""
    cut_off: bool = False
    """Whether the sound begins or ends in mid-sound."""
    spoken: bool = True
    """Whether it was speech. A cough, a laugh, and a throat sound where none may be due are no wrong call,
    although most such sounds of the fit are players' throat sounds."""


class CallProbabilities(NamedTuple):
    """The rest to 1 is the probability of other speech, noise or silence."""

    right: float
    wrong: float


class CallWeights(msgspec.Struct, frozen=True):
    """The log odds of one outcome against no call: a constant for each thing found, and a factor for each
    piece of evidence."""

    found_right: float
    found_other: float
    on_gun: float
    found_nothing: float
    above_room: float
    softer: float
    near_room: float
    """Of how far `above_room_db` is below MAX_ABOVE_ROOM_DB while it is not known how loud the players call:
    then only the room tells what is too faint."""
    right_found: float
    """Of `right_log_odds`, if the right call was found."""
    right_not_found: float
    """Of `right_log_odds` otherwise."""
    verifier: float
    other_above_room: float
    """Of `above_room_db` less `softer_db`, on top, if other words were found where a call is due: the louder
    they are, the more rarely they are misheard; a voice from afar is not loud, however silent the room is."""
    far: float
    misheard: float
    cut_off: float
    unspoken: float

    def log_odds(self, evidence: CallEvidence) -> float:
        """Log odds of this outcome against no call."""
        values = zip(msgspec.structs.astuple(self), features(evidence), strict=True)
        return math.fsum(weight * value for weight, value in values)


class CallCalibration(msgspec.Struct, frozen=True):
    """The weights of both outcomes, for equally many calls and other sounds, and nine right calls to one
    wrong one."""

    right: CallWeights
    wrong: CallWeights

    def probabilities(self, evidence: CallEvidence, wrong_shift: float = 0.0) -> CallProbabilities:
        """The posterior. `wrong_shift`: log odds that a wrong call has more than with nine of ten right."""
        on_gun = evidence.found == "on gun"
        wrong = self.wrong.log_odds(evidence) + (0.0 if on_gun else wrong_shift)
        right = -math.inf if on_gun else self.right.log_odds(evidence)
        most = max(0.0, wrong, right)
        parts = (math.exp(right - most), math.exp(wrong - most), math.exp(-most))
        call = (1.0 - TALK) / sum(parts)
        return CallProbabilities(call * parts[0], call * parts[1] if evidence.spoken else 0.0)


FITTED = CallCalibration(
    right=CallWeights(
        found_right=1.494,
        found_other=-0.561,
        on_gun=0.0,
        found_nothing=-1.0,
        above_room=0.138,
        softer=-0.429,
        near_room=-0.186,
        right_found=0.546,
        right_not_found=0.401,
        verifier=0.528,
        other_above_room=-0.092,
        far=0.449,
        misheard=3.97,
        cut_off=-1.1,
        unspoken=0.034,
    ),
    wrong=CallWeights(
        found_right=-2.987,
        found_other=-0.963,
        on_gun=0.161,
        found_nothing=-4.272,
        above_room=0.138,
        softer=-0.429,
        near_room=-0.186,
        right_found=-0.168,
        right_not_found=-0.125,
        verifier=0.528,
        other_above_room=-0.004,
        far=-1.721,
        misheard=-1.483,
        cut_off=-0.178,
        unspoken=2.826,
    ),
)
"""What `python -m bench --fit calls` gives: four development speakers at even and uneven tables, with voices
from afar and half of the noises."""


def features(evidence: CallEvidence) -> tuple[float, ...]:
    """The values of the evidence in the order of the fields of CallWeights."""
    found = evidence.found
    other = float(found == "other")
    above, softer = evidence.above_room_db, evidence.softer_db
    return (
        float(found == "right"),
        other,
        float(found == "on gun"),
        float(found == "nothing"),
        above,
        softer or 0.0,
        MAX_ABOVE_ROOM_DB - above if softer is None else 0.0,
        evidence.right_log_odds if found == "right" else 0.0,
        0.0 if found == "right" else evidence.right_log_odds,
        evidence.verifier_log_odds,
        other * max(0.0, above - (softer or 0.0)),
        other * (evidence.mistake == "far"),
        other * (evidence.mistake == "misheard"),
        (found in ("other", "on gun")) * evidence.cut_off,
        float(not evidence.spoken),
    )


def above_room_db(level_db: float, room_db: float) -> float:
    """How far a level (dB) is above that of the room, 0 to MAX_ABOVE_ROOM_DB."""
    return min(MAX_ABOVE_ROOM_DB, max(0.0, level_db - room_db))


def softer_db(level_db: float, usual_db: float | None) -> float | None:
    """How far a level (dB) is below the usual one, 0 to MAX_SOFTER_DB; None if that is not known (None)."""
    return None if usual_db is None else min(MAX_SOFTER_DB, max(0.0, usual_db - level_db))
