"""`companion replay --audio`: the calls of a script come from a recording of the table.

Second 0 of the recording is t = 0 of the script. The script's own `heard` events are left out. What is heard
goes the way it goes at the table: the same listener, spotter, thresholds and questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.core.call_policy import CallPolicy
from companion.core.errors import UsageError
from companion.core.events import Event, MutableEvent
from companion.games import game_named
from companion.games.spotter import Thresholds
from companion.speech.model.grammar import unproven_languages
from companion.speech.recognition.recorded_calls import RecordedCalls
from companion.table.heard_replay import AskedCall, HeardReplay, believed, by_truth
from companion.table.record import Record, opened


def replayed_recording(
    header: Mapping[str, Any],
    events: Sequence[MutableEvent | str],
    recording: Path | str,
    truth: Sequence[Event] | None = None,
) -> tuple[Record[Any], list[AskedCall]]:
    """The record of a script with the calls of the recording, and the questions that the table would ask.

    Args:
        header: the script's first line.
        events: its other lines, those that are no JSON objects as text; `heard` ones are left out.
        recording: a WAV file of any rate.
        truth: the events of a script with the true `heard` events, which answer the questions; None: a call
            that is asked about is believed.

    Raises:
        BadHeader: the header names no playable game.
        UsageError: the game has no calls.
        Unreadable: the recording cannot be read.
        Unavailable: there is no speech model for the game's language.
    """
    record = opened(dict(header))
    game = game_named(record.book.name)
    if game.hearing is None:
        raise UsageError("replay.no_calls", title=game.title)
    calls = RecordedCalls.of_file(
        recording,
        getattr(record.setup.settings, "language", "en"),
        countdown=game.hearing.words == "countdown",
    )
    thresholds = Thresholds(calls=CallPolicy(unproven=unproven_languages()))
    true_calls = [event for event in truth or () if _is_call(event)]
    answer = believed if truth is None else by_truth(true_calls)
    replay = HeardReplay(record, game.new_spotter(thresholds), calls, answer)
    replay.play(events)
    return record, replay.asked


def _is_call(event: Event) -> bool:
    """Whether an event is a call with words and a time."""
    words, start = event.get("words"), event.get("start")
    timed = isinstance(start, int | float) and not isinstance(start, bool)
    return event.get("event") == "heard" and isinstance(words, list) and bool(words) and timed
