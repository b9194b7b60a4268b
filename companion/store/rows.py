"""The rows of the journal as its readers get them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.core.events import Event, HouseRules


class Line(msgspec.Struct, frozen=True):
    """One judged event: accepted if `code` is None; `t` is the time of the game when it was judged."""

    seq: int
    n: int
    t: float
    at: str
    source: str
    event: Event
    code: str | None


class AskedQuestion(msgspec.Struct, frozen=True):
    """A question that the table was asked, and what became of it."""

    n: int
    """Number of the log's last entry before the answer."""
    t: float
    """Time of the game when it was closed."""
    source: str
    """The sense that was not sure."""
    code: str
    player: str | None
    about: str
    """What lasts and was asked about (companion.games.spotter.Question); may be empty."""
    answer: str | None
    """The option that was chosen; None: the table played on, or the question was withdrawn."""
    events: int = 0
    """Entries that it made, from number n + 1 on."""


class GameRow(msgspec.Struct, frozen=True):
    """One game of one night. `scores` and `winner` are known once it has ended."""

    id: int
    key: str
    night: int
    name: str
    players: list[str]
    settings: HouseRules
    started: str
    ended: str | None = None
    scores: dict[str, int] | None = None
    winner: list[str] | None = None

    def header(self) -> Mapping[str, object]:
        """The first line of the game's script."""
        return {"game": self.name, "players": self.players, "settings": self.settings}


class Receipt(msgspec.Struct, frozen=True):
    """The reply that a command was answered with."""

    key: str
    """The key that the phone made for the command."""
    digest: str
    """Digest of the command and of who sent it: another command with the same key is an error."""
    reply: str
    """As JSON."""


GAME_COLUMNS = "id, key, night, name, players, settings, started, ended, scores, winner"


def line_of(row: Sequence[Any]) -> Line:
    seq, n, t, at, source, event, code = row
    return Line(seq, n, t, at, source, msgspec.json.decode(event), code)


def game_of(row: tuple[Any, ...]) -> GameRow:
    number, key, night, name, players, settings, started, ended, scores, winner = row
    decode = msgspec.json.decode
    return GameRow(
        number,
        key,
        night,
        name,
        decode(players),
        decode(settings),
        started,
        ended,
        None if scores is None else decode(scores),
        None if winner is None else decode(winner),
    )


def as_text(value: Any) -> str:
    return msgspec.json.encode(value).decode()
