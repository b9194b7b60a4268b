"""The bytes of the event stream: compressed once for all phones, and a correct gzip member on each."""

import gzip
import zlib

import pytest

from companion.api.snapshot import Snapshot, TableChange, TableQuestion
from web.stream_messages import BYE, HEARTBEAT, ChangeMessages, StreamEncoding, encoded
from web.writer import AsHandedOver

CHANGE = TableChange("change", Snapshot(8, phase="play"), ())


class CountingWriter(AsHandedOver):
    """Counts the changes that it writes."""

    def __init__(self) -> None:
        self.written: list[str] = []

    def change(self, change: TableChange, language: str) -> TableChange:
        self.written.append(language)
        return change


def test_streams_that_began_at_different_times_share_the_same_bytes() -> None:
    messages = [encoded(b"data: %d\n\n" % n * 50) for n in range(4)]
    early, late = StreamEncoding(gzip=True), StreamEncoding(gzip=True)
    whole = early.first(messages[0]) + b"".join(early.next(one) for one in messages[1:]) + early.last(BYE)
    assert gzip.decompress(whole) == b"".join(one.plain for one in messages) + BYE.plain
    rest = late.first(HEARTBEAT)
    shared = late.next(messages[3])
    assert shared in whole
    assert gzip.decompress(rest + shared + late.last(BYE)) == HEARTBEAT.plain + messages[3].plain + BYE.plain


def test_each_message_can_be_read_before_the_next_one_comes() -> None:
    stream, unpacker = StreamEncoding(gzip=True), zlib.decompressobj(16 + zlib.MAX_WBITS)
    assert unpacker.decompress(stream.first(HEARTBEAT)) == HEARTBEAT.plain
    assert unpacker.decompress(stream.next(BYE)) == BYE.plain


def test_a_phone_without_gzip_gets_plain_text() -> None:
    stream = StreamEncoding(gzip=False)
    assert stream.first(HEARTBEAT) + stream.next(HEARTBEAT) + stream.last(BYE) == (
        HEARTBEAT.plain * 2 + BYE.plain
    )


def test_a_change_is_written_once_for_each_language_and_right() -> None:
    writer = CountingWriter()
    changes = ChangeMessages(writer)
    asked = [("en", True), ("en", True), ("de", True), ("en", False), ("en", False), ("de", True)]
    made = [changes.message((8, CHANGE), language, pictures) for language, pictures in asked]
    assert writer.written == ["en", "de", "en"]
    assert made[0] is made[1]
    assert made[0] is not made[3]
    later = TableChange("change", Snapshot(9), ())
    assert changes.message((9, later), "en", True).plain.startswith(b"id: 9\n")
    assert writer.written == ["en", "de", "en", "en"]


@pytest.mark.parametrize(("pictures", "there"), [(True, True), (False, False)])
def test_only_who_may_see_pictures_gets_their_address(pictures: bool, there: bool) -> None:
    question = TableQuestion(id="1", code="x", params={}, options=(), picture="/photo/1.jpg")
    change = TableChange("change", Snapshot(8, questions=(question,)), ())
    message = ChangeMessages(AsHandedOver()).message((8, change), "en", pictures)
    assert (b"/photo/1.jpg" in message.plain) is there
