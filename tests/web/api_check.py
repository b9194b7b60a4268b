"""Checks every response that a test gets against the OpenAPI description."""

import copy
import gzip
import json
from functools import cache
from typing import Any

from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from werkzeug.routing import Map, Rule
from werkzeug.test import TestResponse

from web.openapi import description
from web.routes import ROUTES

PATHS = Map(
    [Rule(path, endpoint=path) for path in {r.path.replace("{", "<").replace("}", ">") for r in ROUTES}]
)


@cache
def strict_schemas() -> dict[str, Any]:
    """The components; an object with fields has no others. Clients must allow more, our responses may not."""
    schemas: dict[str, Any] = copy.deepcopy(description()["components"]["schemas"])
    for schema in schemas.values():
        if "properties" in schema:
            schema["additionalProperties"] = False
    return schemas


@cache
def validator(path: str, method: str, status: str, media: str) -> Draft202012Validator | None:
    """Checks the responses of one operation; None if no content is described for this media type."""
    responses = description()["paths"][path][method]["responses"]
    content = responses.get(status, responses["default"]).get("content", {})
    if not content and not media:
        return None
    assert media in content, f"{method} {path}: {status} comes as {media}, described are {list(content)}"
    schema = content[media].get("schema")
    if schema is None:
        return None
    return Draft202012Validator({**schema, "components": {"schemas": strict_schemas()}})


def path_of(url: str, method: str) -> str | None:
    """The described path of an address; None for pages and for addresses that do not exist."""
    adapter = PATHS.bind("")
    if not adapter.test(url, method=None):
        return None
    path, _ = adapter.match(url)
    described = str(path).replace("<", "{").replace(">", "}")
    return described if method in description()["paths"][described] else None


class CheckedClient(FlaskClient):
    """A client that refuses responses which are not as they are described."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        response = super().open(*args, **kwargs)
        method = response.request.method.lower()
        path = path_of(response.request.path, method)
        if path is not None and path != "/events":  # an endless stream: tests/web/test_web_events.py
            check(path, method, response)
        return response


def check(path: str, method: str, response: TestResponse) -> None:
    """Fails if the response is not one that is described."""
    found = validator(path, method, str(response.status_code), response.mimetype)
    if found is not None:
        zipped = response.headers.get("Content-Encoding") == "gzip"
        found.validate(json.loads(gzip.decompress(response.data) if zipped else response.data))
