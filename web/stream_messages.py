"""The bytes of the event stream's messages, made once for all phones that get the same.

A stream is one gzip member. Each message is compressed without reference to the ones before it, so the same
compressed bytes fit into every stream, wherever it is; only header and trailer belong to one stream.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from companion.api.snapshot import Snapshot, TableChange
from web.host import Message
from web.writer import Writer

LEVEL = 3
"""Of the compression: a tenth of a snapshot's size in 0.03 ms; a higher level saves little more."""
GZIP_HEADER = bytes((0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF))
EMPTY_LAST_BLOCK = b"\x03\x00"


@dataclass(frozen=True)
class Encoded:
    """A message as it is, and as blocks of a deflate stream."""

    plain: bytes
    deflated: bytes


def encoded(plain: bytes) -> Encoded:
    """The message in both forms."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return Encoded(plain, packer.compress(plain) + packer.flush(zlib.Z_FULL_FLUSH))


HEARTBEAT = encoded(b": still here\nevent: heartbeat\ndata: 1\n\n")
BYE = encoded(b"event: bye\ndata: 1\n\n")


def without_pictures(snapshot: Snapshot) -> Snapshot:
    """The snapshot without the addresses of pictures of the camera."""
    questions = tuple(replace(one, picture=None) for one in snapshot.questions)
    return replace(snapshot, questions=questions)


class ChangeMessages:
    """The latest change, written and encoded once for each language and right to see pictures."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._latest: dict[tuple[str, bool], tuple[TableChange, Encoded]] = {}

    def message(self, item: Message, language: str, pictures: bool) -> Encoded:
        """The message of a change: a tuple of its number and the change. For the thread of the streams."""
        known = self._latest.get((language, pictures))
        if known is not None and known[0] is item[1]:
            return known[1]
        made = self.made(item, language, pictures)
        self._latest[language, pictures] = item[1], made
        return made

    def made(self, item: Message, language: str, pictures: bool) -> Encoded:
        """The message for one phone alone, not kept. May be called from any thread.

        JSON holds no line break, so one data line is enough.
        """
        change = self._writer.change(item[1], language)
        shown = change if pictures else replace(change, snapshot=without_pictures(change.snapshot))
        return encoded(b"id: %d\ndata: %s\n\n" % (item[0], msgspec.json.encode(shown)))


class StreamEncoding:
    """Puts messages into one stream, plain or as gzip.

    Args:
        gzip: whether the phone takes it.
    """

    def __init__(self, gzip: bool) -> None:
        self._gzip = gzip
        self._checksum = 0
        self._length = 0

    def first(self, message: Encoded) -> bytes:
        """The first message."""
        return (GZIP_HEADER if self._gzip else b"") + self.next(message)

    def next(self, message: Encoded) -> bytes:
        """One more message."""
        if not self._gzip:
            return message.plain
        self._checksum = zlib.crc32(message.plain, self._checksum)
        self._length += len(message.plain)
        return message.deflated

    def last(self, message: Encoded) -> bytes:
        """The message after which nothing comes."""
        body = self.next(message)
        if not self._gzip:
            return body
        length = self._length % 2**32
        return b"".join(
            (body, EMPTY_LAST_BLOCK, self._checksum.to_bytes(4, "little"), length.to_bytes(4, "little"))
        )
