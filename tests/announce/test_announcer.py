"""What is said, in which order, how often."""

from collections.abc import Sequence

from companion.announce.announcement import Announcement
from companion.announce.announcer import Announcer
from companion.announce.outputs import Cue


class FakeClock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Collector:
    def __init__(self) -> None:
        self.given: list[str] = []

    def put(self, announcement: Announcement | None) -> None:
        if announcement is not None:
            self.given.append(announcement.code)

    def withdraw(self, about: object = None) -> None:
        self.given.append("withdrawn")

    def plan(self, cues: Sequence[Cue]) -> None:
        self.planned = [cue.at for cue in cues]


def test_the_most_urgent_is_said_first_and_alone_is_heard() -> None:
    announcer, buzzer = Announcer(FakeClock()), Collector()
    announcer.connect(buzzer)  # type: ignore[arg-type]
    said = announcer.announce(
        [
            Announcement("undone", {"what": "x"}),
            Announcement("correct", {"player": "Jo"}),
            Announcement("too_late"),
        ]
    )
    assert [one.code for one in said] == ["too_late", "undone", "correct"]
    assert buzzer.given == ["too_late"]


def test_what_goes_as_expected_is_silent() -> None:
    announcer, buzzer = Announcer(FakeClock()), Collector()
    announcer.connect(buzzer)  # type: ignore[arg-type]
    assert announcer.announce([Announcement("correct", {"player": "Jo"})])
    assert buzzer.given == []


def test_a_repeat_is_said_once_until_some_time_has_passed() -> None:
    clock = FakeClock()
    announcer = Announcer(clock, repeat_s=2.0)
    late = Announcement("too_late", {"player": "Jo"})
    assert announcer.announce([late, late]) == [late]
    clock.now += 1.9
    assert announcer.announce([late, Announcement("too_late", {"player": "Ida"})]) == [
        Announcement("too_late", {"player": "Ida"})
    ]
    clock.now += 0.2
    assert announcer.announce([late]) == [late]
    announcer.correct()
    assert announcer.announce([late]) == [late]


def test_planned_cues_are_not_given_again_when_it_is_announced() -> None:
    clock = FakeClock()
    announcer, buzzer = Announcer(clock), Collector()
    announcer.connect(buzzer)  # type: ignore[arg-type]
    nine, eight = (Announcement("counted", {"number": n}) for n in (9, 8))
    announcer.plan([Cue(101.0, nine), Cue(102.0, eight)])
    assert buzzer.planned == [101.0, 102.0]
    clock.now = 101.05
    assert announcer.announce([nine]) == [nine]
    assert announcer.announce([eight]) == [eight]
    assert buzzer.given == ["counted"], "eight was not due yet: somebody else counted"
