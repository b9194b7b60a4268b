"""Sound at a simulated array in the open: each microphone hears the source at its own time."""

import numpy as np

RATE = 16_000
RADIUS_M = 0.032


def at_array(source: np.ndarray, degrees: float, microphones: int = 4) -> np.ndarray:
    """What the microphones of a circle hear of a source in this direction, 25 degrees above the table.

    Returns:
        samples x microphones, float.
    """
    size = 2 * len(source)
    frequencies = np.fft.rfftfreq(size, 1.0 / RATE)
    spectrum = np.fft.rfft(source, size)
    heard = []
    for number in range(microphones):
        place = np.radians(number * 360.0 / microphones)
        early = RADIUS_M * np.cos(np.radians(25)) * np.cos(np.radians(degrees) - place) / 343.0
        heard.append(np.fft.irfft(spectrum * np.exp(2j * np.pi * frequencies * early), size)[: len(source)])
    return np.stack(heard, axis=1)


def as_samples(sound: np.ndarray) -> np.ndarray:
    """The same as 16-bit samples."""
    return np.clip(np.round(sound), -32768, 32767).astype(np.int16)


def voice_like(rng: np.random.Generator, seconds: float, level: float = 3000.0) -> np.ndarray:
    """Noise that falls with the frequency and swells three times a second, as syllables do."""
    size = round(seconds * RATE)
    spectrum = np.fft.rfft(rng.normal(size=size)) / np.sqrt(1.0 + np.fft.rfftfreq(size, 1 / RATE) / 400.0)
    sound = np.fft.irfft(spectrum, size) * (0.05 + np.sin(np.pi * 3.0 * np.arange(size) / RATE) ** 2)
    return np.asarray(sound / np.abs(sound).max() * level)
