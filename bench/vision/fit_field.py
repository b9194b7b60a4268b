"""Fits which places of the field of 13 Monsters show a card, on drawn fields on tables, cloths and mats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bench.dice.scenes import GAP, Place, field_photo
from companion.core.errors import Unreadable
from companion.vision.cards.verified_places import VerifiedCard
from companion.vision.deck.deck import Deck
from companion.vision.finder.network import card_seen
from companion.vision.grid.field import SIDE, card_quads, find_grid
from companion.vision.grid.limits import grid_limits
from companion.vision.grid.read import SEARCH_SIDE, compare_with_back, likeliest_in
from companion.vision.image.picture import Array, Floats, Image
from companion.vision.image.quads import find_quads
from companion.vision.match.descriptor import PicturePyramid
from models.drawn.rooms import ground

SIZE = (720, 1280)
"""As webcams send it."""
GROUNDS = ("wood", "cloth", "white", "checked", "mat")
SPACE = 40
"""Places of a field that are empty, at most."""
UP = 8
"""Cards of a field that lie face up."""
NEAR = 0.5
"""Card widths by which the middle of a card may be off."""
WRONG = 0.002
"""Share of names that may be wrong."""


@dataclass(frozen=True)
class LikelyGridCard:
    """The likeliest card of a place that does not show the back, and the probability that one of any deck is
    seen there."""

    card: VerifiedCard
    seen: float


def likely_cards(image: Image, deck: Deck) -> list[LikelyGridCard]:
    """The likeliest card of every place of a field that does not show the back, whether it is there or not:
    what the limits of a place are fitted on.

    Raises:
        Unreadable: there is no field.
    """
    quads = card_quads(find_quads(image, SEARCH_SIDE))
    field, scene = find_grid(image, quads), PicturePyramid(image)
    spots = [(row, column) for row in range(SIDE) for column in range(SIDE)]
    looks = [compare_with_back(image, field, at, quads) for at in spots]
    return [
        LikelyGridCard(likeliest_in(scene, deck, look), card_seen(image, look.predicted))
        for look in looks
        if look.whole <= grid_limits().places.back
    ]


@dataclass(frozen=True)
class FieldPlace:
    """A place that does not show the back: the probability of the likeliest card, whether that is right,
    whether a card lies there face up, or none at all (`bare`), and the probability that the finder sees one.
    """

    probability: float
    right: bool
    taken: bool
    bare: bool
    seen: float


def field_places(deck: Deck, count: int, seed: int) -> Iterator[FieldPlace]:
    """The places of `count` fields."""
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        free = [(r, c) for r in range(9) for c in range(9) if (r, c) not in GAP]
        order = [free[i] for i in rng.permutation(len(free))]
        labels = rng.choice(deck.labels, UP, replace=False).tolist()
        up = dict(zip(order[:UP], map(str, labels), strict=True))
        empty = {*GAP, *order[UP : UP + int(rng.integers(SPACE))]}
        table = np.asarray(np.clip(ground(SIZE[1], SIZE[0], rng, GROUNDS), 0, 255), np.uint8)
        tilt = float(rng.uniform(0, 25))
        image, corners = field_photo(up, empty, {}, rng, tilt=tilt, size=SIZE, lay=number, table=table)
        try:
            found = likely_cards(image, deck)
        except Unreadable:
            continue
        for place in found:
            shown = _card_at(place.card.quad, {at: corners[at] for at in up})
            right = shown is not None and deck.labels[place.card.look] == up[shown]
            bare = _card_at(place.card.quad, corners) is None
            yield FieldPlace(place.card.probability, right, shown is not None, bare, place.seen)


def _card_at(quad: Floats, cards: Mapping[Place, Array]) -> Place | None:
    """The place of the card face up that lies there: the lattice may have been found a row off."""
    middle, width = quad.mean(axis=0), float(np.linalg.norm(quad[1] - quad[0]))
    away = {at: float(np.linalg.norm(corners.mean(axis=0) - middle)) for at, corners in cards.items()}
    nearest = min(away, key=lambda at: away[at])
    return nearest if away[nearest] < NEAR * width else None


def fit_field(found: Sequence[FieldPlace]) -> dict[str, object]:
    """`card`: the least probability from which at most WRONG of the names are wrong. `seen`: the probability
    above which as large a share of bare places is as of cards face up below it."""
    chances = np.array([place.probability for place in found])
    right = np.array([place.right for place in found])
    order = np.argsort(-chances)
    wrong = np.cumsum(~right[order]) / np.arange(1, len(order) + 1)
    last = int(np.flatnonzero(wrong <= WRONG)[-1])
    after = chances[order[last + 1]] if last + 1 < len(order) else 0.0
    card = float(chances[order[last]] + after) / 2
    seen = _equal_errors([one.seen for one in found if one.bare], [one.seen for one in found if one.taken])
    return {
        "card": round(card, 3),
        "seen": round(seen, 3),
        "face_up": sum(one.taken for one in found),
        "named": sum(one.right and one.probability > card for one in found),
        "empty": sum(not one.taken for one in found),
        "named_wrongly": sum(not one.right and one.probability > card for one in found),
        "bare": sum(one.bare for one in found),
        "bare_seen": sum(one.bare and one.seen > seen for one in found),
        "face_up_not_seen": sum(one.taken and one.seen <= seen for one in found),
    }


def _equal_errors(low: Sequence[float], high: Sequence[float]) -> float:
    """The value above which as large a share of `low` lies as of `high` does not; the middle of them."""
    values = np.unique([0.0, *low, *high, 1.0])
    between = (values[1:] + values[:-1]) / 2
    above = 1.0 - np.searchsorted(np.sort(low), between) / len(low)
    below = np.searchsorted(np.sort(high), between) / len(high)
    off = np.abs(above - below)
    return float(np.mean(between[off == off.min()]))
