"""Sounds whose truth is known: streams of calls in every noise go through the listener, and what it reports
is weighed as the right call, as a wrong one, and while nothing may be said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from bench.evenings.room import THROAT
from bench.evenings.script import Rng
from bench.table_talk.microphone import TableSound
from bench.table_talk.noises import KINDS, Noises
from bench.table_talk.voices import SPEAKERS, CallerVoice, Group
from companion.core.observations import HeardWord, Listened, Utterance
from companion.core.weighing import CallDue, Words
from companion.speech.audio.wav import RATE
from companion.speech.model import grammar, models
from companion.speech.recognition.call_posterior import CallEvidence, CallProbabilities
from companion.speech.recognition.recogniser import Listener

BLOCK_S = 0.06
LEVELS_DB = (20.0, 10.0, 5.0)
SILENCE = 4.0
LATER_PART_S = 0.3
"""A sound that begins so long after a call is a later part of it: the game then has heard the first part."""
MISSING_PART_S = 0.35
"""A sound that ends so long before a call ends is its first part."""
ANY_NUMBER = 0.2
"""Share of the wrong calls that are not one off, but any other number: an assumption."""
CLOSER_DB = 6.0
"""Each player is up to so many decibels softer than the one who sits closest to the microphone, ..."""
SPREAD_DB = 3.0
"""... and calls so much louder or softer from call to call: standard deviation. Assumptions, of the most
uneven table: each stream draws a share of both."""
AFAR_DB = (12.0, 28.0)
"""A voice from elsewhere in the room is so many decibels softer than a call."""
AFAR_SHARE = 0.4
"""Behind so many of the calls somebody far away says a number, ..."""
COMPARED_CALLS = 4
"""... from so many calls on: before, nobody knows how loud the players call."""
OVERLAP_S = 0.1
"""A sound belongs to a call that it overlaps, or nearly."""

Truth = Literal["right", "wrong", "call on gun", "none", "none on gun"]
"""The call that is due was said; another one; a call where nothing may be said; no call while one is due;
none where none may be said."""


class WeighedCase(msgspec.Struct, frozen=True):
    """One weighing whose truth is known."""

    noise: str
    snr_db: float
    truth: Truth
    words: tuple[HeardWord, ...]
    evidence: CallEvidence | None
    """None: there were no words where none may be said."""
    afar: bool = False
    """Somebody spoke far away."""
    caller: str = ""
    """The speaker whose call it was, or could have been."""
    is_throat: bool = False
    """Whether the throat sound was made, which is synthetic."""


class KnownTruth:
    """Gives what is true for the probabilities. So what is fitted does not depend on the shipped constants:
    they would tell which sounds count for the room and for the loudness of the caller."""

    def __init__(self) -> None:
        self.truth: Truth = "none"

    def probabilities(self, evidence: CallEvidence) -> CallProbabilities:
        """Certainty; the evidence does not matter."""
        right = self.truth == "right"
        return CallProbabilities(float(right), float(not right and not self.truth.startswith("none")))


class SaidCall(NamedTuple):
    """A call in a stream, in seconds."""

    start: float
    end: float
    speaker: str
    words: Words
    afar: bool = False
    """It was no call: somebody spoke elsewhere in the room."""


class SpeechStream(NamedTuple):
    """Calls at one table in one kind of noise."""

    noise: str
    snr_db: float
    sound: TableSound
    seconds: float
    said: list[SaidCall]
    rng: Rng
    """For what may be due while something is heard."""


def streams(
    shared: Path, group: Group, seconds: float, seed: int, kinds: Sequence[str] = KINDS
) -> Iterator[SpeechStream]:
    """Streams of these noises at all levels; that of silence, with one level, is SILENCE times as long."""
    noises = Noises(shared, group)
    for kind in kinds:
        for snr_db in LEVELS_DB if kind != "silence" else LEVELS_DB[:1]:
            rng = np.random.default_rng([seed, KINDS.index(kind), int(snr_db)])
            voices = {name: CallerVoice(shared, name, rng) for name in SPEAKERS[group]}
            noise = None if kind == "silence" else noises.make(kind, rng)
            sound = TableSound(voices, noise, snr_db, rng)
            length = seconds if noise is not None else seconds * SILENCE
            yield SpeechStream(kind, snr_db, sound, length, said_calls(sound, length, rng), rng)


def cases(
    shared: Path, group: Group, seconds: float, seed: int, kinds: Sequence[str] = KINDS
) -> Iterator[WeighedCase]:
    """What the listener makes of the sounds of all streams."""
    path = models.find_model("en")
    opened, language = models.open_model(path), grammar.language("en")
    for kind, snr_db, sound, length, said, rng in streams(shared, group, seconds, seed, kinds):
        known = KnownTruth()
        listener = Listener(path, language.calls(), opened=opened, judge=known.probabilities)
        for report in reports(listener, blocks(sound, length)):
            heard = heard_in(report, said)
            afar = bool(heard) and all(one.afar for one in heard)
            is_throat = any(THROAT in one.words for one in heard if not one.afar)
            for truth, due in contexts(report, said, rng):
                known.truth = truth
                found = listener.weigh(report, due)
                evidence = listener.latest_evidence
                yield WeighedCase(kind, snr_db, truth, found.words, evidence, afar, due.speaker, is_throat)


def blocks(sound: TableSound, seconds: float) -> Iterator[NDArray[np.int16]]:
    """The blocks of BLOCK_S that the microphone gives, from the moment 0 on."""
    for index in range(int(seconds / BLOCK_S)):
        yield sound.block(index * BLOCK_S, round(BLOCK_S * RATE))


def reports(listener: Listener, sound: Iterable[NDArray[np.int16]]) -> Iterator[Utterance]:
    """The utterances that a listener finds in blocks of BLOCK_S."""
    for index, block in enumerate(sound):
        for report in listener.feed(block, index * BLOCK_S):
            if not isinstance(report, Listened):
                yield report


def said_calls(sound: TableSound, seconds: float, rng: Rng) -> list[SaidCall]:
    """Calls by random speakers with 1 to 5 s between them, in which somebody may speak far away."""
    numbers = grammar.language("en").numbers
    uneven = float(rng.uniform())
    seats = {name: float(rng.uniform(0.0, CLOSER_DB * uneven)) for name in sound.voices}
    said: list[SaidCall] = []
    at = 2.0
    while at < seconds - 4.0:
        speaker, other = (str(one) for one in rng.choice(list(sound.voices), 2, replace=False))
        place = int(rng.integers(1, 8))
        draw = rng.random()
        words: Words = (THROAT,) if draw < 0.15 else (numbers[place],)
        if draw > 0.75:
            words = (numbers[place], numbers[place + 1 if place < 7 else 6])
        softer_db = max(0.0, seats[speaker] + float(rng.normal(0.0, SPREAD_DB * uneven)))
        end = sound.add_softer(at, speaker, words, softer_db)
        said.append(SaidCall(at, end, speaker, words))
        at = end + float(rng.uniform(1.0, 5.0))
        if len(said) >= COMPARED_CALLS and rng.random() < AFAR_SHARE:
            words = (numbers[int(rng.integers(1, 8))],)
            end = sound.add_from_afar(at, other, words, float(rng.uniform(*AFAR_DB)))
            said.append(SaidCall(at, end, other, words, afar=True))
            at = end + float(rng.uniform(1.0, 3.0))
    return said


def heard_in(report: Utterance, said: Sequence[SaidCall]) -> list[SaidCall]:
    """What was said while a sound was heard."""
    return [one for one in said if one.start - OVERLAP_S < report.end and one.end + OVERLAP_S > report.start]


def contexts(report: Utterance, said: Sequence[SaidCall], rng: Rng) -> list[tuple[Truth, CallDue]]:
    """What may be due while a sound is heard; nothing for a part of a call."""
    over = [one for one in heard_in(report, said) if not one.afar]
    if not over:
        number = grammar.language("en").numbers[int(rng.integers(1, 8))]
        speakers = [one.speaker for one in said if not one.afar]
        speaker = speakers[int(rng.integers(len(speakers)))]
        return [
            ("none", CallDue(((number,),), speaker=speaker)),
            ("none on gun", CallDue(silent=True, speaker=speaker)),
        ]
    call = over[0]
    later = report.start > call.start + LATER_PART_S
    if len(call.words) > 1 and (later or report.end < call.end - MISSING_PART_S):
        return []
    return [
        ("right", CallDue((call.words,), speaker=call.speaker)),
        ("wrong", CallDue((another(call.words, rng),), speaker=call.speaker)),
        ("call on gun", CallDue(silent=True, speaker=call.speaker)),
    ]


def another(words: Words, rng: Rng) -> Words:
    """What is due when somebody says `words` by mistake: numbers that are one off, now and then any others;
    any number for the sound."""
    numbers = grammar.language("en").numbers
    if words[0] == THROAT:
        return (numbers[int(rng.integers(1, 8))],)
    places = [numbers.index(word) for word in words]
    if rng.random() < ANY_NUMBER:
        others = [place for place in range(1, 8) if place != places[0]]
        first = others[int(rng.integers(len(others)))]
        return tuple(numbers[max(1, min(7, first + place - places[0]))] for place in places)
    steps = [step for step in (-1, 1) if all(1 <= place + step <= 7 for place in places)]
    step = steps[int(rng.integers(len(steps)))] if steps else -1
    return tuple(numbers[max(1, place + step)] for place in places)
