"""Reads a photographed table of triangles and compares it with the game.

Everything in it is a proposal: the phone's user checks it, corrects it and enters it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.api.photos import LatticePhoto, MissingTriangle, TrianglePhoto
from companion.core.observations import LatticeCard
from companion.evidence.jpeg import small_jpeg
from companion.evidence.photos import Photos
from companion.games.lattice_photo import LatticeComparison, PhotoKind, Place

if TYPE_CHECKING:
    from companion.games.spotter import GameView
    from companion.vision.deck.deck import Deck
    from companion.vision.image.picture import Image

MARGIN = 0.3
"""Margin round the cards that is shown, as a share of the larger extent of the cards."""


def read_table(
    image: Image, deck: Deck, game: GameView, compare: LatticeComparison, photos: Photos
) -> LatticePhoto:
    """Reads the photograph (see `web.host.Host.read_lattice`).

    Args:
        deck: the cards of the game.
        compare: the game's comparison of seen and known cards.
        photos: stores the part of the photograph that is shown.

    Raises:
        CompanionError: picture or deck cannot be read; the message says what to do about it.
    """
    import numpy as np

    from companion.vision.image.annotate import LONGEST
    from companion.vision.image.picture import shrunk
    from companion.vision.lattice.read import read_lattice

    reading = read_lattice(image, deck)
    left, top, right, bottom = _round_the_cards([*reading.cards, *reading.unsure], image.shape)
    small, scale = shrunk(np.ascontiguousarray(image[top:bottom, left:right]), LONGEST)
    name = photos.keep(small_jpeg(small))
    found = compare(reading.cards, reading.unsure, game)
    cards = [
        _card(f"{name}-{kind}-{i}", at, kind, card, (left, top), scale)
        for kind, of_kind in found.cards.items()
        for i, (at, card) in enumerate(of_kind.items())
    ]
    return LatticePhoto(
        name,
        f"/photo/{name}.jpg",
        (small.shape[1], small.shape[0]),
        found.matched,
        found.ordered,
        tuple(cards),
        tuple(MissingTriangle(at, card) for at, card in found.missing.items()),
        tuple(deck.names),
    )


def _round_the_cards(cards: list[LatticeCard], shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """The part of the picture with the cards and a margin, in pixels: left, top, right, bottom."""
    height, width = shape[:2]
    if not cards:
        return 0, 0, width, height
    xs, ys = zip(*(corner for card in cards for corner in card.corners), strict=True)
    margin = MARGIN * max(max(xs) - min(xs), max(ys) - min(ys))
    left, top = max(0, int(min(xs) - margin)), max(0, int(min(ys) - margin))
    return left, top, min(width, int(max(xs) + margin) + 1), min(height, int(max(ys) + margin) + 1)


def _card(
    name: str, at: Place, kind: PhotoKind, card: LatticeCard, low: tuple[int, int], scale: float
) -> TrianglePhoto:
    corners = [
        tuple(round((v - first + 0.5) * scale - 0.5, 1) for v, first in zip(corner, low, strict=True))
        for corner in card.corners
    ]
    return TrianglePhoto(
        name, at, card.card, round(card.confidence, 3), tuple((x, y) for x, y in corners), kind
    )
