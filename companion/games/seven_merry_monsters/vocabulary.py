"""The events of Seven Merry Monsters: their fields, the phases they belong to, and how a value is checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.contract.fields import (
    Event,
    EventKind,
    Field,
    Setup,
    a_boolean,
    a_player,
    is_integer,
)
from companion.games.seven_merry_monsters.state import JOKER, LAST_CARDS


def card_code(value: Any, setup: Setup, number_required: bool = False) -> str | None:
    """Judges a card: {"monster", "number"?}; None, or the code of what is wrong with it."""
    if not isinstance(value, dict):
        return "bad_field"
    monster, settings = value.get("monster"), setup.settings
    if not isinstance(monster, str):
        return "bad_field"
    number = value.get("number")
    if "number" in value and not (is_integer(number) and number >= 0):
        return "bad_field"
    if monster == JOKER:
        return None
    if monster not in settings.monsters:
        return "unknown_card"
    if "number" not in value:
        return "missing_field" if number_required else None
    return None if settings.numbers is None or number in settings.numbers else "unknown_card"


def a_card(value: Any, setup: Setup) -> str | None:
    """A card whose number may be unknown."""
    return card_code(value, setup)


def a_played_card(value: Any, setup: Setup) -> str | None:
    """A card in a trick: a monster's number has to be known."""
    return card_code(value, setup, number_required=True)


def some_cards(value: Any, setup: Setup) -> str | None:
    """The one or two cards of a hidden column."""
    if not isinstance(value, list) or not 1 <= len(value) <= LAST_CARDS:
        return "bad_field"
    codes = {card_code(card, setup) for card in value}
    return "bad_field" if "bad_field" in codes else "unknown_card" if "unknown_card" in codes else None


def a_column(value: Any, setup: Setup) -> str | None:
    """A monster's name, `aside`, or the number of a hidden column."""
    return None if isinstance(value, str) else a_hidden_column(value, setup)


def a_hidden_column(value: Any, setup: Setup) -> str | None:
    """Hidden column 1 or 2."""
    return None if is_integer(value) and value in (1, 2) else "bad_field"


def a_count(value: Any, setup: Setup) -> str | None:
    """A number of cards."""
    return None if is_integer(value) and value >= 0 else "bad_field"


def a_display(value: Any, setup: Setup) -> str | None:
    """A display as scanned: {monster: {"cards", "jokers"}}; a column has at least one card.

    A column under the name of the joker is one of jokers only, which the rules have a code for.
    """
    if not isinstance(value, dict):
        return "bad_field"
    if not all(_is_column(column) for column in value.values()):
        return "bad_field"
    known = {*setup.settings.monsters, JOKER}
    return None if value.keys() <= known else "unknown_card"


def _is_column(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    cards, jokers = value.get("cards"), value.get("jokers")
    return is_integer(cards) and is_integer(jokers) and cards >= 1 and 0 <= jokers <= cards


def _placed(event: Event, setup: Setup) -> str | None:
    """An open card, with a column if it is a joker; or no card, face down, in a hidden column."""
    column = event.get("column")
    if event.get("face_down") is True:
        if "column" not in event:
            return "missing_field"
        return "bad_field" if "card" in event or isinstance(column, str) else None
    if "card" not in event:
        return "missing_field"
    card = event["card"]
    if "column" not in event and isinstance(card, dict) and card.get("monster") == JOKER:
        return "missing_field"
    return None if "column" not in event or isinstance(column, str) else "bad_field"


EVENTS: Mapping[str, EventKind] = {
    "card_played": EventKind(
        (Field("player", a_player), Field("card", a_played_card)),
        frozenset({"trick"}),
        "A card is played to the trick.",
    ),
    "trick_awarded": EventKind(
        (Field("player", a_player), Field("to", a_player)),
        frozenset({"award"}),
        "Whoever made the tie gives the trick to one of the two tied players.",
    ),
    "card_placed": EventKind(
        (
            Field("player", a_player),
            Field("card", a_card, required=False),
            Field("column", a_column, required=False),
            Field("face_down", a_boolean, required=False),
        ),
        frozenset({"setup", "placing", "last_cards"}),
        "A card goes into the player's own display.",
        _placed,
    ),
    "card_revealed": EventKind(
        (Field("player", a_player), Field("column", a_hidden_column), Field("cards", some_cards)),
        frozenset({"trick", "placing", "last_cards"}),
        "All cards of a hidden column are turned over.",
    ),
    "display_scanned": EventKind(
        (Field("player", a_player), Field("display", a_display), Field("aside", a_count, required=False)),
        frozenset({"scan"}),
        "A display was read at the end of a round.",
    ),
}
