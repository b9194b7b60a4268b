"""Was it the right call? The one policy that speech, spotters, replays and benchmarks share.

Speech gives a confidence between 0 and 1: where a call is due, it is the posterior probability that the words
in the report were said (companion.speech.recognition.verdict). The policy turns it into a decision. A call
that would be right is accepted easily; words that would cost the speaker something are reported to the rules
only with high confidence; what lies in between is a question to the table. What the words mean for the game
is left to the rules.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence

import msgspec

Words = tuple[str, ...]

LIKELY = 0.5
"""Posterior from which on speech reports the right call; below it, it reports the competing words."""
DOUBTFUL = 0.5
"""Upper bound on the confidence of doubtful words. It is below `CallPolicy.accuse`: the table is asked."""


class Decision(enum.Enum):
    """What is done with an utterance."""

    ACCEPT = "accept"
    """The words are right: they go to the rules."""
    ACCUSE = "accuse"
    """The words are wrong, and certain enough: they go to the rules, which find the mistake."""
    ASK = "ask"
    """The table is asked what was said."""
    IGNORE = "ignore"
    """Nothing follows from it."""

    @property
    def is_heard(self) -> bool:
        """Whether the words go to the rules."""
        return self in (Decision.ACCEPT, Decision.ACCUSE)


class CallPolicy(msgspec.Struct, frozen=True):
    """From which confidence on an utterance counts, and for what. All values lie between 0 and 1."""

    accuse: float = 0.92
    """Words that would cost the speaker something (configuration: `table.heard`)."""
    accept: float = 0.5
    """Words that would be right: the expectation is strong evidence of its own (`table.heard_right`)."""
    ask: float = 0.3
    """An utterance without a known word may have been the call that is due (`table.made_out`)."""
    unproven: frozenset[str] = frozenset()
    """Languages whose speech model is not measured to be good enough: they never lead to an accusation."""

    def decide(
        self, confidence: float, *, understood: bool, fits: bool, due: bool, language: str = ""
    ) -> Decision:
        """The decision about one utterance.

        Args:
            confidence: of its least certain word; without words the probability that it was the right call.
            understood: whether it holds a known word.
            fits: whether its words would be right now (see `fits`).
            due: whether a call is due now.
            language: of the speech model, e.g. `de`.
        """
        if not understood:
            return Decision.ASK if due and confidence >= self.ask else Decision.IGNORE
        if fits and confidence >= self.accept:
            return Decision.ACCEPT
        if not fits and confidence >= self.accuse and language not in self.unproven:
            return Decision.ACCUSE
        if not due and confidence < self.accept:
            return Decision.IGNORE
        return Decision.ASK


DEFAULT = CallPolicy()
"""As shipped; the configuration may change it."""
NEVER_ASK = CallPolicy(accuse=0.0, accept=0.0, ask=2.0)
"""For a replay, where nobody can be asked: known words count at any confidence, anything else never does."""


def beginnings(right: Iterable[Sequence[str]]) -> tuple[Words, ...]:
    """Every right call and every beginning of one, each once, the shorter ones of a call first."""
    return tuple(dict.fromkeys(tuple(call[: i + 1]) for call in right for i in range(len(call))))


def fits(words: Sequence[str], right: Iterable[Sequence[str]]) -> bool:
    """Whether the words are one of the right calls or its beginning; a call may be completed later.

    >>> fits(["two"], [("two", "three")]), fits(["three"], [("two", "three")])
    (True, False)
    """
    return tuple(words) in beginnings(right)
