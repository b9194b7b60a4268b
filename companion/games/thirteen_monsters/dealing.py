"""Sets that change hands outside of a search in 13 Monsters: dealt before the game, traded, built with."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.contract.fields import Event
from companion.games.contract.rulebook import Ruling
from companion.games.thirteen_monsters.building import settled, with_sets
from companion.games.thirteen_monsters.final_round import final_round
from companion.games.thirteen_monsters.sets import mask_of, set_from
from companion.games.thirteen_monsters.state import ThirteenMonstersState


def sets_dealt(state: ThirteenMonstersState, event: Event) -> Ruling[ThirteenMonstersState]:
    """Sets leave the field before the game; their places stay unknown (M13-10)."""
    seat = state.setup.players.index(event["player"])
    dealt = mask_of(map(set_from, event["sets"]))
    ruling = settled(
        with_sets(replace(state, unfound=state.unfound & ~dealt), seat, state.sets[seat] | dealt)
    )
    if not ruling.state.unfound and ruling.state.phase != "over":
        assert ruling.state.turn is not None
        return Ruling(final_round(ruling.state, ruling.state.turn), ruling.verdicts)
    return ruling


def traded(state: ThirteenMonstersState, event: Event) -> Ruling[ThirteenMonstersState]:
    """Loose sets for loose sets, before the search (M13-17 to M13-20, M13-R1)."""
    players = state.setup.players
    seat, other = players.index(event["player"]), players.index(event["with"])
    gives, gets = mask_of(map(set_from, event["gives"])), mask_of(map(set_from, event["gets"]))
    mine, theirs = state.sets[seat] & ~gives | gets, state.sets[other] & ~gets | gives
    return settled(with_sets(with_sets(state, seat, mine), other, theirs))
