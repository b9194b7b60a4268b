"""Which games have a drawn deck, and the functions that every other room calls."""

from __future__ import annotations

from types import ModuleType

from companion.art import seven_merry_monsters
from companion.art.raster import Pixels, rasterise
from companion.art.svg import to_svg
from companion.art.vector import Drawing
from companion.errors import UsageError

GAMES: dict[str, ModuleType] = {"seven_merry_monsters": seven_merry_monsters}


def card_labels(game: str) -> list[str]:
    return list(_deck(game).labels())


def deck_list(game: str) -> list[tuple[str, int]]:
    deck = _deck(game)
    return [(label, deck.copies(label)) for label in deck.labels()]


def drawing(game: str, label: str) -> Drawing:
    deck = _deck(game)
    if label not in deck.labels():
        raise UsageError(f"{deck.TITLE} has no card {label!r}")
    return deck.draw(label)


def card_svg(game: str, label: str) -> str:
    return to_svg(drawing(game, label), f"{_deck(game).TITLE}: {label}")


def draw_card(game: str, label: str, height_px: int) -> Pixels:
    return rasterise(drawing(game, label), height_px)


def _deck(game: str) -> ModuleType:
    return GAMES[game]
