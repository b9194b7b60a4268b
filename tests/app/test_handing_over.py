"""Connections that the web server hands over: parts arrive, nobody waits, the taker hears once of the end."""

import contextlib
import http.client
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, Response, request

from companion.runtime.server import WebServer
from web.streams import HAND_OVER, UNREAD_BYTES, Connection

PART = b"x" * 2**15


class KeptTaker:
    """Keeps the connection and counts its ends."""

    def __init__(self) -> None:
        self.connection: Connection | None = None
        self.ends = 0

    def begin(self, connection: Connection) -> None:
        self.connection = connection
        connection.send_part(b"first")

    def closed(self) -> None:
        self.ends += 1


def eventually(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + 30
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture
def taker() -> KeptTaker:
    return KeptTaker()


def server_for(taker: KeptTaker) -> WebServer:
    """A server, started, that hands every connection over to the taker."""
    pages = Flask("pages")

    @pages.route("/")
    def page() -> Response:
        request.environ[HAND_OVER](taker)
        return Response(iter(()), mimetype="text/plain")

    server = WebServer(pages, "127.0.0.1", 0, 1)
    server.start()
    return server


@pytest.fixture
def response(taker: KeptTaker) -> Iterator[http.client.HTTPResponse]:
    server = server_for(taker)
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    try:
        connection.request("GET", "/")
        yield connection.getresponse()
    finally:
        connection.close()
        server.stop()


def begun(taker: KeptTaker, response: http.client.HTTPResponse) -> Any:
    assert response.read(5) == b"first"
    assert taker.connection is not None
    return taker.connection


def test_parts_arrive_until_the_taker_ends(taker: KeptTaker, response: http.client.HTTPResponse) -> None:
    connection = begun(taker, response)
    connection.send_part(PART)
    assert response.read(len(PART)) == PART
    connection.send_part(b"last")
    connection.end()
    assert response.read() == b"last"
    eventually(lambda: taker.ends == 1)
    connection.send_part(b"after the end")
    assert taker.ends == 1


def test_a_phone_that_leaves_is_noticed_at_once(taker: KeptTaker, response: http.client.HTTPResponse) -> None:
    connection = begun(taker, response)
    response.close()
    eventually(lambda: taker.ends == 1)
    connection.send_part(PART)
    assert taker.ends == 1


def test_nobody_waits_for_a_phone_that_does_not_read(
    taker: KeptTaker, response: http.client.HTTPResponse
) -> None:
    connection = begun(taker, response)
    sent = 0
    while connection.unread <= UNREAD_BYTES:
        connection.send_part(PART)
        sent += len(PART)
    assert response.read(sent) == PART * (sent // len(PART))
    eventually(lambda: connection.unread == 0)


def test_a_stopped_server_writes_nothing_to_its_closed_pipe(taker: KeptTaker, tmp_path: Path) -> None:
    server = server_for(taker)
    phone = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    try:
        phone.request("GET", "/")
        connection = begun(taker, phone.getresponse())
        server.stop()
        with contextlib.ExitStack() as files:
            files_of_others = [files.enter_context((tmp_path / str(n)).open("w")) for n in range(8)]
            connection.end()
            assert all(os.fstat(one.fileno()).st_size == 0 for one in files_of_others)
    finally:
        phone.close()
