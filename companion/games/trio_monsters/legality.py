"""What is legal in Trio Monsters: whose turn it is, and where a card may be laid."""

from __future__ import annotations

from companion.games.contract.fields import Event
from companion.games.contract.legality import Breach
from companion.games.trio_monsters.cells import beside, cell_of
from companion.games.trio_monsters.state import BLACK, TrioMonstersSettings, TrioMonstersState
from companion.games.trio_monsters.vocabulary import EVENTS


def breach(state: TrioMonstersState, event: Event, anywhere: bool = False) -> Breach | None:
    """The rule that an event would break (see `Rulebook.breach`).

    `anywhere`: the table agrees on the place, which only has to be free.
    """
    name = event["event"]
    if state.phase not in EVENTS[name].phases:
        return Breach("wrong_phase", "TRIO-4" if state.phase == "setup" else "TRIO-6")
    if name == "card_revealed":
        return None
    if event["player"] != state.turn:
        return Breach("not_your_turn", "TRIO-5")
    if name == "turn_ended":
        return None if state.laid else Breach("must_play", "TRIO-R9")
    if state.hands[state.setup.players.index(state.turn)] == 0:
        return Breach("no_cards_left", "TRIO-6")
    cell = cell_of(event["at"])
    if cell in state.table:
        return Breach("occupied", "TRIO-7")
    return None if anywhere else _misplaced(state.table, event["card"], cell, state.setup.settings)


def _misplaced(table: dict[int, str], card: str, cell: int, settings: TrioMonstersSettings) -> Breach | None:
    """Whether a card may be laid to a free place (TRIO-7, TRIO-10, TRIO-11)."""
    if not table:
        return None
    left, right, across = beside(cell)
    neighbours = (table.get(left), table.get(right), table.get(across))
    if card in neighbours:
        return None
    if neighbours == (None, None, None):
        return Breach("no_side_contact", "TRIO-7")
    if is_bound(table, card, settings):
        return Breach("must_touch_same_colour", "TRIO-R4" if card == BLACK else "TRIO-10")
    return None


def is_bound(table: dict[int, str], card: str, settings: TrioMonstersSettings) -> bool:
    """Whether a card must touch its own colour: one of them has a free side (TRIO-10, TRIO-11, TRIO-R4)."""
    if card == BLACK and not settings.black_follows_colour_rule:
        return False
    for cell, colour in table.items():
        if colour == card:
            left, right, across = beside(cell)
            if not (left in table and right in table and across in table):
                return True
    return False
