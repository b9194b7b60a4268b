"""What a page starts from: the snapshot, whose phone it is, and what the page shows besides."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from companion.api.commands import Role
from companion.api.devices import DeviceState, SeatState, VoiceState
from companion.api.enrolment import EnrolmentState
from companion.api.game_steps import GameSteps
from companion.api.games import GameFacts
from companion.api.history import GameHistory
from companion.api.machine import MachineState
from companion.api.pairing import PairedPhones
from companion.api.players import PlayerReports
from companion.api.recordings import RecordedEvenings
from companion.api.rules import GameRules
from companion.api.settings import OwnerSettings
from companion.api.snapshot import Snapshot
from companion.api.stored import StoredData
from companion.api.table_setup import TableSetupState
from companion.api.wireless import WirelessState


class PageData(msgspec.Struct, frozen=True):
    """Embedded in every page as JSON. What only the referee may see is null on a guest's phone."""

    snapshot: Snapshot
    role: Role
    me: str | None
    """The player whom this phone belongs to."""
    games: tuple[GameFacts, ...]
    """All games; on the page that starts one, with their house rules."""
    open: bool | UnsetType = UNSET
    """Of the join page and the table view: whether every phone is the referee's."""
    join_url: str | UnsetType = UNSET
    """Of the table view: the address under which phones reach the pages."""
    phones: PairedPhones | UnsetType | None = UNSET
    """Of the page about phones: those that the table knows."""
    player: str | UnsetType | None = UNSET
    """Of the photo page: the player whose display is photographed."""
    past: GameHistory | UnsetType = UNSET
    replay: GameSteps | UnsetType = UNSET
    """Of the page that steps through a past game: the steps around the one that the address names."""
    players: PlayerReports | UnsetType = UNSET
    """Of the page about players."""
    stored: StoredData | UnsetType | None = UNSET
    enrolment: EnrolmentState | UnsetType | None = UNSET
    rules: GameRules | UnsetType | None = UNSET
    """Of a game, for the pages that name rules; None between two games."""
    setup: TableSetupState | UnsetType | None = UNSET
    devices: DeviceState | UnsetType | None = UNSET
    voices: VoiceState | UnsetType | None = UNSET
    seats: SeatState | UnsetType | None = UNSET
    first_start: bool | UnsetType = UNSET
    """Of the page of the first start: whether it is due."""
    wireless: WirelessState | UnsetType | None = UNSET
    """Of the pages that show the hotspot's password: for a screen at the machine and for the referee."""
    machine: MachineState | UnsetType | None = UNSET
    settings: OwnerSettings | UnsetType | None = UNSET
    recordings: RecordedEvenings | UnsetType | None = UNSET
