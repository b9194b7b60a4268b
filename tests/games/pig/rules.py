"""The rules of Pig: roll as often as you like, keep what you rolled, lose it all with a one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from companion.games.contract.fields import (
    Event,
    EventKind,
    Field,
    Setup,
    a_player,
    a_time,
    is_integer,
    seat_after,
)
from companion.games.contract.legality import Breach
from companion.games.contract.offers import Integer, Offer, OneOf
from companion.games.contract.position import a_seat, by_player, one_of, require, whole
from companion.games.contract.rulebook import Rulebook, Ruling, Verdict

BUST = 1
"""The value that loses the points of the turn (PIG-3)."""


class PigSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """House rules of Pig."""

    target: int = 100
    """Points that win the game (PIG-4)."""

    def __post_init__(self) -> None:
        if self.target < 1:
            raise ValueError("target is at least one point")


class PigState(msgspec.Struct, frozen=True):
    """A game of Pig at one moment. `totals` are in seating order."""

    setup: Setup
    phase: str
    turn: str | None
    rolled: int
    """Points of this turn that are not kept yet."""
    totals: tuple[int, ...]
    time: float


def a_value(value: Any, setup: Setup) -> str | None:
    """What a die shows."""
    return None if is_integer(value) and 1 <= value <= 6 else "bad_field"


class Pig(Rulebook[PigState]):
    """The rules of Pig."""

    name: ClassVar[str] = "pig"
    title: ClassVar[str] = "Pig"
    seats: ClassVar[range] = range(2, 11)
    settings_type: ClassVar[type[msgspec.Struct]] = PigSettings
    state_type: ClassVar[type[msgspec.Struct]] = PigState
    events: ClassVar[Mapping[str, EventKind]] = {
        "die_rolled": EventKind(
            (Field("player", a_player), Field("pips", a_value), Field("t", a_time, required=False)),
            frozenset({"play"}),
            "The player on turn rolls the die.",
        ),
        "points_kept": EventKind(
            (Field("player", a_player), Field("t", a_time, required=False)),
            frozenset({"play"}),
            "The player on turn keeps the points of the turn.",
        ),
    }

    def start(self, setup: Setup) -> PigState:
        """The first player begins, nobody has points."""
        return PigState(setup, "play", setup.players[0], 0, (0,) * len(setup.players), 0.0)

    def breach(self, state: PigState, event: Event) -> Breach | None:
        """Only the player on turn rolls and keeps."""
        return None if event["player"] == state.turn else Breach("not_your_turn", "PIG-1")

    def effects(self, state: PigState, event: Event) -> Ruling[PigState]:
        """A roll adds to the turn or ends it; keeping ends the turn and may win."""
        if event["event"] == "points_kept":
            return Ruling(_kept(state))
        if event["pips"] == BUST:
            lost = Verdict(event["player"], "points_lost", {"points": state.rolled}, "PIG-3")
            return Ruling(_next_turn(state), (lost,))
        return Ruling(replace(state, rolled=state.rolled + event["pips"]))

    def placed(self, state: PigState, shown: Mapping[str, Any], given: Mapping[str, Any]) -> PigState:
        """Turn and points as agreed; who has enough points has won."""
        setup = state.setup
        turn = None if shown["turn"] is None else a_seat(shown["turn"], setup)
        totals = by_player(shown["kept"], setup, whole)
        phase = one_of(shown["phase"], ("play", "over"))
        require((phase == "over") == (turn is None) == (max(totals) >= setup.settings.target))
        return replace(state, phase=phase, turn=turn, rolled=whole(shown["rolled"]), totals=totals)

    def proposals(self, state: PigState) -> list[Offer]:
        """Everybody rolls or keeps: `expects` leaves out who is not on turn."""
        player = OneOf(state.setup.players)
        return [
            Offer("die_rolled", {"player": player, "pips": Integer(1, 6)}, rule="PIG-2"),
            Offer("points_kept", {"player": player}, rule="PIG-2"),
        ]

    def deadline(self, state: PigState) -> float | None:
        """There is no hurry."""
        return None

    def view(self, state: PigState) -> dict[str, Any]:
        """The JSON state."""
        totals = dict(zip(state.setup.players, state.totals, strict=True))
        return {"phase": state.phase, "turn": state.turn, "rolled": state.rolled, "kept": totals}

    def scores(self, state: PigState) -> dict[str, int]:
        """The points that each player has kept."""
        return dict(zip(state.setup.players, state.totals, strict=True))

    def winner(self, state: PigState) -> list[str]:
        """Whoever has kept enough points (PIG-4)."""
        if state.phase != "over":
            return []
        scores = self.scores(state)
        return [player for player, total in scores.items() if total == max(scores.values())]


def _kept(state: PigState) -> PigState:
    assert state.turn is not None
    seat = state.setup.players.index(state.turn)
    total = state.totals[seat] + state.rolled
    state = replace(state, totals=(*state.totals[:seat], total, *state.totals[seat + 1 :]))
    if total >= state.setup.settings.target:
        return replace(state, phase="over", turn=None, rolled=0)
    return _next_turn(state)


def _next_turn(state: PigState) -> PigState:
    assert state.turn is not None
    return replace(state, turn=seat_after(state.setup.players, state.turn), rolled=0)
