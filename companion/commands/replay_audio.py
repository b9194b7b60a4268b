"""`companion replay --audio`: the calls of a script come from a recording of the table.

Sample 0 of the recording is t = 0 of the script. The script's own `heard` events are left out; what Vosk
hears is put in by the start of its first word. While the game is stepped through, its expectation says which
call would be right, and between near readings that one is taken (companion.speech.recognition.verdict).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.core.call_policy import NEVER_ASK, fits
from companion.core.errors import Rejected, UsageError
from companion.core.observations import HeardWord, Utterance
from companion.games import game_named
from companion.games.contract.offers import Words
from companion.games.contract.rulebook import RejectedAfter, event_time
from companion.games.game import Hearing
from companion.speech.audio import levels, wav
from companion.speech.model import grammar, models
from companion.speech.recognition import calls, offline, verdict

Event = dict[str, Any]
MARGIN_S = 0.25
"""So much sound around a call is read again."""


def events_from_recording(
    header: Mapping[str, Any], events: Sequence[Event], recording: Path | str
) -> list[Event]:
    """The script's events with those `heard` that the recording holds, in order of time.

    Args:
        header: the script's first line.
        events: its events; `heard` ones are left out.
        recording: a WAV file of any rate.

    Raises:
        BadHeader: the header names no playable game.
        UsageError: nothing is said in that game.
        Unreadable: the recording cannot be read.
        Unavailable: there is no speech model for the game's language.
    """
    game = game_named(header.get("game"))
    book = game.rulebook
    setup = book.header(header.get("players"), header.get("settings"))
    if game.hearing is None:
        raise UsageError("replay.no_calls", title=book.title)
    samples = wav.read_wav(recording)
    ear = RecordedCalls(getattr(setup.settings, "language", "en"), game.hearing, samples)
    play = _Play(book, setup)
    others = [event for event in events if event.get("event") != "heard"]
    merged: list[Event] = []
    heard = ear.split(_times(others))
    waiting = next(heard, None)
    for event in [*others, None]:
        limit = None if event is None else _time(event)
        while waiting is not None and (event is None or (limit is not None and waiting.start < limit)):
            told = ear.read(waiting, play.right())
            if told is not None:
                merged.append(told)
                play.push(told)
            waiting = next(heard, None)
        if event is not None:
            merged.append(event)
            play.push(event)
    return merged


def _time(event: Event) -> float | None:
    """When the event happened, None if it does not say so or says nonsense (the replay rejects it)."""
    try:
        return event_time(event) if isinstance(event.get("event"), str) else None
    except Rejected:
        return None


def _times(events: Sequence[Event]) -> list[float]:
    """When cards fell and other things happened, in order."""
    return sorted(t for t in map(_time, events) if t is not None)


class RecordedCalls:
    """What a recording holds for one game."""

    def __init__(self, language: str, hearing: Hearing, samples: NDArray[np.int16]) -> None:
        self._language = grammar.language(language)
        path = models.find_model(language)
        wanted = self._language.calls()
        if hearing.words == "countdown":
            wanted = (*self._language.numbers[1:11], self._language.commands[0])
        known = models.vocabulary(path)
        self._words = grammar.with_competing_words(wanted, known, self._language)
        self._unreported = grammar.competing_words(wanted, known)
        self._model = models.open_model(path)
        self._samples = samples
        self._levels = levels.frame_levels(samples)
        self._one_by_one = hearing.one_by_one

    def split(self, cuts: Sequence[float]) -> Iterator[Utterance]:
        """The calls in order; a call never runs across one of the moments in `cuts` (a card that fell)."""
        words = offline.recognise(self._samples, self._model, self._words, self._unreported)
        for call in calls.group(words, 0.0 if self._one_by_one else calls.PAUSE_S):
            part: list[HeardWord] = []
            for word in call.words:
                if part and any(part[-1].start < cut <= word.start for cut in cuts):
                    yield calls.utterance(part)
                    part = []
                part.append(word)
            yield calls.utterance(part)

    def read(self, call: Utterance, right: Sequence[Sequence[str]]) -> Event | None:
        """The call as a `heard` event, read with the right calls in mind; None if it is ignored."""
        words = call.words
        if right and call.said not in {tuple(r) for r in right}:
            words = self._again(call, right) or words
        decision = NEVER_ASK.decide(
            min(word.confidence for word in words),
            understood=True,
            fits=fits([word.word for word in words], right),
            due=bool(right),
        )
        if not decision.is_heard:
            return None
        return {
            "event": "heard",
            "words": [word.word for word in words],
            "start": round(words[0].start, 3),
            "end": round(max(words[-1].end, words[0].start), 3),
        }

    def _again(self, call: Utterance, right: Sequence[Sequence[str]]) -> tuple[HeardWord, ...]:
        begin = max(0.0, call.start - MARGIN_S)
        piece = self._samples[int(begin * wav.RATE) : int((call.end + MARGIN_S) * wav.RATE)]
        room = levels.background_level(self._levels, call.start, call.end)
        found = verdict.score_call(
            piece,
            self._model,
            self._words,
            self._unreported,
            right,
            filler=self._language.throat,
            background_db=room,
        )
        if not found.fits:
            return ()  # the reading of the whole recording stands
        return tuple(
            msgspec.structs.replace(word, start=begin + word.start, end=begin + word.end)
            for word in found.words
        )


class _Play:
    """The game stepped through beside the script, for its expectations alone."""

    def __init__(self, book: Any, setup: Any) -> None:
        self._book = book
        self._states = [book.start(setup)]

    def push(self, event: Event) -> None:
        if event.get("event") == "undone":
            if len(self._states) > 1:
                self._states.pop()
            return
        try:
            self._states.append(self._book.play(self._states[-1], event).state)
        except RejectedAfter as rejection:
            self._states[-1] = rejection.settled.state
        except Rejected:
            pass

    def right(self) -> tuple[tuple[str, ...], ...]:
        """The calls that would be right now."""
        found: list[tuple[str, ...]] = []
        for offer in self._book.expects(self._states[-1]):
            words = offer.fields.get("words")
            if offer.event == "heard" and isinstance(words, Words):
                found += words.right
        return tuple(found)
