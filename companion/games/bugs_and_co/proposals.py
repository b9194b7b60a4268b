"""What may come next in Bugs & Co, before the rules have sorted out what is refused."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.bugs_and_co.countdown import moment, right_words
from companion.games.bugs_and_co.legality import possible_tiles
from companion.games.bugs_and_co.state import COUNT_FROM, BugsAndCoState
from companion.games.contract.choices import Number
from companion.games.contract.fields import TIME_TOLERANCE
from companion.games.contract.offers import Offer, OneOf, Words


def proposals(state: BugsAndCoState) -> Iterator[Offer]:
    """The start, trophies and tiles, the countdown, the scoring."""
    now = Number(low=state.time)
    players = state.setup.players
    yield Offer("game_started", {"t": now}, rule="BUGS-10")
    values = tuple(dict.fromkeys(state.trophies))
    fields = {"player": OneOf(players), "value": OneOf(values), "t": now}
    yield Offer("trophy_taken", fields, rule="BUGS-16")
    yield _scored(state, now)
    yield from _taken(state, now)
    yield Offer("heard", {"words": Words(right_words(state)), "start": now}, rule="BUGS-18")
    yield Offer("time_passed", {"t": now}, rule="BUGS-R4")
    stop = _companions_stop(state)
    in_time = Number(low=state.time, before=stop)
    for kind in ("tile_looked_at", "tile_returned"):
        yield _hand(kind, players, in_time, "BUGS-15", stop)
    if stop is not None:
        yield _scored(state, Number(low=stop), timed=True)


def _companions_stop(state: BugsAndCoState) -> float | None:
    """When the companion calls "stop"; None while it does not count."""
    counts = state.phase == "countdown" and state.setup.settings.countdown == "companion"
    return moment(state, COUNT_FROM) if counts and state.counting_since is not None else None


def _hand(kind: str, players: tuple[str, ...], when: Number, rule: str, by: float | None = None) -> Offer:
    """What a hand does."""
    return Offer(kind, {"player": OneOf(players), "t": when}, ("t",), by, rule)


def _taken(state: BugsAndCoState, when: Number) -> Iterator[Offer]:
    """Tiles of those who play on, and those that are one too many."""
    players = state.setup.players
    if state.phase == "scoring":
        yield _hand("tile_taken", players, when, "BUGS-19")
        return
    playing = tuple(p for p, trophy in zip(players, state.trophy, strict=True) if trophy is None)
    yield _hand("tile_taken", playing, when, "BUGS-13")
    yield _hand("tile_taken", tuple(p for p in players if p not in playing), when, "BUGS-17")


def _scored(state: BugsAndCoState, when: Number, timed: bool = False) -> Offer:
    """The tiles of those not yet counted; `timed`: only after the companion's "stop"."""
    fields = {"player": OneOf(state.setup.players), "tiles": possible_tiles(state), "t": when}
    if timed:
        return Offer("tiles_scored", fields, rule="BUGS-20", after=when.low - 2 * TIME_TOLERANCE)
    return Offer("tiles_scored", fields, ("t",), rule="BUGS-20")
