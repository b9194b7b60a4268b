"""The fights of 13 Monsters: attack, throws, spoils, Death Battle (M13-24 to M13-27, M13-51 to M13-63)."""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeVar

from msgspec.structs import replace

from companion.core.errors import Rejected
from companion.games.contract.rulebook import Ruling, Verdict
from companion.games.thirteen_monsters.building import given, over, settled, taken, unspent
from companion.games.thirteen_monsters.final_round import death_battle
from companion.games.thirteen_monsters.state import (
    DICE,
    Battle,
    MonsterSet,
    Parts,
    ThirteenMonstersSettings,
    ThirteenMonstersState,
    owner_of,
    sets_of,
    throws,
)

T = TypeVar("T")


def target_throws(state: ThirteenMonstersState, seat: int, one: MonsterSet, attacker: int) -> int | None:
    """Throws with which somebody defends a set (M13-27), None for a set that cannot be attacked (M13-44)."""
    if one in state.sets[seat]:
        return attacker
    for parts in unspent(state, seat):
        if one in sets_of(parts):
            return throws(parts, state.setup.settings)
    return None


def attack_declared(
    state: ThirteenMonstersState, player: str, parts: Parts, target: MonsterSet
) -> Ruling[ThirteenMonstersState]:
    """An attack is declared; all dice are needed for it, also those on frozen cards (M13-37, M13-R16)."""
    players = state.setup.players
    seat = players.index(player)
    if parts not in unspent(state, seat):
        raise Rejected("no_such_monster", "M13-24")
    if state.attacked:
        raise Rejected("already_attacked", "M13-R3")
    own = throws(parts, state.setup.settings)
    other = owner_of(state, target)
    defence = None if other in (None, seat) else target_throws(state, other, target, own)
    if other is None or defence is None:
        raise Rejected("no_such_set", "M13-26")
    battle = Battle((player, players[other]), target, (parts, None), (own, defence), (None, None))
    return Ruling(replace(state, phase="attack", turn=player, frozen=(), attacked=True, battle=battle))


def points_of(dice: tuple[int, ...], settings: ThirteenMonstersSettings) -> int:
    """The best group of equal dice: value times number (M13-55, M13-R4)."""
    least = 1 if settings.single_die_scores else 2
    return max((value * n for value, n in Counter(dice).items() if n >= least), default=0)


def dice_thrown(
    state: ThirteenMonstersState, player: str, dice: Any, kept: Any
) -> Ruling[ThirteenMonstersState]:
    """A throw; after the last one that is allowed the next fighter follows (M13-51 to M13-54, M13-R18)."""
    battle = _thrower(state, player)
    good = len(dice) >= 1 and len(dice) + len(kept) == DICE and all(1 <= value <= 6 for value in dice)
    if not good or len(set(kept)) > 1 or Counter(kept) - Counter(battle.lying):
        raise Rejected("bad_dice", "M13-52" if battle.lying else "M13-51")
    index = battle.players.index(player)
    lying = (*kept, *dice)
    points = points_of(lying, state.setup.settings)
    thrown = battle.thrown + 1
    battle = replace(battle, points=_put(battle.points, index, points), thrown=thrown, lying=lying)
    state = replace(state, battle=battle)
    return _next_thrower(state, battle, index) if thrown == battle.throws[index] else Ruling(state)


def throwing_ended(state: ThirteenMonstersState, player: str) -> Ruling[ThirteenMonstersState]:
    """Stopping before the last throw (M13-53)."""
    battle = _thrower(state, player)
    if battle.thrown == 0:
        raise Rejected("must_throw", "M13-51")
    return _next_thrower(state, battle, battle.players.index(player))


def _thrower(state: ThirteenMonstersState, player: str) -> Battle:
    """The battle, if it is this player's throw."""
    battle = state.battle
    if battle is None or state.turn is None:
        raise Rejected("wrong_phase", "M13-62")
    if player != state.turn:
        raise Rejected("not_your_turn", "M13-56")
    return battle


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


def set_taken(
    state: ThirteenMonstersState, player: str, one: MonsterSet | None
) -> Ruling[ThirteenMonstersState]:
    """The successful defender takes a set of the attacking monster, or declines (M13-58, M13-R19)."""
    battle = state.battle
    assert battle is not None
    if player != state.turn:
        raise Rejected("not_your_turn", "M13-58")
    parts = battle.monsters[0]
    assert parts is not None
    attacker, players = battle.players[0], state.setup.players
    if one is None:
        return Ruling(_back(state, attacker))
    if one not in sets_of(parts):
        raise Rejected("no_such_set", "M13-58")
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
    if battle is None or state.turn is not None:
        raise Rejected("wrong_phase", "M13-62")
    index = battle.players.index(player) if player in battle.players else None
    if index is None or battle.monsters[index] is not None:
        raise Rejected("not_your_turn", "M13-62")
    if parts not in unspent(state, state.setup.players.index(player)):
        raise Rejected("no_such_monster", "M13-62")
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
