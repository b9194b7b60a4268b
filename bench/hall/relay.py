"""A network that can be cut: passes bytes between tables and broker, or nothing."""

from __future__ import annotations

import asyncio
import contextlib
import threading


class Relay:
    """Listens on a port of its own and passes each connection to the broker; runs on a thread of its own."""

    def __init__(self, broker_port: int) -> None:
        self._broker = broker_port
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._writers: set[asyncio.StreamWriter] = set()
        self._cut = False
        self.port = 0
        self._thread = threading.Thread(target=self._run, name="relay", daemon=True)
        self._thread.start()
        self._ready.wait()

    def cut(self) -> None:
        """Ends all connections and accepts no other."""
        self._loop.call_soon_threadsafe(self._set, True)

    def mend(self) -> None:
        """Passes connections again."""
        self._loop.call_soon_threadsafe(self._set, False)

    def close(self) -> None:
        """Ends the relay."""
        self._loop.call_soon_threadsafe(self._set, True)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(2)

    def _set(self, cut: bool) -> None:
        self._cut = cut
        if cut:
            for writer in self._writers:
                writer.transport.abort()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._accept, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            if self._cut:
                return
            there, back = await asyncio.open_connection("127.0.0.1", self._broker)
            self._writers.add(back)
            try:
                await asyncio.gather(_pass(reader, back), _pass(there, writer))
            finally:
                self._writers.discard(back)
                back.transport.abort()
        except OSError:
            pass
        finally:
            self._writers.discard(writer)
            writer.transport.abort()


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.transport.abort()
