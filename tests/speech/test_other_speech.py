"""Evidence of a call: clear words as loud as the players, against words found in talk."""

import numpy as np

from companion.core.observations import HeardWord
from companion.speech.recognition import other_speech
from companion.speech.recognition.other_speech import FITTED, CallEvidence, evidence, probability

SEVEN = HeardWord("seven", 1.0, 1.4, 1.0)
CLEAR = CallEvidence(20.0, 4.0, 0.0, False)


def levels(*loud: tuple[float, float]) -> np.ndarray:
    found = np.full(300, -60.0, np.float32)
    for start, end in loud:
        found[round(start * 100) : round(end * 100)] = -20.0
    return found


def test_words_are_measured_by_the_players_calls() -> None:
    loud = levels((1.0, 1.4))
    assert evidence([SEVEN], loud, 50.0, 3.0, -10.0, True).softer_db == 10.0
    assert evidence([SEVEN], loud, -50.0, 3.0, -30.0, True).softer_db == 0.0
    assert evidence([SEVEN], loud, -50.0, 3.0, None, True).log_ratio == -other_speech.MAX_LOG_RATIO


def test_each_piece_of_evidence_counts_in_its_direction() -> None:
    best = probability(CLEAR, 0.5)
    worse = [
        CallEvidence(0.0, 4.0, 0.0, False),
        CallEvidence(20.0, -4.0, 0.0, False),
        CallEvidence(20.0, 4.0, 15.0, False),
    ]
    assert all(probability(one, 0.5) < best for one in worse)
    assert probability(CLEAR, 0.1) < best
    assert FITTED.log_odds(CLEAR) > 0.0
