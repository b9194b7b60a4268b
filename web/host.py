"""The interface between the pages and the service: one Protocol with the types of companion.api.

The pages depend on no rules, devices or threads. They get what they show from a `Host` and send commands to
`Host.command`. Every method may raise CompanionError; its message says what to do.
"""

from __future__ import annotations

import queue
from collections.abc import Mapping, Sequence
from typing import Protocol

from companion.api.commands import Caller, Reply, Request
from companion.api.devices import DeviceFinding, DeviceState, LoopResult, SeatState, SoundProgress, VoiceState
from companion.api.enrolment import DeckProblems, EnrolmentState, Share
from companion.api.game_steps import GameSteps
from companion.api.games import GameFacts
from companion.api.history import GameHistory
from companion.api.pairing import PairedPhone, PairingCode
from companion.api.photos import (
    ColumnCount,
    DicePhoto,
    DisplayPoints,
    KeptEvidence,
    LatticePhoto,
    PhotoReading,
    TilePoints,
)
from companion.api.players import PlayerReports
from companion.api.recordings import RecordedEvenings
from companion.api.rules import GameRules, PossibleNow
from companion.api.snapshot import EventOffer, LogEntry, Snapshot, TableChange
from companion.api.stored import FileKind, StoredData
from companion.api.table_setup import SeenCards, TableSetupState
from web.owner_host import OwnerHost

Message = tuple[int, TableChange]
"""(number of the journal's latest line, what has changed)."""

Subscription = queue.Queue[Message | None]
"""The changes in their order; None at shutdown."""


class PairingService(Protocol):
    """Which phone is the referee's, and which player's. A phone is known by the secret in its cookie."""

    def open_to_all(self) -> bool:
        """Whether every phone is the referee's."""

    def is_referee(self, secret: str) -> bool:
        """Whether this phone is the referee's."""

    def player(self, secret: str) -> str | None:
        """The player whom this phone belongs to."""

    def enter(self, code: str, secret: str, name: str) -> bool:
        """Whether the code is right: the phone is the referee's then, and the code is void."""

    def fresh(self) -> PairingCode:
        """A new code."""

    def shown(self) -> PairingCode:
        """The code for a screen at the table: the present one while it is valid, then a new one."""

    def claim_new_machine(self, secret: str, name: str) -> bool:
        """Whether the phone became the referee's because no phone has been it on this machine before."""

    def ask(self, secret: str, name: str) -> None:
        """The phone asks for a press on the companion that makes it the referee's."""

    def leave(self, secret: str) -> None:
        """The phone is a guest's again."""

    def claim(self, player: str | None, secret: str, name: str) -> bool:
        """Makes the phone this player's; False: another phone is."""

    def phones(self, secret: str) -> tuple[PairedPhone, ...]:
        """All phones that the table knows."""

    def revoke(self, number: int) -> None:
        """Forgets a phone."""


class StoredService(Protocol):
    """What is stored about people and games."""

    def backup(self) -> tuple[str, bytes]:
        """A backup without the secrets of the phones: the name of the file, and its content."""

    def state(self) -> StoredData:
        """Everything that can be deleted."""

    def forget_game(self, game: int) -> StoredData:
        """Deletes a game with its evidence."""

    def forget_player(self, player: str) -> StoredData:
        """Replaces a player's name in every game and deletes the voice."""

    def forget_file(self, kind: FileKind, name: str) -> StoredData:
        """Deletes a file or a folder of the list."""


class EnrolmentService(Protocol):
    """Learning a deck with the phone, one deck at a time."""

    def state(self) -> EnrolmentState:
        """The deck that is being learned."""

    def open(self, name: str) -> EnrolmentState:
        """Opens a session for a deck, new or begun earlier."""

    def look(self, jpeg: bytes | None = None) -> EnrolmentState:
        """Finds the cards in the camera's picture, or in the one sent."""

    def name(self, number: int, label: str) -> EnrolmentState:
        """Names a card of the picture: it is learned."""

    def name_in_order(self) -> EnrolmentState:
        """Names the new cards of the picture, row by row, as the list of the deck goes on."""

    def more_looks(self) -> EnrolmentState:
        """Learns every card that is recognised with certainty as one more reference picture of it."""

    def turn(self, number: int) -> EnrolmentState:
        """Rotates a card of the picture: a rectangle by half a turn, a triangle by a third."""

    def rename(self, old: str, new: str) -> EnrolmentState:
        """Gives a card another name."""

    def drop(self, label: str) -> EnrolmentState:
        """Takes a card out of the deck."""

    def check(self) -> DeckProblems:
        """What should be corrected in the deck."""

    def close(self) -> EnrolmentState:
        """Writes the deck and closes the session."""

    def picture(self, name: str) -> bytes:
        """The JPEG of the picture, or of one of its cards."""


class SetupService(Protocol):
    """Setting the table up: zones, mat, lens and the quality of the picture."""

    def state(self, game: str = "") -> TableSetupState:
        """What the page shows; `game` "": the running one."""

    def draw(self, game: str, shapes: Mapping[str, Sequence[Share]]) -> TableSetupState:
        """Keeps zones that were drawn."""

    def reset(self, game: str) -> TableSetupState:
        """Deletes the drawn zones of a game."""

    def from_mat(self, game: str) -> TableSetupState:
        """Takes the zones from the mat in the picture."""

    def remember(self, game: str = "") -> TableSetupState:
        """Stores the present view of the table, to notice when the camera is bumped."""

    def relock(self, game: str = "") -> TableSetupState:
        """Has the camera adapt to the light again."""

    def learn_lens(self, game: str = "") -> TableSetupState:
        """Takes one more picture of the mat."""

    def forget_lens(self, game: str = "") -> TableSetupState:
        """Deletes what was learned of the lens."""

    def look(self, game: str) -> SeenCards:
        """What the camera recognises now."""


class VoiceService(Protocol):
    """Training of players' voices."""

    def state(self) -> VoiceState:
        """The voices and the lesson. A lesson ends some seconds after the last call."""

    def begin(self, player: str) -> None:
        """Listens for this player's words."""

    def stop(self) -> None:
        """Ends a lesson; nothing of it is kept."""

    def forget(self, player: str) -> None:
        """Deletes a voice."""


class SeatService(Protocol):
    """Learning where the players sit."""

    def state(self) -> SeatState:
        """The seats, and who is listened for. Listening ends some seconds after the last call."""

    def begin(self, player: str) -> None:
        """Listens for this player's name."""

    def stop(self) -> None:
        """Stops listening; nothing of it is kept."""

    def forget(self, player: str) -> None:
        """Deletes a seat."""


class SoundService(Protocol):
    """Training an invented sound."""

    def begin(self) -> SoundProgress:
        """Starts: sounds from now on are repetitions of the invented sound."""

    def state(self) -> SoundProgress:
        """The repetitions made and still to come."""

    def stop(self) -> SoundProgress:
        """Ends the training; what was learned is kept."""


class HistoryService(Protocol):
    """What has been played on this machine."""

    def state(self) -> GameHistory:
        """The games and the players' records."""

    def players(self) -> PlayerReports:
        """Every player's wins, opponents and times of calls."""

    def steps(self, game: int, first: int) -> GameSteps:
        """Steps of a game from number `first` on, without sentences."""

    def open_file(self, name: str, text: str) -> str:
        """Opens the script of a game to step through it; the key of `file_steps`. Stores nothing."""

    def file_steps(self, key: str, first: int) -> GameSteps:
        """Steps of a game that was opened from a file, from number `first` on, without sentences."""

    def script(self, game: int) -> tuple[str, str]:
        """A file name and the script of a game."""

    def table(self) -> str:
        """All results as CSV."""


class RecordingService(Protocol):
    """Recording evenings."""

    def state(self) -> RecordedEvenings:
        """What is recorded now, and all recorded evenings."""

    def start(self) -> RecordedEvenings:
        """Records this evening from now on."""

    def stop(self) -> RecordedEvenings:
        """Ends the recording and keeps it."""

    def forget(self, name: str) -> RecordedEvenings:
        """Deletes an evening."""


class DeviceService(Protocol):
    """Testing the devices."""

    def state(self) -> DeviceState:
        """What was found. Each call has the microphone measured for some more seconds."""

    def test_output(self, name: str) -> None:
        """Gives a test announcement on an output."""

    def loop_back(self) -> LoopResult:
        """Whether the microphone hears the buzzer, or the voice."""


class Host(Protocol):
    """The service behind the pages. Every method may be called from any thread of the web server."""

    @property
    def owner(self) -> OwnerHost:
        """What the machine's owner sets, updates and restores."""

    @property
    def stored_data(self) -> StoredService:
        """What is stored about people and games."""

    @property
    def pairing(self) -> PairingService:
        """Which phone is the referee's."""

    @property
    def enrolment(self) -> EnrolmentService:
        """Learning decks."""

    @property
    def table_setup(self) -> SetupService:
        """Zones, mat, lens and the quality of the picture."""

    @property
    def history(self) -> HistoryService:
        """What has been played."""

    @property
    def sound_training(self) -> SoundService:
        """Training an invented sound."""

    @property
    def seat_training(self) -> SeatService:
        """Learning where the players sit."""

    @property
    def voice_training(self) -> VoiceService:
        """Training of players' voices."""

    @property
    def device_test(self) -> DeviceService:
        """Testing the devices."""

    @property
    def recordings(self) -> RecordingService:
        """Recording evenings; for the referee only."""

    def live(self) -> bytes:
        """The JPEG of what the camera sees now; for the referee only."""

    def games(self, settings: bool = False) -> tuple[GameFacts, ...]:
        """What can be played; with `settings`, the house rules too."""

    def rules(self, game: str, language: str) -> GameRules:
        """The rules of a game with a sample turn."""

    def may(self, language: str) -> tuple[PossibleNow, ...]:
        """What may be done in the running game, in sentences."""

    def log(self, before: int) -> tuple[LogEntry, ...]:
        """The entries of the running game's log before entry `before`, without sentences."""

    def offers_at(self, n: int) -> tuple[EventOffer, ...]:
        """What could have happened instead of entry `n` of the log."""

    def checks(self) -> tuple[DeviceFinding, ...]:
        """What the service has found on its machine, for `companion doctor`."""

    def snapshot(self) -> Snapshot:
        """Everything that is known now, without sentences."""

    def subscribe(self) -> Subscription:
        """A queue that receives every change from now on."""

    def unsubscribe(self, subscription: Subscription) -> None:
        """Ends a subscription; harmless if it has ended before."""

    def command(self, request: Request, caller: Caller, key: str = "") -> Reply:
        """Carries out a command if the caller has the right to it. Blocks until it is judged. A command that
        is sent again with the same `key` counts once and gets the same reply."""

    def read_photo(self, player: str, jpeg: bytes) -> PhotoReading:
        """Reads a player's display or tiles from a photograph. Enters nothing."""

    def read_dice(self, jpeg: bytes, count: int | None = None) -> DicePhoto:
        """Reads photographed dice; `count`: the expected number. Enters nothing."""

    def read_lattice(self, jpeg: bytes) -> LatticePhoto:
        """Reads the photographed table of triangles and compares it with the game. Enters nothing."""

    def photo(self, photo_id: str) -> bytes:
        """The JPEG of a photograph with what was recognised drawn on it."""

    def points(self, display: Mapping[str, ColumnCount], aside: int) -> DisplayPoints:
        """What a display would score in the running game; `aside`: jokers without a column."""

    def tile_points(self, player: str, tiles: Mapping[str, int]) -> TilePoints:
        """What tiles {symbol: how many} would score for a player of the running game."""

    def why(self, n: int | None) -> KeptEvidence:
        """Writes the evidence of an entry of the log (None: the last seconds) into the data folder."""

    def evidence(self, name: str) -> bytes:
        """A file that `why` has written; for the referee only."""

    def join_url(self, host: str = "") -> str:
        """The address under which phones reach the pages, e.g. `http://192.168.1.20:8080/`; with the Host
        header of a phone's request, that in its network."""
