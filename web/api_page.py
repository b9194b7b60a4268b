"""Writes docs/api.md from the types and the table of routes.

python -m web.api_page > docs/api.md
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from companion.core.field_docs import field_help
from web.openapi import ACCESS, Schema, description, types
from web.route import JSON, Route
from web.routes import ROUTES

HEAD = """# The HTTP interface

Written by `python -m web.api_page > docs/api.md` from the types in `companion/api` and the table in
`web/routes.py`; do not edit it. The same as OpenAPI 3.1: `GET /api/openapi.json`.

Requests and responses are JSON in UTF-8, pictures are sent as multipart forms. A POST needs an `Origin`
header with the address of the server, as browsers send it. The code that `companion pair` prints makes a
phone the referee's; its session cookie remembers that. A command with an `Idempotency-Key` header (any 1
to 100 characters, others for each command) counts once, however often it is sent, and gets the same
answer. A response that is no success has `ok: false`, a `code` and a `text` in the language of the phone
(`Accept-Language`).

```sh
HOST=http://companion.local:8080
curl $HOST/state.json
curl -N $HOST/events
curl -c phone -H "Origin: $HOST" -d '{"code": "123456"}' $HOST/api/role
curl -b phone -H "Origin: $HOST" -d '{"game": "nasty_7", "players": ["Ida", "Jo"]}' $HOST/api/command/new_game
curl -b phone -H "Origin: $HOST" -F picture=@dice.jpg -F count=5 $HOST/api/dice
```
"""
EXAMPLES: Mapping[str, str] = {
    "/api/command/new_game": '{"game": "nasty_7", "players": ["Ida", "Jo"], "settings": {"deck_size": 30}}',
    "/api/command/next_game": "{}",
    "/api/command/begin_seated": '{"seating": "t1-r2-s3-1"}',
    "/api/command/decline_seated": '{"seating": "t1-r2-s3-1"}',
    "/api/command/end_game": "{}",
    "/api/command/event": '{"event": "card_played", "player": "Ida", "card": "gun"}',
    "/api/command/undo": '{"n": 1}',
    "/api/command/amend": '{"n": 1, "event": null, "preview": true}',
    "/api/command/overrule": '{"n": 2}',
    "/api/command/answer": '{"question": "q1", "option": "none"}',
    "/api/command/go_on": "{}",
    "/api/command/too_slow": "{}",
    "/api/command/stop_timing": "{}",
    "/api/role": '{"code": "123456"}',
    "/api/me": '{"player": "Ida"}',
    "/api/language": '{"language": "de"}',
    "/api/points": '{"display": {"red": {"cards": 3, "jokers": 1}}, "aside": 0}',
}
"""Bodies of the requests that docs/api.md shows with curl; the tests send the same ones."""


def page() -> str:
    """docs/api.md."""
    parts = [HEAD, "## Addresses\n"]
    parts += [_section(route) for route in ROUTES]
    parts.append("## Types\n\nTypes in the order of their first use. `?`: the field may be absent.\n")
    components = description()["components"]["schemas"]
    structs = {one.__name__: one for one in structs_in(types())}
    parts += [_type(name, schema, structs.get(name)) for name, schema in components.items()]
    return "\n".join(parts)


def _section(route: Route) -> str:
    lines = [f"### {route.method} {route.path}\n", f"{route.summary} For {ACCESS[route.access]}.\n"]
    if route.form:
        lines += ["Form: " + "; ".join(f"`{name}`: {text}" for name, text in route.form.items()) + ".\n"]
    elif route.body is not None:
        lines.append(f"Body: {_name(description()['paths'][route.path]['post'], 'requestBody')}.\n")
    for status, possible in route.responses.items():
        what = " or ".join(f"`{one.__name__}`" for one in possible) if route.media == JSON else route.media
        lines.append(f"{status}: {what}\n")
    if route.path in EXAMPLES:
        curl = f"curl -b phone -H \"Origin: $HOST\" -d '{EXAMPLES[route.path]}' $HOST{route.path}"
        lines.append(f"```sh\n{curl}\n```\n")
    return "\n".join(lines)


def _name(operation: Schema, part: str) -> str:
    return _shown(operation[part]["content"][JSON]["schema"])


def structs_in(found: Sequence[Any]) -> Iterator[type[msgspec.Struct]]:
    """The structs among the types and inside them."""
    seen: set[Any] = set()
    waiting = list(msgspec.inspect.multi_type_info(found))
    while waiting:
        info = waiting.pop()
        if isinstance(info, msgspec.inspect.StructType):
            if info.cls not in seen:
                seen.add(info.cls)
                yield info.cls
                waiting += [one.type for one in info.fields]
            continue
        for name in ("item_type", "value_type", "key_type"):
            if hasattr(info, name):
                waiting.append(getattr(info, name))
        waiting += [*getattr(info, "item_types", ()), *getattr(info, "types", ())]


def _type(name: str, schema: Schema, struct: type[msgspec.Struct] | None) -> str:
    lines = [f"### {name}\n", f"{schema.get('description', '')}\n"]
    required, help_ = schema.get("required", ()), field_help(struct) if struct is not None else {}
    for key, one in schema.get("properties", {}).items():
        mark = "" if key in required or "default" in one else "?"
        text = " ".join(help_.get("left" if key == "in" else key, "").split())
        lines.append(f"- `{key}`{mark}: {_shown(one)}{'. ' + text if text else ''}")
    return "\n".join([*lines, ""])


def _shown(schema: Schema) -> str:
    """A schema in words."""
    if "$ref" in schema:
        return f"`{schema['$ref'].rpartition('/')[2]}`"
    if "anyOf" in schema:
        return " or ".join(_shown(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(f"`{one}`" for one in schema["enum"])
    kind = schema.get("type", "any JSON")
    if kind == "array":
        items = schema.get("items")
        if schema.get("prefixItems"):
            return "[" + ", ".join(_shown(one) for one in schema["prefixItems"]) + "]"
        return f"list of {_shown(items)}" if items else "list"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_shown(schema['additionalProperties'])}"
    return str(kind)


if __name__ == "__main__":
    sys.stdout.write(page())
