"""The sound at the microphone of one table: calls and noise, block by block."""

from __future__ import annotations

import numpy as np

from bench.evenings.room import Sound
from bench.evenings.script import Rng
from bench.table_talk.voices import LOUD, CallerVoice
from companion.speech.audio.wav import RATE
from hardware.streams import Block
from models.speech.train import warp

HISS_DB = -52.0
"""Level of the quiet room against a clear call."""
CALL_RMS = 0.22
"""Root mean square of the loud part of a call of peak 1, about."""


class TableSound:
    """Mixes what is said into a minute of noise that repeats.

    Args:
        callers: each player's voice.
        noise: with a root mean square of 1 where it sounds; None: the hiss alone.
        snr_db: how far it is below the loud part of a clear call.
    """

    def __init__(self, callers: dict[str, CallerVoice], noise: Sound | None, snr_db: float, rng: Rng) -> None:
        self.voices = callers
        self._echoes = {player: _echo(rng) for player in callers}
        self._rng = rng
        hiss = warp.coloured(rng, RATE * 12)
        level = LOUD * CALL_RMS
        self._hiss = np.asarray(hiss / hiss.std() * level * 10 ** (HISS_DB / 20), np.float32)
        self._noise = None if noise is None else noise * (level * 10 ** (-snr_db / 20))
        self._said: list[tuple[int, Sound]] = []

    def add(self, t: float, player: str, words: tuple[str, ...]) -> float:
        """Somebody calls from the moment `t`; returns when the call is over."""
        return self._say(t, self.voices[player].say(words), self._echoes[player])

    def add_softer(self, t: float, player: str, words: tuple[str, ...], softer_db: float) -> float:
        """As `add`, so many decibels below the usual call of this player."""
        return self._say(t, self.voices[player].say(words) * 10 ** (-softer_db / 20), self._echoes[player])

    def add_from_afar(self, t: float, player: str, words: tuple[str, ...], softer_db: float) -> float:
        """Somebody with this player's voice speaks elsewhere in the room: so many decibels softer, with all
        of the room's echo."""
        return self._say(t, self.voices[player].say(words) * 10 ** (-softer_db / 20), warp.echo(self._rng))

    def _say(self, t: float, dry: Sound, echo: Sound) -> float:
        size = warp.good_size(dry.size + echo.size)
        wet = np.fft.irfft(np.fft.rfft(dry, size) * np.fft.rfft(echo, size), size)[: dry.size + echo.size]
        self._said.append((round(t * RATE), wet.astype(np.float32)))
        return t + dry.size / RATE

    def block(self, t: float, count: int) -> np.ndarray:
        """int16 samples from the moment `t` on; earlier calls are forgotten."""
        first = round(t * RATE)
        mixed = np.take(self._hiss, np.arange(first, first + count), mode="wrap").astype(np.float64)
        if self._noise is not None:
            mixed += np.take(self._noise, np.arange(first, first + count), mode="wrap")
        for begin, sound in self._said:
            low, high = max(first, begin), min(first + count, begin + sound.size)
            if low < high:
                mixed[low - first : high - first] += sound[low - begin : high - begin]
        self._said = [one for one in self._said if one[0] + one[1].size > first]
        return np.clip(mixed, -32768, 32767).astype(np.int16)

    def heard(self, t: float, count: int) -> Block:
        """The microphone's block from the moment `t` on."""
        return Block(self.block(t, count), t, RATE)


def _echo(rng: Rng) -> Sound:
    """The response of a small living room."""
    response = warp.echo(rng)[: RATE // 4].astype(np.float32)
    response[1:] *= 0.3
    return response
