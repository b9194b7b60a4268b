"""The four special powers of 13 Monsters (M13-21 to M13-23, M13-32 to M13-47)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.errors import Rejected
from companion.games.contract.fields import Event
from companion.games.contract.rulebook import Ruling, Verdict
from companion.games.thirteen_monsters.building import buildable, settled, unspent, with_monsters, with_sets
from companion.games.thirteen_monsters.field import card_at
from companion.games.thirteen_monsters.state import (
    DICE,
    GHOST,
    Frost,
    Monster,
    MonsterSet,
    Parts,
    ThirteenMonstersSettings,
    ThirteenMonstersState,
    parts_from,
    sets_of,
    species,
)

RULE = {
    "sacrifice": "M13-33",
    "permafrost": "M13-39",
    "prophet": "M13-42",
    "supernova": "M13-47",
}
"""Who has which power."""
THE_13TH = Monster((GHOST, GHOST, GHOST))


def has_power(power: str, parts: Parts, settings: ThirteenMonstersSettings) -> bool:
    """Whether a monster has a power (M13-33, M13-39, M13-42, M13-47, M13-R7)."""
    kind = species(parts)
    if power == "permafrost":
        return kind != "grunt" or settings.grunt_permafrost
    if power == "prophet":
        return kind in ("og", "thirteenth")
    return power == "sacrifice" or kind == "thirteenth"


def holds_power(state: ThirteenMonstersState, player: str, power: str) -> bool:
    """Whether one of a player's unspent monsters has a power (M13-R9)."""
    seat = state.setup.players.index(player)
    return any(has_power(power, parts, state.setup.settings) for parts in unspent(state, seat))


def power_used(state: ThirteenMonstersState, event: Event) -> Ruling[ThirteenMonstersState]:
    """A power: first what it is aimed at, then whether the player has it, then its effect.

    The codes come in the order of the vocabulary: `no_card`, `no_such_set`, `no_such_monster`,
    `no_such_power`, `power_lost`, `already_used`, `already_frozen`, `no_dice_left`; `must_build` of a
    Sacrifice comes last, because it is about what an otherwise possible Sacrifice leaves over.
    """
    player, power = event["player"], event["power"]
    effect = _EFFECTS[power](state, player, event)
    if event.get("announced", True):
        return settled(effect)
    denied = replace(state, denied=(*state.denied, power))
    return Ruling(denied, (Verdict(player, "not_announced", {"power": power}, "M13-22"),))


def _check_power(state: ThirteenMonstersState, player: str, power: str) -> None:
    if not holds_power(state, player, power):
        raise Rejected("no_such_power", RULE[power])
    if power in state.denied:
        raise Rejected("power_lost", "M13-R10")


def pool(state: ThirteenMonstersState, seat: int) -> tuple[MonsterSet, ...]:
    """The sets that a Sacrifice can rearrange: loose ones and those of unspent monsters (M13-R17)."""
    return (*state.sets[seat], *(one for parts in unspent(state, seat) for one in sets_of(parts)))


def _sacrifice(state: ThirteenMonstersState, player: str, event: Event) -> ThirteenMonstersState:
    """All monster sets are rearranged; what is left loose must not make a monster (M13-33, M13-R17)."""
    seat = state.setup.players.index(player)
    rebuilt = [parts_from(parts) for parts in event["rebuilt"]]
    rest = list(pool(state, seat))
    for one in (one for parts in rebuilt for one in sets_of(parts)):
        if one not in rest:
            raise Rejected("no_such_set", "M13-33")
        rest.remove(one)
    _check_power(state, player, "sacrifice")
    if buildable(tuple(rest)):
        raise Rejected("must_build", "M13-R17")
    spent = [monster for monster in state.monsters[seat] if monster.spent]
    after = with_monsters(state, seat, (*spent, *map(Monster, rebuilt)))
    return with_sets(after, seat, tuple(rest))


def _permafrost(state: ThirteenMonstersState, player: str, event: Event) -> ThirteenMonstersState:
    """A die is put on a card (M13-34, M13-35, M13-R5)."""
    place = card_at(state, event["at"])
    _check_power(state, player, "permafrost")
    if any(frost.place == place for frost in state.frozen):
        raise Rejected("already_frozen", "M13-34")
    most = state.setup.settings.permafrost_per_turn
    if len(state.frozen) == DICE or (most is not None and state.frozen_this_turn >= most):
        raise Rejected("no_dice_left", "M13-35" if len(state.frozen) == DICE else "M13-R5")
    frozen = (*state.frozen, Frost(place, player))
    return replace(state, frozen=frozen, frozen_this_turn=state.frozen_this_turn + 1)


def _prophet(state: ThirteenMonstersState, player: str, event: Event) -> ThirteenMonstersState:
    """Three cards in the next search (M13-40, M13-R8)."""
    if state.cards_left == 0:
        raise Rejected("no_card", "M13-R13")
    _check_power(state, player, "prophet")
    if state.prophet:
        raise Rejected("already_used", "M13-R8")
    return replace(state, prophet=True)


def _supernova(state: ThirteenMonstersState, player: str, event: Event) -> ThirteenMonstersState:
    """The 13th absorbs an opponent's monster and is out of the game (M13-43, M13-44)."""
    players = state.setup.players
    seat, parts = players.index(player), parts_from(event["parts"])
    others = [other for other in range(len(players)) if other != seat and parts in unspent(state, other)]
    if not others:
        raise Rejected("no_such_monster", "M13-43")
    _check_power(state, player, "supernova")
    (loser,) = others
    prey = Monster(parts)
    left = tuple(monster for monster in state.monsters[loser] if monster != prey)
    mine = tuple(monster for monster in state.monsters[seat] if monster != THE_13TH)
    state = with_monsters(state, loser, left)
    return with_monsters(state, seat, (*mine, prey, THE_13TH._replace(spent=True)))


_EFFECTS = {
    "sacrifice": _sacrifice,
    "permafrost": _permafrost,
    "prophet": _prophet,
    "supernova": _supernova,
}
