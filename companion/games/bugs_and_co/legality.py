"""What is legal in Bugs & Co: the phase, the trophies that are left, and tiles that can be."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.bugs_and_co.state import TROPHIES, BugsAndCoState, sets_in_play, tiles_in_play, together
from companion.games.bugs_and_co.vocabulary import EVENTS
from companion.games.contract.choices import Tiles
from companion.games.contract.fields import Event
from companion.games.contract.legality import Breach

_PHASE_RULE = {"setup": "BUGS-10", "play": "BUGS-16", "countdown": "BUGS-18", "scoring": "BUGS-19"}
"""What the table is about in each phase: why another event does not belong there."""


def breach(state: BugsAndCoState, event: Event, any_trophy: bool = False) -> Breach | None:
    """The rule that an event would break (see `Rulebook.breach`).

    `any_trophy`: the table agrees on another trophy than the highest.
    """
    name = event["event"]
    if state.phase not in EVENTS[name].phases:
        return Breach("wrong_phase", _PHASE_RULE[state.phase])
    if name == "trophy_taken":
        return _trophy_taken(state, event["player"], event["value"], any_trophy)
    return _tiles_scored(state, event) if name == "tiles_scored" else None


def _trophy_taken(state: BugsAndCoState, player: str, value: int, any_trophy: bool) -> Breach | None:
    """Everybody takes one trophy, the highest that is left (BUGS-16, BUGS-17)."""
    if state.trophy[state.setup.players.index(player)] is not None:
        return Breach("already_stopped", "BUGS-17")
    if value not in state.trophies:
        return Breach("no_such_trophy", "BUGS-5" if value not in TROPHIES else "BUGS-16")
    if value != state.trophies[0] and not any_trophy:
        return Breach("not_highest_trophy", "BUGS-16")
    return None


def _tiles_scored(state: BugsAndCoState, event: Event) -> Breach | None:
    """Everybody's tiles are counted once, and there are enough of them (BUGS-20, BUGS-2, BUGS-7)."""
    if state.counted[state.setup.players.index(event["player"])] is not None:
        return Breach("already_scored", "BUGS-20")
    possible = possible_tiles(state)
    if possible.allows(event["tiles"]):
        return None
    too_many = replace(possible, tiles=sum(event["tiles"].values())).allows(event["tiles"])
    return Breach("impossible_tiles", "BUGS-7" if too_many else "BUGS-2")


def possible_tiles(state: BugsAndCoState) -> Tiles:
    """The tiles that a player can have, besides those already counted."""
    seen = together(state)
    symbols, tiles = sets_in_play(state.setup) - len(seen), tiles_in_play(state.setup) - seen.total()
    return Tiles(dict(seen), symbols, tiles)
