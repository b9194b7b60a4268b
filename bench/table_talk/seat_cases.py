"""Directions whose truth is known: calls and other sounds in simulated rooms, as an array finds them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from bench.evenings.script import Rng
from bench.table_talk.array_room import ArrayTableSound
from bench.table_talk.noises import Noises
from bench.table_talk.streams import BLOCK_S, SaidCall, contexts, said_calls
from bench.table_talk.voices import SPEAKERS, CallerVoice, Group
from companion.core.observations import Listened, Utterance
from companion.core.weighing import CallDue, Span
from companion.speech.audio.wav import RATE
from companion.speech.direction.array_recorder import ArrayRecorder
from companion.speech.direction.seats import SeatDirection
from companion.speech.direction.witness import DirectionBackground
from companion.speech.model import grammar, models
from companion.speech.recognition.call_posterior import CallEvidence, CallProbabilities
from companion.speech.recognition.recogniser import Listener

KINDS = ("television", "foreign numbers")
"""What the loudspeaker plays."""
SNR_DB = 5.0


Maker = Literal["caller", "player", "loudspeaker"]
"""Who made a sound: the player who is to call, another player, or what the loudspeaker plays."""


class DirectionCase(msgspec.Struct, frozen=True):
    """The directions (degrees) of one sound while a call is due."""

    maker: Maker
    found: bool
    """Whether the call that is due was found in it: then there is one direction, of its words."""
    caller: str
    degrees: tuple[float, ...]
    """Of the words of another call and of stretches of the sound, in each of which the call may be hidden."""
    seats: dict[str, SeatDirection]
    background: tuple[float, ...]
    """Directions of the sound before."""


class DirectionRecorder:
    """Takes the place of companion.speech.direction.witness.SeatWitness: notes directions and judges none."""

    def __init__(self, array: ArrayRecorder) -> None:
        self._array, self._background = array, DirectionBackground(array)
        self.latest: tuple[tuple[float, ...], tuple[float, ...]] | None = None
        """Directions of the stretches that were asked for last, and those of the sound before them."""

    def log_ratios(self, player: str, spans: Sequence[Span]) -> list[float]:
        """Zeros: nothing is known."""
        if spans:
            before = self._background.before(min(begin for begin, _ in spans))
            arrivals = [self._array.arrival(*span) for span in spans]
            self.latest = tuple(one.degrees for one in arrivals if one is not None), tuple(before)
        return [0.0] * len(spans)


def probably_right(evidence: CallEvidence) -> CallProbabilities:
    """The right call whatever was heard, so that each sound's direction is asked for."""
    return CallProbabilities(1.0, 0.0)


def direction_cases(
    shared: Path, group: Group, rooms: int, seconds: float, seed: int
) -> Iterator[DirectionCase]:
    """Streams of calls in this many rooms, each with every kind of noise."""
    noises, path = Noises(shared, group), models.find_model("en")
    opened, language = models.open_model(path), grammar.language("en")
    for number in range(rooms):
        for place, kind in enumerate(KINDS):
            rng = np.random.default_rng([seed, number, place])
            voices = {name: CallerVoice(shared, name, rng) for name in SPEAKERS[group]}
            sound = ArrayTableSound(voices, noises.make(kind, rng), SNR_DB, rng)
            seats, array = sound.seats(), ArrayRecorder()
            recorder = DirectionRecorder(array)
            listener = Listener(
                path, language.calls(), opened=opened, judge=probably_right, witness=recorder.log_ratios
            )
            said = said_calls(sound, seconds, rng)
            for index in range(int(seconds / BLOCK_S)):
                block = sound.heard(index * BLOCK_S, round(BLOCK_S * RATE))
                assert block.array is not None
                array.hear(block.array.samples, block.array.radius_m, block.t, RATE)
                for report in listener.feed(block.samples, block.t):
                    if isinstance(report, Listened):
                        continue
                    for maker, due in _dues(report, said, seats, rng):
                        recorder.latest = None
                        listener.weigh(report, due)
                        if recorder.latest is not None and recorder.latest[0]:
                            evidence = listener.latest_evidence
                            found = evidence is not None and evidence.found == "right"
                            directions, before = recorder.latest
                            yield DirectionCase(maker, found, due.speaker, directions, seats, before)


def _dues(
    report: Utterance, said: Sequence[SaidCall], seats: Mapping[str, SeatDirection], rng: Rng
) -> Iterator[tuple[Maker, CallDue]]:
    """What may be due while a sound is heard: a call by who made it, and another one by another player."""
    for truth, due in contexts(report, said, rng):
        if due.speaker not in seats:
            continue
        if truth in ("right", "none"):
            yield "caller" if truth == "right" else "loudspeaker", due
        others = sorted(seats.keys() - {due.speaker})
        if truth == "wrong" and others:
            yield "player", msgspec.structs.replace(due, speaker=others[int(rng.integers(len(others)))])
