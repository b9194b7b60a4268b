"""Reads a player's tiles: which symbols lie there, how many of each, and what they score.

A score is given only if nothing is left unexplained: every place that looks like a tile but was not
identified is a doubt with a position in the picture, which a person answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from companion.core.errors import UsageError
from companion.core.message import Message, message
from companion.core.observations import Point, Sighting
from companion.vision.deck.deck import Deck
from companion.vision.image.picture import Image, validated
from companion.vision.symbols.discs import TileCircle, find_tile_circles
from companion.vision.symbols.search import (
    CLEAR_PAPER,
    SymbolMatch,
    accept_matches,
    match_places,
    overlap,
    prepare_picture,
    unpack_looks,
)

SET = 3
"""Tiles of one symbol that make a set, and how many there are of it in the game (BUGS-2, BUGS-21)."""
SYMBOL_LIKE_FIT = 0.62
"""Fit from which something that was not told looks like a symbol of the deck."""
LIKE_SIZE = (0.6, 1.7)
"""Radii, as shares of the usual one of those told, that a symbol left untold may have."""
LEAST_DISTANCE = 0.9
"""Sum of the radii, as a share of it, that the middles of two tiles are apart at least."""


@dataclass(frozen=True)
class SymbolReading:
    """The symbols told, surest first, and the places where something like a symbol could not be told."""

    cards: tuple[Sighting, ...]
    untold: tuple[SymbolMatch, ...]
    hidden: tuple[TileCircle, ...]
    """Parts of tiles, and whole tiles, on which nothing was told or thought likely."""


@dataclass(frozen=True)
class UncertainTile:
    """A place where a tile seems to lie that could not be told. `like`: the symbol it may be, if any."""

    centre: Point
    radius: float
    like: str | None

    @property
    def message(self) -> Message:
        """What is doubtful."""
        x, y = round(self.centre[0]), round(self.centre[1])
        if self.like is None:
            return message("tiles.covered", x=x, y=y)
        return message("tiles.maybe", x=x, y=y, label=self.like)


@dataclass(frozen=True)
class TilesReading:
    """A collection of tiles. `tiles`: how many of each symbol. `score` is None while anything is unsure:
    `doubts` are places in the picture, `unsure` all that speaks against the count."""

    tiles: dict[str, int]
    cards: tuple[Sighting, ...]
    doubts: tuple[UncertainTile, ...]
    score: int | None
    unsure: tuple[Message, ...]


def read_symbols(image: Image, deck: Deck) -> SymbolReading:
    """The symbols of the deck in the picture, any number of copies.

    Raises:
        UsageError: the deck holds no symbols. Unreadable: it is no picture.
    """
    if deck.symbols is None:
        raise UsageError("deck.no_symbols", name=deck.name)
    ready = prepare_picture(validated(image), deck.labels, unpack_looks(deck.symbols))
    whole, parts = find_tile_circles(ready.picture)
    found = match_places(ready, whole)
    sure = accept_matches(found)
    untold = _unaccepted(found, sure)
    hidden = _hidden_tiles(whole, parts, sure, untold)
    return SymbolReading(
        tuple(
            to_sighting(ready.original_match(one)) for one in sorted(sure, key=lambda one: -confidence(one))
        ),
        tuple(ready.original_match(one) for one in untold),
        tuple(ready.original_circle(one) for one in hidden),
    )


def read_tiles(image: Image, deck: Deck) -> TilesReading:
    """Reads the tiles in a picture and counts what they score.

    Args:
        image: BGR, uint8, the tiles seen from above.
        deck: a deck of symbols.

    Returns:
        Tiles by symbol, the symbols found (surest first), the doubtful places, and the score; None while
        anything is doubtful.

    Raises:
        UsageError: the deck holds no symbols.
        Unreadable: it is no picture.
    """
    reading = read_symbols(image, deck)
    counts = Counter(card.label for card in reading.cards)
    tiles = {label: counts[label] for label in deck.names if counts[label]}
    unsure = [
        message("tiles.too_many", count=n, label=label, most=SET) for label, n in tiles.items() if n > SET
    ]
    doubts = (
        *(UncertainTile(one.centre, one.radius, one.label) for one in reading.untold),
        *(UncertainTile(one.centre, one.radius, None) for one in reading.hidden),
    )
    unsure += [doubt.message for doubt in doubts]
    if not tiles:
        unsure.append(message("tiles.none"))
    score = None if unsure else tiles_points(tiles)
    return TilesReading(tiles, reading.cards, doubts, score, tuple(unsure))


def tiles_points(tiles: Mapping[str, int]) -> int:
    """3 for three tiles of one symbol, -1 for each other tile (BUGS-21, BUGS-22)."""
    return sum(SET * (n // SET) - n % SET for n in tiles.values())


def confidence(found: SymbolMatch) -> float:
    """How sure a reading is, 0 to 1: from its fit and its lead over the next symbol."""
    odds = 2.5 + 14.0 * (found.score - 0.82) + 10.0 * (found.margin - 0.1)
    return float(1.0 / (1.0 + np.exp(-odds)))


def to_sighting(found: SymbolMatch) -> Sighting:
    """A reading as it is reported: its corners are those of the square round the symbol's circle, turned
    as the symbol is."""
    turn = np.radians(found.degrees)
    across = found.radius * np.array([np.cos(turn), np.sin(turn)])
    down = found.radius * np.array([-np.sin(turn), np.cos(turn)])
    places = [np.array(found.centre) + a * across + b * down for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    points = [(float(x), float(y)) for x, y in places]
    corners: tuple[Point, Point, Point, Point] = (points[0], points[1], points[2], points[3])
    return Sighting(found.label, round(confidence(found), 4), corners)


def _unaccepted(found: Sequence[SymbolMatch], sure: Sequence[SymbolMatch]) -> list[SymbolMatch]:
    """Places that look like a symbol, as large as those told and beside them, best first."""
    usual = float(np.median([one.radius for one in sure])) if sure else None
    left: list[SymbolMatch] = []
    for one in sorted(found, key=lambda f: -f.score):
        fits = usual is None or LIKE_SIZE[0] < one.radius / usual < LIKE_SIZE[1]
        if one.score < SYMBOL_LIKE_FIT or one.clear < CLEAR_PAPER or not fits:
            continue
        if not any(_overlaps_tile(one, other) for other in sure) and not any(
            overlap(one, other) for other in left
        ):
            left.append(one)
    return left


def _hidden_tiles(
    whole: Sequence[TileCircle],
    parts: Sequence[TileCircle],
    sure: Sequence[SymbolMatch],
    untold: Sequence[SymbolMatch],
) -> list[TileCircle]:
    """Outlines of tiles on which nothing lies that was told or is doubted already. Circles count as tiles
    where most symbols told lie on one; others may be figures of the table."""

    def on(disc: TileCircle, one: SymbolMatch) -> bool:
        away = np.hypot(disc.centre[0] - one.centre[0], disc.centre[1] - one.centre[1])
        return bool(away + 0.6 * one.radius < 1.1 * disc.radius)

    if 2 * sum(any(on(disc, one) for disc in whole) for one in sure) < max(1, len(sure)):
        return []
    bare = [disc for disc in whole if not any(on(disc, one) for one in (*sure, *untold))]
    return bare + [disc for disc in parts if not any(on(disc, one) for one in untold)]


def _overlaps_tile(one: SymbolMatch, other: SymbolMatch) -> bool:
    """True if a circle reaches into that of a symbol told: tiles touch, but do not lie on each other."""
    away = np.hypot(one.centre[0] - other.centre[0], one.centre[1] - other.centre[1])
    return bool(away < LEAST_DISTANCE * (one.radius + other.radius))
