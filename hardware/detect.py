"""Which devices are connected: a finding for each kind of device, with the remedy if it is missing.

Each probe opens its device and gives it back, and is given a limited time: a driver may hang.
"""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.core.clock import monotonic
from companion.core.config import Config, pins
from companion.core.errors import CompanionError, Unavailable

PROBE_S = 6.0
"""A device that has not answered for so long does not answer."""


@dataclass(frozen=True)
class ProbeResult:
    """One thing that was looked for. `remedy` is what to do if it is missing and wanted."""

    name: str
    there: bool
    what: str
    remedy: str = ""
    needed: bool = False
    """Whether the companion cannot work without it."""


Probe = Callable[[], ProbeResult]


def limited(name: str, probe: Probe, seconds: float = PROBE_S) -> ProbeResult:
    """Runs a probe on a thread of its own; one that hangs is left behind."""
    results: list[ProbeResult] = []

    def run() -> None:
        try:
            results.append(probe())
        except CompanionError as error:
            what, _, remedy = str(error).partition(": ")
            results.append(ProbeResult(name, False, what, remedy))
        except Exception as error:  # whatever a driver raises is a finding
            results.append(ProbeResult(name, False, f"{type(error).__name__}: {error}"))

    thread = threading.Thread(target=run, name=f"probe {name}", daemon=True)
    thread.start()
    thread.join(seconds)
    if results:
        return results[0]
    return ProbeResult(name, False, f"does not answer within {seconds:g} s", "unplug it and plug it in again")


def camera(config: Config) -> ProbeResult:
    """The camera that the configuration names: one picture of it."""
    from hardware.camera import open_camera

    wanted = config.camera
    if wanted.backend == "none":
        return ProbeResult("camera", False, "switched off in the configuration")
    stream = open_camera(
        wanted.backend, wanted.device, wanted.width, wanted.height, wanted.fps, wanted.stall_s, monotonic
    )
    try:
        frame = next(iter(stream))
    finally:
        stream.close()
    height, width = frame.image.shape[:2]
    light = float(frame.image.mean())
    what = f"{type(stream).__name__}, {width} x {height}"
    if light < 25:
        return ProbeResult(
            "camera", True, f"{what}, very dark", "more light on the table, or take the cap off"
        )
    return ProbeResult("camera", True, what)


def microphone(config: Config) -> ProbeResult:
    """The microphone that the configuration names: a quarter of a second of its sound."""
    import numpy as np

    from hardware.microphone import Microphone, microphones

    if config.microphone.backend == "none":
        return ProbeResult("microphone", False, "switched off in the configuration")
    names = microphones()
    if not names:
        raise Unavailable("microphone.none")
    stream = Microphone(config.microphone.device, 2.0, monotonic)
    try:
        blocks = [block.samples for block, _ in zip(stream, range(12), strict=False)]
    finally:
        stream.close()
    level = float(np.sqrt(np.mean(np.square(np.concatenate(blocks).astype(np.float64)))))
    what = f"{config.microphone.device or 'the default one'} of {', '.join(names)}"
    if level < 1.0:
        return ProbeResult("microphone", True, f"{what}; it is silent", "switch it on, or turn its level up")
    return ProbeResult("microphone", True, what)


def gpio(config: Config) -> ProbeResult:
    """The pins, where the configuration names any."""
    from hardware.gpio import pin_factory

    used = pins(config)
    if not used:
        return ProbeResult(
            "gpio", False, "no buttons, buzzer or lamps in the configuration; the phones have buttons"
        )
    factory = pin_factory()
    names = ", ".join(f"{key} on GPIO {pin}" for key, pin in used)
    return ProbeResult("gpio", True, f"{type(factory).__name__}: {names}")


def loudspeaker(config: Config) -> ProbeResult:
    """What the voice needs: a synthesiser and a sound card that plays."""
    from hardware.speaker import Espeak, Speaker

    wired = config.voice
    if wired.backend == "none":
        return ProbeResult("voice", False, "switched off in the configuration; a phone can speak")
    Espeak(config.table.language, wired.words_per_minute)
    Speaker(wired.device).close()
    return ProbeResult("voice", True, wired.device or "the default loudspeaker")


def power(run: Callable[[Sequence[str]], str] | None = None) -> ProbeResult:
    """Whether the Pi gets enough power (bit 0: now, bit 16: since it was switched on)."""
    tool = shutil.which("vcgencmd")
    if run is None and tool is None:
        return ProbeResult("power", True, "no Raspberry Pi: nothing to measure")
    answer = (run or _run)(["vcgencmd", "get_throttled"])
    bits = int(answer.strip().partition("=")[2] or "0", 0)
    if bits & 0x10001:
        when = "now" if bits & 1 else "since it was switched on"
        return ProbeResult(
            "power", False, f"too little voltage {when}", "use the Pi's own power supply and a short cable"
        )
    return ProbeResult("power", True, "enough voltage")


def _run(command: Sequence[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=3).stdout


def everything(config: Config) -> list[ProbeResult]:
    """All devices, one after the other (two cameras at once would disturb each other)."""
    return [
        limited("camera", lambda: camera(config)),
        limited("microphone", lambda: microphone(config)),
        limited("gpio", lambda: gpio(config)),
        limited("voice", lambda: loudspeaker(config)),
        limited("power", power),
    ]
