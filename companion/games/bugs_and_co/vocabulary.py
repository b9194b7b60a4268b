"""The events of Bugs & Co: their fields, the phases they belong to, and how a value is checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.contract.fields import HEARD, EventKind, Field, Setup, a_player, a_time, is_integer

PLAYING = frozenset({"play", "countdown"})
ALWAYS = frozenset({"setup", "play", "countdown", "scoring"})


def a_value(value: Any, setup: Setup) -> str | None:
    """A trophy's value; whether there is such a trophy is judged later."""
    return None if is_integer(value) else "bad_field"


def some_tiles(value: Any, setup: Setup) -> str | None:
    """{symbol: how many}, none of them less than zero."""
    good = isinstance(value, dict) and all(is_integer(n) and n >= 0 for n in value.values())
    return None if good else "bad_field"


_PLAYER_AT_TIME = (Field("player", a_player), Field("t", a_time, required=False))

EVENTS: Mapping[str, EventKind] = {
    "game_started": EventKind(
        (Field("t", a_time),), frozenset({"setup"}), "The start signal, after counting to three."
    ),
    "trophy_taken": EventKind(
        (Field("player", a_player), Field("value", a_value), Field("t", a_time)),
        frozenset({"play"}),
        "A player takes the highest trophy and stops.",
    ),
    "tile_taken": EventKind(
        _PLAYER_AT_TIME, PLAYING | {"scoring"}, "A tile goes unseen into the keeping hand."
    ),
    "tile_looked_at": EventKind(_PLAYER_AT_TIME, PLAYING, "A tile of the keeping hand is looked at."),
    "tile_returned": EventKind(_PLAYER_AT_TIME, PLAYING, "A tile of the keeping hand is put back."),
    "heard": EventKind(HEARD, ALWAYS, "Something was said: the countdown, if it is time for it."),
    "time_passed": EventKind((Field("t", a_time),), ALWAYS, "Nothing else happened up to this time."),
    "tiles_scored": EventKind(
        (Field("player", a_player), Field("tiles", some_tiles), Field("t", a_time, required=False)),
        frozenset({"scoring"}),
        "The sorted tiles of one player are counted.",
    ),
}
