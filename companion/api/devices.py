"""Testing devices and training voices and sounds: what the pages show."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.core.message import Message


class DeviceFinding(msgspec.Struct, frozen=True):
    """One thing that was looked for: whether it is there, what was found and what to do.

    The host gives messages, a page gets sentences. `text`: finding and remedy in the reader's language.
    """

    name: Message | str
    there: bool
    what: Message | str
    remedy: Message | str = ""
    needed: bool = False
    text: str = ""


class DeviceChecks(msgspec.Struct, frozen=True):
    """What the service has found on its machine, for `companion doctor`."""

    findings: tuple[DeviceFinding, ...]
    ok: bool = True


class ButtonState(msgspec.Struct, frozen=True):
    """A button, its pin (BCM number), and the seconds since it was pressed; None: not yet."""

    name: str
    gpio: int
    ago: float | None


class MicrophoneLevel(msgspec.Struct, frozen=True):
    """Sound levels in dB of full scale; `clipped` is a share, `finding` a code or empty."""

    now: float
    loudest: float
    background: float
    clipped: float
    finding: str


class DeviceState(msgspec.Struct, frozen=True):
    """What the device test shows. `level` is None where there is no sound."""

    findings: tuple[DeviceFinding, ...]
    buttons: tuple[ButtonState, ...]
    outputs: tuple[str, ...]
    level: MicrophoneLevel | None


class LoopResult(msgspec.Struct, frozen=True):
    """Whether the microphone heard the output `by`; `rise`: how much louder it got, in dB."""

    by: str
    heard: bool
    rise: float
    ok: bool = True


class LessonState(msgspec.Struct, frozen=True):
    """A player's voice is being taught: `word` is to be said; `said` of `of` recordings are there."""

    player: str
    word: str
    said: int
    of: int
    finding: str
    """Of the last recording: `heard`, `again` or `noisy`; empty before the first."""


class LessonOutcome(msgspec.Struct, frozen=True):
    """What came of a lesson."""

    player: str
    helps: bool
    text: Message | str
    """What came of it and what to do: the host gives a message, a page gets the sentence."""


class VoiceState(msgspec.Struct, frozen=True):
    """What the page of the voices shows. `taught` are players' names."""

    taught: tuple[str, ...]
    lesson: LessonState | None
    outcome: LessonOutcome | None


class KnownSeat(msgspec.Struct, frozen=True):
    """Where a player sits, seen from an array of microphones: direction and its standard deviation, in
    degrees."""

    player: str
    degrees: float
    spread: float


class SeatState(msgspec.Struct, frozen=True):
    """Which seats are known, and who is to say the own name now."""

    array: bool
    """Whether the microphone is an array that tells directions."""
    known: tuple[KnownSeat, ...]
    player: str = ""
    """Who is to say the own name; empty: nobody."""
    finding: str = ""
    """Of the latest sound: `again` (too short or too long) or `noisy` (from several directions); empty: none
    yet."""


class SoundProgress(msgspec.Struct, frozen=True):
    """How many times an invented sound has still to be made, of how many in all."""

    left: int
    of: int
    ok: bool = True


OutputName = Literal["buzzer", "lamps", "voice"]
"""What can give a sign."""
