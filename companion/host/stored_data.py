"""What is stored about people and games, and its deletion (the page *Stored data*)."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from companion.api.stored import FileKind, StoredData, StoredFile, StoredGame
from companion.core.errors import Unavailable
from companion.core.version import VERSION
from companion.games import known_game
from companion.host.seat_training import SeatTraining
from companion.host.voice_training import VoiceTraining
from companion.store import backups, forgetting
from companion.store.folder import DataFolder
from companion.store.healing import DAMAGED
from companion.store.journal import Journal, read_journal
from companion.store.rows import GameRow
from companion.table.referee import Referee
from companion.table.table import Table

BACKUP = "backup.zip"
"""The file that a backup is written to while it is made."""


class StoredDataService:
    """Every method may be called from any thread.

    Args:
        open_journal: opens the journal again after it was written anew.
        wall: the time of day.
    """

    def __init__(
        self,
        data: DataFolder,
        table: Table,
        voices: VoiceTraining,
        seats: SeatTraining,
        open_journal: Callable[[], Journal],
        wall: Callable[[], datetime],
    ) -> None:
        self._data = data
        self._table = table
        self._voices = voices
        self._seats = seats
        self._open_journal = open_journal
        self._wall = wall
        self._writing = threading.Lock()

    def backup(self) -> tuple[str, bytes]:
        """A backup without the secrets of the phones: the name of the file, and its content.

        Raises:
            Unavailable: there is nothing to back up, or the disk is full.
        """
        now = self._wall()
        file = self._data.path / BACKUP
        with self._writing:
            try:
                backups.back_up(self._data, file, VERSION, now, backups.SECRETS)
                return f"companion-{now:%Y-%m-%d}.zip", file.read_bytes()
            finally:
                file.unlink(missing_ok=True)

    def state(self) -> StoredData:
        """Everything that can be deleted.

        Raises:
            CompanionError: the journal cannot be read.
        """
        with read_journal(self._data.journal) as journal:
            games = journal.games()
        players = sorted({player for row in games for player in row.players})
        shown = tuple(_shown(row) for row in reversed(games))
        voices = self._voices.state().taught
        return StoredData(str(self._data.path), shown, tuple(players), voices, tuple(self._files()))

    def forget_game(self, game: int) -> StoredData:
        """Deletes a game with its evidence.

        Raises:
            CompanionError: there is no such game, it is on the table, or the disk is full.
        """
        with read_journal(self._data.journal) as journal:
            row = journal.game(game)
        if row.ended is None:
            raise Unavailable("stored.on_table")
        self._rewrite(lambda: forgetting.forget_games(self._data.journal, {game}))
        self._forget_evidence(row)
        return self.state()

    def expire(self, days: int) -> int:
        """Deletes the games that began so many days before the latest one; 0: none. Returns how many.

        Raises:
            CompanionError: the journal cannot be read or written.
        """
        with read_journal(self._data.journal) as journal:
            games = journal.games()
        if days == 0 or not games:
            return 0
        oldest = datetime.fromisoformat(games[-1].started) - timedelta(days=days)
        old = [row for row in games if row.ended and datetime.fromisoformat(row.started) < oldest]
        if old:
            self._rewrite(lambda: forgetting.forget_games(self._data.journal, {row.id for row in old}))
        for row in old:
            self._forget_evidence(row)
        return len(old)

    def _forget_evidence(self, row: GameRow) -> None:
        for file in self._data.evidence.glob(f"*_{row.name}_{row.id}_*.zip"):
            file.unlink(missing_ok=True)

    def forget_player(self, player: str) -> StoredData:
        """Replaces a player's name in every game and deletes the voice and the seat.

        Raises:
            CompanionError: nobody has this name, the player is at the table, or the disk is full.
        """
        before = self.state()
        seated = player in self._seats.players()
        if player not in before.players and player not in before.voices and not seated:
            raise Unavailable("stored.no_player", player=player)
        if any(player in game.players for game in before.games if game.on_table):
            raise Unavailable("stored.on_table")
        if player in before.players:
            self._rewrite(lambda: forgetting.forget_name(self._data.journal, player))
        if player in before.voices:
            self._voices.forget(player)
        if seated:
            self._seats.forget(player)
        return self.state()

    def forget_file(self, kind: FileKind, name: str) -> StoredData:
        """Deletes a file or a folder of the list.

        Raises:
            CompanionError: it is not there, or cannot be deleted.
        """
        if not any((one.kind, one.name) == (kind, name) for one in self._files()):
            raise Unavailable("evidence.not_kept")
        path = self._folder(kind) / name
        try:
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
        except OSError as error:
            raise Unavailable("data.cannot_write", path=path, why=error.strerror) from error
        return self.state()

    def _folder(self, kind: FileKind) -> Path:
        return {
            "evidence": self._data.evidence,
            "damaged": self._data.path / DAMAGED,
            "replaced": self._data.path,
        }[kind]

    def _files(self) -> list[StoredFile]:
        found: list[StoredFile] = []
        kinds: tuple[tuple[FileKind, str], ...] = (
            ("evidence", "*.zip"),
            ("damaged", "*"),
            ("replaced", "before-restore-*"),
        )
        for kind, pattern in kinds:
            for path in sorted(self._folder(kind).glob(pattern)):
                inside = path.rglob("*") if path.is_dir() else [path]
                found.append(StoredFile(kind, path.name, sum(one.stat().st_size for one in inside)))
        return found

    def _rewrite(self, change: Callable[[], object]) -> None:
        """Closes the journal of the table, changes the file, and opens it again."""

        def run(referee: Referee) -> None:
            referee.journal.close()
            try:
                change()
            finally:
                referee.take_journal(self._open_journal())
                referee.changed = True

        self._table.call(run)


def _shown(row: GameRow) -> StoredGame:
    game = known_game(row.name)
    title = row.name if game is None else game.rulebook.title
    return StoredGame(row.id, title, row.started, tuple(row.players), row.ended is None)
