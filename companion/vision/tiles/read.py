"""Reads a player's tiles: which symbols lie there, and how many of each.

Every place that looks like a tile but was not identified is a doubt with a position in the picture, which a
person answers. Tiles are scored only if there is no doubt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.core.errors import UsageError
from companion.core.message import Message, message
from companion.core.observations import Point, Sighting
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Image, validated
from companion.vision.symbols.discs import TileCircle
from companion.vision.symbols.learn import unpack_looks
from companion.vision.symbols.limits import NameLimits, symbol_limits
from companion.vision.symbols.polar import SymbolMatch, overlap
from companion.vision.symbols.search import SymbolPicture, named_symbols, prepare_picture


@dataclass(frozen=True)
class SymbolReading:
    """The identified symbols, most confident first, and the places that look like a symbol but were not
    identified (`unidentified`)."""

    cards: tuple[Sighting, ...]
    unidentified: tuple[SymbolMatch, ...]
    hidden: tuple[TileCircle, ...]
    """Parts of tiles, and whole tiles, on which nothing was identified and nothing looks like a symbol."""


@dataclass(frozen=True)
class UncertainTile:
    """A place that looks like a tile and was not identified. `like`: the symbol that it may be, if any."""

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
    """A collection of tiles. `tiles`: how many of each symbol. `doubts` are places in the picture; `unsure`
    is everything that makes the count doubtful, those places included. Tiles are scored only if it is
    empty."""

    tiles: dict[str, int]
    cards: tuple[Sighting, ...]
    doubts: tuple[UncertainTile, ...]
    unsure: tuple[Message, ...]


def read_symbols(image: Image, deck: Deck) -> SymbolReading:
    """The symbols of the deck in the picture, any number of copies.

    Raises:
        UsageError: the deck holds no symbols. Unreadable: it is no picture.
    """
    if deck.symbols is None:
        raise UsageError("deck.no_symbols", name=deck.name)
    limits = symbol_limits()
    ready = prepare_picture(validated(image), unpack_looks(deck.symbols), limits)
    return judge_places(ready, deck.symbol_album.matches(ready.places), limits.names)


def judge_places(ready: SymbolPicture, found: Sequence[SymbolMatch], limits: NameLimits) -> SymbolReading:
    """What is read of a picture, and what is asked about. `found`: each of its places with the symbol that it
    shows most likely, most probable first."""
    sure = named_symbols(found, limits.named)
    unidentified = _unidentified_symbols(found, sure, limits)
    hidden = _hidden_tiles(ready.whole, ready.parts, sure, unidentified)
    return SymbolReading(
        tuple(to_sighting(ready.original_match(one)) for one in sure),
        tuple(ready.original_match(one) for one in unidentified),
        tuple(ready.original_circle(one) for one in hidden),
    )


def read_tiles(image: Image, deck: Deck, most: int) -> TilesReading:
    """Reads the tiles in a picture and counts them.

    Args:
        image: BGR, uint8, the tiles seen from above.
        deck: a deck of symbols.
        most: how many tiles there are of one symbol; a larger count is unsure.

    Returns:
        Tiles by symbol, the symbols found (most confident first), the doubtful places, and what is unsure.

    Raises:
        UsageError: the deck holds no symbols.
        Unreadable: it is no picture.
    """
    reading = read_symbols(image, deck)
    counts = Counter(card.label for card in reading.cards)
    tiles = {label: counts[label] for label in deck.names if counts[label]}
    unsure = [
        message("tiles.too_many", count=n, label=label, most=most) for label, n in tiles.items() if n > most
    ]
    doubts = (
        *(UncertainTile(one.centre, one.radius, one.label) for one in reading.unidentified),
        *(UncertainTile(one.centre, one.radius, None) for one in reading.hidden),
    )
    unsure += [doubt.message for doubt in doubts]
    if not tiles:
        unsure.append(message("tiles.none"))
    return TilesReading(tiles, reading.cards, doubts, tuple(unsure))


def to_sighting(found: SymbolMatch) -> Sighting:
    """A match as it is reported: its corners are those of the square around the symbol's circle, turned as
    the symbol is."""
    turn = np.radians(found.degrees)
    across = found.radius * np.array([np.cos(turn), np.sin(turn)])
    down = found.radius * np.array([-np.sin(turn), np.cos(turn)])
    places = [np.array(found.centre) + a * across + b * down for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    corners = geometry.corner_points(np.array(places))
    return Sighting(found.label, round(found.probability, 4), corners)


def _unidentified_symbols(
    found: Sequence[SymbolMatch], sure: Sequence[SymbolMatch], limits: NameLimits
) -> list[SymbolMatch]:
    """Places that are likely to show a symbol, not much smaller than the identified ones and not on
    them; `found` and they are the most probable first."""
    median_radius = float(np.median([one.radius for one in sure])) if sure else None
    left: list[SymbolMatch] = []
    for one in found:
        is_small = median_radius is not None and one.radius < limits.like_small * median_radius
        if one.probability < limits.likely or is_small:
            continue
        if not any(_overlaps_tile(one, other, limits.least_distance) for other in sure) and not any(
            overlap(one, other) for other in left
        ):
            left.append(one)
    return left


def _hidden_tiles(
    whole: Sequence[TileCircle],
    parts: Sequence[TileCircle],
    sure: Sequence[SymbolMatch],
    unidentified: Sequence[SymbolMatch],
) -> list[TileCircle]:
    """Outlines of tiles on which there is no identified symbol and no doubt yet. Circles count as tiles only
    if most identified symbols lie on one; otherwise they may be a pattern of the table."""

    def on(disc: TileCircle, one: SymbolMatch) -> bool:
        distance = np.hypot(disc.centre[0] - one.centre[0], disc.centre[1] - one.centre[1])
        return bool(distance < disc.radius)

    if 2 * sum(any(on(disc, one) for disc in whole) for one in sure) < max(1, len(sure)):
        return []
    empty = [disc for disc in whole if not any(on(disc, one) for one in (*sure, *unidentified))]
    return empty + [disc for disc in parts if not any(on(disc, one) for one in unidentified)]


def _overlaps_tile(one: SymbolMatch, other: SymbolMatch, least_distance: float) -> bool:
    """Whether a circle overlaps that of an identified symbol: tiles touch, but do not lie on each other."""
    distance = np.hypot(one.centre[0] - other.centre[0], one.centre[1] - other.centre[1])
    return bool(distance < least_distance * (one.radius + other.radius))
