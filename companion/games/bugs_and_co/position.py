"""A position of Bugs & Co: trophies, tiles taken and counted, the countdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from companion.games.bugs_and_co.state import (
    COUNT_FROM,
    FEW_TROPHIES,
    SAME,
    TROPHIES,
    BugsAndCoState,
    sets_in_play,
    tiles_in_play,
    together,
)
from companion.games.contract.fields import Event
from companion.games.contract.position import Shown, by_player, listed, mapped, one_of, require, whole

PHASES = ("setup", "play", "countdown", "scoring", "over")


def placed(state: BugsAndCoState, shown: Shown, given: Shown) -> BugsAndCoState:
    """The state of a position (see `companion.games.nasty_7.position.placed`).

    Raises:
        Rejected: `bad_position`.
    """
    setup = state.setup
    countdown = shown["countdown"]
    after = replace(
        state,
        phase=one_of(shown["phase"], PHASES),
        trophies=tuple(whole(value, 1) for value in listed(shown["trophies"])),
        trophy=by_player(shown["trophy"], setup, lambda value: None if value is None else whole(value, 1)),
        taken=by_player(shown["taken"], setup, whole),
        counted=by_player(shown["counted"], setup, _tiles),
        countdown=None if countdown is None else whole(countdown, 1, COUNT_FROM),
        counting_since=None,
    )
    _check_trophies(after)
    _check_tiles(after)
    _check_phase(after)
    return after


def waivers(state: BugsAndCoState, event: Event) -> Iterator[dict[str, Any]]:
    """Positions in which somebody may stop again (BUGS-17), or has the tiles counted again (BUGS-20)."""
    players, player = state.setup.players, event.get("player")
    if player not in players:
        return
    own = state.trophy[players.index(player)]
    trophy, counted = (
        dict(zip(players, state.trophy, strict=True)),
        dict(zip(players, state.counted, strict=True)),
    )
    if event["event"] == "trophy_taken" and own is not None:
        left = sorted((*state.trophies, own), reverse=True)
        yield {"phase": "play", "countdown": None, "trophy": {**trophy, player: None}, "trophies": left}
    elif event["event"] == "tiles_scored":
        yield {"counted": {**counted, player: None}}


def _tiles(value: Any) -> dict[str, int] | None:
    """The counted tiles of one player, null before they are counted."""
    return None if value is None else {symbol: whole(n, 1, SAME) for symbol, n in mapped(value).items()}


def _check_trophies(state: BugsAndCoState) -> None:
    """Each trophy is still to be had or belongs to one player (BUGS-5, BUGS-16)."""
    box = FEW_TROPHIES.get(len(state.setup.players), TROPHIES)
    owned = [value for value in state.trophy if value is not None]
    require(Counter(owned) + Counter(state.trophies) == Counter(box))
    require(list(state.trophies) == sorted(state.trophies, reverse=True))


def _check_tiles(state: BugsAndCoState) -> None:
    """No more tiles than are in play, three of a symbol (BUGS-2, BUGS-7)."""
    counted = together(state)
    require(max(counted.values(), default=0) <= SAME and len(counted) <= sets_in_play(state.setup))
    require(max(counted.total(), sum(state.taken)) <= tiles_in_play(state.setup))


def _check_phase(state: BugsAndCoState) -> None:
    """Trophies, countdown and counted tiles fit the phase."""
    phase, companion_counts = state.phase, state.setup.settings.countdown == "companion"
    nobody = not any(value is not None for value in state.trophy)
    require(phase != "setup" or (nobody and not any(state.taken)))
    require(phase != "play" or bool(state.trophies))
    require(phase in ("setup", "play") or not state.trophies)
    require(phase == "countdown" or state.countdown is None)
    require(phase != "countdown" or not companion_counts or state.countdown is not None)
    waiting = [tiles is None for tiles in state.counted]
    require(phase not in ("setup", "play", "countdown") or all(waiting))
    require(phase != "scoring" or any(waiting))
    require(phase != "over" or not any(waiting))
