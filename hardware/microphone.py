"""The microphone through PortAudio: blocks of 16 kHz sound, each with the moment of its first sample.

For an unplugged microphone PortAudio reports no error: the callbacks stop, the stream stays active, and the
list of devices does not change. So missing callbacks are the fault, and PortAudio is restarted after it.
"""

from __future__ import annotations

import queue
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from companion.core.clock import Clock
from companion.core.errors import Unavailable
from hardware.sampleclock import SampleClock
from hardware.streams import Block, Stalled

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RATE = 16_000
"""Samples a second; speech models need this rate."""
BLOCK = 960
"""Samples of a block: 60 ms, as the ears use them; smaller ones only wake threads more often."""
BUFFER_S = 0.3
"""Seconds of sound that PortAudio can buffer while the processor is busy. A full block is still delivered at
once."""

PORTAUDIO_REMEDY = "sudo apt install libportaudio2"

_Arrived: TypeAlias = "tuple[NDArray[np.int16], float, bool]"


class Microphone:
    """An opened microphone. The callback only copies and queues: nothing in it may block or raise."""

    def __init__(self, name: str, stall_s: float, clock: Clock) -> None:
        self._sd = _portaudio()
        self._sd._terminate()
        self._sd._initialize()  # without it a microphone that was plugged in again is never found
        self._clock = clock
        self._stall_s = stall_s
        self._queue: queue.SimpleQueue[_Arrived] = queue.SimpleQueue()
        self._samples = SampleClock(RATE)
        try:
            self._stream: Any = self._sd.InputStream(
                samplerate=RATE,
                blocksize=BLOCK,
                device=self._find(name),
                channels=1,
                dtype="int16",
                latency=BUFFER_S,
                callback=self._arrived,
            )
            self._stream.start()
        except (self._sd.PortAudioError, ValueError) as error:
            raise Unavailable("microphone.cannot_open", why=str(error)) from error

    def _find(self, name: str) -> int | None:
        """The device whose name contains `name`: numbers change whenever something is plugged in."""
        if not name:
            return None
        for number, device in enumerate(self._sd.query_devices()):
            if name.lower() in device["name"].lower() and device["max_input_channels"] > 0:
                return number
        raise Unavailable("microphone.unknown", name=name)

    def _arrived(self, indata: NDArray[np.int16], frames: int, times: Any, status: Any) -> None:
        now = self._clock()
        # The sample time of ALSA's hardware devices is on CLOCK_MONOTONIC; that of a sound server is on
        # another clock, and then the time of arrival is better.
        since = now - float(times.inputBufferAdcTime)
        length = frames / RATE
        arrival = now - since + length if 0.0 <= since - length < 0.5 else now
        self._queue.put((indata[:, 0].copy(), arrival, bool(status and status.input_overflow)))

    def __iter__(self) -> Iterator[Block]:
        while True:
            try:
                samples, arrival, overflow = self._queue.get(timeout=self._stall_s)
            except queue.Empty:
                raise Stalled("microphone.silent") from None
            if overflow:
                self._samples.lost()
            t, gap = self._samples.block(len(samples), arrival)
            yield Block(samples, t, RATE, gap or overflow)

    def close(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.abort(ignore_errors=True)
            stream.close(ignore_errors=True)


def _portaudio() -> Any:
    """The sounddevice module.

    Raises:
        Unavailable: it or PortAudio is not installed.
    """
    try:
        import sounddevice
    except (ImportError, OSError) as error:
        raise Unavailable("microphone.no_portaudio", why=str(error), remedy=PORTAUDIO_REMEDY) from error
    return sounddevice


def microphones() -> list[str]:
    """Names of the connected microphones.

    Raises:
        Unavailable: PortAudio is not installed.
    """
    sd = _portaudio()
    return [str(device["name"]) for device in sd.query_devices() if device["max_input_channels"] > 0]
