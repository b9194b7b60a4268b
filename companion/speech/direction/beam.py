"""The sound from one seat: an array's microphones, weighted so that what else is heard in the room is least.

The weights are those of least variance without distortion (MVDR; J. Capon, "High-resolution
frequency-wavenumber spectrum analysis", 1969): the sound from the seat passes as it is, and of what was heard
before the call as little as possible is left. A television that talks from another direction becomes softer,
however much its words are like calls.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from companion.speech.audio.speaker_sound import SpeakerSound
from companion.speech.direction.arrival import SOUND_M_S, WINDOW, Sound

HOP = WINDOW // 2
ELEVATION_DEG = 30.0
"""Mouths are above the table on which the array lies."""
LOADING = 0.01
"""Share of the mean power of the microphones that is added to each: seats and microphones are known so
inexactly, and a small array makes its own hiss louder at low frequencies."""
FEWEST_FRAMES = 30
"""With fewer frames (half a second) before the call nothing is known about what else is heard."""


class BeamFormer:
    """Makes the sound from a direction at one array.

    Args:
        microphones: how many stand at equal distances on the circle, at least 3.
        radius_m: its radius.
        rate: samples a second.
    """

    def __init__(self, microphones: int, radius_m: float, rate: int) -> None:
        self._places = np.radians(np.arange(microphones) * 360.0 / microphones)
        self._reach_s = radius_m * np.cos(np.radians(ELEVATION_DEG)) / SOUND_M_S
        self._frequencies = np.fft.rfftfreq(WINDOW, 1.0 / rate)
        self._window = np.sqrt(np.hanning(WINDOW + 1)[:-1]).astype(np.float32)

    def sound_from(self, degrees: float, sound: Sound, before: Sound) -> SpeakerSound | None:
        """What came from a direction.

        Args:
            degrees: from the first microphone towards the second one.
            sound: samples x microphones.
            before: the same of the seconds before, in which the speaker did not speak.

        Returns: as long as `sound`; None if `before` is too short, or without sound.
        """
        noise = self._spectra(before)
        if len(noise) < FEWEST_FRAMES or not noise.any():
            return None
        covariance = np.einsum("nif,njf->fij", noise, noise.conj()) / len(noise)
        weights = self._weights(covariance, degrees)
        heard = np.einsum("fi,fij,fj->f", weights.conj(), covariance, weights).real
        left = float(heard.sum() / covariance[:, 0, 0].real.sum())
        softer_db = -10.0 * math.log10(max(left, 1e-9))
        padded = np.concatenate([np.zeros((HOP, sound.shape[1]), sound.dtype), sound])
        spectra = self._spectra(padded)
        mono = np.einsum("fm,nmf->nf", weights.conj(), spectra)
        frames = np.fft.irfft(mono, WINDOW, axis=1) * self._window
        whole = np.zeros(HOP * (len(frames) + 1), np.float64)
        whole.reshape(-1, HOP)[:-1] += frames[:, :HOP]
        whole.reshape(-1, HOP)[1:] += frames[:, HOP:]
        samples = np.clip(np.rint(whole[HOP : HOP + len(sound)]), -32768, 32767).astype(np.int16)
        return SpeakerSound(samples, softer_db)

    def _spectra(self, sound: Sound) -> NDArray[np.complex128]:
        """Frames x microphones x frequencies; the end is padded with silence."""
        count = -(-max(0, len(sound) - WINDOW) // HOP) + 1
        padded = np.zeros((HOP * (count + 1), sound.shape[1]), np.float32)
        padded[: len(sound)] = sound
        framed = np.lib.stride_tricks.sliding_window_view(padded, WINDOW, axis=0)[::HOP]
        return np.asarray(np.fft.rfft(framed * self._window, axis=2), np.complex128)

    def _weights(self, covariance: NDArray[np.complex128], degrees: float) -> NDArray[np.complex128]:
        """Frequencies x microphones."""
        count = len(self._places)
        power = np.trace(covariance, axis1=1, axis2=2).real / count
        loaded = covariance + (LOADING * power + 1e-6)[:, None, None] * np.eye(count)
        early = self._reach_s * np.cos(np.radians(degrees) - self._places)
        steering = np.exp(2j * np.pi * self._frequencies[:, None] * early)
        solved = np.linalg.solve(loaded, steering[..., None])[..., 0]
        return np.asarray(solved / (steering.conj() * solved).sum(axis=1, keepdims=True))
