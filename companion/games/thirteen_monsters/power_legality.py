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
    return _OWN[event["power"]](state, event)


def _not_at_hand(state: State, player: str, power: str) -> Breach | None:
    """A power that no own monster has, or that was lost in this turn."""
    if not holds_power(state, player, power):
        return Breach("no_such_power", RULE[power])
    return Breach("power_lost", "M13-R10") if power in state.denied else None


def _sacrifice(state: State, event: Event) -> Breach | None:
    """Own sets are rearranged, until no further monster can be built (M13-33, M13-R17)."""
    player, rebuilt = event["player"], event["rebuilt"]
    possible = rearrangements(state, player).allows(rebuilt)
    if not possible and not _are_own_sets(pool(state, state.setup.players.index(player)), rebuilt):
        return Breach("no_such_set", "M13-33")
    missing = _not_at_hand(state, player, "sacrifice")
    if missing is not None or possible:
        return missing
    return Breach("must_build", "M13-R17")


def _are_own_sets(hand: int, monsters: list[list[int]]) -> bool:
    """Whether monsters are made of different sets of a hand."""
    for parts in monsters:
        used = sets_of(parts_from(parts))
        if used & ~hand:
            return False
        hand ^= used
    return True


def rearrangements(state: State, player: str) -> Monsters:
    """What a Sacrifice may make: no further monster can be built from what is left (M13-33, M13-R17)."""
    return Monsters(*layers(pool(state, state.setup.players.index(player))))


def _permafrost(state: State, event: Event) -> Breach | None:
    """A die on a card of the field (M13-34, M13-35, M13-R5)."""
    place = place_of(event["at"])
    if place is None or not state.unfound or state.field[place] == EMPTY:
        return Breach("no_card", "M13-4")
    missing = _not_at_hand(state, event["player"], "permafrost")
    if missing is not None:
        return missing
    if any(frost.place == place for frost in state.frozen):
        return Breach("already_frozen", "M13-34")
    if len(state.frozen) == DICE:
        return Breach("no_dice_left", "M13-35")
    most = state.setup.settings.permafrost_per_turn
    if most is not None and state.frozen_this_turn >= most:
        return Breach("no_dice_left", "M13-R5")
    return None


def _prophet(state: State, event: Event) -> Breach | None:
    """Three cards in a search, once for each (M13-40, M13-R8, M13-R13)."""
    if not state.unfound:
        return Breach("no_card", "M13-R13")
    missing = _not_at_hand(state, event["player"], "prophet")
    if missing is not None or not state.prophet:
        return missing
    return Breach("already_used", "M13-R8")


def _supernova(state: State, event: Event) -> Breach | None:
    """A monster of an opponent is absorbed (M13-43)."""
    if victim_of(state, event["player"], parts_from(event["parts"])) is None:
        return Breach("no_such_monster", "M13-43")
    return _not_at_hand(state, event["player"], "supernova")


_OWN = {
    "sacrifice": _sacrifice,
    "permafrost": _permafrost,
    "prophet": _prophet,
    "supernova": _supernova,
}
