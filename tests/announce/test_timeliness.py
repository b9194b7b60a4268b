"""What is late is not announced; what was announced is not announced twice."""

import queue
import threading

import pytest

from companion.announce.announcement import Announcement
from companion.announce.outputs import Output, Wait
from companion.announce.timeliness import LATEST_S, Timeliness


def codes(found: list[Announcement]) -> list[str]:
    return [one.code for one in found]


@pytest.mark.parametrize("code", ["too_late", "unsure_card", "round_scored", "card_gone"])
def test_an_announcement_is_dropped_when_its_moment_has_passed(code: str) -> None:
    limit = LATEST_S[Announcement(code).priority]
    announcement = Announcement(code, at=100.0)
    assert codes(Timeliness().select([announcement], 100.0 + limit)) == [code]
    assert Timeliness().select([announcement], 100.1 + limit) == []


def test_an_alarm_lasts_and_what_has_no_moment_is_not_late() -> None:
    alarm, now = Announcement("source_down", at=100.0), Announcement("too_late")
    assert codes(Timeliness().select([alarm, now], 5000.0)) == ["source_down", "too_late"]


def test_a_correction_makes_what_was_found_before_it_out_of_date() -> None:
    batch = [
        Announcement("too_late"),
        Announcement("source_down"),
        Announcement("undone"),
        Announcement("winner"),
    ]
    assert codes(Timeliness().select(batch, 0.0)) == ["source_down", "undone", "winner"]


def test_what_lasts_is_announced_once_until_it_has_ended() -> None:
    timeliness = Timeliness()
    gone = Announcement("card_gone", {"card": "red"}, about="place 1,2")
    assert timeliness.select([gone], 0.0) == [gone]
    assert timeliness.select([gone], 500.0) == [], "it was announced"
    timeliness.correct()
    assert timeliness.select([gone], 501.0) == [], "an undo does not make it new"
    assert timeliness.select([], 502.0, ended=["place 1,2"]) == []
    assert timeliness.select([gone], 503.0) == [gone], "it has come back"
    timeliness.begin()
    assert timeliness.select([gone], 504.0) == [gone], "another game"


def test_a_question_that_is_answered_already_is_not_asked_aloud() -> None:
    asked = Announcement("unsure_card", about="question q1")
    other = Announcement("unsure_call", about="question q2")
    assert codes(Timeliness().select([asked, other], 0.0, ended=["question q1"])) == ["unsure_call"]


def test_a_busy_output_gives_nothing_that_has_waited_too_long() -> None:
    """The voice is busy for five seconds: an alarm is still given, a finding is not."""
    now = [100.0]
    given: queue.SimpleQueue[str] = queue.SimpleQueue()
    begun, release = threading.Event(), threading.Event()

    def give(one: Announcement, wait: Wait) -> None:
        given.put(one.code)
        begun.set()
        release.wait(30)

    output = Output("voice", give, lambda name, error: None, lambda: now[0])
    output.start()
    output.put(Announcement("game_ended"))
    assert begun.wait(30)
    for code in ("too_late", "source_down"):
        output.put(Announcement(code))
    now[0] += 5.0
    output.put(Announcement("winner"))
    release.set()
    assert [given.get(timeout=30) for _ in range(3)] == ["game_ended", "source_down", "winner"]
    output.stop()


def test_an_output_forgets_what_was_answered_or_corrected() -> None:
    given: queue.SimpleQueue[str] = queue.SimpleQueue()
    output = Output("voice", lambda one, wait: given.put(one.code), lambda name, error: None, lambda: 0.0)
    output.put(Announcement("unsure_card", about="question q1"))
    output.put(Announcement("too_late"))
    output.withdraw({"question q1"})
    output.start()
    assert given.get(timeout=30) == "too_late"
    output.stop()
    later = Output("voice", lambda one, wait: given.put(one.code), lambda name, error: None, lambda: 0.0)
    for code in ("too_late", "source_down", "no_call"):
        later.put(Announcement(code))
    later.withdraw()
    later.put(Announcement("undone"))
    later.start()
    assert [given.get(timeout=30), given.get(timeout=30)] == ["source_down", "undone"]
    later.stop()
