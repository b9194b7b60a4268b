"""What players of Bugs & Co take: trophies, tiles, and the points for their tiles."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from companion.games.bugs_and_co.state import COUNT_FROM, BugsAndCoState
from companion.games.contract.rulebook import Ruling, Verdict


def trophy_taken(state: BugsAndCoState, player: str, value: int) -> BugsAndCoState:
    """A player takes a trophy and stops; the last one starts the countdown (BUGS-16 to BUGS-18)."""
    seat = state.setup.players.index(player)
    taken = state.trophies.index(value)
    after = replace(
        state,
        trophies=(*state.trophies[:taken], *state.trophies[taken + 1 :]),
        trophy=(*state.trophy[:seat], value, *state.trophy[seat + 1 :]),
    )
    if after.trophies:
        return after
    ten = COUNT_FROM if state.setup.settings.countdown == "companion" else None
    return replace(after, phase="countdown", countdown=ten, counting_since=state.time)


def tile_taken(state: BugsAndCoState, player: str) -> Ruling[BugsAndCoState]:
    """A tile is kept, unless the player has to stop (BUGS-13, BUGS-17, BUGS-19)."""
    seat = state.setup.players.index(player)
    if state.phase == "scoring" or state.trophy[seat] is not None:
        rule = "BUGS-17" if state.trophy[seat] is not None else "BUGS-19"
        return Ruling(state, (Verdict(player, "must_stop", rule=rule),))
    return Ruling(replace(state, taken=one_more(state, player)))


def one_more(state: BugsAndCoState, player: str) -> tuple[int, ...]:
    """The tiles taken, one more by this player."""
    seat = state.setup.players.index(player)
    return (*state.taken[:seat], state.taken[seat] + 1, *state.taken[seat + 1 :])


def tiles_scored(state: BugsAndCoState, player: str, tiles: Mapping[str, int]) -> BugsAndCoState:
    """Counts one player's tiles; after the last player the game is over (BUGS-20)."""
    seat = state.setup.players.index(player)
    mine = {symbol: n for symbol, n in tiles.items() if n}
    counted = (*state.counted[:seat], mine, *state.counted[seat + 1 :])
    return replace(state, counted=counted, phase="scoring" if None in counted else "over")
