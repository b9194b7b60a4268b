"""Shows and announces on every page that the evening is being recorded, and what a recording starts from."""

from __future__ import annotations

from companion.announce.announcement import Announcement
from companion.core.message import Message
from companion.table.game_clock import RESUMED, GameClock
from companion.table.referee import Referee

STARTED, STOPPED, FAILED = "recording_started", "recording_stopped", "recording_failed"
"""Codes of the announcements."""


def show_started(referee: Referee) -> None:
    """The recording has begun."""
    referee.recording = True
    referee.announce(Announcement(STARTED))


def show_stopped(referee: Referee, why: Message | None = None) -> None:
    """The recording has ended; `why`: it ended by itself."""
    referee.recording = False
    referee.announce(Announcement(STOPPED) if why is None else Announcement(FAILED, {"why": why}))


def running_game(referee: Referee) -> tuple[int, float, bool] | None:
    """The game on the table: its number, its own time in seconds, whether that stands still."""
    game = referee.game
    if game is None:
        return None
    return game.row.id, game.clock.time(referee.clock()), game.clock.paused is not None


def take_up(referee: Referee, game: int, time: float, paused: bool) -> None:
    """Lets the game on the table go on where it was when a recording began (see `running_game`); another game
    stays as it is."""
    running = referee.game
    if running is None or running.row.id != game:
        return
    running.clock = GameClock(referee.clock(), time)
    if paused:
        running.clock.pause(referee.clock(), RESUMED)
