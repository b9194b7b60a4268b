"""What the hub refuses: wrong names, wrong schemas, too much."""

import contextlib

import msgspec
import pytest
from hall_messages import judged, received, result, status
from hypothesis import given
from hypothesis import strategies as st

from companion.hub.intake import MessageRefused, read
from companion.mqtt.broker import ReceivedMessage
from companion.mqtt.messages import encoded


def test_a_message_on_another_tables_topic_is_not_taken_over() -> None:
    with pytest.raises(MessageRefused, match="names the table window"):
        read(received(status(1), "companion/bay/status"))
    known = read(received(judged("g1", 1, 1), "companion/bay/event"))
    assert known.message is None
    assert known.table == "bay"


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"winner": ("Mallory", "Ida")}, "did not play"),
        ({"scores": {"Mallory": 3}}, "did not play"),
        ({"players": ("Ida", "Ida")}, "did not play"),
        ({"started": "yesterday"}, "isoformat"),
        ({"ended": "2026-11-20T18:40:00"}, "without its zone"),
        ({"scores": {"Ida": 10**9}}, "<= 1000000"),
        ({"players": tuple(f"p{k}" for k in range(30))}, "<= 20"),
        ({"game": "../../etc"}, "regex"),
        ({"players": ("x" * 300,)}, "<= 200"),
    ],
)
def test_impossible_results_are_refused(changes: dict[str, object], why: str) -> None:
    sent = msgspec.structs.replace(result("g1", 1), **changes)
    known = read(received(sent, "companion/window/result/g1"))
    assert known.message is None
    assert why in known.why
    assert known.place is not None, "its place is known: nothing waits for it"


def test_a_result_on_another_games_topic_is_refused() -> None:
    known = read(received(result("g1", 1), "companion/window/result/g2"))
    assert known.message is None


def test_ten_megabytes_are_not_read() -> None:
    with pytest.raises(MessageRefused, match="10000000 bytes"):
        read(ReceivedMessage("companion/window/event", b"[" * 10_000_000, False))


@pytest.mark.parametrize(
    "topic",
    [
        "companion/window",
        "other/window/event",
        "companion/Window/event",
        "companion//event",
        "companion/a\n/event",
    ],
)
def test_other_topics_are_refused(topic: str) -> None:
    with pytest.raises(MessageRefused):
        read(ReceivedMessage(topic, encoded(judged("g1", 1, 1)), False))


@given(st.binary(max_size=300), st.sampled_from(["status", "state", "event", "result/g1", "x", "result"]))
def test_no_payload_is_an_error_of_another_kind(payload: bytes, level: str) -> None:
    with contextlib.suppress(MessageRefused):
        assert read(ReceivedMessage(f"companion/window/{level}", payload, False)).message is None


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_no_json_is_an_error_of_another_kind(value: object) -> None:
    payload = msgspec.json.encode({"series": "s", "number": 4, "kind": "event_judged", "event": value})
    assert read(ReceivedMessage("companion/window/event", payload, False)).place is not None
