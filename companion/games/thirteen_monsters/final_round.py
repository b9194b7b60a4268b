"""The end of 13 Monsters: the final round, counting, and the start of the Death Battle (M13-60 to M13-63)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.contract.fields import seat_after
from companion.games.thirteen_monsters.building import over, unspent
from companion.games.thirteen_monsters.sets import health
from companion.games.thirteen_monsters.state import Battle, ThirteenMonstersState, new_turn


def final_round(state: ThirteenMonstersState, finder: str) -> ThirteenMonstersState:
    """The field is empty: each player once more, the finder of the last set first (M13-60)."""
    players = state.setup.players
    order = tuple(seat_after(players, finder, steps) for steps in range(len(players)))
    return replace(new_turn(state, "final_round", finder), finals=order)


def counted(state: ThirteenMonstersState) -> ThirteenMonstersState:
    """Most health points win (M13-61); a tie leads to a Death Battle (M13-62) or is shared (M13-R15)."""
    players = state.setup.players
    points = [health(monsters) for monsters in state.monsters]
    tied = [player for player, score in zip(players, points, strict=True) if score == max(points)]
    if len(tied) == 1 or not all(unspent(state, players.index(player)) for player in tied):
        return over(state, tied)
    return death_battle(state, tied)


def death_battle(state: ThirteenMonstersState, tied: list[str]) -> ThirteenMonstersState:
    """The tied players choose their monsters, in any order (M13-62, M13-63)."""
    nobody = (None,) * len(tied)
    battle = Battle(tuple(tied), None, nobody, nobody, nobody)
    return replace(state, phase="death_battle", turn=None, battle=battle)
