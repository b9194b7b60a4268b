"""An arm that rests at the picture's edge is told from the table that is bare where an arm has been."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from companion.art.draw.raster import Pixels
from companion.art.scene import Scene
from companion.art.scene.play import Performance, Reach
from companion.vision.tracking.background import Background
from companion.vision.tracking.limits import seconds
from tests.vision.tabletops import LIGHT, VIEW

SEATS = (90.0, 150.0, 210.0, 330.0)
GROUNDS = ("checked", "cloth", "wood")


def pictures(ground: str, seat: float) -> tuple[Pixels, Sequence[Pixels]]:
    """The bare table, and an arm that rests on it, with other noise in each picture."""
    rng = np.random.default_rng(6)
    scene = Scene("nasty_7", VIEW, replace(LIGHT, table=ground), rng)
    shown = Performance(scene, [Reach(1.0, 10, -10, seat, 3.0)], rng, ())
    return shown.frame(0.0).image, [shown.frame(t).image for t in np.arange(1.8, 3.2, 0.1)]


def verdicts(first: Pixels, later: Sequence[Pixels]) -> list[bool]:
    """Whether the largest blob at the edge is a ghost, each time it has rested for long enough."""
    background = Background()
    background.feed(first, 0.0)
    found = []
    for number, picture in enumerate(later):
        change = background.feed(picture, 0.1 + 0.1 * number)
        edge = [blob for blob in change.blobs if blob.edge and blob.still >= seconds().last_look]
        if edge:
            found.append(background.is_ghost(max(edge, key=lambda blob: blob.cells.sum()), change))
    assert found
    return found


@pytest.fixture(scope="module", params=[(ground, seat) for ground in GROUNDS for seat in SEATS], ids=str)
def bare_and_resting(request: pytest.FixtureRequest) -> tuple[Pixels, Sequence[Pixels]]:
    return pictures(*request.param)


def test_a_resting_arm_is_no_ghost(bare_and_resting: tuple[Pixels, Sequence[Pixels]]) -> None:
    bare, resting = bare_and_resting
    assert not any(verdicts(bare, resting))


def test_the_bare_table_behind_an_arm_is_a_ghost(bare_and_resting: tuple[Pixels, Sequence[Pixels]]) -> None:
    bare, resting = bare_and_resting
    assert all(verdicts(resting[0], [bare] * 12))
