"""The fights of 13 Monsters: attack, throws, spoils, Death Battle (M13-24 to M13-27, M13-51 to M13-63)."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from companion.games.contract.rulebook import Ruling, Verdict
from companion.games.thirteen_monsters.building import given, over, settled, taken, unspent
from companion.games.thirteen_monsters.final_round import death_battle
from companion.games.thirteen_monsters.sets import Parts, sets_of
from companion.games.thirteen_monsters.state import (
    Battle,
    ThirteenMonstersSettings,
    ThirteenMonstersState,
    owner_of,
    throws,
)

T = TypeVar("T")


def target_throws(state: ThirteenMonstersState, seat: int, one: int, attacker: int) -> int | None:
    """Throws with which somebody defends a set (M13-27), None for a set that cannot be attacked (M13-44)."""
    bit = 1 << one
    if state.sets[seat] & bit:
        return attacker
    for parts in unspent(state, seat):
        if sets_of(parts) & bit:
            return throws(parts, state.setup.settings)
    return None


def attack_declared(
    state: ThirteenMonstersState, player: str, parts: Parts, target: int
) -> Ruling[ThirteenMonstersState]:
    """An attack is declared; all dice are needed for it, also those on frozen cards (M13-37, M13-R16)."""
    own = throws(parts, state.setup.settings)
    other = owner_of(state, target)
    assert other is not None
    defence = target_throws(state, other, target, own)
    opponent = state.setup.players[other]
    battle = Battle((player, opponent), target, (parts, None), (own, defence), (None, None))
    return Ruling(replace(state, phase="attack", turn=player, frozen=(), attacked=True, battle=battle))


def points_of(dice: tuple[int, ...], settings: ThirteenMonstersSettings) -> int:
    """The best group of equal dice: value times number (M13-55, M13-R4)."""
    least = 1 if settings.single_die_scores else 2
    return max((value * n for value in set(dice) if (n := dice.count(value)) >= least), default=0)


def dice_thrown(
    state: ThirteenMonstersState, player: str, dice: list[int], kept: list[int]
) -> Ruling[ThirteenMonstersState]:
    """A throw; after the last one that is allowed the next fighter follows (M13-51 to M13-54, M13-R18)."""
    battle = state.battle
    assert battle is not None
    index = battle.players.index(player)
    lying = (*kept, *dice)
    points = points_of(lying, state.setup.settings)
    thrown = battle.thrown + 1
    battle = replace(battle, points=_put(battle.points, index, points), thrown=thrown, lying=lying)
    state = replace(state, battle=battle)
    return _next_thrower(state, battle, index) if thrown == battle.throws[index] else Ruling(state)


def throwing_ended(state: ThirteenMonstersState, player: str) -> Ruling[ThirteenMonstersState]:
    """Stopping before the last throw (M13-53)."""
    battle = state.battle
    assert battle is not None
    return _next_thrower(state, battle, battle.players.index(player))


def _next_thrower(state: ThirteenMonstersState, battle: Battle, index: int) -> Ruling[ThirteenMonstersState]:
    if index + 1 < len(battle.players):
        following = replace(battle, thrown=0, lying=())
        return Ruling(replace(state, turn=battle.players[index + 1], battle=following))
    return Ruling(_fought(state, battle)) if battle.target is None else _attack_over(state, battle)


def _attack_over(state: ThirteenMonstersState, battle: Battle) -> Ruling[ThirteenMonstersState]:
    """The higher throw wins, at equal points the attacker (M13-57 to M13-59)."""
    attack, defence = battle.points
    attacker, defender = battle.players
    assert attack is not None
    assert defence is not None
    assert battle.target is not None
    if attack < defence:
        lost = Verdict(attacker, "attack_lost", rule="M13-57")
        return Ruling(replace(state, phase="spoils", turn=defender), (lost,))
    players = state.setup.players
    after = taken(state, players.index(defender), battle.target)
    after = given(after, players.index(attacker), battle.target)
    won = Verdict(attacker, "attack_won", rule="M13-59" if attack == defence else "M13-57")
    return settled(_back(after, attacker), (won,))


def set_taken(state: ThirteenMonstersState, player: str, one: int | None) -> Ruling[ThirteenMonstersState]:
    """The successful defender takes a set of the attacking monster, or declines (M13-58, M13-R19)."""
    battle = state.battle
    assert battle is not None
    attacker, players = battle.players[0], state.setup.players
    if one is None:
        return Ruling(_back(state, attacker))
    after = taken(state, players.index(attacker), one)
    return settled(_back(given(after, players.index(player), one), attacker))


def _back(state: ThirteenMonstersState, attacker: str) -> ThirteenMonstersState:
    """The attacker's turn goes on where it was interrupted."""
    phase = "before_search" if state.finals is None else "final_round"
    return replace(state, phase=phase, turn=attacker, battle=None)


# --- the Death Battle -------------------------------------------------------------------------------------


def monster_chosen(state: ThirteenMonstersState, player: str, parts: Parts) -> Ruling[ThirteenMonstersState]:
    """A tied player chooses a monster; when all have, they throw in seating order (M13-62, M13-63)."""
    battle = state.battle
    assert battle is not None
    index = battle.players.index(player)
    allowed = throws(parts, state.setup.settings)
    chosen = _put(battle.monsters, index, parts)
    battle = replace(battle, monsters=chosen, throws=_put(battle.throws, index, allowed))
    return Ruling(replace(state, battle=battle, turn=None if None in chosen else battle.players[0]))


def _fought(state: ThirteenMonstersState, battle: Battle) -> ThirteenMonstersState:
    """The highest throw wins; those tied for it go on (M13-63, M13-R14)."""
    highest = max(points or 0 for points in battle.points)
    tied = [player for player, points in zip(battle.players, battle.points, strict=True) if points == highest]
    return over(state, tied) if len(tied) == 1 else death_battle(state, tied)


def _put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])
