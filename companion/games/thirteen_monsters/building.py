"""Building in 13 Monsters: whatever can be built must be built, at once and by everybody (M13-15, M13-16)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.contract.rulebook import Ruling, Verdict
from companion.games.thirteen_monsters.sets import Monster, Parts, buildable, layers, sets_of, species
from companion.games.thirteen_monsters.state import ThirteenMonstersState

MASTER = 4
"""Different elements of Monster OGs that make an Elemental Master (M13-64)."""


def builders(state: ThirteenMonstersState) -> tuple[str, ...]:
    """Who has to choose the sets of a monster, in seating order (M13-R2)."""
    players = zip(state.setup.players, state.sets, strict=True)
    return tuple(player for player, loose in players if buildable(loose))


def level(state: ThirteenMonstersState, seat: int) -> str:
    """How far somebody has come (M13-7 to M13-9)."""
    if state.monsters[seat]:
        return "beastmaster"
    return "apprentice" if state.sets[seat] else "collector"


def with_sets(state: ThirteenMonstersState, seat: int, sets: int) -> ThirteenMonstersState:
    """The state with other loose sets of one player."""
    return replace(state, sets=(*state.sets[:seat], sets, *state.sets[seat + 1 :]))


def with_monsters(
    state: ThirteenMonstersState, seat: int, monsters: tuple[Monster, ...]
) -> ThirteenMonstersState:
    """The state with other monsters of one player."""
    changed = (*state.monsters[:seat], tuple(sorted(monsters)), *state.monsters[seat + 1 :])
    return replace(state, monsters=changed)


def unspent(state: ThirteenMonstersState, seat: int) -> list[Parts]:
    """The monsters with which somebody can fight, and that can be fought."""
    return [monster.parts for monster in state.monsters[seat] if not monster.spent]


def given(state: ThirteenMonstersState, seat: int, one: int) -> ThirteenMonstersState:
    """The state with one more loose set of a player."""
    return with_sets(state, seat, state.sets[seat] | 1 << one)


def taken(state: ThirteenMonstersState, seat: int, one: int) -> ThirteenMonstersState:
    """The state without a player's set; a monster that loses it falls apart into its other sets (M13-57)."""
    bit = 1 << one
    loose = state.sets[seat]
    for monster in state.monsters[seat]:
        if sets_of(monster.parts) & bit:
            others = tuple(other for other in state.monsters[seat] if other != monster)
            loose |= sets_of(monster.parts)
            state = with_monsters(state, seat, others)
    return with_sets(state, seat, loose & ~bit)


def built(state: ThirteenMonstersState, seat: int, parts: Parts) -> ThirteenMonstersState:
    """The state with a monster built from loose sets."""
    after = with_sets(state, seat, state.sets[seat] & ~sets_of(parts))
    return with_monsters(after, seat, (*after.monsters[seat], Monster(parts)))


def settled(
    state: ThirteenMonstersState, verdicts: tuple[Verdict, ...] = ()
) -> Ruling[ThirteenMonstersState]:
    """Builds whatever can be built in one way only (M13-R2), then looks for an Elemental Master.

    Several may become Elemental Master by one trade: they share the win.
    """
    masters, waiting = [], []
    for seat, loose in enumerate(state.sets):
        if loose.bit_count() >= 3 and buildable(loose):
            if loose.bit_count() > 3:
                waiting.append(state.setup.players[seat])
            else:
                (top,), (eyes,), (bottom,) = layers(loose)
                state = built(state, seat, (top, eyes, bottom))
        if len(state.monsters[seat]) >= MASTER and _is_master(state, seat):
            masters.append(state.setup.players[seat])
    if masters:
        found = tuple(Verdict(player, "elemental_master", rule="M13-64") for player in masters)
        return Ruling(over(state, masters), verdicts + found)
    if waiting or state.must_build:
        state = replace(state, must_build=tuple(waiting))
    return Ruling(state, verdicts)


def _is_master(state: ThirteenMonstersState, seat: int) -> bool:
    """Four unspent OGs, the 13th Monster among them, of different elements (M13-64 to M13-66)."""
    elements = state.setup.settings.elements
    whole = [parts for parts in unspent(state, seat) if species(parts) in ("og", "thirteenth")]
    return len(whole) >= MASTER and len({elements[parts[0] - 1] for parts in whole}) >= MASTER


def over(state: ThirteenMonstersState, winners: list[str]) -> ThirteenMonstersState:
    """The end of the game."""
    return replace(state, phase="over", turn=None, battle=None, must_build=(), winners=tuple(winners))
