"""How exactly the beginning of a call is found, and how soon it is reported: `python -m bench.speech.onsets`.

Calls of real speakers whom no training has met go through the live listener of the shipped English model,
alone, in the noise of a room, with the echo of a room, and in babble of real voices. `--fit` gives how
many seconds of each word's beginning a decibel of noise hides (companion.speech.recognition.soft_starts),
from development speakers in several drawings of the same conditions.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from bench.evenings.script import Rng
from bench.paths import ROOT, default_shared
from bench.report import options as results_option
from bench.report.estimates import Estimate, mean, percentile
from bench.report.results import record
from bench.speech import sets
from bench.table_talk.voices import SPEAKERS, Group, recordings
from companion.core.observations import HeardWord, Utterance
from companion.speech.audio import levels
from companion.speech.audio.wav import RATE, read_wav, to_int16
from companion.speech.model import grammar, models
from companion.speech.recognition.recogniser import Listener
from companion.speech.recognition.soft_starts import hidden_s
from models.speech.train import warp
from models.speech.train.words import NUMBERS

BLOCK = 320
"""Samples a block: 20 ms."""
CALLS = 15
"""In each recording; one recording a speaker and condition."""


@dataclass(frozen=True)
class HiddenStart:
    """A call in noise that the ears found."""

    word: str
    noise_db: float
    """How far the noise is above its softest part."""
    late_s: float
    """How late its beginning is reported if nothing counts as hidden."""


@dataclass
class HeardCalls:
    """What became of the calls of one condition. Errors and delays in seconds."""

    said: int = 0
    onsets: list[float] = field(default_factory=list)
    """The reported beginning less the true one, of each call that was found."""
    delays: list[float] = field(default_factory=list)
    """From the end of the call to its report."""
    hidden: list[HiddenStart] = field(default_factory=list)
    """Those in noise."""


def listened(path: Path, model: Any, sound: sets.Sound, truth: Sequence[sets.Item], into: HeardCalls) -> None:
    """Feeds a recording to the live listener and compares the words with the calls in it."""
    ear = Listener(path, grammar.language("en").calls(), opened=model)
    samples, words = to_int16(sound), []
    sounding = levels.frame_levels(samples)
    for at in range(0, samples.size, BLOCK):
        for report in ear.feed(samples[at : at + BLOCK], at / RATE):
            if isinstance(report, Utterance):
                words += [(word, min(at + BLOCK, samples.size) / RATE) for word in report.words]
    for item in truth:
        mine = [(word, t) for word, t in words if word.start < item.end and word.end > item.start]
        into.said += 1
        if len(mine) == 1 and (mine[0][0].word,) == item.said:
            into.onsets.append(mine[0][0].start - item.start)
            into.delays.append(mine[0][1] - item.end)
            into.hidden += hidden_start(sounding, mine[0][0], item.start)


def hidden_start(sounding: levels.Levels, word: HeardWord, begun: float) -> Iterator[HiddenStart]:
    """What noise hid of a word that began at `begun` (s); nothing in a quiet room."""
    background_db = levels.background_level(sounding, word.start, word.end)
    noise_db = levels.hidden_db(sounding, word.start, word.end, background_db)
    if noise_db > 0:
        late_s = word.start + hidden_s(word.word) * noise_db - begun
        yield HiddenStart(word.word, noise_db, late_s)


def fitted(starts: Sequence[HiddenStart]) -> dict[str, float]:
    """The seconds a decibel that make the mean error of each word least; words that gain nothing are left
    out. In steps of a tenth of a millisecond."""
    best: dict[str, float] = {}
    for word in sorted({one.word for one in starts}):
        late = np.array([one.late_s for one in starts if one.word == word])
        noise = np.array([one.noise_db for one in starts if one.word == word])
        errors = [np.abs(late - step * 1e-4 * noise).mean() for step in range(40)]
        if int(np.argmin(errors)):
            best[word] = round(int(np.argmin(errors)) * 1e-4, 4)
    return best


def conditions(
    shared: Path, group: Group, clips: list[sets.Item], talk: list[sets.Sound], rng: Rng
) -> Iterator[tuple[str, sets.Sound, list[sets.Item]]]:
    """Name, recording and calls of each condition."""
    room = read_wav(shared / "speech" / "noises" / "doing_the_dishes.wav").astype(np.float32) / 32768.0
    first = group == "development"
    half = room[: room.size // 2] if first else room[room.size // 2 :]
    babble = sets.babble(talk[: len(talk) // 2] if first else talk[len(talk) // 2 :], rng)
    yield "clean", *sets.track(clips, rng, CALLS, None, 0.0)
    yield "room noise, 20 dB", *sets.track(clips, rng, CALLS, half, 20.0)
    sound, truth = sets.track(clips, rng, CALLS, None, 0.0)
    yield "echo of a room", echoed(sound, warp.echo(rng)), truth
    yield "babble of real voices, 10 dB", *sets.track(clips, rng, CALLS, babble, 10.0)


def echoed(sound: sets.Sound, response: sets.Sound) -> sets.Sound:
    """The sound in a room with this response."""
    size = warp.good_size(sound.size + response.size)
    wet = np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(response, size), size)[: sound.size]
    return np.asarray(wet / max(1.0, float(np.abs(wet).max())), np.float32)


def measure(shared: Path, group: Group, seed: int) -> dict[str, HeardCalls]:
    """The calls of all speakers of a group, by condition."""
    path = models.find_model("en")
    model, rng = models.open_model(path), np.random.default_rng([seed, 41])
    talk = sets.real_voices(ROOT / "build" / "speech").talk
    found: dict[str, HeardCalls] = {}
    for speaker in SPEAKERS[group]:
        takes = [(number, take) for number in range(1, 8) for take in recordings(shared, speaker, number)]
        clips = [sets.Item(take * np.float32(0.5), (NUMBERS[number],)) for number, take in takes]
        for name, sound, truth in conditions(shared, group, clips, talk, rng):
            listened(path, model, sound, truth, found.setdefault(name, HeardCalls()))
    return found


def report(found: dict[str, HeardCalls]) -> None:
    """Prints the table, in milliseconds."""
    print("| condition | calls found | onset error: mean, 95 %, median | end to report: median, 95 % |")
    print("|---|---|---|---|")
    for name, calls in found.items():
        off, late = 1000 * np.array(calls.onsets), 1000 * np.array(calls.delays)
        print(
            f"| {name} | {off.size} of {calls.said} | {np.abs(off).mean():.0f}, "
            f"{np.percentile(np.abs(off), 95):.0f}, {np.median(off):+.0f} | "
            f"{np.median(late):.0f}, {np.percentile(late, 95):.0f} |"
        )


def estimates(found: dict[str, HeardCalls]) -> dict[str, Estimate]:
    """The rows of the report, in milliseconds: all conditions but the clean one together."""
    noisy = [1000 * abs(off) for name, calls in found.items() if name != "clean" for off in calls.onsets]
    return {"speech/onset-noisy": mean(noisy), "speech/onset-noisy-95": percentile(noisy, 95)}


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--shared", type=Path, default=default_shared())
    parser.add_argument("--group", choices=tuple(SPEAKERS), default="development")
    parser.add_argument("--seed", type=int, default=0)
    results_option.add(parser)
    parser.add_argument("--fit", type=int, default=0, metavar="N", help="from so many drawings")
    asked = parser.parse_args()
    if asked.fit:
        drawn = [measure(asked.shared, "development", seed) for seed in range(asked.fit)]
        starts = [one for calls in drawn for heard in calls.values() for one in heard.hidden]
        print(f"{len(starts)} calls in noise: {fitted(starts)}")
        return
    found = measure(asked.shared, asked.group, asked.seed)
    report(found)
    record(asked.results, estimates(found))


if __name__ == "__main__":
    main()
