"""Searching in 13 Monsters, the end of a turn, and the way into the final round and out of it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.core.errors import Rejected
from companion.games.contract.rulebook import Ruling, Verdict, seat_after
from companion.games.thirteen_monsters.building import given, over, settled, unspent
from companion.games.thirteen_monsters.state import (
    Battle,
    MonsterSet,
    ThirteenState,
    health,
    owner_of,
    place_of,
    set_as_json,
)

SEARCH = 2
"""Cards turned over in a search (M13-11); Prophet allows one more (M13-40)."""


def card_at(state: ThirteenState, at: Any) -> int:
    """The place of a card on the field.

    Raises:
        Rejected: `no_card`.
    """
    place = place_of(at)
    if place is None or place in state.empty or state.cards_left == 0:
        raise Rejected("no_card", "M13-4")
    return place


def frozen_by_others(state: ThirteenState, player: str) -> frozenset[int]:
    """The places of the cards that a player may not turn over (M13-34)."""
    return frozenset(frost.place for frost in state.frozen if frost.player != player)


def turnable(state: ThirteenState, player: str) -> int:
    """How many cards a player could turn over now, apart from those turned over in this search.

    After a deal some places are empty unseen; a die on one of them still counts as one on a card.
    """
    lying = sum(place not in state.empty for place in state.revealed)
    return state.cards_left - lying - len(frozen_by_others(state, player))


def possible(state: ThirteenState, place: int, face: MonsterSet) -> bool:
    """Whether a card may have this face after all that has been seen (M13-R12)."""
    if place in state.seen:
        return state.seen[place] == face
    elsewhere = sum(other == face for other in state.seen.values())
    return elsewhere < 2 and owner_of(state, face) is None


def card_revealed(state: ThirteenState, player: str, at: Any, face: MonsterSet) -> Ruling[ThirteenState]:
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


def search_over(state: ThirteenState) -> ThirteenState:
    """Without a match the searching is over (M13-13), with one the turn starts over (M13-14)."""
    phase = "before_search" if state.found else "after_search"
    return replace(state, phase=phase, revealed=(), found=False, prophet=False)


def search_ended(state: ThirteenState) -> ThirteenState:
    """The third card of Prophet is declined (M13-41)."""
    if not state.prophet or len(state.revealed) != SEARCH:
        raise Rejected("wrong_phase", "M13-41")
    return search_over(state)


def _set_found(
    state: ThirteenState, player: str, face: MonsterSet, pair: tuple[int, int]
) -> Ruling[ThirteenState]:
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


# --- turns ------------------------------------------------------------------------------------------------


def turn_ended(state: ThirteenState) -> ThirteenState:
    """The next player's turn; after the final round the health points decide (M13-13, M13-60, M13-R6)."""
    player = state.turn
    assert player is not None
    searching = state.phase == "before_search" and not state.set_found
    if searching and turnable(state, player) >= SEARCH:
        raise Rejected("must_search", "M13-R6")
    if state.finals is None:
        return _new_turn(state, "before_search", seat_after(state.setup.players, player))
    finals = state.finals[1:]
    if finals:
        return replace(_new_turn(state, "final_round", finals[0]), finals=finals)
    return _counted(replace(state, finals=()))


def _new_turn(state: ThirteenState, phase: str, player: str) -> ThirteenState:
    return replace(
        state,
        phase=phase,
        turn=player,
        revealed=(),
        found=False,
        set_found=False,
        prophet=False,
        attacked=False,
        denied=(),
        frozen_this_turn=0,
    )


def final_round(state: ThirteenState, finder: str) -> ThirteenState:
    """The field is empty: each player once more, the finder of the last set first (M13-60)."""
    players = state.setup.players
    order = tuple(seat_after(players, finder, steps) for steps in range(len(players)))
    return replace(_new_turn(state, "final_round", finder), finals=order)


def _counted(state: ThirteenState) -> ThirteenState:
    """Most health points win (M13-61); a tie leads to a Death Battle (M13-62) or is shared (M13-R15)."""
    players = state.setup.players
    points = [health(monsters) for monsters in state.monsters]
    tied = [player for player, score in zip(players, points, strict=True) if score == max(points)]
    if len(tied) == 1 or not all(unspent(state, players.index(player)) for player in tied):
        return over(state, tied)
    return death_battle(state, tied)


def death_battle(state: ThirteenState, tied: list[str]) -> ThirteenState:
    """The tied players choose their monsters, in any order (M13-62, M13-63)."""
    nobody = (None,) * len(tied)
    battle = Battle(tuple(tied), None, nobody, nobody, nobody)
    return replace(state, phase="death_battle", turn=None, battle=battle)
