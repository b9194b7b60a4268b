"""What is done with a sound that was weighed: the one policy of table, replays and benchmarks.

A call that would be right is accepted easily. Words that would cost the speaker something are reported to the
rules only with a high probability. Where a call was probably made, but not surely which, the table is asked
at once. A sound that may have been the call that is due, but hardly was, is asked about only if the time runs
out without a call. What words mean for the game is left to the rules.
"""

from __future__ import annotations

import enum

import msgspec

from companion.core.weighing import WeighedCall

LIKELY = 0.5
"""Probability from which on a call counts as said: below it the competing words are reported."""
DOUBTFUL = 0.5
"""Upper bound on the probability of doubtful words. It is below `CallPolicy.accuse`: the table is asked."""


class Decision(enum.Enum):
    """What is done with an utterance."""

    ACCEPT = "accept"
    """The words are right: they go to the rules."""
    ACCUSE = "accuse"
    """The words are wrong, and certain enough: they go to the rules, which find the mistake."""
    ASK = "ask"
    """The table is asked what was said."""
    REMEMBER = "remember"
    """Only if the time runs out without a call is the table asked."""
    IGNORE = "ignore"
    """Nothing follows from it."""

    @property
    def is_heard(self) -> bool:
        """Whether the words go to the rules."""
        return self in (Decision.ACCEPT, Decision.ACCUSE)


class CallPolicy(msgspec.Struct, frozen=True):
    """From which probability on a sound counts, and for what. All values lie between 0 and 1; those shipped
    are of `python -m bench --fit calls`."""

    accuse: float = 0.9
    """Words that would cost the speaker something (configuration: `table.heard`)."""
    accept: float = 0.5
    """Words that would be right: the expectation is strong evidence of its own (`table.heard_right`)."""
    remember: float = 0.01
    """A sound that may have been the call that is due: nobody is too late without a question
    (`table.made_out`)."""
    unproven: frozenset[str] = frozenset()
    """Languages whose speech model is not measured to be good enough: they never lead to an accusation."""

    def decide(self, weighed: WeighedCall, *, fits: bool, due: bool, language: str = "") -> Decision:
        """The decision about one sound.

        Args:
            weighed: its probabilities.
            fits: whether its words would be right now (companion.core.weighing.fits).
            due: whether a call is due now.
            language: of the speech model, e.g. `de`.
        """
        if weighed.words and fits and weighed.right >= self.accept:
            return Decision.ACCEPT
        if weighed.words and not fits and weighed.wrong >= self.accuse and language not in self.unproven:
            return Decision.ACCUSE
        call = weighed.right + weighed.wrong
        if call >= LIKELY and (due or weighed.words):
            return Decision.ASK
        return Decision.REMEMBER if due and call >= self.remember else Decision.IGNORE


DEFAULT = CallPolicy()
"""As shipped; the configuration may change it."""
