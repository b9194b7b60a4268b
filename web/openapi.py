"""The OpenAPI 3.1 description of all routes, and docs/api.md; both are made from the types.

python -m web.openapi > docs/api.md
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from flask import Blueprint, Response

from companion.api.replies import RequestError
from companion.api.snapshot import TableChange
from companion.core.version import VERSION
from web import bodies
from web.route import JSON, Route
from web.routes import ROUTES

blueprint = Blueprint("openapi", __name__)
Schema = dict[str, Any]
"""A JSON schema, or a part of the description."""
ACCESS = {
    "everybody": "everybody",
    "player": "the referee; a player for the own reading",
    "screen": "a browser on the companion itself, and the referee",
    "referee": "the referee",
}


COMMAND_KEY: Schema = {
    "name": bodies.KEY_HEADER,
    "in": "header",
    "required": False,
    "schema": {"type": "string", "minLength": 1, "maxLength": 100},
    "description": "Made by the phone for this command, different for each. A command that is sent again "
    "with its key, because the answer was lost, counts once and gets the same answer.",
}


@blueprint.get("/api/openapi.json")
def served() -> Response:
    """The description."""
    return Response(_encoded(), mimetype=JSON)


@cache
def _encoded() -> bytes:
    return msgspec.json.encode(description())


@cache
def description() -> Schema:
    """The whole description as JSON."""
    schemas, components = _schemas()
    paths: dict[str, Schema] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, schemas)
    made: Schema = {
        "openapi": "3.1.0",
        "info": {
            "title": "Tabletop companion",
            "version": VERSION,
            "description": "What phones and programs may ask of the table. A POST needs an Origin header "
            "with the address of this server. The session cookie of /api/role makes a phone the referee's.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "http://companion.local:8080"}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"session": {"type": "apiKey", "in": "cookie", "name": "companion"}},
        },
    }
    plain: Schema = msgspec.json.decode(msgspec.json.encode(made))  # defaults are tuples before
    return plain


def types() -> list[Any]:
    """Every type of a request or a response, once, in the order of the routes."""
    found: list[Any] = []
    for route in ROUTES:
        for group in (*route.responses.values(), (route.body,)):
            found += [one for one in group if one is not None and one not in found]
    return [*found, RequestError, TableChange]


def _schemas() -> tuple[dict[str, Schema], dict[str, Schema]]:
    found = types()
    schemas, components = msgspec.json.schema_components(found, ref_template="#/components/schemas/{name}")
    known = {str(one): schema for one, schema in zip(found, schemas, strict=True)}
    for component in components.values():
        if "description" in component:
            component["description"] = " ".join(component["description"].split())
    return known, dict(components)


def _operation(route: Route, schemas: Mapping[str, Schema]) -> Schema:
    name = route.path.strip("/").replace("/", "_").replace("{", "").replace("}", "").replace(".", "_")
    operation: Schema = {
        "operationId": name,
        "summary": route.summary,
        "description": f"For {ACCESS[route.access]}.",
        "responses": dict(_responses(route, schemas)),
    }
    if route.access == "referee":
        operation["security"] = [{"session": []}]
    parameters = [part[1:].partition("}")[0] for part in route.path.split("/") if part.startswith("{")]
    if route.path.startswith("/api/command/"):
        operation["parameters"] = [COMMAND_KEY]
    if parameters:
        operation["parameters"] = [
            {"name": one, "in": "path", "required": True, "schema": {"type": "string"}} for one in parameters
        ]
    if route.form:
        operation["requestBody"] = {"required": True, "content": {"multipart/form-data": _form(route.form)}}
    elif route.body is not None:
        body = {"schema": schemas[str(route.body)]}
        operation["requestBody"] = {"required": True, "content": {JSON: body}}
    return operation


def _form(form: Mapping[str, str]) -> Schema:
    properties: Schema = {}
    for name, text in form.items():
        kind = {"format": "binary"} if name == "picture" else {}
        properties[name] = {"type": "string", "description": text, **kind}
    required = [name for name, text in form.items() if not text.startswith("optional")]
    return {"schema": {"type": "object", "properties": properties, "required": required}}


def _responses(route: Route, schemas: Mapping[str, Schema]) -> Iterator[tuple[str, Schema]]:
    for status, possible in route.responses.items():
        content: Schema = {route.media: {"schema": _any_of(possible, schemas)}}
        if status == 200 and route.media != JSON:
            content = {route.media: {}}
        yield (
            str(status),
            {"description": "It was done." if status == 200 else "Refused.", "content": content},
        )
    if route.path == "/state.json":
        yield "304", {"description": "Nothing has changed since the ETag in If-None-Match."}
    error: Schema = {JSON: {"schema": _any_of((RequestError,), schemas)}}
    if route.method == "GET" and not route.path.startswith("/api/") and not route.path.endswith(".json"):
        error = {"text/html": {}}  # for people: web.errors
    yield "default", {"description": "Refused, or a fault; the text says what to do.", "content": error}


def _any_of(possible: Sequence[type[Any]], schemas: Mapping[str, Schema]) -> Schema:
    found = [schemas[str(one)] for one in possible]
    return found[0] if len(found) == 1 else {"anyOf": found}
