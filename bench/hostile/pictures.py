"""Pictures that unpack to gigabytes: the memory of the service and the table's answers meanwhile."""

from __future__ import annotations

import contextlib
import threading
import time
import zlib

from bench.hostile.target import Target


def png_bomb(side: int) -> bytes:
    """A PNG file of one colour with side x side pixels, a few MB long at most."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    packer = zlib.compressobj(9)
    rows = b"".join(packer.compress(bytes(1 + 3 * side)) for _ in range(side)) + packer.flush()
    header = side.to_bytes(4, "big") * 2 + b"\x08\x02\x00\x00\x00"
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def bombs(running: Target) -> tuple[float, float]:
    """Sends bombs of 120 and 63 million pixels from several phones. The most memory in MB that the service
    took more, and the slowest answer of the table meanwhile in seconds."""
    before = running.memory_mb()
    most, slowest, done = 0.0, 0.0, threading.Event()

    def send(data: bytes) -> None:
        head = b'--b\r\nContent-Disposition: form-data; name="picture"; filename="a.png"\r\n\r\n'
        kind = {"Content-Type": "multipart/form-data; boundary=b"}
        with contextlib.suppress(OSError):
            running.request("POST", "/api/dice", head + data + b"\r\n--b--\r\n", kind, timeout=60.0)

    files = [png_bomb(side) for side in (10_954, 7_900)]
    threads = [threading.Thread(target=send, args=(data,)) for data in files * 2]
    for thread in threads:
        thread.start()
    threading.Thread(target=lambda: [thread.join() for thread in threads] and done.set()).start()
    while not done.wait(0.05):
        most = max(most, running.memory_mb() - before)
        began = time.perf_counter()
        running.request("GET", "/state.json", address="127.0.0.7", timeout=60.0)
        slowest = max(slowest, time.perf_counter() - began)
    return most, slowest
