"""Calls of a recording take their places between the events of a script."""

from collections.abc import Iterator, Sequence

import pytest

from companion.core.events import MutableEvent
from companion.core.observations import HeardWord, Utterance
from companion.games import rulebook
from companion.table.call_insertion import with_calls


class Recording:
    """Utterances with the words that were said; records the questions that it was asked."""

    def __init__(self, *said: tuple[float, str]) -> None:
        self.said = said
        self.cuts: Sequence[float] = ()
        self.right: list[tuple[tuple[str, ...], ...]] = []

    def split(self, cuts: Sequence[float]) -> Iterator[Utterance]:
        self.cuts = cuts
        return iter([Utterance((), start, start + 0.5, 1.0) for start, _ in self.said])

    def read(self, call: Utterance, right: Sequence[Sequence[str]]) -> tuple[HeardWord, ...]:
        self.right.append(tuple(tuple(one) for one in right))
        words = dict(self.said)[call.start].split()
        step = 0.25
        return tuple(
            HeardWord(word, call.start + i * step, call.start + (i + 1) * step - 0.00049, 1.0)
            for i, word in enumerate(words)
        )


def card(player: str, label: str, t: float) -> MutableEvent:
    return {"event": "card_played", "player": player, "card": label, "t": t}


def merged(recording: Recording, *events: MutableEvent) -> list[MutableEvent]:
    book = rulebook("nasty_7")
    setup = book.header(["Ida", "Jo"], {})
    return with_calls(book, setup, events, recording)


def brief(events: Sequence[MutableEvent]) -> list[object]:
    return [event.get("words", event.get("card", event["event"])) for event in events]


def test_calls_come_before_the_next_later_event_and_after_the_last() -> None:
    recording = Recording((1.4, "one"), (3.3, "two"))
    events = merged(recording, card("Ida", "racketeer", 1.0), card("Jo", "racketeer", 3.0))
    assert brief(events) == ["racketeer", ["one"], "racketeer", ["two"]]
    assert list(recording.cuts) == [1.0, 3.0]


def test_a_call_at_the_moment_of_an_event_comes_after_it() -> None:
    events = merged(Recording((3.0, "one")), card("Ida", "racketeer", 1.0), card("Jo", "racketeer", 3.0))
    assert brief(events) == ["racketeer", "racketeer", ["one"]]


def test_the_time_of_a_call_is_that_of_its_words_in_thousandths() -> None:
    events = merged(Recording((1.4007, "one two")), card("Ida", "racketeer", 1.0))
    assert events[1] == {"event": "heard", "words": ["one", "two"], "start": 1.401, "end": 1.9}


def test_a_call_is_read_with_the_calls_that_are_right_then() -> None:
    recording = Recording((1.4, "one"), (3.3, "two"))
    merged(recording, card("Ida", "racketeer", 1.0), card("Jo", "racketeer", 3.0))
    assert recording.right == [(("one",),), (("two",),)]


def test_calls_of_the_script_and_empty_readings_are_left_out() -> None:
    heard: MutableEvent = {"event": "heard", "words": ["one"], "start": 1.4, "end": 1.8}
    events = merged(Recording((1.5, "")), card("Ida", "racketeer", 1.0), heard)
    assert brief(events) == ["racketeer"]


def test_events_without_a_time_and_refused_ones_keep_their_places() -> None:
    undone: MutableEvent = {"event": "undone"}
    refused = card("Ida", "racketeer", 2.0)
    recording = Recording((2.5, "one"))
    events = merged(recording, card("Ida", "racketeer", 1.0), refused, undone)
    assert brief(events) == ["racketeer", "racketeer", "undone", ["one"]]
    assert recording.right == [()]


@pytest.mark.parametrize("events", [(), ({"event": 7, "t": 1.0},), ({"event": "card_played", "t": -1},)])
def test_a_script_that_is_damaged_still_gets_its_calls(events: tuple[MutableEvent, ...]) -> None:
    assert merged(Recording((1.5, "one")), *events)[-1]["words"] == ["one"]
