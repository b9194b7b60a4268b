"""No broken or slow output holds up anything, and what is planned is given at its moment."""

import queue
import threading

from companion.announce.announcement import Announcement
from companion.announce.outputs import Cue, Output, Wait
from companion.core.clock import monotonic


def nothing(name: str, error: Exception) -> None:
    raise AssertionError(f"{name}: {error}")


def test_a_broken_output_is_reported_once_and_goes_on() -> None:
    reported: list[str] = []
    given: list[str] = []
    done = threading.Event()

    def give(announcement: Announcement, wait: Wait) -> None:
        if announcement.code == "too_late":
            raise OSError("no such device")
        given.append(announcement.code)
        done.set()

    output = Output(
        "buzzer", give, lambda name, error: reported.append(f"{name}: {error}"), monotonic, size=8
    )
    for code in ("too_late", "too_late", "no_call"):
        output.put(Announcement(code))
    output.start()
    assert done.wait(30)
    output.stop()
    assert reported == ["buzzer: no such device"]
    assert given == ["no_call"]


def test_a_slow_output_drops_the_oldest_and_blocks_nobody() -> None:
    given: queue.SimpleQueue[str] = queue.SimpleQueue()
    output = Output("voice", lambda one, wait: given.put(one.code), nothing, monotonic, size=2)
    for code in ("too_late", "no_call", "winner"):
        output.put(Announcement(code))
    output.start()
    assert [given.get(timeout=30), given.get(timeout=30)] == ["no_call", "winner"]
    output.stop()
    assert given.empty()


def test_cues_are_given_in_their_order_and_cut_short_what_is_being_given() -> None:
    """A voice that speaks for an hour says "nine" all the same, and ends when the service does."""
    given: queue.SimpleQueue[str] = queue.SimpleQueue()

    def give(announcement: Announcement, wait: Wait) -> None:
        given.put(f"{announcement.code} {announcement.params.get('number', '')}".strip())
        wait(3600.0)

    output = Output("voice", give, nothing, monotonic)
    output.start()
    output.put(Announcement("ready"))
    assert given.get(timeout=30) == "ready"
    now = monotonic()
    cues = [Cue(now + 0.1 * i, Announcement("counted", {"number": 10 - i})) for i in (2, 1)]
    output.plan(cues)
    assert [given.get(timeout=30), given.get(timeout=30)] == ["counted 9", "counted 8"]
    output.stop(timeout=30)
    assert not output._thread.is_alive()


def test_the_stop_sounds_however_fast_the_table_and_slow_the_output() -> None:
    """The table takes the plan back as soon as it has judged the stop, milliseconds after its moment."""
    given: queue.SimpleQueue[str] = queue.SimpleQueue()
    now = [100.0]
    output = Output("buzzer", lambda one, wait: given.put(one.code), nothing, lambda: now[0])
    output.plan(
        [Cue(100.0, Announcement("counted", {"number": 1})), Cue(101.0, Announcement("countdown_over"))]
    )
    now[0] = 102.5  # nobody has given the thread a turn
    output.plan([])
    output.start()
    assert given.get(timeout=30) == "countdown_over"
    output.stop(timeout=30)
    assert given.empty()


def test_a_plan_that_is_taken_back_is_not_given() -> None:
    """An undo in the countdown ends it at once."""
    given: queue.SimpleQueue[str] = queue.SimpleQueue()
    now = [100.0]
    output = Output("buzzer", lambda one, wait: given.put(one.code), nothing, lambda: now[0])
    output.plan([Cue(100.2, Announcement("countdown_over"))])
    output.plan([])
    now[0] = 100.5
    output.start()
    output.put(Announcement("undone"))
    assert given.get(timeout=30) == "undone"
    output.plan([Cue(95.0, Announcement("countdown_over"))])
    output.put(Announcement("ready"))
    assert given.get(timeout=30) == "ready", "what is long past is not given any more"
    output.stop()
    assert given.empty()
