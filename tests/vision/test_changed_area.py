"""How much of what has changed is explained by cards."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.cards.residual import ChangedArea
from companion.vision.match.limits import search_limits
from companion.vision.tracking.tracked_card import quad_mask

SHAPE = (480, 640)
QUAD = np.array([[250, 150], [350, 150], [350, 306], [250, 306]], np.float32)


def test_what_has_changed_is_explained_by_the_cards_that_lie_there() -> None:
    region = quad_mask([QUAD], (SHAPE[0] // 2, SHAPE[1] // 2), 0.5)
    changed = ChangedArea(region, (*SHAPE, 3), search_limits().structure)
    aside = QUAD + np.array([50, 0], np.float32)
    assert changed.share(QUAD) > 0.95
    assert changed.share(aside) == pytest.approx(0.5, abs=0.05)
    assert changed.share(QUAD + np.array([5000, 0], np.float32)) == 0.0
    changed.cover(aside)
    half = changed.is_explained
    changed.cover(QUAD)
    assert (half, changed.is_explained) == (False, True)
    assert changed.share(QUAD) > 0.95, "what is explained has changed all the same"
