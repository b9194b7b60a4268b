"""Turns every error into one sentence: JSON for scripts, an HTML page for people, never a traceback."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from flask import Flask, Response, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException

from companion.core.errors import CompanionError
from web.words import _, written

log = logging.getLogger(__name__)


BUSY = frozenset({"picture.busy", "table.silent"})
"""Codes of errors that are over soon."""


class Refused(Exception):
    """A request that the pages themselves refuse. `status` is the HTTP status, `code` a short name and
    `text` the sentence in the phone's language."""

    def __init__(self, status: int, code: str, text: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(text)
        self.headers = headers or {}
        self.status = status
        self.code = code
        self.text = text


def handle(app: Flask) -> None:
    """Registers the handlers."""
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(CompanionError, _companion_error)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Exception, _unforeseen)


def _answer(status: int, code: str, text: str) -> Response:
    if _wants_json():
        response = jsonify({"ok": False, "code": code, "text": text})
    else:
        response = make_response(render_template("error.html", text=text))
    response.status_code = status
    return response


def _wants_json() -> bool:
    return request.method == "POST" or request.path.endswith(".json") or request.path.startswith("/api/")


def _refused(error: Refused) -> Response:
    response = _answer(error.status, error.code, error.text)
    response.headers.update(error.headers)
    return response


def _companion_error(error: CompanionError) -> Response:
    response = _answer(503 if error.code in BUSY else 422, error.code, written(error.message))
    if error.code in BUSY:
        response.headers["Retry-After"] = "3"
    return response


def _http_error(error: HTTPException) -> Response:
    status = error.code or 500
    texts = {
        400: _("I could not read that. Load the page again and try once more."),
        404: _("There is nothing here. Perhaps the address is mistyped."),
        405: _("That address cannot be used this way."),
        413: _("That is too large. A picture may have up to 20 MB."),
    }
    response = _answer(
        status, error.name.lower().replace(" ", "_"), texts.get(status, error.description or "")
    )
    for name, value in error.get_headers():
        if name.lower() in ("allow", "retry-after"):
            response.headers[name] = value
    return response


def _unforeseen(error: Exception) -> Response:
    """An error in the program: the traceback goes to the log, the phone gets one sentence."""
    log.error("%s %s failed", request.method, request.path, exc_info=error)
    return _answer(500, "fault", _("Something went wrong in here. The game is safe; try once more."))
