"""Which test shows which rule: the markers `rules(...)` of all tests, as the table docs/rules-coverage.md.

python tests/games/coverage_table.py      writes the table again
"""

import ast
import functools
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
PAGE = ROOT / "docs" / "rules-coverage.md"
HEAD = """# Which test shows which rule

Written by `python tests/games/coverage_table.py` from the markers of the tests; a test fails if it is out of
date or if a rule has no test. The sentences are those of `companion rules GAME`. Below each game stands how
its code reads what rulebook and vocabulary leave open.
"""
READINGS = "Readings of the vocabulary where it leaves a choice:\n\n"
"""What comes before those readings in the docstring of a game's module."""


@functools.cache
def cited() -> dict[str, list[str]]:
    """Rule id -> the tests that name it, as file::function, in the order of the files."""
    tests: dict[str, list[str]] = {}
    for path in sorted(FOLDER.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for id_ in _ids(node):
                    tests.setdefault(id_, []).append(f"{path.stem}::{node.name}")
    return tests


def _ids(function: ast.FunctionDef) -> list[str]:
    """The rules named in a test's decorators."""
    found: list[str] = []
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func).split(".")[-1] == "rules":
            found += [ast.literal_eval(argument) for argument in decorator.args]
    return found


def readings(game: str) -> str:
    """How a game's code reads what is left open, as a Markdown list: the end of its module's docstring."""
    source = (ROOT / "companion" / "games" / game / "rules.py").read_text(encoding="utf-8")
    return (ast.get_docstring(ast.parse(source)) or "").partition(READINGS)[2]


def page() -> str:
    """The table as it should be."""
    sys.path.insert(0, str(ROOT))
    from companion.games import game_names
    from companion.games.digest import digest

    tests = cited()
    lines = [HEAD]
    for game in game_names():
        book = digest(game)
        lines += [f"## {book.title}", "", "| rule | | tests |", "|---|---|---|"]
        for rule in book.rules.values():
            names = ", ".join(f"`{name}`" for name in tests.get(rule.id, []))
            lines.append(f"| {rule.id} | {rule.text} | {names} |")
        lines += ["", "Where it is left open:", "", readings(game), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
