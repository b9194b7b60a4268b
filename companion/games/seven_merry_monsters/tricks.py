"""Tricks of Seven Merry Monsters: played, tied, taken (SMM-8 to SMM-17)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.contract.fields import Event, seat_after
from companion.games.seven_merry_monsters.rounds import changed, proceed
from companion.games.seven_merry_monsters.state import JOKER, NO_COLUMN, Column, TrickCard, noted, trick_card
from companion.games.seven_merry_monsters.state import SevenMerryMonstersState as State


def card_played(state: State, event: Event) -> State:
    """A card to the trick, which may close it (SMM-8 to SMM-13, SMM-R7)."""
    player = event["player"]
    laid = trick_card(player, event["card"], state.setup)
    highest, taker = -1, state.leader
    for other in state.table:
        if other.value is not None and other.value > highest:
            highest, taker = other.value, other.player
    table = (*state.table, laid)
    state = noted(state, laid.monster, laid.number)
    if laid.value is not None and laid.value == highest:
        return replace(state, phase="award", turn=player, table=table)
    players = state.setup.players
    if len(table) < len(players):
        return replace(state, turn=seat_after(players, player), table=table)
    if laid.value is not None and laid.value > highest:
        taker = player
    return _taken(state, table, taker)


def trick_awarded(state: State, event: Event) -> State:
    """The player who made the tie gives the trick away (SMM-14)."""
    return _taken(state, state.table, event["to"])


def went_on(state: State, event: Event, there: State) -> State | None:
    """The state after a card to a trick, if the table went on as in the state `there`; None: unknown."""
    if event["event"] != "card_played" or state.phase != "trick" or there.round != state.round:
        return None
    laid = trick_card(event["player"], event["card"], state.setup)
    table = (*state.table, laid)
    state = noted(state, laid.monster, laid.number)
    if there.table:
        return replace(state, phase=there.phase, turn=there.turn, table=table)
    return _taken(state, table, there.leader)


def _taken(state: State, table: tuple[TrickCard, ...], taker: str) -> State:
    """The trick's monsters enter the taker's display; jokers and left-out players' cards are owed (SMM-15,
    SMM-17, SMM-22, SMM-R4)."""
    players = state.setup.players
    seat = players.index(taker)
    display, jokers = dict(state.display[seat]), 0
    for laid in table:
        if laid.monster == JOKER:
            jokers += 1
        else:
            cards, own_jokers = display.get(laid.monster, NO_COLUMN)
            display[laid.monster] = Column(cards + 1, own_jokers)
    aside, jokers_owed = state.aside, state.jokers_owed
    if jokers and display:
        jokers_owed = changed(jokers_owed, seat, jokers)
    elif jokers:
        aside = changed(aside, seat, aside[seat] + jokers)
    have_played = {laid.player for laid in table}
    return proceed(
        replace(
            state,
            phase="placing",
            turn=None,
            leader=taker,
            table=(),
            display=changed(state.display, seat, display),
            aside=aside,
            hand_owed=tuple(0 if player in have_played else 1 for player in players),
            jokers_owed=jokers_owed,
        )
    )
