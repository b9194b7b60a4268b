"""The events of 13 Monsters: their fields, the phases they belong to, and how a value is checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.contract.fields import (
    Event,
    EventKind,
    Field,
    Setup,
    a_boolean,
    a_place,
    a_player,
    is_integer,
)
from companion.games.thirteen_monsters.sets import KINDS, PARTS, set_from
from companion.games.thirteen_monsters.state import POWERS


def a_set(value: Any, setup: Setup) -> str | None:
    """{"monster", "part"}: a card of that set, or the set itself."""
    if not isinstance(value, dict):
        return "bad_field"
    monster, part = value.get("monster"), value.get("part")
    if not is_integer(monster) or not isinstance(part, str):
        return "bad_field"
    return None if 1 <= monster <= KINDS and part in PARTS else "unknown_card"


def a_set_or_none(value: Any, setup: Setup) -> str | None:
    """A set, or null where it is declined."""
    return None if value is None else a_set(value, setup)


def some_sets(value: Any, setup: Setup) -> str | None:
    """A list of sets, perhaps an empty one."""
    if not isinstance(value, list):
        return "bad_field"
    codes = {a_set(one, setup) for one in value}
    return "bad_field" if "bad_field" in codes else "unknown_card" if "unknown_card" in codes else None


def some_parts(value: Any, setup: Setup) -> str | None:
    """[top, eyes, bottom]: three monster numbers."""
    if not isinstance(value, list) or len(value) != len(PARTS):
        return "bad_field"
    for number in value:
        if not is_integer(number) or not 1 <= number <= KINDS:
            return "bad_field"
    return None


def some_monsters(value: Any, setup: Setup) -> str | None:
    """A list of [top, eyes, bottom]."""
    good = isinstance(value, list) and all(some_parts(one, setup) is None for one in value)
    return None if good else "bad_field"


def some_dice(value: Any, setup: Setup) -> str | None:
    """A list of integers; whether dice can show them is judged with the throw."""
    return None if isinstance(value, list) and all(map(is_integer, value)) else "bad_field"


def a_power(value: Any, setup: Setup) -> str | None:
    """The name of a special power."""
    return None if isinstance(value, str) and value in POWERS else "bad_field"


a_field_place = a_place
"""[row, column]; a place off the grid has no card (`no_card`)."""


def _bargain(event: Event, setup: Setup) -> str | None:
    """Something changes hands, no set twice, and not with oneself (M13-20)."""
    gives, gets = event.get("gives"), event.get("gets")
    if "with" in event and event["with"] == event.get("player"):
        return "bad_field"
    if some_sets(gives, setup) is not None or some_sets(gets, setup) is not None:
        return None
    both = [set_from(one) for one in (*(gives or ()), *(gets or ()))]
    return "bad_field" if not both or len(set(both)) != len(both) else None


_PLAYER = Field("player", a_player)
_POWER = (_PLAYER, Field("power", a_power), Field("announced", a_boolean, required=False))
_BEFORE = frozenset({"before_search", "final_round"})
_FIGHT = frozenset({"attack", "death_battle"})

_POWERS = {
    "sacrifice": EventKind((*_POWER, Field("rebuilt", some_monsters)), _BEFORE),
    "permafrost": EventKind((*_POWER, Field("at", a_field_place)), _BEFORE | {"after_search"}),
    "prophet": EventKind(_POWER, _BEFORE),
    "supernova": EventKind((*_POWER, Field("parts", some_parts)), _BEFORE),
}
"""What each power needs beside its name."""

EVENTS: Mapping[str, EventKind] = {
    "sets_dealt": EventKind(
        (_PLAYER, Field("sets", some_sets)),
        frozenset({"before_search"}),
        "The short game's Grunts, or an interrupted game taken up again.",
    ),
    "card_revealed": EventKind(
        (_PLAYER, Field("at", a_field_place), Field("card", a_set)),
        frozenset({"before_search", "search"}),
        "A card is turned over in a search.",
    ),
    "search_ended": EventKind(
        (_PLAYER,), frozenset({"search"}), "The third card of a search with Prophet is declined."
    ),
    "turn_ended": EventKind(
        (_PLAYER,),
        frozenset({"before_search", "after_search", "final_round"}),
        "The next player's turn.",
    ),
    "traded": EventKind(
        (_PLAYER, Field("with", a_player), Field("gives", some_sets), Field("gets", some_sets)),
        frozenset({"before_search"}),
        "Loose sets change hands.",
        _bargain,
    ),
    "power_used": EventKind(
        (
            *_POWER,
            Field("rebuilt", some_monsters, required=False),
            Field("at", a_field_place, required=False),
            Field("parts", some_parts, required=False),
        ),
        _BEFORE | {"after_search"},
        "A special power; `rebuilt` for Sacrifice, `at` for Permafrost, `parts` for Supernova.",
        by="power",
        variants=_POWERS,
    ),
    "monster_built": EventKind(
        (_PLAYER, Field("parts", some_parts)),
        frozenset({"before_search", "search", "final_round"}),
        "Somebody chooses the sets of a monster that must be built.",
    ),
    "attack_declared": EventKind(
        (_PLAYER, Field("parts", some_parts), Field("set", a_set)),
        _BEFORE,
        "An attack with this monster for that set.",
    ),
    "dice_thrown": EventKind(
        (_PLAYER, Field("dice", some_dice), Field("kept", some_dice, required=False)),
        _FIGHT,
        "A throw: the values just thrown, and those left lying aside.",
    ),
    "throwing_ended": EventKind((_PLAYER,), _FIGHT, "A fighter stops before the last throw."),
    "set_taken": EventKind(
        (_PLAYER, Field("set", a_set_or_none)),
        frozenset({"spoils"}),
        "The successful defender takes a set of the attacking monster, or declines (null).",
    ),
    "monster_chosen": EventKind(
        (_PLAYER, Field("parts", some_parts)),
        frozenset({"death_battle"}),
        "A tied player chooses the monster for the Death Battle.",
    ),
}
