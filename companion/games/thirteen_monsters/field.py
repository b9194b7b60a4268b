"""The field of 13 Monsters: what is known of each place, and which cards may be turned over.

A place is row * 9 + column. The field has one byte a place: UNSEEN, the number of the set seen there plus
one, or EMPTY.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.games.thirteen_monsters.state import GRID, ThirteenMonstersState

PLACES = range(GRID * GRID)
UNSEEN, EMPTY = 0, 255
_MARKS = tuple(bytes((mark,)) for mark in range(256))


def field_of(empty: Iterable[int], faces: Mapping[int, int]) -> bytes:
    """A field with some empty places and some faces seen."""
    field = bytearray(len(PLACES))
    for place, face in faces.items():
        field[place] = face + 1
    for place in empty:
        field[place] = EMPTY
    return bytes(field)


def face_at(field: bytes, place: int) -> int | None:
    """The set seen at a place."""
    mark = field[place]
    return None if mark in (UNSEEN, EMPTY) else mark - 1


def times_seen(field: bytes, face: int) -> int:
    """How many cards of a set lie face known."""
    return field.count(face + 1)


def faces_seen(field: bytes) -> dict[int, int]:
    """Place -> the set seen there, by place."""
    return {place: mark - 1 for place, mark in enumerate(field) if mark not in (UNSEEN, EMPTY)}


def empty_places(field: bytes) -> list[int]:
    """The places known to be empty."""
    return [place for place, mark in enumerate(field) if mark == EMPTY]


def with_face(field: bytes, place: int, face: int) -> bytes:
    """The field with a face seen."""
    return field[:place] + _MARKS[face + 1] + field[place + 1 :]


def without_cards(field: bytes, places: Iterable[int]) -> bytes:
    """The field after cards have been taken away."""
    for place in places:
        field = field[:place] + _MARKS[EMPTY] + field[place + 1 :]
    return field


def turnable(state: ThirteenMonstersState, player: str) -> int:
    """How many cards a player could turn over now, apart from those turned over in this search.

    After a deal some places are empty unseen; a die on one of them still counts as one on a card.
    """
    lying = 0 if state.found else len(state.revealed)
    cards = state.cards_left - lying
    return cards - sum(frost.player != player for frost in state.frozen) if state.frozen else cards
