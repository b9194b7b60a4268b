"""The fitted constants of speech hold: recorded calls keep their scores, decisions flip where they did.

A failure means that a constant or a step of the verdict has changed. If that is meant and measured, see
speech_regression_cases.py for how to write the new values.
"""

import json
from typing import Any

import pytest
import speech_regression_cases

TOLERANCE = {"log_odds": 0.1, "log_ratio": 0.15, "verifier": 0.1, "confidences": 0.02, "times": 0.021}
"""Absolute; Vosk's arithmetic differs a little between processors. Everything else is exact to 1e-4."""
GROUPS = json.loads(speech_regression_cases.EXPECTED.read_text(encoding="utf-8"))


def differences(found: Any, expected: Any, place: str = "", name: str = "") -> list[str]:
    """Every value that is not as expected, with its place."""
    if isinstance(expected, dict) and isinstance(found, dict) and expected.keys() == found.keys():
        return [
            text
            for key, value in expected.items()
            for text in differences(found[key], value, f"{place} / {key}", key)
        ]
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        pairs = zip(found, expected, strict=True)
        return [text for i, (a, b) in enumerate(pairs) for text in differences(a, b, f"{place} [{i}]", name)]
    if type(expected) in (int, float) and type(found) in (int, float):
        same = found == pytest.approx(expected, abs=TOLERANCE.get(name, 1e-4), rel=0, nan_ok=True)
    else:
        same = found == expected
    return [] if same else [f"{place}: {found}, expected {expected}"]


@pytest.mark.parametrize("group", GROUPS)
def test_nothing_has_moved(opened: Any, group: str) -> None:
    assert differences(speech_regression_cases.measured(group, opened), GROUPS[group]) == []


def test_every_group_is_compared() -> None:
    assert GROUPS.keys() == speech_regression_cases.MEASURES.keys()


def test_a_difference_is_found() -> None:
    expected = {"a": [1.0, {"log_odds": 2.0}], "b": "five"}
    assert differences({"a": [1.0, {"log_odds": 2.05}], "b": "five"}, expected) == []
    assert len(differences({"a": [1.001, {"log_odds": 2.2}], "b": "four"}, expected)) == 3
    assert differences({"a": [1.0]}, expected)
    assert differences({"log_odds": float("nan")}, {"log_odds": 2.0})
