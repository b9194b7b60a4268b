"""Cards into the displays of Seven Merry Monsters: placed, hidden, turned over, or read at the end."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.contract.fields import Event
from companion.games.contract.rulebook import Ruling, Verdict
from companion.games.seven_merry_monsters.rounds import changed, proceed, scored
from companion.games.seven_merry_monsters.state import ASIDE, JOKER, Column, Display, noted, with_cards
from companion.games.seven_merry_monsters.state import SevenMerryMonstersState as State


def card_placed(state: State, event: Event) -> State:
    """A card into the own display: face down before the tricks, or open (SMM-15, SMM-24, SMM-32, SMM-34)."""
    seat = state.setup.players.index(event["player"])
    if event.get("face_down") is True:
        return _hidden(state, seat, event["column"])
    card = event["card"]
    if card["monster"] == JOKER:
        return _joker_placed(state, seat, event["column"])
    return _monster_placed(state, seat, card["monster"], card.get("number"), event.get("column"))


def _hidden(state: State, seat: int, column: int) -> State:
    """A card face down into hidden column 1 or 2 (SMM-34)."""
    first, second = state.hidden[seat]
    hidden = (first + 1, second) if column == 1 else (first, second + 1)
    return proceed(
        replace(
            state,
            hidden=changed(state.hidden, seat, hidden),
            hand_owed=changed(state.hand_owed, seat, state.hand_owed[seat] - 1),
        )
    )


def _monster_placed(state: State, seat: int, monster: str, number: int | None, column: str | None) -> State:
    """A monster from the hand into its own column (SMM-17)."""
    state = noted(state, monster, number)
    display, aside = with_cards(state.display[seat], column or monster, 1), state.aside
    if state.phase == "setup" and aside[seat]:  # the joker laid first joins it (SMM-R8)
        display, aside = with_cards(display, column or monster, 1, 1), changed(aside, seat, 0)
    return proceed(
        replace(
            state,
            display=changed(state.display, seat, display),
            aside=aside,
            hand_owed=changed(state.hand_owed, seat, state.hand_owed[seat] - 1),
        )
    )


def _joker_placed(state: State, seat: int, column: str) -> State:
    """A joker into a column of the display, or aside where there is none (SMM-18, SMM-22, SMM-R3).

    Hand cards come first: a joker is the hand's as long as the hand owes a card, then one of the trick, then
    one of those set aside.
    """
    display = state.display[seat]
    aside, hand_owed, jokers_owed = state.aside, state.hand_owed, state.jokers_owed
    if hand_owed[seat]:
        state = noted(state, JOKER, None)
        hand_owed = changed(hand_owed, seat, hand_owed[seat] - 1)
    elif jokers_owed[seat]:
        jokers_owed = changed(jokers_owed, seat, jokers_owed[seat] - 1)
    else:
        aside = changed(aside, seat, aside[seat] - 1)
    if column == ASIDE:
        aside = changed(aside, seat, aside[seat] + 1)
    else:
        display = with_cards(display, column, 1, 1)
    return proceed(
        replace(
            state,
            display=changed(state.display, seat, display),
            aside=aside,
            hand_owed=hand_owed,
            jokers_owed=jokers_owed,
        )
    )


def card_revealed(state: State, event: Event) -> Ruling[State]:
    """A hidden column is turned over and sorted in (SMM-36, SMM-37)."""
    seat, column = state.setup.players.index(event["player"]), event["column"]
    hidden = state.hidden[seat]
    cards = event["cards"]
    for card in cards:
        state = noted(state, card["monster"], card.get("number"))
    monsters = [card["monster"] for card in cards if card["monster"] != JOKER]
    display = state.display[seat]
    for monster in monsters:
        display = with_cards(display, monster, 1)
    jokers, aside = len(cards) - len(monsters), state.aside
    if jokers and monsters:
        display = with_cards(display, monsters[0], jokers, jokers)
    elif jokers:
        aside = changed(aside, seat, aside[seat] + jokers)
    after = replace(
        state,
        display=changed(state.display, seat, display),
        aside=aside,
        hidden=changed(state.hidden, seat, (0, hidden[1]) if column == 1 else (hidden[0], 0)),
        bared=changed(state.bared, seat, (*state.bared[seat], *monsters)),
    )
    rule = _misplaced(monsters, state.bared[seat])
    verdicts = (Verdict(event["player"], "misplaced", rule=rule),) if rule else ()
    return Ruling(proceed(after) if state.phase == "last_cards" else after, verdicts)


def _misplaced(monsters: list[str], bared: tuple[str, ...]) -> str:
    """The rule that a hidden column breaks, "" if none (SMM-34, SMM-35)."""
    if not monsters:
        return "SMM-35"
    return "SMM-34" if len(set(monsters)) > 1 or monsters[0] in bared else ""


def display_scanned(state: State, event: Event) -> State:
    """A display as read at the end of the round, instead of the player's earlier one (SMM-R12)."""
    seat = state.setup.players.index(event["player"])
    display: Display = {m: Column(c["cards"], c["jokers"]) for m, c in event["display"].items()}
    after = replace(
        state,
        display=changed(state.display, seat, display),
        aside=changed(state.aside, seat, event.get("aside", 0)),
        scanned=changed(state.scanned, seat, True),
    )
    return scored(after) if all(after.scanned) else after
