"""The course of a round of Seven Merry Monsters: phases, who leads, when it is scored, when the game ends."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.games.contract.fields import seat_after
from companion.games.seven_merry_monsters.state import LAST_CARDS, TRICKS, all_cards, owed, totals, worth
from companion.games.seven_merry_monsters.state import SevenMerryMonstersState as State


def changed(values: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def next_round(state: State) -> State:
    """A new round: displays are cleared, the lead moves on (SMM-6, SMM-R11).

    The first round is followed as the house rules say, each later one as the round before it.
    """
    players, settings = state.setup.players, state.setup.settings
    number = len(players)
    leader = seat_after(players, settings.first_player or players[0], state.round)
    fresh = replace(
        state,
        phase="scan",
        round=state.round + 1,
        trick=0,
        turn=None,
        leader=leader,
        display=({},) * number,
        aside=(0,) * number,
        hidden=((0, 0),) * number,
        bared=((),) * number,
        left=all_cards(state.setup),
        numbers=None if settings.numbers is None else dict.fromkeys(settings.monsters, settings.numbers),
        scanned=(False,) * number,
    )
    if settings.tracking == "scan" if state.round == 0 else state.phase == "scan":
        return fresh
    if settings.variant != "standard":
        return replace(fresh, phase="setup", hand_owed=(LAST_CARDS,) * number)
    return replace(fresh, phase="trick", trick=1, turn=leader)


def proceed(state: State) -> State:
    """Goes on as soon as nobody owes a card any more."""
    if any(state.hand_owed) or any(state.jokers_owed):
        return state
    if state.phase == "last_cards":
        owing = any(owed(state, seat) for seat in range(len(state.setup.players)))
        return state if owing else scored(state)
    if state.trick < TRICKS:
        return replace(state, phase="trick", trick=state.trick + 1, turn=state.leader)
    last = LAST_CARDS if state.setup.settings.variant == "standard" else 0
    due = (last,) * len(state.setup.players)
    return proceed(replace(state, phase="last_cards", turn=None, hand_owed=due))


def scored(state: State) -> State:
    """The end of a round (SMM-26, SMM-27), perhaps of the game (SMM-28, SMM-R5)."""
    points = tuple(worth(d, a) for d, a in zip(state.display, state.aside, strict=True))
    state = replace(state, rounds=(*state.rounds, points))
    score, settings = sorted(totals(state)), state.setup.settings
    if score[-1] >= settings.target and (settings.tie_break == "shared" or score[-1] > score[-2]):
        return replace(state, phase="over", turn=None)
    return next_round(state)
