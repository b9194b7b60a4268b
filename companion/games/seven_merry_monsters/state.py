"""The table of Seven Merry Monsters: house rules, cards, the state of a game, and what a display is worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from companion.core.errors import BadSetting
from companion.games.contract.fields import Setup
from companion.games.contract.points import Points

JOKER = "joker"
ASIDE = "aside"
MONSTERS = ("red", "orange", "yellow", "green", "blue", "purple", "pink")
PER_MONSTER = 7
"""Cards of each monster (SMM-2)."""
JOKERS = 11
HAND = 10
"""Cards dealt to each player (SMM-4)."""
TRICKS = 8
"""Tricks in a round (SMM-7)."""
LAST_CARDS = 2
"""Cards of a hand that are not played in a trick (SMM-24, SMM-31)."""


class SevenMerryMonstersSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """House rules of Seven Merry Monsters."""

    target: int = 150
    """Points that end the game (SMM-28, SMM-30)."""
    variant: Literal["standard", "two_original_monsters", "monster_under_the_bed"] = "standard"
    tracking: Literal["tricks", "scan"] = "tricks"
    """Every card is followed, or only the displays are read at the end of each round."""
    monsters: tuple[str, ...] = MONSTERS
    """The names of the seven monsters of the deck that is played with."""
    numbers: tuple[int, ...] | None = None
    """The numbers that each monster has once (SMM-R9); empty if nobody knows them."""
    joker_number: int | None = 0
    """A joker's number in a trick (SMM-R1); "none": it has none."""
    tie_break: Literal["shared", "extra_round"] = "shared"
    """Equal highest totals at the end (SMM-R5)."""
    first_player: str | None = None
    """Leads round 1 (SMM-5)."""

    def __post_init__(self) -> None:
        names = set(self.monsters)
        if len(self.monsters) != 7 or len(names) != 7 or names & {"", JOKER, ASIDE}:
            raise BadSetting("setting.monsters")
        if self.target < 1:
            raise BadSetting("setting.target")
        if self.numbers is not None and (len(self.numbers) != PER_MONSTER or len(set(self.numbers)) != 7):
            raise BadSetting("setting.numbers")
        if any(number < 0 for number in (*(self.numbers or ()), self.joker_number or 0)):
            raise BadSetting("setting.card_number")


class Column(NamedTuple):
    """A column of a display: all its cards, and the jokers among them."""

    cards: int
    jokers: int


NO_COLUMN = Column(0, 0)
Display = dict[str, Column]
"""Monster -> column, in the order in which the columns were started. Never changed in place."""


class TrickCard(msgspec.Struct, frozen=True):
    """A card in the open trick; `number` as it was given."""

    player: str
    monster: str
    number: int | None
    value: int | None
    """Its number in the trick: that of a joker without one is agreed on (SMM-R1). None: it has none."""


class SevenMerryMonstersState(msgspec.Struct, frozen=True):
    """A game of Seven Merry Monsters. Tuples over players are in seating order."""

    setup: Setup
    phase: str
    round: int
    trick: int
    turn: str | None
    leader: str
    """Leads the trick; while cards are placed, whoever took the last one and leads the next."""
    table: tuple[TrickCard, ...]
    display: tuple[Display, ...]
    aside: tuple[int, ...]
    hidden: tuple[tuple[int, int], ...]
    """Cards that lie face down in either hidden column."""
    bared: tuple[tuple[str, ...], ...]
    """Monsters that were turned over from hidden columns in this round."""
    hand_owed: tuple[int, ...]
    """Hand cards that each player has still to place."""
    jokers_owed: tuple[int, ...]
    """Jokers of the last trick that its taker has still to place."""
    left: dict[str, int]
    """Cards of each monster (and jokers) that have not been seen in this round; without those that are all
    seen."""
    numbers: dict[str, tuple[int, ...]] | None
    """The numbers of each monster that have not been seen in this round; None where they are not known."""
    scanned: tuple[bool, ...]
    rounds: tuple[tuple[int, ...], ...]
    """Points of each finished round."""
    time: float


# --- counting ---------------------------------------------------------------------------------------------


def owed(state: SevenMerryMonstersState, seat: int) -> int:
    """Cards that a player has still to place or to turn over (SMM-15, SMM-22, SMM-24, SMM-37)."""
    cards = placing_owed(state, seat)
    return cards + sum(state.hidden[seat]) if state.phase == "last_cards" else cards


def placing_owed(state: SevenMerryMonstersState, seat: int) -> int:
    """Cards that a player has still to place: the hand's, the trick's jokers, at the end those set aside."""
    cards = state.hand_owed[seat] + state.jokers_owed[seat]
    if state.phase == "last_cards" and state.display[seat]:
        cards += state.aside[seat]
    return cards


def with_cards(display: Display, monster: str, cards: int, jokers: int = 0) -> Display:
    """The display with more cards in a monster's column; `jokers` of them are jokers (SMM-17, SMM-18)."""
    old = display.get(monster, NO_COLUMN)
    return {**display, monster: Column(old.cards + cards, old.jokers + jokers)}


def all_cards(setup: Setup) -> dict[str, int]:
    """All cards of a deck, by monster, then the jokers (SMM-2)."""
    return {**dict.fromkeys(setup.settings.monsters, PER_MONSTER), JOKER: JOKERS}


def noted(state: SevenMerryMonstersState, monster: str, number: int | None) -> SevenMerryMonstersState:
    """The state with one more card seen in the round."""
    left = {**state.left, monster: state.left[monster] - 1}
    if not left[monster]:
        del left[monster]
    numbers = state.numbers
    if numbers is None or number is None or monster == JOKER:
        return replace(state, left=left)
    unseen = tuple(one for one in numbers[monster] if one != number)
    return replace(state, left=left, numbers={**numbers, monster: unseen})


def worth(display: Display, aside: int) -> int:
    """Points of a display (SMM-23, SMM-25, SMM-26): columns of 1, 2, n >= 3 cards count 10, 6, n."""
    if not display:
        return aside
    return sum({1: 10, 2: 6}.get(column.cards, column.cards) for column in display.values())


def display_points(display: Mapping[str, Mapping[str, int]], aside: int) -> Points:
    """What a display is worth, without entering it, with the points of each column.

    Args:
        display: {monster: {"cards": all cards of the column, "jokers": the jokers among them}}.
        aside: jokers without a column.

    Raises:
        TypeError: a column has other keys.
    """
    columns = {monster: Column(**column) for monster, column in display.items()}
    return Points(
        worth(columns, aside), {monster: worth({monster: one}, 0) for monster, one in columns.items()}
    )


def totals(state: SevenMerryMonstersState) -> tuple[int, ...]:
    """Points of all finished rounds (SMM-3)."""
    return tuple(sum(points) for points in zip(*state.rounds, strict=True)) or (0,) * len(state.setup.players)


def trick_card(player: str, card: Mapping[str, Any], setup: Setup) -> TrickCard:
    """A checked card as it lies in the trick."""
    monster, number = card["monster"], card.get("number")
    agreed: int | None = setup.settings.joker_number
    return TrickCard(player, monster, number, agreed if number is None and monster == JOKER else number)


def tied(state: SevenMerryMonstersState) -> tuple[str, str]:
    """The two players whose cards tie, in the order in which they played (SMM-14)."""
    last = state.table[-1]
    first = next(laid for laid in state.table if laid.value == last.value)
    return first.player, last.player
