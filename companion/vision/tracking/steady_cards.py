"""What the last reading of a table of triangles still says where nothing has changed since.

A table is read anew after each change, under a lamp that is estimated anew: a card that was sure may be in
doubt the next time, and a card laid crooked may be seen at the place beside its own. But where no pixel has
changed since the last reading, no card was laid or taken away (background subtraction, see
companion.vision.tracking.background): there the last reading stands.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np

from companion.core.observations import LatticeCard
from companion.vision.image.geometry import shared_part
from companion.vision.image.picture import Array
from companion.vision.lattice.fit import aligned, corners_of, place_of_middle, projected
from companion.vision.lattice.known_table import as_corners
from companion.vision.lattice.read import LatticeReading
from companion.vision.tracking.limits import distances, shares
from companion.vision.triangles.limits import triangle_limits

Changed = Callable[[LatticeCard], float]
"""Share of a card's surface that has changed since the last reading."""


def steadied(reading: LatticeReading, last: LatticeReading, changed: Changed) -> LatticeReading:
    """The reading with the sure cards of the last one that have not changed, where it is not sure of a card
    itself, and without doubtful cards where nothing has changed."""
    stay = [
        card
        for card in last.cards
        if changed(card) < shares().least_seen and not any(_overlap(card, one) for one in reading.cards)
    ]
    doubtful = tuple(
        card
        for card in reading.unsure
        if not any(_overlap(card, one) for one in stay)
        and (changed(card) >= shares().least_seen or any(same_place(card, one) for one in last.unsure))
    )
    kept = recounted(stay, last, reading)
    taken = {card.at for card in reading.cards}
    cards = (*reading.cards, *(card for card in kept if card.at not in taken))
    return LatticeReading(cards, doubtful, reading.view or last.view, reading.known)


def recounted(
    cards: list[LatticeCard], last: LatticeReading, reading: LatticeReading
) -> tuple[LatticeCard, ...]:
    """Cards of the last reading with their places as another reading counts them: each counts from a card of
    its own choice. Where a place is counts, not how crooked its card lies."""
    if last.view is None or reading.view is None:
        return tuple(cards)
    was, now = (np.array(one.view, np.float64).reshape(3, 3) for one in (last, reading))
    return tuple(_recounted(card, was, now) for card in cards)


def _recounted(card: LatticeCard, was: Array, now: Array) -> LatticeCard:
    """The card at the place at which the view `now` sees what `was` saw at its place, its corners in that
    place's order."""
    middle = projected(was, corners_of(card.at).mean(axis=0)[None])
    x, y = projected(np.linalg.inv(now), middle)[0]
    at = place_of_middle(float(x), float(y))
    corners, _ = aligned(np.array(card.corners, np.float32), projected(now, corners_of(at)))
    return msgspec.structs.replace(card, at=at, corners=as_corners(corners))


def same_place(card: LatticeCard, other: LatticeCard) -> bool:
    """Whether two cards lie at the same place of the picture."""
    side = np.linalg.norm(np.subtract(card.corners[0], card.corners[1]))
    return bool(np.linalg.norm(np.subtract(card.centre, other.centre)) < distances().beside * side)


def _overlap(card: LatticeCard, other: LatticeCard) -> bool:
    """Whether two cards are where only one can be."""
    one, two = (np.array(each.corners, np.float32) for each in (card, other))
    return same_place(card, other) or shared_part(one, two) > triangle_limits().places.half
