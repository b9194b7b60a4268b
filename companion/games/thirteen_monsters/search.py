"""Searching in 13 Monsters: cards are turned over, two of a set are found (M13-11 to M13-14, M13-40)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.contract.fields import seat_after
from companion.games.contract.rulebook import Ruling, Verdict
from companion.games.thirteen_monsters.building import settled
from companion.games.thirteen_monsters.field import turnable, with_face, without_cards
from companion.games.thirteen_monsters.final_round import counted, final_round
from companion.games.thirteen_monsters.sets import set_as_json
from companion.games.thirteen_monsters.state import ThirteenMonstersState, new_turn

SEARCH = 2
"""Cards turned over in a search (M13-11); Prophet allows one more (M13-40)."""


def card_revealed(
    state: ThirteenMonstersState, player: str, place: int, face: int
) -> Ruling[ThirteenMonstersState]:
    """A card is turned over; two or, with Prophet, three make a search (M13-11 to M13-14, M13-40)."""
    field = with_face(state.field, place, face)
    frozen = state.frozen
    if frozen:
        frozen = tuple(frost for frost in frozen if frost.place != place)
    revealed = (*state.revealed, place)
    twin = next((other for other in state.revealed if state.field[other] == field[place]), None)
    state = replace(state, phase="search", field=field, frozen=frozen, revealed=revealed)
    if twin is not None:
        return _set_found(state, player, face, (twin, place))
    turned = len(revealed)
    if turned < SEARCH:  # one card turned over: without another to be had the search cannot go on
        return Ruling(state if turnable(state, player) > 0 else search_over(state))
    return Ruling(state if turned == SEARCH and state.prophet else search_over(state))


def search_over(state: ThirteenMonstersState) -> ThirteenMonstersState:
    """Without a match the searching is over (M13-13), with one the turn starts over (M13-14)."""
    phase = "before_search" if state.found else "after_search"
    return replace(state, phase=phase, revealed=(), found=False, prophet=False)


def _set_found(
    state: ThirteenMonstersState, player: str, face: int, pair: tuple[int, int]
) -> Ruling[ThirteenMonstersState]:
    """The two cards leave the field; the turn starts over (M13-14, M13-R8)."""
    again, seat = state.setup.settings.attack_again_after_set, state.setup.players.index(player)
    bit, sets = 1 << face, state.sets
    state = replace(
        state,
        unfound=state.unfound & ~bit,
        field=without_cards(state.field, pair),
        sets=(*sets[:seat], sets[seat] | bit, *sets[seat + 1 :]),
        found=True,
        set_found=True,
        attacked=state.attacked and not again,
    )
    ruling = settled(state, (Verdict(player, "set_found", {"set": set_as_json(face)}, "M13-12"),))
    state = ruling.state
    if state.phase == "over":
        return ruling
    if not state.unfound:
        return Ruling(final_round(state, player), ruling.verdicts)
    if not state.prophet or len(state.revealed) > SEARCH:
        state = search_over(state)
    return Ruling(state, ruling.verdicts)


def turn_ended(state: ThirteenMonstersState) -> ThirteenMonstersState:
    """The next player's turn; after the final round the health points decide (M13-13, M13-60)."""
    player = state.turn
    assert player is not None
    if state.finals is None:
        return new_turn(state, "before_search", seat_after(state.setup.players, player))
    finals = state.finals[1:]
    if finals:
        return replace(new_turn(state, "final_round", finals[0]), finals=finals)
    return counted(replace(state, finals=()))
