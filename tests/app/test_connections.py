"""The web server under phones that are idle, slow, greedy, or send too much."""

import contextlib
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask, request

from companion.runtime import connections
from companion.runtime.server import WebServer


@pytest.fixture
def port() -> Iterator[int]:
    pages = Flask("pages")

    @pages.route("/", methods=["GET", "POST"])
    def page() -> str:
        return f"{len(request.get_data())} bytes"

    pages.add_url_rule("/api/photo", view_func=page, methods=["POST"], endpoint="photo")
    server = WebServer(pages, "0.0.0.0", 0, 4)
    server.start()
    try:
        yield server.port
    finally:
        server.stop()


@contextlib.contextmanager
def connected(port: int, address: str = "127.0.0.1") -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), 5.0, (address, 0)) as sock:
        yield sock


def answer(sock: socket.socket) -> bytes:
    sock.settimeout(5.0)
    data = b""
    with contextlib.suppress(ConnectionError):
        while chunk := sock.recv(4096):
            data += chunk
    return data


def get(port: int, address: str = "127.0.0.1") -> bytes:
    with connected(port, address) as sock:
        sock.sendall(b"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
        return answer(sock)


def post(port: int, path: str, length: int, sent: bytes = b"") -> bytes:
    with connected(port) as sock:
        head = f"POST {path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n"
        sock.sendall(head.encode() + sent)
        return answer(sock)


def test_a_newcomer_is_let_in_while_one_address_holds_everything(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MOST", 30)
    with contextlib.ExitStack() as open_ones:
        for number in range(60):
            idle = open_ones.enter_context(connected(port, "127.0.0.2"))
            if number % 3 == 0:
                idle.sendall(b"GET / HTTP/1.1\r\nHo")
        for number in range(5):
            began = time.monotonic()
            assert b"0 bytes" in get(port, f"127.0.0.{10 + number}")
            assert time.monotonic() - began < 2.0


def test_one_address_has_a_limit_of_its_own(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_PER_ADDRESS", 5)
    with contextlib.ExitStack() as open_ones:
        first = open_ones.enter_context(connected(port))
        for _ in range(5):
            open_ones.enter_context(connected(port))
        assert b"0 bytes" in get(port)
        assert answer(first) == b"", "the one that was idle for longest is closed"


def test_slow_and_idle_connections_are_closed(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "IDLE_S", 0.5)
    monkeypatch.setattr(connections, "HEADER_S", 0.5)
    with connected(port) as idle, connected(port) as slow:
        slow.sendall(b"GET / HT")
        assert (answer(idle), answer(slow)) == (b"", b"")


def test_a_slow_body_is_given_up(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEADER_S", 0.3)
    monkeypatch.setattr(connections, "SLOWEST_BYTES_PER_S", 1000.0)
    began = time.monotonic()
    assert post(port, "/api/photo", 500, b"x" * 20) == b""
    assert 0.5 < time.monotonic() - began < 4.0


def test_the_wall_clock_has_no_say(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + 3 * 86400)
    with connected(port) as idle:
        time.sleep(1.5)
        idle.sendall(b"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
        assert b"0 bytes" in answer(idle)


def test_a_body_is_refused_by_its_stated_size(port: int) -> None:
    assert b" 413 " in post(port, "/", 5000)
    assert b" 413 " in post(port, "/api/photo", 40_000_000)
    assert b"300000 bytes" in post(port, "/api/photo", 300_000, b"x" * 300_000)


def test_a_chunked_body_is_refused_when_it_grows(port: int) -> None:
    with connected(port) as sock:
        sock.sendall(b"POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            for _ in range(20):
                sock.sendall(b"400\r\n" + b"x" * 1024 + b"\r\n")
        assert b" 413 " in answer(sock)


def test_only_a_few_pictures_arrive_at_once(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_UPLOADS", 2)
    with contextlib.ExitStack() as open_ones:
        for _ in range(2):
            sock = open_ones.enter_context(connected(port))
            sock.sendall(b"POST /api/photo HTTP/1.1\r\nHost: here\r\nContent-Length: 900000\r\n\r\nabc")
        time.sleep(0.3)
        assert b" 503 " in post(port, "/api/photo", 900_000)
        assert b"0 bytes" in get(port)


def test_too_long_a_header_is_refused(port: int) -> None:
    with connected(port) as sock:
        sock.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * 20_000)
        assert b" 431 " in answer(sock)


def test_nothing_is_left_open(tmp_path: Path) -> None:
    assert connections.BUSY.endswith(b"Too many phones at once. Try again soon")
    assert b"Content-Length: %d" % len(b"Too many phones at once. Try again soon") in connections.BUSY
