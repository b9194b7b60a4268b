"""The path of one block of sound: mute detector, device test, voice training, ears."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from companion.core.observations import SourceChanged
from companion.senses.ears import Ears
from companion.senses.mute_detector import MuteDetector
from companion.senses.thread import Submit
from hardware.streams import Block

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class SoundConsumer(Protocol):
    """Something besides the ears that uses the microphone's sound now and then."""

    def hear(self, samples: NDArray[np.int16], rate: int) -> None:
        """Takes a block of sound; `rate` is in samples a second."""


class ArrayConsumer(Protocol):
    """Something that uses the single microphones of an array."""

    def hear(self, samples: NDArray[np.int16], radius_m: float, t: float, rate: int) -> None:
        """Takes a block: samples x microphones on a circle of this radius; `t` is the moment of the first
        sample."""

    def went_down(self) -> None:
        """The microphone went down: another one may come up."""


class MicrophonePath:
    """Takes every block on the microphone's thread.

    Args:
        mute_detector: notices a microphone that is switched off.
        consumers: get each block before the ears do.
        ears: recognise calls on their own thread.
        array_consumers: get the sound of the single microphones of an array.
        submit: takes the reports that the microphone went down or came up.
    """

    def __init__(
        self,
        mute_detector: MuteDetector,
        consumers: Sequence[SoundConsumer],
        ears: Ears,
        array_consumers: Sequence[ArrayConsumer],
        submit: Submit,
    ) -> None:
        self._mute_detector = mute_detector
        self._consumers = tuple(consumers)
        self._ears = ears
        self._array_consumers = tuple(array_consumers)
        self._submit = submit

    def take(self, block: Block) -> None:
        """Passes one block on; returns before the ears have analysed it."""
        detector = self._mute_detector
        if detector.update(block.samples, block.t):
            self._report(SourceChanged(block.t, "microphone", not detector.off, detector.why))
        if block.array is not None:
            for user in self._array_consumers:
                user.hear(block.array.samples, block.array.radius_m, block.t, block.rate)
        for consumer in self._consumers:
            consumer.hear(block.samples, block.rate)
        if block.gap:
            self._ears.cut()
        self._ears.hear(block.samples, block.t, block.rate)

    def source_changed(self, change: SourceChanged) -> None:
        """Resets the mute detector: the microphone went down or came up."""
        self._mute_detector.reset()
        self._report(change)

    def _report(self, change: SourceChanged) -> None:
        if not change.up:
            self._ears.cut()
            for user in self._array_consumers:
                user.went_down()
        self._submit(change)
