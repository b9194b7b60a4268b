"""What is known about who made a sound, in the probabilities and words of a weighed call."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec.structs import replace

from companion.core.observations import HeardWord
from companion.core.weighing import CallDue, Span, SpeakerWitness, WeighedCall, fits
from companion.speech.recognition.kept_sounds import KeptSound

WINDOW_S = 0.5
"""Where the right call was not made out, it may be in any stretch of this length, about that of a word."""
MOST_WINDOWS = 12
"""At most so many stretches are looked at: each costs a few milliseconds on a Pi."""
HIDDEN = 0.3
"""Share of the right calls that were not made out whose direction is that of the sound that covers them: a
call is lost where something else is louder. So the direction alone makes nobody too late. The highest share
that 23 such calls in six simulated rooms allow (95 %; `python -m bench --fit seats`)."""
NOT_THE_CALLER = -1.0
"""Words with a lower log-likelihood ratio (nats) are somebody else's: they are no part of the call."""


def by_speaker(found: WeighedCall, sound: KeptSound, due: CallDue, witness: SpeakerWitness) -> WeighedCall:
    """The probabilities with what is known about who spoke; wrong words become no more probable by it.

    Words that make the right call have the log-likelihood ratio of their stretch. Otherwise the words of
    others are left out, and a right call that was not made out has the mean likelihood ratio of the stretches
    in which it may be, unless it is hidden.
    """
    if not due.speaker or not (found.right or found.wrong):
        return found
    if found.words and fits(found.said, due.right):
        ratio = witness(due.speaker, [_span(found.words)])[0]
        return found.with_speaker(ratio, ratio)
    somewhere = windows(sound) if found.right else []
    words = [(word.start, word.end) for word in found.words]
    ratios = list(witness(due.speaker, [*words, *somewhere]))
    of_words, of_windows = ratios[: len(words)], ratios[len(words) :]
    of_right = 0.0
    if of_windows:
        of_right = math.log(HIDDEN + (1.0 - HIDDEN) * sum(map(math.exp, of_windows)) / len(of_windows))
    of_wrong = sum(of_words) / len(of_words) if of_words else 0.0
    weighed = found.with_speaker(of_right, of_wrong)
    weighed = replace(weighed, wrong=min(found.wrong, weighed.wrong))
    own = [word for word, ratio in zip(found.words, of_words, strict=True) if ratio > NOT_THE_CALLER]
    if fits([word.word for word in own], due.right):
        return replace(weighed, words=tuple(own))
    likeliest, best = max(zip(of_windows, somewhere, strict=True), default=(0.0, (0.0, 0.0)))
    if not own and len(due.right) == 1 and likeliest > 0.0:
        return replace(weighed, words=_spread(due.right[0], best, weighed.right))
    return weighed


def windows(sound: KeptSound) -> list[Span]:
    """Stretches of WINDOW_S that overlap by half, or fewer that do not for a long sound."""
    end = sound.start + sound.samples.size / sound.rate
    last = max(sound.start, end - WINDOW_S)
    step = max(WINDOW_S / 2, (last - sound.start) / (MOST_WINDOWS - 1))
    count = 1 + math.floor((last - sound.start) / step + 1e-6)
    return [(at, min(end, at + WINDOW_S)) for at in (sound.start + k * step for k in range(count))]


def _span(words: Sequence[HeardWord]) -> Span:
    return (words[0].start, words[-1].end)


def _spread(call: Sequence[str], span: Span, probability: float) -> tuple[HeardWord, ...]:
    """The words of a call that the caller made in this stretch, which other words had covered."""
    begin, end = span
    step = (end - begin) / len(call)
    return tuple(
        HeardWord(word, begin + place * step, begin + (place + 1) * step, probability)
        for place, word in enumerate(call)
    )
