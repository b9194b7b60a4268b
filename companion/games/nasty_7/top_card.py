"""What the table knows of the top card and of the call that is due for it: whose card it is, from when until
when its call may be made, and the sound of that time."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from companion.core.observations import EARLY_S, LATEST_SOUND, Utterance
from companion.core.weighing import CallDue, Words
from companion.games.nasty_7.calls import PHONES
from companion.games.spotter import GameView, right_words

ROUNDING_S = 0.002
"""Times of the game are rounded to milliseconds, and their differences are not exact."""
DATING_S = 0.1
"""95 of 100 landings and beginnings of calls are dated within so many seconds (docs/benchmarks.md)."""


def latest_play(game: GameView) -> Mapping[str, Any] | None:
    """The event that put the top card on the pile, None if there is no pile."""
    if not game.view["pile"]:
        return None
    return next((event for event in reversed(game.past) if event["event"] == "card_played"), None)


def in_time(game: GameView, t: float) -> float:
    """A moment (s of the game); the deadline, if the moment is behind that by no more than senses date it
    wrongly: nobody is too late by an error of the camera or of the microphone."""
    over_t = deadline(game)
    return over_t if 0.0 < t - over_t <= DATING_S else t


def is_free(game: GameView) -> bool:
    """Whether the caller of the top card sets the sound of the round (N7-28)."""
    phone = top_card(game) in PHONES
    return phone and game.view.get("sound") is None and not right_words(game)


def top_card(game: GameView) -> str | None:
    """The card on top of the pile."""
    play = latest_play(game)
    return None if play is None else str(play["card"])


def caller(game: GameView) -> str | None:
    """The player of the top card."""
    play = latest_play(game)
    return None if play is None else str(play["player"])


def calls_made(game: GameView) -> list[Mapping[str, Any]]:
    """The events of what was said for the top card."""
    since = max((i for i, one in enumerate(game.past) if one["event"] == "card_played"), default=0)
    return [one for one in game.past[since:] if one["event"] == "heard"]


def latest_words(game: GameView) -> Words:
    """The words of the latest event if it is a call, by the players' answer if they were asked; otherwise
    none."""
    latest = game.past[-1] if game.past else {}
    return tuple(latest["words"]) if latest.get("event") == "heard" else ()


def all_that_was_heard(game: GameView, seconds: float, until: float = math.inf) -> tuple[Utterance, CallDue]:
    """The sound of the `seconds` for the call that is due, to be weighed against that call. If the game's
    clock stood still at the latest event, they begin when it goes on. `until`: a moment of the clock at which
    it ends before."""
    latest = latest_time(game)
    since, until = game.moment(latest + ROUNDING_S), min(until, game.moment(latest + seconds))
    sound = Utterance((), since - EARLY_S, until, 0.0, sound=LATEST_SOUND)
    return sound, CallDue(right_words(game), speaker=caller(game) or "")


def latest_time(game: GameView) -> float:
    """When the latest event was over, in seconds of the game: from then on the time for the call runs."""
    times = [float(event.get("end", event.get("t", 0.0))) for event in game.past[-3:]]
    return max(times, default=0.0)


def deadline(game: GameView) -> float:
    """When the time for the call or the next card is up, in seconds of the game."""
    return latest_time(game) + float(game.settings.hesitation_s)


def sound_name(game: GameView) -> str:
    """The name of the sound that may be invented now; empty: none may."""
    return f"sound {game.view.get('round', 1)}" if is_free(game) else ""
