"""A folder of pictures is of crops, or of cards on tables: each picture's card is found, or its name told."""

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
import pytest

from bench.displays.scenes import squared_paper
from companion.art.scene.tables import table
from companion.core.errors import Unreadable
from companion.vision.deck.outline import card_outline, card_outlines
from companion.vision.image.geometry import intersection_over_union as overlap
from models.drawn.camera import Floats, Image, lay, quad_at
from models.drawn.games import framed_card, number_card

SIZE = (640, 480)
GROUNDS = ("wood", "checked", "squared", "cloth", "white")
CARDS = [number_card(61, number % 4, number) for number in range(10)]
NAMES = [f"{number}.jpg" for number in range(10)]


def photograph(ground: str, card: Image | None, seed: int) -> tuple[Image, Floats]:
    """A card, or none, as somebody photographs it on a table, and its quad."""
    rng = np.random.default_rng(seed)
    canvas = squared_paper(*SIZE, 2.0, rng) if ground == "squared" else table(ground, *SIZE, 2.0, rng)
    canvas = np.array(canvas, np.float32)
    middle = (float(rng.uniform(250, 390)), float(rng.uniform(220, 260)))
    quad = quad_at(middle, float(rng.uniform(200, 250)), 700 / 450, float(rng.normal(0, 4)), 8.0, 60.0)
    if card is not None:
        lay(canvas, card.astype(np.float32), quad, reach=3.0)
    noise = rng.normal(0, 2, canvas.shape)
    return np.asarray(np.clip(cv2.GaussianBlur(canvas, (0, 0), 0.6) + noise, 0, 255), np.uint8), quad


@cache
def _photographs() -> list[tuple[Image, Floats]]:
    return [photograph(GROUNDS[i % len(GROUNDS)], card, i) for i, card in enumerate(CARDS)]


def photographs() -> tuple[list[Image], list[Floats]]:
    return [image for image, _ in _photographs()], [quad for _, quad in _photographs()]


def wholes(images: Sequence[Image]) -> list[bool]:
    quads = card_outlines(images, [str(number) for number in range(len(images))])
    sizes = [image.shape[0] * image.shape[1] for image in images]
    return [cv2.contourArea(quad) > 0.98 * size for quad, size in zip(quads, sizes, strict=True)]


def test_each_card_on_a_table_of_any_kind_is_found() -> None:
    images, quads = photographs()
    found = card_outlines(images, NAMES)
    assert min(overlap(one, quad) for one, quad in zip(found, quads, strict=True)) > 0.9


def test_crops_are_whole_although_frames_are_printed_on_them() -> None:
    assert wholes(CARDS) == [True] * 10
    assert wholes([framed_card(29, number) for number in range(10)]) == [True] * 10


def test_a_photograph_without_a_whole_card_is_named_and_no_other() -> None:
    images, _ = photographs()
    images[3], _ = photograph("wood", None, 3)
    with pytest.raises(Unreadable) as refused:
        card_outlines(images, NAMES)
    assert refused.value.message.code == "deck.no_card_found"
    assert "3.jpg" in str(refused.value)
    assert "4.jpg" not in str(refused.value)


def test_a_crop_may_be_among_photographs() -> None:
    images, quads = photographs()
    images[5] = CARDS[5]
    found = card_outlines(images, NAMES)
    assert cv2.contourArea(found[5]) > 0.98 * CARDS[5].shape[0] * CARDS[5].shape[1]
    assert overlap(found[4], quads[4]) > 0.9


def test_another_look_is_found_on_a_table_or_refused() -> None:
    image, quad = photograph("checked", CARDS[2], 12)
    assert overlap(card_outline(image, 700 / 450, "gun~2.jpg"), quad) > 0.9
    empty, _ = photograph("checked", None, 12)
    with pytest.raises(Unreadable, match=r"gun~2\.jpg"):
        card_outline(empty, 700 / 450, "gun~2.jpg")
