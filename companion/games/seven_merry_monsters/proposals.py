"""What may come next in Seven Merry Monsters, before the rules have sorted out what is refused."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.contract.offers import Choice, Offer, OneOf
from companion.games.seven_merry_monsters.choices import Card
from companion.games.seven_merry_monsters.legality import (
    hidden_cards,
    is_under_the_bed,
    placeable_joker,
    possible_card,
    scanned_aside,
    scanned_columns,
)
from companion.games.seven_merry_monsters.state import ASIDE, JOKER, tied
from companion.games.seven_merry_monsters.state import SevenMerryMonstersState as State


def proposals(state: State) -> Iterator[Offer]:
    """Everything that the phase is about, by everybody."""
    match state.phase:
        case "trick":
            fields = {"player": OneOf((state.turn,)), "card": possible_card(state, number_required=True)}
            yield Offer("card_played", fields, rule="SMM-9")
        case "award":
            fields = {"player": OneOf((state.turn,)), "to": OneOf(tied(state))}
            yield Offer("trick_awarded", fields, rule="SMM-14")
        case "scan":
            for seat in range(len(state.setup.players)):
                yield from _scans(state, seat)
        case _:
            for seat in range(len(state.setup.players)):
                yield from _placements(state, seat)
    for seat in range(len(state.setup.players)):
        yield from _reveals(state, seat)


def _placements(state: State, seat: int) -> Iterator[Offer]:
    """Cards into a player's display."""
    player = OneOf((state.setup.players[seat],))
    if is_under_the_bed(state):
        hidden: dict[str, Choice] = {"player": player, "face_down": OneOf((True,)), "column": OneOf((1, 2))}
        yield Offer("card_placed", {**hidden, "card": OneOf(())}, ("card",), rule="SMM-34")
        return
    is_open = OneOf((False,))
    for monster, left in state.left.items():
        if monster != JOKER:
            numbers = None if state.numbers is None else {monster: state.numbers[monster]}
            card = Card({monster: left}, numbers)
            fields = {"player": player, "card": card, "column": OneOf((monster,)), "face_down": is_open}
            yield Offer("card_placed", fields, ("column", "face_down"), rule="SMM-17")
    columns = OneOf((*state.display[seat], ASIDE))
    joker = placeable_joker(state, seat)
    fields = {"player": player, "card": joker, "column": columns, "face_down": is_open}
    yield Offer("card_placed", fields, ("face_down",), rule="SMM-18")


def _reveals(state: State, seat: int) -> Iterator[Offer]:
    """Hidden columns of a player: at the end any, before it those of a captured monster."""
    early = state.phase != "last_cards"
    for column in (1, 2):
        if state.hidden[seat][column - 1]:
            fields = {
                "player": OneOf((state.setup.players[seat],)),
                "column": OneOf((column,)),
                "cards": hidden_cards(state, seat, column, early),
            }
            yield Offer("card_revealed", fields, rule="SMM-36" if early else "SMM-37")


def _scans(state: State, seat: int) -> Iterator[Offer]:
    """A display with columns and nothing aside, or none with jokers aside."""
    player = OneOf((state.setup.players[seat],))
    columns = scanned_columns(state, seat)
    full = {"player": player, "display": columns, "aside": OneOf((0,))}
    yield Offer("display_scanned", full, ("aside",), rule="SMM-24")
    aside = scanned_aside(columns)
    bare = {"player": player, "display": OneOf(({},)), "aside": aside}
    yield Offer("display_scanned", bare, ("aside",) if aside.allows(0) else (), rule="SMM-23")
