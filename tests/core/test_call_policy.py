"""Was it right? Every branch of the policy, its boundaries, and that all its users share it."""

import doctest

import pytest

from companion.core import call_policy
from companion.core.call_policy import (
    DEFAULT,
    DOUBTFUL,
    LIKELY,
    NEVER_ASK,
    CallPolicy,
    Decision,
    beginnings,
    fits,
)
from companion.core.config import TableSection
from companion.games.spotter import Thresholds

POLICY = CallPolicy(accuse=0.9, accept=0.5, ask=0.3, unproven=frozenset({"de"}))
JUST_BELOW = 1e-9


@pytest.mark.parametrize("due", [True, False])
def test_right_words_are_accepted_from_their_threshold_on(due: bool) -> None:
    assert POLICY.decide(0.5, understood=True, fits=True, due=due) is Decision.ACCEPT
    assert POLICY.decide(1.0, understood=True, fits=True, due=due, language="de") is Decision.ACCEPT


@pytest.mark.parametrize("due", [True, False])
def test_wrong_words_accuse_from_their_threshold_on(due: bool) -> None:
    assert POLICY.decide(0.9, understood=True, fits=False, due=due) is Decision.ACCUSE
    assert POLICY.decide(0.9 - JUST_BELOW, understood=True, fits=False, due=due) is Decision.ASK


@pytest.mark.parametrize("due", [True, False])
def test_a_language_that_is_not_proven_accuses_nobody(due: bool) -> None:
    assert POLICY.decide(1.0, understood=True, fits=False, due=due, language="de") is Decision.ASK
    assert POLICY.decide(1.0, understood=True, fits=False, due=due, language="en") is Decision.ACCUSE


@pytest.mark.parametrize("right", [True, False])
def test_uncertain_words_are_a_question_only_where_a_call_is_due(right: bool) -> None:
    low = 0.5 - JUST_BELOW
    assert POLICY.decide(low, understood=True, fits=right, due=True) is Decision.ASK
    assert POLICY.decide(low, understood=True, fits=right, due=False) is Decision.IGNORE
    assert POLICY.decide(0.5, understood=True, fits=False, due=False) is Decision.ASK
    assert POLICY.decide(0.0, understood=True, fits=right, due=True) is Decision.ASK


@pytest.mark.parametrize("right", [True, False])
def test_what_is_not_understood_is_a_question_only_where_a_call_is_due(right: bool) -> None:
    assert POLICY.decide(0.3, understood=False, fits=right, due=True) is Decision.ASK
    assert POLICY.decide(0.3 - JUST_BELOW, understood=False, fits=right, due=True) is Decision.IGNORE
    assert POLICY.decide(1.0, understood=False, fits=right, due=False) is Decision.IGNORE


@pytest.mark.parametrize("confidence", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("due", [True, False])
def test_a_replay_asks_nothing(confidence: float, right: bool, due: bool) -> None:
    decision = NEVER_ASK.decide(confidence, understood=True, fits=right, due=due)
    assert decision is (Decision.ACCEPT if right else Decision.ACCUSE)
    assert not NEVER_ASK.decide(confidence, understood=False, fits=right, due=due).is_heard


def test_only_accepted_and_accusing_words_go_to_the_rules() -> None:
    assert [decision for decision in Decision if decision.is_heard] == [Decision.ACCEPT, Decision.ACCUSE]


def test_a_right_call_may_be_begun() -> None:
    right = [("two", "three"), ("two", "four"), ("six",)]
    assert beginnings(right) == (("two",), ("two", "three"), ("two", "four"), ("six",))
    assert all(fits(call, right) for call in beginnings(right))
    assert not any(fits(call, right) for call in [(), ("three",), ("six", "six"), ("two", "three", "four")])
    assert not fits(["two"], [])


def test_the_shipped_thresholds() -> None:
    """They are part of the behaviour at the table: change them together with docs/configuration.md."""
    assert (DEFAULT.accuse, DEFAULT.accept, DEFAULT.ask, DEFAULT.unproven) == (0.92, 0.5, 0.3, frozenset())
    assert (LIKELY, DOUBTFUL) == (0.5, 0.5)
    table = TableSection()
    assert CallPolicy(table.heard, table.heard_right, table.made_out) == DEFAULT == Thresholds().calls


def test_doubtful_words_are_always_a_question() -> None:
    assert DEFAULT.decide(DOUBTFUL, understood=True, fits=False, due=True) is Decision.ASK


def test_the_examples_run() -> None:
    assert doctest.testmod(call_policy, raise_on_error=True).attempted > 0
