"""Loudspeaker and speech synthesiser: aplay and espeak-ng, each in its own process.

A sound card that hangs then blocks only a process that can be ended, not the service. espeak-ng speaks forty
languages without a network and renders a sentence in less than 0.1 s on a Pi.
"""

from __future__ import annotations

import contextlib
import io
import shutil
import subprocess
import wave
from collections.abc import Callable
from typing import Any

from companion.core.errors import Unavailable
from companion.core.sound import Sound

ESPEAK_REMEDY = "sudo apt install espeak-ng"
APLAY_REMEDY = "sudo apt install alsa-utils"
RENDER_S = 5.0
"""Time limit of the rendering of a sentence, in seconds."""
TAIL_S = 0.5
"""Seconds after the end of a sound within which the card's buffer must be empty; after that the card
hangs."""


class Espeak:
    """Renders texts as speech.

    Args:
        language: e.g. `en`, `de`: also the voice's name.
        words_per_minute: its speed when `speed` is 1.

    Raises:
        Unavailable: espeak-ng is not installed.
    """

    def __init__(self, language: str, words_per_minute: int) -> None:
        program = shutil.which("espeak-ng")
        if program is None:
            raise Unavailable("voice.no_espeak", remedy=ESPEAK_REMEDY)
        self._program = program
        self._language = language
        self._words_per_minute = words_per_minute

    def __call__(self, text: str, speed: float = 1.0) -> Sound:
        """The speech of a text, without silence at its ends, `speed` times as fast as configured.

        Raises:
            Unavailable: espeak-ng failed.
        """
        pace = str(round(self._words_per_minute * speed))
        command = [self._program, "-v", self._language, "-s", pace, "-z", "--stdin", "--stdout"]
        try:
            done = subprocess.run(
                command, input=text.encode(), capture_output=True, check=True, timeout=RENDER_S
            )
            with wave.open(io.BytesIO(done.stdout), "rb") as speech:
                # espeak-ng writes a length of 2 GiB into the header of a stream: read to its end.
                samples, rate = speech.readframes(len(done.stdout) // 2), speech.getframerate()
        except (subprocess.SubprocessError, OSError, wave.Error, EOFError) as error:
            raise Unavailable(
                "voice.espeak_fails", text=text, why=str(error), remedy=ESPEAK_REMEDY
            ) from error
        return trimmed(Sound(samples[: len(samples) // 2 * 2], rate))


def trimmed(sound: Sound, silence: int = 200) -> Sound:
    """Speech without silence at its ends; samples up to `silence` (of 32767) count as silence."""
    import numpy as np

    samples = np.frombuffer(sound.samples, "<i2")
    loud = np.flatnonzero(np.abs(samples.astype(np.int32)) > silence)
    if loud.size == 0:
        return Sound(b"", sound.rate)
    return Sound(samples[loud[0] : loud[-1] + 1].tobytes(), sound.rate)


class Speaker:
    """Plays sounds through ALSA.

    Args:
        device: ALSA's name of the loudspeaker; empty: the system's default.
        spawn: starts a process; for tests.

    Raises:
        Unavailable: aplay is not installed, or there is no sound card to play on.
    """

    def __init__(self, device: str = "", spawn: Callable[..., Any] = subprocess.Popen) -> None:
        program = shutil.which("aplay")
        if program is None:
            raise Unavailable("voice.no_aplay", remedy=APLAY_REMEDY)
        if not device and not loudspeakers():
            raise Unavailable("voice.no_loudspeaker")
        self._command = [program, "-q", "-t", "raw", "-f", "S16_LE", "-c", "1"]
        if device:
            self._command += ["-D", device]
        self._spawn = spawn

    def play(self, sound: Sound, wait: Callable[[float], None]) -> None:
        """Plays a sound; returns when it has ended, or ends it when `wait` raises.

        Raises:
            Unavailable: there is no loudspeaker, or it hangs.
        """
        if not sound.samples:
            return
        process = self._spawn(
            [*self._command, "-r", str(sound.rate)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        try:
            # A pipe holds 64 KiB, which is 1.4 s of speech; the rest is written while it plays.
            complaint = _feed(process, sound, wait)
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
            process.stderr.close()
            with contextlib.suppress(BrokenPipeError):  # what aplay has not read
                process.stdin.close()
        if complaint:
            raise Unavailable("voice.loudspeaker_fails", why=complaint)

    def close(self) -> None:
        """Does nothing: no process runs between two sounds."""


def loudspeakers() -> list[str]:
    """The sound cards that can play, as `aplay -l` names them; none without aplay."""
    program = shutil.which("aplay")
    if program is None:
        return []
    listed = subprocess.run([program, "-l"], capture_output=True, text=True, check=False, timeout=RENDER_S)
    return [line for line in listed.stdout.splitlines() if line.startswith("card ")]


def _feed(process: Any, sound: Sound, wait: Callable[[float], None]) -> str:
    """Writes the sound to aplay in pieces of 0.1 s and waits for its end; returns aplay's error text."""
    piece = sound.rate // 10 * 2
    spent, played = 0.0, False
    try:
        for start in range(0, len(sound.samples), piece):
            process.stdin.write(sound.samples[start : start + piece])
            process.stdin.flush()
            wait(0.09)
            spent += 0.09
        process.stdin.close()
        played = True
    except BrokenPipeError:
        pass
    while played and process.poll() is None and spent < sound.seconds + TAIL_S:
        wait(0.02)
        spent += 0.02
    failed = process.poll() not in (0, None) or not played
    return _complaint(process) if failed else ""


def _complaint(process: Any) -> str:
    process.wait()
    lines = process.stderr.read().decode(errors="replace").strip().splitlines()
    return lines[-1].removeprefix("aplay: ") if lines else "aplay failed"
