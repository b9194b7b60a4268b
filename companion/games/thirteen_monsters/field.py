"""The field of 13 Monsters: which cards lie on it, which may be turned over, and what they can be."""

from __future__ import annotations

from typing import Any

from companion.core.errors import Rejected
from companion.games.thirteen_monsters.state import MonsterSet, ThirteenMonstersState, owner_of, place_of


def card_at(state: ThirteenMonstersState, at: Any) -> int:
    """The place of a card on the field.

    Raises:
        Rejected: `no_card`.
    """
    place = place_of(at)
    if place is None or place in state.empty or state.cards_left == 0:
        raise Rejected("no_card", "M13-4")
    return place


def frozen_by_others(state: ThirteenMonstersState, player: str) -> frozenset[int]:
    """The places of the cards that a player may not turn over (M13-34)."""
    return frozenset(frost.place for frost in state.frozen if frost.player != player)


def turnable(state: ThirteenMonstersState, player: str) -> int:
    """How many cards a player could turn over now, apart from those turned over in this search.

    After a deal some places are empty unseen; a die on one of them still counts as one on a card.
    """
    lying = sum(place not in state.empty for place in state.revealed)
    return state.cards_left - lying - len(frozen_by_others(state, player))


def possible(state: ThirteenMonstersState, place: int, face: MonsterSet) -> bool:
    """Whether a card may have this face after all that has been seen (M13-R12)."""
    if place in state.seen:
        return state.seen[place] == face
    elsewhere = sum(other == face for other in state.seen.values())
    return elsewhere < 2 and owner_of(state, face) is None
