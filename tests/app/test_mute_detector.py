"""A microphone that is switched off is said to be down, and no call is timed until it gives sound again."""

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
from test_app import Bench, Stream, benches  # noqa: F401 - a fixture

from companion.core.message import Message
from companion.devices.inputs import Inputs
from companion.senses.mute_detector import MuteDetector
from hardware.streams import Block

NOTHING = np.zeros(320, np.int16)
ROOM = np.resize(np.array([0, 1, -1], np.int16), 320)


def test_nothing_at_all_for_long_is_a_microphone_that_is_switched_off() -> None:
    detector = MuteDetector(10.0)
    assert [detector.update(NOTHING, t) for t in (0.0, 9.9, 10.0, 10.02)] == [False, False, True, False]
    assert detector.off
    assert detector.why == Message("microphone.muted")
    assert detector.update(ROOM, 10.04)
    assert (detector.off, detector.why) == (False, None)


def test_a_room_that_is_only_quiet_is_heard() -> None:
    detector = MuteDetector(10.0)
    told = [detector.update(ROOM if n % 400 == 399 else NOTHING, n * 0.02) for n in range(3000)]
    assert not any(told)


def test_it_begins_anew_with_a_microphone_that_was_opened_anew_and_never_where_nobody_wants_it() -> None:
    detector, never = MuteDetector(10.0), MuteDetector(0.0)
    for t in (0.0, 9.0):
        detector.update(NOTHING, t)
    detector.reset()
    assert not detector.update(NOTHING, 12.0)
    assert not any(never.update(NOTHING, t) for t in (0.0, 100.0, 1000.0))


def test_the_clock_waits_while_it_is_switched_off(benches: Callable[..., Bench]) -> None:  # noqa: F811
    begun, on, end = threading.Event(), threading.Event(), threading.Event()

    def when(event: threading.Event, samples: Any, t: float) -> Callable[[], Any]:
        def block() -> Any:
            event.wait(60)
            return Block(samples, t, 16_000)

        return block

    def unplugged() -> Any:
        end.wait(60)
        raise OSError("No such device")

    stream = Stream(
        Block(ROOM, 0.0, 16_000),
        when(begun, NOTHING, 1.0),
        Block(NOTHING, 12.0, 16_000),
        when(on, ROOM, 13.0),
        unplugged,
    )
    bench = benches(inputs=Inputs(microphone=lambda: stream))
    try:
        bench.until(lambda s: s["sources"].get("microphone", {}).get("up") is True)
        assert bench.do("new_game", game="nasty_7", players=["Ida", "Jo"], settings={})["ok"]
        begun.set()
        off = bench.until(lambda s: s["paused"] == "microphone")
        why = "it gives nothing at all: switch it on, or turn it up"
        shown = {"up": False, "why": why, "code": "microphone.muted", "params": {}}
        assert off["sources"]["microphone"] == shown
        on.set()
        bench.until(lambda s: s["sources"]["microphone"]["up"] and s["paused"] is None)
    finally:
        for event in (begun, on, end):
            event.set()
