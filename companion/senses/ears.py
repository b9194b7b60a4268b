"""The ears: the thread that listens to the microphone's sound."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol, TypeAlias

from msgspec.structs import replace

from companion.core.clock import monotonic
from companion.core.fault_reporter import ReportFault
from companion.core.observations import Listened, SoundWeighed, Utterance
from companion.core.weighing import EVEN, CallDue, WeighedCall, by_confidence
from companion.evidence.ring import Evidence
from companion.senses.preload import nothing
from companion.senses.thread import Health, Submit, Worked, begin, ignore_work
from companion.senses.weighing_thread import WeighingThread

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WaitingSound: TypeAlias = "tuple[NDArray[np.int16], float, int] | str"
"""A block with its time and rate; or `cut`: end the utterance; or `stop`: end the thread."""
CUT = -1.0
"""Reported as the time of a block when the utterance is ended (see `worked`)."""


class Hearer(Protocol):
    """What listens to sound: companion.speech.recognition.recogniser.Listener."""

    def feed(self, block: NDArray[np.int16], t: float) -> list[Utterance | Listened]:
        """Takes one block; returns what was said and the moment up to which everything has been reported."""

    def expect(self, words: Iterable[str]) -> None:
        """Listens for these words from now on."""

    def weigh(self, utterance: Utterance, due: CallDue) -> WeighedCall:
        """What an utterance was, now that it is known which call is due. Another thread than that of `feed`
        may call it."""

    def repeat_sound(self, times: int) -> None:
        """Learns `times` repetitions of the sound that was invented last; see `repeats_left`."""

    @property
    def repeats_left(self) -> int:
        """Repetitions still to come."""

    def flush(self) -> list[Utterance | Listened]:
        """Ends the present utterance; returns what was recognised of it."""


class Ears:
    """The thread that listens to the microphone's sound. It analyses nothing unless a game uses calls.

    Args:
        submit: takes the observations.
        evidence: keeps the latest sound.
        report_fault: called with an error; the next block is still analysed.
        on_listening: called with True when the analysis of sound starts and with False when it ends.
        prepare: loads what hearers need.
        worked: called before and after a block is analysed.
    """

    def __init__(
        self,
        submit: Submit,
        evidence: Evidence,
        report_fault: ReportFault,
        on_listening: Callable[[bool], None] = lambda listening: None,
        prepare: Callable[[], None] = nothing,
        worked: Worked = ignore_work,
    ) -> None:
        self._prepare = prepare
        self._worked = worked
        self._submit = submit
        self._on_listening = on_listening
        self._evidence = evidence
        self._health = Health("microphone", report_fault)
        self._blocks: queue.SimpleQueue[WaitingSound] = queue.SimpleQueue()
        self._next: Callable[[int], Hearer] | None = None
        self._words: tuple[str, ...] = ()
        self._changed = threading.Lock()
        self._muted: tuple[float, float] = (0.0, 0.0)
        self._rehearsal: int | None = None
        self._analysing = False
        self._hearer: Hearer | None = None
        self._expected: tuple[str, ...] = ()
        self._thread = threading.Thread(target=self._run, name="ears", daemon=True)
        self._weighing = WeighingThread(self._weigh_now, lambda: submit(SoundWeighed(monotonic())))

    def start(self) -> None:
        """Starts the thread, and the one that weighs sounds."""
        self._thread.start()
        self._weighing.start()

    def stop(self, timeout: float = 1.0) -> None:
        """Ends the thread after the sound in its queue."""
        self._blocks.put("stop")
        if self._thread.is_alive():
            self._thread.join(timeout)
        self._weighing.stop(timeout)

    @property
    def alive(self) -> bool:
        """Whether the threads run."""
        return self._thread.is_alive() and self._weighing.alive

    @property
    def listening(self) -> bool:
        """Whether sound is being analysed now."""
        return self._next is not None

    def set_hearer(self, hearer: Callable[[int], Hearer] | None) -> None:
        """Replaces the hearer; None: sound is ignored. The function gets the sample rate in samples a second
        and runs on the ears' thread."""
        with self._changed:
            self._next = hearer
            self._hearer = None
            self._expected = ()
        if hearer is None:
            self._analyse(False)

    def mute(self, since: float, until: float) -> None:
        """Replaces the sound of this interval by silence: the companion itself sounds then, and no buzzer or
        voice may be taken for a player (half-duplex)."""
        with self._changed:
            begun, end = self._muted
            self._muted = (min(begun, since), until) if since <= end else (since, until)

    def expect(self, words: tuple[str, ...]) -> None:
        """Sets the words that may come next."""
        with self._changed:
            self._words = words

    def weigh(self, utterance: Utterance, due: CallDue) -> WeighedCall | None:
        """What an utterance was; called on the table's thread. None: it is being weighed, and `SoundWeighed`
        is reported then. Ears without threads weigh at once."""
        if self._weighing.alive:
            return self._weighing.weighed(utterance, due)
        return self._weigh_now(utterance, due)

    def _weigh_now(self, utterance: Utterance, due: CallDue) -> WeighedCall:
        """What an utterance was. Without the hearer that reported it nothing is known: the table is asked."""
        with self._changed:
            hearer = self._hearer
        unknown = replace(utterance, confidence=EVEN)
        if hearer is None:
            return by_confidence(unknown, due)
        try:
            return hearer.weigh(utterance, due)
        except Exception as error:  # one sound must not stop the table
            self._health.failed(error)
            return by_confidence(unknown, due)

    def repeat_sound(self, times: int) -> None:
        """Learns `times` repetitions of the sound that was invented last; 0 stops learning."""
        with self._changed:
            self._rehearsal = times

    @property
    def repeats_left(self) -> int:
        """Repetitions still to come."""
        with self._changed:
            wanted, hearer = self._rehearsal, self._hearer
        return wanted if wanted is not None else 0 if hearer is None else hearer.repeats_left

    def hear(self, samples: NDArray[np.int16], t: float, rate: int) -> None:
        """Takes one block of sound (on the microphone's thread)."""
        if self._next is not None:
            self._analyse(True)
            self._blocks.put((samples, t, rate))

    def cut(self) -> None:
        """Ends the present utterance: the microphone went down."""
        self._analyse(False)
        self._blocks.put("cut")

    def _analyse(self, analysing: bool) -> None:
        if analysing is not self._analysing:
            self._analysing = analysing
            self._on_listening(analysing)

    def take_waiting(self) -> list[WaitingSound]:
        """Takes out the waiting sound, for a service whose ears have no thread."""
        waiting = []
        while not self._blocks.empty():
            waiting.append(self._blocks.get_nowait())
        return waiting

    def _run(self) -> None:
        begin(self._prepare)
        while (item := self._blocks.get()) != "stop":
            self.listen(item)

    def listen(self, item: WaitingSound) -> None:
        """Analyses one block, or ends the utterance (on the ears' thread, or on that of a service without
        one). An error is reported and raises nothing."""
        t = CUT if isinstance(item, str) else item[1]
        self._worked(t, False)
        try:
            if isinstance(item, str):
                self._submit_all(self._hearer.flush() if self._hearer is not None else [])
                self._hearer = None
            else:
                self._listen(*item)
                self._health.works()
        except Exception as error:  # one block must not end the thread
            self._health.failed(error)
        self._worked(t, True)

    def _listen(self, samples: NDArray[np.int16], t: float, rate: int) -> None:
        with self._changed:
            make, expected, deaf = self._next, self._words, self._muted
            times, self._rehearsal = self._rehearsal, None
        if make is None:
            return
        if self._hearer is None:
            self._hearer = make(rate)
            self._expected = ()
        if expected and expected != self._expected:
            self._hearer.expect(expected)
            self._expected = expected
        if times is not None:
            self._hearer.repeat_sound(times)
        self._evidence.hear(samples, t, rate)
        self._submit_all(self._hearer.feed(_muted(samples, t, rate, deaf), t))

    def _submit_all(self, heard: Iterable[Utterance | Listened]) -> None:
        for one in heard:
            self._submit(one)


def _muted(samples: NDArray[np.int16], t: float, rate: int, deaf: tuple[float, float]) -> NDArray[np.int16]:
    """The samples with silence where the companion's own sound is heard."""
    first, last = (min(max(0, int((moment - t) * rate)), len(samples)) for moment in deaf)
    if first >= last:
        return samples
    muted = samples.copy()
    muted[first:last] = 0
    return muted
