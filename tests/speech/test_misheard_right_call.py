"""What is probably the right call counts as it, also where other words, or none, were made out."""

from pathlib import Path
from typing import Any

import pytest
from voice_takes import take, track

from companion.core.call_policy import DEFAULT, Decision
from companion.core.observations import Utterance
from companion.core.weighing import CallDue, WeighedCall, fits
from companion.speech.audio.wav import RATE
from companion.speech.model import grammar
from companion.speech.recognition.call_posterior import CallProbabilities
from companion.speech.recognition.recogniser import Listener

CALLS = grammar.language("en").calls()


def weighed(
    english: Path, opened: Any, call: str, right: float, *due: tuple[str, ...], at: float = 1.0
) -> WeighedCall:
    """A call by Ben, weighed with this probability of the right call."""
    chances = CallProbabilities(right, 0.8 * (1.0 - right))
    ear = Listener(english, CALLS, opened=opened, judge=lambda evidence: chances)
    samples = track(3.0, [(at, take("ben", call))])
    reports = [
        report for at in range(0, samples.size, 320) for report in ear.feed(samples[at : at + 320], at / RATE)
    ]
    (sound,) = (one for one in [*reports, *ear.flush()] if isinstance(one, Utterance))
    return ear.weigh(sound, CallDue(due))


@pytest.mark.parametrize(("right", "said"), [(0.6, ("six",)), (0.4, ("three",))])
def test_words_that_probably_were_the_right_call_are_that_call(
    english: Path, opened: Any, right: float, said: tuple[str, ...]
) -> None:
    found = weighed(english, opened, "three", right, ("six",))
    assert found.said == said
    heard = weighed(english, opened, "three", 0.0, ("six",))
    assert (found.words[0].start, found.words[0].end) == (heard.words[0].start, heard.words[0].end)


def test_it_is_accepted_where_a_question_would_cost_more(english: Path, opened: Any) -> None:
    found = weighed(english, opened, "three", 0.7, ("six",))
    assert DEFAULT.decide(found, fits=fits(found.said, (("six",),)), due=True) is Decision.ACCEPT


def test_a_pair_keeps_the_places_of_its_words(english: Path, opened: Any) -> None:
    found = weighed(english, opened, "six five", 0.7, ("three", "five"))
    assert found.said == ("three", "five")
    assert found.words[0].end <= found.words[1].start


def test_half_of_a_pair_is_not_the_pair(english: Path, opened: Any) -> None:
    assert weighed(english, opened, "four", 0.9, ("four", "five")).said == ("four",)
    assert weighed(english, opened, "five", 0.9, ("four", "five")).said == ("five",)


def test_a_call_behind_somebodys_talk_is_the_call(english: Path, opened: Any) -> None:
    """One sound, and its end is the call: it keeps its place."""
    both = weighed(english, opened, "six five", 0.0, ("four",))
    found = weighed(english, opened, "six five", 0.7, ("five",))
    assert (both.said, found.said) == (("six", "five"), ("five",))
    assert found.words[0].start == pytest.approx(both.words[1].start, abs=0.02)


def test_a_pair_where_its_first_number_is_due_is_not_that_number(english: Path, opened: Any) -> None:
    assert weighed(english, opened, "six five", 0.7, ("six",)).said == ("six", "five")


def test_where_several_calls_would_be_right_none_is_chosen(english: Path, opened: Any) -> None:
    assert weighed(english, opened, "three", 0.9, ("six",), ("seven",)).said == ("three",)


def test_sound_in_which_no_word_is_found_is_placed_where_it_sounds(english: Path, opened: Any) -> None:
    found = weighed(english, opened, "hmmrrr", 0.8, ("four",), at=1.2)
    assert found.said == ("four",)
    assert found.words[0].start == pytest.approx(1.352, abs=0.05)


def test_sound_in_which_no_word_is_found_is_no_pair(english: Path, opened: Any) -> None:
    """It may be one number, or half of the pair."""
    found = weighed(english, opened, "hmmrrr", 0.8, ("four", "five"), at=1.2)
    assert found.said == ()
    assert DEFAULT.decide(found, fits=fits(found.said, (("four", "five"),)), due=True) is Decision.ASK
