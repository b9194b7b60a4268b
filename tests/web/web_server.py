"""The real web server on a free port, stopped without leaving a socket behind."""

import contextlib
import threading
from collections.abc import Iterator

import waitress
from flask import Flask
from waitress import wasyncore


@contextlib.contextmanager
def serving(app: Flask, threads: int = 8) -> Iterator[int]:
    """Serves the pages on 127.0.0.1; gives the port."""
    sockets: dict[int, object] = {}
    server = waitress.create_server(app, map=sockets, listen="127.0.0.1:0", threads=threads)
    thread = threading.Thread(target=server.run, name="pages", daemon=True)
    thread.start()
    try:
        yield int(server.effective_port)
    finally:
        server.trigger.pull_trigger(lambda: wasyncore.close_all(sockets))
        thread.join(5)
        server.task_dispatcher.shutdown()
