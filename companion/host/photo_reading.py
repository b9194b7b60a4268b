"""Photographs that phones send, read for the pages: displays, tiles, dice.

What was read is a proposal with the picture it was drawn on; the pictures stay in memory (see Photos).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.errors import Unavailable
from companion.evidence.photos import Photos
from companion.games import known_game
from companion.host.deck_library import DeckLibrary

if TYPE_CHECKING:
    from companion.core.observations import Point, Sighting
    from companion.vision.deck.deck import Deck
    from companion.vision.image.picture import Image

Json = dict[str, Any]


class PhotoReader:
    """Reads photographs with the decks of the games."""

    def __init__(self, decks: DeckLibrary, photos: Photos) -> None:
        self._decks = decks
        self._photos = photos

    def read(self, game: str, player: str, jpeg: bytes) -> Json:
        """What lies before a player of this game: a display, or the tiles of Bugs & Co.

        Raises:
            CompanionError: what is wrong with the picture and what to do about it.
        """
        from companion.vision.image.picture import decode

        deck = self._decks.deck(game)
        image = decode(jpeg)
        known = known_game(game)
        work = {"display": self._display, "tiles": self._tiles}.get(known.photographed if known else "")
        if work is None:
            raise Unavailable("photo.not_scored", game=game)
        return {"player": player, "labels": list(deck.names), **work(image, deck)}

    def dice(self, jpeg: bytes, count: int | None) -> Json:
        """`dice`, the values from left to right, and `unsure`, doubts in words.

        Raises:
            CompanionError: what is wrong with the picture and what to do about it.
        """
        from companion.vision.dice.read import read_dice
        from companion.vision.image.picture import decode

        reading = read_dice(decode(jpeg), count)
        return {"dice": [die.value for die in reading.dice], "unsure": list(reading.unsure)}

    def _display(self, image: Image, deck: Deck) -> Json:
        from companion.vision.cards.columns import read_display
        from companion.vision.image import annotate

        reading = read_display(image, deck)
        shown, scale = self._shown(image, annotate.draw_cards(image, reading))
        cards = _cards(reading.cards, shown["id"], scale)
        return {
            **shown,
            "display": {monster: dict(column) for monster, column in reading.display.items()},
            "cards": [
                {**card, "monster": monster} for card, monster in zip(cards, reading.monsters, strict=True)
            ],
            "score": reading.score,
            "unsure": list(reading.unsure),
        }

    def _tiles(self, image: Image, deck: Deck) -> Json:
        from companion.vision.tiles.draw import draw_tiles
        from companion.vision.tiles.read import read_tiles

        reading = read_tiles(image, deck)
        shown, scale = self._shown(image, draw_tiles(image, reading))
        return {
            **shown,
            "tiles": reading.tiles,
            "cards": _cards(reading.cards, shown["id"], scale),
            "doubts": [
                {
                    "id": f"{shown['id']}-doubt-{i}",
                    "like": doubt.like,
                    "centre": _scaled(doubt.centre, scale),
                    "radius": round(doubt.radius * scale, 1),
                }
                for i, doubt in enumerate(reading.doubts)
            ],
            "score": reading.score,
            "unsure": list(reading.unsure),
        }

    def _shown(self, image: Image, drawn: bytes) -> tuple[Json, float]:
        """The drawn picture's name, address and size, and how much smaller than the photograph it is."""
        from companion.vision.image import annotate
        from companion.vision.image.picture import shrunk

        name = self._photos.keep(drawn)
        small, scale = shrunk(image, annotate.LONGEST)
        size = [small.shape[1], small.shape[0]]
        return {"id": name, "picture": f"/photo/{name}.jpg", "size": size}, scale


def _cards(cards: tuple[Sighting, ...], name: str, scale: float) -> list[Json]:
    return [
        {
            "id": f"{name}-{i}",
            "label": card.label,
            "confidence": round(card.confidence, 3),
            "corners": [_scaled(corner, scale) for corner in card.corners],
        }
        for i, card in enumerate(cards)
    ]


def _scaled(point: Point, scale: float) -> list[float]:
    """A place in the photograph as one in the drawn picture."""
    return [round((v + 0.5) * scale - 0.5, 1) for v in point]
