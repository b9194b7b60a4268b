"""A source that fails, hangs or ends is reported and started again; it never takes anybody with it."""

import threading
import time
from collections.abc import Callable, Iterator

from companion.core.clock import Clock, monotonic
from companion.core.errors import Unavailable
from companion.core.observations import SourceChanged
from hardware.supervise import Supervised


class Script:
    """A stream that plays a list of items; a callable among them is called (to raise or to hang)."""

    def __init__(self, *items: object) -> None:
        self.items = items
        self.closed = 0

    def __iter__(self) -> Iterator[object]:
        for item in self.items:
            yield item() if callable(item) else item

    def close(self) -> None:
        self.closed += 1


def raising(text: str) -> Callable[[], object]:
    def fail() -> object:
        raise OSError(text)

    return fail


class Watched:
    """Runs a supervised source over a list of scripts and collects what it says."""

    def __init__(self, *streams: object, stall_s: float | None = None, clock: Clock = monotonic) -> None:
        self.delivered: list[object] = []
        self.reports: list[SourceChanged] = []
        self.changed = threading.Condition()
        self.streams = iter(streams)
        self.source: Supervised[object] = Supervised(
            "camera", self.open, self.take, self.report, clock, stall_s=stall_s, retry_s=0.01
        )

    def open(self) -> Script:
        stream = next(self.streams, None)
        if not isinstance(stream, Script):
            raise Unavailable(str(stream))
        return stream

    def take(self, item: object) -> None:
        with self.changed:
            self.delivered.append(item)
            self.changed.notify_all()

    def report(self, change: SourceChanged) -> None:
        with self.changed:
            self.reports.append(change)
            self.changed.notify_all()

    def until(self, condition: Callable[[], bool]) -> None:
        self.source.start()
        with self.changed:
            assert self.changed.wait_for(condition, timeout=60)
        self.source.stop()


def test_a_source_that_fails_is_reported_and_opened_again() -> None:
    first, second = Script(1, 2, raising("No such device")), Script(3, threading.Event().wait)
    seen = Watched(first, second)
    seen.until(lambda: 3 in seen.delivered and len(seen.reports) >= 3)
    assert seen.delivered == [1, 2, 3]
    assert [(report.up, str(report.why or "")) for report in seen.reports] == [
        (True, ""),
        (False, "No such device"),
        (True, ""),
    ]
    assert first.closed == 1


def test_a_source_that_is_not_there_is_said_once_and_tried_until_it_comes() -> None:
    seen = Watched("plug one in", "plug one in", "plug one in", Script(1))
    seen.until(lambda: seen.source.ended)
    assert [(report.up, str(report.why or "")) for report in seen.reports] == [
        (False, "plug one in"),
        (True, ""),
        (False, "the recording has ended"),
    ]


def test_a_reader_that_hangs_is_left_behind_and_what_it_says_later_does_not_count() -> None:
    release = threading.Event()
    now = [0.0]

    def hang() -> object:
        now[0] += 10.0
        release.wait(60)
        return "too late"

    stuck, fresh = Script(1, hang), Script(2, 3)
    seen = Watched(stuck, fresh, stall_s=1.0, clock=lambda: now[0])
    seen.until(lambda: seen.source.ended)
    release.set()
    for _ in range(1000):
        if stuck.closed:
            break
        time.sleep(0.01)
    assert seen.delivered == [1, 2, 3]
    assert [report.up for report in seen.reports] == [True, False, True, False]
    assert "gives nothing any more" in str(seen.reports[1].why)
    assert stuck.closed == 1


def test_stopping_does_not_wait_for_a_device_that_hangs() -> None:
    seen = Watched(Script(1, threading.Event().wait))
    seen.source.start()
    with seen.changed:
        assert seen.changed.wait_for(lambda: seen.source.up, timeout=60)
    before = monotonic()
    seen.source.stop()
    assert monotonic() - before < 2.0
