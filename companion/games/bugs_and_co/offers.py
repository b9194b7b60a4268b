"""What may come next in Bugs & Co: the start, trophies and tiles, the countdown, the scoring."""

from __future__ import annotations

from companion.games.bugs_and_co.countdown import moment, right_words
from companion.games.bugs_and_co.state import (
    COUNT_FROM,
    BugsAndCoState,
    sets_in_play,
    tiles_in_play,
    together,
)
from companion.games.contract.choices import Number, Tiles
from companion.games.contract.fields import TIME_TOLERANCE
from companion.games.contract.offers import Offer, OneOf, Words


def offers(state: BugsAndCoState) -> list[Offer]:
    """All events that would be accepted now."""
    now = Number(low=state.time)
    if state.phase == "over":
        return []
    offered = [Offer("heard", {"words": Words(right_words(state)), "start": now}, rule="BUGS-18")]
    offered.append(Offer("time_passed", {"t": now}, rule="BUGS-R4"))
    players = state.setup.players
    if state.phase == "setup":
        return [Offer("game_started", {"t": now}, rule="BUGS-10"), *offered]
    if state.phase == "scoring":
        return [*_offered_scoring(state, now), _hand("tile_taken", players, now, "BUGS-19"), *offered]
    offered = [*_offered_tiles(state, now), *offered]
    if state.phase == "play":
        fields = {"player": OneOf(_playing(state)), "value": OneOf(state.trophies[:1]), "t": now}
        offered = [Offer("trophy_taken", fields, rule="BUGS-16"), *offered]
    companion_counts = state.setup.settings.countdown == "companion" and state.counting_since is not None
    if state.phase == "play" or not companion_counts:
        return [*offered, *(_hand(kind, players, now, "BUGS-15") for kind in _FORBIDDEN)]
    stop = moment(state, COUNT_FROM)
    in_time = Number(low=state.time, before=stop)
    offered += [_hand(kind, players, in_time, "BUGS-15", stop) for kind in _FORBIDDEN]
    return [*offered, *_offered_scoring(state, Number(low=stop), timed=True)]


_FORBIDDEN = ("tile_looked_at", "tile_returned")
"""What hands do that is noted, though nobody should."""


def _hand(kind: str, players: tuple[str, ...], when: Number, rule: str, by: float | None = None) -> Offer:
    return Offer(kind, {"player": OneOf(players), "t": when}, ("t",), by, rule)


def _playing(state: BugsAndCoState) -> tuple[str, ...]:
    """The players without a trophy."""
    columns = zip(state.setup.players, state.trophy, strict=True)
    return tuple(player for player, trophy in columns if trophy is None)


def _offered_tiles(state: BugsAndCoState, when: Number) -> list[Offer]:
    """Tiles of those who play on, and those that are one too many."""
    playing = _playing(state)
    stopped = tuple(player for player in state.setup.players if player not in playing)
    offered = [_hand("tile_taken", playing, when, "BUGS-13")] if playing else []
    return [*offered, _hand("tile_taken", stopped, when, "BUGS-17")] if stopped else offered


def _offered_scoring(state: BugsAndCoState, when: Number, timed: bool = False) -> list[Offer]:
    """The tiles of those not yet counted; `timed`: only after the companion's "stop"."""
    waiting = tuple(p for p, tiles in zip(state.setup.players, state.counted, strict=True) if tiles is None)
    seen = together(state)
    possible = Tiles(
        dict(seen),
        sets_in_play(state.setup) - len(seen),
        tiles_in_play(state.setup) - seen.total(),
    )
    fields = {"player": OneOf(waiting), "tiles": possible, "t": when}
    if timed:
        return [Offer("tiles_scored", fields, rule="BUGS-20", after=when.low - 2 * TIME_TOLERANCE)]
    return [Offer("tiles_scored", fields, ("t",), rule="BUGS-20")]
