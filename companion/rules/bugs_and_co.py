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
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import msgspec
from msgspec.structs import replace

from companion.errors import Rejected
from companion.rules.base import (
    HEARD,
    TIME_TOLERANCE,
    Event,
    EventKind,
    Field,
    Offer,
    OneOf,
    Rulebook,
    Ruling,
    Setup,
    Verdict,
    Words,
    a_player,
    a_time,
    event_time,
    is_integer,
    is_number,
)
from companion.rules.choices import Number, Tiles
from companion.rules.words import Language, is_stop, number, number_word, stop_word

SETS_OF = {1: 5, 2: 15, 3: 5}
"""Sets of three tiles of the monsters with so many eyes (BUGS-2)."""
REMOVED = 7
"""Tiles that go back to the box unseen (BUGS-7)."""
SAME = 3
"""Tiles of one symbol, and the points for all of them (BUGS-2, BUGS-21)."""
TROPHIES = (3, 3, 2, 2, 1)
"""All trophies (BUGS-3), used from six players on."""
FEW_TROPHIES = {2: (3,), 3: (3, 2), 4: (3, 2, 1), 5: (3, 2, 2, 1)}
"""Trophies used by two to five players (BUGS-5)."""
COUNT_FROM = 10

PLAYING = frozenset({"play", "countdown"})
ALWAYS = frozenset({"setup", "play", "countdown", "scoring"})


class BugsSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """House rules of Bugs & Co."""

    extra_eyes: Literal[1, 3] = 1
    """Which monsters join the two-eyed ones with five or six players (BUGS-4)."""
    countdown: Literal["heard", "companion"] = "heard"
    """The players count aloud, or the companion counts (BUGS-18, BUGS-R4)."""
    countdown_step_s: float = 1.0
    """Seconds from one number of the companion's countdown to the next (BUGS-R4)."""
    language: Language = "en"
    """In which the players count."""

    def __post_init__(self) -> None:
        if not (is_number(self.countdown_step_s) and self.countdown_step_s > 0):
            raise ValueError("countdown_step_s is more than no time")


class BugsState(msgspec.Struct, frozen=True):
    """One game of Bugs & Co at one moment. Values per player are in seating order."""

    setup: Setup
    phase: str
    trophies: tuple[int, ...]
    """Still to be had, highest first."""
    trophy: tuple[int | None, ...]
    taken: tuple[int, ...]
    """Tiles in the keeping hands."""
    counted: tuple[dict[str, int] | None, ...]
    """The tiles of the players already counted."""
    countdown: int | None
    """The last number counted."""
    counting_since: float
    """When the last trophy was taken."""
    time: float


def eyes_in_play(players: int, extra: int) -> tuple[int, ...]:
    """The kinds of monsters in play, ascending (BUGS-4)."""
    if players <= 4:
        return (2,)
    return (1, 2, 3) if players >= 7 else tuple(sorted((2, extra)))


def a_value(value: Any, setup: Setup) -> str | None:
    """A trophy's value; whether there is such a trophy is judged later."""
    return None if is_integer(value) else "bad_field"


def some_tiles(value: Any, setup: Setup) -> str | None:
    """{symbol: how many}, none of them less than zero."""
    good = isinstance(value, dict) and all(is_integer(n) and n >= 0 for n in value.values())
    return None if good else "bad_field"


_PLAYER_AT_TIME = (Field("player", a_player), Field("t", a_time, required=False))


class BugsAndCo(Rulebook[BugsState]):
    """The rules of Bugs & Co."""

    name: ClassVar[str] = "bugs_and_co"
    title: ClassVar[str] = "Bugs & Co"
    seats: ClassVar[range] = range(2, 9)
    settings_type: ClassVar[type[msgspec.Struct]] = BugsSettings
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

    def start(self, setup: Setup) -> BugsState:
        """Trophies by the number of players (BUGS-5), nothing taken yet."""
        count = len(setup.players)
        return BugsState(
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

    def pardon(self, state: BugsState, event: Event) -> Ruling[BugsState]:
        """The remark is dropped; a tile that was one too many counts (see Rulebook.pardon)."""
        ruling = self.play(state, event)
        after = ruling.state
        if any(verdict.verdict == "must_stop" for verdict in ruling.verdicts):
            after = replace(after, taken=_one_more(after, event["player"]))
        return Ruling(after)

    def apply(self, state: BugsState, event: Event) -> Ruling[BugsState]:
        """Judges an admitted event, after the companion's countdown has come as far as the event's time."""
        when = event_time(event)
        if when is not None:
            state = replace(_counted_down(state, when), time=float(when))
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
                return Ruling(_heard(state, event["words"]))
            case "tiles_scored":
                return Ruling(_tiles_scored(state, event["player"], event["tiles"]))
            case _:
                return Ruling(state)

    def expects(self, state: BugsState) -> list[Offer]:
        """The start, trophies and tiles, the countdown, the scoring."""
        return _offers(state)

    def deadline(self, state: BugsState) -> float | None:
        """When the companion counts the next number, or calls "stop" (BUGS-R4)."""
        if state.phase != "countdown" or state.setup.settings.countdown != "companion":
            return None
        assert state.countdown is not None
        return _moment(state, COUNT_FROM - state.countdown + 1)

    def view(self, state: BugsState) -> dict[str, Any]:
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
        }

    def scores(self, state: BugsState) -> dict[str, int]:
        """Points of the players already counted."""
        columns = zip(state.setup.players, state.counted, state.trophy, strict=True)
        return {player: points(tiles, trophy or 0) for player, tiles, trophy in columns if tiles is not None}

    def winner(self, state: BugsState) -> list[str]:
        """Most points win (BUGS-24), equal ones share (BUGS-R1)."""
        if state.phase != "over":
            return []
        scores = self.scores(state)
        return [player for player, score in scores.items() if score == max(scores.values())]


_PHASE_RULE = {"setup": "BUGS-10", "play": "BUGS-16", "countdown": "BUGS-18", "scoring": "BUGS-19"}
"""What the table is about in each phase: why another event does not belong there."""


def sets_in_play(setup: Setup) -> int:
    """Sets of three tiles in play (BUGS-2, BUGS-4)."""
    return sum(SETS_OF[eyes] for eyes in eyes_in_play(len(setup.players), setup.settings.extra_eyes))


def tiles_in_play(setup: Setup) -> int:
    """Tiles on the table at the start (BUGS-7)."""
    return SAME * sets_in_play(setup) - REMOVED


def points(tiles: Mapping[str, int], trophy: int) -> int:
    """3 for three of a symbol, -1 for every other tile, and the trophy (BUGS-21 to BUGS-23, BUGS-R3)."""
    return sum(SAME * (n // SAME) - n % SAME for n in tiles.values()) + trophy


# --- events -----------------------------------------------------------------------------------------------


def _trophy_taken(state: BugsState, player: str, value: int) -> BugsState:
    """A player takes a trophy and stops; the last one starts the countdown (BUGS-16 to BUGS-18)."""
    seat = state.setup.players.index(player)
    if state.trophy[seat] is not None:
        raise Rejected("already_stopped", "BUGS-17")
    if value not in state.trophies:
        raise Rejected("no_such_trophy", "BUGS-5" if value not in TROPHIES else "BUGS-16")
    if value != state.trophies[0]:
        raise Rejected("not_highest_trophy", "BUGS-16")
    after = replace(
        state,
        trophies=state.trophies[1:],
        trophy=(*state.trophy[:seat], value, *state.trophy[seat + 1 :]),
    )
    if after.trophies:
        return after
    ten = COUNT_FROM if state.setup.settings.countdown == "companion" else None
    return replace(after, phase="countdown", countdown=ten, counting_since=state.time)


def _tile_taken(state: BugsState, player: str) -> Ruling[BugsState]:
    """A tile is kept, unless the player has to stop (BUGS-13, BUGS-17, BUGS-19)."""
    seat = state.setup.players.index(player)
    if state.phase == "scoring" or state.trophy[seat] is not None:
        rule = "BUGS-17" if state.trophy[seat] is not None else "BUGS-19"
        return Ruling(state, (Verdict(player, "must_stop", rule=rule),))
    return Ruling(replace(state, taken=_one_more(state, player)))


def _one_more(state: BugsState, player: str) -> tuple[int, ...]:
    """The tiles taken, one more by this player."""
    seat = state.setup.players.index(player)
    return (*state.taken[:seat], state.taken[seat] + 1, *state.taken[seat + 1 :])


def _tiles_scored(state: BugsState, player: str, tiles: Mapping[str, int]) -> BugsState:
    """Counts one player's tiles; after the last player the game is over (BUGS-20)."""
    seat = state.setup.players.index(player)
    if state.counted[seat] is not None:
        raise Rejected("already_scored", "BUGS-20")
    mine = {symbol: n for symbol, n in tiles.items() if n}
    together = _together(state) + Counter(mine)
    if any(n > SAME for n in together.values()) or len(together) > sets_in_play(state.setup):
        raise Rejected("impossible_tiles", "BUGS-2")
    if together.total() > tiles_in_play(state.setup):
        raise Rejected("impossible_tiles", "BUGS-7")
    counted = (*state.counted[:seat], mine, *state.counted[seat + 1 :])
    return replace(state, counted=counted, phase="scoring" if None in counted else "over")


def _together(state: BugsState) -> Counter[str]:
    """The tiles of all players already counted."""
    together: Counter[str] = Counter()
    for tiles in state.counted:
        together.update(tiles or {})
    return together


# --- the countdown ----------------------------------------------------------------------------------------


def _heard(state: BugsState, words: list[str]) -> BugsState:
    """The players count: each number in its turn, others are passed over, "stop" after one (BUGS-R6)."""
    settings = state.setup.settings
    if state.phase != "countdown" or settings.countdown != "heard":
        return state
    count = state.countdown
    for word in words:
        if count == 1 and is_stop(word, settings.language):
            return _stopped(state)
        following = COUNT_FROM if count is None else count - 1
        if following >= 1 and number(word, settings.language) == following:
            count = following
    return replace(state, countdown=count)


def _counted_down(state: BugsState, when: float) -> BugsState:
    """The companion's countdown as far as a moment (BUGS-R4)."""
    if state.phase != "countdown" or state.setup.settings.countdown != "companion":
        return state
    if when >= _moment(state, COUNT_FROM):
        return _stopped(state)
    count = state.countdown
    assert count is not None
    while count > 1 and when >= _moment(state, COUNT_FROM - count + 1):
        count -= 1
    return replace(state, countdown=count)


def _moment(state: BugsState, steps: int) -> float:
    """When so many steps of the companion's countdown are over.

    A billionth of a second early, because decimal times have no exact binary form.
    """
    step: float = state.setup.settings.countdown_step_s
    return state.counting_since + steps * step - TIME_TOLERANCE


def _stopped(state: BugsState) -> BugsState:
    """Nobody may go on (BUGS-19)."""
    return replace(state, phase="scoring", countdown=None)


# --- what may come next -----------------------------------------------------------------------------------


def _offers(state: BugsState) -> list[Offer]:
    now = Number(low=state.time)
    if state.phase == "over":
        return []
    offers = [Offer("heard", {"words": Words(_right_words(state)), "start": now}, rule="BUGS-18")]
    offers.append(Offer("time_passed", {"t": now}, rule="BUGS-R4"))
    players = state.setup.players
    if state.phase == "setup":
        return [Offer("game_started", {"t": now}, rule="BUGS-10"), *offers]
    if state.phase == "scoring":
        return [*_offered_scoring(state, now), _hand("tile_taken", players, now, "BUGS-19"), *offers]
    offers = [*_offered_tiles(state, now), *offers]
    if state.phase == "play":
        fields = {"player": OneOf(_playing(state)), "value": OneOf(state.trophies[:1]), "t": now}
        offers = [Offer("trophy_taken", fields, rule="BUGS-16"), *offers]
    if state.phase == "play" or state.setup.settings.countdown != "companion":
        return [*offers, *(_hand(kind, players, now, "BUGS-15") for kind in _FORBIDDEN)]
    stop = _moment(state, COUNT_FROM)
    in_time = Number(low=state.time, before=stop)
    offers += [_hand(kind, players, in_time, "BUGS-15", stop) for kind in _FORBIDDEN]
    return [*offers, *_offered_scoring(state, Number(low=stop), timed=True)]


_FORBIDDEN = ("tile_looked_at", "tile_returned")
"""What hands do that is noted, though nobody should."""


def _hand(kind: str, players: tuple[str, ...], when: Number, rule: str, by: float | None = None) -> Offer:
    return Offer(kind, {"player": OneOf(players), "t": when}, ("t",), by, rule)


def _playing(state: BugsState) -> tuple[str, ...]:
    """The players without a trophy."""
    columns = zip(state.setup.players, state.trophy, strict=True)
    return tuple(player for player, trophy in columns if trophy is None)


def _offered_tiles(state: BugsState, when: Number) -> list[Offer]:
    """Tiles of those who play on, and those that are one too many."""
    playing = _playing(state)
    stopped = tuple(player for player in state.setup.players if player not in playing)
    offers = [_hand("tile_taken", playing, when, "BUGS-13")] if playing else []
    return [*offers, _hand("tile_taken", stopped, when, "BUGS-17")] if stopped else offers


def _offered_scoring(state: BugsState, when: Number, timed: bool = False) -> list[Offer]:
    """The tiles of those not yet counted; `timed`: only after the companion's "stop"."""
    waiting = tuple(p for p, tiles in zip(state.setup.players, state.counted, strict=True) if tiles is None)
    together = _together(state)
    possible = Tiles(
        dict(together),
        sets_in_play(state.setup) - len(together),
        tiles_in_play(state.setup) - together.total(),
    )
    fields = {"player": OneOf(waiting), "tiles": possible, "t": when}
    if timed:
        return [Offer("tiles_scored", fields, rule="BUGS-20", after=when.low - 2 * TIME_TOLERANCE)]
    return [Offer("tiles_scored", fields, ("t",), rule="BUGS-20")]


def _right_words(state: BugsState) -> tuple[tuple[str, ...], ...]:
    """What the players say next in the countdown."""
    settings = state.setup.settings
    if state.phase != "countdown" or settings.countdown != "heard":
        return ()
    if state.countdown == 1:
        return ((stop_word(settings.language),),)
    following = COUNT_FROM if state.countdown is None else state.countdown - 1
    return ((number_word(following, settings.language),),)
