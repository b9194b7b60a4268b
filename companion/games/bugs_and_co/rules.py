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

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from companion.core.events import StateView
from companion.core.sentence import Sentence
from companion.games.bugs_and_co.countdown import clock_started, counted_down, heard, moment
from companion.games.bugs_and_co.legality import breach
from companion.games.bugs_and_co.position import placed, waivers
from companion.games.bugs_and_co.proposals import proposals
from companion.games.bugs_and_co.state import (
    COUNT_FROM,
    FEW_TROPHIES,
    TROPHIES,
    BugsAndCoSettings,
    BugsAndCoState,
    eyes_in_play,
    points,
    sets_in_play,
    tiles_in_play,
)
from companion.games.bugs_and_co.story import story
from companion.games.bugs_and_co.taking import one_more, tile_taken, tiles_scored, trophy_taken
from companion.games.bugs_and_co.vocabulary import EVENTS
from companion.games.contract.event_times import moment_of
from companion.games.contract.fields import Event, EventKind, Setup
from companion.games.contract.legality import Breach
from companion.games.contract.offers import Offer
from companion.games.contract.rulebook import Rulebook, Ruling, Verdict


class BugsAndCo(Rulebook[BugsAndCoState]):
    """The rules of Bugs & Co."""

    name: ClassVar[str] = "bugs_and_co"
    title: ClassVar[str] = "Bugs & Co"
    seats: ClassVar[range] = range(2, 9)
    settings_type: ClassVar[type[msgspec.Struct]] = BugsAndCoSettings
    state_type: ClassVar[type[msgspec.Struct]] = BugsAndCoState
    sums: ClassVar[frozenset[str]] = frozenset(("scored",))
    events: ClassVar[Mapping[str, EventKind]] = EVENTS

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
            after = replace(after, taken=one_more(after, event["player"]))
        return Ruling(after)

    def waivers(self, state: BugsAndCoState, event: Event) -> Iterable[Mapping[str, Any]]:
        """The player's trophy goes back first, or the tiles that were counted are counted again."""
        return waivers(state, event)

    def forced(self, state: BugsAndCoState, event: Event) -> BugsAndCoState | None:
        """Another trophy than the highest is taken (BUGS-16)."""
        if event["event"] != "trophy_taken" or breach(state, event, any_trophy=True) is not None:
            return None
        return trophy_taken(state, event["player"], event["value"])

    def timed(self, state: BugsAndCoState, event: Event) -> BugsAndCoState:
        """The companion's countdown comes as far as the event's time."""
        when = moment_of(event)
        if when is None:
            return state
        return replace(counted_down(clock_started(state, when), when), time=when)

    def breach(self, state: BugsAndCoState, event: Event) -> Breach | None:
        """The phase, the trophies that are left, and tiles that can be."""
        return breach(state, event)

    def effects(self, state: BugsAndCoState, event: Event) -> Ruling[BugsAndCoState]:
        """What a legal event does."""
        match event["event"]:
            case "game_started":
                return Ruling(replace(state, phase="play"))
            case "trophy_taken":
                return Ruling(trophy_taken(state, event["player"], event["value"]))
            case "tile_taken":
                return tile_taken(state, event["player"])
            case "tile_looked_at":
                return Ruling(state, (Verdict(event["player"], "must_not_look", rule="BUGS-15"),))
            case "tile_returned":
                return Ruling(state, (Verdict(event["player"], "must_not_return", rule="BUGS-15"),))
            case "heard":
                return Ruling(heard(state, event["words"]))
            case "tiles_scored":
                return Ruling(tiles_scored(state, event["player"], event["tiles"]))
            case _:
                return Ruling(state)

    def explained(
        self, before: BugsAndCoState, event: Event, ruling: Ruling[BugsAndCoState]
    ) -> tuple[Sentence, ...]:
        """What the event meant (see `Rulebook.story`)."""
        return story(before, event, ruling.state, ruling.verdicts)

    def proposals(self, state: BugsAndCoState) -> Iterable[Offer]:
        """The start, trophies and tiles, the countdown, the scoring."""
        return proposals(state)

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
