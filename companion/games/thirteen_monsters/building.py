"""Building in 13 Monsters: whatever can be built must be built, at once and by everybody (M13-15, M13-16)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.errors import Rejected
from companion.games.contract.rulebook import Ruling, Verdict
from companion.games.thirteen_monsters.state import (
    PARTS,
    Monster,
    MonsterSet,
    Parts,
    ThirteenMonstersState,
    sets_of,
    species,
)

MASTER = 4
"""Different elements of Monster OGs that make an Elemental Master (M13-64)."""


def layers(sets: tuple[MonsterSet, ...]) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The monster numbers of the tops, the eyes and the bottoms among some sets."""
    of_layer: tuple[list[int], list[int], list[int]] = ([], [], [])
    for monster, layer in sets:
        of_layer[layer].append(monster)
    top, eyes, bottom = of_layer
    return tuple(top), tuple(eyes), tuple(bottom)


def buildable(sets: tuple[MonsterSet, ...]) -> bool:
    """Whether a monster can be built from some sets."""
    return len(sets) >= len(PARTS) and len({layer for _monster, layer in sets}) == len(PARTS)


def must_build(state: ThirteenMonstersState) -> list[str]:
    """Who has to choose the sets of a monster now, in seating order (M13-R2)."""
    if state.phase == "over":
        return []
    waiting = [seat for seat, loose in enumerate(state.sets) if len(loose) >= len(PARTS) and buildable(loose)]
    return [state.setup.players[seat] for seat in waiting]


def level(state: ThirteenMonstersState, seat: int) -> str:
    """How far somebody has come (M13-7 to M13-9)."""
    if state.monsters[seat]:
        return "beastmaster"
    return "apprentice" if state.sets[seat] else "collector"


def with_sets(state: ThirteenMonstersState, seat: int, sets: tuple[MonsterSet, ...]) -> ThirteenMonstersState:
    """The same with other loose sets of one player."""
    return replace(state, sets=(*state.sets[:seat], tuple(sorted(sets)), *state.sets[seat + 1 :]))


def with_monsters(
    state: ThirteenMonstersState, seat: int, monsters: tuple[Monster, ...]
) -> ThirteenMonstersState:
    """The same with other monsters of one player."""
    changed = (*state.monsters[:seat], tuple(sorted(monsters)), *state.monsters[seat + 1 :])
    return replace(state, monsters=changed)


def unspent(state: ThirteenMonstersState, seat: int) -> list[Parts]:
    """The monsters with which somebody can fight, and that can be fought."""
    return [monster.parts for monster in state.monsters[seat] if not monster.spent]


def given(state: ThirteenMonstersState, seat: int, one: MonsterSet) -> ThirteenMonstersState:
    """The same with one more loose set of a player."""
    return with_sets(state, seat, (*state.sets[seat], one))


def taken(state: ThirteenMonstersState, seat: int, one: MonsterSet) -> ThirteenMonstersState:
    """The same without a player's set; a monster that loses it falls apart into its other sets (M13-57)."""
    if one in state.sets[seat]:
        return with_sets(state, seat, tuple(other for other in state.sets[seat] if other != one))
    for monster in state.monsters[seat]:
        if one in sets_of(monster.parts):
            others = tuple(other for other in state.monsters[seat] if other != monster)
            rest = tuple(other for other in sets_of(monster.parts) if other != one)
            return with_sets(with_monsters(state, seat, others), seat, (*state.sets[seat], *rest))
    return state


def built(state: ThirteenMonstersState, seat: int, parts: Parts) -> ThirteenMonstersState:
    """The same with a monster built from loose sets."""
    used = sets_of(parts)
    after = with_sets(state, seat, tuple(one for one in state.sets[seat] if one not in used))
    return with_monsters(after, seat, (*after.monsters[seat], Monster(parts)))


def settled(
    state: ThirteenMonstersState, verdicts: tuple[Verdict, ...] = ()
) -> Ruling[ThirteenMonstersState]:
    """Builds whatever can be built in one way only (M13-R2), then looks for an Elemental Master.

    Several may become Elemental Master by one trade: they share the win.
    """
    masters = []
    for seat, player in enumerate(state.setup.players):
        loose = state.sets[seat]
        if len(loose) == len(PARTS) and buildable(loose):
            top, eyes, bottom = layers(loose)
            state = built(state, seat, (top[0], eyes[0], bottom[0]))
        if _is_master(state, seat):
            masters.append(player)
    if not masters:
        return Ruling(state, verdicts)
    found = tuple(Verdict(player, "elemental_master", rule="M13-64") for player in masters)
    return Ruling(over(state, masters), verdicts + found)


def _is_master(state: ThirteenMonstersState, seat: int) -> bool:
    """Four unspent OGs, the 13th Monster among them, of different elements (M13-64 to M13-66)."""
    if len(state.monsters[seat]) < MASTER:
        return False
    elements = state.setup.settings.elements
    whole = [parts for parts in unspent(state, seat) if species(parts) in ("og", "thirteenth")]
    return len(whole) >= MASTER and len({elements[parts[0] - 1] for parts in whole}) >= MASTER


def over(state: ThirteenMonstersState, winners: list[str]) -> ThirteenMonstersState:
    """The end of the game."""
    return replace(state, phase="over", turn=None, battle=None, winners=tuple(winners))


def monster_built(state: ThirteenMonstersState, player: str, parts: Parts) -> Ruling[ThirteenMonstersState]:
    """Somebody chooses the sets of a monster that has to be built (M13-R2)."""
    waiting = must_build(state)
    if not waiting:
        raise Rejected("wrong_phase", "M13-15")
    if player not in waiting:
        raise Rejected("not_your_turn", "M13-R2")
    seat = state.setup.players.index(player)
    if any(one not in state.sets[seat] for one in sets_of(parts)):
        raise Rejected("no_such_set", "M13-15")
    return settled(built(state, seat, parts))
