"""Reads a recorded evening: its log item by item, with pictures and sound, up to where it was cut off."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from companion.core.errors import Unreadable
from companion.recording import format as files
from companion.recording import media
from companion.store.journal import read_journal
from companion.store.rows import GameRow, Line
from hardware.streams import ArraySound, Block, Frame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")
AHEAD = 8
"""Pictures that are decoded before they are needed (22 MB at 1280 x 720)."""


@dataclass(frozen=True)
class FrameRead:
    """A picture of the log."""

    at: float
    frame: Frame


@dataclass(frozen=True)
class BlockRead:
    """A block of sound of the log."""

    at: float
    block: Block


Happening = FrameRead | BlockRead | files.Item
"""What happened: a line of the log; pictures and blocks are read with it."""


class JudgedGame(msgspec.Struct, frozen=True):
    """A game and its judged events during the evening."""

    game: GameRow
    lines: tuple[Line, ...]


class RecordedEvening:
    """A recorded evening on disk.

    Raises:
        Unreadable: there is none in this folder, or it cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = files.read_manifest(folder)
        self.cut_off: str | None = None
        """Name of the file that ended before the log did, once `happenings` has come to its end."""

    def happenings(self) -> Iterator[Happening]:
        """Everything that happened, in its order. A recording that was cut off ends where its first file
        ends.

        Raises:
            Unreadable: a file is missing, or a line of the log cannot be read.
        """
        pictures, sound = ahead(self._pictures()), _Samples(self.folder / files.SOUND)
        microphones = _Samples(self.folder / files.ARRAY)
        for item in self.items():
            if isinstance(item, files.FrameArrived):
                image = next(pictures, None)
                if image is None:
                    self.cut_off = files.CAMERA
                    return
                yield FrameRead(item.at, Frame(image, item.t))
            elif isinstance(item, files.BlockArrived):
                samples = sound.take(item.samples)
                if samples is None:
                    self.cut_off = files.SOUND
                    return
                array = microphones.take(item.samples) if item.radius_m else None
                if item.radius_m and array is None:
                    self.cut_off = files.ARRAY
                    return
                heard = None if array is None else ArraySound(array, item.radius_m)
                yield BlockRead(item.at, Block(samples[:, 0], item.t, item.rate, item.gap, heard))
            else:
                yield item

    def items(self) -> Iterator[files.Item]:
        """The lines of the log. A last line that was not written completely is left out.

        Raises:
            Unreadable: there is no log, or a line cannot be read.
        """
        decoder = msgspec.json.Decoder(files.Item)
        yield from _lines(self.folder / files.LOG, decoder)

    def journal(self) -> list[JudgedGame]:
        """What the service judged during the evening, game by game.

        Raises:
            Unreadable: it cannot be read.
        """
        games: dict[int, GameRow] = {}
        lines: dict[int, list[Line]] = {}
        start = self.start_journal
        if start is not None:
            with read_journal(start) as journal:
                games = {game.id: game for game in journal.games()}
        changed: dict[int, None] = {}
        decoder = msgspec.json.Decoder(files.JournalItem)
        for item in _lines(self.folder / files.JOURNAL, decoder):
            if isinstance(item, files.GameWritten):
                games[item.game.id] = item.game
                changed[item.game.id] = None
            else:
                lines.setdefault(item.game, []).append(item.line)
                changed[item.game] = None
        return [
            JudgedGame(games[number], tuple(lines.get(number, ()))) for number in changed if number in games
        ]

    @property
    def start_journal(self) -> Path | None:
        """The journal as it was at the start; None: there was no game yet."""
        path = self.folder / files.SETUP / files.START_JOURNAL
        return path if path.exists() else None

    def _pictures(self) -> Iterator[NDArray[np.uint8]]:
        size = self.manifest.picture
        if size is None:
            return iter(())
        return media.pictures(self.folder / files.CAMERA, size.width, size.height)


class _Samples:
    """The samples of a sound file one after the other."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._pieces: Iterator[NDArray[np.int16]] | None = None
        self._rest: NDArray[np.int16] | None = None

    def take(self, count: int) -> NDArray[np.int16] | None:
        """The next `count` samples, samples x channels; None if there are fewer."""
        import numpy as np

        if self._pieces is None:
            self._pieces = media.sounds(self._path)
        rest = self._rest
        while rest is None or len(rest) < count:
            piece = next(self._pieces, None)
            if piece is None:
                return None
            rest = piece if rest is None else np.concatenate([rest, piece])
        taken, self._rest = rest[:count], rest[count:]
        return taken


def ahead(items: Iterator[T], count: int = AHEAD) -> Iterator[T]:
    """The items of an iterator, made on a thread of its own up to `count` ahead of their use.

    An error in making one is raised in its place. The thread ends with the last item, or when this iterator
    is closed.
    """
    made: queue.Queue[tuple[T | None, BaseException | None]] = queue.Queue(count)
    closed = threading.Event()

    def put(item: T | None, error: BaseException | None = None) -> bool:
        while not closed.is_set():
            try:
                made.put((item, error), timeout=0.2)
                return True
            except queue.Full:
                continue
        return False

    def make() -> None:
        try:
            for item in items:
                if not put(item):
                    return
            put(None)
        except Exception as error:  # raised where the item is used
            put(None, error)

    thread = threading.Thread(target=make, name="decoder", daemon=True)
    thread.start()
    try:
        while True:
            item, error = made.get()
            if error is not None:
                raise error
            if item is None:
                return
            yield item
    finally:
        closed.set()
        thread.join()


def _lines(path: Path, decoder: msgspec.json.Decoder[T]) -> Iterator[T]:
    """The lines of a file."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise Unreadable("evening.unreadable", file=path, why=error.strerror) from error
    with file:
        for n, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return
            try:
                yield decoder.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise Unreadable("evening.bad_line", file=path, n=n, why=str(error)) from error
