"""The small faults that are made: where a file can be changed, and the changed syntax tree."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from bench.mutants.runner import Mutant
from bench.paths import ROOT

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
    is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    for name, value in ast.iter_fields(node):
        inside = at_import and (name == "args" or not is_function)
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _left_out(node, name, child):
                yield from _below(child, inside)


def _left_out(parent: ast.AST, name: str, child: ast.AST) -> bool:
    """Annotations, decorators, the keywords of classes, imports, what runs as a script only, and `strict` of
    `zip`, which is there for lengths that never differ."""
    if isinstance(child, ast.keyword) and child.arg == "strict":
        return True
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


def difference(mutant: Mutant) -> tuple[str, str]:
    """The statement that a mutant changes, before and after, as `ast.unparse` writes it (on one line)."""
    before = _lines((ROOT / mutant.path).read_text(encoding="utf-8"))
    after = ast.unparse(mutant.tree()).splitlines()
    return next((old.strip(), new.strip()) for old, new in zip(before, after, strict=False) if old != new)


@lru_cache(maxsize=1)
def _lines(source: str) -> list[str]:
    """What `ast.unparse` writes; all mutants of a file are asked about in turn."""
    return ast.unparse(ast.parse(source)).splitlines()
