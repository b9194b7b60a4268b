"""Changes to a voice: tempo, pitch, reverberation, noise and the response of a microphone."""

from __future__ import annotations

import numpy as np

RATE = 16000
_SIZES = np.unique([2**a * 3**b * 5**c for a in range(4, 18) for b in range(4) for c in range(3)])


def good_size(count: int) -> int:
    """The next length whose Fourier transform is fast: a product of 2, 3 and 5."""
    return int(_SIZES[np.searchsorted(_SIZES, count)])


def faster(sound: np.ndarray, factor: float) -> np.ndarray:
    """Played `factor` times as fast: tempo, pitch and formants rise together."""
    size = good_size(sound.size)
    target = good_size(max(64, round(size / factor)))
    spectrum = np.fft.rfft(sound, size)
    if target // 2 + 1 < spectrum.size:
        spectrum = spectrum[: target // 2 + 1]
    result = np.fft.irfft(spectrum, target) * (target / size)
    return result[: round(sound.size * target / size)].astype(np.float32)


def stretched(sound: np.ndarray, factor: float) -> np.ndarray:
    """Said `factor` times as slowly with pitch and formants kept: overlap-add at the best match (WSOLA).

    After W. Verhelst and M. Roelands, "An overlap-add technique based on waveform similarity", ICASSP 1993.
    """
    hop, reach = 200, 100
    window = np.hanning(2 * hop + 1)[:-1].astype(np.float32)
    count = int(sound.size * factor) // hop
    padded = np.concatenate([np.zeros(reach, np.float32), sound, np.zeros(4 * hop + 2 * reach, np.float32)])
    result = np.zeros((count + 3) * hop, np.float32)
    at = 0
    for i in range(count + 1):
        wish = int(i * hop / factor)
        if i:
            natural = padded[reach + at + hop : reach + at + 3 * hop]
            area = padded[wish : wish + 2 * hop + 2 * reach]
            if area.size < 2 * hop + 2 * reach or natural.size < 2 * hop:
                break
            wish += int(np.argmax(np.correlate(area, natural, "valid"))) - reach
        at = max(0, min(wish, padded.size - reach - 2 * hop))
        result[i * hop : (i + 2) * hop] += window * padded[reach + at : reach + at + 2 * hop]
    return result[: int(sound.size * factor)]


def echo(rng: np.random.Generator) -> np.ndarray:
    """A random room impulse response: the direct sound, then noise that decays by 60 dB in 0.12 to 0.7 s."""
    length = rng.uniform(0.12, 0.7)
    t = np.arange(int(RATE * length * 0.8)) / RATE
    tail = rng.normal(size=t.size) * np.exp(-6.9 * t / length)
    tail[: int(RATE * rng.uniform(0.001, 0.008))] = 0.0
    share = 10 ** (-rng.uniform(0, 16) / 20)
    response = tail / (np.sqrt((tail**2).sum()) + 1e-9) * share
    response[0] = 1.0
    return response.astype(np.float32)


def coloured(rng: np.random.Generator, count: int) -> np.ndarray:
    """Stationary noise with a power spectrum between flat and 1 / f^2.6, sometimes with 50 Hz hum."""
    size = good_size(count)
    spectrum = np.fft.rfft(rng.normal(size=size))
    hertz = np.maximum(np.fft.rfftfreq(size, 1 / RATE), 20.0)
    sound = np.fft.irfft(spectrum * hertz ** -rng.uniform(0, 1.3), size)[:count]
    if rng.random() < 0.3:
        t = np.arange(count) / RATE
        hum = sum(np.sin(2 * np.pi * 50 * k * t + rng.uniform(0, 6)) * rng.random() for k in range(1, 7))
        sound = sound + rng.uniform(0, 1.5) * sound.std() * hum
    return sound


def microphone(rng: np.random.Generator, size: int) -> np.ndarray:
    """A random frequency response [size // 2 + 1] of a microphone: tilt, a peak and a high-pass."""
    hertz = np.maximum(np.fft.rfftfreq(size, 1 / RATE), 10.0)
    octaves = np.log2(hertz / 1000.0)
    gain = rng.normal(0, 1.6) * np.clip(octaves, -4, 2)
    gain += rng.normal(0, 3) * np.exp(-((octaves - rng.uniform(-2, 1.5)) ** 2))
    cut = rng.uniform(20, 250)
    return 10 ** (gain / 20) / np.sqrt(1 + (cut / hertz) ** 4)
