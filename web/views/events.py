"""The event stream: the whole snapshot on connecting, then every change, until the service stops.

The id of each message is the snapshot's sequence number; a browser that was cut off sends the last one back
as `Last-Event-ID`. Every message carries the whole snapshot, so nothing can be missed: a phone that
reconnects gets the present one, marked with what it knew before (`since`), and shows what is true now.
"""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue

from web.assets import takes_gzip
from web.context import PageContext, may_see_pictures, pages, snapshot
from web.errors import Refused
from web.streams import HAND_OVER, Connection, PageStream
from web.words import _, language

blueprint = Blueprint("events", __name__)


class _PhoneStream:
    """Takes the connection of a phone over for its stream."""

    def __init__(self, context: PageContext, stream: PageStream) -> None:
        self._context, self._stream = context, stream

    def begin(self, connection: Connection) -> None:
        """The stream joins the others."""
        self._context.streams.join(self._stream, connection)

    def closed(self) -> None:
        """The stream leaves its place to another."""
        self._context.streams.leave(self._stream)
        self._context.listeners.leave(self._stream.end_soon)


@blueprint.get("/events")
def stream() -> Response:
    """The stream. 503 with Retry-After when too many phones listen, or the web server hands no connection
    over: the page then asks for /state.json."""
    response = Response(iter(()), mimetype="text/event-stream")
    response.headers["Vary"] = "Accept-Encoding"
    response.headers["X-Accel-Buffering"] = "no"
    if takes_gzip():
        response.headers["Content-Encoding"] = "gzip"
    if request.method == "HEAD":
        return response
    context = pages()
    last = request.headers.get("Last-Event-ID", "")
    since = int(last) if last.isascii() and last.isdigit() and len(last) < 16 else None
    listening = PageStream(language(), may_see_pictures(), since, takes_gzip())
    hand_over = request.environ.get(HAND_OVER)
    if hand_over is None or not context.listeners.join(request.remote_addr or "", listening.end_soon):
        seconds = str(context.polls.wait_s())
        text = _("Too many phones are listening at once. This page asks every %(n)s seconds.", n=seconds)
        raise Refused(503, "too_many", text, {"Retry-After": seconds})
    hand_over(_PhoneStream(context, listening))
    return response


@blueprint.get("/state.json")
def state() -> ResponseReturnValue:
    """The present snapshot, for a page that cannot hold a stream and for scripts.

    Retry-After says in how many seconds a page should ask again. With the ETag of the last answer in
    If-None-Match, 304 says that nothing has changed.
    """
    response = jsonify(snapshot())
    response.add_etag()
    response.headers["Retry-After"] = str(pages().polls.wait_s())
    return response.make_conditional(request)
