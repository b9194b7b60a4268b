"""The features of the acoustic model: 40 MFCC every 10 ms, as Vosk computes them from conf/mfcc.conf.

The highest frequency is 3.8 kHz because the real digits are 8 kHz recordings: with a wider band the model
could tell real voices from synthetic ones by that alone.
"""

from __future__ import annotations

import functools

import numpy as np

LOW, HIGH, BINS = 60.0, 3800.0, 40
"""Lowest and highest frequency in hertz, and number of mel bands."""
SHIFT, WINDOW = 160, 400
"""Samples from one frame to the next (10 ms) and of a frame (25 ms), at 16 kHz."""
CONF = f"""--sample-frequency=16000
--frame-length=25
--frame-shift=10
--use-energy=false
--num-mel-bins={BINS}
--num-ceps={BINS}
--low-freq={LOW:.0f}
--high-freq={HIGH:.0f}
--dither=0
"""


def mfcc(sound: np.ndarray, ceps: int = BINS) -> np.ndarray:
    """MFCC [frames, ceps] of float32 sound within +-1 at 16 kHz."""
    import kaldi_native_fbank as knf  # imported here: graphs are written without it

    options = knf.MfccOptions()
    options.frame_opts.samp_freq = 16000
    options.frame_opts.dither = 0.0
    options.frame_opts.snip_edges = True
    options.mel_opts.num_bins = BINS
    options.mel_opts.low_freq = LOW
    options.mel_opts.high_freq = HIGH
    options.num_ceps = ceps
    options.use_energy = False
    machine = knf.OnlineMfcc(options)
    machine.accept_waveform(16000, (sound * 32768.0).astype(np.float32))
    machine.input_finished()
    count = machine.num_frames_ready
    return (
        np.stack([machine.get_frame(i) for i in range(count)]) if count else np.zeros((0, ceps), np.float32)
    )


def bands(sound: np.ndarray) -> np.ndarray:
    """Log mel bands [frames, BINS]; `mfcc` is their cosine transform. Several times as fast as `mfcc`.

    Kaldi's steps (kaldi-asr.org, "feat/feature-window" and "feat/mel-computations"): no constant offset,
    pre-emphasis 0.97, the Povey window, the power spectrum of 512 samples, triangles on the mel axis.
    """
    frames = np.lib.stride_tricks.sliding_window_view(sound * np.float32(32768.0), WINDOW)[::SHIFT]
    frames = frames - frames.mean(axis=1, keepdims=True)
    before = np.concatenate([frames[:, :1], frames[:, :-1]], axis=1)
    spectrum = np.fft.rfft((frames - np.float32(0.97) * before) * _window(), 512, axis=1)
    power = (spectrum.real**2 + spectrum.imag**2).astype(np.float32)
    return np.log(np.maximum(power @ _triangles(), np.finfo(np.float32).eps))


@functools.cache
def _window() -> np.ndarray:
    return ((0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / (WINDOW - 1))) ** 0.85).astype(np.float32)


def mel(hertz: np.ndarray) -> np.ndarray:
    """Kaldi's mel scale."""
    return 1127.0 * np.log1p(np.asarray(hertz) / 700.0)


@functools.cache
def _triangles() -> np.ndarray:
    """Mel filters [257, BINS]."""
    edges = np.linspace(mel(LOW), mel(HIGH), BINS + 2)
    place = mel(np.arange(257) * 16000 / 512)[:, None]
    up = (place - edges[:-2]) / (edges[1:-1] - edges[:-2])
    down = (edges[2:] - place) / (edges[2:] - edges[1:-1])
    result = np.maximum(0.0, np.minimum(up, down))
    result[256] = 0.0
    return result.astype(np.float32)


def cosines() -> np.ndarray:
    """[BINS, BINS]: bands @ cosines() are the MFCC (the cosine transform and Kaldi's lifter of 22)."""
    k, n = np.arange(BINS)[None, :], np.arange(BINS)[:, None]
    matrix = np.sqrt(2.0 / BINS) * np.cos(np.pi / BINS * (n + 0.5) * k)
    matrix[:, 0] = np.sqrt(1.0 / BINS)
    return matrix * (1.0 + 11.0 * np.sin(np.pi * np.arange(BINS) / 22.0))
