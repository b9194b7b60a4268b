"""The process that decodes the pictures of strangers: python -m companion.vision.image.decoder_process

On standard input: the length of a file in four bytes, then the file. On standard output: one byte when it
is ready; then for each picture a `Decoded` as JSON with its length before it, and the pixels. It ends with
its input, or after IDLE_S without a picture.
"""

from __future__ import annotations

import resource
import select
import sys

import cv2
import msgspec
import numpy as np

from companion.core.errors import Unreadable
from companion.core.message import message
from companion.vision.image.decoder import Decoded
from companion.vision.image.picture import Image, decode, shrunk, stated_size

MOST_PIXELS = 64_000_000
"""More than the common settings of a phone's camera."""
LONGEST = 4096
"""Longer pictures are made smaller, in pixels."""
MORE_BYTES = 700 * 2**20
"""Memory that decoding may take, besides that of the libraries."""
IDLE_S = 120.0


def main() -> None:
    """Decodes until the input ends."""
    cv2.setNumThreads(1)
    # A small picture makes the libraries load what they need before the limit is set.
    decode(cv2.imencode(".jpg", np.zeros((32, 32, 3), np.uint8))[1].tobytes())
    _limit_memory()
    out, into = sys.stdout.buffer, sys.stdin.buffer
    out.write(b"R")
    out.flush()
    while select.select([into], [], [], IDLE_S)[0]:
        length = into.read(4)
        if len(length) < 4:
            return
        answer, image = _answered(into.read(int.from_bytes(length, "big")))
        text = msgspec.json.encode(answer)
        out.write(len(text).to_bytes(4, "big") + text)
        if image is not None:
            out.write(np.ascontiguousarray(image).data)
        out.flush()


def _answered(data: bytes) -> tuple[Decoded, Image | None]:
    try:
        size = stated_size(data)
        if size is None:
            raise Unreadable("picture.no_picture", name="picture")
        if size[0] * size[1] > MOST_PIXELS:
            raise Unreadable("picture.too_large", name="picture", width=size[0], height=size[1])
        image, _ = shrunk(decode(data), LONGEST)
    except Unreadable as error:
        return Decoded(error=error.message), None
    except (MemoryError, cv2.error):
        return Decoded(error=message("picture.too_much", name="picture")), None
    return Decoded(image.shape[0], image.shape[1]), image


def _limit_memory() -> None:
    """Limits the address space to what is used now and MORE_BYTES; no file may be written, no core dumped."""
    with open("/proc/self/statm", encoding="ascii") as file:
        pages = int(file.read().split()[0])
    most = pages * resource.getpagesize() + MORE_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


if __name__ == "__main__":
    main()
