"""What may come next in Seven Merry Monsters: offers that name every card that can still be there."""

from __future__ import annotations

from collections import Counter
from typing import Any

from companion.games.contract.fields import is_integer
from companion.games.contract.offers import Choice, Integer, Offer, OneOf
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


class Card(Choice, frozen=True):
    """A card {"monster", "number"?} that has not been seen yet in the round."""

    left: dict[str, int]
    """How many of each monster (and joker) can still turn up; those that cannot are not listed."""
    numbers: dict[str, tuple[int, ...]] | None = None
    """The numbers left of each monster; None where the numbers are not known."""
    number_required: bool = False
    """A monster without its number is not enough."""

    def allows(self, value: Any) -> bool:
        return isinstance(value, dict) and self._fits(value)

    def _fits(self, card: dict[str, Any]) -> bool:
        monster = card.get("monster")
        if not isinstance(monster, str) or monster not in self.left:
            return False
        if "number" not in card:
            return monster == JOKER or not self.number_required
        number = card["number"]
        if not (is_integer(number) and number >= 0):
            return False
        return monster == JOKER or self.numbers is None or number in self.numbers.get(monster, ())


class Cards(Choice, frozen=True):
    """All cards of a hidden column."""

    count: int
    card: Card
    showing: tuple[str, ...] | None = None
    """One of the monsters has to be one of these; None where it need not."""

    def allows(self, value: Any) -> bool:
        if not isinstance(value, list) or len(value) != self.count or not all(map(self.card.allows, value)):
            return False
        monsters = Counter(card["monster"] for card in value)
        if any(count > self.card.left[monster] for monster, count in monsters.items()):
            return False
        known = [(card["monster"], card["number"]) for card in value if "number" in card]
        known = [] if self.card.numbers is None else [face for face in known if face[0] != JOKER]
        if len(set(known)) < len(known):
            return False
        return self.showing is None or any(monster in self.showing for monster in monsters)


class Columns(Choice, frozen=True):
    """A display {monster: {"cards", "jokers"}} with at least one column."""

    left: dict[str, int]
    """How many cards of each monster there can be."""
    jokers: int
    """How many jokers there can be."""
    total: int | None = None
    """How many cards there must be, if all others have been counted."""

    def allows(self, value: Any) -> bool:
        if not isinstance(value, dict) or not value or not value.keys() <= self.left.keys():
            return False
        if not all(self._is_column(monster, column) for monster, column in value.items()):
            return False
        cards = sum(column["cards"] for column in value.values())
        jokers = sum(column["jokers"] for column in value.values())
        return jokers <= self.jokers and self.total in (None, cards)

    def _is_column(self, monster: str, column: Any) -> bool:
        if not isinstance(column, dict):
            return False
        cards, jokers = column.get("cards"), column.get("jokers")
        if not (is_integer(cards) and is_integer(jokers)):
            return False
        return 0 <= jokers < cards and cards - jokers <= self.left[monster]


def offers(state: State) -> list[Offer]:
    """All events that would be accepted now."""
    match state.phase:
        case "trick":
            fields = {"player": OneOf((state.turn,)), "card": _card(state, number_required=True)}
            return [Offer("card_played", fields, rule="SMM-9"), *_reveals(state)]
        case "award":
            fields = {"player": OneOf((state.turn,)), "to": OneOf(tied(state))}
            return [Offer("trick_awarded", fields, rule="SMM-14")]
        case "setup" | "placing" | "last_cards":
            return [*_placements(state), *_reveals(state)]
        case "scan":
            return _scans(state)
        case _:
            return []


def _card(state: State, number_required: bool = False) -> Card:
    """Any card that can still turn up."""
    settings = state.setup.settings
    most = {**dict.fromkeys(settings.monsters, PER_MONSTER), JOKER: JOKERS}
    left = {monster: count - state.seen.get(monster, 0) for monster, count in most.items()}
    left = {monster: count for monster, count in left.items() if count > 0}
    numbers = None
    if settings.numbers is not None:
        numbers = {
            monster: tuple(n for n in settings.numbers if (monster, n) not in state.faces)
            for monster in left
            if monster != JOKER
        }
    return Card(left, numbers, number_required)


def _placements(state: State) -> list[Offer]:
    """Cards into displays, player by player."""
    found, any_card = [], _card(state)
    for seat, player in enumerate(state.setup.players):
        if not placing_owed(state, seat):
            continue
        if state.phase == "setup" and state.setup.settings.variant == "monster_under_the_bed":
            found.append(_face_down(player, state.hidden[seat]))
            continue
        if state.hand_owed[seat]:
            found += [_monster(any_card, player, monster) for monster in any_card.left if monster != JOKER]
        if not state.hand_owed[seat] or JOKER in any_card.left:
            found.append(_joker(state, seat))
    return found


def _face_down(player: str, hidden: tuple[int, int]) -> Offer:
    columns = (1, 2) if hidden[0] else (1,)
    fields: dict[str, Choice] = {
        "player": OneOf((player,)),
        "face_down": OneOf((True,)),
        "column": OneOf(columns),
        "card": OneOf(()),
    }
    return Offer("card_placed", fields, ("card",), rule="SMM-34")


def _monster(any_card: Card, player: str, monster: str) -> Offer:
    numbers = None if any_card.numbers is None else {monster: any_card.numbers[monster]}
    fields = {
        "player": OneOf((player,)),
        "card": Card({monster: any_card.left[monster]}, numbers),
        "column": OneOf((monster,)),
        "face_down": OneOf((False,)),
    }
    return Offer("card_placed", fields, ("column", "face_down"), rule="SMM-17")


def _joker(state: State, seat: int) -> Offer:
    columns = tuple(state.display[seat]) or (ASIDE,)
    fields = {
        "player": OneOf((state.setup.players[seat],)),
        "card": Card({JOKER: 1}),
        "column": OneOf(columns),
        "face_down": OneOf((False,)),
    }
    return Offer("card_placed", fields, ("face_down",), rule="SMM-18")


def _reveals(state: State) -> list[Offer]:
    """Hidden columns that may be turned over: at the end any, before it those of a captured monster."""
    found = []
    for seat, player in enumerate(state.setup.players):
        showing = None if state.phase == "last_cards" else tuple(state.display[seat])
        for column in (1, 2):
            count = state.hidden[seat][column - 1]
            if count == 0 or showing == () or state.phase == "setup":
                continue
            fields = {
                "player": OneOf((player,)),
                "column": OneOf((column,)),
                "cards": Cards(count, _card(state), showing),
            }
            found.append(Offer("card_revealed", fields, rule="SMM-37" if showing is None else "SMM-36"))
    return found


def _scans(state: State) -> list[Offer]:
    """A display of any player, within what the other scanned displays leave."""
    return [offer for seat in range(len(state.setup.players)) for offer in _scans_of(state, seat)]


def _scans_of(state: State, seat: int) -> list[Offer]:
    """A display with columns and nothing aside, or none with jokers aside."""
    others = [other for other in range(len(state.setup.players)) if other != seat and state.scanned[other]]
    columns = [(m, column) for other in others for m, column in state.display[other].items()]
    taken = sum(column.cards for _, column in columns) + sum(state.aside[other] for other in others)
    jokers = (
        JOKERS - sum(column.jokers for _, column in columns) - sum(state.aside[other] for other in others)
    )
    left = dict.fromkeys(state.setup.settings.monsters, PER_MONSTER)
    for monster, column in columns:
        left[monster] -= column.cards - column.jokers
    completing = len(others) == len(state.setup.players) - 1
    total = HAND * len(state.setup.players) - taken if completing else None
    player = OneOf((state.setup.players[seat],))
    found = []
    if total is None or total > 0:
        full = {"player": player, "display": Columns(left, jokers, total), "aside": OneOf((0,))}
        found.append(Offer("display_scanned", full, ("aside",), rule="SMM-24"))
    if total is None or 0 <= total <= jokers:
        low, high = (0, jokers) if total is None else (total, total)
        bare = {"player": player, "display": OneOf(({},)), "aside": Integer(low, high)}
        found.append(Offer("display_scanned", bare, ("aside",) if low == 0 else (), rule="SMM-23"))
    return found
