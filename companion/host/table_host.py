"""What the pages are handed: the table, the photographs and who may decide (see `web.host.Host`)."""

from __future__ import annotations

import hmac
from pathlib import Path
from typing import Any

import msgspec

from companion import __version__
from companion.core.config import Config
from companion.core.errors import CompanionError, Unavailable, UsageError
from companion.evidence.jpeg import small_jpeg
from companion.evidence.photos import Photos
from companion.evidence.ring import Evidence
from companion.games import game_named, games
from companion.host.deck_library import DeckLibrary
from companion.host.device_test import DeviceTest
from companion.host.enrolment import DeckEnrolment
from companion.host.game_facts import facts
from companion.host.history import History
from companion.host.pages_address import PagesAddress
from companion.host.photo_reading import PhotoReader
from companion.host.sound_training import SoundTraining
from companion.host.table_setup import TableSetupService
from companion.host.voice_training import VoiceTraining
from companion.senses.latest_frame import LatestFrame
from companion.store.folder import DataFolder
from companion.store.journal import read_journal
from companion.table.publisher import Subscription
from companion.table.table import Table

Json = dict[str, Any]


class TableHost:
    """Everything that the pages may ask for. Every method may be called from any thread."""

    def __init__(
        self,
        table: Table,
        config: Config,
        data: DataFolder,
        decks: DeckLibrary,
        photos: Photos,
        evidence: Evidence,
        latest_frame: LatestFrame,
        address: PagesAddress,
        *,
        table_setup: TableSetupService,
        device_test: DeviceTest,
        voice_training: VoiceTraining,
        sound_training: SoundTraining,
    ) -> None:
        self._table = table
        self.table_setup = table_setup
        """Zones, mat, lens and the quality of the picture."""
        self.device_test = device_test
        """Tests of buttons, outputs and microphone."""
        self.voice_training = voice_training
        """Recording of a player's voice."""
        self.sound_training = sound_training
        """Repeating an invented sound."""
        self.enrolment = DeckEnrolment(data.decks, latest_frame, lambda name: decks.forget())
        """Learning decks with the phone."""
        self.history = History(data.journal)
        """What has been played."""
        self.address = address
        """Where phones reach the pages."""
        self._latest_frame = latest_frame
        self._config = config
        self._data = data
        self._decks = decks
        self._photographs = PhotoReader(decks, photos)
        self._photos = photos
        self._evidence = evidence

    # --- the table ----------------------------------------------------------------------------------------

    def games(self, settings: bool = False) -> list[Json]:
        """What can be played: the facts of each game (companion.api.games.GameFacts), with its house rules
        if asked for."""
        found = [facts(game, settings) for game in games()]
        shown: list[Json] = msgspec.json.decode(msgspec.json.encode(found))
        return shown

    def snapshot(self) -> Json:
        """Everything that is known now."""
        return self._table.snapshot()

    def subscribe(self) -> Subscription:
        """A queue that receives every change from now on; None at the end."""
        return self._table.subscribe()

    def unsubscribe(self, subscription: Subscription) -> None:
        """Ends a subscription; harmless if it has ended."""
        self._table.unsubscribe(subscription)

    def command(self, name: str, data: Json, role: str) -> Json:
        """Carries out what a phone asks for; blocks until it is judged and written down."""
        try:
            return self._table.command(name, data, role)
        except CompanionError as error:
            why = {"why": msgspec.to_builtins(error.message)}
            return {"ok": False, "code": "not_written", "params": why, "text": str(error)}

    # --- photographs --------------------------------------------------------------------------------------

    def read_photo(self, player: str, jpeg: bytes) -> Json:
        """Reads what lies before a player, a display or tiles, with the deck of the running game.

        Raises:
            CompanionError: what is wrong with the picture and what to do about it.
        """
        game = self._table.snapshot()["game"]
        if game is None:
            raise Unavailable("table.no_game")
        return self._photographs.read(game["name"], player, jpeg)

    def read_dice(self, jpeg: bytes, count: int | None = None) -> Json:
        """Reads photographed dice: `dice`, the values from left to right, and `unsure`, doubts in words. It
        is a proposal: whoever took the picture confirms it.

        Raises:
            CompanionError: what is wrong with the picture and what to do about it.
        """
        return self._photographs.dice(jpeg, count)

    def read_lattice(self, jpeg: bytes) -> Json:
        """Reads the photographed table of Trio Monsters against the one that is known (see `web.host.Host`).

        Raises:
            CompanionError: what is wrong with the picture and what to do about it.
        """
        from companion.host.lattice_photo import as_it_stands, read_table

        shown = self._table.snapshot()["game"]
        if shown is None or game_named(shown["name"]).photographed != "lattice":
            raise Unavailable("table.no_lattice")
        deck = self._decks.deck(shown["name"])
        with read_journal(self._data.journal) as journal:
            row = journal.game(shown["id"])
            game = as_it_stands(row, journal.lines(row.id), tuple(deck.names))
        return read_table(jpeg, deck, game, self._photos)

    def live(self) -> bytes:
        """The JPEG of what the camera sees now.

        Raises:
            Unavailable: it gives no picture.
        """
        return small_jpeg(self._latest_frame.latest()[0])

    def photo(self, photo_id: str) -> bytes:
        """The JPEG of a photograph with what was recognised drawn on it.

        Raises:
            CompanionError: it is not kept any more.
        """
        return self._photos.get(photo_id)

    def points(self, display: Json, aside: int) -> Json:
        """What a display would score by the rules of the running game, without entering it: `points` (None
        where the game scores no displays) and `columns`, the points of each column.

        Args:
            display: {monster: {"cards": all cards of the column, "jokers": the jokers among them}}.
            aside: jokers without a column.

        Raises:
            UsageError: it is no display.
        """
        game = self._table.snapshot()["game"]
        count = None if game is None else game_named(game["name"]).display_points
        if count is None:
            return {"points": None, "columns": {}}
        try:
            found = count(msgspec.convert(display, dict[str, dict[str, int]]), aside)
        except (msgspec.ValidationError, TypeError) as error:
            raise UsageError("photo.no_display", why=str(error)) from error
        return {"points": found.total, "columns": dict(found.parts)}

    def tile_points(self, player: str, tiles: Json) -> Json:
        """What a player's tiles would score, without entering them: `points` with the trophy, `trophy` (0 for
        none) and `symbols`, the points of each symbol.

        Raises:
            UsageError: these are no tiles, or nobody of that name plays a game with tiles.
        """
        snapshot = self._table.snapshot()
        game = snapshot["game"]
        count = None if game is None else game_named(game["name"]).tile_points
        try:
            counts = msgspec.convert(tiles, dict[str, int])
        except msgspec.ValidationError as error:
            raise UsageError("photo.no_tiles", why=str(error)) from error
        if count is None or player not in [seat["name"] for seat in game["players"]]:
            raise UsageError("photo.no_tiles_player", player=player)
        found = count(counts, snapshot["state"], player)
        return {"points": found.total, "trophy": found.trophy, "symbols": dict(found.parts)}

    def why(self, n: int | None = None) -> Json:
        """Writes the evidence of an entry of the running game (None: of the last seconds) into the data
        folder; this is the only way by which pictures or sound get onto a disk.

        Raises:
            CompanionError: there is no game, or it cannot be written.
        """
        from companion.evidence import bundle
        from companion.store import exports

        game = self._table.snapshot()["game"]
        if game is None:
            raise Unavailable("table.nothing_to_explain")
        with read_journal(self._data.journal) as journal:
            row = journal.game(game["id"])
            script = [row.header(), *(line.event for line in journal.lines(row.id))]
        if n is not None and not 0 < n < len(script):
            raise Unavailable("journal.no_move", n=n)
        path = self._data.evidence / f"{exports.file_name(row).removesuffix('.jsonl')}_{n or 'now'}.zip"
        kept = self._evidence.slice(n, self._table.clock())
        bundle.write(path, kept, script, {"game": row.name, "n": n, "t": kept.t, "version": __version__})
        return {"ok": True, "file": str(path), "pictures": len(kept.pictures), "sound": bool(kept.sounds)}

    def evidence(self, name: str) -> bytes:
        """A file of evidence that was kept; only plain names, those of `why`.

        Raises:
            Unavailable: it is not kept any more.
        """
        try:
            return (self._data.evidence / Path(name).name).read_bytes()
        except OSError as error:
            raise Unavailable("evidence.not_kept") from error

    # --- joining ------------------------------------------------------------------------------------------

    def join_url(self) -> str:
        """The address under which phones reach the pages."""
        return self.address.url

    def pin_ok(self, pin: str) -> bool:
        """Whether this is the referee's PIN; the empty one is right where everybody decides."""
        if self._config.pages.open_to_all:
            return True
        return hmac.compare_digest(pin.encode(), self._data.pin().encode())
