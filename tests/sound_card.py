"""A module that behaves as sounddevice does; the test plays the sound card."""

from __future__ import annotations

import types
from typing import Any

import numpy as np
from numpy.typing import NDArray

Device = dict[str, Any]


def device(name: str, channels: int = 1, rate: float = 16_000.0) -> Device:
    """An entry of PortAudio's list of devices."""
    return {"name": name, "max_input_channels": channels, "default_samplerate": rate}


DEVICES = [device("HDMI", channels=0), device("USB Table Mic: Audio")]


class FakePortAudio(types.ModuleType):
    """Its devices offer the rates of `rates` only."""

    class PortAudioError(Exception):
        pass

    def __init__(
        self, fails: str = "", devices: list[Device] = DEVICES, rates: tuple[int, ...] = (16_000,)
    ) -> None:
        super().__init__("sounddevice")
        self.fails = fails
        self.devices = devices
        self.rates = rates
        self.restarts = 0
        self.streams: list[Any] = []

    def _terminate(self) -> None:
        self.restarts += 1

    def _initialize(self) -> None: ...

    def query_devices(self, kind: str | None = None) -> Any:
        if kind is None:
            return self.devices
        return next(one for one in self.devices if one["max_input_channels"] > 0)

    def InputStream(self, **named: Any) -> Any:  # noqa: N802 - sounddevice's name
        if self.fails:
            raise self.PortAudioError(self.fails)
        if named["samplerate"] not in self.rates:
            raise self.PortAudioError("Invalid sample rate")
        self.streams.append(types.SimpleNamespace(**named, aborted=False))
        stream = self.streams[-1]
        stream.start = lambda: None
        stream.abort = lambda ignore_errors: setattr(stream, "aborted", True)
        stream.close = lambda ignore_errors: None
        return stream

    def give(self, samples: NDArray[np.int16], adc: float, overflow: bool = False) -> None:
        """The card gives one block, `adc` being its time of the first sample."""
        given = samples.copy()
        times = types.SimpleNamespace(inputBufferAdcTime=adc)
        status = types.SimpleNamespace(input_overflow=True) if overflow else None
        self.streams[-1].callback(given, len(given), times, status)
        given[:] = 0  # PortAudio uses its buffer again
