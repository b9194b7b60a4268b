"""Which games have a drawn deck, and the functions that every other room calls."""

from __future__ import annotations

from typing import Protocol

from companion.art.decks import (
    bugs_and_co,
    nasty_7,
    seven_merry_monsters,
    thirteen_monsters,
    trio_monsters,
)
from companion.art.draw.raster import Pixels, rasterise
from companion.art.draw.svg import to_svg
from companion.art.draw.vector import Drawing
from companion.core.errors import UsageError


class Deck(Protocol):
    """What a game's module offers."""

    TITLE: str
    CARD_MM: tuple[float, float]

    def labels(self) -> tuple[str, ...]: ...

    def copies(self, label: str, /) -> int: ...

    def draw(self, label: str, /) -> Drawing: ...

    def back(self) -> Drawing: ...


DECKS: dict[str, Deck] = {
    "bugs_and_co": bugs_and_co,
    "nasty_7": nasty_7,
    "seven_merry_monsters": seven_merry_monsters,
    "thirteen_monsters": thirteen_monsters,
    "trio_monsters": trio_monsters,
}
GAMES = tuple(DECKS)
"""The games that have a drawn deck."""


def title(game: str) -> str:
    """The game's name as it is printed."""
    return _deck(game).TITLE


def card_size(game: str) -> tuple[float, float]:
    """Width and height of the game's cards (tiles, triangles) in mm."""
    return _deck(game).CARD_MM


def card_labels(game: str) -> list[str]:
    """All labels of the deck, in the order of the sheets; UsageError for a game without a drawn deck."""
    return list(_deck(game).labels())


def deck_list(game: str) -> list[tuple[str, int]]:
    """(label, copies) of every card of the deck."""
    deck = _deck(game)
    return [(label, deck.copies(label)) for label in deck.labels()]


def drawing(game: str, label: str) -> Drawing:
    """The card as vectors, in mm; UsageError for an unknown game or label."""
    deck = _deck(game)
    if label not in deck.labels():
        raise UsageError(f"{deck.TITLE} has no card {label!r}; its cards are {', '.join(deck.labels())}")
    return deck.draw(label)


def card_back(game: str) -> Drawing:
    """The reverse of every card of the deck."""
    return _deck(game).back()


def card_svg(game: str, label: str) -> str:
    """The card as a stand-alone SVG document in mm."""
    return to_svg(drawing(game, label), f"{title(game)}: {label}")


def draw_card(game: str, label: str, height_px: int) -> Pixels:
    """The card as pixels, `height_px` high, its width in proportion; BGR, 0-255, square corners on white."""
    return rasterise(drawing(game, label), height_px)


def _deck(game: str) -> Deck:
    if game not in DECKS:
        raise UsageError(f"no deck is drawn for {game!r}; there is one for {', '.join(GAMES)}")
    return DECKS[game]
