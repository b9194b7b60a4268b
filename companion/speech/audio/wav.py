"""Reads and writes WAV files: any common format in, 16 kHz mono int16 out.

Reads PCM of 8, 16, 24 and 32 bits and float of 32 and 64 bits; unknown chunks are skipped. The rate is
changed by a polyphase filter: a sinc at the lower of the two Nyquist frequencies, times a Kaiser window
(J. O. Smith, "Digital Audio Resampling Home Page", CCRMA, Stanford).
"""

from __future__ import annotations

import math
import struct
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.core.errors import Unreadable

RATE = 16000
"""Samples a second that the recogniser works at, in hertz."""

Samples = NDArray[np.int16]
"""[n] Mono sound."""

_PCM, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE
"""Format tags of the `fmt ` chunk."""
_ZERO_CROSSINGS = 24
"""Zero crossings of the sinc on each side."""
_KAISER_BETA = 8.0
"""Shape of the Kaiser window: about 80 dB of stop-band attenuation."""
_MAX_RATE = 768_000
"""Highest rate that is read, samples a second."""
_BLOCK = 8192
"""Output samples that are computed at a time: bounds the memory."""


def read_wav(path: Path | str, rate: int = RATE) -> Samples:
    """The recording as mono int16 at `rate` samples a second; several channels are averaged.

    Raises:
        Unreadable: the file is missing, is not a WAV file, has an unknown encoding, or holds no samples.
    """
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise Unreadable("wav.missing", path=path) from None
    except IsADirectoryError:
        raise Unreadable("wav.folder", path=path) from None
    except OSError as error:
        raise Unreadable("wav.unreadable", path=path, why=error.strerror or str(error)) from error
    try:
        sound, own_rate = decode_wav(data)
    except Unreadable as error:
        raise Unreadable("wav.of_file", path=path, why=error.message) from error
    return to_int16(resample(sound, own_rate, rate))


def decode_wav(data: bytes) -> tuple[NDArray[np.float32], int]:
    """The bytes of a WAV file as mono float32 within +-1, and its rate in samples a second.

    Raises:
        Unreadable: not a WAV file, an unknown encoding, or no samples.
    """
    if len(data) < 12 or data[:4] not in (b"RIFF", b"RF64") or data[8:12] != b"WAVE":
        raise Unreadable("wav.no_wav")
    form: bytes | None = None
    body: bytes | None = None
    at = 12
    while at + 8 <= len(data) and body is None:
        name, size = data[at : at + 4], struct.unpack_from("<I", data, at + 4)[0]
        # Some recorders write too large a size: the chunk then ends with the file.
        chunk = data[at + 8 : at + 8 + size]
        if name == b"fmt ":
            form = chunk
        elif name == b"data":
            body = chunk
        at += 8 + size + (size & 1)
    if form is None or len(form) < 16:
        raise Unreadable("wav.no_format")
    kind, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", form)
    if kind == _EXTENSIBLE and len(form) >= 26:
        kind = struct.unpack_from("<H", form, 24)[0]
    if channels < 1 or not 1000 <= rate <= _MAX_RATE:
        raise Unreadable("wav.bad_format")
    if body is None or len(body) < channels * bits // 8:
        raise Unreadable("wav.empty")
    values = _values(body, kind, bits)
    values = values[: values.size // channels * channels]
    return values.reshape(-1, channels).mean(axis=1, dtype=np.float32), rate


def _values(body: bytes, kind: int, bits: int) -> NDArray[np.float32]:
    """[n * channels] Samples within +-1, channels interleaved."""
    if kind == _PCM and bits == 8:
        return (np.frombuffer(body, np.uint8).astype(np.float32) - 128.0) / 128.0
    if kind == _PCM and bits == 16:
        return np.frombuffer(body[: len(body) // 2 * 2], "<i2").astype(np.float32) / 32768.0
    if kind == _PCM and bits == 24:
        triples = np.frombuffer(body[: len(body) // 3 * 3], np.uint8).reshape(-1, 3).astype(np.int32)
        joined = triples[:, 0] << 8 | triples[:, 1] << 16 | triples[:, 2] << 24
        return joined.astype(np.float32) / 2147483648.0
    if kind == _PCM and bits == 32:
        return np.frombuffer(body[: len(body) // 4 * 4], "<i4").astype(np.float32) / 2147483648.0
    if kind == _FLOAT and bits in (32, 64):
        kept = body[: len(body) // (bits // 8) * (bits // 8)]
        return np.nan_to_num(np.frombuffer(kept, f"<f{bits // 8}").astype(np.float32))
    raise Unreadable("wav.encoding", kind=kind, bits=bits)


def to_int16(sound: NDArray[np.float32]) -> Samples:
    """Sound within +-1 as int16; louder samples are clipped."""
    whole: Samples = np.clip(np.rint(sound * 32768.0), -32768, 32767).astype(np.int16)
    return whole


def resample(sound: NDArray[np.float32], source: int, target: int) -> NDArray[np.float32]:
    """Changes the rate from `source` to `target` samples a second; the length in seconds stays."""
    if source == target or sound.size == 0:
        return sound
    divisor = math.gcd(source, target)
    up, down = target // divisor, source // divisor
    length = max(1, round(sound.size * up / down))
    reach, taps = _filter(up, down)
    padded = np.pad(sound, reach)
    windows = np.lib.stride_tricks.sliding_window_view(padded, taps.shape[1])
    result = np.empty(length, np.float32)
    # Output n is at input position n * down / up; the fraction selects the row of taps.
    for start in range(0, length, _BLOCK):
        n = np.arange(start, min(start + _BLOCK, length), dtype=np.int64)
        first = np.minimum((n * down) // up + 1, windows.shape[0] - 1)
        result[n] = np.einsum("ij,ij->i", windows[first], taps[(n * down) % up])
    return result


def _filter(up: int, down: int) -> tuple[int, NDArray[np.float32]]:
    """Half width in input samples, and the taps [up, 2 * half width]: a row for each fraction of a sample."""
    cutoff = min(1.0, up / down)
    reach = math.ceil(_ZERO_CROSSINGS / cutoff)
    offsets = np.arange(-reach + 1, reach + 1)
    at = offsets[None, :] - np.arange(up)[:, None] / up
    window = np.i0(_KAISER_BETA * np.sqrt(np.maximum(0.0, 1.0 - (at / reach) ** 2))) / np.i0(_KAISER_BETA)
    taps = cutoff * np.sinc(cutoff * at) * window
    return reach, (taps / taps.sum(axis=1, keepdims=True)).astype(np.float32)


def write_wav(path: Path | str, samples: Samples, rate: int = RATE) -> None:
    """Writes mono int16 samples as a 16-bit WAV file."""
    body = np.asarray(samples, dtype="<i2").tobytes()
    header = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(body), b"WAVE", b"fmt ", 16, _PCM, 1, rate,
                         rate * 2, 2, 16, b"data", len(body))  # fmt: skip
    Path(path).write_bytes(header + body)
