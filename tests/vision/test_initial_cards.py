"""What was overlooked at first is sought only where it can have lain; changed pixels are reckoned up."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from tabletops import drawn_deck

from companion import art
from companion.core.observations import Sighting
from companion.vision.cards.recognise import CardReading, recognise
from companion.vision.cards.residual import ChangedArea
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats, Image
from companion.vision.tracking.change import CELL, Blob, Change
from companion.vision.tracking.initial_cards import InitialCards
from companion.vision.tracking.place import ChangedPlace
from companion.vision.tracking.tracked_card import LitImage, QuadMasks

SHAPE = (480, 640)
QUAD = np.array([[250, 150], [350, 150], [350, 306], [250, 306]], np.float32)


class Overlooking:
    """Sees nothing in a whole picture but something there, and reads parts as the eyes do."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(
        self, image: Image, deck: Deck, expected: frozenset[str] | None, changed: Array | None
    ) -> CardReading:
        if changed is None:
            return CardReading((), 1)
        self.asked += 1
        return recognise(image, deck, expected, changed)


def wood() -> Image:
    """A table with a grain."""
    rng = np.random.default_rng(4)
    grain = cv2.GaussianBlur(rng.normal(0, 60, SHAPE).astype(np.float32), (0, 0), 12, sigmaY=1)
    return np.clip(np.dstack([90 + grain, 120 + grain, 150 + grain]), 0, 255).astype(np.uint8)


def laid(label: str, quad: Floats) -> Image:
    """The table with a card on it."""
    card = np.asarray(art.draw_card("nasty_7", label, 220), np.uint8)
    height, width = card.shape[:2]
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    table = wood()
    onto = geometry.homography(frame, quad)
    cv2.warpPerspective(
        card, onto, SHAPE[::-1], dst=table, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT
    )
    return table


@pytest.mark.parametrize(
    ("lay", "moved", "asked", "lay_there"),
    [
        (None, (), 0, False),
        (QUAD, (), 1, True),
        (QUAD + np.array([130, 0], np.float32), (QUAD + np.array([130, 0], np.float32),), 1, True),
    ],
    ids=["it came", "it lay there", "it was pushed"],
)
def test_a_card_named_for_the_first_time_is_sought_where_it_can_have_lain(
    lay: Floats | None, moved: tuple[Floats, ...], asked: int, lay_there: bool
) -> None:
    reader = Overlooking()
    beginning = InitialCards(drawn_deck("nasty_7"), reader)
    assert beginning.learn(wood() if lay is None else laid("gun", lay)) == ()
    corners = tuple((float(x), float(y)) for x, y in QUAD)
    card = Sighting("gun", 1.0, (corners[0], corners[1], corners[2], corners[3]))
    shares = QuadMasks(SHAPE, 1.0)
    differs = shares.mask([QUAD, *moved])
    blob = Blob(np.ones((SHAPE[0] // CELL, SHAPE[1] // CELL), bool), (slice(0), slice(0)), False, 1.0, 0.0)
    change = Change(1.0, wood(), differs, (blob,))
    place = ChangedPlace(blob, change, LitImage(wood(), np.ones(3, np.float32)), 1.0)
    assert beginning.was_there(card, place) is lay_there
    assert reader.asked == asked
    assert not beginning.was_there(card, place), "asked once only"
    assert reader.asked == asked


def test_what_has_changed_is_explained_by_the_cards_that_lie_there() -> None:
    region = QuadMasks(SHAPE, 0.5).mask([QUAD])[: SHAPE[0] // 2, : SHAPE[1] // 2]
    changed = ChangedArea(region, (*SHAPE, 3))
    aside = QUAD + np.array([50, 0], np.float32)
    assert changed.share(QUAD) > 0.95
    assert changed.share(aside) == pytest.approx(0.5, abs=0.05)
    assert changed.share(QUAD + np.array([5000, 0], np.float32)) == 0.0
    changed.cover(aside)
    half = changed.is_explained
    changed.cover(QUAD)
    assert (half, changed.is_explained) == (False, True)
    assert changed.share(QUAD) > 0.95, "what is explained has changed all the same"
