"""Commands that phones send to the table, and the table's replies.

The command's name is part of the address (`POST /api/command/undo`), its fields are the body. The body of
`event` is the event itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from companion.api.snapshot import DroppedEntry
from companion.core.events import Event, HouseRules, Params, StateView

Role = Literal["referee", "guest"]
"""The referee decides; a guest watches, and may enter and correct the own reading."""


class Caller(msgspec.Struct, frozen=True):
    """Who sends a command: the role of the phone and the player it belongs to, if its owner has said so."""

    role: Role
    player: str | None = None


class NewGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Starts a game; the one on the table leaves it.

    `over`: only if that is the number of the game on the table (None: only if there is none). Without it the
    game on the table is replaced whichever it is.

    `position`: the game is taken up there (docs/events.md, "Positions"); None: from the beginning.
    """

    game: str
    players: tuple[str, ...]
    settings: HouseRules = {}
    position: StateView | None = None
    over: int | UnsetType | None = UNSET


class NextGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Starts the latest game again, with the same players and settings; `over` as in NewGame."""

    over: int | UnsetType | None = UNSET


class BeginSeated(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Starts the game that a tournament has planned for this table, if `seating` is still its id."""

    seating: str


class DeclineSeated(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The players do not want the planned game `seating` now. They can still begin it later."""

    seating: str


class EndGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game leaves the table with its result as it stands."""


class EnterEvent(msgspec.Struct, frozen=True):
    """Something that happened in the game. As JSON it is the event itself, without this envelope."""

    event: Event


class Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Takes back the latest move; with `n` only if that is its number."""

    n: int | None = None


class Amend(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Replaces entry `n` of the log by `event`, or removes it where that is null.

    With `preview` nothing changes: the reply says what would.

    `rest`: `as_entered` if the table went on as the later entries say, whatever the corrected one would have
    led to; null: they are judged again, and what no longer fits is dropped.
    """

    n: int
    event: Event | None
    preview: bool = False
    rest: Literal["as_entered"] | None = None


class Overrule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sets the verdicts about entry `n` of the log aside."""

    n: int


class SetPosition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table agrees how things stand, or to count a refused event.

    With `preview` nothing changes: the reply says what would.
    """

    state: StateView | None = None
    """Keys of the position (docs/events.md); None: the outcome of entry `n`, which the rules refused."""
    n: int | None = None
    """The refused entry that the table counts; None: the position is agreed for itself."""
    latest: int | None = None
    """Only if this is still the number of the log's last entry; None: whatever has happened since."""
    preview: bool = False


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Answers a question with one of its options."""

    question: str | int
    option: str | int


class GoOn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """After an interruption the game's clock runs again without a move."""


class TooSlow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table says that whoever has to act took too long, while the game's clock stands still."""


class StopTiming(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Without a microphone nobody is timed until `go_on`: the reverse of it."""


class StopClock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game's clock stands still until the next move. Not open to phones."""


Request = (
    NewGame
    | NextGame
    | BeginSeated
    | DeclineSeated
    | EndGame
    | EnterEvent
    | Undo
    | Amend
    | Overrule
    | SetPosition
    | Answer
    | GoOn
    | TooSlow
    | StopTiming
    | StopClock
)
"""What the table may be asked to do."""

PHONE_COMMANDS: Mapping[str, type[Any]] = {
    "new_game": NewGame,
    "next_game": NextGame,
    "begin_seated": BeginSeated,
    "decline_seated": DeclineSeated,
    "end_game": EndGame,
    "event": EnterEvent,
    "undo": Undo,
    "amend": Amend,
    "overrule": Overrule,
    "position": SetPosition,
    "answer": Answer,
    "go_on": GoOn,
    "too_slow": TooSlow,
    "stop_timing": StopTiming,
}
"""The commands that a phone may send, by the name in their address."""


@dataclass(frozen=True)
class Command:
    """A request with the moment at which it arrived (the one clock) and who sent it."""

    t: float
    request: Request
    caller: Caller
    key: str = ""
    """Made by the phone for this command. A command with a key that is sent again counts once and gets the
    same reply. "": every time it is sent, it is a new one."""


class Accepted(msgspec.Struct, frozen=True):
    """The command was carried out."""

    ok: bool = True
    n: int | UnsetType = UNSET
    """Number of the log's entry that it made."""
    seq: int | UnsetType = UNSET
    """Number of that entry's line in the journal."""
    game: int | UnsetType = UNSET
    """Number of the game that was started."""


class AmendPreview(msgspec.Struct, frozen=True):
    """The effect that a correction would have."""

    scores: dict[str, int]
    before: dict[str, int]
    """The scores as they are."""
    winner: tuple[str, ...]
    dropped: tuple[DroppedEntry, ...]
    """Later entries that would no longer fit."""
    ok: bool = True


class PositionChange(msgspec.Struct, frozen=True):
    """One value of the state that a position would change."""

    key: str
    player: str | None
    """Whose value it is; None: nobody's."""
    before: Any
    after: Any


class PositionPreview(msgspec.Struct, frozen=True):
    """What a position would bring about."""

    state: StateView
    """The keys that it would change, each with its new value."""
    changes: tuple[PositionChange, ...]
    scores: dict[str, int]
    before: dict[str, int]
    """The scores as they are."""
    winner: tuple[str, ...]
    latest: int
    """Number of the log's last entry, for the command that accepts the preview."""
    ok: bool = True


class Refusal(msgspec.Struct, frozen=True):
    """The command was not carried out. `code` and `params` say why, `text` is the sentence."""

    code: str
    text: str = ""
    params: Params | UnsetType = UNSET
    n: int | UnsetType = UNSET
    """Number of the log's entry, where a refused event made one."""
    seq: int | UnsetType = UNSET
    ok: bool = False


Reply = Accepted | AmendPreview | PositionPreview | Refusal
"""What a command is answered with."""
