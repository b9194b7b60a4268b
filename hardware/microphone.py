"""The microphone through PortAudio: blocks of 16 kHz sound, each with the moment of its first sample.

A device is opened at 16 kHz if it offers that, else at its own rate, and resampled. Of several channels one
is recognised; those of the single microphones of an array are handed on beside it.

For an unplugged microphone PortAudio reports no error: the callbacks stop, the stream stays active, and the
list of devices does not change. So missing callbacks are the fault, and PortAudio is restarted after it.
"""

from __future__ import annotations

import queue
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from companion.core.clock import Clock
from companion.core.errors import Unavailable
from hardware.arrays import ChannelChoice, chosen, known_array
from hardware.resampling import Resampler
from hardware.sampleclock import SampleClock
from hardware.sound_rate import RateMeter
from hardware.streams import ArraySound, Block, Stalled

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RATE = 16_000
"""Samples a second; speech models need this rate."""
BLOCK = 960
"""Samples of a block: 60 ms, as the ears use them; smaller ones only wake threads more often."""
OTHER_RATES = (48_000, 44_100, 32_000, 96_000, 22_050)
"""Rates that are tried where a device offers neither RATE nor the rate that it names itself."""
BUFFER_S = 0.3
"""Seconds of sound that PortAudio can buffer while the processor is busy. A full block is still delivered at
once."""

PORTAUDIO_REMEDY = "sudo apt install libportaudio2"

_Arrived: TypeAlias = "tuple[NDArray[np.int16], float, bool]"


class OtherRate(Unavailable):
    """The device delivers another rate than it announces; opened again, it is taken at the measured one."""


class Microphone:
    """An opened microphone. The callback only copies and queues: nothing in it may block or raise.

    Args:
        name: part of the device's name; empty: a known array, else the system's default.
        stall_s: seconds without sound after which it counts as unplugged.
        channels: the channels to use, as configured.
        true_rates: measured rates by announced ones, from earlier microphones of the same configuration; a
            measurement is added.
    """

    def __init__(
        self,
        name: str,
        stall_s: float,
        clock: Clock,
        channels: ChannelChoice | None = None,
        true_rates: dict[int, int] | None = None,
    ) -> None:
        self._sd = _portaudio()
        self._sd._terminate()
        self._sd._initialize()  # without it a microphone that was plugged in again is never found
        self._clock = clock
        self._stall_s = stall_s
        self._queue: queue.SimpleQueue[_Arrived] = queue.SimpleQueue()
        self._true_rates = {} if true_rates is None else true_rates
        number, device = self._find(name)
        count = int(device["max_input_channels"])
        self.channels = chosen(str(device["name"]), count, channels or ChannelChoice())
        """The channels that are used."""
        self._announced = RATE
        self._stream = self._opened(number, device)
        self.rate = self._true_rates.get(self._announced, self._announced)
        """Samples a second of the device."""
        self._samples = SampleClock(self.rate)
        self._meter = RateMeter(self.rate)
        width = 1 + len(self.channels.raw)
        self._resampler = None if self.rate == RATE else Resampler(self.rate, RATE, width)

    def _find(self, name: str) -> tuple[int | None, Any]:
        """Number and description of the device whose name contains `name`: numbers change whenever something
        is plugged in. None: the system's default."""
        try:
            devices = [
                (number, device)
                for number, device in enumerate(self._sd.query_devices())
                if device["max_input_channels"] > 0
            ]
            if not devices:
                raise Unavailable("microphone.none")
            if name:
                named = (one for one in devices if name.lower() in one[1]["name"].lower())
                found = next(named, None)
                if found is None:
                    known = tuple(str(device["name"]) for _, device in devices)
                    raise Unavailable("microphone.unknown", name=name, names=known)
                return found
            for number, device in devices:
                if known_array(device["name"], device["max_input_channels"]) is not None:
                    return number, device
            return None, self._sd.query_devices(kind="input")
        except (self._sd.PortAudioError, ValueError) as error:
            raise Unavailable("microphone.cannot_open", why=str(error)) from error

    def _opened(self, number: int | None, device: Any) -> Any:
        """The running stream, at the first rate that the device offers."""
        own = round(float(device["default_samplerate"]))
        rates = dict.fromkeys([RATE, *([own] if own >= RATE else []), *OTHER_RATES])
        errors: list[Exception] = []
        for rate in rates:
            try:
                stream: Any = self._sd.InputStream(
                    samplerate=rate,
                    blocksize=round(BLOCK * rate / RATE),
                    device=number,
                    channels=self.channels.needed,
                    dtype="int16",
                    latency=BUFFER_S,
                    callback=self._arrived,
                )
            except (self._sd.PortAudioError, ValueError) as error:
                errors.append(error)
                continue
            self._announced = round(float(stream.samplerate))
            try:
                stream.start()
            except self._sd.PortAudioError as error:
                stream.close(ignore_errors=True)
                raise Unavailable("microphone.cannot_open", why=str(error)) from error
            return stream
        tried = errors[min(1, len(errors) - 1)]  # with the rate that the device itself names
        raise Unavailable("microphone.cannot_open", why=str(tried)) from tried

    def _arrived(self, indata: NDArray[np.int16], frames: int, times: Any, status: Any) -> None:
        now = self._clock()
        # The sample time of ALSA's hardware devices is on CLOCK_MONOTONIC; that of a sound server is on
        # another clock, and then the time of arrival is better.
        since = now - float(times.inputBufferAdcTime)
        length = frames / self._announced
        arrival = now - since + length if 0.0 <= since - length < 0.5 else now
        self._queue.put((indata.copy(), arrival, bool(status and status.input_overflow)))

    def __iter__(self) -> Iterator[Block]:
        used = [self.channels.heard, *self.channels.raw]
        pending_gap = False
        while True:
            try:
                samples, arrival, overflow = self._queue.get(timeout=self._stall_s)
            except queue.Empty:
                raise Stalled("microphone.silent") from None
            if overflow:
                self._samples.lost()
                self._meter.lost()
            self._check_rate(len(samples), arrival)
            t, gap = self._samples.block(len(samples), arrival)
            pending_gap = pending_gap or gap or overflow
            taken = samples[:, used]
            if self._resampler is not None:
                if gap or overflow:
                    self._resampler.restart()
                taken, t = self._resampler.feed(taken, t)
            if len(taken):
                yield self._block(taken, t, pending_gap)
                pending_gap = False

    def _block(self, taken: NDArray[np.int16], t: float, gap: bool) -> Block:
        array = ArraySound(taken[:, 1:], self.channels.radius_m) if self.channels.raw else None
        return Block(taken[:, 0].copy(), t, RATE, gap, array)

    def _check_rate(self, samples: int, arrival: float) -> None:
        """Raises OtherRate if another rate arrives than expected."""
        measured = self._meter.block(samples, arrival)
        if measured is not None:
            self._true_rates[self._announced] = measured
            raise OtherRate("microphone.other_rate", announced=self.rate, measured=measured)

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
