"""The event stream: the whole snapshot on connecting, then every change, until the service stops.

The id of each message is the snapshot's sequence number; a browser that was cut off sends the last one back
as `Last-Event-ID`. Every message carries the whole snapshot, so nothing can be missed: a phone that
reconnects gets the present one, marked with what it knew before (`since`), and shows what is true now.
"""

from __future__ import annotations

import contextlib
import queue
from collections.abc import Iterator

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue

from companion.api.snapshot import TableChange
from web.assets import takes_gzip
from web.context import PageContext, may_see_pictures, pages, snapshot
from web.errors import Refused
from web.host import Subscription
from web.stream_messages import BYE, HEARTBEAT, StreamEncoding, encoded, shown, snapshot_message
from web.words import _, language

blueprint = Blueprint("events", __name__)

RETRY_MS = 1000
"""How soon a browser tries again after the stream broke."""


@blueprint.get("/events")
def stream() -> Response:
    """The stream. 503 with Retry-After when too many phones listen: the page then asks for /state.json."""
    context = pages()
    subscription = context.host.subscribe()

    def make_room() -> None:
        with contextlib.suppress(queue.Full):
            subscription.put_nowait(None)

    if not context.listeners.join(request.remote_addr or "", make_room):
        context.host.unsubscribe(subscription)
        seconds = str(context.polls.wait_s())
        text = _("Too many phones are listening at once. This page asks every %(n)s seconds.", n=seconds)
        raise Refused(503, "too_many", text, {"Retry-After": seconds})
    last = request.headers.get("Last-Event-ID", "")
    since = int(last) if last.isascii() and last.isdigit() and len(last) < 16 else None

    def end() -> None:
        context.host.unsubscribe(subscription)
        context.listeners.leave(make_room)

    gzip = takes_gzip()
    messages = _messages(context, subscription, language(), since, may_see_pictures(), StreamEncoding(gzip))
    response = Response(messages, mimetype="text/event-stream")
    if gzip:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding"
    response.call_on_close(end)
    response.headers["X-Accel-Buffering"] = "no"
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


def _messages(
    context: PageContext,
    subscription: Subscription,
    language: str,
    since: int | None,
    pictures: bool,
    stream: StreamEncoding,
) -> Iterator[bytes]:
    """Subscribes before it reads the snapshot: a change in between is sent twice rather than never."""
    now = context.host.snapshot()
    first = TableChange("snapshot", now, (), since)
    yield stream.first(encoded(f"retry: {RETRY_MS}\n\n".encode()))
    yield stream.next(snapshot_message(now.seq, shown(context.writer.change(first, language), pictures)))
    while True:
        try:
            item = subscription.get(timeout=context.heartbeat_s)
        except queue.Empty:
            yield stream.next(HEARTBEAT)
            continue
        if item is None:
            yield stream.last(BYE)
            return
        if item[0] >= now.seq:
            yield stream.next(context.changes.message(item, language, pictures))
