"""A program that waits for its end is ended by a signal, whenever that comes."""

import signal
import sys
import threading
from types import FrameType
from typing import Any

from companion.core.end_request import EndRequest


def test_a_signal_ends_the_wait_however_often_it_interrupts_it() -> None:
    request = EndRequest()
    before = signal.signal(signal.SIGALRM, lambda *_: request.make())
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.0002)
    try:
        assert all(request.wait(10.0) for _ in range(2000))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def test_a_request_may_be_made_at_every_line_of_a_wait() -> None:
    """As a handler may that interrupts it; one that waits for a lock of the wait would never end."""
    request = EndRequest()

    def interrupted(_frame: FrameType, _event: str, _given: Any) -> Any:
        request.make()
        return interrupted

    def waits() -> None:
        sys.settrace(interrupted)
        request.wait(10.0)
        sys.settrace(None)

    thread = threading.Thread(target=waits, daemon=True)
    thread.start()
    thread.join(20.0)
    assert not thread.is_alive()
