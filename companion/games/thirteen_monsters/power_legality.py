"""Which special powers of 13 Monsters may be used (M13-21 to M13-23, M13-32 to M13-47).

First what the power is aimed at, then whether the player has it, then its own limits. The codes come in the
order of the vocabulary: `no_card`, `no_such_set`, `no_such_monster`, `no_such_power`, `power_lost`,
`already_used`, `already_frozen`, `no_dice_left`; `must_build` of a Sacrifice comes last, because it is about
what an otherwise possible Sacrifice leaves over.
"""

from __future__ import annotations

from companion.games.contract.choices import Monsters
from companion.games.contract.fields import Event
from companion.games.contract.legality import Breach
from companion.games.thirteen_monsters.field import EMPTY
from companion.games.thirteen_monsters.powers import holds_power, pool, victim_of
from companion.games.thirteen_monsters.sets import layers, parts_from, sets_of
from companion.games.thirteen_monsters.state import DICE, ThirteenMonstersState, place_of

State = ThirteenMonstersState

RULE = {
    "sacrifice": "M13-33",
    "permafrost": "M13-39",
    "prophet": "M13-42",
    "supernova": "M13-47",
}
"""Who has which power."""


def power_used(state: State, event: Event) -> Breach | None:
    """The rule that the use of a power would break."""
    power = event["power"]
    missing = _AIMS[power](state, event)
    if missing is not None:
        return missing
    if not holds_power(state, event["player"], power):
        return Breach("no_such_power", RULE[power])
    if power in state.denied:
        return Breach("power_lost", "M13-R10")
    limit = _LIMITS.get(power)
    return None if limit is None else limit(state, event)


def _sets_at_hand(state: State, event: Event) -> Breach | None:
    rest = pool(state, state.setup.players.index(event["player"]))
    for parts in event["rebuilt"]:
        used = sets_of(parts_from(parts))
        if used & ~rest:
            return Breach("no_such_set", "M13-33")
        rest ^= used
    return None


def _rearranged(state: State, event: Event) -> Breach | None:
    if rearrangements(state, event["player"]).allows(event["rebuilt"]):
        return None
    return Breach("must_build", "M13-R17")


def rearrangements(state: State, player: str) -> Monsters:
    """What a Sacrifice may make: no further monster can be built from what is left (M13-33, M13-R17)."""
    return Monsters(*layers(pool(state, state.setup.players.index(player))))


def _card_there(state: State, event: Event) -> Breach | None:
    place = place_of(event["at"])
    if place is None or not state.unfound or state.field[place] == EMPTY:
        return Breach("no_card", "M13-4")
    return None


def _dice_left(state: State, event: Event) -> Breach | None:
    place = place_of(event["at"])
    if any(frost.place == place for frost in state.frozen):
        return Breach("already_frozen", "M13-34")
    if len(state.frozen) == DICE:
        return Breach("no_dice_left", "M13-35")
    most = state.setup.settings.permafrost_per_turn
    if most is not None and state.frozen_this_turn >= most:
        return Breach("no_dice_left", "M13-R5")
    return None


def _something_to_search(state: State, event: Event) -> Breach | None:
    return None if state.unfound else Breach("no_card", "M13-R13")


def _once_a_search(state: State, event: Event) -> Breach | None:
    return Breach("already_used", "M13-R8") if state.prophet else None


def _prey(state: State, event: Event) -> Breach | None:
    prey = victim_of(state, event["player"], parts_from(event["parts"]))
    return Breach("no_such_monster", "M13-43") if prey is None else None


_AIMS = {
    "sacrifice": _sets_at_hand,
    "permafrost": _card_there,
    "prophet": _something_to_search,
    "supernova": _prey,
}
_LIMITS = {
    "sacrifice": _rearranged,
    "permafrost": _dice_left,
    "prophet": _once_a_search,
}
