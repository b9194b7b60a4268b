"""What is done with a sound that was weighed: every branch of the policy, and its shipped values."""

import doctest

import pytest

from companion.core import weighing
from companion.core.call_policy import DEFAULT, DOUBTFUL, LIKELY, CallPolicy, Decision
from companion.core.config import TableSection
from companion.core.observations import LATEST_SOUND, HeardWord, Utterance
from companion.core.weighing import CallDue, WeighedCall, beginnings, by_confidence, fits
from companion.games.spotter import Thresholds

POLICY = CallPolicy(accuse=0.9, accept=0.5, remember=0.1, unproven=frozenset({"de"}))
JUST_BELOW = 1e-9
TWO = (HeardWord("two", 1.0, 1.4, 0.9),)


def decided(right: float, wrong: float, *, fits: bool, due: bool = True, language: str = "en") -> Decision:
    return POLICY.decide(WeighedCall(TWO, right, wrong), fits=fits, due=due, language=language)


def wordless(right: float, due: bool = True) -> Decision:
    return POLICY.decide(WeighedCall((), right), fits=False, due=due)


@pytest.mark.parametrize("due", [True, False])
def test_right_words_are_accepted_from_their_threshold_on(due: bool) -> None:
    assert decided(0.5, 0.0, fits=True, due=due) is Decision.ACCEPT
    assert decided(1.0, 0.0, fits=True, due=due, language="de") is Decision.ACCEPT


@pytest.mark.parametrize("due", [True, False])
def test_wrong_words_accuse_from_their_threshold_on(due: bool) -> None:
    assert decided(0.0, 0.9, fits=False, due=due) is Decision.ACCUSE
    assert decided(0.0, 0.9 - JUST_BELOW, fits=False, due=due) is Decision.ASK


@pytest.mark.parametrize("due", [True, False])
def test_a_language_that_is_not_proven_accuses_nobody(due: bool) -> None:
    assert decided(0.0, 1.0, fits=False, due=due, language="de") is Decision.ASK
    assert decided(0.0, 1.0, fits=False, due=due, language="en") is Decision.ACCUSE


def test_what_was_probably_a_call_is_asked_about() -> None:
    assert decided(0.25, 0.25, fits=False) is Decision.ASK
    assert decided(0.25, 0.25 - JUST_BELOW, fits=False) is Decision.REMEMBER
    assert wordless(0.5) is Decision.ASK


def test_what_was_hardly_a_call_is_remembered_only_while_one_is_due() -> None:
    assert wordless(0.1) is Decision.REMEMBER
    assert wordless(0.1 - JUST_BELOW) is Decision.IGNORE
    assert wordless(0.4, due=False) is Decision.IGNORE
    assert decided(0.0, 0.4, fits=False, due=False) is Decision.IGNORE


def test_without_a_call_due_a_sound_without_words_is_nothing() -> None:
    assert wordless(1.0, due=False) is Decision.IGNORE


def test_only_accepted_and_accusing_words_go_to_the_rules() -> None:
    assert [decision for decision in Decision if decision.is_heard] == [Decision.ACCEPT, Decision.ACCUSE]


def test_a_right_call_may_be_begun() -> None:
    right = [("two", "three"), ("two", "four"), ("six",)]
    assert beginnings(right) == (("two",), ("two", "three"), ("two", "four"), ("six",))
    assert all(fits(call, right) for call in beginnings(right))
    assert not any(fits(call, right) for call in [(), ("three",), ("six", "six"), ("two", "three", "four")])
    assert not fits(["two"], [])


def test_an_utterance_whose_sound_nobody_keeps_is_weighed_by_its_confidence() -> None:
    said = Utterance(TWO, 1.0, 1.4, 0.8)
    assert by_confidence(said, CallDue((("two",),))) == WeighedCall(TWO, 0.8)
    assert by_confidence(said, CallDue((("six",),))) == WeighedCall(TWO, 0.0, 0.8)
    assert by_confidence(Utterance((), 1.0, 1.4, 0.3), CallDue((("six",),))) == WeighedCall((), 0.3)
    assert by_confidence(Utterance((), 1.0, 4.0, 1.0, sound=LATEST_SOUND), CallDue()) == WeighedCall((), 0.0)


def test_the_shipped_thresholds() -> None:
    """They are part of the behaviour at the table: change them together with docs/configuration.md."""
    assert (DEFAULT.accuse, DEFAULT.accept, DEFAULT.remember) == (0.9, 0.5, 0.01)
    assert DEFAULT.unproven == frozenset()
    assert (LIKELY, DOUBTFUL) == (0.5, 0.5)
    table = TableSection()
    assert CallPolicy(table.heard, table.heard_right, table.made_out) == DEFAULT == Thresholds().calls


def test_doubtful_words_are_always_a_question() -> None:
    found = WeighedCall(TWO, 0.0, DOUBTFUL)
    assert DEFAULT.decide(found, fits=False, due=True) is Decision.ASK


def test_the_examples_run() -> None:
    assert doctest.testmod(weighing, raise_on_error=True).attempted > 0
