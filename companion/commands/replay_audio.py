"""`companion replay --audio`: the calls of a script come from a recording of the table.

Second 0 of the recording is t = 0 of the script. The script's own `heard` events are left out; recognised
calls are inserted by the start of their first word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.core.errors import UsageError
from companion.core.events import MutableEvent
from companion.games import game_named
from companion.speech.recognition.recorded_calls import RecordedCalls
from companion.table.call_insertion import with_calls


def events_from_recording(
    header: Mapping[str, Any], events: Sequence[MutableEvent], recording: Path | str
) -> list[MutableEvent]:
    """The script's events with the calls of the recording as `heard` events, in order of time.

    Args:
        header: the script's first line.
        events: its events; `heard` ones are left out.
        recording: a WAV file of any rate.

    Raises:
        BadHeader: the header names no playable game.
        UsageError: the game has no calls.
        Unreadable: the recording cannot be read.
        Unavailable: there is no speech model for the game's language.
    """
    game = game_named(header.get("game"))
    setup = game.rulebook.header(header.get("players"), header.get("settings"))
    if game.hearing is None:
        raise UsageError("replay.no_calls", title=game.title)
    calls = RecordedCalls.of_file(
        recording,
        getattr(setup.settings, "language", "en"),
        countdown=game.hearing.words == "countdown",
        one_by_one=game.hearing.one_by_one,
    )
    return with_calls(game.rulebook, setup, events, calls)
