"""The events of Trio Monsters: their fields, the phases they belong to, and how a value is checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.contract.choices import is_place
from companion.games.contract.fields import EventKind, Field, Setup, a_player
from companion.games.trio_monsters.state import START


def a_colour(value: Any, setup: Setup) -> str | None:
    """A colour, one of those enrolled if any are."""
    if not isinstance(value, str) or not value:
        return "bad_field"
    colours = setup.settings.colours
    return None if colours is None or value in colours else "unknown_card"


def a_lattice_place(value: Any, setup: Setup) -> str | None:
    """[row, column] on the lattice."""
    return None if is_place(value) else "bad_field"


def the_start(value: Any, setup: Setup) -> str | None:
    """[0, 0], where the start card lies."""
    return None if is_place(value) and tuple(value) == START else "bad_field"


EVENTS: Mapping[str, EventKind] = {
    "card_revealed": EventKind(
        (Field("card", a_colour), Field("at", the_start)),
        frozenset({"setup"}),
        "The start card is turned over from the draw pile.",
    ),
    "card_played": EventKind(
        (Field("player", a_player), Field("card", a_colour), Field("at", a_lattice_place)),
        frozenset({"play"}),
        "A card is laid; what it catches is won at once.",
    ),
    "turn_ended": EventKind(
        (Field("player", a_player),),
        frozenset({"play"}),
        "The player draws up to three cards; the next one follows.",
    ),
}
