"""Everything that is known at the table, as pages, lamps and tests see it."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from companion.core.events import Event, HouseRules, Params, StateView
from companion.core.sentence import Sentence


class Seat(msgspec.Struct, frozen=True):
    """A player with the colour and the shape that tell them apart on every page."""

    name: str
    colour: str
    """CSS colour, `#RRGGBB`."""
    shape: str


class GameOnTable(msgspec.Struct, frozen=True):
    """The game that is being played. `players` are in seating order."""

    id: int
    name: str
    title: str
    settings: HouseRules
    players: tuple[Seat, ...]


class EntryVerdict(msgspec.Struct, frozen=True):
    """A finding of the referee about one entry of the log. `params` holds its details."""

    n: int
    player: str
    verdict: str
    params: Params = {}
    rule: str = ""
    """Id of the rule it rests on; may be empty."""
    text: str = ""


class DroppedEntry(msgspec.Struct, frozen=True):
    """An entry that no longer fits after a correction. Its event and its sentences are in a preview only."""

    n: int
    code: str
    turn: str | UnsetType | None = UNSET
    event: Event | UnsetType = UNSET
    text: str | UnsetType = UNSET
    why: str | UnsetType = UNSET


class LogEntry(msgspec.Struct, frozen=True):
    """One event with what came of it."""

    n: int
    event: Event
    """As it counts now; empty for a line of a script that is no JSON object."""
    sentences: tuple[Sentence, ...] | UnsetType = UNSET
    """What it meant, without a language; written as `text` and `rules` for a reader."""
    text: str = ""
    """What it meant, one sentence a line; of a refused event or a correction, what it is."""
    rules: tuple[str, ...] = ()
    """Ids of the rules that its sentences rest on."""
    t: float | None = None
    """Seconds of the game when it was judged."""
    source: str | None = None
    """Who reported it: `phone`, `camera`, `microphone`, `buttons`, `clock`."""
    undone: bool = False
    rejected: str | None = None
    """Code of the rejection; None if it was accepted."""
    turn: str | None = None
    """Who was to act when it was judged."""
    why: str | None = None
    """The rejection as a sentence."""
    rule: str = ""
    verdicts: tuple[EntryVerdict, ...] = ()
    overruled: bool = False
    agreed: int | None = None
    """Of a rejected entry: number of the `position` by which the table counts it all the same."""
    dropped: tuple[DroppedEntry, ...] = ()
    round: int | None = None
    """The round in which it was judged; None in a game without rounds."""
    trick: int | None = None


class FieldChoice(msgspec.Struct, frozen=True):
    """What one field of an offered event may be; which keys there are depends on `kind` (docs/events.md)."""

    kind: str
    values: tuple[Any, ...] | UnsetType = UNSET
    low: int | float | UnsetType | None = UNSET
    high: int | UnsetType | None = UNSET
    before: int | float | UnsetType | None = UNSET
    but: tuple[str, ...] | UnsetType = UNSET
    least: int | UnsetType = UNSET
    count: int | UnsetType = UNSET
    top: tuple[int, ...] | UnsetType = UNSET
    eyes: tuple[int, ...] | UnsetType = UNSET
    bottom: tuple[int, ...] | UnsetType = UNSET
    counted: dict[str, int] | UnsetType = UNSET
    symbols: int | UnsetType = UNSET
    tiles: int | UnsetType = UNSET
    right: tuple[tuple[str, ...], ...] | UnsetType = UNSET
    left: dict[str, int] | UnsetType = UNSET
    numbers: dict[str, tuple[int, ...]] | UnsetType | None = UNSET
    number_required: bool | UnsetType = UNSET
    card: FieldChoice | UnsetType = UNSET
    showing: tuple[str, ...] | UnsetType | None = UNSET
    jokers: int | UnsetType = UNSET
    total: int | UnsetType | None = UNSET


class EventOffer(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event that would be accepted now. Times are seconds of the game."""

    event: str
    fields: dict[str, FieldChoice]
    optional: tuple[str, ...] = ()
    by: float | None = None
    rule: str = ""
    after: float | None = None


class DeadlineLeft(msgspec.Struct, frozen=True):
    """The time that is left of the running deadline, in seconds, and whose it is."""

    left: float = msgspec.field(name="in")
    player: str | None = None


class AnswerOption(msgspec.Struct, frozen=True):
    """One answer to a question; with neither `card` nor `words` it is "none of these"."""

    id: str
    card: Any = None
    words: tuple[str, ...] = ()
    label: str = ""


class TableQuestion(msgspec.Struct, frozen=True):
    """A question that the table is asked. `player`: whose reading it is about, None for everybody's."""

    id: str
    code: str
    params: Params
    options: tuple[AnswerOption, ...]
    player: str | None = None
    picture: str | None = None
    """Address of the picture that the question is about."""
    text: str = ""


class SourceState(msgspec.Struct, frozen=True):
    """Whether a source (`camera`, `microphone`, `buttons` ...) works, and what is wrong with it.

    `code` and `params` are the reason, `why` is its sentence; a source that is up has one if it works badly.
    """

    up: bool
    code: str | None = None
    params: Params = {}
    why: str = ""


class Announced(msgspec.Struct, frozen=True):
    """Something that was announced. `priority` is 0 (routine) to 5 (alarm)."""

    code: str
    params: Params
    priority: int
    rhythm: str | None = None
    """How buzzer and lamps give it; None for silence."""
    text: str = ""
    n: int | UnsetType = UNSET
    """Of the latest announcement: the number of the log's last entry when it was made."""


class NightGame(msgspec.Struct, frozen=True):
    """One game of the evening. Without a winner it is still open or was broken off."""

    id: int
    name: str
    players: tuple[str, ...]
    winner: tuple[str, ...]
    scores: dict[str, int]
    ended: bool
    points: dict[str, int]
    """One point for each player finished above."""


class Standing(msgspec.Struct, frozen=True):
    """A player's points of the evening."""

    player: str
    points: int


class NightSummary(msgspec.Struct, frozen=True):
    """The evening: its games in order, and the standings, best first."""

    games: tuple[NightGame, ...] = ()
    standings: tuple[Standing, ...] = ()


class PointSums(msgspec.Struct, frozen=True):
    """How the points that an entry brought came about, e.g. of each display at the end of a round."""

    n: int
    """Number of the entry."""
    sentences: tuple[Sentence, ...] | UnsetType = UNSET
    """Without a language; written as `lines` for a reader."""
    lines: tuple[str, ...] = ()


class SeatingOffer(msgspec.Struct, frozen=True):
    """A game that a tournament has planned for this table."""

    id: str
    """Id of the seating; the game gets it as its key."""
    tournament: str
    """Title of the tournament."""
    round: int
    game: str
    title: str
    """The game's title."""
    players: tuple[str, ...]
    """In seating order."""
    declined: bool = False
    """The players do not want it now; it can still be begun."""


class Snapshot(msgspec.Struct, frozen=True):
    """Everything that is known now. Between two games `game` is None and what belongs to a game is empty."""

    seq: int
    """Number of the journal's latest line of all games."""
    game: GameOnTable | None = None
    state: StateView = {}
    scores: dict[str, int] = {}
    winner: tuple[str, ...] = ()
    phase: str | None = None
    turn: str | None = None
    log: tuple[LogEntry, ...] = ()
    """The latest entries, oldest first."""
    sums: tuple[PointSums, ...] = ()
    """How the points came about, oldest first; empty in a game without sums."""
    offers: tuple[EventOffer, ...] = ()
    paused: str | None = None
    """Why the game's clock stands still; None if it runs."""
    deadline: DeadlineLeft | None = None
    questions: tuple[TableQuestion, ...] = ()
    sources: dict[str, SourceState] = {}
    announcement: Announced | None = None
    """The latest one."""
    night: NightSummary = NightSummary()
    recording: bool = False
    """Whether the evening is being recorded: pictures, sound and everything that phones send."""
    seating: SeatingOffer | None = None
    """The game of a tournament that waits for these players; None while an undecided game is on the table."""


class TableChange(msgspec.Struct, frozen=True):
    """A message of the event stream: `snapshot` on connecting, `change` afterwards."""

    kind: Literal["snapshot", "change"]
    snapshot: Snapshot
    announcements: tuple[Announced, ...]
    since: int | UnsetType | None = UNSET
    """On connecting: the number that the phone knew before (`Last-Event-ID`), None for a new one."""
