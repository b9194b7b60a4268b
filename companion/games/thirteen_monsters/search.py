"""Searching in 13 Monsters: cards are turned over, two of a set are found (M13-11 to M13-14, M13-40)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.core.errors import Rejected
from companion.games.contract.rulebook import Ruling, Verdict
from companion.games.thirteen_monsters.building import given, settled
from companion.games.thirteen_monsters.field import card_at, frozen_by_others, possible, turnable
from companion.games.thirteen_monsters.final_round import final_round
from companion.games.thirteen_monsters.state import MonsterSet, ThirteenMonstersState, set_as_json

SEARCH = 2
"""Cards turned over in a search (M13-11); Prophet allows one more (M13-40)."""


def card_revealed(
    state: ThirteenMonstersState, player: str, at: Any, face: MonsterSet
) -> Ruling[ThirteenMonstersState]:
    """A card is turned over; two or, with Prophet, three make a search (M13-11 to M13-14, M13-40)."""
    place = card_at(state, at)
    if place in frozen_by_others(state, player):
        raise Rejected("frozen", "M13-34")
    if place in state.revealed:
        raise Rejected("already_revealed", "M13-11")
    if not possible(state, place, face):
        raise Rejected("impossible_card", "M13-R12")
    twin = next((other for other in state.revealed if state.seen.get(other) == face), None)
    state = replace(
        state,
        phase="search",
        seen={**state.seen, place: face},
        frozen=tuple(frost for frost in state.frozen if frost.place != place),
        revealed=(*state.revealed, place),
    )
    if twin is not None:
        return _set_found(state, player, face, (twin, place))
    turned = len(state.revealed)
    if turned > SEARCH or (turned == SEARCH and not state.prophet):
        return Ruling(search_over(state))
    # One card turned over and no other to be had: the search cannot go on.
    stuck = turned < SEARCH and turnable(state, player) < 1
    return Ruling(search_over(state) if stuck else state)


def search_over(state: ThirteenMonstersState) -> ThirteenMonstersState:
    """Without a match the searching is over (M13-13), with one the turn starts over (M13-14)."""
    phase = "before_search" if state.found else "after_search"
    return replace(state, phase=phase, revealed=(), found=False, prophet=False)


def search_ended(state: ThirteenMonstersState) -> ThirteenMonstersState:
    """The third card of Prophet is declined (M13-41)."""
    if not state.prophet or len(state.revealed) != SEARCH:
        raise Rejected("wrong_phase", "M13-41")
    return search_over(state)


def _set_found(
    state: ThirteenMonstersState, player: str, face: MonsterSet, pair: tuple[int, int]
) -> Ruling[ThirteenMonstersState]:
    """The two cards leave the field; the turn starts over (M13-14, M13-R8)."""
    again = state.setup.settings.attack_again_after_set
    state = replace(
        state,
        cards_left=state.cards_left - len(pair),
        empty=state.empty.union(pair),
        seen={place: card for place, card in state.seen.items() if place not in pair},
        found=True,
        set_found=True,
        attacked=state.attacked and not again,
    )
    seat = state.setup.players.index(player)
    found = Verdict(player, "set_found", {"set": set_as_json(face)}, "M13-12")
    ruling = settled(given(state, seat, face), (found,))
    state = ruling.state
    if state.phase == "over":
        return ruling
    if state.cards_left == 0:
        return Ruling(final_round(state, player), ruling.verdicts)
    if not state.prophet or len(state.revealed) > SEARCH:
        state = search_over(state)
    return Ruling(state, ruling.verdicts)
