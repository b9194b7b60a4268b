"""A program that waits for its end is ended by a signal, whenever that comes."""

import signal

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
