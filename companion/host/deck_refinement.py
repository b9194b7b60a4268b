"""Refines the owner's decks in the background, one at a time, in a process of the lowest priority.

A deck is refined when it has not changed for a while and no game is on the table; a game that starts, or a
change of the deck, ends the process, and it begins again later. Without it every deck works as it is. What
was learned is stored in the deck, so it travels with it.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Literal

from companion.api.enrolment import RefinementProgress
from companion.core.clock import Clock, monotonic
from companion.core.errors import CompanionError
from companion.vision.deck.header import FILE

logger = logging.getLogger(__name__)

PROGRAM = (sys.executable, "-m", "models.vision.verifier.refine")
"""The program that refines; it is given the deck's file and where to write the result."""
QUIET_S = 60.0
"""Seconds without a change of the deck before its refinement begins."""
POLL_S = 0.5
LOWEST_PRIORITY = 19
MOST_TRIES = 2
"""Times that a refinement may fail before it is given up until the deck changes."""


def refining(deck: Path, result: Path, seconds: float | None = None) -> subprocess.Popen[str]:
    """A process that refines the deck in a file and writes it to another; how far it is, a JSON object with
    `step` and `steps` a line, stands on its standard output. It uses one core, and ends after so many
    `seconds`, with fewer steps on a slow computer; None: it takes the time that it needs."""
    limit = () if seconds is None else ("--seconds", str(seconds))
    return subprocess.Popen(
        [*PROGRAM, str(deck), str(result), *limit],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )


@dataclass(frozen=True)
class _KnownFile:
    """What a deck's file was like when it was changed at `stamp` (ns)."""

    stamp: int
    status: Literal["refined", "open"] | None


class DeckRefinement:
    """The refinement of decks. Every method may be called from any thread.

    Args:
        folder: the owner's decks.
        is_playing: whether a game is on the table.
        refined: called with the name of every deck that has been refined.
    """

    def __init__(
        self,
        folder: Path,
        is_playing: Callable[[], bool],
        refined: Callable[[str], None],
        *,
        quiet_s: float = QUIET_S,
        clock: Clock = monotonic,
    ) -> None:
        self._folder = folder
        self._is_playing = is_playing
        self._refined = refined
        self._quiet_s = quiet_s
        self._clock = clock
        self.writing = threading.RLock()
        """Held while a deck's file is replaced."""
        self._lock = threading.Lock()
        self._due: dict[str, float] = {}
        self._failures: dict[str, int] = {}
        self._running: RefinementProgress | None = None
        self._known = dict[str, _KnownFile]()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def changed(self, name: str) -> None:
        """A deck was written: it is refined once it has not changed for a while."""
        with self._lock:
            self._failures.pop(name, None)
            self._due[name] = self._clock() + self._quiet_s
            if self._thread is None and not self._stop.is_set():
                self._thread = threading.Thread(target=self._run, name="deck refinement", daemon=True)
                self._thread.start()

    def resume(self) -> None:
        """Has the decks refined that are not yet, for example because the service was stopped meanwhile."""
        for file in self._folder.glob(f"*/{FILE}"):
            self.changed(file.parent.name)

    def progress(self, name: str) -> RefinementProgress | None:
        """How far a deck is; None if it has no file, or its cards cannot be refined on."""
        with self._lock:
            if self._running is not None and self._running.deck == name:
                return self._running
            failed, waits = self._failures.get(name, 0) >= MOST_TRIES, name in self._due
        status = self._status_of_file(name)
        if status != "open":
            return None if status is None else RefinementProgress(name, "refined")
        if failed:
            return RefinementProgress(name, "failed")
        if waits:
            return RefinementProgress(name, "paused" if self._is_playing() else "waiting")
        return None

    def current(self) -> RefinementProgress | None:
        """The deck that is being refined, or waits for it; None without one."""
        with self._lock:
            first = min(self._due, key=self._due.__getitem__, default=None)
            if self._running is not None:
                return self._running
        return None if first is None else self.progress(first)

    def stop(self) -> None:
        """Ends a refinement that is running; none begins any more."""
        self._stop.set()
        thread = self._thread
        if thread is not None:
            thread.join(timeout=5.0)

    # --- on the thread ------------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._stop.wait(POLL_S):
            with self._lock:
                if not self._due:
                    self._thread = None
                    return
                name, due = min(self._due.items(), key=lambda entry: entry[1])
            if self._clock() >= due and not self._is_playing():
                self._refine(name, due)

    def _refine(self, name: str, due: float) -> None:
        """Refines a deck that was due then, unless it changes or a game starts meanwhile."""
        try:
            if self._status_of_file(name) != "open":
                self._done(name, due)
            elif self._carried_out(name, due):
                self._done(name, due)
                self._refined(name)
        except (OSError, CompanionError):
            logger.exception("the deck %s could not be refined", name)
            self._failed(name, due)
        finally:
            with self._lock:
                self._running = None

    def _carried_out(self, name: str, due: float) -> bool:
        """Whether the process came to its end and the deck has the result."""
        file = self._folder / name / FILE
        with TemporaryDirectory(prefix="refine-") as folder:
            before, result = Path(folder) / "before.npz", Path(folder) / "after.npz"
            before.write_bytes(file.read_bytes())
            with refining(before, result) as process:
                os.setpriority(os.PRIO_PROCESS, process.pid, LOWEST_PRIORITY)
                reader = threading.Thread(target=self._read, args=(name, process.stdout), daemon=True)
                reader.start()
                while process.poll() is None:
                    if self._stop.wait(POLL_S) or self._is_obsolete(name, due):
                        process.terminate()
                        process.wait()
                        return False
                reader.join(timeout=POLL_S)
            if process.returncode != 0:
                raise OSError(f"the process ended with status {process.returncode}")
            with self.writing:
                return not self._is_obsolete(name, due) and self._take(result, file)

    def _is_obsolete(self, name: str, due: float) -> bool:
        """Whether the deck has changed since, or a game is on the table."""
        with self._lock:
            return self._due.get(name) != due or self._is_playing()

    def _read(self, name: str, lines: IO[str]) -> None:
        """Takes the reports of the process."""
        for line in lines:
            found = json.loads(line)
            with self._lock:
                self._running = RefinementProgress(name, "running", found["step"], found["steps"])

    def _take(self, result: Path, file: Path) -> bool:
        """Stores what was learned in the deck, if that still has the same reference pictures."""
        from companion.vision.deck.deck import Deck

        now, learned = Deck.load(file), Deck.load(result)
        if now.looks.shape != learned.looks.shape or (now.looks != learned.looks).any():
            return False
        replace(now, judge=learned.judge).save(file.parent)
        return True

    def _done(self, name: str, due: float) -> None:
        with self._lock:
            if self._due.get(name) == due:
                del self._due[name]

    def _failed(self, name: str, due: float) -> None:
        """Tries once more later, and then no more."""
        with self._lock:
            self._failures[name] = self._failures.get(name, 0) + 1
            if self._failures[name] >= MOST_TRIES:
                self._due.pop(name, None)
            elif self._due.get(name) == due:
                self._due[name] = self._clock() + self._quiet_s

    def _status_of_file(self, name: str) -> Literal["refined", "open"] | None:
        """Whether the deck in the folder is refined; None if it cannot be, or there is none. A deck is read
        once after each change of its file: that takes longer than all else that a page asks for."""
        from companion.vision.deck.deck import Deck

        file = self._folder / name / FILE
        try:
            stamp = file.stat().st_mtime_ns
            known = self._known.get(name)
            if known is None or known.stamp != stamp:
                deck = Deck.load(file)
                status: Literal["refined", "open"] = "open" if deck.judge is None else "refined"
                known = _KnownFile(stamp, status if deck.can_be_refined else None)
                self._known[name] = known
        except (OSError, CompanionError):
            return None
        return known.status
