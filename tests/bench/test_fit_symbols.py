"""When symbols on tiles are named and asked about, fitted on places of which it is known what they show."""

import numpy as np

from bench.tiles.fit import ReadScene, limits
from companion.vision.symbols.polar import SymbolMatch
from models.vision.symbols.scenes import SymbolScene


def scene(places: list[tuple[str, float, float]], shown: list[float]) -> ReadScene:
    """Symbols 0, 1, 2 ... in a row, 100 pixels apart, and places: label, probability, and at which symbol."""
    circles = np.array([(100 * n, 0, 30) for n in range(len(shown))], np.float32)
    numbers = np.arange(len(shown))
    drawn = SymbolScene(np.zeros((9, 9, 3), np.uint8), circles, numbers, np.array(shown, np.float32))
    found = [SymbolMatch(label, p, (100.0 * at, 0.0), 30.0, 0.0) for label, p, at in places]
    return ReadScene(drawn, tuple(sorted(found, key=lambda one: -one.probability)))


def test_the_limits_lie_above_wrong_names_and_above_questions_about_nothing() -> None:
    right = scene([(str(n), 0.9, n) for n in range(5)], [1.0] * 5)
    wrong = scene([("0", 0.6, 1), ("1", 0.5, 1.9)], [1.0] * 2)
    asked = scene([("0", 0.9, 0), ("1", 0.3, 1), ("2", 0.25, 2), ("0", 0.1, 4.5), ("0", 0.1, 5.5)], [1.0] * 3)
    found = limits([right, wrong, asked])
    assert found["named"] == 0.6
    assert 0.1 < found["likely"] <= 0.25
    assert (found["symbols"], found["right"], found["wrong"]) == (10, 6, 0)
