"""Records the evening: takes what reaches the service and writes it on a thread of its own.

Nothing is recorded unless somebody starts it. A game is never delayed: pictures that cannot be compressed in
time are lost, and counted; a disk that is full ends the recording, not the game.
"""

from __future__ import annotations

import errno
import itertools
import logging
import os
import queue
import shutil
import sys
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from companion.api.commands import Command, Reply
from companion.core.clock import Clock, monotonic
from companion.core.config import Config
from companion.core.errors import CompanionError, Unavailable
from companion.core.message import Message, message
from companion.core.observations import (
    Observation,
    Point,
    Press,
    SourceChanged,
)
from companion.core.version import VERSION
from companion.recording import format as files
from companion.recording import library, media
from companion.recording.setup import Equipment, copy_setup, folder_hash, libraries
from companion.recording.writer import EveningWriter
from companion.store.folder import DataFolder
from companion.store.journal import Wall

if TYPE_CHECKING:
    from hardware.streams import Block, Frame

logger = logging.getLogger(__name__)

WAITING = 30
"""The most pictures that wait to be compressed (83 MB at 1280 x 720); one more is lost."""
FLUSH_S = 1.0
"""Seconds between two moments at which everything is given to the system: what a killed service loses."""
CHECK_S = 5.0
"""Seconds between two looks at the disk."""
NICENESS = 7
"""Niceness of the thread: the senses are more urgent."""
MB = 10**6


@dataclass(frozen=True)
class _PictureToWrite:
    item: files.FrameArrived
    image: Any


@dataclass(frozen=True)
class _SoundToWrite:
    item: files.BlockArrived
    samples: Any
    array: Any


class Recorder:
    """Records one evening at a time. Every method may be called from any thread.

    Args:
        folder: holds the evenings.
        config: is written with every evening; its section `recording` has the limits.
        data: what is copied at the start.
        equipment: the decks and models in use.
        wall: the time of day.
        lossless: a picture waits for the thread instead of being lost, for a camera that can wait.
    """

    def __init__(
        self,
        folder: Path,
        config: Config,
        data: DataFolder,
        equipment: Callable[[], Equipment],
        clock: Clock,
        wall: Wall,
        *,
        lossless: bool = False,
    ) -> None:
        self.folder = folder
        self._config = config
        self._data = data
        self._equipment = equipment
        self._clock = clock
        self._wall = wall
        self._lossless = lossless
        self._starting = threading.Lock()
        self._items: queue.SimpleQueue[files.Item | _PictureToWrite | _SoundToWrite | None] = (
            queue.SimpleQueue()
        )
        self._room = threading.Semaphore(WAITING)
        self._running = False
        self._evening: Path | None = None
        self._numbers = itertools.count(1)
        self._thread: threading.Thread | None = None
        self._ended: Callable[[Message], None] = lambda why: None

    @property
    def running(self) -> bool:
        """Whether an evening is being recorded."""
        return self._running

    @property
    def evening(self) -> Path | None:
        """The folder of the evening that is being recorded, or was last."""
        return self._evening

    # --- starting and stopping ----------------------------------------------------------------------------

    def check(self) -> None:
        """Checks that a recording could begin.

        Raises:
            Unavailable: PyAV is not installed, or the disk has too little room; the message names the remedy.
        """
        media.library()
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            library.prune(self.folder, self._limit)
            free = shutil.disk_usage(self.folder).free
        except OSError as error:
            raise Unavailable(
                "recording.cannot_write", folder=self.folder, why=error.strerror or str(error)
            ) from error
        if free < self._config.recording.keep_free_mb * MB:
            raise Unavailable("recording.disk_full")

    def start(
        self, running: files.RunningAtStart | None = None, ended: Callable[[Message], None] = lambda why: None
    ) -> None:
        """Begins a new evening; does nothing if one is being recorded.

        Args:
            running: the game that is being played.
            ended: called on the recorder's thread with the reason if the recording ends by itself.

        Raises:
            Unavailable: see `check`.
        """
        with self._starting:
            if self._running:
                return
            self.check()
            try:
                writer = self._opened(running)
            except OSError as error:
                raise Unavailable(
                    "recording.cannot_write", folder=self.folder, why=error.strerror or str(error)
                ) from error
            self._ended = ended
            self._items, self._room = queue.SimpleQueue(), threading.Semaphore(WAITING)
            self._thread = threading.Thread(
                target=self._run, args=(writer, self._items), name="recorder", daemon=True
            )
            self._running = True
            self._thread.start()

    def stop(self, timeout: float = 5.0) -> None:
        """Ends the recording and writes the rest; harmless without one. Deletes nothing."""
        with self._starting:
            self._running = False
            thread, self._thread = self._thread, None
            if thread is not None:
                self._items.put(None)
                thread.join(timeout)

    def _opened(self, running: files.RunningAtStart | None) -> EveningWriter:
        now = self._wall()
        folder = library.new_folder(self.folder, now)
        try:
            writer = self._written(folder, now, running)
        except (OSError, CompanionError):
            shutil.rmtree(folder, ignore_errors=True)
            raise
        self._evening = folder
        return writer

    def _written(self, folder: Path, now: datetime, running: files.RunningAtStart | None) -> EveningWriter:
        """Writes what an evening begins with into its folder."""
        start, equipment = self._clock(), self._equipment()
        decks = copy_setup(folder, self._data, equipment)
        manifest = files.Manifest(
            files.VERSION,
            VERSION,
            libraries(),
            now.isoformat(timespec="milliseconds"),
            start,
            self._config,
            decks,
            {language: folder_hash(path) for language, path in equipment.models.items()},
            running,
        )
        return EveningWriter(folder, manifest, self._data.journal)

    # --- what reaches the service -------------------------------------------------------------------------

    def frame(self, frame: Frame) -> None:
        """A picture of the camera has arrived."""
        if not self._running:
            return
        at = self._clock()
        if self._room.acquire(blocking=self._lossless):
            self._items.put(_PictureToWrite(files.FrameArrived(at, frame.t), frame.image))
        else:
            self._items.put(files.FrameLost(at, frame.t))

    def block(self, block: Block) -> None:
        """A block of the microphone's sound has arrived."""
        if self._running:
            radius_m, array = 0.0, None
            if block.array is not None:
                radius_m, array = block.array.radius_m, block.array.samples
            count = len(block.samples)
            item = files.BlockArrived(self._clock(), block.t, count, block.rate, block.gap, radius_m)
            self._items.put(_SoundToWrite(item, block.samples, array))

    def worked(self, sense: Any, t: float, done: bool) -> None:
        """A sense begins to analyse the picture or block of the moment `t`, or is done with it."""
        self._put(files.Worked, sense, t, done)

    def directed(self) -> None:
        """The table has told the senses which game is played, or what may come next."""
        self._put(files.Directed)

    def reported(self, observation: Observation) -> None:
        """A sense has reported something. Watermarks are not recorded."""
        if isinstance(observation, files.REPORTS):
            self._put(files.Reported, observation)

    def pressed(self, press: Press) -> None:
        """A button was pressed."""
        self._put(files.PressArrived, press)

    def source_changed(self, change: SourceChanged) -> None:
        """A device came up or went down."""
        self._put(files.SourceReported, change)

    def own_sound(self, since: float, until: float) -> None:
        """The companion itself sounds in this interval."""
        self._put(files.OwnSound, since, until)

    def zones_changed(self, game: str, zones: Mapping[str, list[Point]]) -> None:
        """The zones of a game have changed."""
        self._put(files.ZonesChanged, game, zones)

    def sound_repeats(self, times: int) -> None:
        """Sounds from now on repeat the invented one."""
        self._put(files.SoundRepeats, times)

    def command(self, command: Command, answer: Future[Reply]) -> None:
        """A command has arrived; its reply is recorded when it is there."""
        if not self._running:
            return
        number = next(self._numbers)
        name, body = files.request_written(command.request)
        self._items.put(files.CommandArrived(command.t, number, name, body, command.caller, command.key))

        def replied(answer: Future[Reply]) -> None:
            self._put(files.CommandReplied, number, msgspec.Raw(msgspec.json.encode(answer.result())))

        answer.add_done_callback(replied)

    def _put(self, kind: Callable[..., files.Item], *what: Any) -> None:
        if self._running:
            self._items.put(kind(self._clock(), *what))

    # --- the thread ---------------------------------------------------------------------------------------

    @property
    def _limit(self) -> int:
        return round(self._config.recording.limit_gb * 1000 * MB)

    def _run(
        self,
        writer: EveningWriter,
        items: queue.SimpleQueue[files.Item | _PictureToWrite | _SoundToWrite | None],
    ) -> None:
        if sys.platform == "linux":
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
        why: Message | None = None
        try:
            self._write(writer, items)
        except CompanionError as error:
            why = error.message
        except OSError as error:
            if error.errno == errno.ENOSPC:
                why = message("recording.disk_full")
            else:
                reason = error.strerror or str(error)
                why = message("recording.cannot_write", folder=writer.folder, why=reason)
        except Exception as error:  # whatever fails in it, the game goes on
            logger.exception("the recording failed")
            why = message("recording.failed", why=str(error) or type(error).__name__)
        if why is not None:
            self._running = False
        try:
            ended = self._wall().isoformat(timespec="milliseconds")
            writer.close(ended, None if why is None else why.code)
        except Exception as error:  # the disk may be full, or gone
            logger.warning("the recording %s could not be completed: %s", writer.folder, error)
        if why is not None:
            logger.warning("the recording has ended: %s", why)
            self._ended(why)

    def _write(
        self,
        writer: EveningWriter,
        items: queue.SimpleQueue[files.Item | _PictureToWrite | _SoundToWrite | None],
    ) -> None:
        """Writes what comes until None comes.

        Raises:
            OSError, CompanionError: it cannot be written any more.
        """
        flushed = checked = monotonic()
        while True:
            try:
                item = items.get(timeout=FLUSH_S)
            except queue.Empty:
                pass
            else:
                if item is None:
                    return
                self._take(writer, item)
            now = monotonic()
            if now - flushed >= FLUSH_S:
                flushed = now
                writer.flush()
            if now - checked >= CHECK_S:
                checked = now
                self._check_disk(writer)

    def _take(self, writer: EveningWriter, item: files.Item | _PictureToWrite | _SoundToWrite) -> None:
        if isinstance(item, _PictureToWrite):
            try:
                writer.frame(item.item, item.image)
            finally:
                self._room.release()
        elif isinstance(item, _SoundToWrite):
            writer.block(item.item, item.samples, item.array)
        else:
            writer.item(item)

    def _check_disk(self, writer: EveningWriter) -> None:
        """Makes room for the evening; ends it if that is not possible."""
        free = shutil.disk_usage(writer.folder).free
        if free < self._config.recording.keep_free_mb * MB:
            raise Unavailable("recording.disk_full")
        writer.write_totals()
        if library.prune(self.folder, self._limit) > self._limit:
            raise Unavailable("recording.too_large", limit=self._config.recording.limit_gb)
