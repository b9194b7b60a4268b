"""What a piece of sound was, weighed against the call that is due: the question and the answer.

Every confidence about speech is one of the probabilities of `WeighedCall`. They are calibrated on speakers
left out (`python -m bench --fit calls`); what follows from them is decided by companion.core.call_policy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import msgspec

from companion.core.observations import LATEST_SOUND, HeardWord, Utterance

Words = tuple[str, ...]

EVEN = 0.5
"""The probability of what nothing is known about; above it something is more likely than not."""


class CallDue(msgspec.Struct, frozen=True):
    """What the table knows about the call that a sound may be."""

    right: tuple[Words, ...] = ()
    """The calls that would be right; empty: none is due."""
    silent: bool = False
    """Nothing may be said: talk is far more likely than a call."""
    learn: str = ""
    """The name for the sound that is to be invented now; empty: none is."""
    speaker: str = ""
    """Who is to call; empty: not known."""


class WeighedCall(msgspec.Struct, frozen=True):
    """What a piece of sound was. The rest to 1 is the probability of other speech, noise or silence."""

    words: tuple[HeardWord, ...]
    """The likeliest call; none if no call was found in it."""
    right: float
    """Probability that a right call, or the beginning of one, was said."""
    wrong: float = 0.0
    """Probability that another call was said."""

    @property
    def said(self) -> Words:
        """The words alone."""
        return tuple(word.word for word in self.words)

    def with_speaker(self, of_right: float, of_wrong: float) -> WeighedCall:
        """The weighing with what is known about who spoke.

        Args:
            of_right: log-likelihood ratio (nats) of the caller as the speaker of the right call, against
                anybody and anything else; 0: nothing is known.
            of_wrong: the same of another call.
        """
        rest = max(0.0, 1.0 - self.right - self.wrong)
        right, wrong = self.right * math.exp(of_right), self.wrong * math.exp(of_wrong)
        total = right + wrong + rest
        return WeighedCall(self.words, right / total, wrong / total)


Weigh = Callable[[Utterance, CallDue], "WeighedCall | None"]
"""Weighs the sound of an utterance. None: that is being done, and the answer is there after the next
`SoundWeighed`."""

Span = tuple[float, float]
"""The moments (s of the clock) at which a stretch of sound begins and ends."""
SpeakerWitness = Callable[[str, Sequence[Span]], Sequence[float]]
"""From the player who is to call and stretches of one sound to the log-likelihood ratio (nats) of each that
this player made it, against anybody and anything else; 0: nothing is known."""


def beginnings(right: Iterable[Sequence[str]]) -> tuple[Words, ...]:
    """Every right call and every beginning of one, each once, the shorter ones of a call first."""
    return tuple(dict.fromkeys(tuple(call[: i + 1]) for call in right for i in range(len(call))))


def fits(words: Sequence[str], right: Iterable[Sequence[str]]) -> bool:
    """Whether the words are one of the right calls or its beginning; a call may be completed later.

    >>> fits(["two"], [("two", "three")]), fits(["three"], [("two", "three")])
    (True, False)
    """
    return tuple(words) in beginnings(right)


def by_confidence(utterance: Utterance, due: CallDue) -> WeighedCall:
    """For an utterance whose sound nobody keeps: its confidence is the probability of its words, or without
    words that of the right call."""
    if utterance.sound == LATEST_SOUND:
        return WeighedCall((), 0.0)
    if not utterance.words or fits(utterance.said, due.right):
        return WeighedCall(utterance.words, utterance.confidence)
    return WeighedCall(utterance.words, 0.0, utterance.confidence)
