"""What the fitted constants of speech lead to: scores of recorded calls, and where decisions flip.

`python tests/speech/speech_regression_cases.py` writes the present values to speech_regression.json.
Do that only after a change of a constant that was measured (`python -m bench.speech`,
`python -m bench.speech.verdicts`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from voice_takes import take

from companion.core.observations import HeardWord
from companion.speech.audio import levels as sound
from companion.speech.audio.onset import OnsetDetector
from companion.speech.model import grammar, models
from companion.speech.model.models import Model
from companion.speech.model.verifier import WordPosteriors
from companion.speech.recognition import verdict
from companion.speech.recognition.confirm import confirmed
from companion.speech.recognition.offline import recognise
from companion.speech.recognition.word_filter import heard_words

EXPECTED = Path(__file__).with_name("speech_regression.json")
RATE = 16000
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven")
SCORED = (
    # voice, what was said, what would be right, signal-to-noise ratio in dB, kind of noise
    ("ada", "five", "five", 10, "white"),
    ("ada", "five", "five", 6, "babble"),
    ("ada", "five", "five", 0, "babble"),
    ("ben", "two", "three", 10, "white"),
    ("cleo", "six", "six", 3, "white"),
    ("cleo", "six", "six", 0, "babble"),
    ("ben", "four", "five", 6, "babble"),
    ("cleo", "one", "four", 6, "babble"),
    ("ada", "three", "two", 10, "white"),
    ("ada", "five six", "five", 10, "white"),
)
"""Chosen so that every branch of the verdict is taken, most of them without saturation."""


# --- recorded calls -----------------------------------------------------------------------------------------


def noisy(voice: str, call: str, snr_db: float, kind: str) -> NDArray[np.int16]:
    """A recorded call with half a second of noise before and behind it."""
    call_sound = take(voice, call).astype(float)
    loud = call_sound[np.abs(call_sound) > 0.1 * np.abs(call_sound).max()]
    padded = np.pad(call_sound, RATE // 2)
    noise = np.random.default_rng(1).normal(size=padded.size) if kind == "white" else babble(padded.size)
    level = np.sqrt((loud**2).mean()) * 10 ** (-snr_db / 20)
    mixed = padded + noise / np.sqrt((noise**2).mean()) * level
    return np.clip(mixed, -32768, 32767).astype(np.int16)


def babble(size: int) -> NDArray[np.float64]:
    """Four voices at once, played backwards."""
    total = np.zeros(size)
    talkers = (("ada", "six seven"), ("ben", "four three"), ("cleo", "one two"), ("ada", "two one"))
    for place, (voice, call) in enumerate(talkers):
        total += np.resize(np.roll(take(voice, call)[::-1].astype(float), place * 3000), size)
    return total


def scores(model: Model, prior: float = verdict.PRIOR, cases: Iterable[Any] = SCORED) -> dict[str, Any]:
    """The score of each case, with the posterior as log odds: near 0 and 1 a probability shows no change."""
    language = grammar.language("en")
    known = models.vocabulary(models.find_model("en"))
    words = grammar.with_competing_words(language.calls(), known, language)
    unreported = grammar.competing_words(language.calls(), known)
    found = {}
    for voice, said, right, snr_db, kind in cases:
        score = verdict.score_call(
            noisy(voice, said, snr_db, kind), model, words, unreported, [tuple(right.split())],
            prior=prior, filler=language.throat,
        )  # fmt: skip
        name = f"{voice} says {said}, {right} is right, {kind} noise at {snr_db} dB"
        found[name] = {
            "log_odds": math.log(score.probability / (1.0 - score.probability)),
            "log_ratio": score.log_ratio,
            "verifier": score.verifier_log_odds,
            "said": " ".join(score.said),
            "flags": [score.fits, score.found, score.voiced],
            "times": [time for word in score.words for time in (word.start, word.end)],
        }
    return found


def recognised(model: Model) -> dict[str, Any]:
    """Three calls as they are heard without an expectation."""
    language = grammar.language("en")
    known = models.vocabulary(models.find_model("en"))
    words = grammar.with_competing_words(language.calls(), known, language)
    unreported = grammar.competing_words(language.calls(), known)
    found = {}
    for voice, call, snr_db in (("ada", "two three", 10), ("ben", "six five", 12), ("cleo", "seven", 4)):
        heard = recognise(noisy(voice, call, snr_db, "white"), model, words, unreported)
        found[f"{voice} says {call}"] = {
            "said": " ".join(word.word for word in heard),
            "confidences": [word.confidence for word in heard],
            "times": [time for word in heard for time in (word.start, word.end)],
        }
    return found


def cut_lengths(model: Model) -> list[int]:
    """The lengths of the words that a second opinion is asked about, in samples."""
    lengths: list[int] = []

    def opinion(words: Any, pieces: Any) -> float:
        lengths.extend(piece.size for piece in pieces)
        return 1.0

    verdict.score_call(take("ada", "two three"), model, ("two", "three"), frozenset(), [("two", "three")],
                       opinion=opinion)  # fmt: skip
    return lengths


# --- levels -------------------------------------------------------------------------------------------------


def flip(decision: Callable[[float], bool], values: Iterable[float]) -> float:
    """The first value at which a decision is true; nan if it never is."""
    return next((float(value) for value in values if decision(value)), math.nan)


def pulse(height: float, length: int = 20, at: int = 300, total: int = 600) -> sound.Levels:
    """A background of -60 dB with a louder part in it."""
    made = np.full(total, -60.0, np.float32)
    made[at : at + length] += height
    return made


def peaked(height: float, slope: float, total: int = 600) -> sound.Levels:
    """A background of -60 dB with a triangle in its middle: `slope` in dB a frame."""
    away = np.abs(np.arange(total) - total // 2)
    return np.maximum(-60.0, -60.0 + height - slope * away).astype(np.float32)


def level_decisions() -> dict[str, Any]:
    """Where the decisions about levels flip, and levels of sloping backgrounds."""
    steps = np.arange(0.25, 60.0, 0.5)
    ramp = np.linspace(-70.0, -20.0, 800).astype(np.float32)
    walk = (-50 + np.random.default_rng(3).normal(0, 6, 900).cumsum() / 6).astype(np.float32)
    soft = peaked(50.0, 1.0)
    above = sound.frames_above_background(walk)
    return {
        "digital silence": float(sound.frame_levels(np.zeros(1600, np.int16))[0]),
        "frames of a second": int(sound.frame_levels(np.zeros(RATE, np.int16)).size),
        "rise of a word": flip(lambda x: sound.trim(pulse(x), 3.0, 3.2) is not None, steps),
        "above the background": flip(lambda x: sound.is_above_background(pulse(x), 3.0, 3.2), steps),
        "cut off": flip(lambda x: sound.is_cut_off(pulse(x, at=0), -60.0), steps),
        "cut off frames": flip(lambda n: sound.is_cut_off(pulse(20.0, int(n), 0), -60.0), range(20)),
        "clear": flip(lambda x: sound.is_clear(pulse(x), [(3.0, 3.2)]), steps),
        "clear with so much around it": flip(
            lambda n: sound.is_clear(pulse(30.0, 20, 5, 25 + int(n)), [(0.05, 0.25)]), range(30)
        ),
        "clear by its loud part": flip(lambda x: sound.is_clear(peaked(x, 0.5), [(2.5, 3.5)]), steps),
        "frames above the background": [
            int(frames.size) for frames in (above, np.flatnonzero(np.diff(above)))
        ]
        + [int(above.sum()), int(np.flatnonzero(above).sum())],
        "frames of short pieces": [
            int(sound.frames_above_background(pulse(30.0, 20, 30, size)).sum()) for size in (70, 90, 110, 130)
        ],
        "background of a ramp": sound.background_level(ramp, 4.0, 4.3),
        "loudest of a ramp": sound.loudest(ramp, 4.0, 4.3),
        "trimmed on a ramp": sound.trim(ramp, 4.0, 6.0),
        "trimmed on a gentle ramp": sound.trim(np.linspace(-70.0, -46.0, 800).astype(np.float32), 4.0, 6.0),
        "trimmed late on a ramp": sound.trim(ramp[::-1].copy(), 1.0, 1.5),
        "trimmed above the quietest": sound.trim(peaked(18.0, 0.5), 2.0, 4.0),
        "trimmed above the background": sound.trim(soft, 2.0, 4.0, -50.0),
        "trimmed below the peak": sound.trim(soft, 2.0, 4.0),
        "trimmed early": sound.trim(pulse(30.0, 40, 290), 3.0, 3.2),
        "trimmed with so much background": [
            sound.trim_words(peaked(20.0, 0.5, size), [(size / 200 - 0.4, size / 200 + 0.4)])
            for size in (90, 102, 118, 132, 160)
        ],
    }


def onsets() -> dict[str, Any]:
    """What the onset detector makes of bursts of different heights, lengths and pauses."""
    found: dict[str, Any] = {}
    bursts = {
        "heights": [(-60, 200)] + [(-60 + x, n) for x in (4, 8, 10, 13) for x, n in ((0, 40), (x, 8))],
        "lengths": [(-60, 200)] + [(level, n) for n in range(1, 9) for level, n in ((-40, n), (-60, 45))],
        "pauses": [(-60, 200)] + [(level, n) for n in range(4, 50, 3) for level, n in ((-40, 10), (-60, n))],
        "knocks": [(-60, 200)]
        + [(x, m) for n in range(4, 24, 2) for x, m in ((-40, 2), (-60, n), (-40, 10), (-60, 45))],
        "echo": [(-70, 200), (-10, 20), (-36, 30), (-44, 30), (-58, 30), (-50, 60), (-58, 30), (-46, 60)],
        "late floor": [(-65, 100), (-50, 70), (-49, 100), (-38, 20), (-50, 40), (-60, 700), (-30, 500)],
    }  # fmt: skip
    for name, parts in bursts.items():
        amplitude = np.repeat([10 ** (level / 20) for level, _ in parts], [160 * n for _, n in parts]) * 32768
        samples = np.rint(amplitude * np.where(np.arange(amplitude.size) % 2, 1, -1)).astype(np.int16)
        detector = OnsetDetector()
        states = []
        for at in range(0, samples.size, 4000):
            detector.feed(samples[at : at + 4000])
            near = detector.onset_near(detector.now - 0.5, 0.3)
            states += [
                detector.floor,
                min(99.0, detector.quiet_for()),
                detector.below_for(-45.0),
                near or -1.0,
            ]
        held, since = detector.levels()
        found[name] = {"onsets": list(detector.onsets), "states": states, "kept": [held.size, since]}
    return found


# --- words --------------------------------------------------------------------------------------------------


def posteriors(*columns: tuple[str, float, float]) -> WordPosteriors:
    """Made up: (word, time, probability) rows; no word anywhere else."""
    times = np.arange(0.0, 6.0, 0.04)
    values = np.zeros((times.size, len(NUMBERS) + 1), np.float32)
    for word, time, probability in columns:
        values[np.abs(times - time).argmin(), NUMBERS.index(word) + 1] = probability
    values[:, 0] = 1.0 - values[:, 1:].sum(axis=1)
    return WordPosteriors(NUMBERS, times, values)


def corrections() -> dict[str, Any]:
    """Where the verifier's posteriors change what Vosk heard."""
    heard = [HeardWord("two", 3.0, 3.2, 0.9)]
    shares = np.arange(0.005, 1.0, 0.01)

    def said(words: list[HeardWord], *columns: tuple[str, float, float], height: float = 30.0) -> list[str]:
        loud = pulse(height, 200, 200)
        return [word.word for word in confirmed(words, posteriors(*columns), NUMBERS, loud)]

    long = [HeardWord("seven", 2.6, 3.4, 0.9)]
    added = confirmed([], posteriors(("one", 3.0, 0.9)), NUMBERS, pulse(30.0, 200, 200))
    return {
        "kept": flip(lambda p: said(heard, ("two", 3.1, p)) == ["two"], shares),
        "renamed": flip(lambda p: said(heard, ("two", 3.1, 0.05), ("six", 3.1, p)) == ["six"], shares),
        "renamed by ratio": flip(
            lambda p: said(heard, ("two", 3.1, 0.3), ("six", 3.1, p)) == ["six"], shares
        ),
        "inserted": flip(lambda p: said([], ("six", 3.1, p)) == ["six"], shares),
        "inserted apart": flip(
            lambda away: said(heard, ("two", 3.1, 0.9), ("six", 3.2 + away, 0.9)) == ["two", "six"],
            np.arange(0.0, 0.5, 0.02),
        ),
        "inserted apart from an unlikely word": flip(
            lambda away: said(heard, ("two", 3.1, 0.3), ("six", 3.2 + away, 0.9)) == ["two", "six"],
            np.arange(0.0, 0.5, 0.02),
        ),
        "inserted from another centre": flip(
            lambda away: said(long, ("seven", 2.8, 0.9), ("six", 2.8 + away, 0.9)) == ["seven", "six"],
            np.arange(0.0, 0.5, 0.02),
        ),
        "span of an inserted word": [(word.start, word.end, word.confidence) for word in added],
    }


def filtered() -> dict[str, Any]:
    """Which words of a result are reported, and with what confidence."""

    def result(*confidences: float) -> str:
        words = [
            {"word": NUMBERS[i], "start": 1.0 + i, "end": 1.2 + i, "conf": confidence}
            for i, confidence in enumerate(confidences)
        ]
        return json.dumps({"result": words})

    def said(drop: float) -> int:
        loud = pulse(40.0, 20, 100)
        loud[200:220] += 40.0 - drop
        return len(heard_words(result(1.0, 1.0), frozenset(), 0.0, loud))

    three = pulse(30.0, 20, 100)
    three[200:220], three[300:320] = -30.0, -30.0
    return {
        "softer words": flip(lambda drop: said(drop) == 1, np.arange(0.25, 40.0, 0.5)),
        "confidences": [
            word.confidence for word in heard_words(result(1.5, -0.2, 0.4), frozenset(), 0.0, three)
        ],
    }


def logistics() -> list[float]:
    """The logistic function at its limits, as log odds."""
    return [math.log(verdict.logistic(value)) for value in (-100.0, -29.0, -2.0, 0.0)]


def opened() -> Model:
    """The English model."""
    return models.open_model(models.find_model("en"))


MEASURES: dict[str, Callable[[Model], Any]] = {
    "levels": lambda model: level_decisions(),
    "onsets": lambda model: onsets(),
    "corrections": lambda model: corrections(),
    "filtered": lambda model: filtered(),
    "logistic": lambda model: logistics(),
    "lengths of cut words": cut_lengths,
    "recognised": recognised,
    "scores": scores,
    "scores at even odds": lambda model: scores(model, 0.5, SCORED[:2]),
    "scores without the verifier": lambda model: scores(
        Model(model.vosk, None), cases=SCORED[1:4] + SCORED[7:9]
    ),
}
"""What is measured, by name."""


def measured(group: str, model: Model) -> Any:
    """The present values of a group, as JSON keeps them."""
    return json.loads(json.dumps(MEASURES[group](model)), parse_float=lambda text: round(float(text), 6))


def written(found: dict[str, Any]) -> str:
    """JSON with one line for each entry of a group."""
    groups = []
    for group, entries in found.items():
        if isinstance(entries, dict):
            lines = [f"  {json.dumps(name)}: {json.dumps(entry)}" for name, entry in entries.items()]
            groups.append(f" {json.dumps(group)}: {{\n" + ",\n".join(lines) + "\n }")
        else:
            groups.append(f" {json.dumps(group)}: {json.dumps(entries)}")
    return "{\n" + ",\n".join(groups) + "\n}\n"


if __name__ == "__main__":
    english = opened()
    EXPECTED.write_text(written({name: measured(name, english) for name in MEASURES}), encoding="utf-8")
