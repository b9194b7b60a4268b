"""Port 80: systemd opens the socket, the service answers on it as on its own."""

import os
import socket
import urllib.request
from collections.abc import Iterator

import pytest
from flask import Flask

from companion.runtime.server import WebServer, inherited_sockets


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as each:
        each.bind(("127.0.0.1", 0))
        each.listen()
        yield each


def test_both_sockets_answer(listening: socket.socket) -> None:
    pages = Flask(__name__)
    pages.add_url_rule("/", view_func=lambda: "here")
    inherited = listening.dup()
    inherited.setblocking(False)
    server = WebServer(pages, "127.0.0.1", 0, 2, [inherited])
    server.start()
    try:
        for port in (server.port, int(listening.getsockname()[1])):
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10) as answer:
                assert answer.read() == b"here"
    finally:
        server.stop()


def test_sockets_for_another_process_are_not_taken() -> None:
    assert inherited_sockets({}) == []
    assert inherited_sockets({"LISTEN_PID": str(os.getpid() + 1), "LISTEN_FDS": "1"}) == []
