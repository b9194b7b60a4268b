"""A position of Trio Monsters: piles, hands and the cards on the table in the order of laying."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.games.contract.choices import is_place
from companion.games.contract.fields import Setup
from companion.games.contract.position import Shown, a_seat, by_player, listed, mapped, one_of, require, whole
from companion.games.trio_monsters.cells import cell_of
from companion.games.trio_monsters.state import HAND, TrioMonstersState


def placed(state: TrioMonstersState, shown: Shown, given: Shown) -> TrioMonstersState:
    """The state of a position (see `companion.games.nasty_7.position.placed`).

    Raises:
        Rejected: `bad_position`.
    """
    setup = state.setup
    phase = one_of(shown["phase"], ("setup", "play", "over"))
    after = replace(
        state,
        phase=phase,
        turn=None if shown["turn"] is None else a_seat(shown["turn"], setup),
        laid=whole(shown["laid"]),
        draw_pile=whole(shown["draw_pile"]),
        hands=by_player(shown["hand"], setup, lambda cards: whole(cards, 0, HAND)),
        won=by_player(shown["won"], setup, whole),
        table=_table(shown["table"], _order(shown["order"], given), setup),
    )
    on_the_way = after.draw_pile + sum(after.hands) + sum(after.won) + len(after.table)
    require(on_the_way == setup.settings.deck_size)
    require((after.turn is not None) == (phase == "play"))
    require(after.laid <= HAND and (after.laid == 0 or phase == "play"))
    require(phase != "setup" or not (after.table or any(after.won)))
    require(phase != "over" or (after.draw_pile == 0 and not any(after.hands)))
    return after


def _order(value: Any, given: Shown) -> list[int]:
    cells = [_cell(at) for at in listed(value)]
    require(len(set(cells)) == len(cells))
    if "order" in given or "table" not in given:
        return cells
    # A table without its order: cards that lay there before come first, the others as they are listed.
    there = [_cell(mapped(one)["at"]) for one in listed(given["table"])]
    return [at for at in cells if at in there] + [at for at in there if at not in cells]


def _table(value: Any, order: list[int], setup: Setup) -> dict[int, str]:
    colours = setup.settings.colours
    cards: dict[int, str] = {}
    for one in listed(value):
        at, card = _cell(mapped(one)["at"]), one["card"]
        require(isinstance(card, str) and card != "" and (colours is None or card in colours))
        cards[at] = card
    require(len(cards) == len(listed(value)) and cards.keys() == set(order))
    return {at: cards[at] for at in order}


def _cell(value: Any) -> int:
    require(is_place(value))
    return cell_of(value)
