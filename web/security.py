"""Security of requests and responses: same origin, known host names, strict headers."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

import msgspec
from flask import Flask, Response, request

from companion.api.replies import RequestError
from web.context import host
from web.errors import Refused
from web.words import _

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""`<input capture>` opens the phone's own camera application, which needs no permission of the page."""

HOME_NAMES = (".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain", ".fritz.box")
"""Endings of names that home routers and mDNS assign; nobody can register them on the internet."""


def guard(app: Flask) -> None:
    """Checks every request before it is served and sets the headers of every response."""
    app.wsgi_app = WellFormedHost(app.wsgi_app)  # type: ignore[method-assign]
    app.before_request(_known_host)
    app.before_request(_same_origin)
    app.after_request(_harden)


def is_home_name(name: str) -> bool:
    """Whether a host name can only mean a machine in the home network: an address, a bare name, a local
    domain.

    A page on the internet may point its own name at the table's address (DNS rebinding) and would then count
    as the same origin; it cannot do so under one of these names.
    """
    name = name.strip("[]").rstrip(".").lower()
    try:
        ipaddress.ip_address(name.split("%", 1)[0])
    except ValueError:
        return "." not in name or name.endswith(HOME_NAMES)
    return True


def _known_host() -> None:
    name = _parsed(f"//{request.host}").hostname or ""
    if not is_home_name(name) and name != urlsplit(host().join_url()).hostname:
        raise Refused(421, "unknown_host", _("Open this page under the address on the join page."))


def _parsed(address: str) -> SplitResult:
    """The parts of an address that a request names.

    Raises:
        Refused: it is none.
    """
    try:
        parsed = urlsplit(address)
        parsed.port  # noqa: B018 - parsed when it is asked for
    except ValueError as error:
        text = _("That came from no page: an Origin header is missing.")
        raise Refused(400, "bad_address", text) from error
    return parsed


class WellFormedHost:
    """Refuses a request whose Host header is no host, before anything looks at it."""

    NAME = r"[\w-]{1,63}(\.[\w-]{1,63}){0,8}\.?"
    SIXTH_VERSION = r"\[[0-9A-Fa-f:.]{2,45}(%[\w.-]{1,16})?\]"
    HOST = re.compile(rf"({SIXTH_VERSION}|{NAME})(:\d{{1,5}})?", re.ASCII)

    def __init__(self, application: WSGIApplication) -> None:
        self._application = application

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Serves the request."""
        if self.HOST.fullmatch(environ.get("HTTP_HOST", "localhost")):
            return self._application(environ, start_response)
        body = msgspec.json.encode(RequestError("bad_host", "The Host header is no host."))
        headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
        start_response("400 Bad Request", headers)
        return [body]


def _same_origin() -> None:
    """Refuses POST requests from pages of other servers, by the headers that browsers set."""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    if site is not None and site != "same-origin":
        raise Refused(403, "other_origin", _("That came from another page. Use the page of this table."))
    if origin is not None:
        if _parsed(origin).netloc != request.host:
            raise Refused(403, "other_origin", _("That came from another page. Use the page of this table."))
    elif site is None:
        raise Refused(403, "no_origin", _("That came from no page: an Origin header is missing."))


def _harden(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "no-store")
    return response
