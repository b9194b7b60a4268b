"""Microphone arrays: which channels of a device are its single microphones, and where those are.

The microphones of an array stand on a circle at equal distances. The order of the channels goes round the
circle; where it begins does not matter, since seats are learned with the array as it stands on the table.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.config import MicrophoneConfig
from companion.core.errors import Unavailable

RADIUS_M = 0.032
"""Radius (m) of the circle if neither the configuration nor the device's name gives it."""


@dataclass(frozen=True, slots=True)
class ChannelChoice:
    """The channels of a device that are used, 0 for the first."""

    heard: int = 0
    """The one that is recognised."""
    raw: tuple[int, ...] = ()
    """Those of the single microphones, in their order round the circle; empty: it is no array."""
    radius_m: float = RADIUS_M
    """Radius of their circle."""

    @property
    def needed(self) -> int:
        """How many channels the device must have."""
        return max((self.heard, *self.raw)) + 1


@dataclass(frozen=True, slots=True)
class KnownArray:
    """An array that is recognised by a part of its name and the number of its channels."""

    name: str
    channels: int
    choice: ChannelChoice


KNOWN = (
    KnownArray("respeaker 4 mic array", 6, ChannelChoice(0, (1, 2, 3, 4), 0.032)),
    KnownArray("respeaker usb mic array", 6, ChannelChoice(0, (1, 2, 3, 4), 0.032)),
    KnownArray("xvf3800", 6, ChannelChoice(0, (2, 3, 4, 5), 0.0465)),
    KnownArray("seeed-4mic", 4, ChannelChoice(0, (0, 1, 2, 3))),
)
"""Channels as the makers describe them. The same USB device with the firmware for one channel is a plain
microphone."""


def known_array(name: str, channels: int) -> ChannelChoice | None:
    """The channels of a known array; None: the device is none, or its firmware hands on no single
    microphones."""
    found = (one for one in KNOWN if one.name in name.lower() and one.channels == channels)
    return next((one.choice for one in found), None)


def chosen(name: str, channels: int, configured: ChannelChoice) -> ChannelChoice:
    """The channels to use of a device.

    Args:
        name: of the device.
        channels: how many it has.
        configured: what the configuration says; its raw channels win over those of a known array.

    Raises:
        Unavailable: the device does not have the configured channels.
    """
    choice = configured if configured.raw else known_array(name, channels) or configured
    if choice.needed > channels:
        raise Unavailable("microphone.no_channel", name=name, channel=choice.needed - 1, channels=channels)
    return choice


def configured_channels(config: MicrophoneConfig) -> ChannelChoice:
    """What the configuration says about channels."""
    return ChannelChoice(config.channel, tuple(config.raw_channels), config.radius_mm / 1000.0)
