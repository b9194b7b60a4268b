"""Whether an arm can have been over the table when a card appeared."""

from __future__ import annotations

import numpy as np

from companion.vision.tracking.arms import BEFORE_S, Arms
from companion.vision.tracking.change import Blob, Change


def change(t: float, *edges: bool) -> Change:
    """What a picture shows in which blobs reach the picture's edge or not."""
    cells = np.ones((4, 4), bool)
    box = (slice(0, 4), slice(0, 4))
    blobs = tuple(Blob(cells, box, edge, 0.0, t) for edge in edges)
    return Change(t, np.zeros((16, 16, 3), np.uint8), np.zeros((16, 16), bool), blobs)


def seen(*changes: Change) -> Arms:
    arms = Arms()
    for one in changes:
        arms.see(one)
    return arms


def test_what_reaches_the_edge_may_have_brought_a_card() -> None:
    arms = seen(*(change(0.1 * k, k == 5) for k in range(1, 20)))
    assert arms.came(0.5)
    assert arms.came(0.5 + BEFORE_S)
    assert not arms.came(0.6 + BEFORE_S)


def test_what_lies_within_the_picture_is_no_arm() -> None:
    assert not seen(*(change(0.1 * k, False) for k in range(1, 20))).came(1.0)


def test_between_two_pictures_far_apart_an_arm_may_have_come_and_gone() -> None:
    assert seen(change(0.1), change(0.2), change(0.9)).came(1.2)
    assert not seen(change(0.1), change(0.2), change(0.3), change(0.4)).came(0.6)
