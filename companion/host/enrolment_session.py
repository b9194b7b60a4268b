"""The deck that is being learned with a phone, and the cards of the picture in front of it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core.errors import Unavailable
from companion.games import known_game
from companion.games.game import CardShape

if TYPE_CHECKING:
    from companion.vision.deck.collect import CollectedCard
    from companion.vision.deck.deck import Deck
    from companion.vision.deck.labels import Template
    from companion.vision.image.picture import Floats, Image

THUMB = 220
"""Pixels of a card's width as it is shown."""

UNLEARNABLE = ("cut_off", "unclear")
"""Problems of a card whose outline is not known: it cannot be learned at all."""


@dataclass(eq=False)
class PictureCard:
    """A card in the session's picture."""

    found: CollectedCard
    guess: str | None
    new: bool
    thumb: str
    label: str | None = None


@dataclass(eq=False)
class EnrolmentSession:
    """The deck that is being learned, and the picture whose cards are being named."""

    name: str
    template: Template | None
    deck: Deck | None
    shape: CardShape
    image: Image | None = None
    picture: str = ""
    cards: list[PictureCard] = dataclasses.field(default_factory=list)
    dirty: bool = False
    weak: set[str] = dataclasses.field(default_factory=set)
    reference: tuple[Image, Floats] | None = None
    """Picture and quad of the first card learned: later looks of triangles are corrected to its light."""


def shape_of(template: Template | None, deck: Deck | None) -> CardShape:
    """The outline of a deck's cards: that of the game whose cards they are."""
    if deck is not None and deck.triangles is not None:
        return "triangle"
    game = known_game(template.game) if template is not None else None
    return "rectangle" if game is None else game.card_shape


def corners_of(found: CollectedCard, session: EnrolmentSession) -> Floats:
    """The corners of a card in pixels: three or four."""
    if session.shape != "triangle":
        return found.quad
    from companion.vision.triangles.collect import triangle_of

    return triangle_of(found.quad)


def turned(found: CollectedCard, session: EnrolmentSession) -> CollectedCard:
    """The card the other way up: by half a turn, a triangle by a third."""
    import numpy as np

    from companion.vision.deck.enrol import card_picture
    from companion.vision.image import geometry
    from companion.vision.triangles import collect

    if session.shape == "triangle" and session.image is not None:
        quad = collect.quad_of(np.roll(collect.triangle_of(found.quad), -1, axis=0))
        return dataclasses.replace(found, quad=quad, card=card_picture(session.image, quad, collect.ASPECT))
    quad = geometry.rotated_half_turn(found.quad)
    return dataclasses.replace(found, quad=quad, card=found.card[::-1, ::-1].copy())


def is_good(card: PictureCard) -> bool:
    """Whether the card is whole, clear, sharp and large enough to be learned from."""
    return card.found.problem is None


def new_cards(session: EnrolmentSession) -> list[PictureCard]:
    """The cards of the picture that can be learned and of which the deck knows nothing, row by row."""
    return [
        card
        for card in session.cards
        if card.label is None and card.guess is None and card.found.problem not in UNLEARNABLE
    ]


def next_names(session: EnrolmentSession) -> tuple[str, ...]:
    """The first names of the list that the deck lacks, one for each new card; none if there are fewer."""
    if session.template is None:
        return ()
    missing = session.template.missing(session.deck.names if session.deck else ())
    count = len(new_cards(session))
    return missing[:count] if count <= len(missing) else ()


def thumb(card: Image) -> bytes:
    """A card's picture as a JPEG, THUMB pixels wide."""
    import cv2
    import numpy as np

    height = round(card.shape[0] * THUMB / card.shape[1])
    small = cv2.resize(card, (THUMB, height), interpolation=cv2.INTER_AREA)
    return jpeg_of(np.asarray(small, np.uint8))


def jpeg_of(image: Image) -> bytes:
    """A picture as a JPEG.

    Raises:
        Unavailable: OpenCV cannot encode it.
    """
    import cv2

    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 85])
    if not done:
        raise Unavailable("picture.cannot_encode")
    return data.tobytes()
