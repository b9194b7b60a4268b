"""The real web server on a free port, stopped without leaving a socket behind."""

import contextlib
import threading
from collections.abc import Iterator

import waitress
from flask import Flask
from waitress import wasyncore


@contextlib.contextmanager
def serving(app: Flask, threads: int = 8, port: int = 0) -> Iterator[int]:
    """Serves the pages on 127.0.0.1 (0: on any free port); gives the port."""
    sockets: dict[int, object] = {}
    server = waitress.create_server(app, map=sockets, listen=f"127.0.0.1:{port}", threads=threads)
    thread = threading.Thread(target=server.run, name="pages", daemon=True)
    thread.start()
    try:
        yield int(server.effective_port)
    finally:
        server.trigger.pull_trigger(lambda: wasyncore.close_all(sockets))
        thread.join(5)
        server.task_dispatcher.shutdown()
