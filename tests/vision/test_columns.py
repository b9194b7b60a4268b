"""A photographed display: its columns, and that nothing under a card is overlooked in silence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from flat_cards import GAME, WIDTH, drawn, lay, quad_at, table

from companion.core.observations import Sighting
from companion.vision.cards.columns import assign_columns, read_display
from companion.vision.cards.edges import LEAST_CONTRAST, card_quad, find_edge_pair, typical_contrast
from companion.vision.cards.occluded import count_long_steps
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.image import geometry
from companion.vision.image.picture import Image
from companion.vision.match.descriptor import PicturePyramid

STEP = 70.0
STRANGER = "orange 4"
"""A card that the deck of these tests does not know."""


@pytest.fixture(scope="module")
def cards() -> dict[str, Image]:
    return drawn(["yellow 7", STRANGER, "blue 2", "blue 5", "red 4", "green 1", "joker"])


@pytest.fixture(scope="module")
def deck(cards: dict[str, Image]) -> Deck:
    known = {label: card for label, card in cards.items() if label != STRANGER}
    return enrol_pictures(GAME, list(known), list(known.values())).deck


def display(cards: Mapping[str, Image], columns: Sequence[Sequence[str]]) -> Image:
    """Columns side by side, the last card of each on top."""
    picture = table(np.random.default_rng(1))
    for place, labels in enumerate(columns):
        for row, label in enumerate(labels):
            lay(picture, cards[label], quad_at(160 + 200 * place, 160 + STEP * row, 1.5 - row))
    return picture


def test_a_display_is_read_by_its_columns(deck: Deck, cards: dict[str, Image]) -> None:
    reading = read_display(
        display(cards, [["blue 2", "blue 5", "joker"], ["red 4"], ["green 1"]]), deck, "joker"
    )
    assert reading.display == {
        "blue": {"cards": 3, "jokers": 1},
        "red": {"cards": 1, "jokers": 0},
        "green": {"cards": 1, "jokers": 0},
    }
    assert reading.unsure == ()


def test_a_card_that_sticks_out_and_cannot_be_named_is_reported_as_unsure(
    deck: Deck, cards: dict[str, Image]
) -> None:
    reading = read_display(display(cards, [[STRANGER, "yellow 7"], ["red 4"]]), deck, "joker")
    assert {card.label for card in reading.cards} == {"yellow 7", "red 4"}
    assert "display.strangers" in [doubt.code for doubt in reading.unsure]


def test_edges_tell_where_a_covered_card_lies(cards: dict[str, Image]) -> None:
    picture = table(np.random.default_rng(1))
    below, above = quad_at(450, 250, 3), quad_at(455, 320, 1)
    lay(picture, cards[STRANGER], below)
    lay(picture, cards["yellow 7"], above)
    scene = PicturePyramid(picture)
    usual = typical_contrast(scene, [above])
    found = find_edge_pair(scene, above)
    assert found is not None
    assert found.contrast > 2 * LEAST_CONTRAST * usual
    assert np.linalg.norm(card_quad(scene, above, found) - below, axis=1).max() < 0.1 * WIDTH
    bare = find_edge_pair(scene, geometry.rotated_half_turn(above))
    assert bare is None or bare.contrast < LEAST_CONTRAST * usual


def test_a_step_much_longer_than_the_others_is_a_jump() -> None:
    even = [quad_at(150, 150 + STEP * row) for row in range(4)]
    assert count_long_steps(even) == 0
    assert (
        count_long_steps(
            [quad for row, quad in enumerate(even) if row != 2]
            + [quad_at(400, 150 + STEP * r) for r in range(3)]
        )
        == 1
    )


def test_a_joker_that_touches_two_columns_is_doubtful() -> None:
    def at(label: str, x: float, y: float) -> Sighting:
        (a, b), (c, d), (e, f), (g, h) = quad_at(x, y).tolist()
        return Sighting(label, 0.99, ((a, b), (c, d), (e, f), (g, h)))

    cards = [at("blue 2", 200, 200), at("joker", 230, 280), at("red 4", 260, 360)]
    monsters, doubts = assign_columns(cards, "joker")
    assert (monsters[0], monsters[2]) == ("blue", "red")
    assert [(doubt.code, doubt.params["monsters"]) for doubt in doubts] == [
        ("display.joker_touches", ("blue", "red"))
    ]
