"""Synthesises sounds that are not words: throat clearing, coughs and laughter.

There was no recording of throat clearing with a free licence. A growl is a pulse train of 50 to
190 Hz with jitter, subharmonics and a roughness of 18 to 45 Hz, through the resonances of a closed mouth,
with breath noise; after I. R. Titze, "Principles of Voice Production" (1994), chapters on vocal fry and
roughness.
"""

from __future__ import annotations

import numpy as np

RATE = 16000


def _resonate(sound: np.ndarray, centres: list[float], widths: list[float]) -> np.ndarray:
    """Filters by a cascade of two-pole resonances (Hz), in the frequency domain."""
    size = 1 << int(np.ceil(np.log2(sound.size + 2048)))
    omega = np.linspace(0, np.pi, size // 2 + 1)
    response = np.ones(omega.size, complex)
    for centre, width in zip(centres, widths, strict=True):
        radius = np.exp(-np.pi * width / RATE)
        angle = 2 * np.pi * centre / RATE
        z = np.exp(-1j * omega)
        response *= (1 - 2 * radius * np.cos(angle) + radius**2) / (
            1 - 2 * radius * np.cos(angle) * z + radius**2 * z * z
        )
    return np.fft.irfft(np.fft.rfft(sound, size) * response, size)[: sound.size]


def _envelope(count: int, attack: float, release: float) -> np.ndarray:
    """Rises over `attack` and falls over `release` seconds."""
    t = np.arange(count) / RATE
    return np.minimum(1, t / attack) * np.minimum(1, (t[-1] - t) / release)


def _pulses(rng: np.random.Generator, pitch: np.ndarray, jitter: float) -> np.ndarray:
    """Glottal pulses.

    Args:
        pitch: in hertz, for every sample.
        jitter: relative standard deviation of the pitch.
    """
    phase = np.cumsum(
        pitch * (1 + jitter * np.repeat(rng.normal(size=pitch.size // 120 + 1), 120)[: pitch.size])
    )
    ramp = (phase / RATE) % 1.0
    pulse = np.where(ramp < 0.6, np.sin(np.pi * ramp / 0.6) ** 2, 0.0)
    return np.diff(pulse, prepend=0.0)


def throat(rng: np.random.Generator) -> np.ndarray:
    """One throat clearing, 0.25 to 1 s: a growl, with or without a breath before and a hum after it."""
    count = int(RATE * rng.uniform(0.25, 0.95))
    t = np.arange(count) / RATE
    pitch = rng.uniform(50, 150) * (1 + rng.uniform(-0.25, 0.3) * t / t[-1])
    voice = _pulses(rng, pitch, rng.uniform(0.02, 0.25))
    voice += rng.uniform(0.2, 0.9) * _pulses(rng, pitch / 2, 0.1)
    rough = 1 - rng.uniform(0.3, 0.95) * (
        0.5 + 0.5 * np.sin(2 * np.pi * rng.uniform(16, 45) * t + rng.uniform(0, 6))
    )
    breath = rng.normal(size=count) * rng.uniform(0.01, 0.12)
    first = (
        rng.uniform(220, 420) if rng.random() < 0.6 else rng.uniform(400, 650)
    )  # closed or half-open mouth
    centres = [first, rng.uniform(850, 1500), rng.uniform(2000, 2700)]
    sound = _resonate(voice * rough + breath * np.abs(rough), centres, [90.0, 160.0, 260.0])
    sound *= _envelope(count, rng.uniform(0.02, 0.12), rng.uniform(0.04, 0.2))
    if rng.random() < 0.35:
        hum = _resonate(
            _pulses(rng, np.full(count // 2, rng.uniform(80, 220)), 0.01), [250, 1000, 2200], [80, 200, 300]
        )
        hum = hum / (np.abs(hum).max() + 1e-9) * np.abs(sound).max() * rng.uniform(0.3, 1.0)
        sound = np.concatenate([sound, hum * _envelope(hum.size, 0.03, 0.08)])
    if rng.random() < 0.3:
        burst = rng.normal(size=int(RATE * rng.uniform(0.03, 0.1)))
        burst = _resonate(burst, [rng.uniform(700, 1400), 2500], [400, 600])
        burst *= _envelope(burst.size, 0.01, 0.03) / (np.abs(burst).max() + 1e-9) * np.abs(sound).max() * 0.5
        sound = np.concatenate([burst, sound])
    return _normal(sound)


def cough(rng: np.random.Generator) -> np.ndarray:
    """One to three coughs: an explosive burst of noise, a hoarse tail, sometimes a voiced end."""
    parts = []
    for _ in range(int(rng.integers(1, 4))):
        count = int(RATE * rng.uniform(0.16, 0.4))
        t = np.arange(count) / RATE
        decay = np.exp(-t / rng.uniform(0.03, 0.09)) + rng.uniform(0.05, 0.3) * _envelope(count, 0.05, 0.1)
        noise = rng.normal(size=count) * decay * np.minimum(1, t / 0.004)
        voiced = _pulses(rng, np.full(count, rng.uniform(140, 380)), 0.08) * rng.uniform(0, 2.0)
        voiced *= np.exp(-(((t - 0.12) / 0.07) ** 2))
        centres = [rng.uniform(450, 800), rng.uniform(1200, 1800), rng.uniform(2400, 3400)]
        parts.append(_resonate(noise + voiced, centres, [200, 260, 400]) * _envelope(count, 0.003, 0.05))
        parts.append(np.zeros(int(RATE * rng.uniform(0.02, 0.25))))
    return _normal(np.concatenate(parts[:-1]))


def laughter(rng: np.random.Generator) -> np.ndarray:
    """Three to eight "ha" of falling pitch and loudness, four to six a second, each with a breathy start."""
    beat, pitch = rng.uniform(0.15, 0.24), rng.uniform(120, 420)
    vowel = [(800, 1250, 2500), (700, 1100, 2400), (550, 1700, 2500), (400, 2100, 2800)][rng.integers(4)]
    parts = []
    for i in range(int(rng.integers(3, 9))):
        count = int(RATE * beat * rng.uniform(0.85, 1.15))
        t = np.arange(count) / count
        voiced = _pulses(rng, pitch * (1 - 0.03 * i) * (1.1 - 0.25 * t), 0.01) * np.exp(
            -(((t - 0.6) / 0.22) ** 2)
        )
        breath = rng.normal(size=count) * 0.12 * np.exp(-(((t - 0.2) / 0.18) ** 2))
        wobble = [f * rng.uniform(0.93, 1.07) for f in vowel]
        parts.append(_resonate(voiced + breath, wobble, [90, 130, 200]) * 0.93**i)
    return _normal(np.concatenate(parts))


def _normal(sound: np.ndarray) -> np.ndarray:
    return (sound / (np.abs(sound).max() + 1e-9) * 0.7).astype(np.float32)
