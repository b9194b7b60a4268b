"""The end of a turn in 13 Monsters (M13-13, M13-R6)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.errors import Rejected
from companion.games.contract.rulebook import seat_after
from companion.games.thirteen_monsters.field import turnable
from companion.games.thirteen_monsters.final_round import counted
from companion.games.thirteen_monsters.search import SEARCH
from companion.games.thirteen_monsters.state import ThirteenMonstersState, new_turn


def turn_ended(state: ThirteenMonstersState) -> ThirteenMonstersState:
    """The next player's turn; after the final round the health points decide (M13-13, M13-60, M13-R6)."""
    player = state.turn
    assert player is not None
    searching = state.phase == "before_search" and not state.set_found
    if searching and turnable(state, player) >= SEARCH:
        raise Rejected("must_search", "M13-R6")
    if state.finals is None:
        return new_turn(state, "before_search", seat_after(state.setup.players, player))
    finals = state.finals[1:]
    if finals:
        return replace(new_turn(state, "final_round", finals[0]), finals=finals)
    return counted(replace(state, finals=()))
