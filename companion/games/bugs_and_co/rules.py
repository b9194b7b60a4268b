"""Bugs & Co (Faidutti, Vuarchex, Yakovenko, Libellud 2011): all at once, and stop in time.

Rule ids refer to the digest (`companion rules bugs_and_co`).

Readings of the vocabulary where it leaves a choice:

- Every event with a time, `heard` by its start, moves the companion's countdown before it is judged. At
  exactly ten steps after the last trophy it is "stop"; a tile taken at that moment is one too many.
- `countdown` is null outside the countdown, also after "stop".
- A tile taken while one must not is pointed out (BUGS-R5) and not counted, unless the table agrees otherwise;
  one looked at or put back is pointed out, and the player's tiles stay as they were counted.
- Who counts aloud is not judged, and words after "stop" in the same breath do nothing.
- A symbol with zero tiles is no symbol; no tiles at all are fine (BUGS-R7).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from companion.core.errors import Rejected
from companion.core.events import StateView
from companion.core.sentence import Sentence
from companion.games.bugs_and_co.countdown import clock_started, counted_down, heard, moment
from companion.games.bugs_and_co.offers import offers
from companion.games.bugs_and_co.position import placed, waivers
from companion.games.bugs_and_co.state import (
    COUNT_FROM,
    FEW_TROPHIES,
    SAME,
    TROPHIES,
    BugsAndCoSettings,
    BugsAndCoState,
    eyes_in_play,
    points,
    sets_in_play,
    tiles_in_play,
    together,
)
from companion.games.bugs_and_co.story import story
from companion.games.contract.fields import (
    HEARD,
    Event,
    EventKind,
    Field,
    Setup,
    a_player,
    a_time,
    is_integer,
)
from companion.games.contract.offers import Offer
from companion.games.contract.rulebook import Rulebook, Ruling, Verdict, event_time

PLAYING = frozenset({"play", "countdown"})
ALWAYS = frozenset({"setup", "play", "countdown", "scoring"})


def a_value(value: Any, setup: Setup) -> str | None:
    """A trophy's value; whether there is such a trophy is judged later."""
    return None if is_integer(value) else "bad_field"


def some_tiles(value: Any, setup: Setup) -> str | None:
    """{symbol: how many}, none of them less than zero."""
    good = isinstance(value, dict) and all(is_integer(n) and n >= 0 for n in value.values())
    return None if good else "bad_field"


_PLAYER_AT_TIME = (Field("player", a_player), Field("t", a_time, required=False))


class BugsAndCo(Rulebook[BugsAndCoState]):
    """The rules of Bugs & Co."""

    name: ClassVar[str] = "bugs_and_co"
    title: ClassVar[str] = "Bugs & Co"
    seats: ClassVar[range] = range(2, 9)
    settings_type: ClassVar[type[msgspec.Struct]] = BugsAndCoSettings
    state_type: ClassVar[type[msgspec.Struct]] = BugsAndCoState
    sums: ClassVar[frozenset[str]] = frozenset(("scored",))
    events: ClassVar[Mapping[str, EventKind]] = {
        "game_started": EventKind(
            (Field("t", a_time),), frozenset({"setup"}), "The start signal, after counting to three."
        ),
        "trophy_taken": EventKind(
            (Field("player", a_player), Field("value", a_value), Field("t", a_time)),
            frozenset({"play"}),
            "A player takes the highest trophy and stops.",
        ),
        "tile_taken": EventKind(
            _PLAYER_AT_TIME, PLAYING | {"scoring"}, "A tile goes unseen into the keeping hand."
        ),
        "tile_looked_at": EventKind(_PLAYER_AT_TIME, PLAYING, "A tile of the keeping hand is looked at."),
        "tile_returned": EventKind(_PLAYER_AT_TIME, PLAYING, "A tile of the keeping hand is put back."),
        "heard": EventKind(HEARD, ALWAYS, "Something was said: the countdown, if it is time for it."),
        "time_passed": EventKind((Field("t", a_time),), ALWAYS, "Nothing else happened up to this time."),
        "tiles_scored": EventKind(
            (Field("player", a_player), Field("tiles", some_tiles), Field("t", a_time, required=False)),
            frozenset({"scoring"}),
            "The sorted tiles of one player are counted.",
        ),
    }

    def start(self, setup: Setup) -> BugsAndCoState:
        """Trophies by the number of players (BUGS-5), nothing taken yet."""
        count = len(setup.players)
        return BugsAndCoState(
            setup=setup,
            phase="setup",
            trophies=FEW_TROPHIES.get(count, TROPHIES),
            trophy=(None,) * count,
            taken=(0,) * count,
            counted=(None,) * count,
            countdown=None,
            counting_since=0.0,
            time=0.0,
        )

    def pardon(self, state: BugsAndCoState, event: Event) -> Ruling[BugsAndCoState]:
        """The remark is dropped; a tile that was one too many counts (see Rulebook.pardon)."""
        ruling = self.play(state, event)
        after = ruling.state
        if any(verdict.verdict == "must_stop" for verdict in ruling.verdicts):
            after = replace(after, taken=_one_more(after, event["player"]))
        return Ruling(after)

    def waivers(self, state: BugsAndCoState, event: Event) -> Iterable[Mapping[str, Any]]:
        """The player's trophy goes back first, or the tiles that were counted are counted again."""
        return waivers(state, event)

    def forced(self, state: BugsAndCoState, event: Event) -> BugsAndCoState | None:
        """Another trophy than the highest is taken (BUGS-16)."""
        if event["event"] != "trophy_taken" or state.phase != "play":
            return None
        return _trophy_taken(state, event["player"], event["value"], highest=False)

    def apply(self, state: BugsAndCoState, event: Event) -> Ruling[BugsAndCoState]:
        """Judges an admitted event, after the companion's countdown has come as far as the event's time."""
        when = event_time(event)
        if when is not None:
            state = replace(counted_down(clock_started(state, when), when), time=float(when))
        kind = event["event"]
        if state.phase not in self.events[kind].phases:
            raise Rejected("wrong_phase", _PHASE_RULE[state.phase])
        match kind:
            case "game_started":
                return Ruling(replace(state, phase="play"))
            case "trophy_taken":
                return Ruling(_trophy_taken(state, event["player"], event["value"]))
            case "tile_taken":
                return _tile_taken(state, event["player"])
            case "tile_looked_at":
                return Ruling(state, (Verdict(event["player"], "must_not_look", rule="BUGS-15"),))
            case "tile_returned":
                return Ruling(state, (Verdict(event["player"], "must_not_return", rule="BUGS-15"),))
            case "heard":
                return Ruling(heard(state, event["words"]))
            case "tiles_scored":
                return Ruling(_tiles_scored(state, event["player"], event["tiles"]))
            case _:
                return Ruling(state)

    def explained(
        self, before: BugsAndCoState, event: Event, ruling: Ruling[BugsAndCoState]
    ) -> tuple[Sentence, ...]:
        """What the event meant (see `Rulebook.story`)."""
        return story(before, event, ruling.state, ruling.verdicts)

    def expects(self, state: BugsAndCoState) -> list[Offer]:
        """The start, trophies and tiles, the countdown, the scoring."""
        return offers(state)

    def deadline(self, state: BugsAndCoState) -> float | None:
        """When the companion counts the next number, or calls "stop" (BUGS-R4)."""
        if state.phase != "countdown" or state.setup.settings.countdown != "companion":
            return None
        if state.counting_since is None:
            return None
        assert state.countdown is not None
        return moment(state, COUNT_FROM - state.countdown + 1)

    def view(self, state: BugsAndCoState) -> StateView:
        """The JSON state."""
        players = state.setup.players
        return {
            "phase": state.phase,
            "eyes": list(eyes_in_play(len(players), state.setup.settings.extra_eyes)),
            "sets": sets_in_play(state.setup),
            "tiles": tiles_in_play(state.setup),
            "trophies": list(state.trophies),
            "trophy": dict(zip(players, state.trophy, strict=True)),
            "taken": dict(zip(players, state.taken, strict=True)),
            "countdown": state.countdown,
            "counted": dict(zip(players, state.counted, strict=True)),
        }

    def placed(
        self, state: BugsAndCoState, shown: Mapping[str, Any], given: Mapping[str, Any]
    ) -> BugsAndCoState:
        """Trophies, tiles and countdown as agreed."""
        return placed(state, shown, given)

    def scores(self, state: BugsAndCoState) -> dict[str, int]:
        """Points of the players already counted."""
        columns = zip(state.setup.players, state.counted, state.trophy, strict=True)
        return {player: points(tiles, trophy or 0) for player, tiles, trophy in columns if tiles is not None}

    def winner(self, state: BugsAndCoState) -> list[str]:
        """Most points win (BUGS-24), equal ones share (BUGS-R1)."""
        if state.phase != "over":
            return []
        scores = self.scores(state)
        return [player for player, score in scores.items() if score == max(scores.values())]


_PHASE_RULE = {"setup": "BUGS-10", "play": "BUGS-16", "countdown": "BUGS-18", "scoring": "BUGS-19"}
"""What the table is about in each phase: why another event does not belong there."""


# --- events -----------------------------------------------------------------------------------------------


def _trophy_taken(state: BugsAndCoState, player: str, value: int, highest: bool = True) -> BugsAndCoState:
    """A player takes a trophy and stops; the last one starts the countdown (BUGS-16 to BUGS-18)."""
    seat = state.setup.players.index(player)
    if state.trophy[seat] is not None:
        raise Rejected("already_stopped", "BUGS-17")
    if value not in state.trophies:
        raise Rejected("no_such_trophy", "BUGS-5" if value not in TROPHIES else "BUGS-16")
    if highest and value != state.trophies[0]:
        raise Rejected("not_highest_trophy", "BUGS-16")
    after = replace(
        state,
        trophies=tuple(sorted((Counter(state.trophies) - Counter([value])).elements(), reverse=True)),
        trophy=(*state.trophy[:seat], value, *state.trophy[seat + 1 :]),
    )
    if after.trophies:
        return after
    ten = COUNT_FROM if state.setup.settings.countdown == "companion" else None
    return replace(after, phase="countdown", countdown=ten, counting_since=state.time)


def _tile_taken(state: BugsAndCoState, player: str) -> Ruling[BugsAndCoState]:
    """A tile is kept, unless the player has to stop (BUGS-13, BUGS-17, BUGS-19)."""
    seat = state.setup.players.index(player)
    if state.phase == "scoring" or state.trophy[seat] is not None:
        rule = "BUGS-17" if state.trophy[seat] is not None else "BUGS-19"
        return Ruling(state, (Verdict(player, "must_stop", rule=rule),))
    return Ruling(replace(state, taken=_one_more(state, player)))


def _one_more(state: BugsAndCoState, player: str) -> tuple[int, ...]:
    """The tiles taken, one more by this player."""
    seat = state.setup.players.index(player)
    return (*state.taken[:seat], state.taken[seat] + 1, *state.taken[seat + 1 :])


def _tiles_scored(state: BugsAndCoState, player: str, tiles: Mapping[str, int]) -> BugsAndCoState:
    """Counts one player's tiles; after the last player the game is over (BUGS-20)."""
    seat = state.setup.players.index(player)
    if state.counted[seat] is not None:
        raise Rejected("already_scored", "BUGS-20")
    mine = {symbol: n for symbol, n in tiles.items() if n}
    all_tiles = together(state) + Counter(mine)
    if any(n > SAME for n in all_tiles.values()) or len(all_tiles) > sets_in_play(state.setup):
        raise Rejected("impossible_tiles", "BUGS-2")
    if all_tiles.total() > tiles_in_play(state.setup):
        raise Rejected("impossible_tiles", "BUGS-7")
    counted = (*state.counted[:seat], mine, *state.counted[seat + 1 :])
    return replace(state, counted=counted, phase="scoring" if None in counted else "over")
