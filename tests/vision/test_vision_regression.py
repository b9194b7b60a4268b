"""Scores of fixed pictures: they stay what they are, so a fitted constant does not move unnoticed.

After an intended change: `python tests/vision/vision_regression_cases.py`, and say in the
commit what moved and why.
"""

from __future__ import annotations

import json

import pytest
from vision_regression_cases import CASES, FILE

EXPECTED = json.loads(FILE.read_text(encoding="utf-8"))
CLOSE = 3e-3
"""Largest difference of a score, relative to its size from 1 on."""


@pytest.mark.parametrize("name", CASES)
def test_the_scores_of_a_picture_stay_what_they_are(name: str) -> None:
    found, expected = CASES[name](), EXPECTED[name]
    assert set(found) == set(expected)
    for key, row in expected.items():
        assert found[key] == pytest.approx(row, rel=CLOSE, abs=CLOSE), key
