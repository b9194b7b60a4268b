"""The targets of the verifier: which word is centred at each output of a stream."""

from __future__ import annotations

import numpy as np

from companion.speech.model import verifier
from models.speech.train.words import STATES, pdf_table

WORDS = tuple(STATES)
STRIDE = 8
"""Spectra (10 ms) from one output to the next in training; the exported network has twice as many outputs."""
CENTRED, APART = 6, 15
"""Spectra (10 ms): a word counts for an output if its centre is at most CENTRED from that of the output, and
not if it is more than APART from it. In between, the output has no target."""


def spoken(states: np.ndarray) -> list[tuple[int, int, int]]:
    """First frame, frame after the last, and number of each word, from the states [frames // 3] of a
    stream."""
    table = pdf_table()
    word, place = np.full(max(r.stop for r in table.values()), -1), {}
    for number, name in enumerate(WORDS):
        word[table[name].start : table[name].stop] = number
        place.update({state: index for index, state in enumerate(table[name])})
    found, kinds, i = [], word[states], 0
    while i < len(states):
        j = i + 1
        if kinds[i] >= 0:
            while j < len(states) and kinds[j] == kinds[i] and place[states[j]] >= place[states[j - 1]]:
                j += 1
            found.append((i * 3, j * 3, int(kinds[i])))
        i = j
    return found


def targets(states: np.ndarray, outputs: int) -> np.ndarray:
    """[outputs] The number of the word centred there plus one; 0 for none, -1 for no target."""
    result, nearest = np.zeros(outputs, np.int64), np.full(outputs, np.inf)
    middles = np.arange(outputs) * STRIDE + (verifier.SPECTRA_PER_OUTPUT - 1) / 2
    for first, after, number in spoken(states):
        whole = first > 0 and after < len(states) * 3 - 2
        away = np.abs(middles - (first + after) / 2)
        closer = away < nearest
        centred = closer & (away <= CENTRED) & whole
        undecided = closer & (away <= APART) & ~centred & ~((result > 0) & (nearest <= CENTRED))
        result = np.where(centred, number + 1, np.where(undecided, -1, result))
        nearest = np.minimum(nearest, away)
    return result
