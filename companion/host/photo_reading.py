"""Reads photographs that phones send: displays, tiles, dice.

A reading is a proposal, with a picture on which it is drawn; the pictures stay in memory (see Photos).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from companion.api.photos import ColumnCount, DicePhoto, PhotoReading, Pixel, ReadCard, UnreadTile, UnsureCard
from companion.core.errors import Unavailable
from companion.evidence.photos import Photos
from companion.games import known_game
from companion.games.game import Game
from companion.host.deck_library import DeckLibrary

if TYPE_CHECKING:
    from companion.core.observations import Point, Sighting
    from companion.vision.deck.deck import Deck
    from companion.vision.image.decoder import PictureDecoder
    from companion.vision.image.picture import Image


class PhotoReader:
    """Reads photographs with the decks of the games."""

    def __init__(self, decks: DeckLibrary, photos: Photos, decoder: PictureDecoder) -> None:
        self._decoder = decoder
        self._decks = decks
        self._photos = photos

    def read(self, game: str, player: str, jpeg: bytes) -> PhotoReading:
        """Reads the display or the tiles of a player of this game.

        Raises:
            CompanionError: the picture cannot be read; the message says what to do about it.
        """
        deck = self._decks.deck(game)
        known = known_game(game)
        work = {"display": self._display, "tiles": self._tiles}.get(known.photographed if known else "")
        if work is None or known is None:
            raise Unavailable("photo.not_scored", game=game)
        with self._decoder.decoded(jpeg) as image:
            return work(image, deck, player, known)

    def dice(self, jpeg: bytes, count: int | None) -> DicePhoto:
        """Reads dice.

        Raises:
            CompanionError: the picture cannot be read; the message says what to do about it.
        """
        from companion.vision.dice.read import read_dice

        with self._decoder.decoded(jpeg) as image:
            reading = read_dice(image, count)
        return DicePhoto(tuple(die.value for die in reading.dice), tuple(reading.unsure))

    def _display(self, image: Image, deck: Deck, player: str, game: Game) -> PhotoReading:
        from companion.vision.display.read import read_display
        from companion.vision.image import annotate

        reading = read_display(image, deck, game.joker)
        shown = self._kept(image, annotate.draw_cards(image, reading))
        cards = _cards(reading.cards, shown)
        places = tuple(
            UnsureCard(
                f"{shown.id}-unsure-{i}",
                tuple(_scaled(corner, shown.scale) for corner in place.corners),
                place.likely,
                place.column,
                None if place.card is None else cards[place.card].id,
                place.reason,
            )
            for i, place in enumerate(reading.unsure)
        )
        columns = zip(cards, reading.monsters, strict=True)
        return PhotoReading(
            player,
            shown.id,
            shown.address,
            shown.size,
            tuple(msgspec.structs.replace(card, monster=monster) for card, monster in columns),
            None if reading.unsure else game.points_of_display(reading.display),
            tuple(place.reason for place in reading.unsure),
            tuple(deck.names),
            display={monster: ColumnCount(**column) for monster, column in reading.display.items()},
            places=places,
        )

    def _tiles(self, image: Image, deck: Deck, player: str, game: Game) -> PhotoReading:
        from companion.vision.image import annotate
        from companion.vision.tiles.read import read_tiles

        reading = read_tiles(image, deck, game.most_copies)
        unsure = [(doubt.centre, doubt.radius) for doubt in reading.doubts]
        shown = self._kept(image, annotate.draw_tiles(image, reading.cards, unsure))
        doubts = [
            UnreadTile(
                f"{shown.id}-doubt-{i}",
                doubt.like,
                _scaled(doubt.centre, shown.scale),
                round(doubt.radius * shown.scale, 1),
            )
            for i, doubt in enumerate(reading.doubts)
        ]
        return PhotoReading(
            player,
            shown.id,
            shown.address,
            shown.size,
            _cards(reading.cards, shown),
            None if reading.unsure else game.points_of_tiles(reading.tiles),
            tuple(reading.unsure),
            tuple(deck.names),
            tiles=dict(reading.tiles),
            doubts=tuple(doubts),
        )

    def _kept(self, image: Image, drawn: bytes) -> ShownPicture:
        from companion.vision.image import annotate
        from companion.vision.image.picture import shrunk

        small, scale = shrunk(image, annotate.LONGEST)
        return ShownPicture(self._photos.keep(drawn), (small.shape[1], small.shape[0]), scale)


class ShownPicture(msgspec.Struct, frozen=True):
    """A picture that a page shows; `scale` is its width divided by the photograph's."""

    id: str
    size: tuple[int, int]
    scale: float

    @property
    def address(self) -> str:
        """Its address on the pages' server."""
        return f"/photo/{self.id}.jpg"


def _cards(cards: tuple[Sighting, ...], shown: ShownPicture) -> tuple[ReadCard, ...]:
    return tuple(
        ReadCard(
            f"{shown.id}-{i}",
            card.label,
            round(card.confidence, 3),
            tuple(_scaled(corner, shown.scale) for corner in card.corners),
        )
        for i, card in enumerate(cards)
    )


def _scaled(point: Point, scale: float) -> Pixel:
    """A point of the photograph in pixels of the picture that is shown."""
    x, y = (round((v + 0.5) * scale - 0.5, 1) for v in point)
    return x, y
