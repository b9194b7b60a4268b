"""Cards into the displays of Seven Merry Monsters: placed, hidden, turned over, or read at the end."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.errors import Rejected
from companion.games.contract.fields import Event
from companion.games.contract.rulebook import Ruling, Verdict
from companion.games.seven_merry_monsters.rounds import PHASE_RULE, changed, in_phase, proceed, scored
from companion.games.seven_merry_monsters.state import (
    ASIDE,
    HAND,
    JOKER,
    JOKERS,
    PER_MONSTER,
    Column,
    Display,
    noted,
    placing_owed,
    with_cards,
)
from companion.games.seven_merry_monsters.state import SevenMerryMonstersState as State


def card_placed(state: State, event: Event, checked: bool = True) -> State:
    """A card into the own display: face down before the tricks, or open (SMM-15, SMM-24, SMM-32, SMM-34).

    `checked` False: into whichever column is named, as the table agrees.
    """
    face_down = event.get("face_down") is True
    settings = state.setup.settings
    under_the_bed = state.phase == "setup" and settings.variant == "monster_under_the_bed"
    if face_down != under_the_bed:
        raise Rejected("bad_field", "SMM-34")
    in_phase(state, "setup", "placing", "last_cards")
    seat = state.setup.players.index(event["player"])
    if not placing_owed(state, seat):
        raise Rejected("nothing_to_place", PHASE_RULE[state.phase])
    if face_down:
        return _hidden(state, seat, event["column"])
    card = event["card"]
    if card["monster"] == JOKER:
        return _joker_placed(state, seat, event["column"], checked)
    return _monster_placed(state, seat, card["monster"], card.get("number"), event.get("column"), checked)


def _hidden(state: State, seat: int, column: int) -> State:
    """A card face down into hidden column 1 or 2 (SMM-34)."""
    first, second = state.hidden[seat]
    if column == 2 and first == 0:
        raise Rejected("wrong_column", "SMM-34")
    hidden = (first + 1, second) if column == 1 else (first, second + 1)
    return proceed(
        replace(
            state,
            hidden=changed(state.hidden, seat, hidden),
            hand_owed=changed(state.hand_owed, seat, state.hand_owed[seat] - 1),
        )
    )


def _monster_placed(
    state: State, seat: int, monster: str, number: int | None, column: str | None, checked: bool
) -> State:
    """A monster from the hand into its own column (SMM-17)."""
    if not state.hand_owed[seat]:
        raise Rejected("wrong_card", "SMM-R4" if state.jokers_owed[seat] else "SMM-22")
    if checked and column not in (None, monster):
        raise Rejected("wrong_column", "SMM-17")
    seen, faces = noted(state, [(monster, number)])
    display, aside = with_cards(state.display[seat], column or monster, 1), state.aside
    if state.phase == "setup" and aside[seat]:  # the joker laid first joins it (SMM-R8)
        display, aside = with_cards(display, column or monster, 1, 1), changed(aside, seat, 0)
    return proceed(
        replace(
            state,
            display=changed(state.display, seat, display),
            aside=aside,
            hand_owed=changed(state.hand_owed, seat, state.hand_owed[seat] - 1),
            seen=seen,
            faces=faces,
        )
    )


def _joker_placed(state: State, seat: int, column: str, checked: bool) -> State:
    """A joker into a column of the display, or aside where there is none (SMM-18, SMM-21, SMM-22, SMM-R3).

    Hand cards come first: a joker is the hand's as long as the hand owes a card, then one of the trick, then
    one of those set aside.
    """
    display = state.display[seat]
    if column == ASIDE:
        if checked and display:
            raise Rejected("must_use_column", "SMM-18")
    elif column not in display:
        raise Rejected("joker_starts_column", "SMM-21")
    aside, hand_owed, jokers_owed, seen = state.aside, state.hand_owed, state.jokers_owed, state.seen
    if hand_owed[seat]:
        seen, _ = noted(state, [(JOKER, None)])
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
            seen=seen,
        )
    )


def card_revealed(state: State, event: Event, due: bool = True) -> Ruling[State]:
    """A hidden column is turned over and sorted in (SMM-36, SMM-37); `due` False: also before it is due."""
    in_phase(state, "trick", "placing", "last_cards")
    seat, column = state.setup.players.index(event["player"]), event["column"]
    hidden = state.hidden[seat]
    if not hidden[column - 1]:
        raise Rejected("nothing_face_down", "SMM-36")
    if len(event["cards"]) != hidden[column - 1]:
        raise Rejected("bad_field", "SMM-36")
    cards = [(card["monster"], card.get("number")) for card in event["cards"]]
    monsters = [monster for monster, _ in cards if monster != JOKER]
    display = state.display[seat]
    if due and state.phase != "last_cards" and not any(monster in display for monster in monsters):
        raise Rejected("reveal_not_due", "SMM-36")
    seen, faces = noted(state, cards)
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
        seen=seen,
        faces=faces,
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
    in_phase(state, "scan")
    seat, aside = state.setup.players.index(event["player"]), event.get("aside", 0)
    display: Display = {m: Column(c["cards"], c["jokers"]) for m, c in event["display"].items()}
    if JOKER in display or any(column.jokers == column.cards for column in display.values()):
        raise Rejected("joker_starts_column", "SMM-21")
    if aside and display:
        raise Rejected("must_use_column", "SMM-22")
    after = replace(
        state,
        display=changed(state.display, seat, display),
        aside=changed(state.aside, seat, aside),
        scanned=changed(state.scanned, seat, True),
    )
    plain = dict.fromkeys(state.setup.settings.monsters, 0)
    for one in after.display:
        for monster, column in one.items():
            plain[monster] += column.cards - column.jokers
    columns = [column for one in after.display for column in one.values()]
    if max(plain.values()) > PER_MONSTER or sum(c.jokers for c in columns) + sum(after.aside) > JOKERS:
        raise Rejected("impossible_card", "SMM-2")
    if not all(after.scanned):
        return after
    if sum(column.cards for column in columns) + sum(after.aside) != HAND * len(state.setup.players):
        raise Rejected("wrong_total", "SMM-R12")
    return scored(after)
