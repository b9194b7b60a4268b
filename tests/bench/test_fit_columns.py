"""What a reading of a display costs, and the file that a fit of how columns are found writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from bench.displays import fit_columns
from bench.displays.fit_columns import LearnedDisplay, cost_of, fit
from bench.displays.scenes import DisplayScene, LaidCard
from bench.fitted_limits import limits_of, numbers_of
from companion.core.observations import Sighting
from companion.vision.display.limits import COLUMNS_FILE, ColumnLimits, column_limits
from companion.vision.display.read import DisplayReading
from companion.vision.image import geometry
from companion.vision.models import FOLDER

QUAD = geometry.rectangle(10, 10, 60, 80)
CARD = LaidCard("red 1", "red", QUAD)
DECK: Any = None
DISPLAY = LearnedDisplay(DisplayScene(np.zeros((200, 300, 3), np.uint8), (CARD,), "wood"), DECK, "joker")
NOTHING = DisplayReading({}, (), (), (), ())


def seen(*labels: str) -> DisplayReading:
    """A reading with so many cards, beside each other, the first one where one lies."""
    corners = [geometry.corner_points(QUAD + np.array([100 * at, 0])) for at in range(len(labels))]
    cards = tuple(Sighting(label, 0.9, at) for label, at in zip(labels, corners, strict=True))
    column = {"cards": len(labels), "jokers": 0}
    return DisplayReading({"red": column}, cards, ("red",) * len(labels), (), tuple(corners))


@pytest.mark.parametrize(
    ("reading", "cost"),
    [
        (seen("red 1"), 0.0),
        (seen("red"), 0.1),
        (seen("red 2"), 0.5),
        (NOTHING, 10 + 2 + 0.1),
        (seen("red 1", "red 2"), 10 + 10),
    ],
)
def test_mistakes_that_nothing_asks_about_cost_most(
    reading: DisplayReading, cost: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fit_columns, "read_display", lambda image, deck, joker: reading)
    assert cost_of(numbers_of(column_limits()), DISPLAY) == pytest.approx(cost)


def test_the_limit_that_finds_the_card_is_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def read(image: object, deck: object, joker: object) -> DisplayReading:
        return seen("red 1") if column_limits().regions.gap > 0.4 else NOTHING

    monkeypatch.setattr(fit_columns, "read_display", read)
    file = tmp_path / COLUMNS_FILE
    assert fit([DISPLAY], ["regions.gap", "looks.good"], 1, file) == 0
    fitted = msgspec.json.decode(file.read_bytes(), type=ColumnLimits)
    gap = column_limits().regions.gap * 1.25
    assert numbers_of(fitted) == numbers_of(column_limits()) | {"regions.gap": pytest.approx(gap, abs=1e-3)}
    about = msgspec.json.decode(file.read_bytes())["fit"]
    assert about["fitted"] == ["regions.gap"]
    assert (about["cost"], about["cost_at_start"]) == (0.0, 12.1)
    assert about["cards"] == about["right"] == 1


def test_the_shipped_limits_of_columns_are_read_again() -> None:
    shipped = msgspec.json.decode((FOLDER / COLUMNS_FILE).read_bytes(), type=ColumnLimits)
    assert limits_of(numbers_of(shipped), ColumnLimits) == column_limits()
