"""Decodes pictures that phones send, in a process of its own with limits of memory and time.

One picture at a time: who comes while one is being read is told so, instead of waiting in a queue. The
process is started when it is needed, stays for a while, and is killed when a picture takes too long.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Any

import msgspec

from companion.core.errors import Unavailable, Unreadable
from companion.core.message import Message

if TYPE_CHECKING:
    from companion.vision.image.picture import Image

WAIT_S = 1.0
"""Seconds that a picture waits for the one before it."""
ANSWER_S = 20.0
"""Seconds within which the process must have decoded a picture."""
START_S = 60.0
"""Seconds within which a new process must be ready: a small Pi under load loads OpenCV slowly."""


class Decoded(msgspec.Struct, frozen=True):
    """What the process answers; the pixels follow it."""

    height: int = 0
    width: int = 0
    error: Message | None = None
    """Why there is no picture."""


class PictureDecoder:
    """The process that decodes. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    @contextlib.contextmanager
    def decoded(self, data: bytes) -> Iterator[Image]:
        """The picture in the bytes of a file, at most LONGEST pixels long. Nobody else's picture is
        decoded until the block ends.

        Raises:
            Unreadable: it is no picture, too large, or takes too long.
            Unavailable: another picture is being read.
        """
        if not self._lock.acquire(timeout=WAIT_S):
            raise Unavailable("picture.busy")
        try:
            yield self._decode(data)
        finally:
            self._lock.release()

    def close(self) -> None:
        """Ends the process; a later picture starts it again."""
        with self._lock:
            self._end()

    def _decode(self, data: bytes) -> Image:
        import numpy as np

        process = self._running()
        watch = threading.Timer(ANSWER_S, process.kill)
        watch.start()
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(len(data).to_bytes(4, "big") + data)
            process.stdin.flush()
            answer = msgspec.json.decode(_exactly(process.stdout, _number(process.stdout)), type=Decoded)
            pixels = _exactly(process.stdout, answer.height * answer.width * 3)
        except (OSError, EOFError, msgspec.DecodeError) as error:
            self._end()
            raise Unreadable("picture.too_much", name="picture") from error
        finally:
            watch.cancel()
        if answer.error is not None:
            raise Unreadable.of(answer.error)
        return np.frombuffer(pixels, np.uint8).reshape(answer.height, answer.width, 3)

    def _running(self) -> subprocess.Popen[bytes]:
        """The process, ready for a picture."""
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._end()
        one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        process = subprocess.Popen(
            [sys.executable, "-m", "companion.vision.image.decoder_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **one_thread},
        )
        self._process = process
        self._killed = weakref.finalize(self, _kill, process)
        watch = threading.Timer(START_S, process.kill)
        watch.start()
        try:
            assert process.stdout is not None
            _exactly(process.stdout, 1)
        except (OSError, EOFError) as error:
            self._end()
            raise Unavailable("picture.no_decoder") from error
        finally:
            watch.cancel()
        return process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            self._killed()


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    process.wait()


def _number(pipe: IO[Any]) -> int:
    return int.from_bytes(_exactly(pipe, 4), "big")


def _exactly(pipe: IO[Any], length: int) -> bytes:
    data: bytes = pipe.read(length) if length else b""
    if len(data) < length:
        raise EOFError
    return data
