"""Which fitted constants do the tests hold? Each named number of a module is moved by 50 %, both ways.

    python -m bench.constants companion/speech/recognition/*.py --tests tests/speech/test_speech_regression.py

A constant is a number in an assignment at module level or in the body of a class: `SLOPE = 0.4`, each number
of `CONSTANTS = Constants(slope=0.4, offset=-1.0)` and of a tuple, and the default of a field. Zero and the
numbers of names given to `--skip` stay. An integer moves by at least 1. For each change the tests run as in
bench.mutants; the share of changes at which a test fails is printed, then every change at which none does.
"""

from __future__ import annotations

import argparse
import ast
import copy
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from bench.mutants.__main__ import as_json, attempt_all, report
from bench.mutants.runner import Mutant, Runner
from bench.paths import ROOT

MOVED = (0.5, 1.5)
"""Factors."""


def constants(tree: ast.Module) -> Iterator[tuple[str, ast.Constant]]:
    """The named numbers of a module, with the name that is assigned to."""
    bodies = [tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))]
    for statement in (statement for body in bodies for statement in body):
        match statement:
            case ast.Assign(targets=[target], value=value):
                pass
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                pass
            case _:
                continue
        for node in ast.walk(value):
            if isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value:
                yield ast.unparse(target), node


def moved(tree: ast.Module, constant: ast.Constant, value: float) -> ast.Module:
    """A copy of the tree with another value of one constant."""
    memo: dict[int, Any] = {}
    twin = copy.deepcopy(tree, memo)
    memo[id(constant)].value = value
    return twin


def values(value: float) -> list[float]:
    """The number moved by half, both ways; an integer stays one and moves by at least 1."""
    if isinstance(value, int):
        step = max(1, abs(value) // 2)
        return [value - step, value + step]
    return [value * factor for factor in MOVED]


def mutants(path: Path, skipped: frozenset[str] = frozenset()) -> Iterator[Mutant]:
    """Every moved constant of a file (relative to the repository root)."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    for name, constant in constants(tree):
        if name in skipped or not isinstance(constant.value, int | float):
            continue
        for value in values(constant.value):
            change = f"{name}: {constant.value} becomes {value:g}"
            lines = (constant.lineno, constant.lineno)
            yield Mutant(path, lines, change, partial(moved, tree, constant, value), everywhere=True)


def main() -> None:
    """Moves each constant and reports."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path, help="the files to change, below the repository root")
    parser.add_argument("--tests", nargs="+", default=["tests"], help="what pytest is to run")
    parser.add_argument("--skip", default="", help="names, separated by commas, that stay as they are")
    parser.add_argument("--jobs", type=int, default=1, help="how many run at a time")
    parser.add_argument("--limit", type=float, default=0.0, help="longest run in seconds")
    parser.add_argument("--least", type=float, default=0.0, help="status 1 if fewer percent are caught")
    parser.add_argument("--json", type=Path, help="file for all outcomes")
    options = parser.parse_args()
    files = [path.resolve().relative_to(ROOT) for path in options.files]
    skipped = frozenset(options.skip.split(","))
    drawn = [mutant for path in files for mutant in mutants(path, skipped)]
    print(f"{len(drawn)} changes of {len(drawn) // 2} constants", flush=True)
    runner = Runner(options.tests, files, options.limit)
    found = attempt_all(runner.attempt, drawn, options.jobs)
    report(found)
    if options.json:
        options.json.write_text(as_json(found), encoding="utf-8")
    share = 100 * sum(one.is_killed for one in found) / max(1, len(found))
    sys.exit(1 if share < options.least else 0)


if __name__ == "__main__":
    main()
