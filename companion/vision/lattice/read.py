"""Reads a table of triangular cards: which card lies at which place of the triangular lattice.

The lattices on which cards may lie come from scored_lattices.py, the likeliest first. A card that cannot be
identified is reported as unsure, with the other card that it may be.

A picture does not show which card was the start card. The table is therefore rotated in steps of 60 degrees
until its rows run across the picture as nearly as possible, and [0, 0] is the card pointing up whose centre
is nearest to the centre of the picture, or to `start`. Callers that know the table rotate (fit.rotated) and
shift the reading.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from companion.core.errors import Unreadable
from companion.core.observations import LatticeCard, Point, View
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Array, Image, shrunk
from companion.vision.lattice.cells import Cell
from companion.vision.lattice.changed import ChangedTable
from companion.vision.lattice.colours import TriangleTemplates, templates_of
from companion.vision.lattice.fit import Place, corners_of, fit_view, points_up, projected, rotated
from companion.vision.lattice.known_table import NOTHING_KNOWN, KnownTable
from companion.vision.lattice.place_score import PlaceScore
from companion.vision.lattice.scored_lattices import (
    ScoredLattice,
    certain_lattices,
    scored_lattices,
    under_lamps,
)
from companion.vision.triangles.appearance import log_colours, white_of
from companion.vision.triangles.limits import triangle_limits

LONGEST = 2000
"""Larger pictures are shrunk to this before they are read."""


@dataclass(frozen=True)
class LatticeReading:
    """What lies on the table: `cards` that are sure, `unsure` those that are not (or may be none), by
    place. `known`: what later readings of the same table may use."""

    cards: tuple[LatticeCard, ...]
    unsure: tuple[LatticeCard, ...] = ()
    view: View | None = None
    known: KnownTable = NOTHING_KNOWN

    @property
    def table(self) -> dict[Place, str]:
        """The sure cards by place."""
        return {one.at: one.card for one in self.cards}


def read_lattice(
    image: Image,
    deck: Deck,
    changed: ChangedTable | None = None,
    known: KnownTable = NOTHING_KNOWN,
    start: Point | None = None,
) -> LatticeReading:
    """Reads the table.

    Args:
        image: BGR, uint8; at least about 50 pixels a card's side.
        deck: a deck of triangular cards.
        changed: where cards may lie; None: everywhere.
        known: what an earlier reading knows of the same table seen by the same camera.
        start: a point (pixels) within the start card; None: the centre of the picture.

    Returns:
        The sure and the unsure cards by place, with corners in pixels and confidence (0 to 1), and the
        homography from the table to the picture.

    Raises:
        Unreadable: the deck has no triangular cards.
    """
    looks = templates_of_deck(deck)
    small, scale = shrunk(image, LONGEST)
    best = _best_lattice(small, looks, changed, known.scaled(scale))
    if best is None or not best.adapted:
        return LatticeReading((), known=known)
    centre = (small.shape[1] / 2, small.shape[0] / 2)
    if start is not None:
        centre = (start[0] * scale, start[1] * scale)
    asked = triangle_limits().doubts.asked
    likely = [one for one in under_lamps(best, looks, known) if one.is_sure or one.log_odds >= asked]
    moved = _numbered(likely, best.view, centre)
    found = [_card(at, one, looks, scale) for at, one in sorted(moved.items())]
    sure = tuple(one for one in found if moved[one.at].is_sure)
    unsure = tuple(one for one in found if not moved[one.at].is_sure)
    seen = {card.at: np.asarray(card.corners, np.float32) for card in sure or unsure}
    if not seen:
        return LatticeReading((), known=known)
    whole = fit_view(seen, known.plane)
    return LatticeReading(sure, unsure, _as_view(whole), known.after(sure, whole, best.table.illuminant))


def _as_view(view: Array) -> View:
    """The view as nine numbers."""
    a, b, c, d, e, f, g, h, i = (float(value) for value in (view / view[2, 2]).ravel())
    return a, b, c, d, e, f, g, h, i


def templates_of_deck(deck: Deck) -> TriangleTemplates:
    """The looks of a deck's triangular cards.

    Raises:
        Unreadable: it has none.
    """
    if deck.triangles is None:
        raise Unreadable("deck.no_triangles", name=deck.name)
    levels = deck.triangles.astype(np.float32)
    return templates_of(deck.names, deck.cards, log_colours(levels, white_of(levels)))


def _best_lattice(
    image: Image, looks: TriangleTemplates, changed: ChangedTable | None, known: KnownTable
) -> ScoredLattice | None:
    """The first lattice on which a card is sure, or the one whose likeliest card is likeliest: checks of a
    cloth may be a lattice, too. Cards of one colour side by side have no outline between them: where no other
    card is sure they are looked for by the sharp corners of their common outline. Of what has changed these
    corners are outlines from the first."""
    best: ScoredLattice | None = None
    for scored in scored_lattices(image, looks, changed, known):
        if best is None or scored.confidence > best.confidence:
            best = scored
        if scored.is_sure:
            return scored
    return best if changed is not None else next(certain_lattices(image, looks, known), best)


def _card(at: Place, one: PlaceScore, looks: TriangleTemplates, scale: float) -> LatticeCard:
    corners = geometry.to_original(one.cell.corners, scale)
    a, b, c = ((round(float(x), 1), round(float(y), 1)) for x, y in corners)
    other = None if one.is_sure or one.second is None else looks.labels[one.second]
    return LatticeCard(at, looks.labels[one.card], one.confidence, (a, b, c), other)


def _numbered(cards: list[PlaceScore], view: Array, centre: Point) -> dict[Place, PlaceScore]:
    """The cards by the places as the module numbers them."""
    if not cards:
        return {}
    there = [one.cell for one in cards if one.is_sure] or [one.cell for one in cards]
    turn = _rotation(view, there)
    up = [cell for cell in there if points_up(rotated(cell.at, turn))]
    if not up:
        turn = (turn + 3) % 6
        up = there
    first = min(up, key=lambda cell: math.dist(cell.corners.mean(axis=0).tolist(), centre))
    r, c = rotated(first.at, turn)
    moved = {}
    for one in cards:
        row, column = rotated(one.cell.at, turn)
        # a sixth of a turn makes the next corner the one opposite the base
        corners = np.asarray(np.roll(one.cell.corners, -(turn % 3), axis=0), np.float32)
        moved[row - r, column - c] = replace(one, cell=replace(one.cell, corners=corners))
    return moved


def _rotation(view: Array, there: list[Cell]) -> int:
    """By how many sixths of a circle the table must be turned for its rows to run across the picture."""
    centre = np.mean([corners_of(cell.at).mean(axis=0) for cell in there], axis=0)
    step = 0.05
    a, x, y = projected(view, centre + np.array([[0, 0], [step, 0], [0, step]]))
    u, _, v = np.linalg.svd(np.stack([x - a, y - a], axis=1))
    rotation = u @ v
    return round(math.atan2(rotation[1, 0], rotation[0, 0]) / (math.pi / 3)) % 6
