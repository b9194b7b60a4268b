"""The drawn decks: the functions that every other package calls. A game names the module that draws it."""

from __future__ import annotations

import importlib
from typing import Protocol, cast

from companion.art.draw.raster import Pixels, rasterise
from companion.art.draw.svg import to_svg
from companion.art.draw.vector import Drawing
from companion.core.errors import UsageError
from companion.games import games, known_game
from companion.games.game import Game


class CardDrawings(Protocol):
    """What a module that draws a deck has."""

    CARD_MM: tuple[float, float]
    """Width and height of a card in mm."""

    def draw(self, label: str, /) -> Drawing: ...

    def back(self) -> Drawing: ...


def drawn_games() -> tuple[str, ...]:
    """The names of the games whose cards are drawn."""
    return tuple(game.name for game in games() if game.drawing)


def title(game: str) -> str:
    """The game's name as it is printed."""
    return _game(game).title


def card_size(game: str) -> tuple[float, float]:
    """Width and height of the game's cards (tiles, triangles) in mm."""
    return _drawings(game).CARD_MM


def card_labels(game: str) -> list[str]:
    """All labels of the deck, in the order of the sheets; UsageError for a game without a drawn deck."""
    return list(_game(game).cards)


def deck_list(game: str) -> list[tuple[str, int]]:
    """(label, copies) of every card of the deck."""
    return list(_game(game).cards.items())


def drawing(game: str, label: str) -> Drawing:
    """The card as vectors, in mm; UsageError for an unknown game or label."""
    known = _game(game)
    if label not in known.cards:
        raise UsageError("art.no_card", title=known.title, label=label, cards=tuple(known.cards))
    return _drawings(game).draw(label)


def card_back(game: str) -> Drawing:
    """The reverse of every card of the deck."""
    return _drawings(game).back()


def card_svg(game: str, label: str) -> str:
    """The card as a stand-alone SVG document in mm."""
    return to_svg(drawing(game, label), f"{title(game)}: {label}")


def draw_card(game: str, label: str, height_px: int) -> Pixels:
    """The card as pixels, `height_px` high, its width in proportion; BGR, 0-255, square corners on white."""
    return rasterise(drawing(game, label), height_px)


def _game(name: str) -> Game:
    found = known_game(name)
    if found is None or not found.drawing:
        raise UsageError("art.no_deck", game=name, games=tuple(drawn_games()))
    return found


def _drawings(name: str) -> CardDrawings:
    return cast(CardDrawings, importlib.import_module(_game(name).drawing))
