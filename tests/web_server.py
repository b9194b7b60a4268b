"""Pages behind the companion's own web server, on a free port, stopped without leaving a socket behind."""

import contextlib
from collections.abc import Iterator

from flask import Flask

from companion.runtime.app import App
from companion.runtime.server import WebServer


@contextlib.contextmanager
def serving(pages: Flask, threads: int = 8, port: int = 0) -> Iterator[int]:
    """Serves the pages on 127.0.0.1 (0: on any free port); gives the port."""
    server = WebServer(pages, "127.0.0.1", port, threads)
    server.start()
    try:
        yield server.port
    finally:
        server.stop()


@contextlib.contextmanager
def serving_table(app: App, pages: Flask, port: int = 0) -> Iterator[str]:
    """Starts a table and serves its pages; gives their address. The table stops first, which says goodbye on
    the open streams."""
    app.start()
    with serving(pages, threads=16, port=port) as used:
        try:
            yield f"http://127.0.0.1:{used}"
        finally:
            app.stop()
