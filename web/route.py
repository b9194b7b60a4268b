"""One address that serves data; the tables of them are `web.routes` and `web.owner_routes`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Access = Literal["everybody", "player", "screen", "referee"]
"""Who may send the request. `player`: the referee, or the phone of the player whom it is about; `screen`: the
referee, or a browser on the companion itself."""
JSON = "application/json"


@dataclass(frozen=True)
class Route:
    """One address.

    `responses`: HTTP status -> type of the JSON; where `media` is not JSON, what comes with status 200 is
    that. `form`: fields of a multipart form -> what they hold; a field named `picture` is a file.
    """

    method: Literal["GET", "POST"]
    path: str
    """As OpenAPI writes it, `/api/command/undo`."""
    rule: str
    """As Flask writes it, `/api/command/<name>`."""
    summary: str
    access: Access
    responses: Mapping[int, tuple[type[Any], ...]]
    body: Any = None
    form: Mapping[str, str] = field(default_factory=dict)
    media: str = JSON


def get(
    path: str, summary: str, access: Access, *types: type[Any], rule: str = "", media: str = JSON
) -> Route:
    """A GET route; each of `types` may come with status 200."""
    return Route("GET", path, rule or path, summary, access, {200: types}, media=media)


def post(path: str, summary: str, access: Access, body: Any, *types: type[Any], rule: str = "") -> Route:
    """A POST route with a JSON body."""
    return Route("POST", path, rule or path, summary, access, {200: types}, body)


def upload(path: str, summary: str, access: Access, form: Mapping[str, str], *types: type[Any]) -> Route:
    """A POST route with a multipart form."""
    return Route("POST", path, path, summary, access, {200: types}, form=form)


PICTURE = {"picture": "a JPEG, PNG or WebP file of at most 20 MB"}
