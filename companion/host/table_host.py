"""The service behind the pages: table, photographs, and the services below (see `web.host.Host`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from companion.api.commands import Caller, Refusal, Reply, Request
from companion.api.devices import DeviceFinding
from companion.api.games import GameFacts
from companion.api.photos import (
    ColumnCount,
    DicePhoto,
    DisplayPoints,
    KeptEvidence,
    LatticePhoto,
    PhotoReading,
    TilePoints,
)
from companion.api.rules import GameRules, PossibleNow
from companion.api.snapshot import EventOffer, LogEntry, Snapshot
from companion.core.config import Config
from companion.core.errors import CompanionError, Unavailable, UsageError
from companion.core.message import Message
from companion.core.version import VERSION
from companion.evidence.jpeg import small_jpeg
from companion.evidence.photos import Photos
from companion.evidence.ring import Evidence
from companion.games import game_named, games
from companion.host.deck_library import DeckLibrary
from companion.host.deck_refinement import DeckRefinement
from companion.host.device_test import DeviceTest, as_reply
from companion.host.enrolment import DeckEnrolment
from companion.host.game_facts import facts
from companion.host.game_rules import possible_now, rules_of
from companion.host.history import History
from companion.host.pages_address import PagesAddress
from companion.host.pairing import Pairing
from companion.host.photo_reading import PhotoReader
from companion.host.recordings import Recordings
from companion.host.running_checks import running_findings
from companion.host.seat_training import SeatTraining
from companion.host.sound_training import SoundTraining
from companion.host.stored_data import StoredDataService
from companion.host.table_setup import TableSetupService
from companion.host.voice_training import VoiceTraining
from companion.owner.services import OwnerServices
from companion.senses.latest_frame import LatestFrame
from companion.store.folder import DataFolder
from companion.store.journal import read_journal
from companion.table.log_reading import earlier_entries, offers_at
from companion.table.publisher import Subscription
from companion.table.table import Table
from companion.vision.image.decoder import PictureDecoder


class TableHost:
    """Implements `web.host.Host`. Every method may be called from any thread."""

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
        camera_notes: Callable[[], tuple[Message, ...]],
        table_setup: TableSetupService,
        device_test: DeviceTest,
        voice_training: VoiceTraining,
        seat_training: SeatTraining,
        sound_training: SoundTraining,
        recordings: Recordings,
        pairing: Pairing,
        stored_data: StoredDataService,
        owner: OwnerServices,
    ) -> None:
        self._table = table
        self._camera_notes = camera_notes
        self.table_setup = table_setup
        """Zones, mat, lens and the quality of the picture."""
        self.device_test = device_test
        """Tests of buttons, outputs and microphone."""
        self.voice_training = voice_training
        """Recording of a player's voice."""
        self.seat_training = seat_training
        """Learning where each player sits."""
        self.sound_training = sound_training
        """Repeating an invented sound."""
        self.stored_data = stored_data
        """What is stored about people and games."""
        self.owner = owner
        """What the machine's owner sets, updates and restores."""
        self.pairing = pairing
        """Which phone is the referee's."""
        self.recordings = recordings
        """Recording evenings."""
        self.refinement = DeckRefinement(
            data.decks, lambda: table.snapshot().game is not None, lambda name: decks.forget()
        )
        """Refining decks in the background."""
        self._decoder = PictureDecoder()
        self.enrolment = DeckEnrolment(
            data.decks, latest_frame, lambda name: decks.forget(), self.refinement, self._decoder
        )
        """Learning decks with the phone."""
        self.history = History(data.journal)
        """What has been played."""
        self.address = address
        """Where phones reach the pages."""
        self._latest_frame = latest_frame
        self._config = config
        self._data = data
        self._decks = decks
        self._photographs = PhotoReader(decks, photos, self._decoder)
        self._photos = photos
        self._evidence = evidence

    def close(self) -> None:
        """Ends the process that decodes pictures."""
        self._decoder.close()

    # --- the table ----------------------------------------------------------------------------------------

    def games(self, settings: bool = False) -> tuple[GameFacts, ...]:
        """The games, with their house rules if `settings` is true."""
        found = [facts(game, settings) for game in games()]
        return msgspec.convert(msgspec.to_builtins(found), tuple[GameFacts, ...])

    def checks(self) -> tuple[DeviceFinding, ...]:
        """What the service knows of its devices, then of programs, disk and power."""
        picture = None
        if self._latest_frame.available:
            height, width = self._latest_frame.latest()[0].shape[:2]
            picture = height, width
        own = running_findings(self._config, self._table.snapshot().sources, picture, self._camera_notes())
        return (*map(as_reply, own), *self.device_test.findings())

    def snapshot(self) -> Snapshot:
        """Everything that is known now, without sentences."""
        return self._table.snapshot()

    def subscribe(self) -> Subscription:
        """A queue that receives every change from now on; None at the end."""
        return self._table.subscribe()

    def unsubscribe(self, subscription: Subscription) -> None:
        """Ends a subscription; harmless if it has ended."""
        self._table.unsubscribe(subscription)

    def command(self, request: Request, caller: Caller, key: str = "") -> Reply:
        """Carries out a command of a phone; blocks until it is judged and in the journal. With a `key` (see
        companion.api.commands.Command) it counts once, however often it is sent."""
        try:
            return self._table.command(request, caller, key)
        except CompanionError as error:
            return Refusal("not_written", params={"why": error.message})

    def rules(self, game: str, language: str) -> GameRules:
        """The rules of a game with a sample turn.

        Raises:
            CompanionError: there is no such game.
        """
        return rules_of(game, language)

    def may(self, language: str) -> tuple[PossibleNow, ...]:
        """What may be done in the running game, in sentences; nothing between two games.

        Raises:
            CompanionError: the table does not answer.
        """
        seen = self._table.game_view()
        return () if seen is None else possible_now(seen.game, seen.view, language)

    def log(self, before: int) -> tuple[LogEntry, ...]:
        """The entries of the log before entry `before`, without sentences; none between two games.

        Raises:
            CompanionError: the table does not answer.
        """
        return self._table.call(lambda referee: earlier_entries(referee, before))

    def offers_at(self, n: int) -> tuple[EventOffer, ...]:
        """What could have happened instead of entry `n` of the log.

        Raises:
            CompanionError: the table does not answer.
        """
        return self._table.call(lambda referee: offers_at(referee, n))

    # --- photographs --------------------------------------------------------------------------------------

    def read_photo(self, player: str, jpeg: bytes) -> PhotoReading:
        """Reads a player's display or tiles with the deck of the running game.

        Raises:
            CompanionError: the picture cannot be read; the message says what to do about it.
        """
        game = self._table.snapshot().game
        if game is None:
            raise Unavailable("table.no_game")
        return self._photographs.read(game.name, player, jpeg)

    def read_dice(self, jpeg: bytes, count: int | None = None) -> DicePhoto:
        """Reads photographed dice: `dice`, the values from left to right, and `unsure`, doubts in words. The
        reading is a proposal that the phone's user confirms.

        Raises:
            CompanionError: the picture cannot be read; the message says what to do about it.
        """
        return self._photographs.dice(jpeg, count)

    def read_lattice(self, jpeg: bytes) -> LatticePhoto:
        """Reads a photographed table of triangles and compares it with the game (see `web.host.Host`).

        Raises:
            CompanionError: the picture cannot be read; the message says what to do about it.
        """
        from companion.host.triangle_photo import read_table

        seen = self._table.game_view()
        compare = None if seen is None else game_named(seen.game).compare_lattice
        if seen is None or compare is None:
            raise Unavailable("table.no_lattice")
        deck = self._decks.deck(seen.game)
        with self._decoder.decoded(jpeg) as image:
            return read_table(image, deck, seen.view, compare, self._photos)

    def live(self) -> bytes:
        """The JPEG of what the camera sees now.

        Raises:
            Unavailable: the camera gives no picture.
        """
        return small_jpeg(self._latest_frame.latest()[0])

    def photo(self, photo_id: str) -> bytes:
        """The JPEG of a photograph with what was recognised drawn on it.

        Raises:
            CompanionError: the picture is not kept any more.
        """
        return self._photos.get(photo_id)

    def points(self, display: Mapping[str, ColumnCount], aside: int) -> DisplayPoints:
        """What a display would score by the rules of the running game, without entering it: `points` (None
        where the game scores no displays) and `columns`, the points of each column.

        Args:
            display: {monster: {"cards": all cards of the column, "jokers": the jokers among them}}.
            aside: jokers without a column.

        Raises:
            UsageError: `display` is not a display of the game.
        """
        game = self._table.snapshot().game
        count = None if game is None else game_named(game.name).display_points
        if count is None:
            return DisplayPoints(None, {})
        try:
            found = count({name: msgspec.to_builtins(held) for name, held in display.items()}, aside)
        except (KeyError, TypeError) as error:
            raise UsageError("photo.no_display", why=str(error)) from error
        return DisplayPoints(found.total, dict(found.parts))

    def tile_points(self, player: str, tiles: Mapping[str, int]) -> TilePoints:
        """What a player's tiles would score, without entering them: `points` with the trophy, `trophy` (0 for
        none) and `symbols`, the points of each symbol.

        Raises:
            UsageError: these are not tiles, or no such player plays a game with tiles.
        """
        snapshot = self._table.snapshot()
        game = snapshot.game
        count = None if game is None else game_named(game.name).tile_points
        if game is None or count is None or player not in [seat.name for seat in game.players]:
            raise UsageError("photo.no_tiles_player", player=player)
        found = count(tiles, snapshot.state, player)
        return TilePoints(found.total, found.trophy, dict(found.parts))

    def why(self, n: int | None = None) -> KeptEvidence:
        """Writes the evidence of an entry of the running game (None: of the last seconds) into the data
        folder. Pictures and sound are written to disk nowhere else.

        Raises:
            CompanionError: there is no game, or it cannot be written.
        """
        from companion.evidence import bundle
        from companion.store import exports

        game = self._table.snapshot().game
        if game is None:
            raise Unavailable("table.nothing_to_explain")
        with read_journal(self._data.journal) as journal:
            row = journal.game(game.id)
            script = [row.header(), *(line.event for line in journal.lines(row.id))]
        if n is not None and not 0 < n < len(script):
            raise Unavailable("journal.no_move", n=n)
        path = self._data.evidence / f"{exports.file_name(row).removesuffix('.jsonl')}_{n or 'now'}.zip"
        kept = self._evidence.slice(n, self._table.clock())
        bundle.write(path, kept, script, {"game": row.name, "n": n, "t": kept.t, "version": VERSION})
        return KeptEvidence(str(path), len(kept.pictures), bool(kept.sounds))

    def evidence(self, name: str) -> bytes:
        """A file that `why` has written, by the name that `why` returned.

        Raises:
            Unavailable: it is not kept any more.
        """
        try:
            return (self._data.evidence / Path(name).name).read_bytes()
        except OSError as error:
            raise Unavailable("evidence.not_kept") from error

    # --- joining ------------------------------------------------------------------------------------------

    def join_url(self, host: str = "") -> str:
        """The address under which phones reach the pages; with the Host header of a phone's request, that in
        its network."""
        return self.address.seen_from(host)
