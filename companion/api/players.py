"""What each player has played so far: wins, opponents, and how fast calls came."""

from __future__ import annotations

import msgspec


class GameTally(msgspec.Struct, frozen=True):
    """A player's decided games of one kind."""

    name: str
    title: str
    games: int
    won: int


class HeadToHead(msgspec.Struct, frozen=True):
    """Decided games that two players played together, seen from one of them. Equal places are neither."""

    player: str
    games: int
    above: int
    """Games in which one finished above that player."""
    below: int


class CallTimes(msgspec.Struct, frozen=True):
    """A player's right calls in one game."""

    game: int
    started: str
    """ISO 8601 in UTC."""
    seconds: tuple[float, ...]
    """From the card on the pile to the beginning of the call, in the order of the calls."""


class PlayerReport(msgspec.Struct, frozen=True):
    """One player over all evenings."""

    player: str
    games: int
    won: int
    points: int
    """One point for each player finished above."""
    tallies: tuple[GameTally, ...]
    """Most played first."""
    opponents: tuple[HeadToHead, ...]
    """Most games together first."""
    calls: tuple[CallTimes, ...]
    """The latest games with calls that the microphone heard, oldest first."""


class PlayerReports(msgspec.Struct, frozen=True):
    """Everybody who has played, most points first."""

    players: tuple[PlayerReport, ...]
    ok: bool = True
