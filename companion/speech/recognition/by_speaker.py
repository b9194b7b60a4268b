"""What is known about who made a sound, in the probabilities of a weighed call."""

from __future__ import annotations

import math

from msgspec.structs import replace

from companion.core.call_policy import DOUBTFUL
from companion.core.weighing import CallDue, Span, SpeakerWitness, WeighedCall, fits
from companion.speech.recognition.kept_sounds import KeptSound

WINDOW_S = 0.5
"""Where the right call was not made out, it may be in any stretch of this length, about that of a word."""
MOST_WINDOWS = 12
"""At most so many stretches are looked at: each costs a few milliseconds on a Pi."""


def by_speaker(found: WeighedCall, sound: KeptSound, due: CallDue, witness: SpeakerWitness) -> WeighedCall:
    """The probabilities with what is known about who spoke; doubtful words stay doubtful.

    Words have the log-likelihood ratio of their own stretch. A right call that was not made out, because
    other words are likelier or none were found, has the mean likelihood ratio of the stretches in which it
    may be.
    """
    if not due.speaker or not (found.right or found.wrong):
        return found
    words = [(found.words[0].start, found.words[-1].end)] if found.words else []
    made_out = bool(words) and fits(found.said, due.right)
    somewhere = [] if made_out or not found.right else windows(sound)
    ratios = list(witness(due.speaker, [*words, *somewhere]))
    of_words = ratios.pop(0) if words else 0.0
    of_right = math.log(sum(map(math.exp, ratios)) / len(ratios)) if ratios else of_words
    witnessed = found.with_speaker(of_right, of_words)
    return witnessed if found.wrong > DOUBTFUL else replace(witnessed, wrong=min(DOUBTFUL, witnessed.wrong))


def windows(sound: KeptSound) -> list[Span]:
    """Stretches of WINDOW_S that overlap by half, or fewer that do not for a long sound."""
    end = sound.start + sound.samples.size / sound.rate
    last = max(sound.start, end - WINDOW_S)
    step = max(WINDOW_S / 2, (last - sound.start) / (MOST_WINDOWS - 1))
    count = 1 + math.floor((last - sound.start) / step + 1e-6)
    return [(at, min(end, at + WINDOW_S)) for at in (sound.start + k * step for k in range(count))]
