"""The packets of MQTT 5 that a simulated table sends and receives (OASIS MQTT 5.0, chapter 3). Pure.

A thousand tables in one process need a client that costs some microseconds a message; paho-mqtt takes ten
times as long. Only what a table needs is here.

>>> from bench.hall.wire import packets, publish, published
>>> published(*next(iter(packets(bytearray(publish(b"a/b", b"payload", 7))))))
Published(topic='a/b', payload=b'payload', number=7)
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import NamedTuple

CONNACK, PUBLISH, PUBACK, SUBACK = 0x20, 0x30, 0x40, 0x90
FAILED = 0x80
"""Reason codes from here on are failures."""
PING = b"\xc0\x00"
DISCONNECT = b"\xe0\x00"
_RETAIN, _DUPLICATE, _QUALITY_1 = 0x01, 0x08, 0x02
_CLEAN, _WILL = 0x02, 0x04 | 0x08 | 0x20
"""Flags of CONNECT; a will has quality 1 and is retained."""


class Published(NamedTuple):
    """A message from the broker."""

    topic: str
    payload: bytes
    number: int
    """0: of quality 0."""


def connect(client: bytes, keep_alive_s: int, topic: bytes, payload: bytes) -> bytes:
    """Opens a clean session with a will on a topic."""
    body = b"\0\4MQTT\5" + struct.pack("!BH", _CLEAN | _WILL, keep_alive_s) + b"\0"
    return _packet(0x10, body + _text(client) + b"\0" + _text(topic) + _text(payload))


def subscribe(number: int, topics: Iterable[bytes]) -> bytes:
    """Subscribes to topics with quality 1."""
    return _packet(0x82, struct.pack("!HB", number, 0) + b"".join(_text(one) + b"\1" for one in topics))


def publish(topic: bytes, payload: bytes, number: int, *, retain: bool = False) -> bytes:
    """A message of quality 1."""
    flags = PUBLISH | _QUALITY_1 | (_RETAIN if retain else 0)
    return _packet(flags, b"".join((_text(topic), struct.pack("!HB", number, 0), payload)))


def again(packet: bytes) -> bytes:
    """A published message that is sent once more."""
    return bytes((packet[0] | _DUPLICATE,)) + packet[1:]


def acknowledge(number: int) -> bytes:
    """Says that a message has arrived."""
    return struct.pack("!BBH", PUBACK, 2, number)


def packets(received: bytearray) -> Iterator[tuple[int, bytes]]:
    """Takes all complete packets out of what has been received: first byte and body of each."""
    start, end = 0, len(received)
    while True:
        length, shift, at = 0, 0, start + 1
        while at < end:
            length |= (received[at] & 0x7F) << shift
            shift += 7
            at += 1
            if received[at - 1] < 0x80:
                break
        else:
            break
        if at + length > end:
            break
        yield received[start], bytes(received[at : at + length])
        start = at + length
    del received[:start]


def published(first: int, body: bytes) -> Published:
    """The message in a PUBLISH packet."""
    size = 2 + struct.unpack_from("!H", body)[0]
    topic, at, number = body[2:size].decode(), size, 0
    if first & 0x06:
        number = struct.unpack_from("!H", body, at)[0]
        at += 2
    if body[at] >= 0x80:
        raise ValueError("properties of more than 127 bytes")
    return Published(topic, body[at + 1 + body[at] :], number)


def acknowledged(body: bytes) -> tuple[int, int]:
    """Number and reason code in a PUBACK packet."""
    return struct.unpack_from("!H", body)[0], body[2] if len(body) > 2 else 0


def _packet(first: int, body: bytes) -> bytes:
    length, size = len(body), bytearray()
    while True:
        length, low = divmod(length, 128)
        size.append(low | (0x80 if length else 0))
        if not length:
            return bytes((first,)) + bytes(size) + body


def _text(value: bytes) -> bytes:
    return struct.pack("!H", len(value)) + value
