"""What has been played on this machine."""

from __future__ import annotations

import msgspec

from companion.core.journal_damage import JournalDamage
from companion.core.message import Message


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
    night: int
    """Number of the evening."""
    points: dict[str, int]
    """One point for each player finished above."""


class PlayerRecord(msgspec.Struct, frozen=True):
    """A player's decided games over all evenings; one point for each player finished above."""

    player: str
    games: int
    won: int
    points: int


class SenseFigure(msgspec.Struct, frozen=True):
    """How often a sense (`camera`, `microphone`, `buttons`) was right.

    `total` is the sum of what was right, what it asked about because it was not sure, what the table
    corrected, and what it missed and a phone entered.
    """

    sense: str
    right: int
    total: int
    asked: int
    corrected: int
    missed: int


class CallFigure(msgspec.Struct, frozen=True):
    """How many of a player's calls were understood without help."""

    player: str
    right: int
    total: int


class SenseFigures(msgspec.Struct, frozen=True):
    """How far the senses can be trusted, over the latest games.

    `advice` says what helps; the host gives messages, a page gets sentences.
    """

    games: int = 0
    senses: tuple[SenseFigure, ...] = ()
    calls: tuple[CallFigure, ...] = ()
    advice: tuple[Message | str, ...] = ()


class GameHistory(msgspec.Struct, frozen=True):
    """The latest games, the latest first, the players' records, best first, and how right the senses were."""

    games: tuple[PastGame, ...]
    records: tuple[PlayerRecord, ...]
    senses: SenseFigures = SenseFigures()
    damage: tuple[JournalDamage, ...] = ()
    """Damage of the journal that was repaired, the latest first."""
