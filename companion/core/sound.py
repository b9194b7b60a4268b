"""Sound that is to be played: what the voice makes and the loudspeaker takes."""

from __future__ import annotations

import msgspec


class Sound(msgspec.Struct, frozen=True):
    """Speech: 16-bit samples of one channel, little endian, and how many of them make a second."""

    samples: bytes
    rate: int

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return len(self.samples) / 2 / self.rate
