"""What is legal in Seven Merry Monsters: cards in turn, cards that are owed, displays that can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from msgspec.structs import replace

from companion.games.contract.fields import Event
from companion.games.contract.legality import Breach
from companion.games.contract.offers import Integer
from companion.games.seven_merry_monsters.choices import Card, Cards, Columns
from companion.games.seven_merry_monsters.state import (
    ASIDE,
    HAND,
    JOKER,
    JOKERS,
    PER_MONSTER,
    placing_owed,
    tied,
)
from companion.games.seven_merry_monsters.state import SevenMerryMonstersState as State
from companion.games.seven_merry_monsters.vocabulary import EVENTS

_PHASE_RULE = {
    "setup": "SMM-31",
    "trick": "SMM-8",
    "award": "SMM-14",
    "placing": "SMM-15",
    "last_cards": "SMM-24",
    "scan": "SMM-R12",
}
"""Why a phase is what it is: cited when an event does not belong to it."""


def breach(state: State, event: Event, anywhere: bool = False) -> Breach | None:
    """The rule that an event would break (see `Rulebook.breach`).

    `anywhere`: the table agrees on the column, on the early turning over, or on who gets the trick.
    """
    name = event["event"]
    if name == "card_placed" and (event.get("face_down") is True) != is_under_the_bed(state):
        return Breach("bad_field", "SMM-34")
    if state.phase not in EVENTS[name].phases:
        return Breach("wrong_phase", _PHASE_RULE[state.phase])
    return _OWN[name](state, event, anywhere)


def is_under_the_bed(state: State) -> bool:
    """Whether cards are laid face down now (SMM-34)."""
    return state.phase == "setup" and state.setup.settings.variant == "monster_under_the_bed"


def _card_played(state: State, event: Event, anywhere: bool) -> Breach | None:
    """A card in turn that has not been seen in the round (SMM-8, SMM-2)."""
    if event["player"] != state.turn:
        return Breach("not_your_turn", "SMM-8")
    card = event["card"]
    return None if possible_card(state, True).allows(card) else _impossible(state, card["monster"])


def possible_card(state: State, number_required: bool = False) -> Card:
    """Any card that can still turn up in the round."""
    return Card(state.left, state.numbers, number_required)


def _impossible(state: State, *monsters: str) -> Breach:
    """No more cards of a monster than there are (SMM-2), none of them twice (SMM-R9)."""
    too_many = any(n > state.left.get(monster, 0) for monster, n in Counter(monsters).items())
    return Breach("impossible_card", "SMM-2" if too_many else "SMM-R9")


def _trick_awarded(state: State, event: Event, anywhere: bool) -> Breach | None:
    """Who made the tie gives the trick to one of the tied (SMM-14)."""
    if event["player"] != state.turn:
        return Breach("not_your_turn", "SMM-14")
    return None if anywhere or event["to"] in tied(state) else Breach("not_tied", "SMM-14")


# --- cards into displays ----------------------------------------------------------------------------------


def _card_placed(state: State, event: Event, anywhere: bool) -> Breach | None:
    """A card that is owed, into a column where it may lie (SMM-15, SMM-22, SMM-24)."""
    seat = state.setup.players.index(event["player"])
    if not placing_owed(state, seat):
        return Breach("nothing_to_place", _PHASE_RULE[state.phase])
    column = event.get("column")
    if event.get("face_down") is True:
        first_is_empty = column == 2 and not state.hidden[seat][0]
        return Breach("wrong_column", "SMM-34") if first_is_empty else None
    card = event["card"]
    if card["monster"] == JOKER:
        return _joker_placed(state, seat, event, anywhere)
    if not state.hand_owed[seat]:
        return Breach("wrong_card", "SMM-R4" if state.jokers_owed[seat] else "SMM-22")
    if column not in (None, card["monster"]) and not anywhere:
        return Breach("wrong_column", "SMM-17")
    return None if possible_card(state).allows(card) else _impossible(state, card["monster"])


def _joker_placed(state: State, seat: int, event: Event, anywhere: bool) -> Breach | None:
    """A joker into a column of the display, or aside where there is none (SMM-18, SMM-21)."""
    display, column = state.display[seat], event["column"]
    if column == ASIDE:
        if display and not anywhere:
            return Breach("must_use_column", "SMM-18")
    elif column not in display:
        return Breach("joker_starts_column", "SMM-21")
    return None if placeable_joker(state, seat).allows(event["card"]) else _impossible(state, JOKER)


def placeable_joker(state: State, seat: int) -> Card:
    """A joker of the trick or set aside, or one of the hand if there are any left."""
    return Card({JOKER: 1} if JOKER in state.left or not state.hand_owed[seat] else {})


def _card_revealed(state: State, event: Event, anywhere: bool) -> Breach | None:
    """A hidden column, before the end only with a captured monster (SMM-36, SMM-37)."""
    seat, column, cards = state.setup.players.index(event["player"]), event["column"], event["cards"]
    count = state.hidden[seat][column - 1]
    if not count:
        return Breach("nothing_face_down", "SMM-36")
    if len(cards) != count:
        return Breach("bad_field", "SMM-36")
    monsters = [card["monster"] for card in cards]
    early = state.phase != "last_cards" and not anywhere
    if early and not any(monster in state.display[seat] for monster in monsters):
        return Breach("reveal_not_due", "SMM-36")
    possible = hidden_cards(state, seat, column, early)
    return None if possible.allows(cards) else _impossible(state, *monsters)


def hidden_cards(state: State, seat: int, column: int, early: bool) -> Cards:
    """What can lie in a hidden column; `early`: a monster of the display must be among it."""
    showing = tuple(state.display[seat]) if early else None
    return Cards(state.hidden[seat][column - 1], possible_card(state), showing)


# --- displays read at the end -----------------------------------------------------------------------------


def _display_scanned(state: State, event: Event, anywhere: bool) -> Breach | None:
    """A display that can be, with those of the others (SMM-21, SMM-22, SMM-2, SMM-R12)."""
    seat, display, aside = state.setup.players.index(event["player"]), event["display"], event.get("aside", 0)
    if JOKER in display or any(column["jokers"] == column["cards"] for column in display.values()):
        return Breach("joker_starts_column", "SMM-21")
    if aside and display:
        return Breach("must_use_column", "SMM-22")
    columns = scanned_columns(state, seat)
    if display:
        if columns.allows(display):
            return None
        there_are = replace(columns, total=None).allows(display)
    else:
        if scanned_aside(columns).allows(aside):
            return None
        there_are = aside <= columns.jokers
    return Breach("wrong_total", "SMM-R12") if there_are else Breach("impossible_card", "SMM-2")


def scanned_columns(state: State, seat: int) -> Columns:
    """A player's display, within what the other displays leave; the last one has all that is missing."""
    players = len(state.setup.players)
    others = [other for other in range(players) if other != seat]
    columns = [(monster, column) for other in others for monster, column in state.display[other].items()]
    aside = sum(state.aside[other] for other in others)
    left = dict.fromkeys(state.setup.settings.monsters, PER_MONSTER)
    for monster, column in columns:
        left[monster] -= column.cards - column.jokers
    jokers = JOKERS - sum(column.jokers for _, column in columns) - aside
    completing = all(state.scanned[other] for other in others)
    taken = sum(column.cards for _, column in columns) + aside
    return Columns(left, jokers, HAND * players - taken if completing else None)


def scanned_aside(columns: Columns) -> Integer:
    """The jokers of a player who has no column: all the cards that there must be."""
    if columns.total is None:
        return Integer(0, columns.jokers)
    return Integer(columns.total, min(columns.total, columns.jokers))


_OWN: dict[str, Callable[[State, Event, bool], Breach | None]] = {
    "card_played": _card_played,
    "trick_awarded": _trick_awarded,
    "card_placed": _card_placed,
    "card_revealed": _card_revealed,
    "display_scanned": _display_scanned,
}
