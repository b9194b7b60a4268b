"""The eyes: the thread that analyses the camera's pictures."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import msgspec

from companion.core.fault_reporter import ReportFault
from companion.core.observations import Landing, LatticeSeen, Removal, Watched
from companion.evidence.ring import Evidence
from companion.senses.preload import nothing
from companion.senses.thread import Health, Submit, Worked, begin, ignore_work

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Image: TypeAlias = "NDArray[np.uint8]"


class Watcher(Protocol):
    """What looks at pictures: companion.vision.tracking.landing.LandingWatcher, grid_watch, lattice_watch."""

    def feed(self, image: Image, t: float) -> Sequence[Landing | Removal | LatticeSeen | Watched]:
        """Takes one picture; returns landings or the present table, and the moment up to which everything has
        been reported."""

    def expect(self, labels: frozenset[str] | None) -> None:
        """The cards that may come next; None: any."""

    def set_zones(self, zones: Mapping[str, Sequence[tuple[float, float]]]) -> None:
        """Replaces the zones."""


class Eyes:
    """The thread that analyses the camera's pictures.

    Args:
        submit: takes the observations.
        evidence: keeps the latest pictures.
        keep: stores a picture with what was seen in it; returns its id.
        report_fault: called with an error; the next picture is still analysed.
        lossless: pictures are queued instead of dropped (a simulated camera can wait).
        prepare: loads what watchers need.
        worked: called before and after a picture is analysed.
    """

    WAITING = 2

    def __init__(
        self,
        submit: Submit,
        evidence: Evidence,
        keep: Callable[[Image, Landing | Removal | LatticeSeen], str],
        report_fault: ReportFault,
        *,
        lossless: bool = False,
        prepare: Callable[[], None] = nothing,
        worked: Worked = ignore_work,
    ) -> None:
        self._prepare = prepare
        self._worked = worked
        self._submit = submit
        self._evidence = evidence
        self._keep = keep
        self._health = Health("camera", report_fault)
        self._lossless = lossless
        self._pictures: queue.Queue[tuple[Image, float] | None] = queue.Queue(self.WAITING)
        self._next: Callable[[], Watcher] | None = None
        self._attends = threading.Event()
        self._changed = threading.Lock()
        self._watcher: Watcher | None = None
        self._zones: Mapping[str, Sequence[tuple[float, float]]] | None = None
        self._cards: frozenset[str] | None = None
        self._thread = threading.Thread(target=self._run, name="eyes", daemon=True)

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def stop(self, timeout: float = 1.0) -> None:
        """Ends the thread after its present picture."""
        self._attends.clear()
        while True:
            try:
                self._pictures.put_nowait(None)
                break
            except queue.Full:
                _drop(self._pictures)
        if self._thread.is_alive():
            self._thread.join(timeout)

    @property
    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def set_watcher(self, watcher: Callable[[], Watcher] | None) -> None:
        """Replaces the watcher; None: pictures are ignored. The function runs on the eyes' thread."""
        with self._changed:
            self._next = watcher
            self._watcher = None
            self._zones = None
        if watcher is None:
            self._attends.clear()
        else:
            self._attends.set()

    def expect(self, cards: frozenset[str] | None) -> None:
        """The cards that may come next; None: any."""
        self._cards = cards

    def set_zones(self, zones: Mapping[str, Sequence[tuple[float, float]]]) -> None:
        """Replaces the zones from the next picture on."""
        with self._changed:
            self._zones = zones

    def see(self, image: Image, t: float) -> None:
        """Takes one picture (on the camera's thread)."""
        if not self._attends.is_set():
            return
        if self._lossless:
            self._pictures.put((image, t))
            return
        while True:
            try:
                self._pictures.put_nowait((image, t))
                return
            except queue.Full:
                _drop(self._pictures)

    def take_waiting(self) -> list[tuple[Image, float]]:
        """Takes out the waiting pictures with their times, for a service whose eyes have no thread."""
        waiting = []
        while not self._pictures.empty():
            if (item := self._pictures.get_nowait()) is not None:
                waiting.append(item)
        return waiting

    def _run(self) -> None:
        begin(self._prepare)
        while (item := self._pictures.get()) is not None:
            self.look(*item)

    def look(self, image: Image, t: float) -> None:
        """Looks at one picture (on the eyes' thread, or on that of a service without one). An error is
        reported and raises nothing."""
        self._worked(t, False)
        try:
            self._look(image, t)
            self._health.works()
        except Exception as error:  # one picture must not end the thread
            self._health.failed(error)
        self._worked(t, True)

    def _look(self, image: Image, t: float) -> None:
        watcher = self._ready()
        if watcher is None:
            return
        self._evidence.see(image, t)
        watcher.expect(self._cards)
        with self._changed:
            zones, self._zones = self._zones, None
        if zones is not None:
            watcher.set_zones(zones)
        taken = ""
        for seen in watcher.feed(image, t):
            if isinstance(seen, Landing | LatticeSeen) and not seen.evidence:
                seen = msgspec.structs.replace(seen, evidence=self._keep(image, seen))
            elif isinstance(seen, Removal) and not seen.evidence:
                # cards that are taken away together share a picture: few are kept
                taken = taken or self._keep(image, seen)
                seen = msgspec.structs.replace(seen, evidence=taken)
            self._submit(seen)

    def _ready(self) -> Watcher | None:
        with self._changed:
            make = self._next
            if self._watcher is not None or make is None:
                return self._watcher
        watcher = make()
        with self._changed:
            if self._next is make:
                self._watcher = watcher
            return self._watcher


def _drop(pictures: queue.Queue[Any]) -> None:
    try:
        pictures.get_nowait()
    except queue.Empty:
        return
