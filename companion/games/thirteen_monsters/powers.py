"""The four special powers of 13 Monsters: who has them, and what they do (M13-21 to M13-47)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.contract.fields import Event
from companion.games.contract.rulebook import Ruling, Verdict
from companion.games.thirteen_monsters.building import settled, unspent, with_monsters, with_sets
from companion.games.thirteen_monsters.sets import GHOST, Monster, Parts, parts_from, sets_of, species
from companion.games.thirteen_monsters.state import (
    Frost,
    ThirteenMonstersSettings,
    ThirteenMonstersState,
    place_of,
)

THE_13TH = Monster((GHOST, GHOST, GHOST))


def has_power(power: str, parts: Parts, settings: ThirteenMonstersSettings) -> bool:
    """Whether a monster has a power (M13-33, M13-39, M13-42, M13-47, M13-R7)."""
    if power == "sacrifice":
        return True
    kind = species(parts)
    if power == "permafrost":
        return kind != "grunt" or settings.grunt_permafrost
    return kind == "thirteenth" or (power == "prophet" and kind == "og")


def holds_power(state: ThirteenMonstersState, player: str, power: str) -> bool:
    """Whether one of a player's unspent monsters has a power (M13-R9)."""
    for monster in state.monsters[state.setup.players.index(player)]:
        if not monster.spent and has_power(power, monster.parts, state.setup.settings):
            return True
    return False


def pool(state: ThirteenMonstersState, seat: int) -> int:
    """The sets that a Sacrifice can rearrange: loose ones and those of unspent monsters (M13-R17)."""
    mask = state.sets[seat]
    for parts in unspent(state, seat):
        mask |= sets_of(parts)
    return mask


def victim_of(state: ThirteenMonstersState, player: str, parts: Parts) -> int | None:
    """The seat of the opponent who has a monster that a Supernova can absorb (M13-43)."""
    for seat, other in enumerate(state.setup.players):
        if other != player and parts in unspent(state, seat):
            return seat
    return None


def power_used(state: ThirteenMonstersState, event: Event) -> Ruling[ThirteenMonstersState]:
    """The effect of a power; one that is not announced is denied instead (M13-22)."""
    player, power = event["player"], event["power"]
    if not event.get("announced", True):
        denied = replace(state, denied=(*state.denied, power))
        return Ruling(denied, (Verdict(player, "not_announced", {"power": power}, "M13-22"),))
    match power:
        case "permafrost":
            return Ruling(_permafrost(state, player, event))
        case "prophet":
            return Ruling(replace(state, prophet=True))
        case "sacrifice":
            return settled(_sacrifice(state, player, event))
        case _:
            return settled(_supernova(state, player, event))


def _sacrifice(state: ThirteenMonstersState, player: str, event: Event) -> ThirteenMonstersState:
    """All monster sets are rearranged (M13-33, M13-R17)."""
    seat = state.setup.players.index(player)
    rebuilt = [parts_from(parts) for parts in event["rebuilt"]]
    rest = pool(state, seat)
    for parts in rebuilt:
        rest &= ~sets_of(parts)
    spent = [monster for monster in state.monsters[seat] if monster.spent]
    after = with_monsters(state, seat, (*spent, *map(Monster, rebuilt)))
    return with_sets(after, seat, rest)


def _permafrost(state: ThirteenMonstersState, player: str, event: Event) -> ThirteenMonstersState:
    """A die is put on a card (M13-34, M13-35)."""
    place = place_of(event["at"])
    assert place is not None
    frozen = (*state.frozen, Frost(place, player))
    return replace(state, frozen=frozen, frozen_this_turn=state.frozen_this_turn + 1)


def _supernova(state: ThirteenMonstersState, player: str, event: Event) -> ThirteenMonstersState:
    """The 13th absorbs an opponent's monster and is out of the game (M13-43, M13-44)."""
    seat, prey = state.setup.players.index(player), Monster(parts_from(event["parts"]))
    loser = victim_of(state, player, prey.parts)
    assert loser is not None
    left = tuple(monster for monster in state.monsters[loser] if monster != prey)
    mine = tuple(monster for monster in state.monsters[seat] if monster != THE_13TH)
    state = with_monsters(state, loser, left)
    return with_monsters(state, seat, (*mine, prey, THE_13TH._replace(spent=True)))
