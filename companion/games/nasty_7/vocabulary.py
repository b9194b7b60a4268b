"""The events of The Nasty 7: their fields, and how a value is checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.contract.fields import HEARD, EventKind, Field, Setup, a_player, a_time
from companion.games.nasty_7.calls import CARDS, TWINS

PLAY = frozenset({"play"})


def a_card(value: Any, setup: Setup) -> str | None:
    """One of the five kinds; twins only where they are in the deck."""
    if not isinstance(value, str):
        return "bad_field"
    known = value in CARDS and (setup.settings.twins or value not in TWINS)
    return None if known else "unknown_card"


def some_players(value: Any, setup: Setup) -> str | None:
    """A list of names at the table; whether it is empty or repeats one is judged with the accusation."""
    if not isinstance(value, list):
        return "bad_field"
    codes = {a_player(name, setup) for name in value}
    return "unknown_player" if "unknown_player" in codes else "bad_field" if "bad_field" in codes else None


EVENTS: Mapping[str, EventKind] = {
    "card_played": EventKind(
        (Field("player", a_player), Field("card", a_card), Field("t", a_time)),
        PLAY,
        "A card lies face up on the pile.",
    ),
    "heard": EventKind(HEARD, PLAY, "Something was said: by whoever played the top card, unless named."),
    "time_passed": EventKind((Field("t", a_time),), PLAY, "Nothing else happened up to this time."),
    "accused": EventKind(
        (Field("by", some_players), Field("t", a_time), Field("player", a_player, required=False)),
        PLAY,
        "Somebody doubts the latest finished call.",
    ),
}
