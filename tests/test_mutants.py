"""Mutation testing itself: what is changed, that each change has an effect, and how children are stopped."""

import ast
import time
from pathlib import Path
from typing import Any

import pytest

from bench import constants
from bench.mutants import changes as mutants
from bench.mutants import equivalent
from bench.mutants.areas import AREAS
from bench.mutants.children import changed_code, dotted, in_child, install
from bench.mutants.live import LiveTests, replaceable
from bench.mutants.runner import Coverage, Mutant

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


def test_what_no_test_needs_to_notice_stays() -> None:
    assert changes("zip(a, b, strict=True)\n@cache(1)\nclass A(B, frozen=True): b: 'C < 3'") == []


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
    assert found["2 becomes 3"], "a default"
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
        install(path, changed_code(path, ast.parse("CHANGED = 7")))
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


FUNCTIONS = """
from functools import cache
def double(x): return x * 2
class Box:
    @property
    def half(self): return double(self.x) / 4
    def __init__(self, x): self.x = x
    def all(self, n): return [(lambda y: y + self.x)(i) for i in range(n)]
@cache
def third(x): return x / 3
def outer(k):
    def inner(x): return x + k
    return inner
add_one = outer(1)
"""


def test_functions_that_exist_get_the_changed_code(tmp_path: Path) -> None:
    path = str(tmp_path / "functions.py")
    live: dict[str, Any] = {}
    exec(compile(FUNCTIONS, path, "exec"), live)
    text = FUNCTIONS.replace("* 2", "* 20").replace("/ 3", "/ 30").replace("y +", "y -").replace("+ k", "- k")
    found = replaceable(path, compile(text, path, "exec"))
    assert found is not None
    for function, code in found:
        function.__code__ = code
    box = live["Box"](5)
    assert (live["double"](1), box.half, box.all(2)) == (20, 25.0, [-5, -4])
    assert (live["third"](30), live["add_one"](1), live["outer"](1)(1)) == (1.0, 0, 0)


def test_two_functions_that_cannot_be_told_apart_are_not_replaced(tmp_path: Path) -> None:
    path = str(tmp_path / "twice.py")
    assert replaceable(path, compile("def a(): return 1\n", path, "exec")) == []
    text = "if 1: a = lambda: 1\nclass A: b = 1\nif 1:\n    def f(): return 1; \n"
    assert replaceable(path, compile(text, path, "exec")) is not None
    twice = ast.parse("def f(): return 1\ndef f(): return 2")
    twice.body[1].lineno = 1
    assert replaceable(path, compile(twice, path, "exec")) is None


PROGRAM = "def double(x):\n    return x * 2\ndef half(x):\n    return x / 2\n"
TESTS = """
from program_to_change import double, half
def test_half(): assert half(4) == 2
def test_double_of_nothing(): assert double(0) == 0
def test_double(): assert double(2) == 4
def test_late():
    from program_imported_late import SIZE
    assert SIZE == 3
"""


def test_a_live_process_runs_the_tests_of_each_mutant_up_to_the_first_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("live", "children"):
        monkeypatch.setattr(f"bench.mutants.{module}.ROOT", tmp_path)
    program = Path("program_to_change.py")
    (tmp_path / program).write_text(PROGRAM)
    late = tmp_path / "program_imported_late.py"
    late.write_text("SIZE = 3\n")
    (tmp_path / "test_program.py").write_text(TESTS)
    names = [f"test_program.py::test_{name}" for name in ("half", "double_of_nothing", "double")]
    live = LiveTests([str(tmp_path)])

    def attempt(old: str, new: str, tests: list[str] = names) -> Any:
        return live.attempt(program, changed_code(program, ast.parse(PROGRAM.replace(old, new))), tests, 20.0)

    try:
        assert attempt("* 2", "* 2") == (0, "")
        assert attempt("* 2", "* 3") == (1, names[2])
        assert attempt("* 2", "* 3", names[:2]) == (0, "")
        assert attempt("/ 2", "/ 4") == (1, names[0])
        assert attempt("* 2", "* 2") == (0, ""), "each mutant has a process of its own"
        assert attempt("* 2", "* 3", ["test_program.py::test_unknown"]) is None
        other = changed_code(Path(late.name), ast.parse("SIZE = 4"))
        assert live.attempt(Path(late.name), other, names[:1], 20.0, everywhere=True) == (0, "")
        late_test = ["test_program.py::test_late"]
        assert live.attempt(Path(late.name), other, late_test, 20.0, everywhere=True) == (1, late_test[0])
    finally:
        live.close()


def test_the_list_of_equivalent_mutants_has_no_stale_entry() -> None:
    """A line that was changed since must be looked at again."""
    listed = equivalent.entries()
    assert all(len(entry.reason) > 20 for entry in listed)
    assert len({(entry.file, entry.before, entry.after) for entry in listed}) == len(listed)
    for file in {entry.file for entry in listed}:
        possible = {mutants.difference(mutant) for mutant in mutants.mutants(Path(file))}
        stale = {(one.before, one.after) for one in listed if one.file == file} - possible
        assert not stale, file


def test_listed_mutants_are_not_drawn() -> None:
    path = Path("companion/core/sound.py")
    tree = ast.parse("")
    drawn = [Mutant(path, (line, line), "", lambda: tree) for line in (1, 2)]
    known = [equivalent.EquivalentMutant(str(path), "a < b", "a <= b", "b is never a")]
    statements = {1: ("a < b", "a <= b"), 2: ("a < b", "a >= b")}
    left = equivalent.without(known, drawn, lambda mutant: statements[mutant.lines[0]])
    assert [mutant.lines for mutant in left] == [(2, 2)]


def test_the_statement_before_and_after_a_change() -> None:
    path = Path("companion/core/sound.py")
    for mutant in list(mutants.mutants(path))[:5]:
        before, after = mutants.difference(mutant)
        assert before != after
        assert "\n" not in before + after


@pytest.mark.parametrize("area", AREAS.values(), ids=AREAS)
def test_an_area_has_files_and_tests(area: Any) -> None:
    assert area.paths()
    assert all(mutants.mutants(path) for path in area.paths())
    assert area.test_paths()
    patterns = [*area.files, *area.tests]
    empty = [one for one in patterns if not one.startswith("!") and not list(mutants.ROOT.glob(one))]
    assert not empty


def test_coverage_knows_the_tests_of_lines() -> None:
    coverage = Coverage({}, {"a.py": {3: ["one"], 4: ["one", "two"], 9: ["three"]}})
    assert coverage.tests_at(Path("a.py"), (4, 5)) == ["one", "two"]
    assert coverage.tests_of(Path("a.py")) == ["one", "two", "three"]
    assert coverage.tests_at(Path("b.py"), (4, 5)) == []
