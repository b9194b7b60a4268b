"""Mutation testing itself: what is changed, that each change has an effect, and how children are stopped."""

import ast
import time
from pathlib import Path

import pytest

from bench import constants, mutants
from bench.mutant_runner import Mutant, dotted, in_child, install

SOURCE = '''
"""A docstring with 3 numbers."""
from typing import Any
LIMIT, NAME = 3, "five"
def beyond(a: "int | None", b: int = 2) -> bool:
    if isinstance(a, int) and not a < b:
        return max(a, -b) + 1 > LIMIT
    return False
class Box(Base, frozen=True):
    width: float = 0.5
if __name__ == "__main__":
    beyond(1)
'''


def changes(source: str) -> list[str]:
    return [change for _, _, change, _ in mutants.sites(ast.parse(source))]


def test_every_kind_of_change_is_found_and_nothing_else() -> None:
    assert sorted(changes(SOURCE)) == sorted(
        [
            "3 becomes 4", "3 becomes 2", "2 becomes 3", "2 becomes 1", "the condition is negated",
            "and becomes or", "not is removed", "< becomes <=", "< becomes >=", "max becomes min",
            "minus is removed", "+ becomes -", "1 becomes 2", "1 becomes 0", "> becomes >=", "> becomes <=",
            "False becomes True", "0.5 becomes 0.75", "0.5 becomes 0.25",
        ]
    )  # fmt: skip


def test_each_change_gives_another_program_and_leaves_the_original_alone() -> None:
    tree = ast.parse(SOURCE)
    before = ast.unparse(tree)
    made = {ast.unparse(mutants.changed(tree, node, n)) for node, n, _, _ in mutants.sites(tree)}
    assert len(made) == len(changes(SOURCE))
    assert before not in made
    assert ast.unparse(tree) == before


def test_only_what_is_executed_at_import_counts_everywhere() -> None:
    found = {change: at_import for _, _, change, at_import in mutants.sites(ast.parse(SOURCE))}
    assert found["3 becomes 4"]
    assert found["0.5 becomes 0.25"]
    assert not found["+ becomes -"]


def test_constants_move_by_half_and_integers_by_one_at_least() -> None:
    tree = ast.parse("A = 2\nB = Fit(slope=0.4, offset=-1.0)\nC: float = 0\ndef f(x=3): y = 4\nD = (10, 'x')")
    found = list(constants.constants(tree))
    assert [(name, node.value) for name, node in found] == [("A", 2), ("B", 0.4), ("B", 1.0), ("D", 10)]
    assert [constants.values(node.value) for _, node in found if isinstance(node.value, int | float)] == [
        [1, 3],
        [0.2, pytest.approx(0.6)],
        [0.5, 1.5],
        [5, 15],
    ]
    assert "slope=0.6" in ast.unparse(constants.moved(tree, found[1][1], 0.6))


def test_a_changed_module_is_imported_in_the_child_only() -> None:
    path = Path("companion/core/sound.py")
    assert dotted(path) == "companion.core.sound"

    def work(report: Path) -> int:
        import sys

        for name in [name for name in sys.modules if name.startswith("companion")]:
            del sys.modules[name]
        install(Mutant(path, (1, 1), "", lambda: ast.parse("CHANGED = 7")))
        from companion.core import sound

        report.write_text(str(vars(sound)["CHANGED"]))
        return 5

    assert in_child(work, 20.0) == (5, "7")
    import companion.core.sound

    assert not hasattr(companion.core.sound, "CHANGED")


def test_a_child_that_hangs_is_stopped() -> None:
    def work(report: Path) -> int:
        time.sleep(60)
        return 0

    begun = time.monotonic()
    assert in_child(work, 0.2) == (None, "")
    assert time.monotonic() - begun < 10


def test_the_interval_of_a_share() -> None:
    low, high = mutants.interval(92, 100)
    assert (low, high) == (pytest.approx(0.850, abs=0.001), pytest.approx(0.959, abs=0.001))
    assert mutants.interval(0, 0) == (0.0, 1.0)
