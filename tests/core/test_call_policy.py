"""What is done with a sound that was weighed: the decision of the least expected cost; the shipped costs."""

import doctest

import pytest

from companion.core import weighing
from companion.core.call_policy import DEFAULT, CallPolicy, Decision
from companion.core.config import Config, TableSection
from companion.core.observations import LATEST_SOUND, HeardWord, Utterance
from companion.core.weighing import CallDue, WeighedCall, beginnings, by_confidence, fits
from companion.games.spotter import Thresholds
from companion.runtime.thresholds import thresholds_of

POLICY = CallPolicy(accusation=10.0, mistake=2.0, delay=2.0, on_time=0.97, unproven=frozenset({"de"}))
BIT = 1e-9
TWO = (HeardWord("two", 1.0, 1.4, 0.9),)


def decided(right: float, wrong: float, *, fits: bool, due: bool = True, language: str = "en") -> Decision:
    return POLICY.decide(WeighedCall(TWO, right, wrong), fits=fits, due=due, language=language)


def wordless(right: float, due: bool = True) -> Decision:
    return POLICY.decide(WeighedCall((), right), fits=False, due=due)


@pytest.mark.parametrize("due", [True, False])
def test_right_words_are_accepted_if_two_mistakes_cost_less_than_two_questions(due: bool) -> None:
    assert decided(0.5, 0.5, fits=True, due=due) is Decision.ACCEPT
    assert decided(0.5 - BIT, 0.5, fits=True, due=due) is Decision.ASK
    assert decided(1.0, 0.0, fits=True, due=due, language="de") is Decision.ACCEPT


@pytest.mark.parametrize("due", [True, False])
def test_wrong_words_accuse_if_the_risk_costs_less_than_a_question(due: bool) -> None:
    assert decided(0.0, 0.9 + BIT, fits=False, due=due) is Decision.ACCUSE
    assert decided(0.0, 0.9 - BIT, fits=False, due=due) is Decision.ASK


def test_a_dearer_accusation_is_rarer() -> None:
    found = WeighedCall(TWO, 0.0, 0.94)
    assert CallPolicy(accusation=10.0).decide(found, fits=False, due=True) is Decision.ACCUSE
    assert CallPolicy(accusation=20.0).decide(found, fits=False, due=True) is Decision.ASK


@pytest.mark.parametrize("due", [True, False])
def test_a_language_that_is_not_proven_accuses_nobody(due: bool) -> None:
    assert decided(0.0, 1.0, fits=False, due=due, language="de") is Decision.ASK
    assert decided(0.0, 1.0, fits=False, due=due, language="en") is Decision.ACCUSE


def test_what_was_probably_a_call_is_asked_about() -> None:
    assert decided(0.25, 0.25 + BIT, fits=False) is Decision.ASK
    assert decided(0.25, 0.25 - BIT, fits=False) is Decision.WAIT
    assert wordless(0.5 + BIT) is Decision.ASK
    assert wordless(0.5 - BIT) is Decision.WAIT


def test_without_a_call_due_a_sound_without_words_is_nothing() -> None:
    assert wordless(1.0, due=False) is Decision.WAIT


def at_deadline(right: float, *, fits: bool = False, wrong: float = 0.0) -> Decision:
    return POLICY.decide_at_deadline(WeighedCall(TWO, right, wrong), fits=fits)


def test_at_the_deadline_most_calls_were_made() -> None:
    assert at_deadline(0.001) is Decision.WAIT
    assert at_deadline(0.005) is Decision.ASK
    assert at_deadline(0.5, fits=True) is Decision.ACCEPT
    assert at_deadline(0.02, fits=True) is Decision.ASK
    assert at_deadline(0.97) is Decision.ASK, "the beginning of a call is never taken for all of it"
    assert at_deadline(0.001, wrong=0.98) is Decision.ASK, "whoever said something was not too late"
    assert at_deadline(0.001, wrong=0.01) is Decision.WAIT


def test_a_card_that_was_missed_is_asked_for_if_that_costs_less_than_a_false_accusation() -> None:
    assert POLICY.asks_for_card(WeighedCall((), 0.1 + BIT))
    assert not POLICY.asks_for_card(WeighedCall((), 0.1 - BIT))
    assert POLICY.asks_for_card(WeighedCall(TWO, 0.0, 0.5 + BIT)), "a wrong call is not too late either"
    assert not POLICY.asks_for_card(WeighedCall(TWO, 0.05, 0.25 - BIT))


def test_where_nobody_is_asked_the_dearer_mistake_is_avoided() -> None:
    assert POLICY.passes(WeighedCall(TWO, 0.01))
    assert not POLICY.passes(WeighedCall(TWO, 0.001))
    assert POLICY.passes(WeighedCall(TWO, 0.0, 0.1)), "nobody objected"


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


def test_a_player_who_hardly_laid_a_card_out_of_turn_is_not_accused() -> None:
    likely = [(0.5 - BIT, Decision.ACCEPT), (0.5 + BIT, Decision.ASK), (0.9 - BIT, Decision.ASK)]
    for probability, decision in [*likely, (0.9 + BIT, Decision.ACCUSE)]:
        assert POLICY.decide_player(probability) is decision


def test_the_shipped_costs() -> None:
    """They are part of the behaviour at the table: change them together with docs/configuration.md."""
    assert (DEFAULT.accusation, DEFAULT.mistake, DEFAULT.delay, DEFAULT.on_time) == (10.0, 2.0, 2.0, 0.97)
    assert DEFAULT.unproven == frozenset()
    assert Thresholds().calls == DEFAULT
    table = TableSection(accusation_cost=4.0, mistake_cost=3.0, delay_cost=1.5, on_time=0.9)
    calls = thresholds_of(Config(table=table)).calls
    assert (calls.accusation, calls.mistake, calls.delay, calls.on_time) == (4.0, 3.0, 1.5, 0.9)


def test_a_sound_of_which_nothing_is_known_is_a_question() -> None:
    found = WeighedCall(TWO, 0.0, weighing.EVEN)
    assert DEFAULT.decide(found, fits=False, due=True) is Decision.ASK


def test_the_examples_run() -> None:
    assert doctest.testmod(weighing, raise_on_error=True).attempted > 0
