"""The calls of a recording take their places between the events of a script, judged as at the table."""

from collections.abc import Sequence
from typing import Any

import pytest

from companion.core.events import MutableEvent
from companion.core.observations import LATEST_SOUND, HeardWord, Utterance
from companion.core.weighing import CallDue, WeighedCall, by_confidence
from companion.games import game_named
from companion.table.heard_replay import AskedCall, HeardReplay, believed, by_truth
from companion.table.record import opened

HEADER = {"game": "nasty_7", "players": ["Ida", "Jo"], "settings": {}}


class Recording:
    """Utterances (start, words, confidence); keeps what was due when each was weighed."""

    def __init__(self, *said: tuple[float, str, float], latest: float = 0.0) -> None:
        self._coming = [utterance(*one) for one in said]
        self._latest = latest
        self.due: list[tuple[tuple[str, ...], ...]] = []

    def until(self, t: float) -> list[Utterance]:
        found = [one for one in self._coming if one.start < t]
        self._coming = [one for one in self._coming if one.start >= t]
        return found

    def weigh(self, said: Utterance, due: CallDue) -> WeighedCall:
        if said.sound == LATEST_SOUND:
            return WeighedCall((), self._latest)
        self.due.append(due.right)
        return by_confidence(said, due)


def utterance(start: float, words: str, confidence: float) -> Utterance:
    heard = tuple(
        HeardWord(word, start + 0.3 * i, start + 0.3 * i + 0.29951, confidence)
        for i, word in enumerate(words.split())
    )
    end = heard[-1].end if heard else start + 0.3
    return Utterance(heard, start, end, confidence)


def card(player: str, label: str, t: float) -> MutableEvent:
    return {"event": "card_played", "player": player, "card": label, "t": t}


def played(
    recording: Recording, *events: MutableEvent | str, truth: Sequence[MutableEvent] | None = None
) -> tuple[Any, list[AskedCall]]:
    record = opened(dict(HEADER))
    answer = believed if truth is None else by_truth(truth)
    replay = HeardReplay(record, game_named("nasty_7").new_spotter(), recording, answer)
    replay.play(events)
    return record, replay.asked


def brief(record: Any) -> list[Any]:
    return [one.event.get("words", one.event.get("card", one.event.get("event"))) for one in record.entries]


def verdicts(record: Any) -> list[str]:
    return [one["verdict"] for one in record.result()["verdicts"]]


def test_calls_come_between_the_cards_and_after_the_last() -> None:
    recording = Recording((1.4, "one", 0.9), (3.3, "two", 0.9))
    record, asked = played(recording, card("Ida", "racketeer", 1.0), card("Jo", "racketeer", 3.0))
    assert brief(record) == ["racketeer", ["one"], "racketeer", ["two"]]
    assert recording.due == [(("one",),), (("two",),)]
    assert (verdicts(record), asked) == (["correct", "correct"], [])


def test_a_call_before_its_card_is_down_counts_from_the_card_on() -> None:
    recording = Recording((0.6, "one", 0.9), (2.4, "two", 0.9))
    record, _ = played(recording, card("Ida", "racketeer", 1.0), card("Jo", "racketeer", 3.0))
    assert brief(record) == ["racketeer", ["one"], "racketeer"], "0.6 s before the card is too early"
    assert record.entries[1].event["start"] == 1.0


def test_the_time_of_a_call_is_that_of_its_words_in_thousandths() -> None:
    record, _ = played(Recording((1.4007, "one", 0.9)), card("Ida", "racketeer", 1.0))
    assert record.entries[1].event == {"event": "heard", "words": ["one"], "start": 1.401, "end": 1.7}


def test_calls_of_the_script_are_left_out_and_lines_that_are_none_keep_their_numbers() -> None:
    heard: MutableEvent = {"event": "heard", "words": ["one"], "start": 1.4, "end": 1.8}
    record, _ = played(Recording(), "no JSON", card("Ida", "racketeer", 1.0), heard)
    assert record.result()["rejected"] == [{"n": 1, "code": "bad_json"}]
    assert brief(record)[1:] == ["racketeer"]


def test_events_without_a_time_and_refused_ones_keep_their_places() -> None:
    undone: MutableEvent = {"event": "undone"}
    record, _ = played(
        Recording((2.5, "one", 0.9)), card("Ida", "racketeer", 1.0), card("Ida", "gun", 2.0), undone
    )
    assert brief(record) == ["racketeer", "gun", "undone"]
    assert record.entries[1].code == "not_your_turn"


def test_who_is_asked_about_is_believed_without_answers() -> None:
    record, asked = played(Recording((1.4, "three", 0.6)), card("Ida", "racketeer", 1.0))
    assert asked == [AskedCall(1.4, "Ida", ("three",), ("one",))]
    assert brief(record) == ["racketeer", ["one"]]
    assert verdicts(record) == ["correct"]


@pytest.mark.parametrize(
    ("said", "verdict"), [("one", ["correct"]), ("three", ["wrong_number"]), ("seven", ["wrong_number"])]
)
def test_answers_come_from_the_true_call_nearest_in_time(said: str, verdict: list[str]) -> None:
    truth: list[MutableEvent] = [
        {"event": "heard", "words": ["two"], "start": 0.1, "end": 0.2},
        {"event": "heard", "words": [said], "start": 1.6, "end": 1.9},
    ]
    record, _ = played(Recording((1.4, "three", 0.6)), card("Ida", "racketeer", 1.0), truth=truth)
    assert brief(record) == ["racketeer", [said]]
    assert verdicts(record) == verdict


def test_without_a_true_call_near_it_nothing_was_said() -> None:
    truth: list[MutableEvent] = [{"event": "heard", "words": ["one"], "start": 9.0, "end": 9.2}]
    record, asked = played(Recording((1.4, "three", 0.6)), card("Ida", "racketeer", 1.0), truth=truth)
    assert (len(asked), brief(record)) == (1, ["racketeer"])


def test_nobody_is_too_late_without_a_question_if_something_was_said() -> None:
    passed: MutableEvent = {"event": "time_passed", "t": 6.0}
    record, asked = played(Recording((1.4, "", 0.2)), card("Ida", "racketeer", 1.0), passed)
    assert [one.heard for one in asked] == [()]
    assert verdicts(record)[0] == "correct"
    record, asked = played(Recording(), card("Ida", "racketeer", 1.0), passed, passed)
    assert (asked, verdicts(record)) == ([], ["too_late"])


def test_what_was_lost_in_noise_is_weighed_before_the_time_runs_out() -> None:
    passed: MutableEvent = {"event": "time_passed", "t": 6.0}
    truth: list[MutableEvent] = []
    lost = Recording(latest=0.3)
    record, asked = played(lost, card("Ida", "racketeer", 1.0), passed, passed, truth=truth)
    assert (len(asked), verdicts(record)) == (1, ["too_late"]), "asked once, nothing was said"


@pytest.mark.parametrize("event", [{"event": 7, "t": 1.0}, {"event": "card_played", "t": -1}])
def test_a_script_that_is_damaged_is_judged_as_it_is_written(event: MutableEvent) -> None:
    record, _ = played(Recording((0.5, "one", 0.9)), event)
    assert record.entries[0].code is not None
