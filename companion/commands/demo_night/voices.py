"""The recorded calls of the evening's players (models/demo)."""

from __future__ import annotations

import wave
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.core.errors import Unavailable

CALLS = Path(__file__).resolve().parents[3] / "models" / "demo" / "calls"
VOICES = {"Ida": "ada", "Jo": "ben", "Kai": "cleo"}
"""Player -> recorded voice."""
RATE = 16000


class RecordedVoices:
    """Finds the recording of a player's call."""

    def __init__(self, folder: Path = CALLS) -> None:
        self._folder = folder

    def __call__(self, player: str, call: str) -> NDArray[np.int16]:
        """The samples (16 kHz, mono) of `player` calling `call`, e.g. `two three`.

        Raises:
            Unavailable: there is no such recording.
        """
        path = self._folder / VOICES[player] / f"{call.replace(' ', '-')}.wav"
        try:
            with wave.open(str(path), "rb") as recording:
                if (recording.getnchannels(), recording.getsampwidth(), recording.getframerate()) != (
                    1,
                    2,
                    RATE,
                ):
                    raise Unavailable("demo.wrong_format", path=path, rate=RATE)
                data = recording.readframes(recording.getnframes())
        except (OSError, EOFError, wave.Error) as error:
            raise Unavailable("demo.no_call", path=path, error=str(error)) from error
        return np.frombuffer(data, dtype="<i2").astype(np.int16)
