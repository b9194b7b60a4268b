"""What has been played on this machine."""

from __future__ import annotations

import msgspec


class PastGame(msgspec.Struct, frozen=True):
    """One game. `winner` is empty for a game that was broken off or is still on the table.

    `started` and `ended` are ISO 8601 times in UTC; `bgstats` is a link that enters it into BG Stats.
    """

    id: int
    name: str
    title: str
    started: str
    ended: str | None
    players: tuple[str, ...]
    scores: dict[str, int]
    winner: tuple[str, ...]
    bgstats: str | None


class PlayerRecord(msgspec.Struct, frozen=True):
    """A player's decided games over all evenings; one point for each player finished above."""

    player: str
    games: int
    won: int
    points: int


class GameHistory(msgspec.Struct, frozen=True):
    """The latest games, the latest first, and the players' records, best first."""

    games: tuple[PastGame, ...]
    records: tuple[PlayerRecord, ...]
