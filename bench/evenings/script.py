"""A whole game as it really happened: what the players do, and which events the journal must hold.

A script is a list of beats. A beat is something that nobody interrupts: a card with its call, a turn, a trick
that is put away. Times in a beat are seconds since its start, so that the players may stop between two beats
to answer a question. The true events have been judged by the rulebook: a script is legal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from companion.art.scene.moves import Move
from companion.table.record import Record, opened

Json = dict[str, Any]
Rng = np.random.Generator
Sense = Literal["camera", "microphone", "buttons", "phone", "photograph"]
"""Who can know of an event; `phone`: no sense can, the players enter it; `photograph`: it comes from a
photograph that a phone takes."""

NAMES = ("Ida", "Jo", "Kai", "Lea", "Max")
TIMES = frozenset({"t", "start", "end"})
"""Fields of an event that say when it happened."""


@dataclass(frozen=True)
class SpokenCall:
    """A player says words aloud; `loudness` 1 is a clear call into the room."""

    at: float
    player: str
    words: tuple[str, ...]
    loudness: float = 1.0


@dataclass(frozen=True)
class ButtonPress:
    """A button of the table goes down."""

    at: float
    button: str


@dataclass(frozen=True)
class PlayedPhoto:
    """A phone photographs a player's tiles or display; `labels` lie there, by column where there are
    columns."""

    at: float
    player: str
    columns: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class TrueEvent:
    """An event as the rulebook has accepted it, with times of the script's own clock.

    `moment` names the circumstances, e.g. "card laid crooked": faults are counted by it.
    """

    at: float
    event: Json
    sense: Sense
    moment: str


@dataclass(frozen=True)
class Beat:
    """One thing that the players do. `look`: afterwards they look at the page and mend what is wrong. `what`:
    circumstances of a beat in which nothing true happens."""

    seconds: float
    moves: tuple[Move, ...]
    calls: tuple[SpokenCall, ...]
    presses: tuple[ButtonPress, ...]
    photos: tuple[PlayedPhoto, ...]
    truth: tuple[TrueEvent, ...]
    look: bool
    what: str = ""


@dataclass(frozen=True)
class Script:
    """One game. `zones` are where the players drew the zones, `span` mm of table are seen across the
    picture."""

    game: str
    seed: int
    players: tuple[str, ...]
    settings: Json
    beats: tuple[Beat, ...]
    span: float
    zones: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)
    start: tuple[Any, ...] = ()
    """Cards that lie on the table before the game."""
    tilt: float = 12.0
    """Degrees by which the camera looks aside at most."""

    @property
    def seconds(self) -> float:
        """How long it takes when nobody stops."""
        return sum(beat.seconds for beat in self.beats)

    def header(self) -> Json:
        """The first line of the script as `companion replay` reads it."""
        return {"game": self.game, "players": list(self.players), "settings": self.settings}

    def events(self) -> list[TrueEvent]:
        """All true events in their order."""
        return [one for beat in self.beats for one in beat.truth]


class ScriptWriter:
    """Writes a script: collects what happens in the present beat and lets the rulebook judge it."""

    def __init__(self, game: str, players: Sequence[str], settings: Json) -> None:
        self.game, self.players, self.settings = game, tuple(players), settings
        self.record: Record[Any] = opened({"game": game, "players": list(players), "settings": settings})
        self.beats: list[Beat] = []
        self.clock = 1.0
        """Seconds of the script at which the present beat begins."""
        self.moves: list[Move] = []
        self.calls: list[SpokenCall] = []
        self.presses: list[ButtonPress] = []
        self.photos: list[PlayedPhoto] = []
        self.truth: list[TrueEvent] = []

    @property
    def view(self) -> Json:
        """The true state, as JSON."""
        return dict(self.record.book.view(self.record.state))

    @property
    def over(self) -> bool:
        """Whether the game has been decided."""
        return bool(self.record.winner())

    def happen(self, at: float, event: Json, sense: Sense, moment: str) -> list[str]:
        """A true event `at` seconds after the beat's start; the kinds of the verdicts that it brings.

        Raises:
            AssertionError: the rulebook does not accept it.
        """
        names = {one.name for one in self.record.book.events[event["event"]].fields}
        full = dict(event)
        for name in sorted(names & TIMES - full.keys()):
            full[name] = round(self.clock + at, 3)
        before = len(self.record.verdicts)
        entry = self.record.push(full)
        assert entry.code is None, f"{self.game}: {full} is refused: {entry.code}"
        self.truth.append(TrueEvent(at, full, sense, moment))
        return [str(one["verdict"]) for one in self.record.verdicts[before:]]

    def end_beat(self, seconds: float, look: bool = False, what: str = "") -> None:
        """Ends the beat after so many seconds."""
        self.beats.append(
            Beat(
                seconds,
                tuple(self.moves),
                tuple(self.calls),
                tuple(self.presses),
                tuple(self.photos),
                tuple(self.truth),
                look,
                what,
            )
        )
        self.moves, self.calls, self.presses, self.photos, self.truth = [], [], [], [], []
        self.clock = round(self.clock + seconds, 3)

    def script(self, seed: int, span: float, **more: Any) -> Script:
        """The whole script."""
        return Script(self.game, seed, self.players, self.settings, tuple(self.beats), span, **more)
