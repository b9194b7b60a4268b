"""Where an utterance ends if Vosk hears silence: what Vosk has not decoded yet belongs to the next one."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import vosk
from numpy.typing import NDArray

from companion.core.observations import Utterance
from companion.speech.audio.wav import RATE
from companion.speech.recognition.recogniser import Listener

TALK = (0.4, 1.0)
"""Start and end (s) of what Vosk takes for a word of the babble."""
CALL = (1.55, 2.1)
SILENT_S = 1.74
"""When Vosk tells that it has heard silence: of the call it has decoded nothing."""


class LateVosk:
    """Hears the talk, then silence, then a call that it decodes a while after it began."""

    def __init__(self, *_: object) -> None:
        self.heard, self.is_over = 0, False

    def SetWords(self, _: bool) -> None: ...  # noqa: N802 - Vosk's name

    def AcceptWaveform(self, data: bytes) -> bool:  # noqa: N802 - Vosk's name
        self.heard += len(data) // 2
        return not self.is_over and self.heard >= SILENT_S * RATE

    def PartialResult(self) -> str:  # noqa: N802 - Vosk's name
        return json.dumps({"partial": "[unk]" if self.heard >= 0.7 * RATE else ""})

    def Result(self) -> str:  # noqa: N802 - Vosk's name
        self.is_over = True
        return result("[unk]", *TALK)

    def FinalResult(self) -> str:  # noqa: N802 - Vosk's name
        return result("five", *CALL)


def result(word: str, start: float, end: float) -> str:
    return json.dumps({"result": [{"word": word, "start": start, "end": end, "conf": 1.0}]})


def babble_and_call() -> NDArray[np.int16]:
    """Noise that pauses for a moment twice a second, and a call that is louder."""
    samples = np.random.default_rng(3).normal(0.0, 300.0, 3 * RATE)
    for pause in range(0, samples.size, RATE // 2):
        samples[pause : pause + RATE // 20] /= 30.0
    samples[round(CALL[0] * RATE) : round(CALL[1] * RATE)] *= 10.0
    return samples.astype(np.int16)


def test_a_call_that_vosk_has_not_decoded_is_not_cut(
    english: Path, opened: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vosk, "KaldiRecognizer", LateVosk)
    ear = Listener(english, ["five"], opened=opened)
    samples = babble_and_call()
    told = [
        report
        for at in range(0, samples.size, 960)
        for report in ear.feed(samples[at : at + 960], at / RATE)
        if isinstance(report, Utterance)
    ]
    (call,) = told
    assert call.said == ("five",)
    assert call.start == pytest.approx(CALL[0], abs=0.02)
