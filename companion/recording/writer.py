"""Writes the files of one evening: log, pictures, sound and journal. One thread uses it."""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from companion.core.errors import Unavailable
from companion.recording import format as files
from companion.recording.media import LAYOUTS, SoundWriter, VideoWriter
from companion.store.journal import read_journal
from companion.store.rows import GameRow

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class EveningWriter:
    """Writes one evening into its folder, which holds the copies of the start already.

    Args:
        folder: its folder.
        manifest: is written at once, and again when more is known.
        journal: the journal of the service; what it gets from now on is written as well.

    Raises:
        OSError: it cannot be written.
    """

    def __init__(self, folder: Path, manifest: files.Manifest, journal: Path) -> None:
        self.folder = folder
        self.manifest = manifest
        self._journal = journal
        self._seq, self._games = _known(folder)
        self._log = (folder / files.LOG).open("wb", buffering=1 << 16)
        fcntl.flock(self._log, fcntl.LOCK_EX)  # shows other processes that this evening is being recorded
        self._judged = (folder / files.JOURNAL).open("wb")
        self._encoder = msgspec.json.Encoder()
        self._video: VideoWriter | None = None
        self._sound: SoundWriter | None = None
        self._array: SoundWriter | None = None
        self.totals = files.Totals()
        files.write_manifest(folder, manifest)

    def item(self, item: files.Item) -> None:
        """Writes one line of the log."""
        self._log.write(self._encoder.encode(item) + b"\n")
        if isinstance(item, files.FrameLost):
            self.totals = replace(self.totals, frames_lost=self.totals.frames_lost + 1)
        self.totals = replace(self.totals, seconds=max(self.totals.seconds, item.at - self.manifest.start))

    def frame(self, item: files.FrameArrived, image: NDArray[np.uint8]) -> None:
        """Writes a picture with its line. One of another size than the first is lost."""
        size = (image.shape[1], image.shape[0])
        if self._video is None:
            fps = self.manifest.config.camera.fps
            self._video = VideoWriter(self.folder / files.CAMERA, *size, fps)
            self.manifest = replace(self.manifest, picture=files.PictureSize(*size))
            files.write_manifest(self.folder, self.manifest)
        if size != self._video.size:
            self.item(files.FrameLost(item.at, item.t))
            return
        self._video.write(image, item.at - self.manifest.start)
        self.item(item)
        self.totals = replace(self.totals, frames=self.totals.frames + 1)

    def block(
        self, item: files.BlockArrived, samples: NDArray[np.int16], array: NDArray[np.int16] | None
    ) -> None:
        """Writes a block of sound with its line. All blocks have the rate of the first, and the array's that
        many microphones, eight at most."""
        if self._sound is None:
            self._sound = SoundWriter(self.folder / files.SOUND, item.rate)
        if item.rate != self._sound.rate:
            return
        self._sound.write(samples)
        if array is None or not self._wrote_array(array, item.rate):
            item = replace(item, radius_m=0.0)
        self.item(item)
        self.totals = replace(self.totals, blocks=self.totals.blocks + 1)

    def _wrote_array(self, array: NDArray[np.int16], rate: int) -> bool:
        channels = array.shape[1]
        if self._array is None and channels <= len(LAYOUTS):
            self._array = SoundWriter(self.folder / files.ARRAY, rate, channels)
        if self._array is None or self._array.channels != channels:
            return False
        self._array.write(array)
        return True

    def flush(self) -> None:
        """Gives everything so far to the system, with what the service has judged meanwhile."""
        self._log.flush()
        self._follow_journal()

    def write_totals(self) -> None:
        """Writes into the manifest how much there is so far."""
        self.manifest = replace(self.manifest, totals=self.totals)
        files.write_manifest(self.folder, self.manifest)

    def close(self, ended: str, why: str | None = None) -> None:
        """Writes the rest and the complete manifest.

        Args:
            ended: the time of day.
            why: why it stopped by itself.

        Raises:
            OSError: it cannot be written; the files are closed nevertheless.
        """
        try:
            try:
                for media in (self._video, self._sound, self._array):
                    if media is not None:
                        media.close()
            finally:
                self.flush()
        finally:
            self._log.close()
            self._judged.close()
        self.manifest = replace(self.manifest, ended=ended, stopped_why=why, totals=self.totals)
        files.write_manifest(self.folder, self.manifest)

    def _follow_journal(self) -> None:
        try:
            journal = read_journal(self._journal)
        except Unavailable:  # it is made when the table starts
            return
        items: list[files.JournalItem] = []
        with journal:
            for game in journal.games(journal.latest_night()):
                if self._games.get(game.id) != game:
                    self._games[game.id] = game
                    items.append(files.GameWritten(game))
            for number, line in journal.since(self._seq):
                self._seq = line.seq
                items.append(files.LineWritten(number, line))
        for item in items:
            self._judged.write(self._encoder.encode(item) + b"\n")
        self._judged.flush()


def _known(folder: Path) -> tuple[int, dict[int, GameRow]]:
    """Number of the last line, and the games, of the journal at the start."""
    start = folder / files.SETUP / files.START_JOURNAL
    if not start.exists():
        return 0, {}
    with read_journal(start) as journal:
        return journal.seq(), {game.id: game for game in journal.games()}
