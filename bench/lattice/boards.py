"""The kinds of boards on which the limits of tables of Trio Monsters are fitted."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bench.lattice.__main__ import enrolled_deck, faces_of
from companion.vision.deck.deck import Deck
from companion.vision.image.picture import Floats
from companion.vision.lattice.cells import median_side
from models.vision.triangles.tables import At, Board, Hard, photograph, random_table

SAME_PLACE = 0.25
"""Sides between the middle of a place and that of the card that lies there."""


@dataclass(frozen=True)
class BoardKind:
    """Boards of `cards` (from, to less one) that are laid and lit so, by `share` of the number asked for;
    their seeds begin at `seed`. `usual`: as people lay them; only these say from when a card is named.
    `one_colour`: all cards are alike; only the lamp is fitted on these."""

    hard: Hard
    cards: tuple[int, int]
    share: float
    seed: int
    usual: bool = True
    one_colour: bool = False

    def drawn(self, seed: int) -> tuple[Board, Deck]:
        """A board, and its deck as an owner enrols it."""
        rng = np.random.default_rng(seed)
        faces = faces_of(seed, rng)
        deck = enrolled_deck(faces, seed)
        count = int(rng.integers(*self.cards))
        if count:
            table = random_table(list(faces), count, rng)
            laid = dict.fromkeys(table, table[0, 0]) if self.one_colour else table
            return photograph(laid, faces, self.hard, rng), deck
        # one card of glass
        glass = {label: face * (1.0, 1.0, 1.0, 0.0) for label, face in faces.items()}
        board = photograph({(0, 0): next(iter(glass))}, glass, self.hard, rng)
        return replace(board, cards={}, corners={}), deck


KINDS = (
    BoardKind(Hard(), (5, 26), 1.0, 0),
    BoardKind(Hard(place=6.0, turn=9.0, hand=0.4, shine=0.7), (4, 26), 0.5, 2000, usual=False),
    BoardKind(Hard(), (1, 5), 0.5, 4000),
    BoardKind(Hard(), (0, 1), 0.5, 6000),
    BoardKind(Hard(lamp=1.0), (1, 5), 0.5, 8000, one_colour=True),
)


def card_at(place: Floats, board: Board) -> At | None:
    """Where on a board the card lies that is seen at a place of its picture (3, 2; pixels)."""
    middle, side = place.mean(axis=0), median_side(place[None])
    for at, corners in (board.corners or {}).items():
        if np.linalg.norm(corners.mean(axis=0) - middle) < SAME_PLACE * side:
            return at
    return None
