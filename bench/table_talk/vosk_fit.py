"""Fits VOSK_ONLY of companion.speech.recognition.verdict: `python -m bench --fit calls --vosk`.

The sounds of the streams are scored as the call that was said and as a wrong one, by the English model
without its verifier. Right and wrong calls weigh the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.speech.regression import logistic_weights
from bench.table_talk.streams import blocks, contexts, reports, streams
from bench.table_talk.voices import Group
from companion.speech.audio.levels import background_level, frame_levels
from companion.speech.audio.wav import RATE
from companion.speech.model import grammar, models
from companion.speech.recognition.recogniser import Listener
from companion.speech.recognition.verdict import VOSK_ONLY, Calibration, CallScore, score_call

BESIDE_S = 0.3
"""So many seconds before and behind an utterance are scored with it."""
ROOM_S = 5.0
"""The background of an utterance is that of so many seconds before and behind it."""


class Scored(NamedTuple):
    """A call, scored as one that was said or as another one."""

    noise: str
    right: bool
    found: bool
    """Whether Vosk finds the call in the sound."""
    nats: float
    """How far it is ahead; if it is not found, of another number that is."""


def scored(shared: Path, group: Group, seconds: float, seed: int, kinds: Sequence[str]) -> Iterator[Scored]:
    """Every call of the streams, twice."""
    path, language = models.find_model("en"), grammar.language("en")
    opened, known = replace(models.open_model(path), verifier=None), models.vocabulary(path)
    words = grammar.with_competing_words(language.calls(), known, language)
    competing = grammar.competing_words(language.calls(), known)
    for stream in streams(shared, group, seconds, seed, kinds):
        listener = Listener(path, language.calls(), opened=opened)
        sound = list(blocks(stream.sound, stream.seconds))
        whole = np.concatenate(sound)
        for report in reports(listener, sound):
            samples = _between(whole, report.start - BESIDE_S, report.end + BESIDE_S)
            room = _between(whole, report.start - ROOM_S, report.end + ROOM_S)
            background_db = background_level(frame_levels(room, RATE), 0.0, room.size / RATE)
            for truth, due in contexts(report, stream.said, stream.rng):
                if truth not in ("right", "wrong"):
                    continue
                score = score_call(
                    samples,
                    opened,
                    words,
                    competing,
                    due.right,
                    filler=language.throat,
                    background_db=background_db,
                )
                yield Scored(stream.noise, truth == "right", score.found, _nats(score))


def _between(whole: NDArray[np.int16], start: float, end: float) -> NDArray[np.int16]:
    return whole[max(0, round(start * RATE)) : round(end * RATE)]


def _nats(score: CallScore) -> float:
    if score.found:
        return score.log_ratio
    return min(0.0, score.log_ratio) if score.words else 0.0


def fit(some: Sequence[Scored]) -> Calibration:
    """The calibration with the least log loss."""
    found, missing = ([one for one in some if one.found is heard] for heard in (True, False))
    (slope,) = _weights(found, np.array([[one.nats] for one in found]), some)
    offset, behind = _weights(missing, np.array([[1.0, one.nats] for one in missing]), some)
    return Calibration(round(slope, 3), round(offset, 3), round(behind, 3), 0.0, 0.0)


def _weights(part: Sequence[Scored], x: NDArray[np.float64], some: Sequence[Scored]) -> list[float]:
    right = np.array([one.right for one in part], float)
    share = sum(one.right for one in some) / len(some)
    weight = np.where(right > 0.5, 0.5 / share, 0.5 / (1.0 - share))
    return [float(value) for value in logistic_weights(x, right, weight)]


def log_loss(some: Sequence[Scored], calibration: Calibration) -> float:
    """The mean log loss of right and wrong calls, in nats a call."""
    odds = np.array([calibration.log_odds(one.nats, one.found) for one in some])
    right = np.array([one.right for one in some])
    return float(np.mean(np.log1p(np.exp(np.where(right, -odds, odds)))))


def print_calibrations(some: Sequence[Scored]) -> None:
    """Prints how well the shipped calibration and the best one tell right from wrong calls."""
    for name, calibration in (("shipped", VOSK_ONLY), ("fitted", fit(some))):
        print(f"{name}: {calibration}")
        for kind in ("all", *dict.fromkeys(one.noise for one in some)):
            mine = [one for one in some if kind in ("all", one.noise)]
            print(f"  {kind}: log loss {log_loss(mine, calibration):.4f} of {len(mine)}")
