"""What a struct's source says about its fields: the docstring below each one, and its type in words.

The reference of the configuration and the pages' forms are made from it, so a field is documented in one
place.
"""

from __future__ import annotations

import ast
import inspect
import itertools
import textwrap
import types
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta


def field_help(struct: type[msgspec.Struct]) -> dict[str, str]:
    """The docstring below each field of a struct's source, and of those that it extends, in one line; fields
    without one are left out."""
    found: dict[str, str] = {}
    for base in reversed(struct.__mro__):
        if issubclass(base, msgspec.Struct) and base is not msgspec.Struct:
            found |= _own_help(base)
    return found


def section_lines(file: type[msgspec.Struct], titles: Mapping[str, str] = MappingProxyType({})) -> list[str]:
    """The sections of a configuration file in Markdown: what each is for, and a table of its keys.

    `titles` are those of sections that are not called as they are in the struct.
    """
    lines = []
    for name, hint in get_type_hints(file, include_extras=True).items():
        lines += [f"## [{titles.get(name, name)}]", ""]
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            lines += [inspect.getdoc(hint) or "", "", *_key_table(hint), ""]
        else:
            lines += [field_help(file)[name], ""]
    return lines


def _key_table(struct: type[msgspec.Struct]) -> list[str]:
    help_, defaults = field_help(struct), struct()
    rows = ["| key | type | default | meaning |", "|---|---|---|---|"]
    for name, hint in get_type_hints(struct, include_extras=True).items():
        default = f"`{msgspec.json.encode(getattr(defaults, name)).decode()}`".replace("`null`", "none")
        rows.append(f"| `{name}` | {type_words(hint)} | {default} | {help_[name]} |")
    return rows


def _own_help(struct: type[msgspec.Struct]) -> dict[str, str]:
    tree = ast.parse(textwrap.dedent(inspect.getsource(struct)))
    body = tree.body[0].body  # type: ignore[attr-defined]
    found = {}
    for field, text in itertools.pairwise(body):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(text, ast.Expr)
            and isinstance(text.value, ast.Constant)
            and isinstance(text.value.value, str)
        ):
            found[field.target.id] = " ".join(text.value.value.split())
    return found


def type_words(hint: Any) -> str:
    """A type as the reference and the pages show it: `text`, `number`, `one of a, b`, `list of numbers`."""
    origin = get_origin(hint)
    if origin is Annotated:
        meta = [extra for extra in get_args(hint)[1:] if isinstance(extra, Meta)]
        bounds = [text for extra in meta for text in _bounds(extra)]
        return " ".join([type_words(get_args(hint)[0]), *bounds])
    if origin is Literal:
        return "one of " + ", ".join(f"`{value}`" for value in get_args(hint))
    if origin in (Union, types.UnionType):
        inner = [one for one in get_args(hint) if one is not type(None)]
        return " or ".join(type_words(one) for one in inner) + " or nothing"
    if origin is tuple:
        return "[" + ", ".join(type_words(one) for one in get_args(hint)) + "]"
    if origin is list:
        return f"list of {type_words(get_args(hint)[0])}"
    if origin is dict:
        return f"table of {type_words(get_args(hint)[1])}"
    return {str: "text", int: "integer", float: "number", bool: "true or false"}.get(hint, "value")


def _bounds(meta: Meta) -> list[str]:
    words = {"ge": "from", "gt": "above", "le": "to", "lt": "below"}
    return [f"{word} {getattr(meta, key):g}" for key, word in words.items() if getattr(meta, key) is not None]
