"""Mutation testing: which random small faults do the tests notice?

    python -m bench.mutants companion/speech/recognition/verdict.py --tests tests/speech --count 100
    python -m bench.mutants companion/games/*/rules.py --tests tests/rules --count 300 --seed 2 --jobs 2

A mutant is one file with one change: a comparison, an operator, a constant, a condition negated, `and` for
`or`, `min` for `max`. `--count` of all possible mutants are drawn at random with `--seed` (0: all of them).
Each runs with the tests that execute the changed line (bench.mutant_runner). The share of killed mutants is
printed with its 95 % interval (E. B. Wilson, 1927), then every mutant that survived.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import math
import multiprocessing
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bench.mutant_runner import ROOT, Mutant, Outcome, Runner

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}

Site = tuple[ast.AST, int, str, bool]
"""A node, the number of the change among those of the node, the change in words, and whether the node is
executed at import."""


def sites(tree: ast.Module) -> Iterator[Site]:
    """Every place where something can be changed, in the order of the file."""
    yield from _below(tree, at_import=True)


def _below(node: ast.AST, at_import: bool) -> Iterator[Site]:
    for number, change in enumerate(_changes(node, at_import)):
        yield node, number, change, at_import
    inside = at_import and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _left_out(node, name, child):
                yield from _below(child, inside)


def _left_out(parent: ast.AST, name: str, child: ast.AST) -> bool:
    """Annotations, decorators, the keywords of classes, imports, and what runs as a script only."""
    if name in ("annotation", "returns", "decorator_list", "format_spec"):
        return True
    if isinstance(parent, ast.ClassDef) and name in ("keywords", "bases"):
        return True
    if isinstance(child, ast.Import | ast.ImportFrom | ast.JoinedStr):
        return True
    return isinstance(child, ast.If) and ast.unparse(child.test) in (
        "TYPE_CHECKING",
        "__name__ == '__main__'",
    )


def _changes(node: ast.AST, at_import: bool) -> list[str]:
    """What can be changed at this node, in words."""
    match node:
        case ast.Compare():
            return [
                f"{_name(op)} becomes {_name(new())}" for op in node.ops for new in _COMPARISONS[type(op)]
            ]
        case ast.BinOp() | ast.AugAssign():
            if type(node.op) not in _OPERATORS or (at_import and isinstance(node.op, ast.BitOr)):
                return []
            return [f"{_name(node.op)} becomes {_name(_OPERATORS[type(node.op)]())}"]
        case ast.BoolOp():
            return ["and becomes or" if isinstance(node.op, ast.And) else "or becomes and"]
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            return [f"{_name(node.op)} is removed"]
        case ast.If() | ast.While() | ast.IfExp():
            plain = isinstance(node.test, ast.Compare | ast.UnaryOp | ast.Constant)
            return [] if plain else ["the condition is negated"]
        case ast.Constant(value=bool() as value):
            return [f"{value} becomes {not value}"]
        case ast.Constant(value=int() | float() as value):
            return [f"{value} becomes {new}" for new in _numbers(value)]
        case ast.Call(func=ast.Name(id=name)) if name in _CALLS:
            return [f"{name} becomes {_CALLS[name]}"]
        case _:
            return []


def _numbers(value: float) -> tuple[float, ...]:
    if isinstance(value, int):
        return (value + 1, value - 1)
    return (value * 1.5, value * 0.5) if value else (1.0,)


def _name(op: ast.AST) -> str:
    words = {
        "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "Eq": "==", "NotEq": "!=",
        "Is": "is", "IsNot": "is not", "In": "in", "NotIn": "not in", "Not": "not", "USub": "minus",
        "Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "FloorDiv": "//", "Mod": "%", "Pow": "**",
        "BitOr": "|", "BitAnd": "&",
    }  # fmt: skip
    return words[type(op).__name__]


def changed(tree: ast.Module, node: ast.AST, number: int) -> ast.Module:
    """A copy of the tree with one change at a node of the original."""
    memo: dict[int, Any] = {}
    marks = copy.deepcopy(tree, memo)
    twin = memo[id(node)]
    match twin:
        case ast.Compare():
            options = [(i, new) for i, op in enumerate(twin.ops) for new in _COMPARISONS[type(op)]]
            index, new = options[number]
            twin.ops[index] = new()
        case ast.BinOp() | ast.AugAssign():
            twin.op = _OPERATORS[type(twin.op)]()
        case ast.BoolOp():
            twin.op = ast.Or() if isinstance(twin.op, ast.And) else ast.And()
        case ast.UnaryOp():
            twin.op = ast.UAdd() if isinstance(twin.op, ast.USub) else ast.Not()
            if isinstance(twin.op, ast.Not):
                twin.operand = ast.UnaryOp(ast.Not(), twin.operand)
        case ast.If() | ast.While() | ast.IfExp():
            twin.test = ast.UnaryOp(ast.Not(), twin.test)
        case ast.Constant(value=bool()):
            twin.value = not twin.value
        case ast.Constant(value=int() | float() as value):
            twin.value = _numbers(value)[number]
        case ast.Call(func=ast.Name() as called):
            called.id = _CALLS[called.id]
    return ast.fix_missing_locations(marks)


def mutants(path: Path) -> Iterator[Mutant]:
    """Every mutant of a file (relative to the repository root)."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    for node, number, change, at_import in sites(tree):
        first, last = getattr(node, "lineno", 1), getattr(node, "end_lineno", 1)
        if isinstance(node, ast.If | ast.While):
            last = node.test.end_lineno
        yield Mutant(path, (first, last), change, partial(changed, tree, node, number), at_import)


def interval(hits: int, total: int) -> tuple[float, float]:
    """The 95 % interval of a share, 0 to 1."""
    if total == 0:
        return 0.0, 1.0
    z, share = 1.96, hits / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return max(0.0, middle - half), min(1.0, middle + half)


def attempt_all(attempt: Callable[[Mutant], Outcome], drawn: Sequence[Mutant], jobs: int) -> list[Outcome]:
    """Tries all mutants, `jobs` at a time, and prints each that is not killed as it is found."""
    found: list[Outcome] = []
    begun = time.monotonic()
    for outcome in _outcomes(attempt, drawn, jobs):
        found.append(outcome)
        if not outcome.is_killed:
            print(described(outcome), flush=True)
        elif len(found) % 25 == 0:
            print(f"  {len(found)} of {len(drawn)} in {time.monotonic() - begun:.0f} s", flush=True)
    return found


_work: list[Callable[[int], tuple[str, str]]] = []
"""What a worker process does: it is inherited by the fork, because syntax trees are costly to send."""


def _outcomes(attempt: Callable[[Mutant], Outcome], drawn: Sequence[Mutant], jobs: int) -> Iterator[Outcome]:
    if jobs <= 1:
        yield from map(attempt, drawn)
        return

    def work(index: int) -> tuple[str, str]:
        outcome = attempt(drawn[index])
        return outcome.verdict, outcome.test

    _work[:] = [work]
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        for mutant, (verdict, test) in zip(drawn, pool.imap(_worked, range(len(drawn))), strict=True):
            yield Outcome(mutant, verdict, test)


def _worked(index: int) -> tuple[str, str]:
    return _work[0](index)


def described(outcome: Outcome) -> str:
    """One line about a mutant."""
    mutant = outcome.mutant
    text = (ROOT / mutant.path).read_text(encoding="utf-8").splitlines()[mutant.lines[0] - 1].strip()
    return f"{outcome.verdict}: {mutant.path}:{mutant.lines[0]}: {mutant.change}    {text}"


def report(found: Sequence[Outcome]) -> None:
    """The table: one row a file."""
    print("\n| file | mutants | killed | % | 95 % interval |\n|---|---|---|---|---|")
    for path in [*dict.fromkeys(str(one.mutant.path) for one in found), "all"]:
        mine = [one for one in found if path in (str(one.mutant.path), "all")]
        killed = sum(one.is_killed for one in mine)
        low, high = interval(killed, len(mine))
        print(f"| {path} | {len(mine)} | {killed} | {100 * killed / len(mine):.1f} "
              f"| {100 * low:.0f} to {100 * high:.0f} |")  # fmt: skip


def as_json(found: Sequence[Outcome]) -> str:
    """All outcomes with the commit that they belong to."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.strip()
    rows = [
        {"file": str(one.mutant.path), "line": one.mutant.lines[0], "change": one.mutant.change,
         "outcome": one.verdict, "test": one.test}
        for one in found
    ]  # fmt: skip
    return json.dumps(
        {"commit": commit, "counts": Counter(one.verdict for one in found), "mutants": rows}, indent=1
    )


def main() -> None:
    """Draws mutants, tries them and reports."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path, help="the files to change, below the repository root")
    parser.add_argument("--tests", nargs="+", default=["tests"], help="what pytest is to run")
    parser.add_argument("--count", type=int, default=100, help="how many mutants are drawn; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="how many run at a time")
    parser.add_argument(
        "--limit", type=float, default=0.0, help="longest run in seconds (default: 5 times usual)"
    )
    parser.add_argument("--least", type=float, default=0.0, help="status 1 if fewer percent are killed")
    parser.add_argument("--json", type=Path, help="file for all outcomes")
    options = parser.parse_args()
    files = [path.resolve().relative_to(ROOT) for path in options.files]
    every = [mutant for path in files for mutant in mutants(path)]
    drawn = (
        every
        if options.count == 0
        else random.Random(options.seed).sample(every, min(options.count, len(every)))
    )
    print(f"{len(drawn)} of {len(every)} mutants, seed {options.seed}", flush=True)
    runner = Runner(options.tests, files, options.limit)
    found = attempt_all(runner.attempt, drawn, options.jobs)
    report(found)
    if options.json:
        options.json.write_text(as_json(found), encoding="utf-8")
    share = 100 * sum(one.is_killed for one in found) / max(1, len(found))
    sys.exit(1 if share < options.least else 0)


if __name__ == "__main__":
    main()
