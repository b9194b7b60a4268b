"""Writes web/static/lib/api_types.d.ts: what the server sends and receives, as types of the page scripts.

python -m web.types_page > web/static/lib/api_types.d.ts
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

import msgspec

from companion.api.pages import PageData
from web.api_page import structs_in
from web.openapi import Schema, types

HEAD = """/* Written by `python -m web.types_page > web/static/lib/api_types.d.ts` from companion/api.
   Do not edit it. docs/api.md describes the fields. The names are global, as in types.d.ts. */

/** A JSON value whose shape only one game knows, such as the value of an event's field. */
type JsonValue = any;
"""
OVERRIDES: Mapping[tuple[str, str], str] = {("LogEntry", "event"): "GameEvent"}
"""Types that a schema cannot say: an event has a kind in `event` and fields of its game (types.d.ts)."""
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def page() -> str:
    """The whole file."""
    found = [*types(), PageData]
    _, components = msgspec.json.schema_components(found)
    structs = {one.__name__: one for one in structs_in(found)}
    parts = [_interface(name, schema, structs.get(name)) for name, schema in components.items()]
    return "\n".join([HEAD, *parts])


def _interface(name: str, schema: Schema, struct: type[msgspec.Struct] | None) -> str:
    if "properties" not in schema:
        return f"type {name} = {type_of(schema)};\n"
    omitted = struct is not None and struct.__struct_config__.omit_defaults
    required = schema.get("required", ())
    lines = [f"/** {' '.join(schema['description'].split())} */"] if "description" in schema else []
    lines.append(f"interface {name} {{")
    for key, one in schema["properties"].items():
        sent = key in required or ("default" in one and not omitted)
        lines.append(f"  {key}{'' if sent else '?'}: {OVERRIDES.get((name, key)) or type_of(one)};")
    return "\n".join([*lines, "}\n"])


def type_of(schema: Schema) -> str:
    """A JSON schema as a type of TypeScript.

    >>> type_of({"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}})
    '(number | null)[]'
    """
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        kinds = dict.fromkeys(type_of(one) for one in schema["anyOf"])
        if "string" in kinds:
            kinds.pop("Message", None)  # the host gives messages, a page gets their sentences
        return " | ".join(kinds)
    if "enum" in schema:
        return " | ".join(str(msgspec.json.encode(one), "utf-8") for one in schema["enum"])
    if "const" in schema:
        return str(msgspec.json.encode(schema["const"]), "utf-8")
    kind = schema.get("type")
    if kind == "array":
        return _array(schema)
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {type_of(values) if isinstance(values, dict) else 'JsonValue'}>"
    return PLAIN.get(str(kind), "JsonValue")


def _array(schema: Schema) -> str:
    if schema.get("prefixItems"):
        return f"[{', '.join(type_of(one) for one in schema['prefixItems'])}]"
    items = type_of(schema["items"]) if isinstance(schema.get("items"), dict) else "JsonValue"
    return f"({items})[]" if " | " in items else f"{items}[]"


if __name__ == "__main__":
    sys.stdout.write(page())
