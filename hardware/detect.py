"""Which devices are connected: a finding for each kind of device, with the remedy if it is missing.

Each probe opens and closes its device within a time limit, because a driver may hang.
"""

from __future__ import annotations

import getpass
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Sequence

from companion.core.clock import monotonic
from companion.core.config import Config, pins
from companion.core.errors import CompanionError, Unavailable
from companion.core.finding import Finding
from companion.core.message import Message, message
from companion.core.sound import Sound
from hardware.access import forbidden

PROBE_S = 6.0
"""Time limit of a probe in seconds."""
SILENT_RATE, SILENT = 22_050, 4_410
"""Samples a second and bytes of the silence that a loudspeaker is tried with."""


CAMERA, MICROPHONE, GPIO, VOICE, POWER = (
    message("doctor.name_camera"), message("doctor.name_microphone"), message("doctor.name_gpio"),
    message("doctor.name_voice"), message("doctor.name_power"),
)  # fmt: skip
"""The names of the findings."""


def words(text: str) -> Message:
    """A text of a library, the system or the configuration as a message."""
    return message("library.words", words=text)


Probe = Callable[[], Finding]


def limited(name: Message, probe: Probe, seconds: float = PROBE_S) -> Finding:
    """Runs a probe on its own thread; a probe that exceeds the limit is abandoned."""
    results: list[Finding] = []

    def run() -> None:
        try:
            results.append(probe())
        except CompanionError as error:
            results.append(Finding(name, False, error.message))
        except Exception as error:  # any error of a driver becomes a finding
            results.append(Finding(name, False, words(f"{type(error).__name__}: {error}")))

    thread = threading.Thread(target=run, name=f"probe {name.code}", daemon=True)
    thread.start()
    thread.join(seconds)
    if results:
        return results[0]
    late = message("doctor.no_answer", seconds=seconds)
    return Finding(name, False, late, message("doctor.plug_in_again"))


def camera(config: Config) -> Finding:
    """Probes the configured camera: takes one picture."""
    from hardware.camera import open_camera
    from hardware.picture_formats import TOO_FEW_PX, card_px

    wanted = config.camera
    if wanted.backend == "none":
        return Finding(CAMERA, False, message("doctor.switched_off"))
    stream = open_camera(wanted, monotonic)
    try:
        frame = next(iter(stream))
    finally:
        stream.close()
    height, width = frame.image.shape[:2]
    light = float(frame.image.mean())
    size = {"kind": type(stream).__name__, "width": width, "height": height}
    if light < 25:
        return Finding(CAMERA, True, message("doctor.camera_dark", **size), message("doctor.more_light"))
    px = round(card_px(wanted, width))
    found = message("doctor.camera", **size, format=getattr(stream, "format", "?"), px=px, cm=wanted.above_cm)
    return Finding(CAMERA, True, found, message("doctor.card_px") if px < TOO_FEW_PX else None)


def microphone(config: Config) -> Finding:
    """Probes the configured microphone: takes 0.25 s of sound."""
    import numpy as np

    from hardware.arrays import configured_channels
    from hardware.microphone import Microphone, microphones

    if config.microphone.backend == "none":
        return Finding(MICROPHONE, False, message("doctor.switched_off"))
    names = microphones()
    if not names:
        if closed := forbidden("audio"):
            what = message("doctor.no_access", user=getpass.getuser(), devices=tuple(closed[:3]))
            remedy = message("doctor.join_group", user=getpass.getuser(), group="audio")
            return Finding(MICROPHONE, False, what, remedy)
        raise Unavailable("microphone.none")
    stream = Microphone(config.microphone.device, 2.0, monotonic, configured_channels(config.microphone))
    try:
        blocks = [block.samples for block, _ in zip(stream, range(12), strict=False)]
        rate, array = stream.rate, len(stream.channels.raw)
    finally:
        stream.close()
    level = float(np.sqrt(np.mean(np.square(np.concatenate(blocks).astype(np.float64)))))
    chosen: Message | str = config.microphone.device or message("doctor.default_one")
    found = message("doctor.one_of", chosen=chosen, names=tuple(names))
    what = message("doctor.sound_format", what=found, rate=rate)
    if array:
        what = message("doctor.sound_array", what=found, rate=rate, microphones=array)
    if level < 1.0:
        quiet = message("doctor.silent", what=what)
        return Finding(MICROPHONE, True, quiet, message("doctor.turn_up"))
    return Finding(MICROPHONE, True, what)


def gpio(config: Config) -> Finding:
    """Probes the GPIO lines if any pin is configured: claims each of them for a moment."""
    from hardware.gpio import busy_pins, pin_factory

    used = pins(config)
    if not used:
        return Finding(GPIO, False, message("doctor.no_pins"))
    factory = pin_factory()
    if busy := busy_pins([pin for _, pin in used]):
        taken = tuple(message("doctor.pin", key=key, pin=pin) for key, pin in used if pin in busy)
        return Finding(GPIO, False, message("doctor.pins_taken", pins=taken), message("doctor.free_pins"))
    at = tuple(message("doctor.pin", key=key, pin=pin) for key, pin in used)
    return Finding(GPIO, True, message("doctor.pins", factory=type(factory).__name__, pins=at))


def loudspeaker(config: Config) -> Finding:
    """Probes the needs of the voice: a synthesiser, and a sound card that plays 0.1 s of silence."""
    from hardware.speaker import Espeak, Speaker

    wired = config.voice
    if wired.backend == "none":
        return Finding(VOICE, False, message("doctor.voice_off"))
    Espeak(config.table.language, wired.words_per_minute)
    speaker = Speaker(wired.device)
    speaker.play(Sound(bytes(SILENT), SILENT_RATE), time.sleep)
    speaker.close()
    what = words(wired.device) if wired.device else message("doctor.default_loudspeaker")
    return Finding(VOICE, True, what)


HEAT = 0b1110
"""Bits: the clock is limited, the processor is throttled, the soft temperature limit is reached."""


def power(run: Callable[[Sequence[str]], str] | None = None) -> Finding:
    """Whether the Pi gets enough power and stays cool enough, now (bits 0 to 3 of what the firmware answers)
    and since it was switched on (bits 16 to 19)."""
    tool = shutil.which("vcgencmd")
    if run is None and tool is None:
        return Finding(POWER, True, message("doctor.no_pi"))
    answer = (run or _run)(["vcgencmd", "get_throttled"])
    bits = int(answer.strip().partition("=")[2] or "0", 0)
    if bits & 0x10001:
        low = message("doctor.low_voltage_now" if bits & 1 else "doctor.low_voltage_before")
        return Finding(POWER, False, low, message("doctor.power_supply"))
    if bits & HEAT * 0x10001:
        hot = message("doctor.throttled_now" if bits & HEAT else "doctor.throttled_before")
        return Finding(POWER, False, hot, message("doctor.cool_it"))
    return Finding(POWER, True, message("doctor.enough_voltage"))


def _run(command: Sequence[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=3).stdout


def everything(config: Config) -> list[Finding]:
    """Probes all devices, one after the other: two open cameras would disturb each other."""
    return [
        limited(CAMERA, lambda: camera(config)),
        limited(MICROPHONE, lambda: microphone(config)),
        limited(GPIO, lambda: gpio(config)),
        limited(VOICE, lambda: loudspeaker(config)),
        limited(POWER, power),
    ]
